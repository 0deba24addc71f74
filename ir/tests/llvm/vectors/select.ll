; A vector of conditions selects lane by lane, one condition the whole.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define <2 x i32> @lanes(<2 x i1> %c, <2 x i32> %a, <2 x i32> %b) {
  %r = select <2 x i1> %c, <2 x i32> %a, <2 x i32> %b
  ret <2 x i32> %r
}
; run: @lanes(<1, 0>, <1, 2>, <3, 4>) == <1, 4>

define <2 x i32> @whole(i1 %c, <2 x i32> %a, <2 x i32> %b) {
  %r = select i1 %c, <2 x i32> %a, <2 x i32> %b
  ret <2 x i32> %r
}
; run: @whole(0, <1, 2>, <3, 4>) == <3, 4>

define i64 @of_addresses(i1 %c, i64 %a) {
  %p = inttoptr i64 %a to ptr
  %q = select i1 %c, ptr %p, ptr null
  %r = ptrtoint ptr %q to i64
  ret i64 %r
}
; run: @of_addresses(1, 16) == 16
