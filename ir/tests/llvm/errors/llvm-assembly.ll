; Assembly of which nothing is known here is no part of any program of ours.
; error: 6:3 llvm-assembly

define i32 @flags() {
entry:
  %x = call i32 asm sideeffect "pushfq\0Apopq $0", "=r,~{memory}"()
  ret i32 %x
}
