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

; More lanes than one value has.
define i64 @many_indices(i64 %b, i64 %lane) {
  %p = inttoptr i64 %b to ptr
  %q = getelementptr i32, ptr %p, <9 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 -7, i64 8>
  %n = ptrtoint <9 x ptr> %q to <9 x i64>
  %r = extractelement <9 x i64> %n, i64 %lane
  ret i64 %r
}
; run: @many_indices(1000, 0) == 1000
; run: @many_indices(1000, 7) == 972
; run: @many_indices(1000, 8) == 1032

define i64 @many_of_both(i64 %b, i64 %lane) {
  %p = inttoptr i64 %b to ptr
  %q = getelementptr i8, ptr %p, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 -9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 -15>
  %s = getelementptr { i32, [4 x i16] }, <16 x ptr> %q, i64 1, i32 1, i64 %lane
  %n = ptrtoint <16 x ptr> %s to <16 x i64>
  %r = extractelement <16 x i64> %n, i64 %lane
  ret i64 %r
}
; run: @many_of_both(1000, 0) == 1016
; run: @many_of_both(1000, 9) == 1025
; run: @many_of_both(1000, 15) == 1031

define i64 @many_addresses(i64 %b, i64 %i, i64 %lane) {
  %n = insertelement <12 x i64> zeroinitializer, i64 %b, i64 10
  %p = inttoptr <12 x i64> %n to <12 x ptr>
  %q = getelementptr i16, <12 x ptr> %p, i64 %i
  %m = ptrtoint <12 x ptr> %q to <12 x i64>
  %r = extractelement <12 x i64> %m, i64 %lane
  ret i64 %r
}
; run: @many_addresses(100, 3, 10) == 106
; run: @many_addresses(100, 3, 11) == 6

define i64 @many_constants(i64 %b, i64 %lane) {
  %p = inttoptr i64 %b to ptr
  %q = getelementptr i16, ptr %p, <12 x i64> splat (i64 4)
  %m = ptrtoint <12 x ptr> %q to <12 x i64>
  %r = extractelement <12 x i64> %m, i64 %lane
  ret i64 %r
}
; run: @many_constants(100, 11) == 108
