; Lanes named by a constant mask, spelled in every way.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define <4 x i32> @mixed(<2 x i32> %a, <2 x i32> %b) {
  %r = shufflevector <2 x i32> %a, <2 x i32> %b, <4 x i32> <i32 3, i32 0, i32 2, i32 1>
  ret <4 x i32> %r
}
; run: @mixed(<1, 2>, <3, 4>) == <4, 1, 3, 2>

define <3 x float> @broadcast(<2 x float> %a) {
  %r = shufflevector <2 x float> %a, <2 x float> poison, <3 x i32> zeroinitializer
  ret <3 x float> %r
}
; run: @broadcast(<1.5, 2.0>) == <1.5, 1.5, 1.5>

define <2 x i8> @splat(<4 x i8> %a) {
  %r = shufflevector <4 x i8> %a, <4 x i8> undef, <2 x i32> splat (i32 2)
  ret <2 x i8> %r
}
; run: @splat(<1, 2, 3, 4>) == <3, 3>

define i8 @unsaid(<2 x i8> %a) {
  %r = shufflevector <2 x i8> %a, <2 x i8> %a, <2 x i32> <i32 1, i32 undef>
  %e = extractelement <2 x i8> %r, i32 0
  ret i8 %e
}
; run: @unsaid(<1, 2>) == 2
