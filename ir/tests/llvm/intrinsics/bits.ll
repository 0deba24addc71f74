; Bits of integers of every width.
; run: @ctpop1(0) == 0
; run: @ctpop1(1) == 1
; run: @ctpop7(0) == 0
; run: @ctpop7(1) == 1
; run: @ctpop7(2) == 1
; run: @ctpop7(41) == 3
; run: @ctpop7(42) == 3
; run: @ctpop7(63) == 6
; run: @ctpop7(64) == 1
; run: @ctpop7(121) == 5
; run: @ctpop7(127) == 7
; run: @ctpop8(0) == 0
; run: @ctpop8(1) == 1
; run: @ctpop8(2) == 1
; run: @ctpop8(38) == 3
; run: @ctpop8(85) == 4
; run: @ctpop8(101) == 4
; run: @ctpop8(127) == 7
; run: @ctpop8(-128) == 1
; run: @ctpop8(-1) == 8
; run: @ctpop16(0) == 0
; run: @ctpop16(1) == 1
; run: @ctpop16(2) == 1
; run: @ctpop16(3164) == 6
; run: @ctpop16(21845) == 8
; run: @ctpop16(32767) == 15
; run: @ctpop16(-32768) == 1
; run: @ctpop16(-22877) == 8
; run: @ctpop16(-1) == 16
; run: @ctpop32(0) == 0
; run: @ctpop32(1) == 1
; run: @ctpop32(2) == 1
; run: @ctpop32(311111475) == 15
; run: @ctpop32(1431655765) == 16
; run: @ctpop32(2147483647) == 31
; run: @ctpop32(-2147483648) == 1
; run: @ctpop32(-767621084) == 13
; run: @ctpop32(-1) == 32
; run: @ctpop33(0) == 0
; run: @ctpop33(1) == 1
; run: @ctpop33(2) == 1
; run: @ctpop33(2301595691) == 14
; run: @ctpop33(2863311530) == 16
; run: @ctpop33(4294967295) == 32
; run: @ctpop33(4294967296) == 1
; run: @ctpop33(5865589240) == 20
; run: @ctpop33(8589934591) == 33
; run: @ctpop64(0) == 0
; run: @ctpop64(1) == 1
; run: @ctpop64(2) == 1
; run: @ctpop64(3960482443532127989) == 37
; run: @ctpop64(6148914691236517205) == 32
; run: @ctpop64(9223372036854775807) == 63
; run: @ctpop64(-9223372036854775808) == 1
; run: @ctpop64(-1665666021688015755) == 30
; run: @ctpop64(-1) == 64
; run: @ctpop128(0) == 0
; run: @ctpop128(1) == 1
; run: @ctpop128(2) == 1
; run: @ctpop128(113427455640312821154458202477256070485) == 64
; run: @ctpop128(142296611445275798544334485869926371544) == 56
; run: @ctpop128(170141183460469231731687303715884105727) == 127
; run: @ctpop128(-170141183460469231731687303715884105728) == 1
; run: @ctpop128(-152770703075425328188359077638786905201) == 64
; run: @ctpop128(-1) == 128
; run: @bitreverse1(0) == 0
; run: @bitreverse1(1) == 1
; run: @bitreverse7(0) == 0
; run: @bitreverse7(1) == 64
; run: @bitreverse7(2) == 32
; run: @bitreverse7(7) == 112
; run: @bitreverse7(42) == 42
; run: @bitreverse7(54) == 54
; run: @bitreverse7(63) == 126
; run: @bitreverse7(64) == 1
; run: @bitreverse7(127) == 127
; run: @bitreverse8(0) == 0
; run: @bitreverse8(1) == -128
; run: @bitreverse8(2) == 64
; run: @bitreverse8(85) == -86
; run: @bitreverse8(127) == -2
; run: @bitreverse8(-128) == 1
; run: @bitreverse8(-112) == 9
; run: @bitreverse8(-45) == -53
; run: @bitreverse8(-1) == -1
; run: @bitreverse16(0) == 0
; run: @bitreverse16(1) == -32768
; run: @bitreverse16(2) == 16384
; run: @bitreverse16(8113) == -29192
; run: @bitreverse16(21845) == -21846
; run: @bitreverse16(32767) == -2
; run: @bitreverse16(-32768) == 1
; run: @bitreverse16(-3444) == 12623
; run: @bitreverse16(-1) == -1
; run: @bitreverse32(0) == 0
; run: @bitreverse32(1) == -2147483648
; run: @bitreverse32(2) == 1073741824
; run: @bitreverse32(958804057) == -1710463844
; run: @bitreverse32(1431655765) == -1431655766
; run: @bitreverse32(2147483647) == -2
; run: @bitreverse32(-2147483648) == 1
; run: @bitreverse32(-1586449608) == 483200645
; run: @bitreverse32(-1) == -1
; run: @bitreverse33(0) == 0
; run: @bitreverse33(1) == 4294967296
; run: @bitreverse33(2) == 2147483648
; run: @bitreverse33(2863311530) == 2863311530
; run: @bitreverse33(4070378921) == 5022773918
; run: @bitreverse33(4294967295) == 8589934590
; run: @bitreverse33(4294967296) == 1
; run: @bitreverse33(6989772469) == 5819462155
; run: @bitreverse33(8589934591) == 8589934591
; run: @bitreverse64(0) == 0
; run: @bitreverse64(1) == -9223372036854775808
; run: @bitreverse64(2) == 4611686018427387904
; run: @bitreverse64(914761360679426580) == 2907972574393109808
; run: @bitreverse64(6148914691236517205) == -6148914691236517206
; run: @bitreverse64(9223372036854775807) == -2
; run: @bitreverse64(-9223372036854775808) == 1
; run: @bitreverse64(-7645411267552934705) == -927532849310963799
; run: @bitreverse64(-1) == -1
; run: @bitreverse128(0) == 0
; run: @bitreverse128(1) == -170141183460469231731687303715884105728
; run: @bitreverse128(2) == 85070591730234615865843651857942052864
; run: @bitreverse128(113427455640312821154458202477256070485) == -113427455640312821154458202477256070486
; run: @bitreverse128(142625625631148033003252568128938612427) == -59269341348702339591188540149585857834
; run: @bitreverse128(170141183460469231731687303715884105727) == -2
; run: @bitreverse128(-170141183460469231731687303715884105728) == 1
; run: @bitreverse128(-150859117665042529299367761939833038132) == 68267500117453528063453662862184644977
; run: @bitreverse128(-1) == -1

