; What is said of parameters and results, as the platform passes them.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%large = type { i64, i64, i64 }

define signext i8 @narrow(i8 signext %a, i8 zeroext %b, i1 zeroext %c, i16 inreg %d) {
  %x = add i8 %a, %b
  %y = zext i1 %c to i8
  %z = add i8 %x, %y
  %w = trunc i16 %d to i8
  %r = add i8 %z, %w
  ret i8 %r
}
; run: @narrow(-100, 200, 1, 3) == 104

; Through an address too, where C's rules decide.
@narrow_address = global ptr @narrow
define i32 @through_address(i8 %a) {
  %f = load volatile ptr, ptr @narrow_address
  %r = call signext i8 %f(i8 signext %a, i8 zeroext -56, i1 zeroext true, i16 inreg 3)
  %s = sext i8 %r to i32
  ret i32 %s
}
; run: @through_address(-100) == 104
; run: @through_address(-10) == -62

; The callee has a copy of its own.
define i64 @changes(ptr byval(%large) align 8 %s) {
  %first = load i64, ptr %s
  store i64 0, ptr %s
  %p = getelementptr %large, ptr %s, i32 0, i32 2
  %last = load i64, ptr %p
  %r = add i64 %first, %last
  ret i64 %r
}
define i64 @keeps(i64 %x) {
  %s = alloca %large, align 8
  store %large zeroinitializer, ptr %s
  store i64 %x, ptr %s
  %p = getelementptr %large, ptr %s, i32 0, i32 2
  store i64 100, ptr %p
  %r = call i64 @changes(ptr byval(%large) align 8 %s)
  %again = load i64, ptr %s
  %sum = add i64 %r, %again
  ret i64 %sum
}
; run: @keeps(7) == 114
define i64 @keeps_by_address(i64 %x, ptr %f) {
  %s = alloca %large, align 8
  store %large zeroinitializer, ptr %s
  store i64 %x, ptr %s
  %p = getelementptr %large, ptr %s, i32 0, i32 2
  store i64 100, ptr %p
  %r = call i64 %f(ptr byval(%large) align 8 %s)
  %again = load i64, ptr %s
  %sum = add i64 %r, %again
  ret i64 %sum
}
define i64 @by_address(i64 %x) {
  %r = call i64 @keeps_by_address(i64 %x, ptr @changes)
  ret i64 %r
}
; run: @by_address(7) == 114

; A result in memory that the caller gives.
define void @made(ptr noalias nocapture writable sret(%large) align 8 dereferenceable(24) %out, i64 %x) {
  store i64 %x, ptr %out
  %p = getelementptr inbounds nuw %large, ptr %out, i32 0, i32 2
  store i64 1, ptr %p
  ret void
}
define i64 @taken(i64 %x) {
  %s = alloca %large
  call void @made(ptr sret(%large) %s, i64 %x)
  %a = load i64, ptr %s
  %p = getelementptr %large, ptr %s, i32 0, i32 2
  %b = load i64, ptr %p
  %r = add i64 %a, %b
  ret i64 %r
}
; run: @taken(41) == 42

; What says something of values alone.
define noundef nonnull align 8 dereferenceable(8) ptr @passed(ptr returned noundef nonnull readonly captures(none) dead_on_unwind initializes((0, 8)) %p, ptr byref(i64) %q, i32 range(i32 0, 10) %r, float nofpclass(nan inf) %f) {
  ret ptr %p
}
define i1 @same(i64 %x) {
  %s = alloca i64
  %p = call ptr @passed(ptr %s, ptr byref(i64) %s, i32 5, float 1.0)
  %same = icmp eq ptr %p, %s
  ret i1 %same
}
; run: @same(1) == 1
