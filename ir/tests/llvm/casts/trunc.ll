; Bits above the narrower width are gone, also where both widths have one carrier.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @trunc_3_1(i3 %a) {
  %r = trunc i3 %a to i1
  ret i1 %r
}
; run: @trunc_3_1(3) == 1
; run: @trunc_3_1(2) == 0

define i1 @trunc_8_1(i8 %a) {
  %r = trunc i8 %a to i1
  ret i1 %r
}
; run: @trunc_8_1(-128) == 0
; run: @trunc_8_1(122) == 0
; run: @trunc_8_1(-34) == 0

define i1 @trunc_24_1(i24 %a) {
  %r = trunc i24 %a to i1
  ret i1 %r
}
; run: @trunc_24_1(16009920) == 0
; run: @trunc_24_1(13804792) == 0
; run: @trunc_24_1(0) == 0

define i1 @trunc_32_1(i32 %a) {
  %r = trunc i32 %a to i1
  ret i1 %r
}
; run: @trunc_32_1(2147483647) == 1
; run: @trunc_32_1(1072594558) == 0
; run: @trunc_32_1(2) == 0

define i1 @trunc_33_1(i33 %a) {
  %r = trunc i33 %a to i1
  ret i1 %r
}
; run: @trunc_33_1(4109547424) == 0
; run: @trunc_33_1(0) == 0
; run: @trunc_33_1(5196129578) == 0

define i1 @trunc_64_1(i64 %a) {
  %r = trunc i64 %a to i1
  ret i1 %r
}
; run: @trunc_64_1(852041033976960730) == 0
; run: @trunc_64_1(8099527898341597419) == 1
; run: @trunc_64_1(-2) == 0

define i1 @trunc_65_1(i65 %a) {
  %r = trunc i65 %a to i1
  ret i1 %r
}
; run: @trunc_65_1(36893488147419103231) == 1
; run: @trunc_65_1(2057891256433234448) == 0
; run: @trunc_65_1(20907249804480460809) == 1

define i1 @trunc_127_1(i127 %a) {
  %r = trunc i127 %a to i1
  ret i1 %r
}
; run: @trunc_127_1(85070591730234615865843651857942052864) == 0
; run: @trunc_127_1(79027029239813160891417370964103065195) == 1
; run: @trunc_127_1(109258157649571812864742737844909991836) == 0

define i1 @trunc_128_1(i128 %a) {
  %r = trunc i128 %a to i1
  ret i1 %r
}
; run: @trunc_128_1(114221551871527523590954972657811138018) == 0
; run: @trunc_128_1(68525372431808238301565135505496809157) == 1
; run: @trunc_128_1(45880869824860837692749462380614800603) == 1

define i3 @trunc_8_3(i8 %a) {
  %r = trunc i8 %a to i3
  ret i3 %r
}
; run: @trunc_8_3(1) == 1
; run: @trunc_8_3(2) == 2
; run: @trunc_8_3(0) == 0

define i3 @trunc_24_3(i24 %a) {
  %r = trunc i24 %a to i3
  ret i3 %r
}
; run: @trunc_24_3(16777215) == 7
; run: @trunc_24_3(0) == 0
; run: @trunc_24_3(8388607) == 7

define i3 @trunc_32_3(i32 %a) {
  %r = trunc i32 %a to i3
  ret i3 %r
}
; run: @trunc_32_3(-2038323940) == 4
; run: @trunc_32_3(1) == 1
; run: @trunc_32_3(-2147483648) == 0

define i3 @trunc_33_3(i33 %a) {
  %r = trunc i33 %a to i3
  ret i3 %r
}
; run: @trunc_33_3(2) == 2
; run: @trunc_33_3(0) == 0
; run: @trunc_33_3(8589934590) == 6

define i3 @trunc_64_3(i64 %a) {
  %r = trunc i64 %a to i3
  ret i3 %r
}
; run: @trunc_64_3(0) == 0
; run: @trunc_64_3(1) == 1
; run: @trunc_64_3(-2155419609516636589) == 3

define i3 @trunc_65_3(i65 %a) {
  %r = trunc i65 %a to i3
  ret i3 %r
}
; run: @trunc_65_3(0) == 0
; run: @trunc_65_3(1) == 1
; run: @trunc_65_3(36893488147419103231) == 7

define i3 @trunc_127_3(i127 %a) {
  %r = trunc i127 %a to i3
  ret i3 %r
}
; run: @trunc_127_3(0) == 0
; run: @trunc_127_3(85070591730234615865843651857942052864) == 0

