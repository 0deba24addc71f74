; The same bits, of vectors whose lanes follow each other without padding.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @bits_of_float(float %a) {
  %r = bitcast float %a to i32
  ret i32 %r
}
; run: @bits_of_float(1.0) == 1065353216

define i8 @of_mask(<8 x i1> %m) {
  %r = bitcast <8 x i1> %m to i8
  ret i8 %r
}
; run: @of_mask(<1, 0, 0, 1, 0, 0, 0, 1>) == -119

define i4 @of_four(<4 x i1> %m) {
  %r = bitcast <4 x i1> %m to i4
  ret i4 %r
}
; run: @of_four(<1, 0, 1, 1>) == 13

define <4 x i1> @to_four(i4 %m) {
  %r = bitcast i4 %m to <4 x i1>
  ret <4 x i1> %r
}
; run: @to_four(13) == <1, 0, 1, 1>

define i24 @of_bytes(<3 x i8> %v) {
  %r = bitcast <3 x i8> %v to i24
  ret i24 %r
}
; run: @of_bytes(<1, 2, -3>) == 16581121

define <3 x i8> @to_bytes(i24 %v) {
  %r = bitcast i24 %v to <3 x i8>
  ret <3 x i8> %r
}
; run: @to_bytes(8454401) == <1, 1, -127>

define i24 @of_eight(<8 x i3> %v) {
  %r = bitcast <8 x i3> %v to i24
  ret i24 %r
}
; run: @of_eight(<1, 2, 3, 4, 5, 6, 7, 0>) == 2054353

define <8 x i3> @to_eight(i24 %v) {
  %r = bitcast i24 %v to <8 x i3>
  ret <8 x i3> %r
}
; run: @to_eight(11259375) == <7, 5, 7, 6, 4, 7, 2, 5>

define <2 x i64> @wider_lanes(<4 x i32> %v) {
  %r = bitcast <4 x i32> %v to <2 x i64>
  ret <2 x i64> %r
}
; run: @wider_lanes(<1, 2, 3, -4>) == <8589934593, -17179869181>

define <3 x i11> @halves(<3 x i11> %v) {
  %w = bitcast <3 x i11> %v to i33
  %x = xor i33 %w, 3
  %r = bitcast i33 %x to <3 x i11>
  ret <3 x i11> %r
}
; run: @halves(<2047, 0, 1024>) == <2044, 0, 1024>

define i1 @of_one(<1 x i1> %v) {
  %r = bitcast <1 x i1> %v to i1
  ret i1 %r
}
; run: @of_one(<1>) == 1
