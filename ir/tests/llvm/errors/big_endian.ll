; Targets are little-endian, with addresses of 64 bits.
target datalayout = "E-m:e-i64:64"

define void @f() {
  ret void
}
