; `icmp sle` at every kind of width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @sle1(i1 %a, i1 %b) {
  %r = icmp sle i1 %a, %b
  ret i1 %r
}
; run: @sle1(0, 0) == 1
; run: @sle1(1, 0) == 1
; run: @sle1(0, 1) == 0

define i1 @sle3(i3 %a, i3 %b) {
  %r = icmp sle i3 %a, %b
  ret i1 %r
}
; run: @sle3(0, 0) == 1
; run: @sle3(7, 0) == 1
; run: @sle3(0, 7) == 0
; run: @sle3(3, 4) == 0

define i1 @sle8(i8 %a, i8 %b) {
  %r = icmp sle i8 %a, %b
  ret i1 %r
}
; run: @sle8(0, 0) == 1
; run: @sle8(-1, 0) == 1
; run: @sle8(0, -1) == 0
; run: @sle8(127, -128) == 0

define i1 @sle24(i24 %a, i24 %b) {
  %r = icmp sle i24 %a, %b
  ret i1 %r
}
; run: @sle24(0, 0) == 1
; run: @sle24(16777215, 0) == 1
; run: @sle24(0, 16777215) == 0
; run: @sle24(8388607, 8388608) == 0

define i1 @sle32(i32 %a, i32 %b) {
  %r = icmp sle i32 %a, %b
  ret i1 %r
}
; run: @sle32(0, 0) == 1
; run: @sle32(-1, 0) == 1
; run: @sle32(0, -1) == 0
; run: @sle32(2147483647, -2147483648) == 0

define i1 @sle33(i33 %a, i33 %b) {
  %r = icmp sle i33 %a, %b
  ret i1 %r
}
; run: @sle33(0, 0) == 1
; run: @sle33(8589934591, 0) == 1
; run: @sle33(0, 8589934591) == 0
; run: @sle33(4294967295, 4294967296) == 0

define i1 @sle64(i64 %a, i64 %b) {
  %r = icmp sle i64 %a, %b
  ret i1 %r
}
; run: @sle64(0, 0) == 1
; run: @sle64(-1, 0) == 1
; run: @sle64(0, -1) == 0
; run: @sle64(9223372036854775807, -9223372036854775808) == 0

define i1 @sle65(i65 %a, i65 %b) {
  %r = icmp sle i65 %a, %b
  ret i1 %r
}
; run: @sle65(0, 0) == 1
; run: @sle65(36893488147419103231, 0) == 1
; run: @sle65(0, 36893488147419103231) == 0
; run: @sle65(18446744073709551615, 18446744073709551616) == 0

define i1 @sle127(i127 %a, i127 %b) {
  %r = icmp sle i127 %a, %b
  ret i1 %r
}
; run: @sle127(0, 0) == 1
; run: @sle127(170141183460469231731687303715884105727, 0) == 1
; run: @sle127(0, 170141183460469231731687303715884105727) == 0
; run: @sle127(85070591730234615865843651857942052863, 85070591730234615865843651857942052864) == 0

define i1 @sle128(i128 %a, i128 %b) {
  %r = icmp sle i128 %a, %b
  ret i1 %r
}
; run: @sle128(0, 0) == 1
; run: @sle128(-1, 0) == 1
; run: @sle128(0, -1) == 0
; run: @sle128(170141183460469231731687303715884105727, -170141183460469231731687303715884105728) == 0
