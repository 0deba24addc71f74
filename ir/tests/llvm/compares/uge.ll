; `icmp uge` at every kind of width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @uge1(i1 %a, i1 %b) {
  %r = icmp uge i1 %a, %b
  ret i1 %r
}
; run: @uge1(0, 0) == 1
; run: @uge1(1, 0) == 1
; run: @uge1(0, 1) == 0

define i1 @uge3(i3 %a, i3 %b) {
  %r = icmp uge i3 %a, %b
  ret i1 %r
}
; run: @uge3(0, 0) == 1
; run: @uge3(7, 0) == 1
; run: @uge3(0, 7) == 0
; run: @uge3(3, 4) == 0

define i1 @uge8(i8 %a, i8 %b) {
  %r = icmp uge i8 %a, %b
  ret i1 %r
}
; run: @uge8(0, 0) == 1
; run: @uge8(-1, 0) == 1
; run: @uge8(0, -1) == 0
; run: @uge8(127, -128) == 0

define i1 @uge24(i24 %a, i24 %b) {
  %r = icmp uge i24 %a, %b
  ret i1 %r
}
; run: @uge24(0, 0) == 1
; run: @uge24(16777215, 0) == 1
; run: @uge24(0, 16777215) == 0
; run: @uge24(8388607, 8388608) == 0

define i1 @uge32(i32 %a, i32 %b) {
  %r = icmp uge i32 %a, %b
  ret i1 %r
}
; run: @uge32(0, 0) == 1
; run: @uge32(-1, 0) == 1
; run: @uge32(0, -1) == 0
; run: @uge32(2147483647, -2147483648) == 0

define i1 @uge33(i33 %a, i33 %b) {
  %r = icmp uge i33 %a, %b
  ret i1 %r
}
; run: @uge33(0, 0) == 1
; run: @uge33(8589934591, 0) == 1
; run: @uge33(0, 8589934591) == 0
; run: @uge33(4294967295, 4294967296) == 0

define i1 @uge64(i64 %a, i64 %b) {
  %r = icmp uge i64 %a, %b
  ret i1 %r
}
; run: @uge64(0, 0) == 1
; run: @uge64(-1, 0) == 1
; run: @uge64(0, -1) == 0
; run: @uge64(9223372036854775807, -9223372036854775808) == 0

define i1 @uge65(i65 %a, i65 %b) {
  %r = icmp uge i65 %a, %b
  ret i1 %r
}
; run: @uge65(0, 0) == 1
; run: @uge65(36893488147419103231, 0) == 1
; run: @uge65(0, 36893488147419103231) == 0
; run: @uge65(18446744073709551615, 18446744073709551616) == 0

define i1 @uge127(i127 %a, i127 %b) {
  %r = icmp uge i127 %a, %b
  ret i1 %r
}
; run: @uge127(0, 0) == 1
; run: @uge127(170141183460469231731687303715884105727, 0) == 1
; run: @uge127(0, 170141183460469231731687303715884105727) == 0
; run: @uge127(85070591730234615865843651857942052863, 85070591730234615865843651857942052864) == 0

define i1 @uge128(i128 %a, i128 %b) {
  %r = icmp uge i128 %a, %b
  ret i1 %r
}
; run: @uge128(0, 0) == 1
; run: @uge128(-1, 0) == 1
; run: @uge128(0, -1) == 0
; run: @uge128(170141183460469231731687303715884105727, -170141183460469231731687303715884105728) == 0
