; Integers have at most 128 bits, vectors 512.
; error: 7:13 llvm-unsupported
; error: 11:19 llvm-unsupported
; error: 16:3 llvm-unsupported
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i129 @integer(i129 %a) {
  ret i129 %a
}

define <17 x i32> @vector(<17 x i32> %a) {
  ret <17 x i32> %a
}

define i32 @inside(i32 %a) {
  %w = zext i32 %a to i200
  %r = trunc i200 %w to i32
  ret i32 %r
}
