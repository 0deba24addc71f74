; Calls functions of C's mathematical library, by their names and by intrinsics, and prints
; to both outputs.
target triple = "x86_64-unknown-linux-gnu"

@stderr = external global ptr
@text = private constant [9 x i8] c"%.6f %g\0A\00"

declare double @cos(double)
declare double @llvm.exp2.f64(double)
declare i32 @printf(ptr, ...)
declare i32 @fprintf(ptr, ptr, ...)

define i32 @main(i32 %count, ptr %words) {
  %x = sitofp i32 %count to double
  %a = call double @cos(double %x)
  %b = call double @llvm.exp2.f64(double %x)
  %out = call i32 (ptr, ...) @printf(ptr @text, double %a, double %b)
  %file = load ptr, ptr @stderr
  %err = call i32 (ptr, ptr, ...) @fprintf(ptr %file, ptr @text, double %b, double %a)
  ret i32 %count
}
