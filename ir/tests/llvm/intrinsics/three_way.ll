; Which of two integers is larger.
; run: @scmp1(0, 1) == 1
; run: @scmp1(1, 1) == 0
; run: @scmp1(1, 1) == 0
; run: @scmp1(0, 1) == 1
; run: @scmp1(1, 0) == -1
; run: @scmp1(0, 0) == 0
; run: @scmp7(63, 1) == 1
; run: @scmp7(127, 1) == -1
; run: @scmp7(64, 127) == -1
; run: @scmp7(0, 1) == -1
; run: @scmp7(0, 63) == -1
; run: @scmp7(0, 55) == -1
; run: @scmp8(127, 1) == 1
; run: @scmp8(-1, 1) == -1
; run: @scmp8(-128, -1) == -1
; run: @scmp8(0, 1) == -1
; run: @scmp8(-1, -5) == 1
; run: @scmp8(1, 2) == -1
; run: @scmp16(32767, 1) == 1
; run: @scmp16(-1, 1) == -1
; run: @scmp16(-32768, -1) == -1
; run: @scmp16(0, 1) == -1
; run: @scmp16(-2464, 0) == -1
; run: @scmp16(2, 32767) == -1
; run: @scmp32(2147483647, 1) == 1
; run: @scmp32(-1, 1) == -1
; run: @scmp32(-2147483648, -1) == -1
; run: @scmp32(0, 1) == -1
; run: @scmp32(2, 860306791) == -1
; run: @scmp32(-1874417752, 860306791) == -1
; run: @scmp33(4294967295, 1) == 1
; run: @scmp33(8589934591, 1) == -1
; run: @scmp33(4294967296, 8589934591) == -1
; run: @scmp33(0, 1) == -1
; run: @scmp33(2863311530, 6068581299) == 1
; run: @scmp33(2, 6068581299) == 1
; run: @scmp64(9223372036854775807, 1) == 1
; run: @scmp64(-1, 1) == -1
; run: @scmp64(-9223372036854775808, -1) == -1
; run: @scmp64(0, 1) == -1
; run: @scmp64(-1, 0) == -1
; run: @scmp64(-1, 6148914691236517205) == -1
; run: @scmp128(170141183460469231731687303715884105727, 1) == 1
; run: @scmp128(-1, 1) == -1
; run: @scmp128(-170141183460469231731687303715884105728, -1) == -1
; run: @scmp128(0, 1) == -1
; run: @scmp128(113427455640312821154458202477256070485, -43044061828618465384262264343870961661) == 1
; run: @scmp128(1, 0) == 1
; run: @ucmp1(0, 1) == -1
; run: @ucmp1(1, 1) == 0
; run: @ucmp1(1, 1) == 0
; run: @ucmp1(0, 1) == -1
; run: @ucmp1(1, 0) == 1
; run: @ucmp1(0, 0) == 0
; run: @ucmp7(63, 1) == 1
; run: @ucmp7(127, 1) == 1
; run: @ucmp7(64, 127) == -1
; run: @ucmp7(0, 1) == -1
; run: @ucmp7(22, 127) == -1
; run: @ucmp7(63, 124) == -1
; run: @ucmp8(127, 1) == 1
; run: @ucmp8(-1, 1) == 1
; run: @ucmp8(-128, -1) == -1
; run: @ucmp8(0, 1) == -1
; run: @ucmp8(85, 0) == 1
; run: @ucmp8(-26, 0) == 1
; run: @ucmp16(32767, 1) == 1
; run: @ucmp16(-1, 1) == 1
; run: @ucmp16(-32768, -1) == -1
; run: @ucmp16(0, 1) == -1
; run: @ucmp16(32767, 21845) == 1
; run: @ucmp16(2, -32768) == -1
; run: @ucmp32(2147483647, 1) == 1
; run: @ucmp32(-1, 1) == 1
; run: @ucmp32(-2147483648, -1) == -1
; run: @ucmp32(0, 1) == -1
; run: @ucmp32(553610593, -2147483648) == -1
; run: @ucmp32(2, 2) == 0
; run: @ucmp33(4294967295, 1) == 1
; run: @ucmp33(8589934591, 1) == 1
; run: @ucmp33(4294967296, 8589934591) == -1
; run: @ucmp33(0, 1) == -1
; run: @ucmp33(4294967295, 4294967296) == -1
; run: @ucmp33(1, 7966279053) == -1
; run: @ucmp64(9223372036854775807, 1) == 1
; run: @ucmp64(-1, 1) == 1
; run: @ucmp64(-9223372036854775808, -1) == -1
; run: @ucmp64(0, 1) == -1
; run: @ucmp64(0, -1) == -1
; run: @ucmp64(0, 0) == 0
; run: @ucmp128(170141183460469231731687303715884105727, 1) == 1
; run: @ucmp128(-1, 1) == 1
; run: @ucmp128(-170141183460469231731687303715884105728, -1) == -1
; run: @ucmp128(0, 1) == -1
; run: @ucmp128(2, 1) == 1
; run: @ucmp128(-1, -122869410628903639226721376775996230784) == 1

