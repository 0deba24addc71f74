; ModuleID = 'digits.c'
source_filename = "digits.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind memory(none) uwtable
define dso_local i64 @kernel(i64 noundef %0) local_unnamed_addr #0 {
  %2 = alloca [24 x i8], align 16
  %3 = alloca [24 x i8], align 16
  call void @llvm.lifetime.start.p0(ptr nonnull %3) #2
  %4 = icmp sgt i64 %0, 0
  br i1 %4, label %7, label %5

5:                                                ; preds = %109, %1
  %6 = phi i64 [ 0, %1 ], [ %111, %109 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %3) #2
  ret i64 %6

7:                                                ; preds = %1, %109
  %8 = phi i64 [ %12, %109 ], [ 1, %1 ]
  %9 = phi i64 [ %112, %109 ], [ 0, %1 ]
  %10 = phi i64 [ %111, %109 ], [ 0, %1 ]
  %11 = mul i64 %8, 6364136223846793005
  %12 = add i64 %11, 1442695040888963407
  %13 = and i64 %12, 63
  %14 = lshr i64 %12, %13
  call void @llvm.lifetime.start.p0(ptr nonnull %2) #2
  br label %15

15:                                               ; preds = %15, %7
  %16 = phi i32 [ %26, %15 ], [ 1, %7 ]
  %17 = phi i64 [ %22, %15 ], [ 0, %7 ]
  %18 = phi i64 [ %24, %15 ], [ %14, %7 ]
  %19 = urem i64 %18, 10
  %20 = trunc nuw nsw i64 %19 to i8
  %21 = or disjoint i8 %20, 48
  %22 = add nuw nsw i64 %17, 1
  %23 = getelementptr inbounds nuw i8, ptr %2, i64 %17
  store i8 %21, ptr %23, align 1, !tbaa !9
  %24 = udiv i64 %18, 10
  %25 = icmp ult i64 %18, 10
  %26 = add nuw i32 %16, 1
  br i1 %25, label %27, label %15, !llvm.loop !10

27:                                               ; preds = %15
  %28 = and i64 %17, 4294967295
  %29 = zext i32 %16 to i64
  %30 = icmp ult i32 %16, 16
  br i1 %30, label %77, label %31

31:                                               ; preds = %27
  %32 = icmp ult i32 %16, 128
  br i1 %32, label %62, label %33

33:                                               ; preds = %31
  %34 = and i64 %29, 112
  %35 = and i64 %29, 4294967168
  br label %36

36:                                               ; preds = %36, %33
  %37 = phi i64 [ 0, %33 ], [ %56, %36 ]
  %38 = sub nuw nsw i64 %28, %37
  %39 = getelementptr inbounds nuw i8, ptr %2, i64 %38
  %40 = getelementptr inbounds i8, ptr %39, i64 -31
  %41 = getelementptr inbounds i8, ptr %39, i64 -63
  %42 = getelementptr inbounds i8, ptr %39, i64 -95
  %43 = getelementptr inbounds i8, ptr %39, i64 -127
  %44 = load <32 x i8>, ptr %40, align 1, !tbaa !9
  %45 = load <32 x i8>, ptr %41, align 1, !tbaa !9
  %46 = load <32 x i8>, ptr %42, align 1, !tbaa !9
  %47 = load <32 x i8>, ptr %43, align 1, !tbaa !9
  %48 = shufflevector <32 x i8> %44, <32 x i8> poison, <32 x i32> <i32 31, i32 30, i32 29, i32 28, i32 27, i32 26, i32 25, i32 24, i32 23, i32 22, i32 21, i32 20, i32 19, i32 18, i32 17, i32 16, i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %49 = shufflevector <32 x i8> %45, <32 x i8> poison, <32 x i32> <i32 31, i32 30, i32 29, i32 28, i32 27, i32 26, i32 25, i32 24, i32 23, i32 22, i32 21, i32 20, i32 19, i32 18, i32 17, i32 16, i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %50 = shufflevector <32 x i8> %46, <32 x i8> poison, <32 x i32> <i32 31, i32 30, i32 29, i32 28, i32 27, i32 26, i32 25, i32 24, i32 23, i32 22, i32 21, i32 20, i32 19, i32 18, i32 17, i32 16, i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %51 = shufflevector <32 x i8> %47, <32 x i8> poison, <32 x i32> <i32 31, i32 30, i32 29, i32 28, i32 27, i32 26, i32 25, i32 24, i32 23, i32 22, i32 21, i32 20, i32 19, i32 18, i32 17, i32 16, i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %52 = getelementptr inbounds nuw i8, ptr %3, i64 %37
  %53 = getelementptr inbounds nuw i8, ptr %52, i64 32
  %54 = getelementptr inbounds nuw i8, ptr %52, i64 64
  %55 = getelementptr inbounds nuw i8, ptr %52, i64 96
  store <32 x i8> %48, ptr %52, align 16, !tbaa !9
  store <32 x i8> %49, ptr %53, align 16, !tbaa !9
  store <32 x i8> %50, ptr %54, align 16, !tbaa !9
  store <32 x i8> %51, ptr %55, align 16, !tbaa !9
  %56 = add nuw i64 %37, 128
  %57 = icmp eq i64 %56, %35
  br i1 %57, label %58, label %36, !llvm.loop !12

