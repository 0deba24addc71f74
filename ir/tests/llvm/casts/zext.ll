; Zeros above the narrower width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i3 @zext_1_3(i1 %a) {
  %r = zext i1 %a to i3
  ret i3 %r
}
; run: @zext_1_3(0) == 0
; run: @zext_1_3(1) == 1

define i8 @zext_1_8(i1 %a) {
  %r = zext i1 %a to i8
  ret i8 %r
}
; run: @zext_1_8(1) == 1
; run: @zext_1_8(0) == 0

define i24 @zext_1_24(i1 %a) {
  %r = zext i1 %a to i24
  ret i24 %r
}
; run: @zext_1_24(1) == 1

define i32 @zext_1_32(i1 %a) {
  %r = zext i1 %a to i32
  ret i32 %r
}
; run: @zext_1_32(1) == 1
; run: @zext_1_32(0) == 0

define i33 @zext_1_33(i1 %a) {
  %r = zext i1 %a to i33
  ret i33 %r
}
; run: @zext_1_33(1) == 1
; run: @zext_1_33(0) == 0

define i64 @zext_1_64(i1 %a) {
  %r = zext i1 %a to i64
  ret i64 %r
}
; run: @zext_1_64(0) == 0
; run: @zext_1_64(1) == 1

define i65 @zext_1_65(i1 %a) {
  %r = zext i1 %a to i65
  ret i65 %r
}
; run: @zext_1_65(0) == 0
; run: @zext_1_65(1) == 1

define i127 @zext_1_127(i1 %a) {
  %r = zext i1 %a to i127
  ret i127 %r
}
; run: @zext_1_127(0) == 0
; run: @zext_1_127(1) == 1

define i128 @zext_1_128(i1 %a) {
  %r = zext i1 %a to i128
  ret i128 %r
}
; run: @zext_1_128(1) == 1
; run: @zext_1_128(0) == 0

define i8 @zext_3_8(i3 %a) {
  %r = zext i3 %a to i8
  ret i8 %r
}
; run: @zext_3_8(7) == 7
; run: @zext_3_8(0) == 0
; run: @zext_3_8(2) == 2

define i24 @zext_3_24(i3 %a) {
  %r = zext i3 %a to i24
  ret i24 %r
}
; run: @zext_3_24(3) == 3
; run: @zext_3_24(5) == 5
; run: @zext_3_24(7) == 7

define i32 @zext_3_32(i3 %a) {
  %r = zext i3 %a to i32
  ret i32 %r
}
; run: @zext_3_32(2) == 2
; run: @zext_3_32(0) == 0

define i33 @zext_3_33(i3 %a) {
  %r = zext i3 %a to i33
  ret i33 %r
}
; run: @zext_3_33(0) == 0
; run: @zext_3_33(3) == 3
; run: @zext_3_33(6) == 6

define i64 @zext_3_64(i3 %a) {
  %r = zext i3 %a to i64
  ret i64 %r
}
; run: @zext_3_64(7) == 7
; run: @zext_3_64(3) == 3
; run: @zext_3_64(2) == 2

define i65 @zext_3_65(i3 %a) {
  %r = zext i3 %a to i65
  ret i65 %r
}
; run: @zext_3_65(4) == 4
; run: @zext_3_65(3) == 3

define i127 @zext_3_127(i3 %a) {
  %r = zext i3 %a to i127
  ret i127 %r
}
; run: @zext_3_127(1) == 1
; run: @zext_3_127(3) == 3
; run: @zext_3_127(0) == 0

define i128 @zext_3_128(i3 %a) {
  %r = zext i3 %a to i128
  ret i128 %r
}
; run: @zext_3_128(6) == 6
; run: @zext_3_128(1) == 1

define i24 @zext_8_24(i8 %a) {
  %r = zext i8 %a to i24
  ret i24 %r
}
; run: @zext_8_24(2) == 2
; run: @zext_8_24(-2) == 254
; run: @zext_8_24(1) == 1

define i32 @zext_8_32(i8 %a) {
  %r = zext i8 %a to i32
  ret i32 %r
}
; run: @zext_8_32(-84) == 172
; run: @zext_8_32(-51) == 205
; run: @zext_8_32(-2) == 254

define i33 @zext_8_33(i8 %a) {
  %r = zext i8 %a to i33
  ret i33 %r
}
; run: @zext_8_33(-2) == 254
; run: @zext_8_33(52) == 52
; run: @zext_8_33(127) == 127

define i64 @zext_8_64(i8 %a) {
  %r = zext i8 %a to i64
  ret i64 %r
}
; run: @zext_8_64(-2) == 254
; run: @zext_8_64(0) == 0
; run: @zext_8_64(2) == 2

define i65 @zext_8_65(i8 %a) {
  %r = zext i8 %a to i65
  ret i65 %r
}
; run: @zext_8_65(-76) == 180
; run: @zext_8_65(-81) == 175
; run: @zext_8_65(-2) == 254

define i127 @zext_8_127(i8 %a) {
  %r = zext i8 %a to i127
  ret i127 %r
}
; run: @zext_8_127(2) == 2
; run: @zext_8_127(1) == 1
; run: @zext_8_127(75) == 75

define i128 @zext_8_128(i8 %a) {
  %r = zext i8 %a to i128
  ret i128 %r
}
; run: @zext_8_128(-33) == 223
; run: @zext_8_128(-1) == 255
; run: @zext_8_128(-72) == 184

define i32 @zext_24_32(i24 %a) {
  %r = zext i24 %a to i32
  ret i32 %r
}
; run: @zext_24_32(16777215) == 16777215
; run: @zext_24_32(16777214) == 16777214

