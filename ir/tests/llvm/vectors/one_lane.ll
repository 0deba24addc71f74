; A vector of one lane is no scalar.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define <1 x i32> @add(<1 x i32> %a, i32 %b) {
  %v = insertelement <1 x i32> poison, i32 %b, i32 0
  %r = add <1 x i32> %a, %v
  ret <1 x i32> %r
}
; run: @add(<5>, 6) == <11>

define i1 @compare(<1 x i64> %a) {
  %m = icmp eq <1 x i64> %a, zeroinitializer
  %r = extractelement <1 x i1> %m, i32 0
  ret i1 %r
}
; run: @compare(<0>) == 1
