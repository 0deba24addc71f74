; ModuleID = 'spheres.880d5ea5d18037fb-cgu.0'
source_filename = "spheres.880d5ea5d18037fb-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(none) uwtable
define noundef i64 @kernel(i64 noundef %n) unnamed_addr #0 {
start:
  %_3711 = icmp sgt i64 %n, 0
  br i1 %_3711, label %bb11, label %bb12

bb12.loopexit:                                    ; preds = %bb11
  %0 = fmul double %39, 1.000000e+03
  %1 = tail call i64 @llvm.fptosi.sat.i64.f64(double %0)
  br label %bb12

bb12:                                             ; preds = %bb12.loopexit, %start
  %sum.sroa.0.0.lcssa = phi i64 [ 0, %start ], [ %1, %bb12.loopexit ]
  ret i64 %sum.sroa.0.0.lcssa

bb11:                                             ; preds = %start, %bb11
  %iter1.sroa.0.013 = phi i64 [ %2, %bb11 ], [ 0, %start ]
  %sum.sroa.0.012 = phi double [ %39, %bb11 ], [ 0.000000e+00, %start ]
  %_178 = lshr i64 %iter1.sroa.0.013, 6
  %2 = add nuw nsw i64 %iter1.sroa.0.013, 1
  %3 = insertelement <2 x i64> poison, i64 %iter1.sroa.0.013, i64 0
  %4 = insertelement <2 x i64> %3, i64 %_178, i64 1
  %5 = and <2 x i64> %4, splat (i64 63)
  %6 = uitofp nneg <2 x i64> %5 to <2 x double>
  %7 = fmul <2 x double> %6, splat (double 3.125000e-02)
  %8 = fadd <2 x double> %7, splat (double -1.000000e+00)
  %9 = extractelement <2 x double> %8, i64 1
  %_22.i = fmul double %9, %9
  %_18.i = fmul double %9, 0.000000e+00
  %10 = extractelement <2 x double> %8, i64 0
  %foldExtExtBinop = fmul <2 x double> %8, %8
  %_21.i = extractelement <2 x double> %foldExtExtBinop, i64 0
  %_20.i = fadd double %_21.i, %_22.i
  %square.i = fadd double %_20.i, 1.000000e+00
  %_17.i = fmul double %10, 0.000000e+00
  %_16.i = fadd double %_17.i, %_18.i
  %along.i = fadd double %_16.i, 5.000000e+00
  %_6.i = fmul double %along.i, %along.i
  %_7.i = fmul double %square.i, 2.400000e+01
  %inside.i = fsub double %_6.i, %_7.i
  %_12.i = fcmp ogt double %inside.i, 0.000000e+00
  %_11.i = fcmp ogt double %along.i, 0.000000e+00
  %or.cond.i = and i1 %_11.i, %_12.i
  %11 = tail call double @llvm.sqrt.f64(double %inside.i)
  %_29.i = fsub double %along.i, %11
  %_28.i = fdiv double %_29.i, %square.i
  %_0.sroa.3.0.i = select i1 %or.cond.i, double %_28.i, double undef
  %_30 = fcmp olt double %_0.sroa.3.0.i, 1.000000e+02
  %12 = select i1 %or.cond.i, i1 %_30, i1 false
  %nearest.sroa.0.2 = select i1 %12, double %_0.sroa.3.0.i, double 1.000000e+02
  %13 = fmul <2 x double> %8, <double -1.500000e+00, double 5.000000e-01>
  %14 = fmul <2 x double> %8, <double 1.000000e+00, double -5.000000e-01>
  %15 = shufflevector <2 x double> %14, <2 x double> poison, <2 x i32> <i32 1, i32 0>
  %16 = fadd <2 x double> %15, %13
  %17 = fadd <2 x double> %16, <double 4.000000e+00, double 6.000000e+00>
  %18 = extractelement <2 x double> %17, i64 1
  %_11.i.1 = fcmp ogt double %18, 0.000000e+00
  %19 = fmul <2 x double> %17, %17
  %20 = insertelement <2 x double> poison, double %square.i, i64 0
  %21 = shufflevector <2 x double> %20, <2 x double> poison, <2 x i32> zeroinitializer
  %22 = fmul <2 x double> %21, <double 1.800000e+01, double 3.525000e+01>
  %23 = fsub <2 x double> %19, %22
  %24 = fcmp ogt <2 x double> %23, zeroinitializer
  %25 = extractelement <2 x i1> %24, i64 1
  %or.cond.i.1 = and i1 %_11.i.1, %25
  %26 = extractelement <2 x double> %23, i64 1
  %27 = tail call double @llvm.sqrt.f64(double %26)
  %_29.i.1 = fsub double %18, %27
  %_28.i.1 = fdiv double %_29.i.1, %square.i
  %_0.sroa.3.0.i.1 = select i1 %or.cond.i.1, double %_28.i.1, double undef
  %_30.1 = fcmp olt double %_0.sroa.3.0.i.1, %nearest.sroa.0.2
  %28 = select i1 %or.cond.i.1, i1 %_30.1, i1 false
  %nearest.sroa.0.2.1 = select i1 %28, double %_0.sroa.3.0.i.1, double %nearest.sroa.0.2
  %29 = extractelement <2 x double> %17, i64 0
  %_11.i.2 = fcmp ogt double %29, 0.000000e+00
  %30 = extractelement <2 x i1> %24, i64 0
  %or.cond.i.2 = and i1 %_11.i.2, %30
  %31 = extractelement <2 x double> %23, i64 0
  %32 = tail call double @llvm.sqrt.f64(double %31)
  %_29.i.2 = fsub double %29, %32
  %_28.i.2 = fdiv double %_29.i.2, %square.i
  %_0.sroa.3.0.i.2 = select i1 %or.cond.i.2, double %_28.i.2, double undef
  %_30.2 = fcmp olt double %_0.sroa.3.0.i.2, %nearest.sroa.0.2.1
  %33 = select i1 %or.cond.i.2, i1 %_30.2, i1 false
  %nearest.sroa.0.2.2 = select i1 %33, double %_0.sroa.3.0.i.2, double %nearest.sroa.0.2.1
  %34 = insertelement <2 x double> poison, double %nearest.sroa.0.2.2, i64 0
  %35 = shufflevector <2 x double> %34, <2 x double> poison, <2 x i32> zeroinitializer
  %36 = fmul <2 x double> %8, %35
  %37 = fadd <2 x double> %36, zeroinitializer
  %point3 = fadd double %nearest.sroa.0.2.2, 0.000000e+00
  %38 = fmul <2 x double> %37, <double 2.500000e-01, double 5.000000e-01>
  %shift = shufflevector <2 x double> %38, <2 x double> poison, <2 x i32> <i32 1, i32 poison>
  %foldExtExtBinop15 = fadd <2 x double> %38, %shift
  %_69 = extractelement <2 x double> %foldExtExtBinop15, i64 0
  %_72 = fmul double %point3, 1.250000e-01
  %_32 = fadd double %_72, %_69
  %39 = fadd double %sum.sroa.0.012, %_32
  %exitcond.not = icmp eq i64 %2, %n
  br i1 %exitcond.not, label %bb12.loopexit, label %bb11
}

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fptosi.sat.i64.f64(double) #1

attributes #0 = { nofree norecurse nosync nounwind nonlazybind memory(none) uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64-v3" }
attributes #1 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
