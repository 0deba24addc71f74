; Lanes of a vector in memory follow each other bit by bit.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i8 @mask(<8 x i1> %m) {
  %p = alloca i8
  store <8 x i1> %m, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}
; run: @mask(<1, 0, 1, 0, 0, 0, 0, 1>) == -123

define <8 x i1> @mask_back(i8 %m) {
  %p = alloca i8
  store i8 %m, ptr %p
  %r = load <8 x i1>, ptr %p
  ret <8 x i1> %r
}
; run: @mask_back(-127) == <1, 0, 0, 0, 0, 0, 0, 1>

define <3 x i1> @three(<3 x i1> %m) {
  %p = alloca <3 x i1>
  store <3 x i1> %m, ptr %p
  %r = load <3 x i1>, ptr %p
  ret <3 x i1> %r
}
; run: @three(<1, 0, 1>) == <1, 0, 1>

define i32 @nibbles(<6 x i4> %v) {
  %p = alloca i32
  store i32 -1, ptr %p
  store <6 x i4> %v, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @nibbles(<1, 2, 3, 4, 5, 6>) == -10140895

define <6 x i4> @nibbles_back(i24 %v) {
  %p = alloca i24
  store i24 %v, ptr %p
  %r = load <6 x i4>, ptr %p
  ret <6 x i4> %r
}
; run: @nibbles_back(7754772) == <4, 1, 4, 5, 6, 7>

define i32 @three_words(<3 x i32> %v) {
  %p = alloca [4 x i32]
  %q = getelementptr i32, ptr %p, i64 3
  store i32 9, ptr %q
  store <3 x i32> %v, ptr %p
  %w = load <3 x i32>, ptr %p
  %a = extractelement <3 x i32> %w, i32 2
  %b = load i32, ptr %q
  %r = add i32 %a, %b
  ret i32 %r
}
; run: @three_words(<1, 2, 3>) == 12

define i64 @addresses() {
  %p = alloca <2 x ptr>
  store <2 x ptr> <ptr null, ptr inttoptr (i64 16 to ptr)>, ptr %p
  %q = getelementptr i64, ptr %p, i64 1
  %r = load i64, ptr %q
  ret i64 %r
}
; run: @addresses() == 16
