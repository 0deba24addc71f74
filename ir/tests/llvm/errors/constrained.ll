; What asks for another rounding, or for exceptions, and what is no such op at all.
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare double @llvm.experimental.constrained.sqrt.f64(double, metadata, metadata)
declare i1 @llvm.experimental.constrained.fcmp.f64(double, double, metadata, metadata)
declare i32 @llvm.experimental.constrained.fadd.i32(i32, i32, metadata, metadata)
declare double @llvm.experimental.constrained.fpext.f64.f64(double, metadata)
declare double @llvm.experimental.constrained.floor.f64(double, metadata)
declare double @llvm.experimental.constrained.fmul.f64(double, double)
declare double @llvm.experimental.constrained.fabs.f64(double, metadata)

define double @upward(double %x) strictfp {
  %y = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.upward", metadata !"fpexcept.ignore") strictfp
  ret double %y
}
define double @strict(double %x) strictfp {
  %y = call double @llvm.experimental.constrained.sqrt.f64(double %x, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  ret double %y
}
define i1 @no_condition(double %x) strictfp {
  %y = call i1 @llvm.experimental.constrained.fcmp.f64(double %x, double %x, metadata !"slt", metadata !"fpexcept.ignore") strictfp
  ret i1 %y
}
define i32 @no_floats(i32 %x) strictfp {
  %y = call i32 @llvm.experimental.constrained.fadd.i32(i32 %x, i32 %x, metadata !"round.dynamic", metadata !"fpexcept.ignore") strictfp
  ret i32 %y
}
define double @no_wider(double %x) strictfp {
  %y = call double @llvm.experimental.constrained.fpext.f64.f64(double %x, metadata !"fpexcept.ignore") strictfp
  ret double %y
}
define double @no_text(double %x) strictfp {
  %y = call double @llvm.experimental.constrained.floor.f64(double %x, metadata !{}) strictfp
  ret double %y
}
define double @nothing_said(double %x) strictfp {
  %y = call double @llvm.experimental.constrained.fmul.f64(double %x, double %x) strictfp
  ret double %y
}
define double @none_of_them(double %x) strictfp {
  %y = call double @llvm.experimental.constrained.fabs.f64(double %x, metadata !"fpexcept.ignore") strictfp
  ret double %y
}
; error: 12:3 llvm-unsupported
; error: 16:3 llvm-unsupported
; error: 20:3 llvm-invalid
; error: 24:3 llvm-invalid
; error: 28:3 llvm-invalid
; error: 32:3 llvm-unsupported
; error: 36:3 llvm-invalid
; error: 40:3 llvm-unsupported
