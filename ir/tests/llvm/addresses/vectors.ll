; Vectors of addresses, of indices, or of both.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define <2 x i64> @of_both(<2 x i64> %b, <2 x i32> %i) {
  %p = inttoptr <2 x i64> %b to <2 x ptr>
  %q = getelementptr { i32, i64 }, <2 x ptr> %p, <2 x i32> %i, i32 1
  %r = ptrtoint <2 x ptr> %q to <2 x i64>
  ret <2 x i64> %r
}
; run: @of_both(<100, 200>, <1, -2>) == <124, 176>

define <2 x i64> @of_indices(i64 %b, <2 x i64> %i) {
  %p = inttoptr i64 %b to ptr
  %q = getelementptr i32, ptr %p, <2 x i64> %i
  %r = ptrtoint <2 x ptr> %q to <2 x i64>
  ret <2 x i64> %r
}
; run: @of_indices(1000, <3, -3>) == <1012, 988>

define <2 x i64> @of_addresses(<2 x i64> %b, i64 %i) {
  %p = inttoptr <2 x i64> %b to <2 x ptr>
  %q = getelementptr [4 x i16], <2 x ptr> %p, i64 1, i64 %i
  %r = ptrtoint <2 x ptr> %q to <2 x i64>
  ret <2 x i64> %r
}
; run: @of_addresses(<100, 200>, 3) == <114, 214>

define <2 x i64> @constant() {
  %q = getelementptr i16, <2 x ptr> zeroinitializer, <2 x i64> <i64 1, i64 5>
  %r = ptrtoint <2 x ptr> %q to <2 x i64>
  ret <2 x i64> %r
}
; run: @constant() == <2, 10>
