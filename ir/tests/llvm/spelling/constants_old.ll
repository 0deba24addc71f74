; Constant expressions that LLVM 15 to 20 have and later ones fold or know no more.
@sum = global i64 add nuw (i64 40, i64 2)
@product = global i64 mul (i64 6, i64 shl (i64 1, i64 3))
@bits = global i64 and (i64 or (i64 12, i64 1), i64 9)
@shifted = global i64 lshr exact (i64 ashr (i64 -64, i64 1), i64 60)
@chosen = global i32 select (i1 icmp slt (i32 -1, i32 2), i32 3, i32 4)
@later = global i1 icmp ugt (ptr getelementptr (i8, ptr @sum, i64 4), ptr @sum)
@present = global i1 icmp ne (ptr @sum, ptr null)
@wide = global i64 zext (i32 sext (i8 trunc (i64 511 to i8) to i32) to i64)
@lane = global i64 extractelement (<2 x i64> <i64 4, i64 5>, i32 1)
@undefined = global { i32, [2 x i8] } undef
@here = global i64 ptrtoint (ptr getelementptr (i8, ptr null, i64 16) to i64)
@size = global i64 ptrtoint (ptr getelementptr ({ i8, i64 }, ptr null, i32 1) to i64)

define i64 @at(ptr %p) {
  %v = load i64, ptr %p
  ret i64 %v
}

define i64 @all() {
  %a = call i64 @at(ptr @sum)
  %b = call i64 @at(ptr @product)
  %c = call i64 @at(ptr @bits)
  %d = call i64 @at(ptr @shifted)
  %e = call i64 @at(ptr @lane)
  %f = call i64 @at(ptr @size)
  %ab = add i64 %a, %b
  %cd = add i64 %c, %d
  %ef = add i64 %e, %f
  %abcd = add i64 %ab, %cd
  %r = add i64 %abcd, %ef
  ret i64 %r
}
; run: @all() == 135

define i64 @widened() {
  %a = load i64, ptr @wide
  %b = load i32, ptr @chosen
  %c = sext i32 %b to i64
  %d = load i1, ptr @later
  %e = zext i1 %d to i64
  %f = load i1, ptr @present
  %g = zext i1 %f to i64
  %h = add i64 %e, %g
  %i = add i64 %a, %c
  %r = add i64 %h, %i
  ret i64 %r
}
; run: @widened() == 4294967300
