; Shifts that are held at the limits.
; run: @sshl_sat1(0, 0) == 0
; run: @sshl_sat1(1, 0) == 1
; run: @sshl_sat7(63, 1) == 63
; run: @sshl_sat7(127, 1) == 126
; run: @sshl_sat7(0, 1) == 0
; run: @sshl_sat7(64, 2) == 64
; run: @sshl_sat7(42, 1) == 63
; run: @sshl_sat7(64, 0) == 64
; run: @sshl_sat7(1, 0) == 1
; run: @sshl_sat7(2, 2) == 8
; run: @sshl_sat8(127, 1) == 127
; run: @sshl_sat8(-1, 1) == -2
; run: @sshl_sat8(0, 1) == 0
; run: @sshl_sat8(-123, 2) == -128
; run: @sshl_sat8(85, 1) == 127
; run: @sshl_sat8(-123, 0) == -123
; run: @sshl_sat8(85, 2) == 127
; run: @sshl_sat8(-16, 1) == -32
; run: @sshl_sat16(32767, 1) == 32767
; run: @sshl_sat16(-1, 1) == -2
; run: @sshl_sat16(0, 1) == 0
; run: @sshl_sat16(21845, 0) == 21845
; run: @sshl_sat16(32767, 2) == 32767
; run: @sshl_sat16(1, 2) == 4
; run: @sshl_sat16(-32768, 2) == -32768
; run: @sshl_sat16(1, 1) == 2
; run: @sshl_sat32(2147483647, 1) == 2147483647
; run: @sshl_sat32(-1, 1) == -2
; run: @sshl_sat32(0, 1) == 0
; run: @sshl_sat32(1, 0) == 1
; run: @sshl_sat32(-1, 0) == -1
; run: @sshl_sat32(1, 2) == 4
; run: @sshl_sat32(1431655765, 2) == 2147483647
; run: @sshl_sat32(0, 2) == 0
; run: @sshl_sat33(4294967295, 1) == 4294967295
; run: @sshl_sat33(8589934591, 1) == 8589934590
; run: @sshl_sat33(0, 1) == 0
; run: @sshl_sat33(2, 2) == 8
; run: @sshl_sat33(4294967295, 2) == 4294967295
; run: @sshl_sat33(8477851344, 2) == 8141601600
; run: @sshl_sat33(0, 2) == 0
; run: @sshl_sat33(2, 1) == 4
; run: @sshl_sat64(9223372036854775807, 1) == 9223372036854775807
; run: @sshl_sat64(-1, 1) == -2
; run: @sshl_sat64(0, 1) == 0
; run: @sshl_sat64(3231365695392912501, 0) == 3231365695392912501
; run: @sshl_sat64(2, 2) == 8
; run: @sshl_sat64(1, 0) == 1
; run: @sshl_sat64(1, 2) == 4
; run: @sshl_sat64(3231365695392912501, 2) == 9223372036854775807
; run: @sshl_sat128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105727
; run: @sshl_sat128(-1, 1) == -2
; run: @sshl_sat128(0, 1) == 0
; run: @sshl_sat128(-170141183460469231731687303715884105728, 1) == -170141183460469231731687303715884105728
; run: @sshl_sat128(-97410060347841849989146955887937381560, 1) == -170141183460469231731687303715884105728
; run: @sshl_sat128(-170141183460469231731687303715884105728, 2) == -170141183460469231731687303715884105728
; run: @sshl_sat128(-1, 0) == -1
; run: @sshl_sat128(-170141183460469231731687303715884105728, 0) == -170141183460469231731687303715884105728
; run: @ushl_sat1(1, 0) == 1
; run: @ushl_sat1(0, 0) == 0
; run: @ushl_sat7(63, 1) == 126
; run: @ushl_sat7(127, 1) == 127
; run: @ushl_sat7(0, 1) == 0
; run: @ushl_sat7(66, 0) == 66
; run: @ushl_sat7(66, 1) == 127
; run: @ushl_sat7(2, 2) == 8
; run: @ushl_sat7(127, 2) == 127
; run: @ushl_sat7(69, 1) == 127
; run: @ushl_sat8(127, 1) == -2
; run: @ushl_sat8(-1, 1) == -1
; run: @ushl_sat8(0, 1) == 0
; run: @ushl_sat8(26, 0) == 26
; run: @ushl_sat8(26, 2) == 104
; run: @ushl_sat8(-1, 0) == -1
; run: @ushl_sat8(9, 2) == 36
; run: @ushl_sat8(85, 2) == -1
; run: @ushl_sat16(32767, 1) == -2
; run: @ushl_sat16(-1, 1) == -1
; run: @ushl_sat16(0, 1) == 0
; run: @ushl_sat16(0, 2) == 0
; run: @ushl_sat16(-1, 0) == -1
; run: @ushl_sat16(32767, 0) == 32767
; run: @ushl_sat16(25426, 2) == -1
; run: @ushl_sat16(25426, 0) == 25426
; run: @ushl_sat32(2147483647, 1) == -2
; run: @ushl_sat32(-1, 1) == -1
; run: @ushl_sat32(0, 1) == 0
; run: @ushl_sat32(2, 1) == 4
; run: @ushl_sat32(2059525132, 1) == -175917032
; run: @ushl_sat32(1, 2) == 4
; run: @ushl_sat32(2, 0) == 2
; run: @ushl_sat32(-1, 0) == -1
; run: @ushl_sat33(4294967295, 1) == 8589934590
; run: @ushl_sat33(8589934591, 1) == 8589934591
; run: @ushl_sat33(0, 1) == 0
; run: @ushl_sat33(2, 0) == 2
; run: @ushl_sat33(2863311530, 1) == 5726623060
; run: @ushl_sat33(1, 0) == 1
; run: @ushl_sat33(3005472393, 1) == 6010944786
; run: @ushl_sat33(8589934591, 0) == 8589934591
; run: @ushl_sat64(9223372036854775807, 1) == -2
; run: @ushl_sat64(-1, 1) == -1
; run: @ushl_sat64(0, 1) == 0
; run: @ushl_sat64(2, 0) == 2
; run: @ushl_sat64(-2059125612604277269, 2) == -1
; run: @ushl_sat64(-2059125612604277269, 1) == -1
; run: @ushl_sat64(7543426596376313507, 2) == -1
; run: @ushl_sat64(6148914691236517205, 2) == -1
; run: @ushl_sat128(170141183460469231731687303715884105727, 1) == -2
; run: @ushl_sat128(-1, 1) == -1
; run: @ushl_sat128(0, 1) == 0
; run: @ushl_sat128(1, 2) == 4
; run: @ushl_sat128(-1, 0) == -1
; run: @ushl_sat128(-1, 2) == -1
; run: @ushl_sat128(113427455640312821154458202477256070485, 2) == -1
; run: @ushl_sat128(170141183460469231731687303715884105727, 2) == -1

