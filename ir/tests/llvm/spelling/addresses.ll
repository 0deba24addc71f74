; Hints of `getelementptr`, and where `inrange` stands since LLVM 19.
@table = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@first = constant ptr getelementptr inbounds ([4 x i32], ptr @table, i64 0, i64 0)
@new = constant ptr getelementptr inbounds inrange(-8, 8) ([4 x i32], ptr @table, i64 0, i64 2)
@bytes = constant ptr getelementptr nusw nuw (i8, ptr @table, i64 12)
@number = constant i64 sub (i64 ptrtoint (ptr @bytes to i64), i64 ptrtoint (ptr @bytes to i64))

define i32 @through(ptr %where) {
  %p = load ptr, ptr %where
  %v = load i32, ptr %p
  ret i32 %v
}

define i32 @all() {
  %a = call i32 @through(ptr @first)
  %b = call i32 @through(ptr @new)
  %c = call i32 @through(ptr @bytes)
  %d = mul i32 %a, 100
  %e = mul i32 %b, 10
  %f = add i32 %d, %e
  %g = add i32 %f, %c
  ret i32 %g
}
; run: @all() == 134

define i32 @element(i64 %i) {
  %a = getelementptr inbounds nuw [4 x i32], ptr @table, i64 0, i64 %i
  %b = getelementptr nusw i32, ptr %a, i64 -1
  %c = getelementptr nuw i8, ptr %b, i64 0
  %v = load i32, ptr %c
  ret i32 %v
}
; run: @element(1) == 1
; run: @element(3) == 3

define i64 @distance(i64 %i) {
  %p = getelementptr i32, ptr @table, i64 %i
  %a = ptrtoaddr ptr %p to i64
  %b = ptrtoint ptr @table to i64
  %r = sub i64 %a, %b
  ret i64 %r
}
; run: @distance(3) == 12
