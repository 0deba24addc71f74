; A value has a limited number of parts; memory has more.
; error: 7:3 llvm-unsupported
; error: 12:1 llvm-unsupported
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @whole(ptr %p) {
  %v = load [100000 x i8], ptr %p
  store [100000 x i8] %v, ptr %p
  ret void
}

@huge = global [1000000000000 x i8] zeroinitializer
