; Targets are little-endian, with addresses of 64 bits.
; error: 1:1 llvm-unsupported
target datalayout = "E-m:e-i64:64"

define void @f() {
  ret void
}
