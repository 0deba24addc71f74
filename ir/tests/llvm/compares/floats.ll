; Every condition on floats, two of which look at nothing.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @false(double %a, double %b) {
  %r = fcmp false double %a, %b
  ret i1 %r
}
; run: @false(1.0, 2.0) == 0
; run: @false(2.0, 1.0) == 0
; run: @false(0.0, -0.0) == 0
; run: @false(nan, 1.0) == 0

define i1 @oeq(double %a, double %b) {
  %r = fcmp oeq double %a, %b
  ret i1 %r
}
; run: @oeq(1.0, 2.0) == 0
; run: @oeq(2.0, 1.0) == 0
; run: @oeq(0.0, -0.0) == 1
; run: @oeq(nan, 1.0) == 0

define i1 @ogt(double %a, double %b) {
  %r = fcmp ogt double %a, %b
  ret i1 %r
}
; run: @ogt(1.0, 2.0) == 0
; run: @ogt(2.0, 1.0) == 1
; run: @ogt(0.0, -0.0) == 0
; run: @ogt(nan, 1.0) == 0

define i1 @oge(double %a, double %b) {
  %r = fcmp oge double %a, %b
  ret i1 %r
}
; run: @oge(1.0, 2.0) == 0
; run: @oge(2.0, 1.0) == 1
; run: @oge(0.0, -0.0) == 1
; run: @oge(nan, 1.0) == 0

define i1 @olt(double %a, double %b) {
  %r = fcmp olt double %a, %b
  ret i1 %r
}
; run: @olt(1.0, 2.0) == 1
; run: @olt(2.0, 1.0) == 0
; run: @olt(0.0, -0.0) == 0
; run: @olt(nan, 1.0) == 0

define i1 @ole(double %a, double %b) {
  %r = fcmp ole double %a, %b
  ret i1 %r
}
; run: @ole(1.0, 2.0) == 1
; run: @ole(2.0, 1.0) == 0
; run: @ole(0.0, -0.0) == 1
; run: @ole(nan, 1.0) == 0

define i1 @one(double %a, double %b) {
  %r = fcmp one double %a, %b
  ret i1 %r
}
; run: @one(1.0, 2.0) == 1
; run: @one(2.0, 1.0) == 1
; run: @one(0.0, -0.0) == 0
; run: @one(nan, 1.0) == 0

define i1 @ord(double %a, double %b) {
  %r = fcmp ord double %a, %b
  ret i1 %r
}
; run: @ord(1.0, 2.0) == 1
; run: @ord(2.0, 1.0) == 1
; run: @ord(0.0, -0.0) == 1
; run: @ord(nan, 1.0) == 0

define i1 @ueq(double %a, double %b) {
  %r = fcmp ueq double %a, %b
  ret i1 %r
}
; run: @ueq(1.0, 2.0) == 0
; run: @ueq(2.0, 1.0) == 0
; run: @ueq(0.0, -0.0) == 1
; run: @ueq(nan, 1.0) == 1

define i1 @ugt(double %a, double %b) {
  %r = fcmp ugt double %a, %b
  ret i1 %r
}
; run: @ugt(1.0, 2.0) == 0
; run: @ugt(2.0, 1.0) == 1
; run: @ugt(0.0, -0.0) == 0
; run: @ugt(nan, 1.0) == 1

define i1 @uge(double %a, double %b) {
  %r = fcmp uge double %a, %b
  ret i1 %r
}
; run: @uge(1.0, 2.0) == 0
; run: @uge(2.0, 1.0) == 1
; run: @uge(0.0, -0.0) == 1
; run: @uge(nan, 1.0) == 1

define i1 @ult(double %a, double %b) {
  %r = fcmp ult double %a, %b
  ret i1 %r
}
; run: @ult(1.0, 2.0) == 1
; run: @ult(2.0, 1.0) == 0
; run: @ult(0.0, -0.0) == 0
; run: @ult(nan, 1.0) == 1

define i1 @ule(double %a, double %b) {
  %r = fcmp ule double %a, %b
  ret i1 %r
}
; run: @ule(1.0, 2.0) == 1
; run: @ule(2.0, 1.0) == 0
; run: @ule(0.0, -0.0) == 1
; run: @ule(nan, 1.0) == 1

define i1 @une(double %a, double %b) {
  %r = fcmp une double %a, %b
  ret i1 %r
}
; run: @une(1.0, 2.0) == 1
; run: @une(2.0, 1.0) == 1
; run: @une(0.0, -0.0) == 0
; run: @une(nan, 1.0) == 1

define i1 @uno(double %a, double %b) {
  %r = fcmp uno double %a, %b
  ret i1 %r
}
; run: @uno(1.0, 2.0) == 0
; run: @uno(2.0, 1.0) == 0
; run: @uno(0.0, -0.0) == 0
; run: @uno(nan, 1.0) == 1

define i1 @true(double %a, double %b) {
  %r = fcmp true double %a, %b
  ret i1 %r
}
; run: @true(1.0, 2.0) == 1
; run: @true(2.0, 1.0) == 1
; run: @true(0.0, -0.0) == 1
; run: @true(nan, 1.0) == 1
