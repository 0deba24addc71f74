; ModuleID = 'triad.c'
source_filename = "triad.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@b = internal unnamed_addr global [1048576 x double] zeroinitializer, align 16
@c = internal unnamed_addr global [1048576 x double] zeroinitializer, align 16
@a = internal unnamed_addr global [1048576 x double] zeroinitializer, align 16

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define dso_local i64 @kernel(i64 noundef %0) local_unnamed_addr #0 {
  br label %2

2:                                                ; preds = %2, %1
  %3 = phi i64 [ 0, %1 ], [ %35, %2 ]
  %4 = phi <4 x i64> [ <i64 0, i64 1, i64 2, i64 3>, %1 ], [ %36, %2 ]
  %5 = and <4 x i64> %4, splat (i64 1023)
  %6 = uitofp nneg <4 x i64> %5 to <4 x double>
  %7 = getelementptr inbounds nuw double, ptr @b, i64 %3
  store <4 x double> %6, ptr %7, align 16, !tbaa !9
  %8 = and <4 x i64> %4, splat (i64 7)
  %9 = uitofp nneg <4 x i64> %8 to <4 x double>
  %10 = getelementptr inbounds nuw double, ptr @c, i64 %3
  store <4 x double> %9, ptr %10, align 16, !tbaa !9
  %11 = or disjoint i64 %3, 4
  %12 = add nuw nsw <4 x i64> %4, splat (i64 4)
  %13 = and <4 x i64> %12, splat (i64 1023)
  %14 = uitofp nneg <4 x i64> %13 to <4 x double>
  %15 = getelementptr inbounds nuw double, ptr @b, i64 %11
  store <4 x double> %14, ptr %15, align 16, !tbaa !9
  %16 = and <4 x i64> %12, splat (i64 7)
  %17 = uitofp nneg <4 x i64> %16 to <4 x double>
  %18 = getelementptr inbounds nuw double, ptr @c, i64 %11
  store <4 x double> %17, ptr %18, align 16, !tbaa !9
  %19 = or disjoint i64 %3, 8
  %20 = add nuw nsw <4 x i64> %4, splat (i64 8)
  %21 = and <4 x i64> %20, splat (i64 1023)
  %22 = uitofp nneg <4 x i64> %21 to <4 x double>
  %23 = getelementptr inbounds nuw double, ptr @b, i64 %19
  store <4 x double> %22, ptr %23, align 16, !tbaa !9
  %24 = and <4 x i64> %4, splat (i64 7)
  %25 = uitofp nneg <4 x i64> %24 to <4 x double>
  %26 = getelementptr inbounds nuw double, ptr @c, i64 %19
  store <4 x double> %25, ptr %26, align 16, !tbaa !9
  %27 = or disjoint i64 %3, 12
  %28 = add nuw nsw <4 x i64> %4, splat (i64 12)
  %29 = and <4 x i64> %28, splat (i64 1023)
  %30 = uitofp nneg <4 x i64> %29 to <4 x double>
  %31 = getelementptr inbounds nuw double, ptr @b, i64 %27
  store <4 x double> %30, ptr %31, align 16, !tbaa !9
  %32 = and <4 x i64> %28, splat (i64 7)
  %33 = uitofp nneg <4 x i64> %32 to <4 x double>
  %34 = getelementptr inbounds nuw double, ptr @c, i64 %27
  store <4 x double> %33, ptr %34, align 16, !tbaa !9
  %35 = add nuw nsw i64 %3, 16
  %36 = add nuw nsw <4 x i64> %4, splat (i64 16)
  %37 = icmp eq i64 %35, 1048576
  br i1 %37, label %38, label %2, !llvm.loop !11

38:                                               ; preds = %2
  %39 = icmp sgt i64 %0, 0
  br i1 %39, label %44, label %42

40:                                               ; preds = %83
  %41 = fptosi double %88 to i64
  br label %42

42:                                               ; preds = %40, %38
  %43 = phi i64 [ 0, %38 ], [ %41, %40 ]
  ret i64 %43

44:                                               ; preds = %38, %83
  %45 = phi i64 [ %89, %83 ], [ 0, %38 ]
  %46 = phi double [ %88, %83 ], [ 0.000000e+00, %38 ]
  %47 = and i64 %45, 15
  %48 = uitofp nneg i64 %47 to double
  %49 = insertelement <4 x double> poison, double %48, i64 0
  %50 = shufflevector <4 x double> %49, <4 x double> poison, <4 x i32> zeroinitializer
  br label %51

51:                                               ; preds = %51, %44
  %52 = phi i64 [ 0, %44 ], [ %81, %51 ]
  %53 = getelementptr inbounds nuw double, ptr @b, i64 %52
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 32
  %55 = getelementptr inbounds nuw i8, ptr %53, i64 64
  %56 = getelementptr inbounds nuw i8, ptr %53, i64 96
  %57 = load <4 x double>, ptr %53, align 16, !tbaa !9
  %58 = load <4 x double>, ptr %54, align 16, !tbaa !9
  %59 = load <4 x double>, ptr %55, align 16, !tbaa !9
  %60 = load <4 x double>, ptr %56, align 16, !tbaa !9
  %61 = getelementptr inbounds nuw double, ptr @c, i64 %52
  %62 = getelementptr inbounds nuw i8, ptr %61, i64 32
  %63 = getelementptr inbounds nuw i8, ptr %61, i64 64
  %64 = getelementptr inbounds nuw i8, ptr %61, i64 96
  %65 = load <4 x double>, ptr %61, align 16, !tbaa !9
  %66 = load <4 x double>, ptr %62, align 16, !tbaa !9
  %67 = load <4 x double>, ptr %63, align 16, !tbaa !9
  %68 = load <4 x double>, ptr %64, align 16, !tbaa !9
  %69 = fmul <4 x double> %65, %50
  %70 = fmul <4 x double> %66, %50
  %71 = fmul <4 x double> %67, %50
  %72 = fmul <4 x double> %68, %50
  %73 = fadd <4 x double> %57, %69
  %74 = fadd <4 x double> %58, %70
  %75 = fadd <4 x double> %59, %71
  %76 = fadd <4 x double> %60, %72
  %77 = getelementptr inbounds nuw double, ptr @a, i64 %52
  %78 = getelementptr inbounds nuw i8, ptr %77, i64 32
  %79 = getelementptr inbounds nuw i8, ptr %77, i64 64
  %80 = getelementptr inbounds nuw i8, ptr %77, i64 96
  store <4 x double> %73, ptr %77, align 16, !tbaa !9
  store <4 x double> %74, ptr %78, align 16, !tbaa !9
  store <4 x double> %75, ptr %79, align 16, !tbaa !9
  store <4 x double> %76, ptr %80, align 16, !tbaa !9
  %81 = add nuw i64 %52, 16
  %82 = icmp eq i64 %81, 1048576
  br i1 %82, label %83, label %51, !llvm.loop !15

83:                                               ; preds = %51
  %84 = mul nuw nsw i64 %45, 4099
  %85 = and i64 %84, 1048575
  %86 = getelementptr inbounds nuw double, ptr @a, i64 %85
  %87 = load double, ptr %86, align 8, !tbaa !9
  %88 = fadd double %46, %87
  %89 = add nuw nsw i64 %45, 1
  %90 = icmp eq i64 %89, %0
  br i1 %90, label %40, label %44, !llvm.loop !16
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
!15 = distinct !{!15, !12, !13, !14}
!16 = distinct !{!16, !12}
