; A division by zero, which LLVM says nothing of, is a trap.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i24 @div(i24 %a, i24 %b) {
  %r = sdiv i24 %a, %b
  ret i24 %r
}
; run: @div(1, 0) traps division_by_zero

define i1 @rem(i1 %a, i1 %b) {
  %r = urem i1 %a, %b
  ret i1 %r
}
; run: @rem(1, 0) traps division_by_zero
; run: @rem(1, 1) == 0

define i64 @wide(i64 %a, i64 %b) {
  %x = zext i64 %a to i192
  %y = zext i64 %b to i192
  %q = udiv i192 %x, %y
  %r = trunc i192 %q to i64
  ret i64 %r
}
; run: @wide(7, 0) traps division_by_zero
; run: @wide(7, 2) == 3
