; The distance of two symbols is known only when both have their places.
; error: 7:24 llvm-unsupported
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@a = global i32 1
@b = global i32 2
@distance = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @b to i64))
