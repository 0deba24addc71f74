; Floats to whole ones, and what chooses between two.
declare double @llvm.ceil.f64(double)
declare double @llvm.floor.f64(double)
declare double @llvm.trunc.f64(double)
declare double @llvm.round.f64(double)
declare double @llvm.roundeven.f64(double)
declare double @llvm.rint.f64(double)
declare double @llvm.nearbyint.f64(double)
declare i64 @llvm.llrint.i64.f64(double)
declare i64 @llvm.llround.i64.f64(double)
declare i64 @llvm.lrint.i64.f64(double)
declare i64 @llvm.lround.i64.f32(float)
declare double @llvm.sqrt.f64(double)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minimumnum.f64(double, double)
declare double @llvm.maximumnum.f64(double, double)
declare double @llvm.canonicalize.f64(double)
declare double @llvm.arithmetic.fence.f64(double)
declare i32 @llvm.get.rounding()

define <7 x double> @rounded(double %x) {
  %a = call double @llvm.ceil.f64(double %x)
  %b = call double @llvm.floor.f64(double %x)
  %c = call double @llvm.trunc.f64(double %x)
  %d = call double @llvm.round.f64(double %x)
  %e = call double @llvm.roundeven.f64(double %x)
  %f = call double @llvm.rint.f64(double %x)
  %g = call double @llvm.nearbyint.f64(double %x)
  %v0 = insertelement <7 x double> poison, double %a, i32 0
  %v1 = insertelement <7 x double> %v0, double %b, i32 1
  %v2 = insertelement <7 x double> %v1, double %c, i32 2
  %v3 = insertelement <7 x double> %v2, double %d, i32 3
  %v4 = insertelement <7 x double> %v3, double %e, i32 4
  %v5 = insertelement <7 x double> %v4, double %f, i32 5
  %v6 = insertelement <7 x double> %v5, double %g, i32 6
  ret <7 x double> %v6
}
; run: @rounded(-2.5) == <-2.0, -3.0, -2.0, -3.0, -2.0, -2.0, -2.0>
; run: @rounded(3.5) == <4.0, 3.0, 3.0, 4.0, 4.0, 4.0, 4.0>

define i64 @to_integers(double %x) {
  %a = call i64 @llvm.llrint.i64.f64(double %x)
  %b = call i64 @llvm.llround.i64.f64(double %x)
  %c = call i64 @llvm.lrint.i64.f64(double %x)
  %narrow = fptrunc double %x to float
  %d = call i64 @llvm.lround.i64.f32(float %narrow)
  %b10 = mul i64 %b, 10
  %c100 = mul i64 %c, 100
  %d1000 = mul i64 %d, 1000
  %ab = add i64 %a, %b10
  %cd = add i64 %c100, %d1000
  %sum = add i64 %ab, %cd
  ret i64 %sum
}
; run: @to_integers(2.5) == 3232
; run: @to_integers(-2.5) == -3232

define double @computed(double %x, double %y) {
  %a = call double @llvm.sqrt.f64(double %x)
  %b = call double @llvm.fma.f64(double %a, double %y, double 1.0)
  %c = call double @llvm.arithmetic.fence.f64(double %b)
  %d = call double @llvm.canonicalize.f64(double %c)
  ret double %d
}
; run: @computed(9.0, 4.0) == 13.0

define double @chosen(double %x, double %y) {
  %a = call double @llvm.maxnum.f64(double %x, double %y)
  %b = call double @llvm.minimumnum.f64(double %x, double %y)
  %c = call double @llvm.maximumnum.f64(double %b, double -100.0)
  %d = fmul double %a, 10.0
  %e = fadd double %c, %d
  ret double %e
}
; run: @chosen(2.0, 3.0) == 32.0
; run: @chosen(nan, 3.0) == 33.0

; To the nearest, as always here.
define i32 @rounding() {
  %x = call i32 @llvm.get.rounding()
  ret i32 %x
}
; run: @rounding() == 1
