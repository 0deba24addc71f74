; What short lines ask for is limited as a whole.
; error: 10:3 llvm-unsupported
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @f(ptr %p) {
  %v0 = load [60000 x i8], ptr %p
  %v1 = load [60000 x i8], ptr %p
  %v2 = load [60000 x i8], ptr %p
  %v3 = load [60000 x i8], ptr %p
  %v4 = load [60000 x i8], ptr %p
  %v5 = load [60000 x i8], ptr %p
  %v6 = load [60000 x i8], ptr %p
  %v7 = load [60000 x i8], ptr %p
  ret void
}
