; An alias leads to something.
; error: 6:21 llvm-invalid
; error: 7:21 llvm-invalid
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@a = alias i32, ptr @b
@b = alias i32, ptr @a
