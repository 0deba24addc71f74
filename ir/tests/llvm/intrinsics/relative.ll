; A table of distances from itself, which one intrinsic alone reads.
@one = private constant i32 1
@two = private constant i32 22
@table = private constant [3 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @one to i64), i64 ptrtoint (ptr @table to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @two to i64), i64 ptrtoint (ptr @table to i64)) to i32), i32 trunc (i64 sub (i64 ptrtoint (ptr @function to i64), i64 ptrtoint (ptr @table to i64)) to i32)]
declare ptr @llvm.load.relative.i64(ptr, i64)
declare ptr @llvm.load.relative.i32(ptr, i32)

define internal i32 @function(i32 %x) {
  %r = add i32 %x, 5
  ret i32 %r
}

define i32 @number(i64 %index) {
  %offset = shl i64 %index, 2
  %p = call ptr @llvm.load.relative.i64(ptr @table, i64 %offset)
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @number(0) == 1
; run: @number(1) == 22

define i32 @narrow(i32 %index) {
  %offset = shl i32 %index, 2
  %p = call ptr @llvm.load.relative.i32(ptr @table, i32 %offset)
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @narrow(1) == 22

define i32 @called(i32 %x) {
  %f = call ptr @llvm.load.relative.i64(ptr @table, i64 8)
  %r = call i32 %f(i32 %x)
  ret i32 %r
}
; run: @called(4) == 9
