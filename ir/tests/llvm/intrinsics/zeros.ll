; Zeros above and below, and absolute values.
; run: @ctlz1(0) == 1
; run: @ctlz1(1) == 0
; run: @ctlz7(0) == 7
; run: @ctlz7(1) == 6
; run: @ctlz7(2) == 5
; run: @ctlz7(18) == 2
; run: @ctlz7(42) == 1
; run: @ctlz7(63) == 1
; run: @ctlz7(64) == 0
; run: @ctlz7(69) == 0
; run: @ctlz7(127) == 0
; run: @ctlz8(0) == 8
; run: @ctlz8(1) == 7
; run: @ctlz8(2) == 6
; run: @ctlz8(30) == 3
; run: @ctlz8(85) == 1
; run: @ctlz8(127) == 1
; run: @ctlz8(-128) == 0
; run: @ctlz8(-110) == 0
; run: @ctlz8(-1) == 0
; run: @ctlz16(0) == 16
; run: @ctlz16(1) == 15
; run: @ctlz16(2) == 14
; run: @ctlz16(20216) == 1
; run: @ctlz16(21845) == 1
; run: @ctlz16(32767) == 1
; run: @ctlz16(-32768) == 0
; run: @ctlz16(-28819) == 0
; run: @ctlz16(-1) == 0
; run: @ctlz32(0) == 32
; run: @ctlz32(1) == 31
; run: @ctlz32(2) == 30
; run: @ctlz32(1431655765) == 1
; run: @ctlz32(2147483647) == 1
; run: @ctlz32(-2147483648) == 0
; run: @ctlz32(-1365788012) == 0
; run: @ctlz32(-789731281) == 0
; run: @ctlz32(-1) == 0
; run: @ctlz33(0) == 33
; run: @ctlz33(1) == 32
; run: @ctlz33(2) == 31
; run: @ctlz33(776213899) == 3
; run: @ctlz33(2863311530) == 1
; run: @ctlz33(4294967295) == 1
; run: @ctlz33(4294967296) == 0
; run: @ctlz33(6792920977) == 0
; run: @ctlz33(8589934591) == 0
; run: @ctlz64(0) == 64
; run: @ctlz64(1) == 63
; run: @ctlz64(2) == 62
; run: @ctlz64(1797276903956378115) == 3
; run: @ctlz64(3465608723044488519) == 2
; run: @ctlz64(6148914691236517205) == 1
; run: @ctlz64(9223372036854775807) == 1
; run: @ctlz64(-9223372036854775808) == 0
; run: @ctlz64(-1) == 0
; run: @ctlz128(0) == 128
; run: @ctlz128(1) == 127
; run: @ctlz128(2) == 126
; run: @ctlz128(113427455640312821154458202477256070485) == 1
; run: @ctlz128(168921097979293146671565599585786267060) == 1
; run: @ctlz128(170141183460469231731687303715884105727) == 1
; run: @ctlz128(-170141183460469231731687303715884105728) == 0
; run: @ctlz128(-148237788226827374308354835122236097751) == 0
; run: @ctlz128(-1) == 0
; run: @cttz1(0) == 1
; run: @cttz1(1) == 0
; run: @cttz7(0) == 7
; run: @cttz7(1) == 0
; run: @cttz7(2) == 1
; run: @cttz7(42) == 1
; run: @cttz7(63) == 0
; run: @cttz7(64) == 6
; run: @cttz7(68) == 2
; run: @cttz7(87) == 0
; run: @cttz7(127) == 0
; run: @cttz8(0) == 8
; run: @cttz8(1) == 0
; run: @cttz8(2) == 1
; run: @cttz8(85) == 0
; run: @cttz8(109) == 0
; run: @cttz8(127) == 0
; run: @cttz8(-128) == 7
; run: @cttz8(-58) == 1
; run: @cttz8(-1) == 0
; run: @cttz16(0) == 16
; run: @cttz16(1) == 0
; run: @cttz16(2) == 1
; run: @cttz16(20587) == 0
; run: @cttz16(21845) == 0
; run: @cttz16(30513) == 0
; run: @cttz16(32767) == 0
; run: @cttz16(-32768) == 15
; run: @cttz16(-1) == 0
; run: @cttz32(0) == 32
; run: @cttz32(1) == 0
; run: @cttz32(2) == 1
; run: @cttz32(1431655765) == 0
; run: @cttz32(2147483647) == 0
; run: @cttz32(-2147483648) == 31
; run: @cttz32(-1779998255) == 0
; run: @cttz32(-328816761) == 0
; run: @cttz32(-1) == 0
; run: @cttz33(0) == 33
; run: @cttz33(1) == 0
; run: @cttz33(2) == 1
; run: @cttz33(1287489453) == 0
; run: @cttz33(1946412080) == 4
; run: @cttz33(2863311530) == 1
; run: @cttz33(4294967295) == 0
; run: @cttz33(4294967296) == 32
; run: @cttz33(8589934591) == 0
; run: @cttz64(0) == 64
; run: @cttz64(1) == 0
; run: @cttz64(2) == 1
; run: @cttz64(3316111241534796839) == 0
; run: @cttz64(6148914691236517205) == 0
; run: @cttz64(9223372036854775807) == 0
; run: @cttz64(-9223372036854775808) == 63
; run: @cttz64(-4061426487772754796) == 2
; run: @cttz64(-1) == 0
; run: @cttz128(0) == 128
; run: @cttz128(1) == 0
; run: @cttz128(2) == 1
; run: @cttz128(102169481102401468981912840365844274171) == 0
; run: @cttz128(113427455640312821154458202477256070485) == 0
; run: @cttz128(116878720008775839257888946927095203617) == 0
; run: @cttz128(170141183460469231731687303715884105727) == 0
; run: @cttz128(-170141183460469231731687303715884105728) == 127
; run: @cttz128(-1) == 0
; run: @abs1(0) == 0
; run: @abs1(1) == 1
; run: @abs7(0) == 0
; run: @abs7(1) == 1
; run: @abs7(2) == 2
; run: @abs7(42) == 42
; run: @abs7(57) == 57
; run: @abs7(63) == 63
; run: @abs7(64) == 64
; run: @abs7(93) == 35
; run: @abs7(127) == 1
; run: @abs8(0) == 0
; run: @abs8(1) == 1
; run: @abs8(2) == 2
; run: @abs8(73) == 73
; run: @abs8(85) == 85
; run: @abs8(127) == 127
; run: @abs8(-128) == -128
; run: @abs8(-101) == 101
; run: @abs8(-1) == 1
; run: @abs16(0) == 0
; run: @abs16(1) == 1
; run: @abs16(2) == 2
; run: @abs16(4797) == 4797
; run: @abs16(21845) == 21845
; run: @abs16(32767) == 32767
; run: @abs16(-32768) == -32768
; run: @abs16(-1300) == 1300
; run: @abs16(-1) == 1
; run: @abs32(0) == 0
; run: @abs32(1) == 1
; run: @abs32(2) == 2
; run: @abs32(507088656) == 507088656
; run: @abs32(1431655765) == 1431655765
; run: @abs32(2147483647) == 2147483647
; run: @abs32(-2147483648) == -2147483648
; run: @abs32(-2096232516) == 2096232516
; run: @abs32(-1) == 1
; run: @abs33(0) == 0
; run: @abs33(1) == 1
; run: @abs33(2) == 2
; run: @abs33(1795823848) == 1795823848
; run: @abs33(2863311530) == 2863311530
; run: @abs33(3251895551) == 3251895551
; run: @abs33(4294967295) == 4294967295
; run: @abs33(4294967296) == 4294967296
; run: @abs33(8589934591) == 1
; run: @abs64(0) == 0
; run: @abs64(1) == 1
; run: @abs64(2) == 2
; run: @abs64(6148914691236517205) == 6148914691236517205
; run: @abs64(7778961656703135618) == 7778961656703135618
; run: @abs64(9223372036854775807) == 9223372036854775807
; run: @abs64(-9223372036854775808) == -9223372036854775808
; run: @abs64(-1230947375956593323) == 1230947375956593323
; run: @abs64(-1) == 1
; run: @abs128(0) == 0
; run: @abs128(1) == 1
; run: @abs128(2) == 2
; run: @abs128(26412879987918697722549053841251859607) == 26412879987918697722549053841251859607
; run: @abs128(113427455640312821154458202477256070485) == 113427455640312821154458202477256070485
; run: @abs128(170141183460469231731687303715884105727) == 170141183460469231731687303715884105727
; run: @abs128(-170141183460469231731687303715884105728) == -170141183460469231731687303715884105728
; run: @abs128(-71767534320038849561239930121845282146) == 71767534320038849561239930121845282146
; run: @abs128(-1) == 1