58:                                               ; preds = %36
  %59 = icmp eq i64 %35, %29
  br i1 %59, label %87, label %60

60:                                               ; preds = %58
  %61 = icmp eq i64 %34, 0
  br i1 %61, label %77, label %62, !prof !15

62:                                               ; preds = %31, %60
  %63 = phi i64 [ %35, %60 ], [ 0, %31 ]
  %64 = and i64 %29, 4294967280
  br label %65

65:                                               ; preds = %65, %62
  %66 = phi i64 [ %63, %62 ], [ %73, %65 ]
  %67 = sub nuw nsw i64 %28, %66
  %68 = getelementptr inbounds nuw i8, ptr %2, i64 %67
  %69 = getelementptr inbounds i8, ptr %68, i64 -15
  %70 = load <16 x i8>, ptr %69, align 1, !tbaa !9
  %71 = shufflevector <16 x i8> %70, <16 x i8> poison, <16 x i32> <i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %72 = getelementptr inbounds nuw i8, ptr %3, i64 %66
  store <16 x i8> %71, ptr %72, align 16, !tbaa !9
  %73 = add nuw i64 %66, 16
  %74 = icmp eq i64 %73, %64
  br i1 %74, label %75, label %65, !llvm.loop !16

75:                                               ; preds = %65
  %76 = icmp eq i64 %64, %29
  br i1 %76, label %87, label %77

77:                                               ; preds = %27, %60, %75
  %78 = phi i64 [ 0, %27 ], [ %35, %60 ], [ %64, %75 ]
  br label %79

79:                                               ; preds = %77, %79
  %80 = phi i64 [ %85, %79 ], [ %78, %77 ]
  %81 = sub nuw nsw i64 %28, %80
  %82 = getelementptr inbounds nuw i8, ptr %2, i64 %81
  %83 = load i8, ptr %82, align 1, !tbaa !9
  %84 = getelementptr inbounds nuw i8, ptr %3, i64 %80
  store i8 %83, ptr %84, align 1, !tbaa !9
  %85 = add nuw nsw i64 %80, 1
  %86 = icmp eq i64 %85, %29
  br i1 %86, label %87, label %79, !llvm.loop !17

87:                                               ; preds = %79, %75, %58
  %88 = and i64 %22, 4294967295
  %89 = getelementptr inbounds nuw i8, ptr %3, i64 %88
  store i8 0, ptr %89, align 1, !tbaa !9
  call void @llvm.lifetime.end.p0(ptr nonnull %2) #2
  %90 = mul i64 %10, 31
  %91 = shl i64 %22, 32
  %92 = ashr exact i64 %91, 32
  %93 = add i64 %92, %90
  %94 = load i8, ptr %3, align 16, !tbaa !9
  %95 = add i8 %94, -48
  %96 = icmp ult i8 %95, 10
  br i1 %96, label %97, label %109

97:                                               ; preds = %87, %97
  %98 = phi i8 [ %106, %97 ], [ %94, %87 ]
  %99 = phi i64 [ %104, %97 ], [ 0, %87 ]
  %100 = phi ptr [ %105, %97 ], [ %3, %87 ]
  %101 = mul i64 %99, 10
  %102 = add nsw i8 %98, -48
  %103 = zext nneg i8 %102 to i64
  %104 = add i64 %101, %103
  %105 = getelementptr inbounds nuw i8, ptr %100, i64 1
  %106 = load i8, ptr %105, align 1, !tbaa !9
  %107 = add i8 %106, -48
  %108 = icmp ult i8 %107, 10
  br i1 %108, label %97, label %109, !llvm.loop !18

109:                                              ; preds = %97, %87
  %110 = phi i64 [ 0, %87 ], [ %104, %97 ]
  %111 = add i64 %93, %110
  %112 = add nuw nsw i64 %9, 1
  %113 = icmp eq i64 %112, %0
  br i1 %113, label %5, label %7, !llvm.loop !19
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #1

attributes #0 = { nofree norecurse nosync nounwind memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v3" "target-features"="+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind }

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
!9 = !{!7, !7, i64 0}
!10 = distinct !{!10, !11}
!11 = !{!"llvm.loop.mustprogress"}
!12 = distinct !{!12, !11, !13, !14}
!13 = !{!"llvm.loop.isvectorized", i32 1}
!14 = !{!"llvm.loop.unroll.runtime.disable"}
!15 = !{!"branch_weights", i32 16, i32 112}
!16 = distinct !{!16, !11, !13, !14}
!17 = distinct !{!17, !11, !14, !13}
!18 = distinct !{!18, !11}
!19 = distinct !{!19, !11}
