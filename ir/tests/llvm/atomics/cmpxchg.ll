; `cmpxchg` gives the old value and whether it was replaced.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @done(i32 %old, i32 %expected) {
  %p = alloca i32
  store i32 %old, ptr %p
  %r = cmpxchg ptr %p, i32 %expected, i32 99 acq_rel monotonic
  %v = extractvalue { i32, i1 } %r, 0
  %ok = extractvalue { i32, i1 } %r, 1
  %n = load i32, ptr %p
  %w = zext i1 %ok to i32
  %a = mul i32 %v, 1000
  %b = mul i32 %w, 1000000
  %c = add i32 %a, %b
  %d = add i32 %c, %n
  ret i32 %d
}
; run: @done(5, 5) == 1005099
; run: @done(5, 6) == 5005

define i1 @address(i64 %a) {
  %p = alloca ptr
  store ptr null, ptr %p
  %q = inttoptr i64 %a to ptr
  %r = cmpxchg weak volatile ptr %p, ptr null, ptr %q monotonic seq_cst, align 8
  %v = load ptr, ptr %p
  %ok = icmp eq ptr %v, %q
  ret i1 %ok
}
; run: @address(64) == 1
