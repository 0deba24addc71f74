; ModuleID = 'anagrams.c'
source_filename = "anagrams.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.word = type { [32 x i8], [32 x i8] }
%struct.group = type { ptr, i64 }

@.str = private unnamed_addr constant [30 x i8] c"anagrams: there is no memory\0A\00", align 1
@stderr = external local_unnamed_addr global ptr, align 8
@.str.1 = private unnamed_addr constant [3 x i8] c"%s\00", align 1
@.str.2 = private unnamed_addr constant [4 x i8] c" %s\00", align 1
@.str.3 = private unnamed_addr constant [5 x i8] c"%31s\00", align 1
@stdout = external local_unnamed_addr global ptr, align 8

; Function Attrs: nofree nounwind uwtable
define dso_local range(i32 0, 2) i32 @main(i32 noundef %0, ptr noundef readonly captures(none) %1) local_unnamed_addr #0 {
  %3 = icmp sgt i32 %0, 1
  br i1 %3, label %4, label %8

4:                                                ; preds = %2
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load ptr, ptr %5, align 8, !tbaa !9
  %7 = tail call i64 @strtoul(ptr noundef captures(none) %6, ptr noundef null, i32 noundef 10) #11
  br label %8

8:                                                ; preds = %2, %4
  %9 = phi i64 [ %7, %4 ], [ 2, %2 ]
  %10 = tail call noalias dereferenceable_or_null(67108864) ptr @calloc(i64 noundef 1048576, i64 noundef 64) #12
  %11 = tail call noalias dereferenceable_or_null(16777216) ptr @calloc(i64 noundef 1048576, i64 noundef 16) #12
  %12 = icmp eq ptr %10, null
  %13 = icmp eq ptr %11, null
  %14 = or i1 %12, %13
  br i1 %14, label %15, label %18

15:                                               ; preds = %8
  %16 = load ptr, ptr @stderr, align 8, !tbaa !12
  %17 = tail call i64 @fwrite(ptr nonnull @.str, i64 29, i64 1, ptr %16) #13
  br label %91

18:                                               ; preds = %8, %23
  %19 = phi i64 [ %24, %23 ], [ 0, %8 ]
  %20 = getelementptr inbounds nuw %struct.word, ptr %10, i64 %19
  %21 = tail call i32 (ptr, ...) @__isoc99_scanf(ptr noundef nonnull @.str.3, ptr noundef nonnull %20)
  %22 = icmp eq i32 %21, 1
  br i1 %22, label %23, label %30

23:                                               ; preds = %18
  %24 = add nuw nsw i64 %19, 1
  %25 = getelementptr inbounds nuw i8, ptr %20, i64 32
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 1 dereferenceable(32) %25, ptr noundef nonnull align 1 dereferenceable(32) %20, i64 32, i1 false)
  %26 = tail call i64 @strlen(ptr noundef nonnull dereferenceable(1) %25) #14
  tail call void @qsort(ptr noundef nonnull %25, i64 noundef %26, i64 noundef 1, ptr noundef nonnull @compare_letters) #11
  %27 = icmp eq i64 %24, 1048576
  br i1 %27, label %28, label %18, !llvm.loop !14

28:                                               ; preds = %23
  tail call void @qsort(ptr noundef nonnull %10, i64 noundef 1048576, i64 noundef 64, ptr noundef nonnull @compare_words) #11
  store ptr %10, ptr %11, align 8, !tbaa !16
  %29 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store i64 1, ptr %29, align 8, !tbaa !18
  br label %37

30:                                               ; preds = %18
  tail call void @qsort(ptr noundef nonnull %10, i64 noundef %19, i64 noundef 64, ptr noundef nonnull @compare_words) #11
  %31 = icmp eq i64 %19, 0
  br i1 %31, label %32, label %33

32:                                               ; preds = %30
  tail call void @qsort(ptr noundef %11, i64 noundef 0, i64 noundef 16, ptr noundef nonnull @compare_groups) #11
  br label %91

33:                                               ; preds = %30
  store ptr %10, ptr %11, align 8, !tbaa !16
  %34 = getelementptr inbounds nuw i8, ptr %11, i64 8
  store i64 1, ptr %34, align 8, !tbaa !18
  %35 = icmp eq i64 %19, 1
  br i1 %35, label %36, label %37

36:                                               ; preds = %33
  tail call void @qsort(ptr noundef nonnull %11, i64 noundef 1, i64 noundef 16, ptr noundef nonnull @compare_groups) #11
  br label %41

37:                                               ; preds = %28, %33
  %38 = phi i64 [ 1048576, %28 ], [ %19, %33 ]
  br label %43

