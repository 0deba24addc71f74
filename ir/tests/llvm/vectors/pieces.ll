; Vectors of more than 512 bits: every op on them, and the lanes behind the last whole piece.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@primes = constant [19 x i64] [i64 2, i64 3, i64 5, i64 7, i64 11, i64 13, i64 17, i64 19, i64 23, i64 29, i64 31, i64 37, i64 41, i64 43, i64 47, i64 53, i64 59, i64 61, i64 67]

declare i64 @llvm.vector.reduce.add.v19i64(<19 x i64>)
declare i64 @llvm.vector.reduce.smin.v19i64(<19 x i64>)
declare i32 @llvm.vector.reduce.xor.v32i32(<32 x i32>)
declare double @llvm.vector.reduce.fadd.v9f64(double, <9 x double>)
declare <19 x i64> @llvm.umin.v19i64(<19 x i64>, <19 x i64>)
declare <9 x double> @llvm.fabs.v9f64(<9 x double>)

define i64 @arithmetic(i64 %x) {
  %p = load <19 x i64>, ptr @primes, align 8
  %i = insertelement <19 x i64> poison, i64 %x, i32 0
  %s = shufflevector <19 x i64> %i, <19 x i64> poison, <19 x i32> zeroinitializer
  %m = mul <19 x i64> %p, %s
  %d = sdiv <19 x i64> %m, <i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19>
  %r = call i64 @llvm.vector.reduce.add.v19i64(<19 x i64> %d)
  ret i64 %r
}
; run: @arithmetic(7) == 345
; run: @arithmetic(-1000) == -50494

define i64 @compared(i64 %x) {
  %p = load <19 x i64>, ptr @primes, align 8
  %i = insertelement <19 x i64> poison, i64 %x, i32 0
  %s = shufflevector <19 x i64> %i, <19 x i64> poison, <19 x i32> zeroinitializer
  %c = icmp slt <19 x i64> %p, %s
  %y = select <19 x i1> %c, <19 x i64> %p, <19 x i64> splat (i64 1000)
  %a = call i64 @llvm.vector.reduce.add.v19i64(<19 x i64> %y)
  %b = bitcast <19 x i1> %c to i19
  %w = zext i19 %b to i64
  %u = call <19 x i64> @llvm.umin.v19i64(<19 x i64> %p, <19 x i64> %s)
  %v = call i64 @llvm.vector.reduce.smin.v19i64(<19 x i64> %u)
  %t = add i64 %a, %w
  %r = add i64 %t, %v
  ret i64 %r
}
; run: @compared(30) == 10154
; run: @compared(62) == 263646

define i64 @element(i64 %i, i64 %j, i64 %x) {
  %p = load <19 x i64>, ptr @primes, align 8
  %q = insertelement <19 x i64> %p, i64 %x, i64 %i
  %r = extractelement <19 x i64> %q, i64 %j
  %s = extractelement <19 x i64> %q, i32 17
  %t = mul i64 %r, %s
  ret i64 %t
}
; run: @element(3, 3, 100) == 6100
; run: @element(17, 18, 100) == 6700
; run: @element(8, 9, 100) == 1769

define i64 @stored(i64 %i) {
  %a = alloca [20 x i64]
  %last = getelementptr i64, ptr %a, i64 19
  store i64 77, ptr %last
  %p = load <19 x i64>, ptr @primes, align 8
  %n = sub <19 x i64> zeroinitializer, %p
  store <19 x i64> %n, ptr %a, align 8
  %q = getelementptr i64, ptr %a, i64 %i
  %r = load i64, ptr %q
  ret i64 %r
}
; run: @stored(0) == -2
; run: @stored(18) == -67
; run: @stored(19) == 77

