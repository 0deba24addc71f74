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
