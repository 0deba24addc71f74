; A slot has a size that is known, and belongs to the whole function.
; error: 6:3 llvm-unsupported
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @counted(i64 %n) {
  %p = alloca i8, i64 %n
  ret void
}
