; `icmp sge` at every kind of width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @sge1(i1 %a, i1 %b) {
  %r = icmp sge i1 %a, %b
  ret i1 %r
}
; run: @sge1(0, 0) == 1
; run: @sge1(1, 0) == 0
; run: @sge1(0, 1) == 1

define i1 @sge3(i3 %a, i3 %b) {
  %r = icmp sge i3 %a, %b
  ret i1 %r
}
; run: @sge3(0, 0) == 1
; run: @sge3(7, 0) == 0
; run: @sge3(0, 7) == 1
; run: @sge3(3, 4) == 1

define i1 @sge8(i8 %a, i8 %b) {
  %r = icmp sge i8 %a, %b
  ret i1 %r
}
; run: @sge8(0, 0) == 1
; run: @sge8(-1, 0) == 0
; run: @sge8(0, -1) == 1
; run: @sge8(127, -128) == 1

define i1 @sge24(i24 %a, i24 %b) {
  %r = icmp sge i24 %a, %b
  ret i1 %r
}
; run: @sge24(0, 0) == 1
; run: @sge24(16777215, 0) == 0
; run: @sge24(0, 16777215) == 1
; run: @sge24(8388607, 8388608) == 1

define i1 @sge32(i32 %a, i32 %b) {
  %r = icmp sge i32 %a, %b
  ret i1 %r
}
; run: @sge32(0, 0) == 1
; run: @sge32(-1, 0) == 0
; run: @sge32(0, -1) == 1
; run: @sge32(2147483647, -2147483648) == 1

define i1 @sge33(i33 %a, i33 %b) {
  %r = icmp sge i33 %a, %b
  ret i1 %r
}
; run: @sge33(0, 0) == 1
; run: @sge33(8589934591, 0) == 0
; run: @sge33(0, 8589934591) == 1
; run: @sge33(4294967295, 4294967296) == 1

define i1 @sge64(i64 %a, i64 %b) {
  %r = icmp sge i64 %a, %b
  ret i1 %r
}
; run: @sge64(0, 0) == 1
; run: @sge64(-1, 0) == 0
; run: @sge64(0, -1) == 1
; run: @sge64(9223372036854775807, -9223372036854775808) == 1

define i1 @sge65(i65 %a, i65 %b) {
  %r = icmp sge i65 %a, %b
  ret i1 %r
}
; run: @sge65(0, 0) == 1
; run: @sge65(36893488147419103231, 0) == 0
; run: @sge65(0, 36893488147419103231) == 1
; run: @sge65(18446744073709551615, 18446744073709551616) == 1

define i1 @sge127(i127 %a, i127 %b) {
  %r = icmp sge i127 %a, %b
  ret i1 %r
}
; run: @sge127(0, 0) == 1
; run: @sge127(170141183460469231731687303715884105727, 0) == 0
; run: @sge127(0, 170141183460469231731687303715884105727) == 1
; run: @sge127(85070591730234615865843651857942052863, 85070591730234615865843651857942052864) == 1

define i1 @sge128(i128 %a, i128 %b) {
  %r = icmp sge i128 %a, %b
  ret i1 %r
}
; run: @sge128(0, 0) == 1
; run: @sge128(-1, 0) == 0
; run: @sge128(0, -1) == 1
; run: @sge128(170141183460469231731687303715884105727, -170141183460469231731687303715884105728) == 1
