; Elements by index, which may be of any width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @get(<4 x i32> %v, i8 %i) {
  %r = extractelement <4 x i32> %v, i8 %i
  ret i32 %r
}
; run: @get(<5, 6, 7, 8>, 2) == 7

define i32 @last(<4 x i32> %v) {
  %r = extractelement <4 x i32> %v, i64 3
  ret i32 %r
}
; run: @last(<5, 6, 7, 8>) == 8

define <4 x i32> @set(<4 x i32> %v, i32 %x, i128 %i) {
  %r = insertelement <4 x i32> %v, i32 %x, i128 %i
  ret <4 x i32> %r
}
; run: @set(<5, 6, 7, 8>, -1, 1) == <5, -1, 7, 8>

define <2 x i7> @odd(i7 %x) {
  %v = insertelement <2 x i7> poison, i7 %x, i32 0
  %w = insertelement <2 x i7> %v, i7 100, i32 1
  ret <2 x i7> %w
}
; run: @odd(3) == <3, 100>
