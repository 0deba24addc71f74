; Memory, stack and addresses; and what says something of a program without doing it.
; run: @copied() == 3
; run: @moved() == 1
; run: @filled() == 84215045
; run: @masked(1000) == 992
; run: @unknown_size() == -1
; run: @least_size() == 0
; run: @frame() == 1
; run: @assumed(5) == 5
; run: @expected(6) == 6
; run: @never_constant() == 0
; run: @library(2.0) == 8.0
; run: @stopped(1) == 7
; run: @stopped(0) traps user(0)
; run: @checked() traps user(12)

@source = constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

define i32 @copied() {
  %p = alloca [4 x i32], align 16
  call void @llvm.lifetime.start.p0(ptr %p)
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %p, ptr align 4 @source, i64 16, i1 false)
  %q = getelementptr i32, ptr %p, i64 2
  %r = load i32, ptr %q
  call void @llvm.lifetime.end.p0(ptr %p)
  ret i32 %r
}

define i32 @moved() {
  %p = alloca [4 x i32]
  call void @llvm.memcpy.inline.p0.p0.i32(ptr %p, ptr @source, i32 16, i1 false)
  %q = getelementptr i32, ptr %p, i64 1
  call void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 12, i1 true)
  %r = load i32, ptr %q
  ret i32 %r
}

define i32 @filled() {
  %p = alloca i32
  call void @llvm.memset.p0.i64(ptr %p, i8 5, i64 4, i1 false)
  %r = load i32, ptr %p
  ret i32 %r
}

define i64 @masked(i64 %x) {
  %p = inttoptr i64 %x to ptr
  %q = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -16)
  %r = ptrtoint ptr %q to i64
  ret i64 %r
}

define i64 @unknown_size() {
  %r = call i64 @llvm.objectsize.i64.p0(ptr @source, i1 false, i1 true, i1 false)
  ret i64 %r
}

define i64 @least_size() {
  %r = call i64 @llvm.objectsize.i64.p0(ptr @source, i1 true, i1 true, i1 false)
  ret i64 %r
}

define i1 @frame() {
  %f = call ptr @llvm.frameaddress.p0(i32 0)
  %r = icmp ne ptr %f, null
  ret i1 %r
}

define i32 @assumed(i32 %x) {
  %c = icmp sgt i32 %x, 0
  call void @llvm.assume(i1 %c)
  call void @llvm.assume(i1 true) [ "align"(ptr @source, i64 4) ]
  call void @llvm.donothing()
  ret i32 %x
}

define i32 @expected(i32 %x) {
  %r = call i32 @llvm.expect.i32(i32 %x, i32 1)
  %s = call i32 @llvm.expect.with.probability.i32(i32 %r, i32 1, double 9.0e-1)
  ret i32 %s
}

define i1 @never_constant() {
  %r = call i1 @llvm.is.constant.i32(i32 5)
  ret i1 %r
}

define double @library(double %x) {
  %r = call double @llvm.pow.f64(double %x, double 3.0)
  ret double %r
}

; A trap is no end of its block.
define i32 @stopped(i1 %c) {
  br i1 %c, label %on, label %off
on:
  ret i32 7
off:
  call void @llvm.trap()
  ret i32 8
}

define i32 @checked() {
  call void @llvm.ubsantrap(i8 12)
  unreachable
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @llvm.memcpy.inline.p0.p0.i32(ptr, ptr, i32 immarg, i1 immarg)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i64 @llvm.objectsize.i64.p0(ptr, i1 immarg, i1 immarg, i1 immarg)
declare ptr @llvm.frameaddress.p0(i32 immarg)
declare void @llvm.assume(i1)
declare void @llvm.donothing()
declare i32 @llvm.expect.i32(i32, i32)
declare i32 @llvm.expect.with.probability.i32(i32, i32, double immarg)
declare i1 @llvm.is.constant.i32(i32)
declare double @llvm.pow.f64(double, double)
declare void @llvm.trap()
declare void @llvm.ubsantrap(i8 immarg)
