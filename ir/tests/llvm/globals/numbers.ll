; Numbers of every kind stand in data as they do in memory.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@odd = global [2 x i24] [i24 1, i24 -2]
@wide = constant i65 -1
@mask = constant <12 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 1, i1 1, i1 1, i1 0, i1 0>
@floats = constant { half, float, double } { half 1.5, float 2.0, double -0.0 }
@text = constant [4 x i8] c"ab\00d"
@far = constant [100 x i32] zeroinitializer
@nibbles = constant <3 x i4> <i4 1, i4 -1, i4 7>
@packed = constant <{ i8, i32, i8 }> <{ i8 1, i32 -2, i8 3 }>

define i32 @odd_word(i64 %i) {
  %p = getelementptr i32, ptr @odd, i64 %i
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @odd_word(0) == 1
; run: @odd_word(1) == 16777214

define i128 @wide_bits() {
  %r = load i128, ptr @wide
  ret i128 %r
}
; run: @wide_bits() == 36893488147419103231

define i16 @mask_bits() {
  %r = load i16, ptr @mask
  ret i16 %r
}
; run: @mask_bits() == 897

define i16 @half_bits() {
  %r = load i16, ptr @floats
  ret i16 %r
}
; run: @half_bits() == 15872

define i64 @double_bits() {
  %p = getelementptr { half, float, double }, ptr @floats, i32 0, i32 2
  %r = load i64, ptr %p
  ret i64 %r
}
; run: @double_bits() == -9223372036854775808

define i32 @letters() {
  %r = load i32, ptr @text
  ret i32 %r
}
; run: @letters() == 1677746785

define i32 @last_zero() {
  %p = getelementptr [100 x i32], ptr @far, i64 0, i64 99
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @last_zero() == 0

define i16 @nibble_bits() {
  %r = load i16, ptr @nibbles
  ret i16 %r
}
; run: @nibble_bits() == 2033

define i32 @unaligned() {
  %p = getelementptr i8, ptr @packed, i64 1
  %r = load i32, ptr %p, align 1
  ret i32 %r
}
; run: @unaligned() == -2

define i8 @behind() {
  %p = getelementptr i8, ptr @packed, i64 5
  %r = load i8, ptr %p
  ret i8 %r
}
; run: @behind() == 3
