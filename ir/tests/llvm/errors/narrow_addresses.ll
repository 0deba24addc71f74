; Addresses have 64 bits.
; error: 1:1 llvm-unsupported
target datalayout = "e-p:32:32-i64:64"

define void @f() {
  ret void
}