39:                                               ; preds = %61
  tail call void @qsort(ptr noundef nonnull %11, i64 noundef %62, i64 noundef 16, ptr noundef nonnull @compare_groups) #11
  %40 = icmp eq i64 %62, 0
  br i1 %40, label %91, label %41

41:                                               ; preds = %36, %39
  %42 = phi i64 [ 1, %36 ], [ %62, %39 ]
  br label %65

43:                                               ; preds = %61, %37
  %44 = phi i64 [ %63, %61 ], [ 1, %37 ]
  %45 = phi i64 [ %62, %61 ], [ 1, %37 ]
  %46 = getelementptr inbounds nuw %struct.word, ptr %10, i64 %44
  %47 = getelementptr inbounds nuw i8, ptr %46, i64 32
  %48 = getelementptr i8, ptr %46, i64 -32
  %49 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %47, ptr noundef nonnull dereferenceable(1) %48) #14
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %51, label %56

51:                                               ; preds = %43
  %52 = getelementptr %struct.group, ptr %11, i64 %45
  %53 = getelementptr i8, ptr %52, i64 -8
  %54 = load i64, ptr %53, align 8, !tbaa !20
  %55 = add i64 %54, 1
  store i64 %55, ptr %53, align 8, !tbaa !20
  br label %61

56:                                               ; preds = %43
  %57 = add i64 %45, 1
  %58 = getelementptr inbounds nuw %struct.group, ptr %11, i64 %45
  %59 = getelementptr inbounds nuw %struct.word, ptr %10, i64 %44
  store ptr %59, ptr %58, align 8, !tbaa !16
  %60 = getelementptr inbounds nuw i8, ptr %58, i64 8
  store i64 1, ptr %60, align 8, !tbaa !18
  br label %61

61:                                               ; preds = %51, %56
  %62 = phi i64 [ %45, %51 ], [ %57, %56 ]
  %63 = add nuw nsw i64 %44, 1
  %64 = icmp eq i64 %63, %38
  br i1 %64, label %39, label %43, !llvm.loop !22

65:                                               ; preds = %41, %78
  %66 = phi i64 [ %81, %78 ], [ 0, %41 ]
  %67 = getelementptr inbounds nuw %struct.group, ptr %11, i64 %66
  %68 = getelementptr inbounds nuw i8, ptr %67, i64 8
  %69 = load i64, ptr %68, align 8, !tbaa !20
  %70 = icmp ult i64 %69, %9
  br i1 %70, label %91, label %71

71:                                               ; preds = %65
  %72 = icmp eq i64 %69, 0
  br i1 %72, label %78, label %73

73:                                               ; preds = %71
  %74 = load ptr, ptr %67, align 8, !tbaa !24
  %75 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str.1, ptr noundef %74)
  %76 = load i64, ptr %68, align 8, !tbaa !20
  %77 = icmp ugt i64 %76, 1
  br i1 %77, label %83, label %78

78:                                               ; preds = %83, %73, %71
  %79 = load ptr, ptr @stdout, align 8, !tbaa !12
  %80 = tail call i32 @putc(i32 noundef 10, ptr noundef %79)
  %81 = add nuw i64 %66, 1
  %82 = icmp eq i64 %81, %42
  br i1 %82, label %91, label %65, !llvm.loop !25

83:                                               ; preds = %73, %83
  %84 = phi i64 [ %88, %83 ], [ 1, %73 ]
  %85 = load ptr, ptr %67, align 8, !tbaa !24
  %86 = getelementptr inbounds nuw %struct.word, ptr %85, i64 %84
  %87 = tail call i32 (ptr, ...) @printf(ptr noundef nonnull dereferenceable(1) @.str.2, ptr noundef nonnull %86)
  %88 = add nuw i64 %84, 1
  %89 = load i64, ptr %68, align 8, !tbaa !20
  %90 = icmp ult i64 %88, %89
  br i1 %90, label %83, label %78, !llvm.loop !26

91:                                               ; preds = %78, %65, %39, %32, %15
  %92 = phi i32 [ 1, %15 ], [ 1, %32 ], [ 1, %39 ], [ 0, %65 ], [ 0, %78 ]
  ret i32 %92
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn
declare i64 @strtoul(ptr noundef readonly, ptr noundef captures(none), i32 noundef) local_unnamed_addr #1

; Function Attrs: mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite)
declare noalias noundef ptr @calloc(i64 noundef, i64 noundef) local_unnamed_addr #2

