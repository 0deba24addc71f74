; Inline assembly that is not empty has no meaning here.
; error: 5:3 llvm-assembly

define i32 @f(i32 %x) {
  %r = call i32 asm "bswap $0", "=r,0"(i32 %x)
  ret i32 %r
}
