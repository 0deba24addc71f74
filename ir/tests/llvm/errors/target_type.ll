; Types of one target have a name.
; error: 3:20 llvm-unsupported
define void @image(target("spirv.Image", i32, 1) %image) {
  ret void
}
