; Zeros of `common`, what nobody defines of `extern_weak`, and each linkage of a definition.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@shared = common global [3 x i64] zeroinitializer
@nowhere = extern_weak global i32
@own = internal global i8 3
@hidden = private unnamed_addr constant i8 4, align 16
@weak = weak_odr hidden global i8 5
@local = internal thread_local global i32 6

declare extern_weak void @missing()

define i64 @zero() {
  %p = getelementptr i64, ptr @shared, i64 2
  %r = load i64, ptr %p
  ret i64 %r
}
; run: @zero() == 0

define i1 @null() {
  %a = icmp eq ptr @nowhere, null
  %b = icmp eq ptr @missing, null
  %r = and i1 %a, %b
  ret i1 %r
}
; run: @null() == 1

define linkonce_odr i8 @sum() {
  %a = load i8, ptr @own
  %b = load i8, ptr @hidden
  %c = load i8, ptr @weak
  %d = add i8 %a, %b
  %e = add i8 %d, %c
  ret i8 %e
}
; run: @sum() == 12
