; Blocks reached by their distance from another, as tables of GNU C's have it: LLVM folds
; the address of a block like that of anything else.
target triple = "x86_64-pc-linux-gnu"

@table = internal constant [3 x i32] [
  i32 0,
  i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@step, %two) to i64), i64 ptrtoint (ptr blockaddress(@step, %one) to i64)) to i32),
  i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@step, %three) to i64), i64 ptrtoint (ptr blockaddress(@step, %one) to i64)) to i32)]

define i32 @step(i64 %i) {
entry:
  %at = getelementptr [3 x i32], ptr @table, i64 0, i64 %i
  %distance = load i32, ptr %at
  %wide = sext i32 %distance to i64
  %block = getelementptr i8, ptr blockaddress(@step, %one), i64 %wide
  indirectbr ptr %block, [label %one, label %two, label %three]
one:
  ret i32 10
two:
  ret i32 20
three:
  ret i32 30
}
; run: @step(0) == 10
; run: @step(1) == 20
; run: @step(2) == 30

; A threaded interpreter: the next block is found in each.
@codes = internal constant [5 x i8] c"\01\01\02\01\00"
define i32 @threaded() {
entry:
  br label %next
next:
  %pc = phi i64 [ 0, %entry ], [ %pc1, %plus ], [ %pc2, %times ]
  %sum = phi i32 [ 1, %entry ], [ %sum1, %plus ], [ %sum2, %times ]
  %where = getelementptr i8, ptr @codes, i64 %pc
  %code = load i8, ptr %where
  %wide = zext i8 %code to i64
  %slot = getelementptr ptr, ptr @labels, i64 %wide
  %label = load ptr, ptr %slot
  indirectbr ptr %label, [label %stop, label %plus, label %times]
plus:
  %sum1 = add i32 %sum, 1
  %pc1 = add i64 %pc, 1
  br label %next
times:
  %sum2 = mul i32 %sum, 10
  %pc2 = add i64 %pc, 1
  br label %next
stop:
  ret i32 %sum
}
@labels = internal constant [3 x ptr] [ptr blockaddress(@threaded, %stop), ptr blockaddress(@threaded, %plus), ptr blockaddress(@threaded, %times)]
; run: @threaded() == 31

; An address that another function has been given, and one of no block of the list.
define internal ptr @kept(ptr %label) {
  ret ptr %label
}
define i32 @through(i1 %c) {
  %a = call ptr @kept(ptr blockaddress(@through, %yes))
  %b = select i1 %c, ptr %a, ptr null
  indirectbr ptr %b, [label %yes]
yes:
  ret i32 1
}
; run: @through(1) == 1
; run: @through(0) traps unreachable
