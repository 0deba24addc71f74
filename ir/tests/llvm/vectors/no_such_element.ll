; An index beside the vector gives poison, which a program may have as long as nobody looks.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @looked_away(<4 x i32> %v, i64 %i) {
  %x = extractelement <4 x i32> %v, i64 %i
  %w = insertelement <4 x i32> %v, i32 0, i64 %i
  %y = extractelement <4 x i32> %w, i64 99
  %far = icmp ugt i64 %i, 3
  %a = select i1 %far, i32 -1, i32 %x
  ret i32 %a
}
; run: @looked_away(<5, 6, 7, 8>, 2) == 7
; run: @looked_away(<5, 6, 7, 8>, 1000000000000) == -1
