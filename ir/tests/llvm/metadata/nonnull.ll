; What is loaded is promised not to be null, if it is promised to be something.
; skip: native compiled code does not look for broken promises
; skip: native-generic the same
; skip: lowered a broken promise may go with what broke it
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define ptr @promised(ptr %x) {
  %p = alloca ptr
  store ptr %x, ptr %p
  %y = load ptr, ptr %p, !nonnull !0, !noundef !0
  ret ptr %y
}
; run: @promised(0x10) == 0x10
; run: @promised(null) traps broken_promise

define ptr @unpromised(ptr %x) {
  %p = alloca ptr
  store ptr %x, ptr %p
  %y = load ptr, ptr %p, !nonnull !0
  ret ptr %y
}
; run: @unpromised(null) == null

!0 = !{}
