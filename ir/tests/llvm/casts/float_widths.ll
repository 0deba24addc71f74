; Floats in wider and narrower formats.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define float @half_to_float(half %a) {
  %r = fpext half %a to float
  ret float %r
}
; run: @half_to_float(0.0) == 0.0
; run: @half_to_float(-1.5) == -1.5
; run: @half_to_float(inf) == inf
; run: @half_to_float(nan) == nan
; run: @half_to_float(0.099609375) == 0.099609375

define double @half_to_double(half %a) {
  %r = fpext half %a to double
  ret double %r
}
; run: @half_to_double(0.0) == 0.0
; run: @half_to_double(-1.5) == -1.5
; run: @half_to_double(inf) == inf
; run: @half_to_double(nan) == nan
; run: @half_to_double(0.099609375) == 0.099609375

define double @float_to_double(float %a) {
  %r = fpext float %a to double
  ret double %r
}
; run: @float_to_double(0.0) == 0.0
; run: @float_to_double(-1.5) == -1.5
; run: @float_to_double(inf) == inf
; run: @float_to_double(nan) == nan
; run: @float_to_double(0.099609375) == 0.099609375

define float @bfloat_to_float(bfloat %a) {
  %r = fpext bfloat %a to float
  ret float %r
}
; run: @bfloat_to_float(0.0) == 0.0
; run: @bfloat_to_float(-1.5) == -1.5
; run: @bfloat_to_float(inf) == inf
; run: @bfloat_to_float(nan) == nan
; run: @bfloat_to_float(0.099609375) == 0.099609375

define float @double_to_float(double %a) {
  %r = fptrunc double %a to float
  ret float %r
}
; run: @double_to_float(0.0) == 0.0
; run: @double_to_float(-1.5) == -1.5
; run: @double_to_float(inf) == inf
; run: @double_to_float(nan) == nan
; run: @double_to_float(0.099609375) == 0.099609375

define half @double_to_half(double %a) {
  %r = fptrunc double %a to half
  ret half %r
}
; run: @double_to_half(0.0) == 0.0
; run: @double_to_half(-1.5) == -1.5
; run: @double_to_half(inf) == inf
; run: @double_to_half(nan) == nan
; run: @double_to_half(0.099609375) == 0.0996

define half @float_to_half(float %a) {
  %r = fptrunc float %a to half
  ret half %r
}
; run: @float_to_half(0.0) == 0.0
; run: @float_to_half(-1.5) == -1.5
; run: @float_to_half(inf) == inf
; run: @float_to_half(nan) == nan
; run: @float_to_half(0.099609375) == 0.0996

define bfloat @float_to_bfloat(float %a) {
  %r = fptrunc float %a to bfloat
  ret bfloat %r
}
; run: @float_to_bfloat(0.0) == 0.0
; run: @float_to_bfloat(-1.5) == -1.5
; run: @float_to_bfloat(inf) == inf
; run: @float_to_bfloat(nan) == nan
; run: @float_to_bfloat(0.099609375) == 0.0996