define i3 @trunc_128_3(i128 %a) {
  %r = trunc i128 %a to i3
  ret i3 %r
}
; run: @trunc_128_3(-106118963416864294723646715186738905772) == 4
; run: @trunc_128_3(170141183460469231731687303715884105727) == 7
; run: @trunc_128_3(-170141183460469231731687303715884105728) == 0

define i8 @trunc_24_8(i24 %a) {
  %r = trunc i24 %a to i8
  ret i8 %r
}
; run: @trunc_24_8(8388607) == -1
; run: @trunc_24_8(14664524) == 76
; run: @trunc_24_8(4506205) == 93

define i8 @trunc_32_8(i32 %a) {
  %r = trunc i32 %a to i8
  ret i8 %r
}
; run: @trunc_32_8(-1) == -1
; run: @trunc_32_8(2147483647) == -1
; run: @trunc_32_8(1662485751) == -9

define i8 @trunc_33_8(i33 %a) {
  %r = trunc i33 %a to i8
  ret i8 %r
}
; run: @trunc_33_8(3786785126) == 102
; run: @trunc_33_8(8152265576) == 104
; run: @trunc_33_8(5321857388) == 108

define i8 @trunc_64_8(i64 %a) {
  %r = trunc i64 %a to i8
  ret i8 %r
}
; run: @trunc_64_8(-1) == -1
; run: @trunc_64_8(6953835359992091926) == 22
; run: @trunc_64_8(3660215358475181748) == -76

define i8 @trunc_65_8(i65 %a) {
  %r = trunc i65 %a to i8
  ret i8 %r
}
; run: @trunc_65_8(33998406703950422865) == 81
; run: @trunc_65_8(13215448983093433157) == 69
; run: @trunc_65_8(18446744073709551616) == 0

define i8 @trunc_127_8(i127 %a) {
  %r = trunc i127 %a to i8
  ret i8 %r
}
; run: @trunc_127_8(2) == 2
; run: @trunc_127_8(85070591730234615865843651857942052864) == 0

define i8 @trunc_128_8(i128 %a) {
  %r = trunc i128 %a to i8
  ret i8 %r
}
; run: @trunc_128_8(2) == 2
; run: @trunc_128_8(-138735199946865797685086670376164278471) == 57
; run: @trunc_128_8(170141183460469231731687303715884105727) == -1

define i24 @trunc_32_24(i32 %a) {
  %r = trunc i32 %a to i24
  ret i24 %r
}
; run: @trunc_32_24(2) == 2
; run: @trunc_32_24(-560773058) == 9652286

define i24 @trunc_33_24(i33 %a) {
  %r = trunc i33 %a to i24
  ret i24 %r
}
; run: @trunc_33_24(4294967296) == 0
; run: @trunc_33_24(2) == 2
; run: @trunc_33_24(1383566573) == 7834861

define i24 @trunc_64_24(i64 %a) {
  %r = trunc i64 %a to i24
  ret i24 %r
}
; run: @trunc_64_24(-6193632302115423497) == 424695
; run: @trunc_64_24(-9223372036854775808) == 0
; run: @trunc_64_24(-1683319934125038545) == 2401327

define i24 @trunc_65_24(i65 %a) {
  %r = trunc i65 %a to i24
  ret i24 %r
}
; run: @trunc_65_24(13310457460508760910) == 9608014
; run: @trunc_65_24(18446744073709551615) == 16777215
; run: @trunc_65_24(1) == 1

define i24 @trunc_127_24(i127 %a) {
  %r = trunc i127 %a to i24
  ret i24 %r
}
; run: @trunc_127_24(170141183460469231731687303715884105726) == 16777214
; run: @trunc_127_24(85070591730234615865843651857942052864) == 0
; run: @trunc_127_24(1) == 1

define i24 @trunc_128_24(i128 %a) {
  %r = trunc i128 %a to i24
  ret i24 %r
}
; run: @trunc_128_24(51878475251357853274429251837207488475) == 1550299
; run: @trunc_128_24(-17912094583402316015506955246150212623) == 14033905
; run: @trunc_128_24(-30436857561773571547008337528299271392) == 14600992

define i32 @trunc_33_32(i33 %a) {
  %r = trunc i33 %a to i32
  ret i32 %r
}
; run: @trunc_33_32(4294967295) == -1
; run: @trunc_33_32(8589934590) == -2
; run: @trunc_33_32(528427064) == 528427064

