; Every read-modify-write on integers.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i32 @xchg(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw xchg ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @xchg(5, 3) == 5003
; run: @xchg(3, 5) == 3005
; run: @xchg(-1, 1) == -999
; run: @xchg(0, 7) == 7

define i32 @add(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw add ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @add(5, 3) == 5008
; run: @add(3, 5) == 3008
; run: @add(-1, 1) == -1000
; run: @add(0, 7) == 7

define i32 @sub(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw sub ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @sub(5, 3) == 5002
; run: @sub(3, 5) == 2998
; run: @sub(-1, 1) == -1002
; run: @sub(0, 7) == -7

define i32 @and(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw and ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @and(5, 3) == 5001
; run: @and(3, 5) == 3001
; run: @and(-1, 1) == -999
; run: @and(0, 7) == 0

define i32 @nand(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw nand ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @nand(5, 3) == 4998
; run: @nand(3, 5) == 2998
; run: @nand(-1, 1) == -1002
; run: @nand(0, 7) == -1

define i32 @or(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw or ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @or(5, 3) == 5007
; run: @or(3, 5) == 3007
; run: @or(-1, 1) == -1001
; run: @or(0, 7) == 7

define i32 @xor(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw xor ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @xor(5, 3) == 5006
; run: @xor(3, 5) == 3006
; run: @xor(-1, 1) == -1002
; run: @xor(0, 7) == 7

define i32 @max(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw max ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @max(5, 3) == 5005
; run: @max(3, 5) == 3005
; run: @max(-1, 1) == -999
; run: @max(0, 7) == 7

define i32 @min(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw min ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @min(5, 3) == 5003
; run: @min(3, 5) == 3003
; run: @min(-1, 1) == -1001
; run: @min(0, 7) == 0

define i32 @umax(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw umax ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @umax(5, 3) == 5005
; run: @umax(3, 5) == 3005
; run: @umax(-1, 1) == -1001
; run: @umax(0, 7) == 7

define i32 @umin(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw umin ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @umin(5, 3) == 5003
; run: @umin(3, 5) == 3003
; run: @umin(-1, 1) == -999
; run: @umin(0, 7) == 0

define i32 @uinc_wrap(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw uinc_wrap ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @uinc_wrap(5, 3) == 5000
; run: @uinc_wrap(3, 5) == 3004
; run: @uinc_wrap(-1, 1) == -1000
; run: @uinc_wrap(0, 7) == 1

define i32 @udec_wrap(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw udec_wrap ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @udec_wrap(5, 3) == 5003
; run: @udec_wrap(3, 5) == 3002
; run: @udec_wrap(-1, 1) == -999
; run: @udec_wrap(0, 7) == 7

define i32 @usub_cond(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw usub_cond ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @usub_cond(5, 3) == 5002
; run: @usub_cond(3, 5) == 3003
; run: @usub_cond(-1, 1) == -1002
; run: @usub_cond(0, 7) == 0

define i32 @usub_sat(i32 %old, i32 %x) {
  %p = alloca i32
  store i32 %old, ptr %p
  %o = atomicrmw usub_sat ptr %p, i32 %x seq_cst
  %n = load i32, ptr %p
  %m = mul i32 %o, 1000
  %r = add i32 %m, %n
  ret i32 %r
}
; run: @usub_sat(5, 3) == 5002
; run: @usub_sat(3, 5) == 3000
; run: @usub_sat(-1, 1) == -1002
; run: @usub_sat(0, 7) == 0
