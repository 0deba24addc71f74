; An intrinsic that is not translated is named.
declare void @llvm.experimental.deoptimize.isVoid(...)
declare ptr @llvm.adjust.trampoline(ptr)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare void @llvm.set.rounding(i32)
declare ptr @llvm.call.preallocated.arg(token, i32)
declare void @llvm.gcroot(ptr, ptr)
declare void @llvm.localescape(...)

define void @deoptimize() {
  call void (...) @llvm.experimental.deoptimize.isVoid()
  ret void
}
define ptr @trampoline(ptr %p) {
  %q = call ptr @llvm.adjust.trampoline(ptr %p)
  ret ptr %q
}
define double @constrained(double %x) strictfp {
  %y = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.upward", metadata !"fpexcept.strict") strictfp
  ret double %y
}
define void @rounding() {
  call void @llvm.set.rounding(i32 2)
  ret void
}
define void @root() gc "shadow-stack" {
  %p = alloca ptr
  call void @llvm.gcroot(ptr %p, ptr null)
  ret void
}
define void @bundled() {
  call void @outside() [ "deopt"(i32 0) ]
  ret void
}
declare void @outside()
define i1000 @wide_size(ptr %p) {
  %n = call i1000 @llvm.objectsize.i1000.p0(ptr %p, i1 false, i1 true, i1 false)
  ret i1000 %n
}
declare i1000 @llvm.objectsize.i1000.p0(ptr, i1, i1, i1)
; error: 11:3 llvm-unsupported
; error: 15:3 llvm-unsupported
; error: 19:3 llvm-unsupported
; error: 23:3 llvm-unsupported
; error: 28:3 llvm-unsupported
; error: 32:3 llvm-unsupported
; error: 37:3 llvm-unsupported
