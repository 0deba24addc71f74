; Every edge gives each `phi` one value, and none leads to the entry.
; error: 12:1 llvm-invalid
; error: 20:1 llvm-invalid
; error: 27:3 llvm-invalid
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @missing(i1 %c) {
entry:
  br i1 %c, label %left, label %join
left:
  br label %join
join:
  %p = phi i32 [ 0, %left ]
  ret i32 %p
}

define i32 @different(i1 %c, i32 %x) {
entry:
  br i1 %c, label %join, label %join
join:
  %p = phi i32 [ 0, %entry ], [ %x, %entry ]
  ret i32 %p
}

define void @again() {
entry:
  br label %entry
}