define i1 @sshl_sat1(i1 %a, i1 %b) {
  %r = call i1 @llvm.sshl.sat.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.sshl.sat.i1(i1, i1)

define i7 @sshl_sat7(i7 %a, i7 %b) {
  %r = call i7 @llvm.sshl.sat.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.sshl.sat.i7(i7, i7)

define i8 @sshl_sat8(i8 %a, i8 %b) {
  %r = call i8 @llvm.sshl.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.sshl.sat.i8(i8, i8)

define i16 @sshl_sat16(i16 %a, i16 %b) {
  %r = call i16 @llvm.sshl.sat.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.sshl.sat.i16(i16, i16)

define i32 @sshl_sat32(i32 %a, i32 %b) {
  %r = call i32 @llvm.sshl.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.sshl.sat.i32(i32, i32)

define i33 @sshl_sat33(i33 %a, i33 %b) {
  %r = call i33 @llvm.sshl.sat.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.sshl.sat.i33(i33, i33)

define i64 @sshl_sat64(i64 %a, i64 %b) {
  %r = call i64 @llvm.sshl.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.sshl.sat.i64(i64, i64)

define i128 @sshl_sat128(i128 %a, i128 %b) {
  %r = call i128 @llvm.sshl.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.sshl.sat.i128(i128, i128)

define i1 @ushl_sat1(i1 %a, i1 %b) {
  %r = call i1 @llvm.ushl.sat.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.ushl.sat.i1(i1, i1)

define i7 @ushl_sat7(i7 %a, i7 %b) {
  %r = call i7 @llvm.ushl.sat.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.ushl.sat.i7(i7, i7)

define i8 @ushl_sat8(i8 %a, i8 %b) {
  %r = call i8 @llvm.ushl.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.ushl.sat.i8(i8, i8)

define i16 @ushl_sat16(i16 %a, i16 %b) {
  %r = call i16 @llvm.ushl.sat.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.ushl.sat.i16(i16, i16)

define i32 @ushl_sat32(i32 %a, i32 %b) {
  %r = call i32 @llvm.ushl.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.ushl.sat.i32(i32, i32)

define i33 @ushl_sat33(i33 %a, i33 %b) {
  %r = call i33 @llvm.ushl.sat.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.ushl.sat.i33(i33, i33)

define i64 @ushl_sat64(i64 %a, i64 %b) {
  %r = call i64 @llvm.ushl.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.ushl.sat.i64(i64, i64)

define i128 @ushl_sat128(i128 %a, i128 %b) {
  %r = call i128 @llvm.ushl.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.ushl.sat.i128(i128, i128)

