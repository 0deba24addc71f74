; ModuleID = 'dispatch.c'
source_filename = "dispatch.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = internal unnamed_addr constant [8 x ptr] [ptr @add, ptr @subtract, ptr @multiply, ptr @exclude, ptr @rotate, ptr @larger, ptr @halve, ptr @invert], align 16

; Function Attrs: nounwind uwtable
define dso_local i64 @kernel(i64 noundef %0) local_unnamed_addr #0 {
  %2 = icmp sgt i64 %0, 0
  br i1 %2, label %5, label %3

3:                                                ; preds = %5, %1
  %4 = phi i64 [ 1, %1 ], [ %18, %5 ]
  ret i64 %4

5:                                                ; preds = %1, %5
  %6 = phi i64 [ %19, %5 ], [ 0, %1 ]
  %7 = phi i64 [ %18, %5 ], [ 1, %1 ]
  %8 = phi i64 [ %14, %5 ], [ 88172645463325252, %1 ]
  %9 = shl i64 %8, 13
  %10 = xor i64 %9, %8
  %11 = lshr i64 %10, 7
  %12 = xor i64 %11, %10
  %13 = shl i64 %12, 17
  %14 = xor i64 %13, %12
  %15 = lshr i64 %14, 61
  %16 = getelementptr inbounds nuw ptr, ptr @table, i64 %15
  %17 = load ptr, ptr %16, align 8, !tbaa !9
  %18 = tail call i64 %17(i64 noundef %7, i64 noundef %14) #3
  %19 = add nuw nsw i64 %6, 1
  %20 = icmp eq i64 %19, %0
  br i1 %20, label %3, label %5, !llvm.loop !11
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal noundef i64 @add(i64 noundef %0, i64 noundef %1) #1 {
  %3 = add i64 %1, %0
  ret i64 %3
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal noundef i64 @subtract(i64 noundef %0, i64 noundef %1) #1 {
  %3 = sub i64 %0, %1
  ret i64 %3
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal noundef i64 @multiply(i64 noundef %0, i64 noundef %1) #1 {
  %3 = or i64 %1, 1
  %4 = mul i64 %3, %0
  ret i64 %4
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal noundef i64 @exclude(i64 noundef %0, i64 noundef %1) #1 {
  %3 = xor i64 %1, %0
  ret i64 %3
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal noundef i64 @rotate(i64 noundef %0, i64 noundef %1) #1 {
  %3 = and i64 %1, 31
  %4 = tail call i64 @llvm.fshl.i64(i64 %0, i64 %0, i64 %3)
  ret i64 %4
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal noundef i64 @larger(i64 noundef %0, i64 noundef %1) #1 {
  %3 = tail call i64 @llvm.umax.i64(i64 %0, i64 %1)
  ret i64 %3
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal noundef i64 @halve(i64 noundef %0, i64 noundef %1) #1 {
  %3 = lshr i64 %0, 1
  %4 = add i64 %3, %1
  ret i64 %4
}

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable
define internal noundef i64 @invert(i64 noundef %0, i64 noundef %1) #1 {
  %3 = xor i64 %0, -1
  %4 = sub i64 %3, %1
  ret i64 %4
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fshl.i64(i64, i64, i64) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umax.i64(i64, i64) #2

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v3" "target-features"="+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind willreturn memory(none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64-v3" "target-features"="+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+x87,+xsave" }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nounwind }

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
!10 = !{!"any pointer", !7, i64 0}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