define i8 @scmp1(i1 %a, i1 %b) {
  %r = call i8 @llvm.scmp.i8.i1(i1 %a, i1 %b)
  ret i8 %r
}
declare i8 @llvm.scmp.i8.i1(i1, i1)

define i8 @scmp7(i7 %a, i7 %b) {
  %r = call i8 @llvm.scmp.i8.i7(i7 %a, i7 %b)
  ret i8 %r
}
declare i8 @llvm.scmp.i8.i7(i7, i7)

define i8 @scmp8(i8 %a, i8 %b) {
  %r = call i8 @llvm.scmp.i8.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.scmp.i8.i8(i8, i8)

define i8 @scmp16(i16 %a, i16 %b) {
  %r = call i8 @llvm.scmp.i8.i16(i16 %a, i16 %b)
  ret i8 %r
}
declare i8 @llvm.scmp.i8.i16(i16, i16)

define i8 @scmp32(i32 %a, i32 %b) {
  %r = call i8 @llvm.scmp.i8.i32(i32 %a, i32 %b)
  ret i8 %r
}
declare i8 @llvm.scmp.i8.i32(i32, i32)

define i8 @scmp33(i33 %a, i33 %b) {
  %r = call i8 @llvm.scmp.i8.i33(i33 %a, i33 %b)
  ret i8 %r
}
declare i8 @llvm.scmp.i8.i33(i33, i33)

define i8 @scmp64(i64 %a, i64 %b) {
  %r = call i8 @llvm.scmp.i8.i64(i64 %a, i64 %b)
  ret i8 %r
}
declare i8 @llvm.scmp.i8.i64(i64, i64)

define i8 @scmp128(i128 %a, i128 %b) {
  %r = call i8 @llvm.scmp.i8.i128(i128 %a, i128 %b)
  ret i8 %r
}
declare i8 @llvm.scmp.i8.i128(i128, i128)

define i8 @ucmp1(i1 %a, i1 %b) {
  %r = call i8 @llvm.ucmp.i8.i1(i1 %a, i1 %b)
  ret i8 %r
}
declare i8 @llvm.ucmp.i8.i1(i1, i1)

define i8 @ucmp7(i7 %a, i7 %b) {
  %r = call i8 @llvm.ucmp.i8.i7(i7 %a, i7 %b)
  ret i8 %r
}
declare i8 @llvm.ucmp.i8.i7(i7, i7)

define i8 @ucmp8(i8 %a, i8 %b) {
  %r = call i8 @llvm.ucmp.i8.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.ucmp.i8.i8(i8, i8)

define i8 @ucmp16(i16 %a, i16 %b) {
  %r = call i8 @llvm.ucmp.i8.i16(i16 %a, i16 %b)
  ret i8 %r
}
declare i8 @llvm.ucmp.i8.i16(i16, i16)

define i8 @ucmp32(i32 %a, i32 %b) {
  %r = call i8 @llvm.ucmp.i8.i32(i32 %a, i32 %b)
  ret i8 %r
}
declare i8 @llvm.ucmp.i8.i32(i32, i32)

define i8 @ucmp33(i33 %a, i33 %b) {
  %r = call i8 @llvm.ucmp.i8.i33(i33 %a, i33 %b)
  ret i8 %r
}
declare i8 @llvm.ucmp.i8.i33(i33, i33)

define i8 @ucmp64(i64 %a, i64 %b) {
  %r = call i8 @llvm.ucmp.i8.i64(i64 %a, i64 %b)
  ret i8 %r
}
declare i8 @llvm.ucmp.i8.i64(i64, i64)

define i8 @ucmp128(i128 %a, i128 %b) {
  %r = call i8 @llvm.ucmp.i8.i128(i128 %a, i128 %b)
  ret i8 %r
}
declare i8 @llvm.ucmp.i8.i128(i128, i128)

