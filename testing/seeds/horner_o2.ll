; ModuleID = 'horner.c'
source_filename = "horner.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@coefficients = internal unnamed_addr global [512 x double] zeroinitializer, align 16

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define dso_local i64 @kernel(i64 noundef %0) local_unnamed_addr #0 {
  br label %2

2:                                                ; preds = %2, %1
  %3 = phi i64 [ 0, %1 ], [ %32, %2 ]
  %4 = phi <4 x i16> [ <i16 0, i16 1, i16 2, i16 3>, %1 ], [ %33, %2 ]
  %5 = add <4 x i16> %4, splat (i16 4)
  %6 = add <4 x i16> %4, splat (i16 8)
  %7 = add <4 x i16> %4, splat (i16 12)
  %8 = urem <4 x i16> %4, splat (i16 17)
  %9 = urem <4 x i16> %5, splat (i16 17)
  %10 = urem <4 x i16> %6, splat (i16 17)
  %11 = urem <4 x i16> %7, splat (i16 17)
  %12 = zext nneg <4 x i16> %8 to <4 x i32>
  %13 = zext nneg <4 x i16> %9 to <4 x i32>
  %14 = zext nneg <4 x i16> %10 to <4 x i32>
  %15 = zext nneg <4 x i16> %11 to <4 x i32>
  %16 = add nsw <4 x i32> %12, splat (i32 -8)
  %17 = add nsw <4 x i32> %13, splat (i32 -8)
  %18 = add nsw <4 x i32> %14, splat (i32 -8)
  %19 = add nsw <4 x i32> %15, splat (i32 -8)
  %20 = sitofp <4 x i32> %16 to <4 x double>
  %21 = sitofp <4 x i32> %17 to <4 x double>
  %22 = sitofp <4 x i32> %18 to <4 x double>
  %23 = sitofp <4 x i32> %19 to <4 x double>
  %24 = fmul <4 x double> %20, splat (double 6.250000e-02)
  %25 = fmul <4 x double> %21, splat (double 6.250000e-02)
  %26 = fmul <4 x double> %22, splat (double 6.250000e-02)
  %27 = fmul <4 x double> %23, splat (double 6.250000e-02)
  %28 = getelementptr inbounds nuw double, ptr @coefficients, i64 %3
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 32
  %30 = getelementptr inbounds nuw i8, ptr %28, i64 64
  %31 = getelementptr inbounds nuw i8, ptr %28, i64 96
  store <4 x double> %24, ptr %28, align 16, !tbaa !9
  store <4 x double> %25, ptr %29, align 16, !tbaa !9
  store <4 x double> %26, ptr %30, align 16, !tbaa !9
  store <4 x double> %27, ptr %31, align 16, !tbaa !9
  %32 = add nuw i64 %3, 16
  %33 = add <4 x i16> %4, splat (i16 16)
  %34 = icmp eq i64 %32, 512
  br i1 %34, label %35, label %2, !llvm.loop !11

35:                                               ; preds = %2
  %36 = icmp sgt i64 %0, 0
  br i1 %36, label %37, label %44

37:                                               ; preds = %35, %46
  %38 = phi i64 [ %52, %46 ], [ 0, %35 ]
  %39 = phi double [ %47, %46 ], [ 0.000000e+00, %35 ]
  %40 = phi double [ %51, %46 ], [ 5.000000e-01, %35 ]
  br label %54

41:                                               ; preds = %46
  %42 = fmul double %47, 1.000000e+06
  %43 = fptosi double %42 to i64
  br label %44

44:                                               ; preds = %41, %35
  %45 = phi i64 [ 0, %35 ], [ %43, %41 ]
  ret i64 %45

46:                                               ; preds = %54
  %47 = fadd double %39, %95
  %48 = fmul double %95, 3.125000e-02
  %49 = fadd double %48, 7.500000e-01
  %50 = fcmp ogt double %49, 9.375000e-01
  %51 = select i1 %50, double 5.000000e-01, double %49
  %52 = add nuw nsw i64 %38, 1
  %53 = icmp eq i64 %52, %0
  br i1 %53, label %41, label %37, !llvm.loop !15

54:                                               ; preds = %54, %37
  %55 = phi i64 [ 0, %37 ], [ %96, %54 ]
  %56 = phi double [ 0.000000e+00, %37 ], [ %95, %54 ]
  %57 = fmul double %40, %56
  %58 = getelementptr inbounds nuw double, ptr @coefficients, i64 %55
  %59 = load double, ptr %58, align 16, !tbaa !9
  %60 = fadd double %57, %59
  %61 = fmul double %40, %60
  %62 = getelementptr inbounds nuw double, ptr @coefficients, i64 %55
  %63 = getelementptr inbounds nuw i8, ptr %62, i64 8
  %64 = load double, ptr %63, align 8, !tbaa !9
  %65 = fadd double %61, %64
  %66 = fmul double %40, %65
  %67 = getelementptr inbounds nuw double, ptr @coefficients, i64 %55
  %68 = getelementptr inbounds nuw i8, ptr %67, i64 16
  %69 = load double, ptr %68, align 16, !tbaa !9
  %70 = fadd double %66, %69
  %71 = fmul double %40, %70
  %72 = getelementptr inbounds nuw double, ptr @coefficients, i64 %55
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 24
  %74 = load double, ptr %73, align 8, !tbaa !9
  %75 = fadd double %71, %74
  %76 = fmul double %40, %75
  %77 = getelementptr inbounds nuw double, ptr @coefficients, i64 %55
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 32
  %79 = load double, ptr %78, align 16, !tbaa !9
  %80 = fadd double %76, %79
  %81 = fmul double %40, %80
  %82 = getelementptr inbounds nuw double, ptr @coefficients, i64 %55
  %83 = getelementptr inbounds nuw i8, ptr %82, i64 40
  %84 = load double, ptr %83, align 8, !tbaa !9
  %85 = fadd double %81, %84
  %86 = fmul double %40, %85
  %87 = getelementptr inbounds nuw double, ptr @coefficients, i64 %55
  %88 = getelementptr inbounds nuw i8, ptr %87, i64 48
  %89 = load double, ptr %88, align 16, !tbaa !9
  %90 = fadd double %86, %89
  %91 = fmul double %40, %90
  %92 = getelementptr inbounds nuw double, ptr @coefficients, i64 %55
  %93 = getelementptr inbounds nuw i8, ptr %92, i64 56
  %94 = load double, ptr %93, align 8, !tbaa !9
  %95 = fadd double %91, %94
  %96 = add nuw nsw i64 %55, 8
  %97 = icmp eq i64 %96, 512
  br i1 %97, label %46, label %54, !llvm.loop !16
}

attributes #0 = { nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v3" "target-features"="+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4}
!llvm.errno.tbaa = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"double", !7, i64 0}
!11 = distinct !{!11, !12, !13, !14}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.isvectorized", i32 1}
!14 = !{!"llvm.loop.unroll.runtime.disable"}
!15 = distinct !{!15, !12}
!16 = distinct !{!16, !12}
