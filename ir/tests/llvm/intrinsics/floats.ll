; Floats: as C's functions round, compare and convert them.
; run: @rounded(2.5) == 222.0
; run: @rounded(-2.5) == -232.0
; run: @whole(2.5) == 32
; run: @whole(-0.5) == -10
; run: @extremes(nan, 2.0) == 4.0
; run: @extremes(1.0, 2.0) == 3.0
; run: @passing(nan, 2.0) == 1
; run: @power(2.0, 10) == 1024.0
; run: @power(2.0, -2) == 0.25
; run: @power(3.0, 0) == 1.0
; run: @power_lanes(<2.0, 3.0>, 3) == <8.0, 27.0>
; run: @held(1e9) == 63
; run: @held(-1e9) == 64
; run: @held(nan) == 0
; run: @held(-3.7) == 125
; run: @held_unsigned(1e9) == 127
; run: @held_unsigned(-3.0) == 0
; run: @fused(3.0, 4.0, 5.0) == 17.0
; run: @sum(1.0, <2.0, 3.0, 4.0>) == 10.0
; run: @product(2.0, <2.0, 3.0>) == 12.0
; run: @smallest(<3.0, nan, 2.0>) == 2.0
; run: @smallest_or_nan(<3.0, nan, 2.0>) == nan
; run: @through_half(1.5) == 1.5
; run: @signed(3.0, -0.0) == -3.0
; run: @long(2.25) == 6.5625

define double @rounded(double %x) {
  %f = call double @llvm.rint.f64(double %x)
  %t = call double @llvm.trunc.f64(double %x)
  %l = call double @llvm.floor.f64(double %x)
  %a = fmul double %f, 100.0
  %b = fmul double %l, 10.0
  %c = fadd double %a, %b
  %d = fadd double %c, %t
  ret double %d
}

define i64 @whole(double %x) {
  %a = call i64 @llvm.lround.i64.f64(double %x)
  %b = call i64 @llvm.lrint.i64.f64(double %x)
  %c = mul i64 %a, 10
  %d = add i64 %c, %b
  ret i64 %d
}

define double @extremes(double %x, double %y) {
  %a = call double @llvm.minnum.f64(double %x, double %y)
  %b = call double @llvm.maximumnum.f64(double %x, double %y)
  %c = fadd double %a, %b
  ret double %c
}

define i1 @passing(double %x, double %y) {
  %a = call double @llvm.minimum.f64(double %x, double %y)
  %b = call double @llvm.maximum.f64(double %x, double %y)
  %r = fcmp uno double %a, %b
  ret i1 %r
}

define double @power(double %x, i32 %n) {
  %r = call double @llvm.powi.f64.i32(double %x, i32 %n)
  ret double %r
}

define <2 x float> @power_lanes(<2 x float> %x, i32 %n) {
  %r = call <2 x float> @llvm.powi.v2f32.i32(<2 x float> %x, i32 %n)
  ret <2 x float> %r
}

define i7 @held(double %x) {
  %r = call i7 @llvm.fptosi.sat.i7.f64(double %x)
  ret i7 %r
}

define i7 @held_unsigned(double %x) {
  %r = call i7 @llvm.fptoui.sat.i7.f64(double %x)
  ret i7 %r
}

define float @fused(float %x, float %y, float %z) {
  %r = call float @llvm.fmuladd.f32(float %x, float %y, float %z)
  ret float %r
}

define double @sum(double %s, <3 x double> %v) {
  %r = call double @llvm.vector.reduce.fadd.v3f64(double %s, <3 x double> %v)
  ret double %r
}

define double @product(double %s, <2 x double> %v) {
  %r = call reassoc double @llvm.vector.reduce.fmul.v2f64(double %s, <2 x double> %v)
  ret double %r
}

define double @smallest(<3 x double> %v) {
  %r = call double @llvm.vector.reduce.fmin.v3f64(<3 x double> %v)
  ret double %r
}

define double @smallest_or_nan(<3 x double> %v) {
  %r = call double @llvm.vector.reduce.fminimum.v3f64(<3 x double> %v)
  ret double %r
}

define float @through_half(float %x) {
  %h = call i16 @llvm.convert.to.fp16.f32(float %x)
  %r = call float @llvm.convert.from.fp16.f32(i16 %h)
  ret float %r
}

define double @signed(double %x, double %y) {
  %r = call double @llvm.copysign.f64(double %x, double %y)
  ret double %r
}

define double @long(double %x) {
  %w = fpext double %x to x86_fp80
  %s = call x86_fp80 @llvm.fmuladd.f80(x86_fp80 %w, x86_fp80 %w, x86_fp80 0xK3FFF8000000000000000)
  %r = fptrunc x86_fp80 %s to double
  %t = fadd double %r, 0.5
  ret double %t
}

declare double @llvm.rint.f64(double)
declare double @llvm.trunc.f64(double)
declare double @llvm.floor.f64(double)
declare i64 @llvm.lround.i64.f64(double)
declare i64 @llvm.lrint.i64.f64(double)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maximumnum.f64(double, double)
declare double @llvm.minimum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare double @llvm.powi.f64.i32(double, i32)
declare <2 x float> @llvm.powi.v2f32.i32(<2 x float>, i32)
declare i7 @llvm.fptosi.sat.i7.f64(double)
declare i7 @llvm.fptoui.sat.i7.f64(double)
declare float @llvm.fmuladd.f32(float, float, float)
declare double @llvm.vector.reduce.fadd.v3f64(double, <3 x double>)
declare double @llvm.vector.reduce.fmul.v2f64(double, <2 x double>)
declare double @llvm.vector.reduce.fmin.v3f64(<3 x double>)
declare double @llvm.vector.reduce.fminimum.v3f64(<3 x double>)
declare i16 @llvm.convert.to.fp16.f32(float)
declare float @llvm.convert.from.fp16.f32(i16)
declare double @llvm.copysign.f64(double, double)
declare x86_fp80 @llvm.fmuladd.f80(x86_fp80, x86_fp80, x86_fp80)
