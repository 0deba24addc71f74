; `icmp ult` at every kind of width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @ult1(i1 %a, i1 %b) {
  %r = icmp ult i1 %a, %b
  ret i1 %r
}
; run: @ult1(0, 0) == 0
; run: @ult1(1, 0) == 0
; run: @ult1(0, 1) == 1

define i1 @ult3(i3 %a, i3 %b) {
  %r = icmp ult i3 %a, %b
  ret i1 %r
}
; run: @ult3(0, 0) == 0
; run: @ult3(7, 0) == 0
; run: @ult3(0, 7) == 1
; run: @ult3(3, 4) == 1

define i1 @ult8(i8 %a, i8 %b) {
  %r = icmp ult i8 %a, %b
  ret i1 %r
}
; run: @ult8(0, 0) == 0
; run: @ult8(-1, 0) == 0
; run: @ult8(0, -1) == 1
; run: @ult8(127, -128) == 1

define i1 @ult24(i24 %a, i24 %b) {
  %r = icmp ult i24 %a, %b
  ret i1 %r
}
; run: @ult24(0, 0) == 0
; run: @ult24(16777215, 0) == 0
; run: @ult24(0, 16777215) == 1
; run: @ult24(8388607, 8388608) == 1

define i1 @ult32(i32 %a, i32 %b) {
  %r = icmp ult i32 %a, %b
  ret i1 %r
}
; run: @ult32(0, 0) == 0
; run: @ult32(-1, 0) == 0
; run: @ult32(0, -1) == 1
; run: @ult32(2147483647, -2147483648) == 1

define i1 @ult33(i33 %a, i33 %b) {
  %r = icmp ult i33 %a, %b
  ret i1 %r
}
; run: @ult33(0, 0) == 0
; run: @ult33(8589934591, 0) == 0
; run: @ult33(0, 8589934591) == 1
; run: @ult33(4294967295, 4294967296) == 1

define i1 @ult64(i64 %a, i64 %b) {
  %r = icmp ult i64 %a, %b
  ret i1 %r
}
; run: @ult64(0, 0) == 0
; run: @ult64(-1, 0) == 0
; run: @ult64(0, -1) == 1
; run: @ult64(9223372036854775807, -9223372036854775808) == 1

define i1 @ult65(i65 %a, i65 %b) {
  %r = icmp ult i65 %a, %b
  ret i1 %r
}
; run: @ult65(0, 0) == 0
; run: @ult65(36893488147419103231, 0) == 0
; run: @ult65(0, 36893488147419103231) == 1
; run: @ult65(18446744073709551615, 18446744073709551616) == 1

define i1 @ult127(i127 %a, i127 %b) {
  %r = icmp ult i127 %a, %b
  ret i1 %r
}
; run: @ult127(0, 0) == 0
; run: @ult127(170141183460469231731687303715884105727, 0) == 0
; run: @ult127(0, 170141183460469231731687303715884105727) == 1
; run: @ult127(85070591730234615865843651857942052863, 85070591730234615865843651857942052864) == 1

define i1 @ult128(i128 %a, i128 %b) {
  %r = icmp ult i128 %a, %b
  ret i1 %r
}
; run: @ult128(0, 0) == 0
; run: @ult128(-1, 0) == 0
; run: @ult128(0, -1) == 1
; run: @ult128(170141183460469231731687303715884105727, -170141183460469231731687303715884105728) == 1
