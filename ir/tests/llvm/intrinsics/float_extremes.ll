; The least and the greatest lane: those of C pass over NaN, the others give it.
declare float @llvm.vector.reduce.fmax.v4f32(<4 x float>)
declare float @llvm.vector.reduce.fmin.v4f32(<4 x float>)
declare float @llvm.vector.reduce.fmaximum.v4f32(<4 x float>)
declare float @llvm.vector.reduce.fminimum.v4f32(<4 x float>)
declare double @llvm.vector.reduce.fmax.v3f64(<3 x double>)
declare double @llvm.vector.reduce.fminimum.v10f64(<10 x double>)
declare double @llvm.vector.reduce.fmin.v10f64(<10 x double>)

define float @fmax(<4 x float> %v) {
  %r = call float @llvm.vector.reduce.fmax.v4f32(<4 x float> %v)
  ret float %r
}
; run: @fmax(<1.0, -2.0, 8.5, 3.0>) == 8.5
; run: @fmax(<1.0, nan, -inf, nan>) == 1.0
; run: @fmax(<nan, nan, -inf, -3.0>) == -3.0

define float @fmin(<4 x float> %v) {
  %r = call float @llvm.vector.reduce.fmin.v4f32(<4 x float> %v)
  ret float %r
}
; run: @fmin(<1.0, -2.0, 8.5, 3.0>) == -2.0
; run: @fmin(<nan, 1.0, nan, 3.0>) == 1.0

define float @fmaximum(<4 x float> %v) {
  %r = call float @llvm.vector.reduce.fmaximum.v4f32(<4 x float> %v)
  ret float %r
}
; run: @fmaximum(<1.0, -2.0, 8.5, 3.0>) == 8.5
; run: @fmaximum(<1.0, nan, 8.5, 3.0>) == nan
; run: @fmaximum(<-0.0, 0.0, -1.0, -0.0>) == 0.0

define float @fminimum(<4 x float> %v) {
  %r = call float @llvm.vector.reduce.fminimum.v4f32(<4 x float> %v)
  ret float %r
}
; run: @fminimum(<1.0, -2.0, 8.5, 3.0>) == -2.0
; run: @fminimum(<1.0, 2.0, 8.5, nan>) == nan
; run: @fminimum(<0.0, -0.0, 1.0, 0.0>) == -0.0

; Without NaN, as the call says, both kinds are one op.
define float @no_nan(<4 x float> %v) {
  %r = call nnan float @llvm.vector.reduce.fmax.v4f32(<4 x float> %v)
  ret float %r
}
; run: @no_nan(<1.0, -2.0, 8.5, 3.0>) == 8.5

define double @three(<3 x double> %v) {
  %r = call double @llvm.vector.reduce.fmax.v3f64(<3 x double> %v)
  ret double %r
}
; run: @three(<-3.0, -2.0, -5.0>) == -2.0

; In pieces: what fills the last one is no lane.
define double @many(double %x, double %y) {
  %v = insertelement <10 x double> splat (double 4.0), double %x, i32 2
  %w = insertelement <10 x double> %v, double %y, i32 9
  %r = call double @llvm.vector.reduce.fminimum.v10f64(<10 x double> %w)
  ret double %r
}
; run: @many(5.0, 6.0) == 4.0
; run: @many(5.0, 3.0) == 3.0
; run: @many(nan, 3.0) == nan

define double @many_of_c(double %x, double %y) {
  %v = insertelement <10 x double> splat (double 4.0), double %x, i32 2
  %w = insertelement <10 x double> %v, double %y, i32 9
  %r = call double @llvm.vector.reduce.fmin.v10f64(<10 x double> %w)
  ret double %r
}
; run: @many_of_c(nan, 6.0) == 4.0
; run: @many_of_c(nan, 3.0) == 3.0
