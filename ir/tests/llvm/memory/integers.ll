; An integer fills as many bytes as its bits need, and no other is touched.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @through1(i1 %a) {
  %p = alloca i1
  store i1 %a, ptr %p
  %r = load i1, ptr %p
  ret i1 %r
}
; run: @through1(1) == 1

define i3 @through3(i3 %a) {
  %p = alloca i3
  store i3 %a, ptr %p
  %r = load i3, ptr %p
  ret i3 %r
}
; run: @through3(7) == 7

define i8 @through8(i8 %a) {
  %p = alloca i8
  store i8 %a, ptr %p
  %r = load i8, ptr %p
  ret i8 %r
}
; run: @through8(-11) == -11

define i24 @through24(i24 %a) {
  %p = alloca i24
  store i24 %a, ptr %p
  %r = load i24, ptr %p
  ret i24 %r
}
; run: @through24(3684103) == 3684103

define i32 @through32(i32 %a) {
  %p = alloca i32
  store i32 %a, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @through32(-964914271) == -964914271

define i33 @through33(i33 %a) {
  %p = alloca i33
  store i33 %a, ptr %p
  %r = load i33, ptr %p
  ret i33 %r
}
; run: @through33(2885702363) == 2885702363

define i64 @through64(i64 %a) {
  %p = alloca i64
  store i64 %a, ptr %p
  %r = load i64, ptr %p
  ret i64 %r
}
; run: @through64(-8186925570258650801) == -8186925570258650801

define i65 @through65(i65 %a) {
  %p = alloca i65
  store i65 %a, ptr %p
  %r = load i65, ptr %p
  ret i65 %r
}
; run: @through65(29110068018858024769) == 29110068018858024769

define i127 @through127(i127 %a) {
  %p = alloca i127
  store i127 %a, ptr %p
  %r = load i127, ptr %p
  ret i127 %r
}
; run: @through127(26101762511369362863238913008981429445) == 26101762511369362863238913008981429445

define i128 @through128(i128 %a) {
  %p = alloca i128
  store i128 %a, ptr %p
  %r = load i128, ptr %p
  ret i128 %r
}
; run: @through128(-82647615902331957179392668638733841677) == -82647615902331957179392668638733841677

define i32 @bytes_beside(i24 %a) {
  %p = alloca i32
  store i32 -1, ptr %p
  store i24 %a, ptr %p
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @bytes_beside(66051) == -16711165

define i128 @bytes_beside_65(i65 %a) {
  %p = alloca i128
  store i128 -1, ptr %p
  store i65 %a, ptr %p
  %r = load i128, ptr %p
  ret i128 %r
}
; run: @bytes_beside_65(18446744073709551618) == -4703919738795935662078
