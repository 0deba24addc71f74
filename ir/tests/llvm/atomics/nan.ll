; `fmin` and `fmax` find the number beside a NaN, `fminimum` and `fmaximum` the NaN.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define double @fmin(double %old, double %x) {
  %p = alloca double
  store double %old, ptr %p
  %o = atomicrmw fmin ptr %p, double %x seq_cst
  %n = load double, ptr %p
  ret double %n
}
; run: @fmin(nan, 1.0) == 1.0
; run: @fmin(1.0, nan) == 1.0

define double @fminimum(double %old, double %x) {
  %p = alloca double
  store double %old, ptr %p
  %o = atomicrmw fminimum ptr %p, double %x seq_cst
  %n = load double, ptr %p
  ret double %n
}
; run: @fminimum(nan, 1.0) == nan