define i33 @zext_24_33(i24 %a) {
  %r = zext i24 %a to i33
  ret i33 %r
}
; run: @zext_24_33(3872462) == 3872462
; run: @zext_24_33(0) == 0
; run: @zext_24_33(1) == 1

define i64 @zext_24_64(i24 %a) {
  %r = zext i24 %a to i64
  ret i64 %r
}
; run: @zext_24_64(3747441) == 3747441
; run: @zext_24_64(11646615) == 11646615
; run: @zext_24_64(8388607) == 8388607

define i65 @zext_24_65(i24 %a) {
  %r = zext i24 %a to i65
  ret i65 %r
}
; run: @zext_24_65(1) == 1
; run: @zext_24_65(2) == 2
; run: @zext_24_65(0) == 0

define i127 @zext_24_127(i24 %a) {
  %r = zext i24 %a to i127
  ret i127 %r
}
; run: @zext_24_127(2048954) == 2048954
; run: @zext_24_127(3531182) == 3531182
; run: @zext_24_127(15761008) == 15761008

define i128 @zext_24_128(i24 %a) {
  %r = zext i24 %a to i128
  ret i128 %r
}
; run: @zext_24_128(0) == 0
; run: @zext_24_128(16777215) == 16777215
; run: @zext_24_128(16777214) == 16777214

define i33 @zext_32_33(i32 %a) {
  %r = zext i32 %a to i33
  ret i33 %r
}
; run: @zext_32_33(0) == 0
; run: @zext_32_33(-1) == 4294967295
; run: @zext_32_33(-1727534630) == 2567432666

define i64 @zext_32_64(i32 %a) {
  %r = zext i32 %a to i64
  ret i64 %r
}
; run: @zext_32_64(-2) == 4294967294
; run: @zext_32_64(1) == 1

define i65 @zext_32_65(i32 %a) {
  %r = zext i32 %a to i65
  ret i65 %r
}
; run: @zext_32_65(-663969786) == 3630997510
; run: @zext_32_65(-1809092942) == 2485874354
; run: @zext_32_65(139173728) == 139173728

define i127 @zext_32_127(i32 %a) {
  %r = zext i32 %a to i127
  ret i127 %r
}
; run: @zext_32_127(0) == 0
; run: @zext_32_127(1478751038) == 1478751038
; run: @zext_32_127(1) == 1

define i128 @zext_32_128(i32 %a) {
  %r = zext i32 %a to i128
  ret i128 %r
}
; run: @zext_32_128(214987596) == 214987596
; run: @zext_32_128(-1) == 4294967295
; run: @zext_32_128(1) == 1

define i64 @zext_33_64(i33 %a) {
  %r = zext i33 %a to i64
  ret i64 %r
}
; run: @zext_33_64(8589934591) == 8589934591
; run: @zext_33_64(8589934590) == 8589934590
; run: @zext_33_64(3474670671) == 3474670671

define i65 @zext_33_65(i33 %a) {
  %r = zext i33 %a to i65
  ret i65 %r
}
; run: @zext_33_65(1954136000) == 1954136000
; run: @zext_33_65(4780097130) == 4780097130
; run: @zext_33_65(4294967295) == 4294967295

define i127 @zext_33_127(i33 %a) {
  %r = zext i33 %a to i127
  ret i127 %r
}
; run: @zext_33_127(0) == 0
; run: @zext_33_127(4294967296) == 4294967296
; run: @zext_33_127(2) == 2

define i128 @zext_33_128(i33 %a) {
  %r = zext i33 %a to i128
  ret i128 %r
}
; run: @zext_33_128(6078778904) == 6078778904
; run: @zext_33_128(327419477) == 327419477
; run: @zext_33_128(3153542376) == 3153542376

define i65 @zext_64_65(i64 %a) {
  %r = zext i64 %a to i65
  ret i65 %r
}
; run: @zext_64_65(2) == 2
; run: @zext_64_65(91342797485228765) == 91342797485228765
; run: @zext_64_65(-3010911609937109809) == 15435832463772441807

define i127 @zext_64_127(i64 %a) {
  %r = zext i64 %a to i127
  ret i127 %r
}
; run: @zext_64_127(1) == 1
; run: @zext_64_127(0) == 0
; run: @zext_64_127(2823746547273456750) == 2823746547273456750

define i128 @zext_64_128(i64 %a) {
  %r = zext i64 %a to i128
  ret i128 %r
}
; run: @zext_64_128(-9223372036854775808) == 9223372036854775808
; run: @zext_64_128(-1) == 18446744073709551615
; run: @zext_64_128(1) == 1

define i127 @zext_65_127(i65 %a) {
  %r = zext i65 %a to i127
  ret i127 %r
}
; run: @zext_65_127(0) == 0
; run: @zext_65_127(36893488147419103231) == 36893488147419103231
; run: @zext_65_127(25894035620355007660) == 25894035620355007660

define i128 @zext_65_128(i65 %a) {
  %r = zext i65 %a to i128
  ret i128 %r
}
; run: @zext_65_128(1) == 1
; run: @zext_65_128(34523584432795890625) == 34523584432795890625
; run: @zext_65_128(0) == 0

define i128 @zext_127_128(i127 %a) {
  %r = zext i127 %a to i128
  ret i128 %r
}
; run: @zext_127_128(0) == 0
; run: @zext_127_128(170141183460469231731687303715884105726) == 170141183460469231731687303715884105726
; run: @zext_127_128(39006901239275621230926717203553185028) == 39006901239275621230926717203553185028
