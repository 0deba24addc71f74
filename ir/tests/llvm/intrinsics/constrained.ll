; Ops on floats that ask for the rounding there is, and for no exceptions, are the plain ones.
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fsub.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fmul.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.fdiv.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.frem.f64(double, double, metadata, metadata)
declare <2 x float> @llvm.experimental.constrained.fadd.v2f32(<2 x float>, <2 x float>, metadata, metadata)
declare double @llvm.experimental.constrained.fma.f64(double, double, double, metadata, metadata)
declare double @llvm.experimental.constrained.sqrt.f64(double, metadata, metadata)
declare double @llvm.experimental.constrained.floor.f64(double, metadata)
declare double @llvm.experimental.constrained.rint.f64(double, metadata, metadata)
declare double @llvm.experimental.constrained.pow.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.powi.f64.i32(double, i32, metadata, metadata)
declare double @llvm.experimental.constrained.maxnum.f64(double, double, metadata)
declare i64 @llvm.experimental.constrained.lround.i64.f64(double, metadata)
declare i1 @llvm.experimental.constrained.fcmp.f64(double, double, metadata, metadata)
declare i1 @llvm.experimental.constrained.fcmps.f64(double, double, metadata, metadata)
declare <2 x i1> @llvm.experimental.constrained.fcmp.v2f64(<2 x double>, <2 x double>, metadata, metadata)
declare float @llvm.experimental.constrained.fptrunc.f32.f64(double, metadata, metadata)
declare double @llvm.experimental.constrained.fpext.f64.f32(float, metadata)
declare i32 @llvm.experimental.constrained.fptosi.i32.f64(double, metadata)
declare i32 @llvm.experimental.constrained.fptoui.i32.f64(double, metadata)
declare double @llvm.experimental.constrained.sitofp.f64.i32(i32, metadata, metadata)
declare double @llvm.experimental.constrained.uitofp.f64.i32(i32, metadata, metadata)

define double @sum(double %a, double %b) strictfp {
  %r = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.maytrap") strictfp
  ret double %r
}
; run: @sum(1.5, 2.0) == 3.5

define double @difference(double %a, double %b) strictfp {
  %r = call double @llvm.experimental.constrained.fsub.f64(double %a, double %b, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @difference(1.5, 2.0) == -0.5

define double @product(double %a, double %b) strictfp {
  %r = call double @llvm.experimental.constrained.fmul.f64(double %a, double %b, metadata !"round.tonearest", metadata !"fpexcept.maytrap") strictfp
  ret double %r
}
; run: @product(1.5, 3.0) == 4.5

define double @quotient(double %a, double %b) strictfp {
  %r = call double @llvm.experimental.constrained.fdiv.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @quotient(1.0, 0.0) == inf

define double @rest(double %a, double %b) strictfp {
  %r = call double @llvm.experimental.constrained.frem.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @rest(7.5, 2.0) == 1.5

define <2 x float> @sums(<2 x float> %a) strictfp {
  %r = call <2 x float> @llvm.experimental.constrained.fadd.v2f32(<2 x float> %a, <2 x float> %a, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret <2 x float> %r
}
; run: @sums(<1.5, 2.0>) == <3.0, 4.0>

define double @fused(double %a, double %b, double %c) strictfp {
  %r = call double @llvm.experimental.constrained.fma.f64(double %a, double %b, double %c, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @fused(2.0, 3.0, 4.0) == 10.0

define double @root(double %a) strictfp {
  %r = call double @llvm.experimental.constrained.sqrt.f64(double %a, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @root(6.25) == 2.5

define double @below(double %a) strictfp {
  %r = call double @llvm.experimental.constrained.floor.f64(double %a, metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @below(-0.5) == -1.0

define double @nearest(double %a) strictfp {
  %r = call double @llvm.experimental.constrained.rint.f64(double %a, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @nearest(2.5) == 2.0

define double @power(double %a, double %b) strictfp {
  %r = call double @llvm.experimental.constrained.pow.f64(double %a, double %b, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @power(2.0, 10.0) == 1024.0

define double @whole_power(double %a, i32 %n) strictfp {
  %r = call double @llvm.experimental.constrained.powi.f64.i32(double %a, i32 %n, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @whole_power(3.0, 3) == 27.0

define double @most(double %a, double %b) strictfp {
  %r = call double @llvm.experimental.constrained.maxnum.f64(double %a, double %b, metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @most(nan, 3.0) == 3.0

define i64 @rounded(double %a) strictfp {
  %r = call i64 @llvm.experimental.constrained.lround.i64.f64(double %a, metadata !"fpexcept.ignore") strictfp
  ret i64 %r
}
; run: @rounded(2.5) == 3

define i1 @less(double %a, double %b) strictfp {
  %r = call i1 @llvm.experimental.constrained.fcmp.f64(double %a, double %b, metadata !"olt", metadata !"fpexcept.ignore") strictfp
  ret i1 %r
}
; run: @less(1.0, 2.0) == 1
; run: @less(nan, 2.0) == 0

define i1 @unequal(double %a, double %b) strictfp {
  %r = call i1 @llvm.experimental.constrained.fcmps.f64(double %a, double %b, metadata !"une", metadata !"fpexcept.maytrap") strictfp
  ret i1 %r
}
; run: @unequal(1.0, 1.0) == 0
; run: @unequal(nan, nan) == 1

define <2 x i1> @lanes(<2 x double> %a, <2 x double> %b) strictfp {
  %r = call <2 x i1> @llvm.experimental.constrained.fcmp.v2f64(<2 x double> %a, <2 x double> %b, metadata !"uge", metadata !"fpexcept.ignore") strictfp
  ret <2 x i1> %r
}
; run: @lanes(<1.0, nan>, <2.0, 1.0>) == <0, 1>

define float @narrow(double %a) strictfp {
  %r = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %a, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
  ret float %r
}
; run: @narrow(0.5) == 0.5

define double @wide(float %a) strictfp {
  %r = call double @llvm.experimental.constrained.fpext.f64.f32(float %a, metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @wide(0.5) == 0.5

define i32 @signed(double %a) strictfp {
  %r = call i32 @llvm.experimental.constrained.fptosi.i32.f64(double %a, metadata !"fpexcept.ignore") strictfp
  ret i32 %r
}
; run: @signed(-2.5) == -2

define i32 @unsigned(double %a) strictfp {
  %r = call i32 @llvm.experimental.constrained.fptoui.i32.f64(double %a, metadata !"fpexcept.ignore") strictfp
  ret i32 %r
}
; run: @unsigned(4294967295.0) == -1

define double @of_signed(i32 %a) strictfp {
  %r = call double @llvm.experimental.constrained.sitofp.f64.i32(i32 %a, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @of_signed(-2) == -2.0

define double @of_unsigned(i32 %a) strictfp {
  %r = call double @llvm.experimental.constrained.uitofp.f64.i32(i32 %a, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret double %r
}
; run: @of_unsigned(-1) == 4294967295.0