define i1 @ctlz1(i1 %a) {
  %r = call i1 @llvm.ctlz.i1(i1 %a, i1 false)
  ret i1 %r
}
declare i1 @llvm.ctlz.i1(i1, i1)

define i7 @ctlz7(i7 %a) {
  %r = call i7 @llvm.ctlz.i7(i7 %a, i1 false)
  ret i7 %r
}
declare i7 @llvm.ctlz.i7(i7, i1)

define i8 @ctlz8(i8 %a) {
  %r = call i8 @llvm.ctlz.i8(i8 %a, i1 false)
  ret i8 %r
}
declare i8 @llvm.ctlz.i8(i8, i1)

define i16 @ctlz16(i16 %a) {
  %r = call i16 @llvm.ctlz.i16(i16 %a, i1 false)
  ret i16 %r
}
declare i16 @llvm.ctlz.i16(i16, i1)

define i32 @ctlz32(i32 %a) {
  %r = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  ret i32 %r
}
declare i32 @llvm.ctlz.i32(i32, i1)

define i33 @ctlz33(i33 %a) {
  %r = call i33 @llvm.ctlz.i33(i33 %a, i1 false)
  ret i33 %r
}
declare i33 @llvm.ctlz.i33(i33, i1)

define i64 @ctlz64(i64 %a) {
  %r = call i64 @llvm.ctlz.i64(i64 %a, i1 false)
  ret i64 %r
}
declare i64 @llvm.ctlz.i64(i64, i1)

