; Functions of variable arguments, as clang spells them and by `va_arg`.
; run: @numbers() == 45
; run: @mixed() == 19.5
; run: @again() == 66
; run: @structs() == 24
; run: @indirect() == 42
; run: @wide() == 7
; run: @parts() == 1
; run: @float_parts() == 1
target triple = "x86_64-pc-linux-gnu"

%list = type { i32, i32, ptr, ptr }
%big = type { [3 x i64] }

define i64 @sum(i32 %count, ...) {
entry:
  %list = alloca %list, align 16
  call void @llvm.va_start.p0(ptr %list)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %step ]
  %s = phi i64 [ 0, %entry ], [ %t, %step ]
  %done = icmp eq i32 %i, %count
  br i1 %done, label %end, label %step
step:
  %x = va_arg ptr %list, i32
  %w = sext i32 %x to i64
  %t = add i64 %s, %w
  %j = add i32 %i, 1
  br label %loop
end:
  call void @llvm.va_end.p0(ptr %list)
  ret i64 %s
}

define i64 @numbers() {
  %r = call i64 (i32, ...) @sum(i32 9, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9)
  ret i64 %r
}

define double @of_both(i32 %count, ...) {
  %list = alloca %list, align 16
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, double
  %b = va_arg ptr %list, i64
  %c = va_arg ptr %list, double
  %w = sitofp i64 %b to double
  %d = fadd double %a, %w
  %e = fadd double %d, %c
  ret double %e
}

define double @mixed() {
  %r = call double (i32, ...) @of_both(i32 3, double 1.5, i64 8, double 10.0)
  ret double %r
}

define i32 @twice(i32 %count, ...) {
  %list = alloca %list, align 16
  %copy = alloca %list, align 16
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, i32
  call void @llvm.va_copy.p0.p0(ptr %copy, ptr %list)
  %b = va_arg ptr %list, i32
  %c = va_arg ptr %copy, i32
  %d = add i32 %a, %b
  %e = add i32 %d, %c
  ret i32 %e
}

define i32 @again() {
  %r = call i32 (i32, ...) @twice(i32 2, i32 22, i32 22)
  ret i32 %r
}

; Bytes among the arguments stand in memory.
define i64 @of_struct(i32 %count, ...) {
  %list = alloca %list, align 16
  call void @llvm.va_start.p0(ptr %list)
  %place = getelementptr %list, ptr %list, i32 0, i32 2
  %p = load ptr, ptr %place
  %q = getelementptr i64, ptr %p, i64 2
  %x = load i64, ptr %q
  %behind = getelementptr i8, ptr %p, i64 24
  store ptr %behind, ptr %place
  %y = va_arg ptr %list, i64
  %r = add i64 %x, %y
  ret i64 %r
}

define i64 @structs() {
  %p = alloca %big
  store %big zeroinitializer, ptr %p
  %q = getelementptr i64, ptr %p, i64 2
  store i64 20, ptr %q
  %r = call i64 (i32, ...) @of_struct(i32 1, ptr byval(%big) align 8 %p, i64 4)
  ret i64 %r
}

@place = global ptr @sum

define i64 @indirect() {
  %f = load ptr, ptr @place
  %r = call i64 (i32, ...) %f(i32 2, i32 40, i32 2)
  ret i64 %r
}

define i64 @of_wide(i32 %count, ...) {
  %list = alloca %list, align 16
  call void @llvm.va_start.p0(ptr %list)
  %x = va_arg ptr %list, i128
  %r = trunc i128 %x to i64
  ret i64 %r
}

define i64 @wide() {
  %r = call i64 (i32, ...) @of_wide(i32 1, i128 7)
  ret i64 %r
}

declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)

; A struct of less than a word is passed in parts that C's promotions know nothing of.
define i1 @parts() {
  %r = call i64 (i32, ...) @low_halves(i32 8, i16 1, i8 2, i16 -1, i1 true, i8 3, i16 4, i16 5, i8 6)
  %ok = icmp eq i64 %r, 65557
  ret i1 %ok
}

; The sum of the low 16 bits of the third argument and of the low 8 of the others.
define i64 @low_halves(i32 %count, ...) {
entry:
  %list = alloca %list, align 16
  call void @llvm.va_start.p0(ptr %list)
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  %x = va_arg ptr %list, i64
  %small = icmp ne i32 %i, 2
  %mask = select i1 %small, i64 255, i64 65535
  %w = and i64 %x, %mask
  %t = add i64 %s, %w
  %j = add i32 %i, 1
  %done = icmp eq i32 %j, %count
  br i1 %done, label %end, label %loop
end:
  call void @llvm.va_end.p0(ptr %list)
  ret i64 %t
}

define i1 @float_parts() {
  %r = call i64 (i32, ...) @bits_of_floats(i32 2, float 1.0, <2 x float> <float 2.0, float 3.0>)
  ; 0x3f800000 + 0x4040000040000000
  %ok = icmp eq i64 %r, 4629700419075964928
  ret i1 %ok
}

define i64 @bits_of_floats(i32 %count, ...) {
  %list = alloca %list, align 16
  call void @llvm.va_start.p0(ptr %list)
  %a = va_arg ptr %list, double
  %b = va_arg ptr %list, double
  %x = bitcast double %a to i64
  %y = bitcast double %b to i64
  %low = and i64 %x, 4294967295
  %r = add i64 %low, %y
  ret i64 %r
}
