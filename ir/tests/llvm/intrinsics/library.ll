; Floats by C's libraries and by ops, of both widths and in vectors.
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
declare double @llvm.tan.f64(double)
declare double @llvm.asin.f64(double)
declare double @llvm.acos.f64(double)
declare double @llvm.atan.f64(double)
declare double @llvm.atan2.f64(double, double)
declare double @llvm.sinh.f64(double)
declare double @llvm.cosh.f64(double)
declare double @llvm.tanh.f64(double)
declare double @llvm.exp.f64(double)
declare double @llvm.exp2.f64(double)
declare double @llvm.exp10.f64(double)
declare double @llvm.log.f64(double)
declare double @llvm.log2.f64(double)
declare double @llvm.log10.f64(double)
declare double @llvm.pow.f64(double, double)
declare double @llvm.ldexp.f64.i32(double, i32)
declare { double, i32 } @llvm.frexp.f64.i32(double)
declare { double, double } @llvm.modf.f64(double)
declare { double, double } @llvm.sincos.f64(double)
declare float @llvm.sin.f32(float)
declare float @llvm.pow.f32(float, float)
declare <2 x double> @llvm.exp2.v2f64(<2 x double>)
declare <4 x float> @llvm.log2.v4f32(<4 x float>)

define double @zeros() {
  %a = call double @llvm.sin.f64(double 0.0)
  %b = call double @llvm.tan.f64(double %a)
  %c = call double @llvm.asin.f64(double %b)
  %d = call double @llvm.atan.f64(double %c)
  %e = call double @llvm.sinh.f64(double %d)
  %f = call double @llvm.tanh.f64(double %e)
  %g = call double @llvm.atan2.f64(double %f, double 1.0)
  ret double %g
}
; run: @zeros() == 0.0

define double @ones() {
  %a = call double @llvm.cos.f64(double 0.0)
  %b = call double @llvm.cosh.f64(double 0.0)
  %c = call double @llvm.exp.f64(double 0.0)
  %ab = fadd double %a, %b
  %abc = fadd double %ab, %c
  %d = call double @llvm.acos.f64(double %a)
  %sum = fadd double %abc, %d
  ret double %sum
}
; run: @ones() == 3.0

define double @powers() {
  %a = call double @llvm.exp2.f64(double 5.0)
  %b = call double @llvm.exp10.f64(double 2.0)
  %c = call double @llvm.pow.f64(double 3.0, double 4.0)
  %d = call double @llvm.ldexp.f64.i32(double 3.0, i32 3)
  %ab = fadd double %a, %b
  %cd = fadd double %c, %d
  %sum = fadd double %ab, %cd
  ret double %sum
}
; run: @powers() == 237.0

define double @logarithms() {
  %a = call double @llvm.log.f64(double 1.0)
  %b = call double @llvm.log2.f64(double 1024.0)
  %c = call double @llvm.log10.f64(double 100.0)
  %ab = fadd double %a, %b
  %sum = fadd double %ab, %c
  ret double %sum
}
; run: @logarithms() == 12.0

define double @parts(double %x) {
  %split = call { double, i32 } @llvm.frexp.f64.i32(double %x)
  %fraction = extractvalue { double, i32 } %split, 0
  %exponent = extractvalue { double, i32 } %split, 1
  %exponent.f = sitofp i32 %exponent to double
  %halves = call { double, double } @llvm.modf.f64(double %x)
  %rest = extractvalue { double, double } %halves, 0
  %whole = extractvalue { double, double } %halves, 1
  %a = fmul double %fraction, 1000.0
  %b = fmul double %exponent.f, 100.0
  %c = fmul double %whole, 10.0
  %ab = fadd double %a, %b
  %cd = fadd double %c, %rest
  %sum = fadd double %ab, %cd
  ret double %sum
}
; run: @parts(6.5) == 1173.0

define double @both() {
  %pair = call { double, double } @llvm.sincos.f64(double 0.0)
  %sin = extractvalue { double, double } %pair, 0
  %cos = extractvalue { double, double } %pair, 1
  %cos10 = fmul double %cos, 10.0
  %sum = fadd double %sin, %cos10
  ret double %sum
}
; run: @both() == 10.0

define float @narrow() {
  %a = call float @llvm.sin.f32(float 0.0)
  %b = call float @llvm.pow.f32(float 2.0, float 10.0)
  %c = fadd float %a, %b
  ret float %c
}
; run: @narrow() == 1024.0

define <2 x double> @lanes(<2 x double> %x) {
  %r = call <2 x double> @llvm.exp2.v2f64(<2 x double> %x)
  ret <2 x double> %r
}
; run: @lanes(<3.0, 10.0>) == <8.0, 1024.0>

define <4 x float> @narrow_lanes(<4 x float> %x) {
  %r = call <4 x float> @llvm.log2.v4f32(<4 x float> %x)
  ret <4 x float> %r
}
; run: @narrow_lanes(<1.0, 2.0, 4.0, 8.0>) == <0.0, 1.0, 2.0, 3.0>
