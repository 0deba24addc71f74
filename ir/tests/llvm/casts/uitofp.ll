; Unsigned integers of every width as floats.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define float @uitofp_1_float(i1 %a) {
  %r = uitofp i1 %a to float
  ret float %r
}
; run: @uitofp_1_float(0) == 0.0
; run: @uitofp_1_float(1) == 1.0

define float @uitofp_3_float(i3 %a) {
  %r = uitofp i3 %a to float
  ret float %r
}
; run: @uitofp_3_float(7) == 7.0
; run: @uitofp_3_float(2) == 2.0
; run: @uitofp_3_float(3) == 3.0

define float @uitofp_8_float(i8 %a) {
  %r = uitofp i8 %a to float
  ret float %r
}
; run: @uitofp_8_float(127) == 127.0
; run: @uitofp_8_float(2) == 2.0
; run: @uitofp_8_float(-98) == 158.0
; run: @uitofp_8_float(-1) == 255.0

define float @uitofp_24_float(i24 %a) {
  %r = uitofp i24 %a to float
  ret float %r
}
; run: @uitofp_24_float(1877067) == 1877067.0
; run: @uitofp_24_float(16777215) == 16777215.0
; run: @uitofp_24_float(1282620) == 1282620.0
; run: @uitofp_24_float(8660553) == 8660553.0

define float @uitofp_32_float(i32 %a) {
  %r = uitofp i32 %a to float
  ret float %r
}
; run: @uitofp_32_float(-2) == 4294967300.0
; run: @uitofp_32_float(2) == 2.0
; run: @uitofp_32_float(-973598053) == 3321369300.0
; run: @uitofp_32_float(-2147483648) == 2147483600.0

define float @uitofp_33_float(i33 %a) {
  %r = uitofp i33 %a to float
  ret float %r
}
; run: @uitofp_33_float(7894110357) == 7894110000.0
; run: @uitofp_33_float(8589934590) == 8589935000.0
; run: @uitofp_33_float(8246102226) == 8246102000.0
; run: @uitofp_33_float(3090282611) == 3090282500.0

define float @uitofp_64_float(i64 %a) {
  %r = uitofp i64 %a to float
  ret float %r
}
; run: @uitofp_64_float(1) == 1.0
; run: @uitofp_64_float(-2) == 1.8446744e+19
; run: @uitofp_64_float(-4660245336481852136) == 1.3786499e+19
; run: @uitofp_64_float(-8158007038626507765) == 1.0288737e+19

define float @uitofp_65_float(i65 %a) {
  %r = uitofp i65 %a to float
  ret float %r
}
; run: @uitofp_65_float(1) == 1.0
; run: @uitofp_65_float(36893488147419103231) == 3.689349e+19
; run: @uitofp_65_float(1941708471921899701) == 1.9417085e+18
; run: @uitofp_65_float(6553401638830892566) == 6.5534016e+18

define float @uitofp_127_float(i127 %a) {
  %r = uitofp i127 %a to float
  ret float %r
}
; run: @uitofp_127_float(131470820970503549877120206821116785834) == 1.3147082e+38
; run: @uitofp_127_float(0) == 0.0
; run: @uitofp_127_float(80181116466971356378325747433596192594) == 8.0181116e+37

define float @uitofp_128_float(i128 %a) {
  %r = uitofp i128 %a to float
  ret float %r
}
; run: @uitofp_128_float(-34946114676593523248181076732433614440) == 3.0533626e+38
; run: @uitofp_128_float(-160510750729523246184708897132123710882) == 1.7977162e+38
; run: @uitofp_128_float(-170141183460469231731687303715884105728) == 1.7014118e+38
; run: @uitofp_128_float(-1) == inf

define double @uitofp_1_double(i1 %a) {
  %r = uitofp i1 %a to double
  ret double %r
}
; run: @uitofp_1_double(0) == 0.0
; run: @uitofp_1_double(1) == 1.0

define double @uitofp_3_double(i3 %a) {
  %r = uitofp i3 %a to double
  ret double %r
}
; run: @uitofp_3_double(2) == 2.0
; run: @uitofp_3_double(1) == 1.0
; run: @uitofp_3_double(6) == 6.0

define double @uitofp_8_double(i8 %a) {
  %r = uitofp i8 %a to double
  ret double %r
}
; run: @uitofp_8_double(1) == 1.0
; run: @uitofp_8_double(-120) == 136.0
; run: @uitofp_8_double(0) == 0.0
; run: @uitofp_8_double(-7) == 249.0

define double @uitofp_24_double(i24 %a) {
  %r = uitofp i24 %a to double
  ret double %r
}
; run: @uitofp_24_double(7779795) == 7779795.0
; run: @uitofp_24_double(3421863) == 3421863.0
; run: @uitofp_24_double(8962101) == 8962101.0
; run: @uitofp_24_double(14403539) == 14403539.0

define double @uitofp_32_double(i32 %a) {
  %r = uitofp i32 %a to double
  ret double %r
}
; run: @uitofp_32_double(-2147483648) == 2147483648.0
; run: @uitofp_32_double(2147483647) == 2147483647.0
; run: @uitofp_32_double(2) == 2.0
; run: @uitofp_32_double(31510784) == 31510784.0

define double @uitofp_33_double(i33 %a) {
  %r = uitofp i33 %a to double
  ret double %r
}
; run: @uitofp_33_double(8589934591) == 8589934591.0
; run: @uitofp_33_double(0) == 0.0
; run: @uitofp_33_double(1) == 1.0
; run: @uitofp_33_double(1889943940) == 1889943940.0

define double @uitofp_64_double(i64 %a) {
  %r = uitofp i64 %a to double
  ret double %r
}
; run: @uitofp_64_double(2) == 2.0
; run: @uitofp_64_double(8109730894018625318) == 8.109730894018626e+18
; run: @uitofp_64_double(-5082492565665217175) == 1.3364251508044335e+19
; run: @uitofp_64_double(8682120206079250862) == 8.68212020607925e+18

define double @uitofp_65_double(i65 %a) {
  %r = uitofp i65 %a to double
  ret double %r
}
; run: @uitofp_65_double(2) == 2.0
; run: @uitofp_65_double(18260884065734852921) == 1.8260884065734853e+19
; run: @uitofp_65_double(31212484153388134595) == 3.1212484153388134e+19
; run: @uitofp_65_double(1) == 1.0

define double @uitofp_127_double(i127 %a) {
  %r = uitofp i127 %a to double
  ret double %r
}
; run: @uitofp_127_double(85070591730234615865843651857942052863) == 8.507059173023462e+37
; run: @uitofp_127_double(0) == 0.0
; run: @uitofp_127_double(38914544664847945294073921907611887986) == 3.8914544664847945e+37
; run: @uitofp_127_double(85070591730234615865843651857942052864) == 8.507059173023462e+37

define double @uitofp_128_double(i128 %a) {
  %r = uitofp i128 %a to double
  ret double %r
}
; run: @uitofp_128_double(-88987639719849048909368909549161541681) == 2.512947272010894e+38
; run: @uitofp_128_double(-31308208082916961127489237924306916748) == 3.089741588380215e+38
; run: @uitofp_128_double(158753326059798515054585063575228715378) == 1.5875332605979852e+38
; run: @uitofp_128_double(1) == 1.0
