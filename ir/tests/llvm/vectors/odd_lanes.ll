; Lanes of odd widths wrap to these.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define <4 x i5> @add(<4 x i5> %a, <4 x i5> %b) {
  %r = add <4 x i5> %a, %b
  ret <4 x i5> %r
}
; run: @add(<31, 15, 16, 3>, <2, 17, 16, 30>) == <1, 0, 0, 1>

define <4 x i5> @ashr(<4 x i5> %a, <4 x i5> %b) {
  %r = ashr <4 x i5> %a, %b
  ret <4 x i5> %r
}
; run: @ashr(<31, 15, 16, 3>, <2, 1, 3, 0>) == <31, 7, 30, 3>

define <4 x i1> @slt(<4 x i5> %a, <4 x i5> %b) {
  %r = icmp slt <4 x i5> %a, %b
  ret <4 x i1> %r
}
; run: @slt(<31, 15, 16, 3>, <2, 17, 16, 30>) == <1, 0, 0, 0>

define <2 x i40> @sext(<2 x i5> %a) {
  %r = sext <2 x i5> %a to <2 x i40>
  ret <2 x i40> %r
}
; run: @sext(<31, 15>) == <1099511627775, 15>

define <3 x i1> @truths(<3 x i1> %a, <3 x i1> %b) {
  %s = add <3 x i1> %a, %b
  %m = mul <3 x i1> %s, %a
  %r = udiv <3 x i1> %m, splat (i1 true)
  ret <3 x i1> %r
}
; run: @truths(<1, 1, 0>, <1, 0, 1>) == <0, 1, 0>
