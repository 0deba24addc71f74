; Floats as unsigned integers of every width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i1 @fptoui_float_1(float %a) {
  %r = fptoui float %a to i1
  ret i1 %r
}
; run: @fptoui_float_1(0.0) == 0
; run: @fptoui_float_1(1.9) == 1

define i3 @fptoui_float_3(float %a) {
  %r = fptoui float %a to i3
  ret i3 %r
}
; run: @fptoui_float_3(0.0) == 0
; run: @fptoui_float_3(1.9) == 1
; run: @fptoui_float_3(3.5) == 3
; run: @fptoui_float_3(6.0) == 6

define i8 @fptoui_float_8(float %a) {
  %r = fptoui float %a to i8
  ret i8 %r
}
; run: @fptoui_float_8(0.0) == 0
; run: @fptoui_float_8(1.9) == 1
; run: @fptoui_float_8(3.5) == 3
; run: @fptoui_float_8(6.0) == 6

define i24 @fptoui_float_24(float %a) {
  %r = fptoui float %a to i24
  ret i24 %r
}
; run: @fptoui_float_24(0.0) == 0
; run: @fptoui_float_24(1.9) == 1
; run: @fptoui_float_24(3.5) == 3
; run: @fptoui_float_24(6.0) == 6
; run: @fptoui_float_24(8388607.0) == 8388607

define i32 @fptoui_float_32(float %a) {
  %r = fptoui float %a to i32
  ret i32 %r
}
; run: @fptoui_float_32(0.0) == 0
; run: @fptoui_float_32(1.9) == 1
; run: @fptoui_float_32(3.5) == 3
; run: @fptoui_float_32(6.0) == 6
; run: @fptoui_float_32(16777216.0) == 16777216

define i33 @fptoui_float_33(float %a) {
  %r = fptoui float %a to i33
  ret i33 %r
}
; run: @fptoui_float_33(0.0) == 0
; run: @fptoui_float_33(1.9) == 1
; run: @fptoui_float_33(3.5) == 3
; run: @fptoui_float_33(6.0) == 6
; run: @fptoui_float_33(16777216.0) == 16777216

define i64 @fptoui_float_64(float %a) {
  %r = fptoui float %a to i64
  ret i64 %r
}
; run: @fptoui_float_64(0.0) == 0
; run: @fptoui_float_64(1.9) == 1
; run: @fptoui_float_64(3.5) == 3
; run: @fptoui_float_64(6.0) == 6
; run: @fptoui_float_64(16777216.0) == 16777216

define i65 @fptoui_float_65(float %a) {
  %r = fptoui float %a to i65
  ret i65 %r
}
; run: @fptoui_float_65(0.0) == 0
; run: @fptoui_float_65(1.9) == 1
; run: @fptoui_float_65(3.5) == 3
; run: @fptoui_float_65(6.0) == 6
; run: @fptoui_float_65(16777216.0) == 16777216

define i127 @fptoui_float_127(float %a) {
  %r = fptoui float %a to i127
  ret i127 %r
}
; run: @fptoui_float_127(0.0) == 0
; run: @fptoui_float_127(1.9) == 1
; run: @fptoui_float_127(3.5) == 3
; run: @fptoui_float_127(6.0) == 6
; run: @fptoui_float_127(16777216.0) == 16777216

define i128 @fptoui_float_128(float %a) {
  %r = fptoui float %a to i128
  ret i128 %r
}
; run: @fptoui_float_128(0.0) == 0
; run: @fptoui_float_128(1.9) == 1
; run: @fptoui_float_128(3.5) == 3
; run: @fptoui_float_128(6.0) == 6
; run: @fptoui_float_128(16777216.0) == 16777216

define i1 @fptoui_double_1(double %a) {
  %r = fptoui double %a to i1
  ret i1 %r
}
; run: @fptoui_double_1(0.0) == 0
; run: @fptoui_double_1(1.9) == 1

define i3 @fptoui_double_3(double %a) {
  %r = fptoui double %a to i3
  ret i3 %r
}
; run: @fptoui_double_3(0.0) == 0
; run: @fptoui_double_3(1.9) == 1
; run: @fptoui_double_3(3.5) == 3
; run: @fptoui_double_3(6.0) == 6

define i8 @fptoui_double_8(double %a) {
  %r = fptoui double %a to i8
  ret i8 %r
}
; run: @fptoui_double_8(0.0) == 0
; run: @fptoui_double_8(1.9) == 1
; run: @fptoui_double_8(3.5) == 3
; run: @fptoui_double_8(6.0) == 6

define i24 @fptoui_double_24(double %a) {
  %r = fptoui double %a to i24
  ret i24 %r
}
; run: @fptoui_double_24(0.0) == 0
; run: @fptoui_double_24(1.9) == 1
; run: @fptoui_double_24(3.5) == 3
; run: @fptoui_double_24(6.0) == 6
; run: @fptoui_double_24(8388607.0) == 8388607

define i32 @fptoui_double_32(double %a) {
  %r = fptoui double %a to i32
  ret i32 %r
}
; run: @fptoui_double_32(0.0) == 0
; run: @fptoui_double_32(1.9) == 1
; run: @fptoui_double_32(3.5) == 3
; run: @fptoui_double_32(6.0) == 6
; run: @fptoui_double_32(16777216.0) == 16777216

