; Copies of the sign of the narrower width, and zeros above the wider one.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i3 @sext_1_3(i1 %a) {
  %r = sext i1 %a to i3
  ret i3 %r
}
; run: @sext_1_3(1) == 7
; run: @sext_1_3(0) == 0

define i8 @sext_1_8(i1 %a) {
  %r = sext i1 %a to i8
  ret i8 %r
}
; run: @sext_1_8(1) == -1
; run: @sext_1_8(0) == 0

define i24 @sext_1_24(i1 %a) {
  %r = sext i1 %a to i24
  ret i24 %r
}
; run: @sext_1_24(0) == 0
; run: @sext_1_24(1) == 16777215

define i32 @sext_1_32(i1 %a) {
  %r = sext i1 %a to i32
  ret i32 %r
}
; run: @sext_1_32(0) == 0

define i33 @sext_1_33(i1 %a) {
  %r = sext i1 %a to i33
  ret i33 %r
}
; run: @sext_1_33(1) == 8589934591
; run: @sext_1_33(0) == 0

define i64 @sext_1_64(i1 %a) {
  %r = sext i1 %a to i64
  ret i64 %r
}
; run: @sext_1_64(1) == -1
; run: @sext_1_64(0) == 0

define i65 @sext_1_65(i1 %a) {
  %r = sext i1 %a to i65
  ret i65 %r
}
; run: @sext_1_65(0) == 0
; run: @sext_1_65(1) == 36893488147419103231

define i127 @sext_1_127(i1 %a) {
  %r = sext i1 %a to i127
  ret i127 %r
}
; run: @sext_1_127(0) == 0
; run: @sext_1_127(1) == 170141183460469231731687303715884105727

define i128 @sext_1_128(i1 %a) {
  %r = sext i1 %a to i128
  ret i128 %r
}
; run: @sext_1_128(1) == -1
; run: @sext_1_128(0) == 0

define i8 @sext_3_8(i3 %a) {
  %r = sext i3 %a to i8
  ret i8 %r
}
; run: @sext_3_8(0) == 0
; run: @sext_3_8(6) == -2

define i24 @sext_3_24(i3 %a) {
  %r = sext i3 %a to i24
  ret i24 %r
}
; run: @sext_3_24(5) == 16777213
; run: @sext_3_24(6) == 16777214

define i32 @sext_3_32(i3 %a) {
  %r = sext i3 %a to i32
  ret i32 %r
}
; run: @sext_3_32(3) == 3
; run: @sext_3_32(2) == 2
; run: @sext_3_32(4) == -4

define i33 @sext_3_33(i3 %a) {
  %r = sext i3 %a to i33
  ret i33 %r
}
; run: @sext_3_33(3) == 3
; run: @sext_3_33(5) == 8589934589
; run: @sext_3_33(7) == 8589934591

define i64 @sext_3_64(i3 %a) {
  %r = sext i3 %a to i64
  ret i64 %r
}
; run: @sext_3_64(7) == -1
; run: @sext_3_64(0) == 0
; run: @sext_3_64(6) == -2

define i65 @sext_3_65(i3 %a) {
  %r = sext i3 %a to i65
  ret i65 %r
}
; run: @sext_3_65(5) == 36893488147419103229
; run: @sext_3_65(3) == 3
; run: @sext_3_65(2) == 2

define i127 @sext_3_127(i3 %a) {
  %r = sext i3 %a to i127
  ret i127 %r
}
; run: @sext_3_127(6) == 170141183460469231731687303715884105726
; run: @sext_3_127(2) == 2
; run: @sext_3_127(4) == 170141183460469231731687303715884105724

define i128 @sext_3_128(i3 %a) {
  %r = sext i3 %a to i128
  ret i128 %r
}
; run: @sext_3_128(5) == -3
; run: @sext_3_128(6) == -2
; run: @sext_3_128(2) == 2