; Function Attrs: nofree
declare void @qsort(ptr noundef, i64 noundef, i64 noundef, ptr noundef captures(none)) local_unnamed_addr #3

; Function Attrs: mustprogress nofree norecurse nounwind willreturn memory(argmem: read) uwtable
define internal i32 @compare_words(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1) #4 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %5 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %3, ptr noundef nonnull dereferenceable(1) %4) #14
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %7, label %9

7:                                                ; preds = %2
  %8 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %0, ptr noundef nonnull dereferenceable(1) %1) #14
  br label %9

9:                                                ; preds = %2, %7
  %10 = phi i32 [ %8, %7 ], [ %5, %2 ]
  ret i32 %10
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: read)
declare i32 @strcmp(ptr noundef captures(none), ptr noundef captures(none)) local_unnamed_addr #5

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #6

; Function Attrs: mustprogress nofree norecurse nounwind willreturn memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define internal i32 @compare_groups(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1) #7 {
  %3 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %4 = load i64, ptr %3, align 8, !tbaa !20
  %5 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %6 = load i64, ptr %5, align 8, !tbaa !20
  %7 = icmp eq i64 %4, %6
  br i1 %7, label %11, label %8

8:                                                ; preds = %2
  %9 = icmp ult i64 %4, %6
  %10 = select i1 %9, i32 1, i32 -1
  br label %15

11:                                               ; preds = %2
  %12 = load ptr, ptr %0, align 8, !tbaa !24
  %13 = load ptr, ptr %1, align 8, !tbaa !24
  %14 = tail call i32 @strcmp(ptr noundef nonnull dereferenceable(1) %12, ptr noundef nonnull dereferenceable(1) %13) #14
  br label %15

15:                                               ; preds = %11, %8
  %16 = phi i32 [ %10, %8 ], [ %14, %11 ]
  ret i32 %16
}

; Function Attrs: nofree nounwind
declare noundef i32 @printf(ptr noundef readonly captures(none), ...) local_unnamed_addr #8

; Function Attrs: nofree nounwind
declare noundef i32 @__isoc99_scanf(ptr noundef readonly captures(none), ...) local_unnamed_addr #8

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: read)
declare i64 @strlen(ptr noundef captures(none)) local_unnamed_addr #5

; Function Attrs: mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable
define internal range(i32 -255, 256) i32 @compare_letters(ptr noundef readonly captures(none) %0, ptr noundef readonly captures(none) %1) #9 {
  %3 = load i8, ptr %0, align 1, !tbaa !27
  %4 = zext i8 %3 to i32
  %5 = load i8, ptr %1, align 1, !tbaa !27
  %6 = zext i8 %5 to i32
  %7 = sub nsw i32 %4, %6
  ret i32 %7
}

; Function Attrs: nofree nounwind
declare noundef i32 @putc(i32 noundef, ptr noundef captures(none)) local_unnamed_addr #8

; Function Attrs: nofree nounwind
declare noundef i64 @fwrite(ptr noundef readonly captures(none), i64 noundef, i64 noundef, ptr noundef captures(none)) local_unnamed_addr #10

attributes #0 = { nofree nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nounwind willreturn "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { mustprogress nofree nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nofree norecurse nounwind willreturn memory(argmem: read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: read) "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #7 = { mustprogress nofree norecurse nounwind willreturn memory(read, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #8 = { nofree nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #9 = { mustprogress nofree norecurse nosync nounwind willreturn memory(argmem: read) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #10 = { nofree nounwind }
attributes #11 = { nounwind }
attributes #12 = { nounwind allocsize(0,1) }
attributes #13 = { cold }
attributes #14 = { nounwind willreturn memory(read) }

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
!10 = !{!"p1 omnipotent char", !11, i64 0}
!11 = !{!"any pointer", !7, i64 0}
!12 = !{!13, !13, i64 0}
!13 = !{!"p1 _ZTS8_IO_FILE", !11, i64 0}
!14 = distinct !{!14, !15}
!15 = !{!"llvm.loop.mustprogress"}
!16 = !{!17, !17, i64 0}
!17 = !{!"p1 _ZTS4word", !11, i64 0}
!18 = !{!19, !19, i64 0}
!19 = !{!"long", !7, i64 0}
!20 = !{!21, !19, i64 8}
!21 = !{!"group", !17, i64 0, !19, i64 8}
!22 = distinct !{!22, !15, !23}
!23 = !{!"llvm.loop.peeled.count", i32 1}
!24 = !{!21, !17, i64 0}
!25 = distinct !{!25, !15}
!26 = distinct !{!26, !15, !23}
!27 = !{!7, !7, i64 0}
