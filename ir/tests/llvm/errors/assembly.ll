; Assembly beside the functions has no meaning here.
; error: 4:1 llvm-unsupported

module asm ".globl x"