define i24 @sext_8_24(i8 %a) {
  %r = sext i8 %a to i24
  ret i24 %r
}
; run: @sext_8_24(-40) == 16777176
; run: @sext_8_24(1) == 1
; run: @sext_8_24(-128) == 16777088

define i32 @sext_8_32(i8 %a) {
  %r = sext i8 %a to i32
  ret i32 %r
}
; run: @sext_8_32(127) == 127
; run: @sext_8_32(2) == 2
; run: @sext_8_32(12) == 12

define i33 @sext_8_33(i8 %a) {
  %r = sext i8 %a to i33
  ret i33 %r
}
; run: @sext_8_33(-2) == 8589934590
; run: @sext_8_33(2) == 2
; run: @sext_8_33(-15) == 8589934577

define i64 @sext_8_64(i8 %a) {
  %r = sext i8 %a to i64
  ret i64 %r
}
; run: @sext_8_64(127) == 127
; run: @sext_8_64(0) == 0
; run: @sext_8_64(2) == 2

define i65 @sext_8_65(i8 %a) {
  %r = sext i8 %a to i65
  ret i65 %r
}
; run: @sext_8_65(86) == 86
; run: @sext_8_65(-25) == 36893488147419103207
; run: @sext_8_65(-54) == 36893488147419103178

define i127 @sext_8_127(i8 %a) {
  %r = sext i8 %a to i127
  ret i127 %r
}
; run: @sext_8_127(-1) == 170141183460469231731687303715884105727
; run: @sext_8_127(0) == 0
; run: @sext_8_127(-32) == 170141183460469231731687303715884105696

define i128 @sext_8_128(i8 %a) {
  %r = sext i8 %a to i128
  ret i128 %r
}
; run: @sext_8_128(107) == 107
; run: @sext_8_128(-1) == -1

define i32 @sext_24_32(i24 %a) {
  %r = sext i24 %a to i32
  ret i32 %r
}
; run: @sext_24_32(0) == 0
; run: @sext_24_32(16777214) == -2

define i33 @sext_24_33(i24 %a) {
  %r = sext i24 %a to i33
  ret i33 %r
}
; run: @sext_24_33(0) == 0
; run: @sext_24_33(3142184) == 3142184
; run: @sext_24_33(7416054) == 7416054

define i64 @sext_24_64(i24 %a) {
  %r = sext i24 %a to i64
  ret i64 %r
}
; run: @sext_24_64(8388608) == -8388608
; run: @sext_24_64(2025188) == 2025188
; run: @sext_24_64(2) == 2

define i65 @sext_24_65(i24 %a) {
  %r = sext i24 %a to i65
  ret i65 %r
}
; run: @sext_24_65(16777214) == 36893488147419103230
; run: @sext_24_65(6537574) == 6537574
; run: @sext_24_65(1) == 1

define i127 @sext_24_127(i24 %a) {
  %r = sext i24 %a to i127
  ret i127 %r
}
; run: @sext_24_127(1) == 1
; run: @sext_24_127(16777214) == 170141183460469231731687303715884105726
; run: @sext_24_127(14997140) == 170141183460469231731687303715882325652

define i128 @sext_24_128(i24 %a) {
  %r = sext i24 %a to i128
  ret i128 %r
}
; run: @sext_24_128(5176917) == 5176917
; run: @sext_24_128(8388608) == -8388608
; run: @sext_24_128(10176849) == -6600367

define i33 @sext_32_33(i32 %a) {
  %r = sext i32 %a to i33
  ret i33 %r
}
; run: @sext_32_33(-2) == 8589934590
; run: @sext_32_33(1679057573) == 1679057573
; run: @sext_32_33(0) == 0

define i64 @sext_32_64(i32 %a) {
  %r = sext i32 %a to i64
  ret i64 %r
}
; run: @sext_32_64(445566717) == 445566717
; run: @sext_32_64(1952366487) == 1952366487
; run: @sext_32_64(2) == 2

