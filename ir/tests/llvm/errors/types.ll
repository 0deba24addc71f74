; Types that no value of ours has.
define void @multiply(x86_amx %x) {
  ret void
}
define ppc_fp128 @doubled(ppc_fp128 %x) {
  ret ppc_fp128 %x
}
define void @target_type(target("spirv.Image") %x) {
  ret void
}
define void @scalable(<vscale x 4 x i32> %x) {
  ret void
}
define void @vector_of_64_bits(x86_mmx %x) {
  ret void
}
; error: 2:23 llvm-unsupported
; error: 5:8 llvm-unsupported
; error: 8:26 llvm-unsupported
; error: 11:23 llvm-unsupported
; error: 14:32 llvm-unsupported
