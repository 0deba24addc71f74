; ModuleID = 'rotations.c'
source_filename = "rotations.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(none) uwtable
define dso_local i64 @kernel(i64 noundef %0) local_unnamed_addr #0 {
  %2 = icmp sgt i64 %0, 0
  br i1 %2, label %5, label %3

3:                                                ; preds = %5, %1
  %4 = phi i64 [ 0, %1 ], [ %104, %5 ]
  ret i64 %4

5:                                                ; preds = %1, %5
  %6 = phi <2 x float> [ %97, %5 ], [ splat (float 5.000000e-01), %1 ]
  %7 = phi <2 x float> [ %96, %5 ], [ splat (float 5.000000e-01), %1 ]
  %8 = phi <2 x float> [ %94, %5 ], [ <float 2.000000e+00, float 3.000000e+00>, %1 ]
  %9 = phi <2 x float> [ %84, %5 ], [ <float 0.000000e+00, float 1.000000e+00>, %1 ]
  %10 = phi i64 [ %105, %5 ], [ 0, %1 ]
  %11 = phi i64 [ %104, %5 ], [ 0, %1 ]
  %12 = extractelement <2 x float> %7, i64 0
  %13 = extractelement <2 x float> %9, i64 0
  %14 = fmul <2 x float> %9, %7
  %15 = extractelement <2 x float> %14, i64 0
  %16 = extractelement <2 x float> %7, i64 1
  %17 = extractelement <2 x float> %9, i64 1
  %18 = fmul float %17, %16
  %19 = fsub float %15, %18
  %20 = extractelement <2 x float> %6, i64 0
  %21 = extractelement <2 x float> %8, i64 0
  %22 = fmul <2 x float> %8, %6
  %23 = extractelement <2 x float> %22, i64 0
  %24 = fsub float %19, %23
  %25 = extractelement <2 x float> %6, i64 1
  %26 = extractelement <2 x float> %8, i64 1
  %27 = fmul float %26, %25
  %28 = fsub float %24, %27
  %29 = fmul float %17, %12
  %30 = fmul float %13, %16
  %31 = fadd float %29, %30
  %32 = fmul float %26, %20
  %33 = fadd float %31, %32
  %34 = fmul float %21, %25
  %35 = fsub float %33, %34
  %36 = fmul <2 x float> %8, %7
  %37 = extractelement <2 x float> %36, i64 0
  %38 = fmul float %26, %16
  %39 = fsub float %37, %38
  %40 = fmul <2 x float> %9, %6
  %41 = extractelement <2 x float> %40, i64 0
  %42 = fadd float %41, %39
  %43 = fmul float %17, %25
  %44 = fadd float %43, %42
  %45 = fmul float %26, %12
  %46 = fmul float %21, %16
  %47 = fadd float %45, %46
  %48 = fmul float %17, %20
  %49 = fsub float %47, %48
  %50 = fmul float %13, %25
  %51 = fadd float %50, %49
  %52 = fmul float %12, %28
  %53 = fmul float %16, %35
  %54 = fadd float %52, %53
  %55 = fmul float %20, %44
  %56 = fadd float %55, %54
  %57 = fmul float %25, %51
  %58 = fadd float %57, %56
  %59 = insertelement <2 x float> poison, float %58, i64 0
  %60 = fmul float %12, %35
  %61 = fmul float %16, %28
  %62 = fsub float %60, %61
  %63 = fmul float %25, %44
  %64 = fsub float %62, %63
  %65 = fmul float %20, %51
  %66 = fadd float %65, %64
  %67 = fmul float %25, %35
  %68 = fmul float %20, %28
  %69 = fsub float %67, %68
  %70 = fmul float %12, %44
  %71 = fadd float %70, %69
  %72 = fmul float %16, %51
  %73 = fsub float %71, %72
  %74 = insertelement <2 x float> poison, float %73, i64 0
  %75 = fmul float %25, %28
  %76 = fmul float %16, %44
  %77 = fmul float %12, %51
  %78 = and i64 %10, 1
  %79 = uitofp nneg i64 %78 to float
  %80 = fadd float %66, %79
  %81 = insertelement <2 x float> %59, float %80, i64 1
  %82 = fcmp ogt float %80, 1.024000e+03
  %83 = insertelement <2 x float> %81, float 0.000000e+00, i64 1
  %84 = select i1 %82, <2 x float> %83, <2 x float> %81
  %85 = and i64 %10, 7
  %86 = icmp eq i64 %85, 7
  %87 = fneg <2 x float> %7
  %88 = fneg <2 x float> %6
  %89 = extractelement <2 x float> %88, i64 0
  %90 = fmul float %35, %89
  %91 = fsub float %90, %75
  %92 = fadd float %76, %91
  %93 = fadd float %77, %92
  %94 = insertelement <2 x float> %74, float %93, i64 1
  %95 = select i1 %86, <2 x float> %87, <2 x float> %7
  %96 = shufflevector <2 x float> %7, <2 x float> %95, <2 x i32> <i32 0, i32 3>
  %97 = select i1 %86, <2 x float> %88, <2 x float> %6
  %98 = extractelement <2 x float> %84, i64 1
  %99 = fmul float %73, 2.000000e+00
  %100 = fadd float %99, %98
  %101 = fmul float %93, 4.000000e+00
  %102 = fadd float %101, %100
  %103 = fptosi float %102 to i64
  %104 = add nsw i64 %11, %103
  %105 = add nuw nsw i64 %10, 1
  %106 = icmp eq i64 %105, %0
  br i1 %106, label %3, label %5, !llvm.loop !9
}

attributes #0 = { nofree norecurse nosync nounwind memory(none) uwtable "min-legal-vector-width"="64" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v3" "target-features"="+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" }

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
!9 = distinct !{!9, !10}
!10 = !{!"llvm.loop.mustprogress"}