define i65 @sext_32_65(i32 %a) {
  %r = sext i32 %a to i65
  ret i65 %r
}
; run: @sext_32_65(-1) == 36893488147419103231
; run: @sext_32_65(-66484575) == 36893488147352618657
; run: @sext_32_65(-2) == 36893488147419103230

define i127 @sext_32_127(i32 %a) {
  %r = sext i32 %a to i127
  ret i127 %r
}
; run: @sext_32_127(-1434050375) == 170141183460469231731687303714450055353
; run: @sext_32_127(-2) == 170141183460469231731687303715884105726
; run: @sext_32_127(-1433195192) == 170141183460469231731687303714450910536

define i128 @sext_32_128(i32 %a) {
  %r = sext i32 %a to i128
  ret i128 %r
}
; run: @sext_32_128(-2147483648) == -2147483648
; run: @sext_32_128(1907382449) == 1907382449
; run: @sext_32_128(-1) == -1

define i64 @sext_33_64(i33 %a) {
  %r = sext i33 %a to i64
  ret i64 %r
}
; run: @sext_33_64(2) == 2
; run: @sext_33_64(2947696126) == 2947696126
; run: @sext_33_64(7768204620) == -821729972

define i65 @sext_33_65(i33 %a) {
  %r = sext i33 %a to i65
  ret i65 %r
}
; run: @sext_33_65(2) == 2
; run: @sext_33_65(8589934591) == 36893488147419103231
; run: @sext_33_65(77280777) == 77280777

define i127 @sext_33_127(i33 %a) {
  %r = sext i33 %a to i127
  ret i127 %r
}
; run: @sext_33_127(8109187960) == 170141183460469231731687303715403359096
; run: @sext_33_127(4294967295) == 4294967295
; run: @sext_33_127(8589934590) == 170141183460469231731687303715884105726

define i128 @sext_33_128(i33 %a) {
  %r = sext i33 %a to i128
  ret i128 %r
}
; run: @sext_33_128(1) == 1
; run: @sext_33_128(3220440091) == 3220440091
; run: @sext_33_128(8589934591) == -1

define i65 @sext_64_65(i64 %a) {
  %r = sext i64 %a to i65
  ret i65 %r
}
; run: @sext_64_65(0) == 0
; run: @sext_64_65(5007480388297409523) == 5007480388297409523
; run: @sext_64_65(-9223372036854775808) == 27670116110564327424

define i127 @sext_64_127(i64 %a) {
  %r = sext i64 %a to i127
  ret i127 %r
}
; run: @sext_64_127(860952829757215100) == 860952829757215100
; run: @sext_64_127(-4660131483549177320) == 170141183460469231727027172232334928408
; run: @sext_64_127(-1) == 170141183460469231731687303715884105727

define i128 @sext_64_128(i64 %a) {
  %r = sext i64 %a to i128
  ret i128 %r
}
; run: @sext_64_128(5371162341933224645) == 5371162341933224645
; run: @sext_64_128(7760594308676918174) == 7760594308676918174
; run: @sext_64_128(9223372036854775807) == 9223372036854775807

define i127 @sext_65_127(i65 %a) {
  %r = sext i65 %a to i127
  ret i127 %r
}
; run: @sext_65_127(35971521284181731958) == 170141183460469231730765336852646734454
; run: @sext_65_127(36211377309194962169) == 170141183460469231731005192877659964665
; run: @sext_65_127(16654532302266408419) == 16654532302266408419

define i128 @sext_65_128(i65 %a) {
  %r = sext i65 %a to i128
  ret i128 %r
}
; run: @sext_65_128(36893488147419103230) == -2
; run: @sext_65_128(18446744073709551616) == -18446744073709551616

define i128 @sext_127_128(i127 %a) {
  %r = sext i127 %a to i128
  ret i128 %r
}
; run: @sext_127_128(1) == 1
; run: @sext_127_128(170141183460469231731687303715884105726) == -2
; run: @sext_127_128(88560716181103656819974192386355143200) == -81580467279365574911713111329528962528
