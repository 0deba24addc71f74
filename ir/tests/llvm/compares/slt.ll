; `icmp slt` at every kind of width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @slt1(i1 %a, i1 %b) {
  %r = icmp slt i1 %a, %b
  ret i1 %r
}
; run: @slt1(0, 0) == 0
; run: @slt1(1, 0) == 1
; run: @slt1(0, 1) == 0

define i1 @slt3(i3 %a, i3 %b) {
  %r = icmp slt i3 %a, %b
  ret i1 %r
}
; run: @slt3(0, 0) == 0
; run: @slt3(7, 0) == 1
; run: @slt3(0, 7) == 0
; run: @slt3(3, 4) == 0

define i1 @slt8(i8 %a, i8 %b) {
  %r = icmp slt i8 %a, %b
  ret i1 %r
}
; run: @slt8(0, 0) == 0
; run: @slt8(-1, 0) == 1
; run: @slt8(0, -1) == 0
; run: @slt8(127, -128) == 0

define i1 @slt24(i24 %a, i24 %b) {
  %r = icmp slt i24 %a, %b
  ret i1 %r
}
; run: @slt24(0, 0) == 0
; run: @slt24(16777215, 0) == 1
; run: @slt24(0, 16777215) == 0
; run: @slt24(8388607, 8388608) == 0

define i1 @slt32(i32 %a, i32 %b) {
  %r = icmp slt i32 %a, %b
  ret i1 %r
}
; run: @slt32(0, 0) == 0
; run: @slt32(-1, 0) == 1
; run: @slt32(0, -1) == 0
; run: @slt32(2147483647, -2147483648) == 0

define i1 @slt33(i33 %a, i33 %b) {
  %r = icmp slt i33 %a, %b
  ret i1 %r
}
; run: @slt33(0, 0) == 0
; run: @slt33(8589934591, 0) == 1
; run: @slt33(0, 8589934591) == 0
; run: @slt33(4294967295, 4294967296) == 0

define i1 @slt64(i64 %a, i64 %b) {
  %r = icmp slt i64 %a, %b
  ret i1 %r
}
; run: @slt64(0, 0) == 0
; run: @slt64(-1, 0) == 1
; run: @slt64(0, -1) == 0
; run: @slt64(9223372036854775807, -9223372036854775808) == 0

define i1 @slt65(i65 %a, i65 %b) {
  %r = icmp slt i65 %a, %b
  ret i1 %r
}
; run: @slt65(0, 0) == 0
; run: @slt65(36893488147419103231, 0) == 1
; run: @slt65(0, 36893488147419103231) == 0
; run: @slt65(18446744073709551615, 18446744073709551616) == 0

define i1 @slt127(i127 %a, i127 %b) {
  %r = icmp slt i127 %a, %b
  ret i1 %r
}
; run: @slt127(0, 0) == 0
; run: @slt127(170141183460469231731687303715884105727, 0) == 1
; run: @slt127(0, 170141183460469231731687303715884105727) == 0
; run: @slt127(85070591730234615865843651857942052863, 85070591730234615865843651857942052864) == 0

define i1 @slt128(i128 %a, i128 %b) {
  %r = icmp slt i128 %a, %b
  ret i1 %r
}
; run: @slt128(0, 0) == 0
; run: @slt128(-1, 0) == 1
; run: @slt128(0, -1) == 0
; run: @slt128(170141183460469231731687303715884105727, -170141183460469231731687303715884105728) == 0
