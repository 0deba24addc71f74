; `icmp sgt` at every kind of width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @sgt1(i1 %a, i1 %b) {
  %r = icmp sgt i1 %a, %b
  ret i1 %r
}
; run: @sgt1(0, 0) == 0
; run: @sgt1(1, 0) == 0
; run: @sgt1(0, 1) == 1

define i1 @sgt3(i3 %a, i3 %b) {
  %r = icmp sgt i3 %a, %b
  ret i1 %r
}
; run: @sgt3(0, 0) == 0
; run: @sgt3(7, 0) == 0
; run: @sgt3(0, 7) == 1
; run: @sgt3(3, 4) == 1

define i1 @sgt8(i8 %a, i8 %b) {
  %r = icmp sgt i8 %a, %b
  ret i1 %r
}
; run: @sgt8(0, 0) == 0
; run: @sgt8(-1, 0) == 0
; run: @sgt8(0, -1) == 1
; run: @sgt8(127, -128) == 1

define i1 @sgt24(i24 %a, i24 %b) {
  %r = icmp sgt i24 %a, %b
  ret i1 %r
}
; run: @sgt24(0, 0) == 0
; run: @sgt24(16777215, 0) == 0
; run: @sgt24(0, 16777215) == 1
; run: @sgt24(8388607, 8388608) == 1

define i1 @sgt32(i32 %a, i32 %b) {
  %r = icmp sgt i32 %a, %b
  ret i1 %r
}
; run: @sgt32(0, 0) == 0
; run: @sgt32(-1, 0) == 0
; run: @sgt32(0, -1) == 1
; run: @sgt32(2147483647, -2147483648) == 1

define i1 @sgt33(i33 %a, i33 %b) {
  %r = icmp sgt i33 %a, %b
  ret i1 %r
}
; run: @sgt33(0, 0) == 0
; run: @sgt33(8589934591, 0) == 0
; run: @sgt33(0, 8589934591) == 1
; run: @sgt33(4294967295, 4294967296) == 1

define i1 @sgt64(i64 %a, i64 %b) {
  %r = icmp sgt i64 %a, %b
  ret i1 %r
}
; run: @sgt64(0, 0) == 0
; run: @sgt64(-1, 0) == 0
; run: @sgt64(0, -1) == 1
; run: @sgt64(9223372036854775807, -9223372036854775808) == 1

define i1 @sgt65(i65 %a, i65 %b) {
  %r = icmp sgt i65 %a, %b
  ret i1 %r
}
; run: @sgt65(0, 0) == 0
; run: @sgt65(36893488147419103231, 0) == 0
; run: @sgt65(0, 36893488147419103231) == 1
; run: @sgt65(18446744073709551615, 18446744073709551616) == 1

define i1 @sgt127(i127 %a, i127 %b) {
  %r = icmp sgt i127 %a, %b
  ret i1 %r
}
; run: @sgt127(0, 0) == 0
; run: @sgt127(170141183460469231731687303715884105727, 0) == 0
; run: @sgt127(0, 170141183460469231731687303715884105727) == 1
; run: @sgt127(85070591730234615865843651857942052863, 85070591730234615865843651857942052864) == 1

define i1 @sgt128(i128 %a, i128 %b) {
  %r = icmp sgt i128 %a, %b
  ret i1 %r
}
; run: @sgt128(0, 0) == 0
; run: @sgt128(-1, 0) == 0
; run: @sgt128(0, -1) == 1
; run: @sgt128(170141183460469231731687303715884105727, -170141183460469231731687303715884105728) == 1
