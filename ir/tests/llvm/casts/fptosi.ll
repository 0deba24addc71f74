; Floats as signed integers of every width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @fptosi_float_1(float %a) {
  %r = fptosi float %a to i1
  ret i1 %r
}
; run: @fptosi_float_1(0.0) == 0
; run: @fptosi_float_1(-1.0) == 1

define i3 @fptosi_float_3(float %a) {
  %r = fptosi float %a to i3
  ret i3 %r
}
; run: @fptosi_float_3(0.0) == 0
; run: @fptosi_float_3(-1.0) == 7
; run: @fptosi_float_3(1.5) == 1
; run: @fptosi_float_3(-2.75) == 6

define i8 @fptosi_float_8(float %a) {
  %r = fptosi float %a to i8
  ret i8 %r
}
; run: @fptosi_float_8(0.0) == 0
; run: @fptosi_float_8(-1.0) == -1
; run: @fptosi_float_8(1.5) == 1
; run: @fptosi_float_8(-2.75) == -2

define i24 @fptosi_float_24(float %a) {
  %r = fptosi float %a to i24
  ret i24 %r
}
; run: @fptosi_float_24(0.0) == 0
; run: @fptosi_float_24(-1.0) == 16777215
; run: @fptosi_float_24(1.5) == 1
; run: @fptosi_float_24(-2.75) == 16777214
; run: @fptosi_float_24(8388607.0) == 8388607

define i32 @fptosi_float_32(float %a) {
  %r = fptosi float %a to i32
  ret i32 %r
}
; run: @fptosi_float_32(0.0) == 0
; run: @fptosi_float_32(-1.0) == -1
; run: @fptosi_float_32(1.5) == 1
; run: @fptosi_float_32(-2.75) == -2
; run: @fptosi_float_32(16777216.0) == 16777216

define i33 @fptosi_float_33(float %a) {
  %r = fptosi float %a to i33
  ret i33 %r
}
; run: @fptosi_float_33(0.0) == 0
; run: @fptosi_float_33(-1.0) == 8589934591
; run: @fptosi_float_33(1.5) == 1
; run: @fptosi_float_33(-2.75) == 8589934590
; run: @fptosi_float_33(16777216.0) == 16777216

define i64 @fptosi_float_64(float %a) {
  %r = fptosi float %a to i64
  ret i64 %r
}
; run: @fptosi_float_64(0.0) == 0
; run: @fptosi_float_64(-1.0) == -1
; run: @fptosi_float_64(1.5) == 1
; run: @fptosi_float_64(-2.75) == -2
; run: @fptosi_float_64(16777216.0) == 16777216

define i65 @fptosi_float_65(float %a) {
  %r = fptosi float %a to i65
  ret i65 %r
}
; run: @fptosi_float_65(0.0) == 0
; run: @fptosi_float_65(-1.0) == 36893488147419103231
; run: @fptosi_float_65(1.5) == 1
; run: @fptosi_float_65(-2.75) == 36893488147419103230
; run: @fptosi_float_65(16777216.0) == 16777216

define i127 @fptosi_float_127(float %a) {
  %r = fptosi float %a to i127
  ret i127 %r
}
; run: @fptosi_float_127(0.0) == 0
; run: @fptosi_float_127(-1.0) == 170141183460469231731687303715884105727
; run: @fptosi_float_127(1.5) == 1
; run: @fptosi_float_127(-2.75) == 170141183460469231731687303715884105726
; run: @fptosi_float_127(16777216.0) == 16777216

define i128 @fptosi_float_128(float %a) {
  %r = fptosi float %a to i128
  ret i128 %r
}
; run: @fptosi_float_128(0.0) == 0
; run: @fptosi_float_128(-1.0) == -1
; run: @fptosi_float_128(1.5) == 1
; run: @fptosi_float_128(-2.75) == -2
; run: @fptosi_float_128(16777216.0) == 16777216

define i1 @fptosi_double_1(double %a) {
  %r = fptosi double %a to i1
  ret i1 %r
}
; run: @fptosi_double_1(0.0) == 0
; run: @fptosi_double_1(-1.0) == 1

define i3 @fptosi_double_3(double %a) {
  %r = fptosi double %a to i3
  ret i3 %r
}
; run: @fptosi_double_3(0.0) == 0
; run: @fptosi_double_3(-1.0) == 7
; run: @fptosi_double_3(1.5) == 1
; run: @fptosi_double_3(-2.75) == 6

define i8 @fptosi_double_8(double %a) {
  %r = fptosi double %a to i8
  ret i8 %r
}
; run: @fptosi_double_8(0.0) == 0
; run: @fptosi_double_8(-1.0) == -1
; run: @fptosi_double_8(1.5) == 1
; run: @fptosi_double_8(-2.75) == -2

define i24 @fptosi_double_24(double %a) {
  %r = fptosi double %a to i24
  ret i24 %r
}
; run: @fptosi_double_24(0.0) == 0
; run: @fptosi_double_24(-1.0) == 16777215
; run: @fptosi_double_24(1.5) == 1
; run: @fptosi_double_24(-2.75) == 16777214
; run: @fptosi_double_24(8388607.0) == 8388607

define i32 @fptosi_double_32(double %a) {
  %r = fptosi double %a to i32
  ret i32 %r
}
; run: @fptosi_double_32(0.0) == 0
; run: @fptosi_double_32(-1.0) == -1
; run: @fptosi_double_32(1.5) == 1
; run: @fptosi_double_32(-2.75) == -2
; run: @fptosi_double_32(16777216.0) == 16777216

