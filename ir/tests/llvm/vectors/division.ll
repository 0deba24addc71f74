; Vectors are divided lane by lane.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define <3 x i32> @div(<3 x i32> %a, <3 x i32> %b) {
  %r = sdiv <3 x i32> %a, %b
  ret <3 x i32> %r
}
; run: @div(<7, -7, 9>, <2, 2, -3>) == <3, -3, -3>

define <4 x i5> @rem(<4 x i5> %a, <4 x i5> %b) {
  %r = srem <4 x i5> %a, %b
  ret <4 x i5> %r
}
; run: @rem(<31, 15, 16, 3>, <2, 7, 3, 30>) == <31, 1, 31, 1>
