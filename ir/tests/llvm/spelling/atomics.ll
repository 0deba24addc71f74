; What `atomicrmw` does since LLVM 15, 20 and 21, and how scopes are spelled.
define i32 @conditional(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw usub_cond ptr %p, i32 %x syncscope("agent") monotonic
  %r = load atomic volatile i32, ptr %p syncscope("singlethread") acquire, align 4
  ret i32 %r
}
; run: @conditional(7, 3) == 4
; run: @conditional(3, 7) == 3

define i32 @saturating(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw volatile usub_sat ptr %p, i32 %x acq_rel, align 4
  fence syncscope("singlethread") seq_cst
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @saturating(7, 3) == 4
; run: @saturating(3, 7) == 0

define float @maximum(float %old, float %x) {
  %p = alloca float
  store float %old, ptr %p
  %o = atomicrmw fmaximum ptr %p, float %x seq_cst, align 4
  %r = load float, ptr %p
  ret float %r
}
; run: @maximum(1.0, 2.0) == 2.0
; run: @maximum(-0.0, 0.0) == 0.0

define float @minimum(float %old, float %x) {
  %p = alloca float
  store float %old, ptr %p
  %o = atomicrmw fminimum ptr %p, float %x seq_cst, align 4
  %r = load float, ptr %p
  ret float %r
}
; run: @minimum(1.0, 2.0) == 1.0

define { i32, i1 } @exchange(i32 %old, i32 %wanted) {
  %p = alloca i32
  store atomic i32 %old, ptr %p syncscope("workgroup") release, align 4
  %r = cmpxchg weak volatile ptr %p, i32 %wanted, i32 9 syncscope("agent") release acquire, align 4
  ret { i32, i1 } %r
}