define i33 @fptoui_double_33(double %a) {
  %r = fptoui double %a to i33
  ret i33 %r
}
; run: @fptoui_double_33(0.0) == 0
; run: @fptoui_double_33(1.9) == 1
; run: @fptoui_double_33(3.5) == 3
; run: @fptoui_double_33(6.0) == 6
; run: @fptoui_double_33(16777216.0) == 16777216

define i64 @fptoui_double_64(double %a) {
  %r = fptoui double %a to i64
  ret i64 %r
}
; run: @fptoui_double_64(0.0) == 0
; run: @fptoui_double_64(1.9) == 1
; run: @fptoui_double_64(3.5) == 3
; run: @fptoui_double_64(6.0) == 6
; run: @fptoui_double_64(16777216.0) == 16777216

define i65 @fptoui_double_65(double %a) {
  %r = fptoui double %a to i65
  ret i65 %r
}
; run: @fptoui_double_65(0.0) == 0
; run: @fptoui_double_65(1.9) == 1
; run: @fptoui_double_65(3.5) == 3
; run: @fptoui_double_65(6.0) == 6
; run: @fptoui_double_65(16777216.0) == 16777216

define i127 @fptoui_double_127(double %a) {
  %r = fptoui double %a to i127
  ret i127 %r
}
; run: @fptoui_double_127(0.0) == 0
; run: @fptoui_double_127(1.9) == 1
; run: @fptoui_double_127(3.5) == 3
; run: @fptoui_double_127(6.0) == 6
; run: @fptoui_double_127(16777216.0) == 16777216

define i128 @fptoui_double_128(double %a) {
  %r = fptoui double %a to i128
  ret i128 %r
}
; run: @fptoui_double_128(0.0) == 0
; run: @fptoui_double_128(1.9) == 1
; run: @fptoui_double_128(3.5) == 3
; run: @fptoui_double_128(6.0) == 6
; run: @fptoui_double_128(16777216.0) == 16777216

define i1 @fptoui_half_1(half %a) {
  %r = fptoui half %a to i1
  ret i1 %r
}
; run: @fptoui_half_1(0.0) == 0
; run: @fptoui_half_1(1.9) == 1

define i3 @fptoui_half_3(half %a) {
  %r = fptoui half %a to i3
  ret i3 %r
}
; run: @fptoui_half_3(0.0) == 0
; run: @fptoui_half_3(1.9) == 1
; run: @fptoui_half_3(3.5) == 3
; run: @fptoui_half_3(6.0) == 6

define i8 @fptoui_half_8(half %a) {
  %r = fptoui half %a to i8
  ret i8 %r
}
; run: @fptoui_half_8(0.0) == 0
; run: @fptoui_half_8(1.9) == 1
; run: @fptoui_half_8(3.5) == 3
; run: @fptoui_half_8(6.0) == 6

define i24 @fptoui_half_24(half %a) {
  %r = fptoui half %a to i24
  ret i24 %r
}
; run: @fptoui_half_24(0.0) == 0
; run: @fptoui_half_24(1.9) == 1
; run: @fptoui_half_24(3.5) == 3
; run: @fptoui_half_24(6.0) == 6

define i32 @fptoui_half_32(half %a) {
  %r = fptoui half %a to i32
  ret i32 %r
}
; run: @fptoui_half_32(0.0) == 0
; run: @fptoui_half_32(1.9) == 1
; run: @fptoui_half_32(3.5) == 3
; run: @fptoui_half_32(6.0) == 6

define i33 @fptoui_half_33(half %a) {
  %r = fptoui half %a to i33
  ret i33 %r
}
; run: @fptoui_half_33(0.0) == 0
; run: @fptoui_half_33(1.9) == 1
; run: @fptoui_half_33(3.5) == 3
; run: @fptoui_half_33(6.0) == 6

define i64 @fptoui_half_64(half %a) {
  %r = fptoui half %a to i64
  ret i64 %r
}
; run: @fptoui_half_64(0.0) == 0
; run: @fptoui_half_64(1.9) == 1
; run: @fptoui_half_64(3.5) == 3
; run: @fptoui_half_64(6.0) == 6

define i65 @fptoui_half_65(half %a) {
  %r = fptoui half %a to i65
  ret i65 %r
}
; run: @fptoui_half_65(0.0) == 0
; run: @fptoui_half_65(1.9) == 1
; run: @fptoui_half_65(3.5) == 3
; run: @fptoui_half_65(6.0) == 6

define i127 @fptoui_half_127(half %a) {
  %r = fptoui half %a to i127
  ret i127 %r
}
; run: @fptoui_half_127(0.0) == 0
; run: @fptoui_half_127(1.9) == 1
; run: @fptoui_half_127(3.5) == 3
; run: @fptoui_half_127(6.0) == 6

define i128 @fptoui_half_128(half %a) {
  %r = fptoui half %a to i128
  ret i128 %r
}
; run: @fptoui_half_128(0.0) == 0
; run: @fptoui_half_128(1.9) == 1
; run: @fptoui_half_128(3.5) == 3
; run: @fptoui_half_128(6.0) == 6
