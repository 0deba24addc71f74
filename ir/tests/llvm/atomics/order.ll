; Atomic accesses of every width that there is.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i8 @byte(i8 %x) {
  %p = alloca i8
  store atomic i8 %x, ptr %p release, align 1
  %r = load atomic i8, ptr %p acquire, align 1
  ret i8 %r
}
; run: @byte(-3) == -3

define double @float(double %x) {
  %p = alloca double
  store atomic double %x, ptr %p seq_cst, align 8
  fence seq_cst
  %r = load atomic double, ptr %p unordered, align 8
  ret double %r
}
; run: @float(2.5) == 2.5

define half @half(half %x) {
  %p = alloca half
  store atomic half %x, ptr %p monotonic, align 2
  %r = load atomic volatile half, ptr %p syncscope("singlethread") monotonic, align 2
  ret half %r
}
; run: @half(2.5) == 2.5

define i64 @address(i64 %x) {
  %p = alloca ptr
  %a = inttoptr i64 %x to ptr
  store atomic ptr %a, ptr %p release, align 8
  %b = load atomic ptr, ptr %p acquire, align 8
  %r = ptrtoint ptr %b to i64
  ret i64 %r
}
; run: @address(24) == 24
