; `icmp ule` at every kind of width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @ule1(i1 %a, i1 %b) {
  %r = icmp ule i1 %a, %b
  ret i1 %r
}
; run: @ule1(0, 0) == 1
; run: @ule1(1, 0) == 0
; run: @ule1(0, 1) == 1

define i1 @ule3(i3 %a, i3 %b) {
  %r = icmp ule i3 %a, %b
  ret i1 %r
}
; run: @ule3(0, 0) == 1
; run: @ule3(7, 0) == 0
; run: @ule3(0, 7) == 1
; run: @ule3(3, 4) == 1

define i1 @ule8(i8 %a, i8 %b) {
  %r = icmp ule i8 %a, %b
  ret i1 %r
}
; run: @ule8(0, 0) == 1
; run: @ule8(-1, 0) == 0
; run: @ule8(0, -1) == 1
; run: @ule8(127, -128) == 1

define i1 @ule24(i24 %a, i24 %b) {
  %r = icmp ule i24 %a, %b
  ret i1 %r
}
; run: @ule24(0, 0) == 1
; run: @ule24(16777215, 0) == 0
; run: @ule24(0, 16777215) == 1
; run: @ule24(8388607, 8388608) == 1

define i1 @ule32(i32 %a, i32 %b) {
  %r = icmp ule i32 %a, %b
  ret i1 %r
}
; run: @ule32(0, 0) == 1
; run: @ule32(-1, 0) == 0
; run: @ule32(0, -1) == 1
; run: @ule32(2147483647, -2147483648) == 1

define i1 @ule33(i33 %a, i33 %b) {
  %r = icmp ule i33 %a, %b
  ret i1 %r
}
; run: @ule33(0, 0) == 1
; run: @ule33(8589934591, 0) == 0
; run: @ule33(0, 8589934591) == 1
; run: @ule33(4294967295, 4294967296) == 1

define i1 @ule64(i64 %a, i64 %b) {
  %r = icmp ule i64 %a, %b
  ret i1 %r
}
; run: @ule64(0, 0) == 1
; run: @ule64(-1, 0) == 0
; run: @ule64(0, -1) == 1
; run: @ule64(9223372036854775807, -9223372036854775808) == 1

define i1 @ule65(i65 %a, i65 %b) {
  %r = icmp ule i65 %a, %b
  ret i1 %r
}
; run: @ule65(0, 0) == 1
; run: @ule65(36893488147419103231, 0) == 0
; run: @ule65(0, 36893488147419103231) == 1
; run: @ule65(18446744073709551615, 18446744073709551616) == 1

define i1 @ule127(i127 %a, i127 %b) {
  %r = icmp ule i127 %a, %b
  ret i1 %r
}
; run: @ule127(0, 0) == 1
; run: @ule127(170141183460469231731687303715884105727, 0) == 0
; run: @ule127(0, 170141183460469231731687303715884105727) == 1
; run: @ule127(85070591730234615865843651857942052863, 85070591730234615865843651857942052864) == 1

define i1 @ule128(i128 %a, i128 %b) {
  %r = icmp ule i128 %a, %b
  ret i1 %r
}
; run: @ule128(0, 0) == 1
; run: @ule128(-1, 0) == 0
; run: @ule128(0, -1) == 1
; run: @ule128(170141183460469231731687303715884105727, -170141183460469231731687303715884105728) == 1
