; Floats, with and without permissions.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define float @fadd_float(float %a, float %b) {
  %r = fadd float %a, %b
  ret float %r
}
; run: @fadd_float(1.5, 0.25) == 1.75
; run: @fadd_float(-5.5, 2.0) == -3.5
; run: @fadd_float(inf, 1.0) == inf

define double @fadd_double(double %a, double %b) {
  %r = fadd double %a, %b
  ret double %r
}
; run: @fadd_double(1.5, 0.25) == 1.75
; run: @fadd_double(-5.5, 2.0) == -3.5
; run: @fadd_double(inf, 1.0) == inf

define float @fsub_float(float %a, float %b) {
  %r = fsub float %a, %b
  ret float %r
}
; run: @fsub_float(1.5, 0.25) == 1.25
; run: @fsub_float(-5.5, 2.0) == -7.5
; run: @fsub_float(inf, 1.0) == inf

define double @fsub_double(double %a, double %b) {
  %r = fsub double %a, %b
  ret double %r
}
; run: @fsub_double(1.5, 0.25) == 1.25
; run: @fsub_double(-5.5, 2.0) == -7.5
; run: @fsub_double(inf, 1.0) == inf

define float @fmul_float(float %a, float %b) {
  %r = fmul float %a, %b
  ret float %r
}
; run: @fmul_float(1.5, 0.25) == 0.375
; run: @fmul_float(-5.5, 2.0) == -11.0
; run: @fmul_float(inf, 1.0) == inf

define double @fmul_double(double %a, double %b) {
  %r = fmul double %a, %b
  ret double %r
}
; run: @fmul_double(1.5, 0.25) == 0.375
; run: @fmul_double(-5.5, 2.0) == -11.0
; run: @fmul_double(inf, 1.0) == inf

define float @fdiv_float(float %a, float %b) {
  %r = fdiv float %a, %b
  ret float %r
}
; run: @fdiv_float(1.5, 0.25) == 6.0
; run: @fdiv_float(-5.5, 2.0) == -2.75
; run: @fdiv_float(inf, 1.0) == inf

define double @fdiv_double(double %a, double %b) {
  %r = fdiv double %a, %b
  ret double %r
}
; run: @fdiv_double(1.5, 0.25) == 6.0
; run: @fdiv_double(-5.5, 2.0) == -2.75
; run: @fdiv_double(inf, 1.0) == inf

define float @frem_float(float %a, float %b) {
  %r = frem float %a, %b
  ret float %r
}
; run: @frem_float(1.5, 0.25) == 0.0
; run: @frem_float(-5.5, 2.0) == -1.5
; run: @frem_float(inf, 1.0) == nan

define double @frem_double(double %a, double %b) {
  %r = frem double %a, %b
  ret double %r
}
; run: @frem_double(1.5, 0.25) == 0.0
; run: @frem_double(-5.5, 2.0) == -1.5
; run: @frem_double(inf, 1.0) == nan

define double @negated(double %a) {
  %r = fneg double %a
  ret double %r
}
; run: @negated(0.0) == -0.0

define <2 x float> @fast(<2 x float> %a, <2 x float> %b) {
  %s = fadd fast <2 x float> %a, %b
  %r = fmul nnan ninf nsz arcp contract afn reassoc <2 x float> %s, splat (float 2.0)
  ret <2 x float> %r
}
; run: @fast(<1.0, 2.0>, <3.0, 4.5>) == <8.0, 13.0>
