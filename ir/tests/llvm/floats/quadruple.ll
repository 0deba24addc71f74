; Arithmetic in a format that no op computes with, to its last bit.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define double @fadd(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %q = fadd fp128 %x, %y
  %s = fptrunc fp128 %q to double
  %n = fpext double %s to fp128
  %rest = fsub fp128 %q, %n
  %r = fptrunc fp128 %rest to double
  ret double %r
}
; run: @fadd(1.0, 3.0) == 0.0
; run: @fadd(0.1, 0.7) == 2.7755575615628914e-17
; run: @fadd(-5.5, 0.3) == 1.6653345369377348e-16
; run: @fadd(0.0, -2.0) == 0.0

define double @fsub(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %q = fsub fp128 %x, %y
  %s = fptrunc fp128 %q to double
  %n = fpext double %s to fp128
  %rest = fsub fp128 %q, %n
  %r = fptrunc fp128 %rest to double
  ret double %r
}
; run: @fsub(1.0, 3.0) == 0.0
; run: @fsub(0.1, 0.7) == 2.7755575615628914e-17
; run: @fsub(-5.5, 0.3) == -1.6653345369377348e-16
; run: @fsub(0.0, -2.0) == 0.0

define double @fmul(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %q = fmul fp128 %x, %y
  %s = fptrunc fp128 %q to double
  %n = fpext double %s to fp128
  %rest = fsub fp128 %q, %n
  %r = fptrunc fp128 %rest to double
  ret double %r
}
; run: @fmul(1.0, 3.0) == 0.0
; run: @fmul(0.1, 0.7) == 6.661338147750939e-18
; run: @fmul(-5.5, 0.3) == -2.7755575615628914e-17
; run: @fmul(0.0, -2.0) == 0.0

define double @fdiv(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %q = fdiv fp128 %x, %y
  %s = fptrunc fp128 %q to double
  %n = fpext double %s to fp128
  %rest = fsub fp128 %q, %n
  %r = fptrunc fp128 %rest to double
  ret double %r
}
; run: @fdiv(1.0, 3.0) == 1.850371707708594e-17
; run: @fdiv(0.1, 0.7) == -2.8322015934315207e-18
; run: @fdiv(-5.5, 0.3) == 1.6900061597071826e-15
; run: @fdiv(0.0, -2.0) == 0.0

define i1 @oeq(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %r = fcmp oeq fp128 %x, %y
  ret i1 %r
}
; run: @oeq(1.0, 3.0) == 0
; run: @oeq(2.0, -2.0) == 0
; run: @oeq(-5.5, -5.5) == 1
; run: @oeq(0.0, nan) == 0

define i1 @ogt(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %r = fcmp ogt fp128 %x, %y
  ret i1 %r
}
; run: @ogt(1.0, 3.0) == 0
; run: @ogt(2.0, -2.0) == 1
; run: @ogt(-5.5, -5.5) == 0
; run: @ogt(0.0, nan) == 0

define i1 @ult(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %r = fcmp ult fp128 %x, %y
  ret i1 %r
}
; run: @ult(1.0, 3.0) == 1
; run: @ult(2.0, -2.0) == 0
; run: @ult(-5.5, -5.5) == 0
; run: @ult(0.0, nan) == 1

define i1 @uno(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %r = fcmp uno fp128 %x, %y
  ret i1 %r
}
; run: @uno(1.0, 3.0) == 0
; run: @uno(2.0, -2.0) == 0
; run: @uno(-5.5, -5.5) == 0
; run: @uno(0.0, nan) == 1

define i1 @one(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %r = fcmp one fp128 %x, %y
  ret i1 %r
}
; run: @one(1.0, 3.0) == 1
; run: @one(2.0, -2.0) == 1
; run: @one(-5.5, -5.5) == 0
; run: @one(0.0, nan) == 0

define i1 @ule(double %a, double %b) {
  %x = fpext double %a to fp128
  %y = fpext double %b to fp128
  %r = fcmp ule fp128 %x, %y
  ret i1 %r
}
; run: @ule(1.0, 3.0) == 1
; run: @ule(2.0, -2.0) == 0
; run: @ule(-5.5, -5.5) == 1
; run: @ule(0.0, nan) == 1

define i64 @to_integer(float %a) {
  %x = fpext float %a to fp128
  %n = fneg fp128 %x
  %r = fptosi fp128 %n to i64
  ret i64 %r
}
; run: @to_integer(12345.75) == -12345

define i33 @there_and_back(i33 %a) {
  %x = sitofp i33 %a to fp128
  %r = fptosi fp128 %x to i33
  ret i33 %r
}
; run: @there_and_back(8589934591) == 8589934591
; run: @there_and_back(4294967295) == 4294967295

define i64 @unsigned(i64 %a) {
  %x = uitofp i64 %a to fp128
  %r = fptoui fp128 %x to i64
  ret i64 %r
}
; run: @unsigned(-3) == -3

define fp128 @loaded() {
  %p = alloca fp128
  store fp128 0xL8469898CC51701B84000921FB54442D1, ptr %p
  %r = load fp128, ptr %p
  ret fp128 %r
}
; run: @loaded() == bits:0x4000921fb54442d18469898cc51701b8
