; Uses what has.ll defines: by aliases, in each thread, hidden, of variable arguments, and
; as a struct.
target triple = "x86_64-unknown-linux-gnu"

@each = external thread_local global i32
@hidden = external hidden global i32
@second = external global i32
@sum.address = global ptr @sum
@text = private constant [19 x i8] c"%d %d %d %d %d %d\0A\00"

declare i32 @printf(ptr, ...)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare i32 @sum(i32, ...)
declare i32 @other.name(i32)
declare { i64, double } @pair({ i64, double })

define i32 @main() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @each)
  %a = load i32, ptr %p
  %b = load i32, ptr @hidden
  %f = load volatile ptr, ptr @sum.address
  %c = call i32 (i32, ...) %f(i32 2, i32 40, i32 2)
  %d = call i32 @other.name(i32 1)
  %s = insertvalue { i64, double } { i64 3, double undef }, double 4.5, 1
  %t = call { i64, double } @pair({ i64, double } %s)
  %t0 = extractvalue { i64, double } %t, 0
  %t1 = extractvalue { i64, double } %t, 1
  %u = fptosi double %t1 to i64
  %v = add i64 %t0, %u
  %w = trunc i64 %v to i32
  %x = load i32, ptr @second
  %r = call i32 (ptr, ...) @printf(ptr @text, i32 %a, i32 %b, i32 %c, i32 %d, i32 %w, i32 %x)
  ret i32 0
}
