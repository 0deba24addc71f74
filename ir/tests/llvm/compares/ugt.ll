; `icmp ugt` at every kind of width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @ugt1(i1 %a, i1 %b) {
  %r = icmp ugt i1 %a, %b
  ret i1 %r
}
; run: @ugt1(0, 0) == 0
; run: @ugt1(1, 0) == 1
; run: @ugt1(0, 1) == 0

define i1 @ugt3(i3 %a, i3 %b) {
  %r = icmp ugt i3 %a, %b
  ret i1 %r
}
; run: @ugt3(0, 0) == 0
; run: @ugt3(7, 0) == 1
; run: @ugt3(0, 7) == 0
; run: @ugt3(3, 4) == 0

define i1 @ugt8(i8 %a, i8 %b) {
  %r = icmp ugt i8 %a, %b
  ret i1 %r
}
; run: @ugt8(0, 0) == 0
; run: @ugt8(-1, 0) == 1
; run: @ugt8(0, -1) == 0
; run: @ugt8(127, -128) == 0

define i1 @ugt24(i24 %a, i24 %b) {
  %r = icmp ugt i24 %a, %b
  ret i1 %r
}
; run: @ugt24(0, 0) == 0
; run: @ugt24(16777215, 0) == 1
; run: @ugt24(0, 16777215) == 0
; run: @ugt24(8388607, 8388608) == 0

define i1 @ugt32(i32 %a, i32 %b) {
  %r = icmp ugt i32 %a, %b
  ret i1 %r
}
; run: @ugt32(0, 0) == 0
; run: @ugt32(-1, 0) == 1
; run: @ugt32(0, -1) == 0
; run: @ugt32(2147483647, -2147483648) == 0

define i1 @ugt33(i33 %a, i33 %b) {
  %r = icmp ugt i33 %a, %b
  ret i1 %r
}
; run: @ugt33(0, 0) == 0
; run: @ugt33(8589934591, 0) == 1
; run: @ugt33(0, 8589934591) == 0
; run: @ugt33(4294967295, 4294967296) == 0

define i1 @ugt64(i64 %a, i64 %b) {
  %r = icmp ugt i64 %a, %b
  ret i1 %r
}
; run: @ugt64(0, 0) == 0
; run: @ugt64(-1, 0) == 1
; run: @ugt64(0, -1) == 0
; run: @ugt64(9223372036854775807, -9223372036854775808) == 0

define i1 @ugt65(i65 %a, i65 %b) {
  %r = icmp ugt i65 %a, %b
  ret i1 %r
}
; run: @ugt65(0, 0) == 0
; run: @ugt65(36893488147419103231, 0) == 1
; run: @ugt65(0, 36893488147419103231) == 0
; run: @ugt65(18446744073709551615, 18446744073709551616) == 0

define i1 @ugt127(i127 %a, i127 %b) {
  %r = icmp ugt i127 %a, %b
  ret i1 %r
}
; run: @ugt127(0, 0) == 0
; run: @ugt127(170141183460469231731687303715884105727, 0) == 1
; run: @ugt127(0, 170141183460469231731687303715884105727) == 0
; run: @ugt127(85070591730234615865843651857942052863, 85070591730234615865843651857942052864) == 0

define i1 @ugt128(i128 %a, i128 %b) {
  %r = icmp ugt i128 %a, %b
  ret i1 %r
}
; run: @ugt128(0, 0) == 0
; run: @ugt128(-1, 0) == 1
; run: @ugt128(0, -1) == 0
; run: @ugt128(170141183460469231731687303715884105727, -170141183460469231731687303715884105728) == 0
