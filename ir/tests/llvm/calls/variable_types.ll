; Further arguments of every type that `va_arg` takes, from registers and, when those are
; used up, from memory; and the names of the intrinsics as they were before LLVM 19.
target triple = "x86_64-pc-linux-gnu"

declare void @llvm.va_start(ptr)
declare void @llvm.va_copy(ptr, ptr)
declare void @llvm.va_end(ptr)

define i32 @texts(i64 %named, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start(ptr %list)
  %p = va_arg ptr %list, ptr
  %x = va_arg ptr %list, i64
  %y = va_arg ptr %list, double
  %z = va_arg ptr %list, x86_fp80
  %w = va_arg ptr %list, <4 x i32>
  %q = va_arg ptr %list, ptr
  call void @llvm.va_end(ptr %list)
  %a = load i32, ptr %p
  %b = load i32, ptr %q
  %c = trunc i64 %x to i32
  %d = fptosi double %y to i32
  %e = fptosi x86_fp80 %z to i32
  %f = extractelement <4 x i32> %w, i64 3
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %ef = add i32 %e, %f
  %abcd = add i32 %ab, %cd
  %r = add i32 %abcd, %ef
  ret i32 %r
}
@one = global i32 1
@two = global i32 20
define i32 @all_types() {
  %r = call i32 (i64, ...) @texts(i64 0, ptr @one, i64 300, double 4000.0, x86_fp80 0xK400D9C40000000000000, <4 x i32> <i32 0, i32 0, i32 0, i32 500000>, ptr @two)
  ret i32 %r
}
; run: @all_types() == 524321

define i64 @floats(i32 %named, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start(ptr %list)
  %x = va_arg ptr %list, fp128
  %y = va_arg ptr %list, <2 x float>
  %z = va_arg ptr %list, half
  %w = va_arg ptr %list, <16 x i8>
  call void @llvm.va_end(ptr %list)
  %a = fptosi fp128 %x to i64
  %y1 = extractelement <2 x float> %y, i64 1
  %b = fptosi float %y1 to i64
  %c = fptosi half %z to i64
  %w15 = extractelement <16 x i8> %w, i64 15
  %d = zext i8 %w15 to i64
  %ab = add i64 %a, %b
  %cd = add i64 %c, %d
  %r = add i64 %ab, %cd
  ret i64 %r
}
define i64 @all_floats() {
  %r = call i64 (i32, ...) @floats(i32 0, fp128 0xL0000000000000000400D388000000000, <2 x float> <float 1.0, float 300.0>, half 0xH4500, <16 x i8> <i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 0, i8 70>)
  ret i64 %r
}
; run: @all_floats() == 20375

define double @many(i32 %count, ...) {
entry:
  %list = alloca [24 x i8], align 16
  %copy = alloca [24 x i8], align 16
  call void @llvm.va_start(ptr %list)
  call void @llvm.va_copy(ptr %copy, ptr %list)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %s, %loop ]
  %x = va_arg ptr %copy, double
  %n = va_arg ptr %copy, i64
  %n.d = sitofp i64 %n to double
  %xn = fmul double %x, %n.d
  %s = fadd double %sum, %xn
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %count
  br i1 %more, label %loop, label %done
done:
  call void @llvm.va_end(ptr %copy)
  ret double %s
}
define double @used_up() {
  %r = call double (i32, ...) @many(i32 11, double 1.0, i64 1, double 2.0, i64 1, double 3.0, i64 1, double 4.0, i64 1, double 5.0, i64 1, double 6.0, i64 1, double 7.0, i64 1, double 8.0, i64 10, double 9.0, i64 10, double 10.0, i64 10, double 11.0, i64 100)
  ret double %r
}
; run: @used_up() == 1398.0

; Results in memory, bytes by value, and a call by an address that the run finds.
%big = type { [5 x i64] }
define void @made(ptr sret(%big) %out, i32 %n, ...) {
  %list = alloca [24 x i8], align 16
  call void @llvm.va_start(ptr %list)
  %x = va_arg ptr %list, i64
  %p = getelementptr %big, ptr %out, i64 0, i32 0, i64 4
  store i64 %x, ptr %p
  ret void
}
@maker = global ptr @made
define i64 @taken() {
  %s = alloca %big
  %f = load volatile ptr, ptr @maker
  call void (ptr, i32, ...) %f(ptr sret(%big) %s, i32 1, i64 77)
  %p = getelementptr %big, ptr %s, i64 0, i32 0, i64 4
  %r = load i64, ptr %p
  ret i64 %r
}
; run: @taken() == 77
