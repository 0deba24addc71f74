; `half` and `bfloat` are computed wider and rounded after each op.
target triple = "x86_64-pc-linux-gnu"

define float @half_sum(float %a, float %b) {
  %x = fptrunc float %a to half
  %y = fptrunc float %b to half
  %z = fadd half %x, %y
  %r = fpext half %z to float
  ret float %r
}
; run: @half_sum(1.5, 0.25) == 1.75
; run: @half_sum(2048.0, 1.0) == 2048.0
; run: @half_sum(65504.0, 32.0) == inf

define float @brain_sum(float %a, float %b) {
  %x = fptrunc float %a to bfloat
  %y = fptrunc float %b to bfloat
  %z = fadd bfloat %x, %y
  %r = fpext bfloat %z to float
  ret float %r
}
; run: @brain_sum(1.5, 0.25) == 1.75
; run: @brain_sum(256.0, 1.0) == 256.0
; run: @brain_sum(256.0, 3.0) == 260.0

define bfloat @brain(bfloat %a, bfloat %b) {
  %s = fsub bfloat %a, %b
  %m = fmul bfloat %s, 0xR4040
  %d = fdiv bfloat %m, %b
  %n = fneg bfloat %d
  %r = frem bfloat %n, 0xR40E0
  ret bfloat %r
}
define float @brain_ops(float %a, float %b) {
  %x = fptrunc float %a to bfloat
  %y = fptrunc float %b to bfloat
  %z = call bfloat @brain(bfloat %x, bfloat %y)
  %r = fpext bfloat %z to float
  ret float %r
}
; run: @brain_ops(9.0, 1.0) == -3.0

define i32 @compared(float %a, float %b) {
  %x = fptrunc float %a to bfloat
  %y = fptrunc float %b to bfloat
  %c = fcmp olt bfloat %x, %y
  %d = fcmp uno bfloat %x, %y
  %m = select i1 %c, bfloat %x, bfloat %y
  %i = fptosi bfloat %m to i32
  %e = select i1 %d, i32 -1, i32 %i
  ret i32 %e
}
; run: @compared(3.0, 4.0) == 3
; run: @compared(5.0, 4.0) == 4
; run: @compared(nan, 4.0) == -1

define float @from_integers(i32 %a, i64 %b) {
  %x = sitofp i32 %a to bfloat
  %y = uitofp i64 %b to bfloat
  %z = fadd bfloat %x, %y
  %d = fpext bfloat %z to double
  %h = fptrunc double %d to half
  %r = fpext half %h to float
  ret float %r
}
; run: @from_integers(-257, 1) == -255.0
; run: @from_integers(3, 4) == 7.0

define float @in_memory(float %a) {
  %p = alloca [2 x bfloat]
  %x = fptrunc float %a to bfloat
  %q = getelementptr [2 x bfloat], ptr %p, i64 0, i64 1
  store bfloat %x, ptr %q
  %bits = load i16, ptr %q
  %y = bitcast i16 %bits to bfloat
  %r = fpext bfloat %y to float
  ret float %r
}
; run: @in_memory(-1.5) == -1.5

define <4 x float> @lanes(<4 x float> %a) {
  %x = fptrunc <4 x float> %a to <4 x bfloat>
  %y = fadd <4 x bfloat> %x, splat (bfloat 0xR3F80)
  %z = fmul <4 x bfloat> %y, %x
  %r = fpext <4 x bfloat> %z to <4 x float>
  ret <4 x float> %r
}
; run: @lanes(<1.0, 2.0, -1.0, 0.5>) == <2.0, 6.0, -0.0, 0.75>

declare bfloat @llvm.fabs.bf16(bfloat)
declare half @llvm.sqrt.f16(half)
declare bfloat @llvm.maxnum.bf16(bfloat, bfloat)
declare half @llvm.fma.f16(half, half, half)
declare half @llvm.copysign.f16(half, half)
declare bfloat @llvm.floor.bf16(bfloat)
define float @intrinsics(float %a) {
  %b = fptrunc float %a to bfloat
  %h = fptrunc float %a to half
  %abs = call bfloat @llvm.fabs.bf16(bfloat %b)
  %most = call bfloat @llvm.maxnum.bf16(bfloat %abs, bfloat 0xR4000)
  %down = call bfloat @llvm.floor.bf16(bfloat %most)
  %square = call half @llvm.fma.f16(half %h, half %h, half 0xH0000)
  %root = call half @llvm.sqrt.f16(half %square)
  %signed = call half @llvm.copysign.f16(half %root, half %h)
  %d = fpext bfloat %down to float
  %s = fpext half %signed to float
  %r = fadd float %d, %s
  ret float %r
}
; run: @intrinsics(-3.5) == -0.5
; run: @intrinsics(1.0) == 3.0
