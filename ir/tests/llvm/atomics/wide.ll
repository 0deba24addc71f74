; Atomic accesses of 128 bits.
; needs: cx16
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define i128 @through(i128 %x) {
  %p = alloca i128
  store atomic i128 %x, ptr %p release, align 16
  %r = load atomic i128, ptr %p acquire, align 16
  ret i128 %r
}
; run: @through(-3) == -3
; run: @through(0x123456789abcdef0fedcba9876543210) == 0x123456789abcdef0fedcba9876543210

define <2 x i64> @vector(<2 x i64> %x) {
  %p = alloca <2 x i64>
  store atomic <2 x i64> %x, ptr %p monotonic, align 16
  %r = load atomic volatile <2 x i64>, ptr %p unordered, align 16
  ret <2 x i64> %r
}
; run: @vector(<5, -7>) == <5, -7>

define i1 @quad(i64 %x) {
  %p = alloca fp128
  %y = sitofp i64 %x to fp128
  store atomic fp128 %y, ptr %p seq_cst, align 16
  %r = load atomic fp128, ptr %p seq_cst, align 16
  %back = fptosi fp128 %r to i64
  %same = icmp eq i64 %back, %x
  ret i1 %same
}
; run: @quad(-123456789) == 1

define { i128, i1, i128 } @exchange(i128 %old, i128 %expected, i128 %new) {
  %p = alloca i128
  store i128 %old, ptr %p
  %r = cmpxchg weak ptr %p, i128 %expected, i128 %new acq_rel monotonic, align 16
  %v = extractvalue { i128, i1 } %r, 0
  %ok = extractvalue { i128, i1 } %r, 1
  %n = load i128, ptr %p
  %a = insertvalue { i128, i1, i128 } poison, i128 %v, 0
  %b = insertvalue { i128, i1, i128 } %a, i1 %ok, 1
  %c = insertvalue { i128, i1, i128 } %b, i128 %n, 2
  ret { i128, i1, i128 } %c
}
; run: @exchange(5, 5, 0x10000000000000000) == {5, 1, 0x10000000000000000}
; run: @exchange(0x10000000000000005, 5, 9) == {0x10000000000000005, 0, 0x10000000000000005}

