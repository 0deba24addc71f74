; Atomic accesses have 8 to 128 bits.
; error: 6:3 llvm-unsupported
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i256 @wide(ptr %p) {
  %r = load atomic i256, ptr %p seq_cst, align 32
  ret i256 %r
}
