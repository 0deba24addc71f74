; What is never reached traps where it is.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @checked(i32 %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %never, label %done
never:
  unreachable
done:
  ret i32 %x
}
; run: @checked(3) == 3
; run: @checked(0) traps unreachable