define i33 @fptosi_double_33(double %a) {
  %r = fptosi double %a to i33
  ret i33 %r
}
; run: @fptosi_double_33(0.0) == 0
; run: @fptosi_double_33(-1.0) == 8589934591
; run: @fptosi_double_33(1.5) == 1
; run: @fptosi_double_33(-2.75) == 8589934590
; run: @fptosi_double_33(16777216.0) == 16777216

define i64 @fptosi_double_64(double %a) {
  %r = fptosi double %a to i64
  ret i64 %r
}
; run: @fptosi_double_64(0.0) == 0
; run: @fptosi_double_64(-1.0) == -1
; run: @fptosi_double_64(1.5) == 1
; run: @fptosi_double_64(-2.75) == -2
; run: @fptosi_double_64(16777216.0) == 16777216

define i65 @fptosi_double_65(double %a) {
  %r = fptosi double %a to i65
  ret i65 %r
}
; run: @fptosi_double_65(0.0) == 0
; run: @fptosi_double_65(-1.0) == 36893488147419103231
; run: @fptosi_double_65(1.5) == 1
; run: @fptosi_double_65(-2.75) == 36893488147419103230
; run: @fptosi_double_65(16777216.0) == 16777216

define i127 @fptosi_double_127(double %a) {
  %r = fptosi double %a to i127
  ret i127 %r
}
; run: @fptosi_double_127(0.0) == 0
; run: @fptosi_double_127(-1.0) == 170141183460469231731687303715884105727
; run: @fptosi_double_127(1.5) == 1
; run: @fptosi_double_127(-2.75) == 170141183460469231731687303715884105726
; run: @fptosi_double_127(16777216.0) == 16777216

define i128 @fptosi_double_128(double %a) {
  %r = fptosi double %a to i128
  ret i128 %r
}
; run: @fptosi_double_128(0.0) == 0
; run: @fptosi_double_128(-1.0) == -1
; run: @fptosi_double_128(1.5) == 1
; run: @fptosi_double_128(-2.75) == -2
; run: @fptosi_double_128(16777216.0) == 16777216

define i1 @fptosi_half_1(half %a) {
  %r = fptosi half %a to i1
  ret i1 %r
}
; run: @fptosi_half_1(0.0) == 0
; run: @fptosi_half_1(-1.0) == 1

define i3 @fptosi_half_3(half %a) {
  %r = fptosi half %a to i3
  ret i3 %r
}
; run: @fptosi_half_3(0.0) == 0
; run: @fptosi_half_3(-1.0) == 7
; run: @fptosi_half_3(1.5) == 1
; run: @fptosi_half_3(-2.75) == 6

define i8 @fptosi_half_8(half %a) {
  %r = fptosi half %a to i8
  ret i8 %r
}
; run: @fptosi_half_8(0.0) == 0
; run: @fptosi_half_8(-1.0) == -1
; run: @fptosi_half_8(1.5) == 1
; run: @fptosi_half_8(-2.75) == -2

define i24 @fptosi_half_24(half %a) {
  %r = fptosi half %a to i24
  ret i24 %r
}
; run: @fptosi_half_24(0.0) == 0
; run: @fptosi_half_24(-1.0) == 16777215
; run: @fptosi_half_24(1.5) == 1
; run: @fptosi_half_24(-2.75) == 16777214

define i32 @fptosi_half_32(half %a) {
  %r = fptosi half %a to i32
  ret i32 %r
}
; run: @fptosi_half_32(0.0) == 0
; run: @fptosi_half_32(-1.0) == -1
; run: @fptosi_half_32(1.5) == 1
; run: @fptosi_half_32(-2.75) == -2

define i33 @fptosi_half_33(half %a) {
  %r = fptosi half %a to i33
  ret i33 %r
}
; run: @fptosi_half_33(0.0) == 0
; run: @fptosi_half_33(-1.0) == 8589934591
; run: @fptosi_half_33(1.5) == 1
; run: @fptosi_half_33(-2.75) == 8589934590

define i64 @fptosi_half_64(half %a) {
  %r = fptosi half %a to i64
  ret i64 %r
}
; run: @fptosi_half_64(0.0) == 0
; run: @fptosi_half_64(-1.0) == -1
; run: @fptosi_half_64(1.5) == 1
; run: @fptosi_half_64(-2.75) == -2

define i65 @fptosi_half_65(half %a) {
  %r = fptosi half %a to i65
  ret i65 %r
}
; run: @fptosi_half_65(0.0) == 0
; run: @fptosi_half_65(-1.0) == 36893488147419103231
; run: @fptosi_half_65(1.5) == 1
; run: @fptosi_half_65(-2.75) == 36893488147419103230

define i127 @fptosi_half_127(half %a) {
  %r = fptosi half %a to i127
  ret i127 %r
}
; run: @fptosi_half_127(0.0) == 0
; run: @fptosi_half_127(-1.0) == 170141183460469231731687303715884105727
; run: @fptosi_half_127(1.5) == 1
; run: @fptosi_half_127(-2.75) == 170141183460469231731687303715884105726

define i128 @fptosi_half_128(half %a) {
  %r = fptosi half %a to i128
  ret i128 %r
}
; run: @fptosi_half_128(0.0) == 0
; run: @fptosi_half_128(-1.0) == -1
; run: @fptosi_half_128(1.5) == 1
; run: @fptosi_half_128(-2.75) == -2
