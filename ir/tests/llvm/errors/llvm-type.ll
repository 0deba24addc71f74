; Ops take what their place needs.
; error: 9:50 bad-path
; error: 15:8 llvm-type
; error: 20:33 bad-path
; error: 25:8 llvm-type
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @field(ptr %p) {
  %q = getelementptr { i32, i8 }, ptr %p, i64 0, i32 2
  %r = load i32, ptr %q
  ret i32 %r
}

define i32 @float(i32 %x) {
  %r = fadd i32 %x, 1
  ret i32 %r
}

define i32 @part({ i32 } %x) {
  %r = extractvalue { i32 } %x, 1
  ret i32 %r
}

define i64 @wider(i64 %x) {
  %r = zext i64 %x to i32
  ret i64 %x
}