define i128 @ctlz128(i128 %a) {
  %r = call i128 @llvm.ctlz.i128(i128 %a, i1 false)
  ret i128 %r
}
declare i128 @llvm.ctlz.i128(i128, i1)

define i1 @cttz1(i1 %a) {
  %r = call i1 @llvm.cttz.i1(i1 %a, i1 false)
  ret i1 %r
}
declare i1 @llvm.cttz.i1(i1, i1)

define i7 @cttz7(i7 %a) {
  %r = call i7 @llvm.cttz.i7(i7 %a, i1 false)
  ret i7 %r
}
declare i7 @llvm.cttz.i7(i7, i1)

define i8 @cttz8(i8 %a) {
  %r = call i8 @llvm.cttz.i8(i8 %a, i1 false)
  ret i8 %r
}
declare i8 @llvm.cttz.i8(i8, i1)

define i16 @cttz16(i16 %a) {
  %r = call i16 @llvm.cttz.i16(i16 %a, i1 false)
  ret i16 %r
}
declare i16 @llvm.cttz.i16(i16, i1)

define i32 @cttz32(i32 %a) {
  %r = call i32 @llvm.cttz.i32(i32 %a, i1 false)
  ret i32 %r
}
declare i32 @llvm.cttz.i32(i32, i1)

define i33 @cttz33(i33 %a) {
  %r = call i33 @llvm.cttz.i33(i33 %a, i1 false)
  ret i33 %r
}
declare i33 @llvm.cttz.i33(i33, i1)

define i64 @cttz64(i64 %a) {
  %r = call i64 @llvm.cttz.i64(i64 %a, i1 false)
  ret i64 %r
}
declare i64 @llvm.cttz.i64(i64, i1)

define i128 @cttz128(i128 %a) {
  %r = call i128 @llvm.cttz.i128(i128 %a, i1 false)
  ret i128 %r
}
declare i128 @llvm.cttz.i128(i128, i1)

define i1 @abs1(i1 %a) {
  %r = call i1 @llvm.abs.i1(i1 %a, i1 false)
  ret i1 %r
}
declare i1 @llvm.abs.i1(i1, i1)

define i7 @abs7(i7 %a) {
  %r = call i7 @llvm.abs.i7(i7 %a, i1 false)
  ret i7 %r
}
declare i7 @llvm.abs.i7(i7, i1)

define i8 @abs8(i8 %a) {
  %r = call i8 @llvm.abs.i8(i8 %a, i1 false)
  ret i8 %r
}
declare i8 @llvm.abs.i8(i8, i1)

define i16 @abs16(i16 %a) {
  %r = call i16 @llvm.abs.i16(i16 %a, i1 false)
  ret i16 %r
}
declare i16 @llvm.abs.i16(i16, i1)

define i32 @abs32(i32 %a) {
  %r = call i32 @llvm.abs.i32(i32 %a, i1 false)
  ret i32 %r
}
declare i32 @llvm.abs.i32(i32, i1)

define i33 @abs33(i33 %a) {
  %r = call i33 @llvm.abs.i33(i33 %a, i1 false)
  ret i33 %r
}
declare i33 @llvm.abs.i33(i33, i1)

define i64 @abs64(i64 %a) {
  %r = call i64 @llvm.abs.i64(i64 %a, i1 false)
  ret i64 %r
}
declare i64 @llvm.abs.i64(i64, i1)

define i128 @abs128(i128 %a) {
  %r = call i128 @llvm.abs.i128(i128 %a, i1 false)
  ret i128 %r
}
declare i128 @llvm.abs.i128(i128, i1)

