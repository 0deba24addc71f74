; Address spaces are 0, and those of managed references.
; error: 6:1 llvm-unsupported
; error: 8:12 llvm-unsupported
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@g = addrspace(3) global i32 0

define i32 @f(ptr addrspace(5) %p) {
  %r = load i32, ptr addrspace(5) %p
  ret i32 %r
}