define i32 @shuffled(<4 x i32> %x, <4 x i32> %y) {
  %a = shufflevector <4 x i32> %x, <4 x i32> %y, <32 x i32> <i32 0, i32 7, i32 1, i32 6, i32 2, i32 5, i32 3, i32 4, i32 4, i32 3, i32 5, i32 2, i32 6, i32 1, i32 7, i32 0, i32 0, i32 0, i32 1, i32 1, i32 2, i32 2, i32 3, i32 3, i32 4, i32 4, i32 5, i32 5, i32 6, i32 6, i32 7, i32 7>
  %b = shufflevector <32 x i32> %a, <32 x i32> splat (i32 1000), <32 x i32> <i32 31, i32 63, i32 29, i32 27, i32 25, i32 23, i32 21, i32 19, i32 17, i32 15, i32 13, i32 11, i32 9, i32 7, i32 5, i32 3, i32 1, i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28>
  %c = mul <32 x i32> %b, <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32>
  %r = call i32 @llvm.vector.reduce.xor.v32i32(<32 x i32> %c)
  %d = shufflevector <32 x i32> %b, <32 x i32> poison, <4 x i32> <i32 1, i32 9, i32 17, i32 25>
  %e = extractelement <4 x i32> %d, i32 3
  %t = add i32 %r, %e
  ret i32 %t
}
; run: @shuffled(<1, 20, 300, 4000>, <50000, -6, 77, 888>) == 990779

define i64 @converted(<16 x i16> %x) {
  %a = sext <16 x i16> %x to <16 x i64>
  %b = trunc <16 x i64> %a to <16 x i33>
  %c = add <16 x i33> %b, splat (i33 -1)
  %d = zext <16 x i33> %c to <16 x i64>
  %e = sitofp <16 x i64> %d to <16 x double>
  %f = fptosi <16 x double> %e to <16 x i64>
  %p = alloca [16 x i64]
  store <16 x i64> %f, ptr %p, align 8
  %g = getelementptr i64, ptr %p, i64 13
  %r = load i64, ptr %g
  ret i64 %r
}
; run: @converted(<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, -14, 15, 16>) == 8589934577

define i64 @odd_lanes_in_memory(i64 %i) {
  %p = alloca [20 x i64]
  %l = load <19 x i64>, ptr @primes, align 8
  %t = trunc <19 x i64> %l to <19 x i45>
  store <19 x i45> %t, ptr %p, align 8
  %u = load <19 x i45>, ptr %p, align 8
  %v = sub <19 x i45> %u, splat (i45 50)
  %w = sext <19 x i45> %v to <19 x i64>
  %x = extractelement <19 x i64> %w, i64 %i
  %q = getelementptr i64, ptr %p, i64 %i
  %y = load i32, ptr %p, align 8
  %z = zext i32 %y to i64
  %r = add i64 %x, %z
  ret i64 %r
}
; run: @odd_lanes_in_memory(0) == -46
; run: @odd_lanes_in_memory(18) == 19

define double @floats(double %x) {
  %i = insertelement <9 x double> splat (double -1.5), double %x, i32 8
  %n = fneg <9 x double> %i
  %m = fmul <9 x double> %n, <double 1.0, double 2.0, double 3.0, double 4.0, double 5.0, double 6.0, double 7.0, double 8.0, double 9.0>
  %a = call <9 x double> @llvm.fabs.v9f64(<9 x double> %m)
  %g = fcmp ogt <9 x double> %m, zeroinitializer
  %s = select <9 x i1> %g, <9 x double> %a, <9 x double> zeroinitializer
  %r = call double @llvm.vector.reduce.fadd.v9f64(double 0.5, <9 x double> %s)
  ret double %r
}
; run: @floats(2.0) == 54.5
; run: @floats(-3.0) == 81.5

define i64 @along_edges(i1 %c) {
entry:
  %p = load <19 x i64>, ptr @primes, align 8
  br i1 %c, label %a, label %b
a:
  %q = add <19 x i64> %p, splat (i64 1)
  br label %b
b:
  %v = phi <19 x i64> [ zeroinitializer, %entry ], [ %q, %a ]
  %w = select i1 %c, <19 x i64> %v, <19 x i64> %p
  %f = freeze <19 x i64> %w
  %r = extractelement <19 x i64> %f, i32 18
  ret i64 %r
}
; run: @along_edges(1) == 68
; run: @along_edges(0) == 67

define i32 @bits_of(i64 %y) {
  %x = insertelement <16 x i64> splat (i64 5), i64 %y, i32 13
  %b = bitcast <16 x i64> %x to <32 x i32>
  %r = extractelement <32 x i32> %b, i32 27
  ret i32 %r
}
; run: @bits_of(-14) == -1