define { i128, i128 } @xchg(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw xchg ptr %p, i128 %x monotonic, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @xchg(18446744073709551615, 1) == {18446744073709551615, 1}
; run: @xchg(18446744073709551616, 1) == {18446744073709551616, 1}
; run: @xchg(-1, 18446744073709551616) == {-1, 18446744073709551616}
; run: @xchg(7, 18446744073709551619) == {7, 18446744073709551619}
; run: @xchg(0, -5) == {0, -5}

define { i128, i128 } @add(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw add ptr %p, i128 %x acquire, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @add(18446744073709551615, 1) == {18446744073709551615, 18446744073709551616}
; run: @add(18446744073709551616, 1) == {18446744073709551616, 18446744073709551617}
; run: @add(-1, 18446744073709551616) == {-1, 18446744073709551615}
; run: @add(7, 18446744073709551619) == {7, 18446744073709551626}
; run: @add(0, -5) == {0, -5}

define { i128, i128 } @sub(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw sub ptr %p, i128 %x release, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @sub(18446744073709551615, 1) == {18446744073709551615, 18446744073709551614}
; run: @sub(18446744073709551616, 1) == {18446744073709551616, 18446744073709551615}
; run: @sub(-1, 18446744073709551616) == {-1, -18446744073709551617}
; run: @sub(7, 18446744073709551619) == {7, -18446744073709551612}
; run: @sub(0, -5) == {0, 5}

define { i128, i128 } @and(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw and ptr %p, i128 %x acq_rel, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @and(18446744073709551615, 1) == {18446744073709551615, 1}
; run: @and(18446744073709551616, 1) == {18446744073709551616, 0}
; run: @and(-1, 18446744073709551616) == {-1, 18446744073709551616}
; run: @and(7, 18446744073709551619) == {7, 3}
; run: @and(0, -5) == {0, 0}

define { i128, i128 } @nand(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw nand ptr %p, i128 %x seq_cst, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @nand(18446744073709551615, 1) == {18446744073709551615, -2}
; run: @nand(18446744073709551616, 1) == {18446744073709551616, -1}
; run: @nand(-1, 18446744073709551616) == {-1, -18446744073709551617}
; run: @nand(7, 18446744073709551619) == {7, -4}
; run: @nand(0, -5) == {0, -1}

define { i128, i128 } @or(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw or ptr %p, i128 %x monotonic, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @or(18446744073709551615, 1) == {18446744073709551615, 18446744073709551615}
; run: @or(18446744073709551616, 1) == {18446744073709551616, 18446744073709551617}
; run: @or(-1, 18446744073709551616) == {-1, -1}
; run: @or(7, 18446744073709551619) == {7, 18446744073709551623}
; run: @or(0, -5) == {0, -5}

define { i128, i128 } @xor(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw xor ptr %p, i128 %x acquire, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @xor(18446744073709551615, 1) == {18446744073709551615, 18446744073709551614}
; run: @xor(18446744073709551616, 1) == {18446744073709551616, 18446744073709551617}
; run: @xor(-1, 18446744073709551616) == {-1, -18446744073709551617}
; run: @xor(7, 18446744073709551619) == {7, 18446744073709551620}
; run: @xor(0, -5) == {0, -5}

define { i128, i128 } @max(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw max ptr %p, i128 %x release, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @max(18446744073709551615, 1) == {18446744073709551615, 18446744073709551615}
; run: @max(18446744073709551616, 1) == {18446744073709551616, 18446744073709551616}
; run: @max(-1, 18446744073709551616) == {-1, 18446744073709551616}
; run: @max(7, 18446744073709551619) == {7, 18446744073709551619}
; run: @max(0, -5) == {0, 0}

define { i128, i128 } @min(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw min ptr %p, i128 %x acq_rel, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @min(18446744073709551615, 1) == {18446744073709551615, 1}
; run: @min(18446744073709551616, 1) == {18446744073709551616, 1}
; run: @min(-1, 18446744073709551616) == {-1, -1}
; run: @min(7, 18446744073709551619) == {7, 7}
; run: @min(0, -5) == {0, -5}

define { i128, i128 } @umax(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw umax ptr %p, i128 %x seq_cst, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @umax(18446744073709551615, 1) == {18446744073709551615, 18446744073709551615}
; run: @umax(18446744073709551616, 1) == {18446744073709551616, 18446744073709551616}
; run: @umax(-1, 18446744073709551616) == {-1, -1}
; run: @umax(7, 18446744073709551619) == {7, 18446744073709551619}
; run: @umax(0, -5) == {0, -5}

define { i128, i128 } @umin(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw umin ptr %p, i128 %x monotonic, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @umin(18446744073709551615, 1) == {18446744073709551615, 1}
; run: @umin(18446744073709551616, 1) == {18446744073709551616, 1}
; run: @umin(-1, 18446744073709551616) == {-1, 18446744073709551616}
; run: @umin(7, 18446744073709551619) == {7, 7}
; run: @umin(0, -5) == {0, 0}

define { i128, i128 } @uinc_wrap(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw uinc_wrap ptr %p, i128 %x acquire, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @uinc_wrap(18446744073709551615, 1) == {18446744073709551615, 0}
; run: @uinc_wrap(18446744073709551616, 1) == {18446744073709551616, 0}
; run: @uinc_wrap(-1, 18446744073709551616) == {-1, 0}
; run: @uinc_wrap(7, 18446744073709551619) == {7, 8}
; run: @uinc_wrap(0, -5) == {0, 1}

define { i128, i128 } @udec_wrap(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw udec_wrap ptr %p, i128 %x release, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @udec_wrap(18446744073709551615, 1) == {18446744073709551615, 1}
; run: @udec_wrap(18446744073709551616, 1) == {18446744073709551616, 1}
; run: @udec_wrap(-1, 18446744073709551616) == {-1, 18446744073709551616}
; run: @udec_wrap(7, 18446744073709551619) == {7, 6}
; run: @udec_wrap(0, -5) == {0, -5}

define { i128, i128 } @usub_cond(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw usub_cond ptr %p, i128 %x acq_rel, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @usub_cond(18446744073709551615, 1) == {18446744073709551615, 18446744073709551614}
; run: @usub_cond(18446744073709551616, 1) == {18446744073709551616, 18446744073709551615}
; run: @usub_cond(-1, 18446744073709551616) == {-1, -18446744073709551617}
; run: @usub_cond(7, 18446744073709551619) == {7, 7}
; run: @usub_cond(0, -5) == {0, 0}

define { i128, i128 } @usub_sat(i128 %old, i128 %x) {
  %p = alloca i128
  store i128 %old, ptr %p
  %o = atomicrmw usub_sat ptr %p, i128 %x seq_cst, align 16
  %n = load i128, ptr %p
  %a = insertvalue { i128, i128 } poison, i128 %o, 0
  %b = insertvalue { i128, i128 } %a, i128 %n, 1
  ret { i128, i128 } %b
}
; run: @usub_sat(18446744073709551615, 1) == {18446744073709551615, 18446744073709551614}
; run: @usub_sat(18446744073709551616, 1) == {18446744073709551616, 18446744073709551615}
; run: @usub_sat(-1, 18446744073709551616) == {-1, -18446744073709551617}
; run: @usub_sat(7, 18446744073709551619) == {7, 0}
; run: @usub_sat(0, -5) == {0, 0}

define double @quad_fadd(double %old, double %x) {
  %p = alloca fp128
  %a = fpext double %old to fp128
  %b = fpext double %x to fp128
  store fp128 %a, ptr %p
  %o = atomicrmw fadd ptr %p, fp128 %b seq_cst
  %n = load fp128, ptr %p
  %r = fptrunc fp128 %n to double
  ret double %r
}
; run: @quad_fadd(1.5, 2.25) == 3.75

define double @quad_fsub(double %old, double %x) {
  %p = alloca fp128
  %a = fpext double %old to fp128
  %b = fpext double %x to fp128
  store fp128 %a, ptr %p
  %o = atomicrmw fsub ptr %p, fp128 %b seq_cst
  %n = load fp128, ptr %p
  %r = fptrunc fp128 %n to double
  ret double %r
}
; run: @quad_fsub(1.5, 2.25) == -0.75

define double @quad_fmin(double %old, double %x) {
  %p = alloca fp128
  %a = fpext double %old to fp128
  %b = fpext double %x to fp128
  store fp128 %a, ptr %p
  %o = atomicrmw fmin ptr %p, fp128 %b seq_cst
  %n = load fp128, ptr %p
  %r = fptrunc fp128 %n to double
  ret double %r
}
; run: @quad_fmin(1.0, 2.0) == 1.0
; run: @quad_fmin(2.0, -1.0) == -1.0
; run: @quad_fmin(nan, 1.0) == 1.0
; run: @quad_fmin(1.0, nan) == 1.0

define double @quad_fmax(double %old, double %x) {
  %p = alloca fp128
  %a = fpext double %old to fp128
  %b = fpext double %x to fp128
  store fp128 %a, ptr %p
  %o = atomicrmw fmax ptr %p, fp128 %b seq_cst
  %n = load fp128, ptr %p
  %r = fptrunc fp128 %n to double
  ret double %r
}
; run: @quad_fmax(1.0, 2.0) == 2.0
; run: @quad_fmax(2.0, -1.0) == 2.0
; run: @quad_fmax(nan, 1.0) == 1.0
; run: @quad_fmax(1.0, nan) == 1.0

define double @quad_fminimum(double %old, double %x) {
  %p = alloca fp128
  %a = fpext double %old to fp128
  %b = fpext double %x to fp128
  store fp128 %a, ptr %p
  %o = atomicrmw fminimum ptr %p, fp128 %b seq_cst
  %n = load fp128, ptr %p
  %r = fptrunc fp128 %n to double
  ret double %r
}
; run: @quad_fminimum(1.0, -2.0) == -2.0
; run: @quad_fminimum(nan, 1.0) == nan
; run: @quad_fminimum(1.0, nan) == nan
; run: @quad_fminimum(0.0, -0.0) == -0.0
; run: @quad_fminimum(-0.0, 0.0) == -0.0

define double @quad_fmaximum(double %old, double %x) {
  %p = alloca fp128
  %a = fpext double %old to fp128
  %b = fpext double %x to fp128
  store fp128 %a, ptr %p
  %o = atomicrmw fmaximum ptr %p, fp128 %b seq_cst
  %n = load fp128, ptr %p
  %r = fptrunc fp128 %n to double
  ret double %r
}
; run: @quad_fmaximum(1.0, -2.0) == 1.0
; run: @quad_fmaximum(nan, 1.0) == nan
; run: @quad_fmaximum(1.0, nan) == nan
; run: @quad_fmaximum(0.0, -0.0) == 0.0
; run: @quad_fmaximum(-0.0, 0.0) == 0.0
