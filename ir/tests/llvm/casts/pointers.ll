; Addresses as numbers of other widths, and back.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i64 @there_and_back(i64 %a) {
  %p = inttoptr i64 %a to ptr
  %r = ptrtoint ptr %p to i64
  ret i64 %r
}
; run: @there_and_back(-5) == -5

define i24 @narrow(i64 %a) {
  %p = inttoptr i64 %a to ptr
  %r = ptrtoint ptr %p to i24
  ret i24 %r
}
; run: @narrow(-5) == 16777211

define i128 @wide(i32 %a) {
  %p = inttoptr i32 %a to ptr
  %r = ptrtoint ptr %p to i128
  ret i128 %r
}
; run: @wide(-5) == 4294967291

define <2 x i32> @lanes(<2 x i64> %a) {
  %p = inttoptr <2 x i64> %a to <2 x ptr>
  %r = ptrtoint <2 x ptr> %p to <2 x i32>
  ret <2 x i32> %r
}
; run: @lanes(<-1, 4294967298>) == <-1, 2>

define i1 @signed_order(i64 %a, i64 %b) {
  %p = inttoptr i64 %a to ptr
  %q = inttoptr i64 %b to ptr
  %r = icmp slt ptr %p, %q
  ret i1 %r
}
; run: @signed_order(-1, 1) == 1

define i1 @unsigned_order(i64 %a, i64 %b) {
  %p = inttoptr i64 %a to ptr
  %q = inttoptr i64 %b to ptr
  %r = icmp ult ptr %p, %q
  ret i1 %r
}
; run: @unsigned_order(-1, 1) == 0
