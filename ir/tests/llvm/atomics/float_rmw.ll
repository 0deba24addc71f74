; Every read-modify-write on floats, in formats that have no step of their own too.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define double @xchg_double(double %old, double %x) {
  %p = alloca double
  store double %old, ptr %p
  %o = atomicrmw xchg ptr %p, double %x acq_rel, align 8
  %n = load double, ptr %p
  %m = fmul double %o, 8.0
  %r = fadd double %m, %n
  ret double %r
}
; run: @xchg_double(1.5, 0.25) == 12.25
; run: @xchg_double(-1.0, 2.0) == -6.0

define float @xchg_float(float %old, float %x) {
  %p = alloca float
  store float %old, ptr %p
  %o = atomicrmw xchg ptr %p, float %x acq_rel, align 4
  %n = load float, ptr %p
  %m = fmul float %o, 8.0
  %r = fadd float %m, %n
  ret float %r
}
; run: @xchg_float(1.5, 0.25) == 12.25
; run: @xchg_float(-1.0, 2.0) == -6.0

define half @xchg_half(half %old, half %x) {
  %p = alloca half
  store half %old, ptr %p
  %o = atomicrmw xchg ptr %p, half %x acq_rel, align 2
  %n = load half, ptr %p
  %m = fmul half %o, 8.0
  %r = fadd half %m, %n
  ret half %r
}
; run: @xchg_half(1.5, 0.25) == 12.25
; run: @xchg_half(-1.0, 2.0) == -6.0

define double @fadd_double(double %old, double %x) {
  %p = alloca double
  store double %old, ptr %p
  %o = atomicrmw fadd ptr %p, double %x acq_rel, align 8
  %n = load double, ptr %p
  %m = fmul double %o, 8.0
  %r = fadd double %m, %n
  ret double %r
}
; run: @fadd_double(1.5, 0.25) == 13.75
; run: @fadd_double(-1.0, 2.0) == -7.0

define float @fadd_float(float %old, float %x) {
  %p = alloca float
  store float %old, ptr %p
  %o = atomicrmw fadd ptr %p, float %x acq_rel, align 4
  %n = load float, ptr %p
  %m = fmul float %o, 8.0
  %r = fadd float %m, %n
  ret float %r
}
; run: @fadd_float(1.5, 0.25) == 13.75
; run: @fadd_float(-1.0, 2.0) == -7.0

define half @fadd_half(half %old, half %x) {
  %p = alloca half
  store half %old, ptr %p
  %o = atomicrmw fadd ptr %p, half %x acq_rel, align 2
  %n = load half, ptr %p
  %m = fmul half %o, 8.0
  %r = fadd half %m, %n
  ret half %r
}
; run: @fadd_half(1.5, 0.25) == 13.75
; run: @fadd_half(-1.0, 2.0) == -7.0

define double @fsub_double(double %old, double %x) {
  %p = alloca double
  store double %old, ptr %p
  %o = atomicrmw fsub ptr %p, double %x acq_rel, align 8
  %n = load double, ptr %p
  %m = fmul double %o, 8.0
  %r = fadd double %m, %n
  ret double %r
}
; run: @fsub_double(1.5, 0.25) == 13.25
; run: @fsub_double(-1.0, 2.0) == -11.0

define float @fsub_float(float %old, float %x) {
  %p = alloca float
  store float %old, ptr %p
  %o = atomicrmw fsub ptr %p, float %x acq_rel, align 4
  %n = load float, ptr %p
  %m = fmul float %o, 8.0
  %r = fadd float %m, %n
  ret float %r
}
; run: @fsub_float(1.5, 0.25) == 13.25
; run: @fsub_float(-1.0, 2.0) == -11.0

define half @fsub_half(half %old, half %x) {
  %p = alloca half
  store half %old, ptr %p
  %o = atomicrmw fsub ptr %p, half %x acq_rel, align 2
  %n = load half, ptr %p
  %m = fmul half %o, 8.0
  %r = fadd half %m, %n
  ret half %r
}
; run: @fsub_half(1.5, 0.25) == 13.25
; run: @fsub_half(-1.0, 2.0) == -11.0

define double @fmax_double(double %old, double %x) {
  %p = alloca double
  store double %old, ptr %p
  %o = atomicrmw fmax ptr %p, double %x acq_rel, align 8
  %n = load double, ptr %p
  %m = fmul double %o, 8.0
  %r = fadd double %m, %n
  ret double %r
}
; run: @fmax_double(1.5, 0.25) == 13.5
; run: @fmax_double(-1.0, 2.0) == -6.0

