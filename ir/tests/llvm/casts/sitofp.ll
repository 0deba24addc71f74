; Signed integers of every width as floats.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define float @sitofp_1_float(i1 %a) {
  %r = sitofp i1 %a to float
  ret float %r
}
; run: @sitofp_1_float(1) == -1.0
; run: @sitofp_1_float(0) == 0.0

define float @sitofp_3_float(i3 %a) {
  %r = sitofp i3 %a to float
  ret float %r
}
; run: @sitofp_3_float(1) == 1.0
; run: @sitofp_3_float(3) == 3.0
; run: @sitofp_3_float(7) == -1.0

define float @sitofp_8_float(i8 %a) {
  %r = sitofp i8 %a to float
  ret float %r
}
; run: @sitofp_8_float(-1) == -1.0
; run: @sitofp_8_float(127) == 127.0
; run: @sitofp_8_float(1) == 1.0

define float @sitofp_24_float(i24 %a) {
  %r = sitofp i24 %a to float
  ret float %r
}
; run: @sitofp_24_float(10447737) == -6329479.0
; run: @sitofp_24_float(16777214) == -2.0
; run: @sitofp_24_float(1) == 1.0
; run: @sitofp_24_float(5280735) == 5280735.0

define float @sitofp_32_float(i32 %a) {
  %r = sitofp i32 %a to float
  ret float %r
}
; run: @sitofp_32_float(-1) == -1.0
; run: @sitofp_32_float(2019576103) == 2019576000.0
; run: @sitofp_32_float(-652408475) == -652408450.0
; run: @sitofp_32_float(-1062438436) == -1062438460.0

define float @sitofp_33_float(i33 %a) {
  %r = sitofp i33 %a to float
  ret float %r
}
; run: @sitofp_33_float(4294967295) == 4294967300.0
; run: @sitofp_33_float(8589934591) == -1.0
; run: @sitofp_33_float(520103447) == 520103460.0

define float @sitofp_64_float(i64 %a) {
  %r = sitofp i64 %a to float
  ret float %r
}
; run: @sitofp_64_float(0) == 0.0
; run: @sitofp_64_float(-2) == -2.0
; run: @sitofp_64_float(6523771005691423199) == 6.523771e+18
; run: @sitofp_64_float(4898012029100229451) == 4.898012e+18

define float @sitofp_65_float(i65 %a) {
  %r = sitofp i65 %a to float
  ret float %r
}
; run: @sitofp_65_float(19735571210793757919) == -1.7157917e+19
; run: @sitofp_65_float(36893488147419103230) == -2.0
; run: @sitofp_65_float(26060341485155152631) == -1.0833146e+19
; run: @sitofp_65_float(17156109433986381419) == 1.715611e+19

define float @sitofp_127_float(i127 %a) {
  %r = sitofp i127 %a to float
  ret float %r
}
; run: @sitofp_127_float(1) == 1.0
; run: @sitofp_127_float(20047904597097708950538637765876638945) == 2.0047904e+37
; run: @sitofp_127_float(134368184057841177528300389946800066069) == -3.5772999e+37
; run: @sitofp_127_float(85038487717604807565183611147799794454) == 8.503849e+37

define float @sitofp_128_float(i128 %a) {
  %r = sitofp i128 %a to float
  ret float %r
}
; run: @sitofp_128_float(-97946310514962367584165490408442866026) == -9.794631e+37
; run: @sitofp_128_float(140754343443431561163778341398571614975) == 1.4075434e+38
; run: @sitofp_128_float(72498189167233289334871405107478106394) == 7.249819e+37
; run: @sitofp_128_float(0) == 0.0

define double @sitofp_1_double(i1 %a) {
  %r = sitofp i1 %a to double
  ret double %r
}
; run: @sitofp_1_double(0) == 0.0
; run: @sitofp_1_double(1) == -1.0

define double @sitofp_3_double(i3 %a) {
  %r = sitofp i3 %a to double
  ret double %r
}
; run: @sitofp_3_double(2) == 2.0
; run: @sitofp_3_double(6) == -2.0
; run: @sitofp_3_double(1) == 1.0

define double @sitofp_8_double(i8 %a) {
  %r = sitofp i8 %a to double
  ret double %r
}
; run: @sitofp_8_double(-2) == -2.0
; run: @sitofp_8_double(-128) == -128.0
; run: @sitofp_8_double(-1) == -1.0
; run: @sitofp_8_double(-66) == -66.0

define double @sitofp_24_double(i24 %a) {
  %r = sitofp i24 %a to double
  ret double %r
}
; run: @sitofp_24_double(15607071) == -1170145.0
; run: @sitofp_24_double(14741599) == -2035617.0
; run: @sitofp_24_double(2) == 2.0
; run: @sitofp_24_double(11807417) == -4969799.0

define double @sitofp_32_double(i32 %a) {
  %r = sitofp i32 %a to double
  ret double %r
}
; run: @sitofp_32_double(-1) == -1.0
; run: @sitofp_32_double(-981294886) == -981294886.0
; run: @sitofp_32_double(-754856167) == -754856167.0
; run: @sitofp_32_double(-2147483648) == -2147483648.0

define double @sitofp_33_double(i33 %a) {
  %r = sitofp i33 %a to double
  ret double %r
}
; run: @sitofp_33_double(1) == 1.0
; run: @sitofp_33_double(8589934591) == -1.0
; run: @sitofp_33_double(8481807301) == -108127291.0
; run: @sitofp_33_double(1544968031) == 1544968031.0

define double @sitofp_64_double(i64 %a) {
  %r = sitofp i64 %a to double
  ret double %r
}
; run: @sitofp_64_double(2247521068790737586) == 2.2475210687907377e+18
; run: @sitofp_64_double(4028627566393590344) == 4.0286275663935903e+18
; run: @sitofp_64_double(2) == 2.0
; run: @sitofp_64_double(5073975873223670213) == 5.07397587322367e+18

define double @sitofp_65_double(i65 %a) {
  %r = sitofp i65 %a to double
  ret double %r
}
; run: @sitofp_65_double(18446744073709551615) == 1.8446744073709552e+19
; run: @sitofp_65_double(18446744073709551616) == -1.8446744073709552e+19
; run: @sitofp_65_double(28368563005215183695) == -8.524925142203919e+18

define double @sitofp_127_double(i127 %a) {
  %r = sitofp i127 %a to double
  ret double %r
}
; run: @sitofp_127_double(2) == 2.0
; run: @sitofp_127_double(96717073429177831560856244790891105059) == -7.34241100312914e+37
; run: @sitofp_127_double(85070591730234615865843651857942052864) == -8.507059173023462e+37
; run: @sitofp_127_double(165701108633138460475519903743109752846) == -4.4400748273307714e+36

define double @sitofp_128_double(i128 %a) {
  %r = sitofp i128 %a to double
  ret double %r
}
; run: @sitofp_128_double(75878514251679912996128593181358776843) == 7.587851425167992e+37
; run: @sitofp_128_double(91215431871835685690301830119219751763) == 9.121543187183568e+37
; run: @sitofp_128_double(0) == 0.0
; run: @sitofp_128_double(-141244438825610621260387032443313232351) == -1.4124443882561062e+38
