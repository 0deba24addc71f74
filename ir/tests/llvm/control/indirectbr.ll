; Addresses of blocks, taken in a function and in data.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@table = private constant [2 x ptr] [ptr blockaddress(@jump, %one), ptr blockaddress(@jump, %two)]

define i32 @jump(i32 %i) {
entry:
  %p = getelementptr [2 x ptr], ptr @table, i64 0, i32 %i
  %a = load ptr, ptr %p
  indirectbr ptr %a, [label %one, label %two, label %one]
one:
  %x = phi i32 [ 10, %entry ], [ 10, %entry ]
  ret i32 %x
two:
  ret i32 20
}
; run: @jump(0) == 10
; run: @jump(1) == 20

define i32 @chosen(i1 %c) {
  %a = select i1 %c, ptr blockaddress(@chosen, %yes), ptr blockaddress(@chosen, %no)
  indirectbr ptr %a, [label %yes, label %no]
yes:
  ret i32 1
no:
  ret i32 0
}
; run: @chosen(1) == 1
; run: @chosen(0) == 0

define i1 @not_null() {
  br label %here
here:
  %r = icmp ne ptr blockaddress(@not_null, %here), null
  ret i1 %r
}
; run: @not_null() == 1