define i32 @trunc_64_32(i64 %a) {
  %r = trunc i64 %a to i32
  ret i32 %r
}
; run: @trunc_64_32(-1) == -1
; run: @trunc_64_32(-2) == -2

define i32 @trunc_65_32(i65 %a) {
  %r = trunc i65 %a to i32
  ret i32 %r
}
; run: @trunc_65_32(36893488147419103231) == -1
; run: @trunc_65_32(0) == 0

define i32 @trunc_127_32(i127 %a) {
  %r = trunc i127 %a to i32
  ret i32 %r
}
; run: @trunc_127_32(107977623608078070467955354141398436951) == -1309897641
; run: @trunc_127_32(170141183460469231731687303715884105726) == -2
; run: @trunc_127_32(85070591730234615865843651857942052864) == 0

define i32 @trunc_128_32(i128 %a) {
  %r = trunc i128 %a to i32
  ret i32 %r
}
; run: @trunc_128_32(2) == 2
; run: @trunc_128_32(170141183460469231731687303715884105727) == -1
; run: @trunc_128_32(1) == 1

define i33 @trunc_64_33(i64 %a) {
  %r = trunc i64 %a to i33
  ret i33 %r
}
; run: @trunc_64_33(6273637892333806736) == 2247926928
; run: @trunc_64_33(327738407004132996) == 1086051972
; run: @trunc_64_33(0) == 0

define i33 @trunc_65_33(i65 %a) {
  %r = trunc i65 %a to i33
  ret i33 %r
}
; run: @trunc_65_33(0) == 0
; run: @trunc_65_33(36893488147419103231) == 8589934591
; run: @trunc_65_33(16914280747035779709) == 5474345597

define i33 @trunc_127_33(i127 %a) {
  %r = trunc i127 %a to i33
  ret i33 %r
}
; run: @trunc_127_33(170141183460469231731687303715884105727) == 8589934591
; run: @trunc_127_33(83946176111624948940186322926972260723) == 4687221107
; run: @trunc_127_33(163057817988088661742478751827885129291) == 866221643

define i33 @trunc_128_33(i128 %a) {
  %r = trunc i128 %a to i33
  ret i33 %r
}
; run: @trunc_128_33(-27045655274038973469420344947175052455) == 2653694809
; run: @trunc_128_33(170141183460469231731687303715884105727) == 8589934591
; run: @trunc_128_33(0) == 0

define i64 @trunc_65_64(i65 %a) {
  %r = trunc i65 %a to i64
  ret i64 %r
}
; run: @trunc_65_64(17889347445550565523) == -557396628158986093
; run: @trunc_65_64(18446744073709551616) == 0
; run: @trunc_65_64(4401870953361163842) == 4401870953361163842

define i64 @trunc_127_64(i127 %a) {
  %r = trunc i127 %a to i64
  ret i64 %r
}
; run: @trunc_127_64(32600739155598773239252240123572859614) == -1386880132284337442
; run: @trunc_127_64(63353083167762759497816406030266517318) == -5314580584108275898
; run: @trunc_127_64(1) == 1

define i64 @trunc_128_64(i128 %a) {
  %r = trunc i128 %a to i64
  ret i64 %r
}
; run: @trunc_128_64(0) == 0
; run: @trunc_128_64(170141183460469231731687303715884105727) == -1
; run: @trunc_128_64(-170141183460469231731687303715884105728) == 0

define i65 @trunc_127_65(i127 %a) {
  %r = trunc i127 %a to i65
  ret i65 %r
}
; run: @trunc_127_65(2) == 2
; run: @trunc_127_65(95872767982917751880210997390049347032) == 1988718236393080280
; run: @trunc_127_65(85070591730234615865843651857942052863) == 36893488147419103231

define i65 @trunc_128_65(i128 %a) {
  %r = trunc i128 %a to i65
  ret i65 %r
}
; run: @trunc_128_65(161158552836466393693932814402935166163) == 26100163741634368723
; run: @trunc_128_65(0) == 0
; run: @trunc_128_65(170141183460469231731687303715884105727) == 36893488147419103231

define i127 @trunc_128_127(i128 %a) {
  %r = trunc i128 %a to i127
  ret i127 %r
}
; run: @trunc_128_127(-2) == 170141183460469231731687303715884105726
; run: @trunc_128_127(68139776927744081215463412396904550085) == 68139776927744081215463412396904550085
; run: @trunc_128_127(0) == 0