define i1 @ctpop1(i1 %a) {
  %r = call i1 @llvm.ctpop.i1(i1 %a)
  ret i1 %r
}
declare i1 @llvm.ctpop.i1(i1)

define i7 @ctpop7(i7 %a) {
  %r = call i7 @llvm.ctpop.i7(i7 %a)
  ret i7 %r
}
declare i7 @llvm.ctpop.i7(i7)

define i8 @ctpop8(i8 %a) {
  %r = call i8 @llvm.ctpop.i8(i8 %a)
  ret i8 %r
}
declare i8 @llvm.ctpop.i8(i8)

define i16 @ctpop16(i16 %a) {
  %r = call i16 @llvm.ctpop.i16(i16 %a)
  ret i16 %r
}
declare i16 @llvm.ctpop.i16(i16)

define i32 @ctpop32(i32 %a) {
  %r = call i32 @llvm.ctpop.i32(i32 %a)
  ret i32 %r
}
declare i32 @llvm.ctpop.i32(i32)

define i33 @ctpop33(i33 %a) {
  %r = call i33 @llvm.ctpop.i33(i33 %a)
  ret i33 %r
}
declare i33 @llvm.ctpop.i33(i33)

define i64 @ctpop64(i64 %a) {
  %r = call i64 @llvm.ctpop.i64(i64 %a)
  ret i64 %r
}
declare i64 @llvm.ctpop.i64(i64)

define i128 @ctpop128(i128 %a) {
  %r = call i128 @llvm.ctpop.i128(i128 %a)
  ret i128 %r
}
declare i128 @llvm.ctpop.i128(i128)

define i1 @bitreverse1(i1 %a) {
  %r = call i1 @llvm.bitreverse.i1(i1 %a)
  ret i1 %r
}
declare i1 @llvm.bitreverse.i1(i1)

define i7 @bitreverse7(i7 %a) {
  %r = call i7 @llvm.bitreverse.i7(i7 %a)
  ret i7 %r
}
declare i7 @llvm.bitreverse.i7(i7)

define i8 @bitreverse8(i8 %a) {
  %r = call i8 @llvm.bitreverse.i8(i8 %a)
  ret i8 %r
}
declare i8 @llvm.bitreverse.i8(i8)

define i16 @bitreverse16(i16 %a) {
  %r = call i16 @llvm.bitreverse.i16(i16 %a)
  ret i16 %r
}
declare i16 @llvm.bitreverse.i16(i16)

define i32 @bitreverse32(i32 %a) {
  %r = call i32 @llvm.bitreverse.i32(i32 %a)
  ret i32 %r
}
declare i32 @llvm.bitreverse.i32(i32)

define i33 @bitreverse33(i33 %a) {
  %r = call i33 @llvm.bitreverse.i33(i33 %a)
  ret i33 %r
}
declare i33 @llvm.bitreverse.i33(i33)

define i64 @bitreverse64(i64 %a) {
  %r = call i64 @llvm.bitreverse.i64(i64 %a)
  ret i64 %r
}
declare i64 @llvm.bitreverse.i64(i64)

define i128 @bitreverse128(i128 %a) {
  %r = call i128 @llvm.bitreverse.i128(i128 %a)
  ret i128 %r
}
declare i128 @llvm.bitreverse.i128(i128)

