; The cases of a switch are different.
; error: 6:3 llvm-invalid
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @f(i8 %x) {
  switch i8 %x, label %a [
    i8 1, label %a
    i8 257, label %a
  ]
a:
  ret void
}
