; Blocks stand in any order, and those that nothing leads to are left out.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @backwards(i32 %x) {
  br label %second
third:
  %r = mul i32 %y, 3
  ret i32 %r
dead:
  %z = add i32 %z, %r
  br label %third
second:
  %y = add i32 %x, 1
  br label %third
}
; run: @backwards(4) == 15

define i32 @from_the_dead(i1 %c) {
entry:
  br label %join
dead:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 2, %dead ]
  ret i32 %r
}
; run: @from_the_dead(1) == 1
