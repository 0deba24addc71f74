; A frozen value is the value; what is poison is zero.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i33 @frozen(i33 %x) {
  %f = freeze i33 %x
  %g = freeze i33 poison
  %r = or i33 %f, %g
  ret i33 %r
}
; run: @frozen(8589934591) == 8589934591

define i32 @undefined() {
  ret i32 undef
}
; run: @undefined() == 0
