; Constants as LLVM 19 to 22 spell them.
@lanes = global <4 x i32> splat (i32 7)
@hex = global i32 u0xFF
@signed_hex = global i32 s0xFE
@half = global half 0xH3E00
@brain = global bfloat 0xR3FC0
@extended = global x86_fp80 0xK3FFFC000000000000000
@quadruple = global fp128 0xL00000000000000003FFF800000000000

define <4 x i32> @splat(<4 x i32> %x) {
  %a = load <4 x i32>, ptr @lanes
  %b = add <4 x i32> %a, splat (i32 -1)
  %r = xor <4 x i32> %b, %x
  ret <4 x i32> %r
}
; run: @splat(<0, 1, 2, 4>) == <6, 7, 4, 2>

define i32 @sum() {
  %a = load i32, ptr @hex
  %b = load i32, ptr @signed_hex
  %r = add i32 %a, %b
  ret i32 %r
}
; run: @sum() == 253

define double @floats() {
  %h = load half, ptr @half
  %b = load bfloat, ptr @brain
  %x = load x86_fp80, ptr @extended
  %q = load fp128, ptr @quadruple
  %h.d = fpext half %h to double
  %b.d = fpext bfloat %b to double
  %x.d = fptrunc x86_fp80 %x to double
  %q.d = fptrunc fp128 %q to double
  %s = fadd double %h.d, %b.d
  %t = fadd double %x.d, %q.d
  %r = fadd double %s, %t
  ret double %r
}
; run: @floats() == 6.0

define <2 x float> @float_splat() {
  ret <2 x float> splat (float 1.500000e+00)
}
; run: @float_splat() == <1.5, 1.5>
