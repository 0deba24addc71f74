; An alias stands for the place that it names.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@data = global [2 x i32] [i32 5, i32 6]
@second = alias i32, getelementptr ([2 x i32], ptr @data, i64 0, i64 1)
@again = alias i32, ptr @second
@called = alias i32 (i32), ptr @named

define i32 @named(i32 %x) {
  %y = load i32, ptr @again
  %r = add i32 %x, %y
  ret i32 %r
}
; run: @named(1) == 7
; run: @called(2) == 8

define i1 @same() {
  %r = icmp eq ptr @called, @named
  ret i1 %r
}
; run: @same() == 1

; Of a function that takes further arguments, in the text itself.
@more = alias i32 (i32, ...), ptr @sum
declare void @llvm.va_start.p0(ptr)
define i32 @sum(i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %list)
  %x = va_arg ptr %list, i32
  %r = add i32 %n, %x
  ret i32 %r
}
define i32 @by_alias() {
  %r = call i32 (i32, ...) @more(i32 4, i32 5)
  ret i32 %r
}
; run: @by_alias() == 9
