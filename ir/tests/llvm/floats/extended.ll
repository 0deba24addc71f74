; Values of 80 and 128 bits go wherever values go: along edges, through calls, in parts of
; others, and by the intrinsics that ops stand for.
target triple = "x86_64-pc-linux-gnu"

%pair = type { x86_fp80, fp128 }

define x86_fp80 @sum(x86_fp80 %start, i32 %n) {
entry:
  br label %loop
loop:
  %x = phi x86_fp80 [ %start, %entry ], [ %y, %loop ]
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %y = fadd x86_fp80 %x, 0xK3FFF8000000000000000
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  %n.x = fneg x86_fp80 %y
  %c = fcmp olt x86_fp80 %n.x, 0xK00000000000000000000
  %r = select i1 %c, x86_fp80 %y, x86_fp80 %n.x
  ret x86_fp80 %r
}
define double @called(double %start) {
  %x = fpext double %start to x86_fp80
  %y = call x86_fp80 @sum(x86_fp80 %x, i32 3)
  %r = fptrunc x86_fp80 %y to double
  ret double %r
}
; run: @called(1.5) == 4.5
; run: @called(-9.0) == 6.0

define %pair @paired(double %a) {
  %x = fpext double %a to x86_fp80
  %q = fpext x86_fp80 %x to fp128
  %p = insertvalue %pair undef, x86_fp80 %x, 0
  %r = insertvalue %pair %p, fp128 %q, 1
  ret %pair %r
}
define double @parts(double %a) {
  %p = call %pair @paired(double %a)
  %slot = alloca %pair
  store %pair %p, ptr %slot
  %at = getelementptr %pair, ptr %slot, i64 0, i32 1
  %q = load fp128, ptr %at, align 16
  %x = load x86_fp80, ptr %slot, align 16
  %wide = fpext x86_fp80 %x to fp128
  %both = fadd fp128 %wide, %q
  %narrow = fptrunc fp128 %both to x86_fp80
  %r = fptrunc x86_fp80 %narrow to double
  ret double %r
}
; run: @parts(2.25) == 4.5

define i64 @stride() {
  %p = getelementptr x86_fp80, ptr null, i64 1
  %q = getelementptr %pair, ptr %p, i64 1
  %r = ptrtoint ptr %q to i64
  ret i64 %r
}
; run: @stride() == 48

; The sign and exponent stand above 64 bits of the number.
define i16 @top(double %a) {
  %x = fpext double %a to x86_fp80
  %bits = bitcast x86_fp80 %x to i80
  %up = lshr i80 %bits, 64
  %r = trunc i80 %up to i16
  ret i16 %r
}
; run: @top(1.0) == 16383
; run: @top(-2.0) == -16384

declare x86_fp80 @llvm.fabs.f80(x86_fp80)
declare x86_fp80 @llvm.copysign.f80(x86_fp80, x86_fp80)
declare fp128 @llvm.fabs.f128(fp128)
declare fp128 @llvm.copysign.f128(fp128, fp128)
define double @signs(double %a, double %b) {
  %x = fpext double %a to x86_fp80
  %y = fpext double %b to x86_fp80
  %size = call x86_fp80 @llvm.fabs.f80(x86_fp80 %x)
  %signed = call x86_fp80 @llvm.copysign.f80(x86_fp80 %size, x86_fp80 %y)
  %q = fpext x86_fp80 %signed to fp128
  %size.q = call fp128 @llvm.fabs.f128(fp128 %q)
  %twice = fadd fp128 %size.q, %size.q
  %signed.q = call fp128 @llvm.copysign.f128(fp128 %twice, fp128 %q)
  %r = fptrunc fp128 %signed.q to double
  ret double %r
}
; run: @signs(-10.0, 3.0) == 20.0
; run: @signs(10.0, -0.0) == -20.0
; run: @signs(-0.0, 1.0) == 0.0
; run: @signs(0.0, -1.0) == -0.0

declare i1 @llvm.is.fpclass.f80(x86_fp80, i32)
declare i1 @llvm.is.fpclass.f128(fp128, i32)
define i1 @infinite(double %a) {
  %x = fpext double %a to x86_fp80
  %b = call i1 @llvm.is.fpclass.f80(x86_fp80 %x, i32 516)
  %q = fpext double %a to fp128
  %c = call i1 @llvm.is.fpclass.f128(fp128 %q, i32 516)
  %r = and i1 %b, %c
  ret i1 %r
}
; run: @infinite(inf) == 1
; run: @infinite(-inf) == 1
; run: @infinite(1.0) == 0
; run: @infinite(nan) == 0

define i32 @classes(double %a) {
  %x = fpext double %a to x86_fp80
  %normal = call i1 @llvm.is.fpclass.f80(x86_fp80 %x, i32 264)
  %negative = call i1 @llvm.is.fpclass.f80(x86_fp80 %x, i32 60)
  %quiet = call i1 @llvm.is.fpclass.f80(x86_fp80 %x, i32 2)
  %signaling = call i1 @llvm.is.fpclass.f80(x86_fp80 %x, i32 1)
  %zero = call i1 @llvm.is.fpclass.f80(x86_fp80 %x, i32 96)
  %v0 = zext i1 %normal to i32
  %v1 = zext i1 %negative to i32
  %v2 = zext i1 %quiet to i32
  %v3 = zext i1 %signaling to i32
  %v4 = zext i1 %zero to i32
  %b1 = shl i32 %v1, 1
  %b2 = shl i32 %v2, 2
  %b3 = shl i32 %v3, 3
  %b4 = shl i32 %v4, 4
  %b01 = or i32 %v0, %b1
  %b23 = or i32 %b2, %b3
  %b03 = or i32 %b01, %b23
  %r = or i32 %b03, %b4
  ret i32 %r
}
; run: @classes(1.0) == 1
; run: @classes(-1.0) == 3
; run: @classes(nan) == 4
; run: @classes(0.0) == 16
; run: @classes(-0.0) == 18
; run: @classes(-inf) == 2

@least = global x86_fp80 0xK00000000000000000001
@signal = global x86_fp80 0xK7FFF8000000000000001
define i1 @subnormal() {
  %x = load x86_fp80, ptr @least
  %a = call i1 @llvm.is.fpclass.f80(x86_fp80 %x, i32 128)
  %b = call i1 @llvm.is.fpclass.f80(x86_fp80 %x, i32 895)
  %s = load x86_fp80, ptr @signal
  %c = call i1 @llvm.is.fpclass.f80(x86_fp80 %s, i32 1)
  %d = call i1 @llvm.is.fpclass.f80(x86_fp80 %s, i32 1022)
  %ac = and i1 %a, %c
  %bd = or i1 %b, %d
  %n = xor i1 %bd, true
  %r = and i1 %ac, %n
  ret i1 %r
}
; run: @subnormal() == 1
