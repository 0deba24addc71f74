; Offsets of fields and elements, with indices of any width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%node = type { i8, [3 x { i16, i32 }], ptr }

define i64 @constant() {
  %a = getelementptr %node, ptr null, i64 2, i32 1, i64 1, i32 1
  %r = ptrtoint ptr %a to i64
  ret i64 %r
}
; run: @constant() == 96

define i64 @negative(i32 %i) {
  %a = getelementptr inbounds [10 x i24], ptr null, i64 0, i32 %i
  %r = ptrtoint ptr %a to i64
  ret i64 %r
}
; run: @negative(-3) == -12
; run: @negative(7) == 28

define i64 @narrow(i5 %i) {
  %a = getelementptr nuw nusw i16, ptr null, i5 %i
  %r = ptrtoint ptr %a to i64
  ret i64 %r
}
; run: @narrow(31) == -2
; run: @narrow(15) == 30

define i64 @wide(i128 %i) {
  %a = getelementptr i8, ptr null, i128 %i
  %r = ptrtoint ptr %a to i64
  ret i64 %r
}
; run: @wide(-1) == -1

define i64 @bit(i1 %i) {
  %a = getelementptr i32, ptr null, i1 %i
  %r = ptrtoint ptr %a to i64
  ret i64 %r
}
; run: @bit(1) == -4

define i64 @constants_of_narrow_types() {
  %a = getelementptr i32, ptr null, i8 -1
  %b = getelementptr { i8, i64 }, ptr %a, i3 7, i32 1
  %r = ptrtoint ptr %b to i64
  ret i64 %r
}
; run: @constants_of_narrow_types() == -12

define i64 @nothing() {
  %a = getelementptr [0 x i64], ptr null, i64 0, i64 5
  %b = getelementptr {}, ptr %a, i64 9
  %r = ptrtoint ptr %b to i64
  ret i64 %r
}
; run: @nothing() == 40
