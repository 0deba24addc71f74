; Slots are aligned as they say, above what a frame has too.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i64 @rest() {
  %a = alloca i8, align 256
  %b = alloca [3 x i8], align 32
  %c = alloca i32, i32 5, align 1
  %x = ptrtoint ptr %a to i64
  %y = ptrtoint ptr %b to i64
  %m = and i64 %x, 255
  %n = and i64 %y, 31
  %r = or i64 %m, %n
  store volatile i8 1, ptr %a, align 256
  ret i64 %r
}
; run: @rest() == 0
