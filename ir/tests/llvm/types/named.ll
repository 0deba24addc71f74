; Named types may be named before they are defined.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%later = type { i1, %list }
%list = type { i32, ptr }
%opaque = type opaque

define i64 @size() {
  %p = getelementptr %list, ptr null, i64 1
  %q = getelementptr %later, ptr %p, i64 1
  %r = ptrtoint ptr %q to i64
  ret i64 %r
}
; run: @size() == 40

; Types that lead back to themselves by addresses, and those that the text never defines.
%tree = type { i32, [2 x ptr] }
%"type of a name" = type { %tree, %"type of a name 2" }
%"type of a name 2" = type <{ i8, ptr }>
%0 = type { %1, i8 }
%1 = type { i16 }

@leaf = global %tree { i32 3, [2 x ptr] zeroinitializer }
@root = global %tree { i32 4, [2 x ptr] [ptr @leaf, ptr @root] }

define i32 @sum(ptr %t, i32 %depth) {
  %none = icmp eq ptr %t, null
  %deep = icmp eq i32 %depth, 0
  %end = or i1 %none, %deep
  br i1 %end, label %zero, label %both
zero:
  ret i32 0
both:
  %less = sub i32 %depth, 1
  %left.at = getelementptr %tree, ptr %t, i64 0, i32 1, i64 0
  %right.at = getelementptr %tree, ptr %t, i64 0, i32 1, i64 1
  %left = load ptr, ptr %left.at
  %right = load ptr, ptr %right.at
  %a = call i32 @sum(ptr %left, i32 %less)
  %b = call i32 @sum(ptr %right, i32 %less)
  %own = load i32, ptr %t
  %ab = add i32 %a, %b
  %r = add i32 %ab, %own
  ret i32 %r
}
define i32 @tree() {
  %r = call i32 @sum(ptr @root, i32 3)
  ret i32 %r
}
; run: @tree() == 18

define i64 @sizes() {
  %p = getelementptr %"type of a name", ptr null, i64 1
  %q = getelementptr %0, ptr %p, i64 1
  %r = ptrtoint ptr %q to i64
  ret i64 %r
}
; run: @sizes() == 44
