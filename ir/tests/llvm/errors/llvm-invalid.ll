; A value is defined on every path to its uses.
; error: 16:3 llvm-invalid
; error: 20:3 llvm-invalid
; error: 32:3 llvm-invalid
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @diamond(i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  %x = add i32 1, 2
  br label %join
right:
  br label %join
join:
  ret i32 %x
}

define i32 @later() {
  %a = add i32 %b, 1
  %b = add i32 %a, 1
  ret i32 %b
}

define i32 @phi(i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  %x = add i32 1, 2
  br label %join
right:
  br label %join
join:
  %p = phi i32 [ 0, %left ], [ %x, %right ]
  ret i32 %p
}