define float @fmax_float(float %old, float %x) {
  %p = alloca float
  store float %old, ptr %p
  %o = atomicrmw fmax ptr %p, float %x acq_rel, align 4
  %n = load float, ptr %p
  %m = fmul float %o, 8.0
  %r = fadd float %m, %n
  ret float %r
}
; run: @fmax_float(1.5, 0.25) == 13.5
; run: @fmax_float(-1.0, 2.0) == -6.0

define half @fmax_half(half %old, half %x) {
  %p = alloca half
  store half %old, ptr %p
  %o = atomicrmw fmax ptr %p, half %x acq_rel, align 2
  %n = load half, ptr %p
  %m = fmul half %o, 8.0
  %r = fadd half %m, %n
  ret half %r
}
; run: @fmax_half(1.5, 0.25) == 13.5
; run: @fmax_half(-1.0, 2.0) == -6.0

define double @fmin_double(double %old, double %x) {
  %p = alloca double
  store double %old, ptr %p
  %o = atomicrmw fmin ptr %p, double %x acq_rel, align 8
  %n = load double, ptr %p
  %m = fmul double %o, 8.0
  %r = fadd double %m, %n
  ret double %r
}
; run: @fmin_double(1.5, 0.25) == 12.25
; run: @fmin_double(-1.0, 2.0) == -9.0

define float @fmin_float(float %old, float %x) {
  %p = alloca float
  store float %old, ptr %p
  %o = atomicrmw fmin ptr %p, float %x acq_rel, align 4
  %n = load float, ptr %p
  %m = fmul float %o, 8.0
  %r = fadd float %m, %n
  ret float %r
}
; run: @fmin_float(1.5, 0.25) == 12.25
; run: @fmin_float(-1.0, 2.0) == -9.0

define half @fmin_half(half %old, half %x) {
  %p = alloca half
  store half %old, ptr %p
  %o = atomicrmw fmin ptr %p, half %x acq_rel, align 2
  %n = load half, ptr %p
  %m = fmul half %o, 8.0
  %r = fadd half %m, %n
  ret half %r
}
; run: @fmin_half(1.5, 0.25) == 12.25
; run: @fmin_half(-1.0, 2.0) == -9.0

define double @fmaximum_double(double %old, double %x) {
  %p = alloca double
  store double %old, ptr %p
  %o = atomicrmw fmaximum ptr %p, double %x acq_rel, align 8
  %n = load double, ptr %p
  %m = fmul double %o, 8.0
  %r = fadd double %m, %n
  ret double %r
}
; run: @fmaximum_double(1.5, 0.25) == 13.5
; run: @fmaximum_double(-1.0, 2.0) == -6.0

define float @fmaximum_float(float %old, float %x) {
  %p = alloca float
  store float %old, ptr %p
  %o = atomicrmw fmaximum ptr %p, float %x acq_rel, align 4
  %n = load float, ptr %p
  %m = fmul float %o, 8.0
  %r = fadd float %m, %n
  ret float %r
}
; run: @fmaximum_float(1.5, 0.25) == 13.5
; run: @fmaximum_float(-1.0, 2.0) == -6.0

define half @fmaximum_half(half %old, half %x) {
  %p = alloca half
  store half %old, ptr %p
  %o = atomicrmw fmaximum ptr %p, half %x acq_rel, align 2
  %n = load half, ptr %p
  %m = fmul half %o, 8.0
  %r = fadd half %m, %n
  ret half %r
}
; run: @fmaximum_half(1.5, 0.25) == 13.5
; run: @fmaximum_half(-1.0, 2.0) == -6.0

define double @fminimum_double(double %old, double %x) {
  %p = alloca double
  store double %old, ptr %p
  %o = atomicrmw fminimum ptr %p, double %x acq_rel, align 8
  %n = load double, ptr %p
  %m = fmul double %o, 8.0
  %r = fadd double %m, %n
  ret double %r
}
; run: @fminimum_double(1.5, 0.25) == 12.25
; run: @fminimum_double(-1.0, 2.0) == -9.0

define float @fminimum_float(float %old, float %x) {
  %p = alloca float
  store float %old, ptr %p
  %o = atomicrmw fminimum ptr %p, float %x acq_rel, align 4
  %n = load float, ptr %p
  %m = fmul float %o, 8.0
  %r = fadd float %m, %n
  ret float %r
}
; run: @fminimum_float(1.5, 0.25) == 12.25
; run: @fminimum_float(-1.0, 2.0) == -9.0

define half @fminimum_half(half %old, half %x) {
  %p = alloca half
  store half %old, ptr %p
  %o = atomicrmw fminimum ptr %p, half %x acq_rel, align 2
  %n = load half, ptr %p
  %m = fmul half %o, 8.0
  %r = fadd half %m, %n
  ret half %r
}
; run: @fminimum_half(1.5, 0.25) == 12.25
; run: @fminimum_half(-1.0, 2.0) == -9.0
