; Switches on integers of any width.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @switch1(i1 %x) {
entry:
  switch i1 %x, label %other [
    i1 0, label %join
    i1 -1, label %join
  ]
other:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 3, %other ]
  ret i32 %r
}
; run: @switch1(1) == 1
; run: @switch1(0) == 1

define i32 @switch3(i3 %x) {
entry:
  switch i3 %x, label %other [
    i3 3, label %join
    i3 -1, label %join
  ]
other:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 3, %other ]
  ret i32 %r
}
; run: @switch3(7) == 1
; run: @switch3(3) == 1
; run: @switch3(1) == 3

define i32 @switch8(i8 %x) {
entry:
  switch i8 %x, label %other [
    i8 127, label %join
    i8 -1, label %join
  ]
other:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 3, %other ]
  ret i32 %r
}
; run: @switch8(-1) == 1
; run: @switch8(127) == 1
; run: @switch8(1) == 3

define i32 @switch33(i33 %x) {
entry:
  switch i33 %x, label %other [
    i33 4294967295, label %join
    i33 -1, label %join
  ]
other:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 3, %other ]
  ret i32 %r
}
; run: @switch33(8589934591) == 1
; run: @switch33(4294967295) == 1
; run: @switch33(1) == 3

define i32 @switch64(i64 %x) {
entry:
  switch i64 %x, label %other [
    i64 9223372036854775807, label %join
    i64 -1, label %join
  ]
other:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 3, %other ]
  ret i32 %r
}
; run: @switch64(-1) == 1
; run: @switch64(9223372036854775807) == 1
; run: @switch64(1) == 3

define i32 @switch65(i65 %x) {
entry:
  switch i65 %x, label %other [
    i65 18446744073709551615, label %join
    i65 -1, label %join
  ]
other:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 3, %other ]
  ret i32 %r
}
; run: @switch65(36893488147419103231) == 1
; run: @switch65(18446744073709551615) == 1
; run: @switch65(1) == 3

define i32 @switch128(i128 %x) {
entry:
  switch i128 %x, label %other [
    i128 170141183460469231731687303715884105727, label %join
    i128 -1, label %join
  ]
other:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 3, %other ]
  ret i32 %r
}
; run: @switch128(-1) == 1
; run: @switch128(170141183460469231731687303715884105727) == 1
; run: @switch128(1) == 3

; Of more than 128 bits: words, compared case by case.
define i32 @switch200(i64 %high, i64 %low) {
entry:
  %top = zext i64 %high to i200
  %up = shl i200 %top, 130
  %rest = sext i64 %low to i200
  %x = xor i200 %up, %rest
  switch i200 %x, label %other [
    i200 1361129467683753853853498429727072845824, label %join
    i200 -1, label %join
    i200 7, label %seven
    i200 1361129467683753853853498429727072845831, label %other
  ]
seven:
  br label %join
other:
  %o = phi i32 [ 4, %entry ], [ 4, %entry ]
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 2, %seven ], [ %o, %other ]
  ret i32 %r
}
; run: @switch200(1, 0) == 1
; run: @switch200(0, -1) == 1
; run: @switch200(0, 7) == 2
; run: @switch200(1, 7) == 4
; run: @switch200(2, 0) == 4
; run: @switch200(1, 1) == 4

define i32 @no_case(i200 %x) {
  switch i200 %x, label %other []
other:
  ret i32 9
}
define i32 @no_case_of_words() {
  %r = call i32 @no_case(i200 5)
  ret i32 %r
}
; run: @no_case_of_words() == 9
