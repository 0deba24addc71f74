; ModuleID = 'quicksort.c'
source_filename = "quicksort.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@values = internal global [2000 x i32] zeroinitializer, align 16

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i64 @kernel(i64 noundef %0) #0 {
  %2 = alloca i64, align 8
  %3 = alloca i32, align 4
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  store i64 %0, ptr %2, align 8
  store i32 1, ptr %3, align 4
  store i64 0, ptr %4, align 8
  store i64 0, ptr %5, align 8
  br label %7

7:                                                ; preds = %40, %1
  %8 = load i64, ptr %5, align 8
  %9 = load i64, ptr %2, align 8
  %10 = icmp slt i64 %8, %9
  br i1 %10, label %11, label %43

11:                                               ; preds = %7
  store i32 0, ptr %6, align 4
  br label %12

12:                                               ; preds = %23, %11
  %13 = load i32, ptr %6, align 4
  %14 = icmp slt i32 %13, 2000
  br i1 %14, label %15, label %26

15:                                               ; preds = %12
  %16 = load i32, ptr %3, align 4
  %17 = mul i32 %16, 1664525
  %18 = add i32 %17, 1013904223
  store i32 %18, ptr %3, align 4
  %19 = load i32, ptr %3, align 4
  %20 = load i32, ptr %6, align 4
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds [2000 x i32], ptr @values, i64 0, i64 %21
  store i32 %19, ptr %22, align 4
  br label %23

23:                                               ; preds = %15
  %24 = load i32, ptr %6, align 4
  %25 = add nsw i32 %24, 1
  store i32 %25, ptr %6, align 4
  br label %12, !llvm.loop !6

26:                                               ; preds = %12
  call void @sort(ptr noundef @values, ptr noundef getelementptr inbounds (i32, ptr getelementptr inbounds (i32, ptr @values, i64 2000), i64 -1))
  %27 = load i32, ptr @values, align 16
  %28 = load i32, ptr getelementptr inbounds ([2000 x i32], ptr @values, i64 0, i64 1000), align 16
  %29 = xor i32 %27, %28
  %30 = load i64, ptr %4, align 8
  %31 = load i64, ptr %5, align 8
  %32 = add nsw i64 %30, %31
  %33 = and i64 %32, 1023
  %34 = getelementptr inbounds [2000 x i32], ptr @values, i64 0, i64 %33
  %35 = load i32, ptr %34, align 4
  %36 = xor i32 %29, %35
  %37 = sext i32 %36 to i64
  %38 = load i64, ptr %4, align 8
  %39 = add nsw i64 %38, %37
  store i64 %39, ptr %4, align 8
  br label %40

40:                                               ; preds = %26
  %41 = load i64, ptr %5, align 8
  %42 = add nsw i64 %41, 1
  store i64 %42, ptr %5, align 8
  br label %7, !llvm.loop !8

43:                                               ; preds = %7
  %44 = load i64, ptr %4, align 8
  ret i64 %44
}

; Function Attrs: noinline nounwind optnone uwtable
define internal void @sort(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  br label %9

9:                                                ; preds = %67, %2
  %10 = load ptr, ptr %4, align 8
  %11 = load ptr, ptr %3, align 8
  %12 = ptrtoint ptr %10 to i64
  %13 = ptrtoint ptr %11 to i64
  %14 = sub i64 %12, %13
  %15 = sdiv exact i64 %14, 4
  %16 = icmp sge i64 %15, 12
  br i1 %16, label %17, label %71

17:                                               ; preds = %9
  %18 = load ptr, ptr %3, align 8
  %19 = load ptr, ptr %4, align 8
  %20 = load ptr, ptr %3, align 8
  %21 = ptrtoint ptr %19 to i64
  %22 = ptrtoint ptr %20 to i64
  %23 = sub i64 %21, %22
  %24 = sdiv exact i64 %23, 4
  %25 = sdiv i64 %24, 2
  %26 = getelementptr inbounds i32, ptr %18, i64 %25
  %27 = load i32, ptr %26, align 4
  store i32 %27, ptr %5, align 4
  %28 = load ptr, ptr %3, align 8
  store ptr %28, ptr %6, align 8
  %29 = load ptr, ptr %4, align 8
  store ptr %29, ptr %7, align 8
  br label %30

30:                                               ; preds = %66, %17
  %31 = load ptr, ptr %6, align 8
  %32 = load ptr, ptr %7, align 8
  %33 = icmp ule ptr %31, %32
  br i1 %33, label %34, label %67

34:                                               ; preds = %30
  br label %35

35:                                               ; preds = %40, %34
  %36 = load ptr, ptr %6, align 8
  %37 = load i32, ptr %36, align 4
  %38 = load i32, ptr %5, align 4
  %39 = icmp slt i32 %37, %38
  br i1 %39, label %40, label %43

40:                                               ; preds = %35
  %41 = load ptr, ptr %6, align 8
  %42 = getelementptr inbounds nuw i32, ptr %41, i32 1
  store ptr %42, ptr %6, align 8
  br label %35, !llvm.loop !9

43:                                               ; preds = %35
  br label %44

44:                                               ; preds = %49, %43
  %45 = load ptr, ptr %7, align 8
  %46 = load i32, ptr %45, align 4
  %47 = load i32, ptr %5, align 4
  %48 = icmp sgt i32 %46, %47
  br i1 %48, label %49, label %52

49:                                               ; preds = %44
  %50 = load ptr, ptr %7, align 8
  %51 = getelementptr inbounds i32, ptr %50, i32 -1
  store ptr %51, ptr %7, align 8
  br label %44, !llvm.loop !10

52:                                               ; preds = %44
  %53 = load ptr, ptr %6, align 8
  %54 = load ptr, ptr %7, align 8
  %55 = icmp ule ptr %53, %54
  br i1 %55, label %56, label %66

56:                                               ; preds = %52
  %57 = load ptr, ptr %6, align 8
  %58 = load i32, ptr %57, align 4
  store i32 %58, ptr %8, align 4
  %59 = load ptr, ptr %7, align 8
  %60 = load i32, ptr %59, align 4
  %61 = load ptr, ptr %6, align 8
  %62 = getelementptr inbounds nuw i32, ptr %61, i32 1
  store ptr %62, ptr %6, align 8
  store i32 %60, ptr %61, align 4
  %63 = load i32, ptr %8, align 4
  %64 = load ptr, ptr %7, align 8
  %65 = getelementptr inbounds i32, ptr %64, i32 -1
  store ptr %65, ptr %7, align 8
  store i32 %63, ptr %64, align 4
  br label %66

66:                                               ; preds = %56, %52
  br label %30, !llvm.loop !11

67:                                               ; preds = %30
  %68 = load ptr, ptr %3, align 8
  %69 = load ptr, ptr %7, align 8
  call void @sort(ptr noundef %68, ptr noundef %69)
  %70 = load ptr, ptr %6, align 8
  store ptr %70, ptr %3, align 8
  br label %9, !llvm.loop !12

71:                                               ; preds = %9
  %72 = load ptr, ptr %3, align 8
  %73 = load ptr, ptr %4, align 8
  call void @insert_all(ptr noundef %72, ptr noundef %73)
  ret void
}

; Function Attrs: noinline nounwind optnone uwtable
define internal void @insert_all(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8
  store ptr %1, ptr %4, align 8
  %8 = load ptr, ptr %3, align 8
  %9 = getelementptr inbounds i32, ptr %8, i64 1
  store ptr %9, ptr %5, align 8
  br label %10

10:                                               ; preds = %41, %2
  %11 = load ptr, ptr %5, align 8
  %12 = load ptr, ptr %4, align 8
  %13 = icmp ule ptr %11, %12
  br i1 %13, label %14, label %44

14:                                               ; preds = %10
  %15 = load ptr, ptr %5, align 8
  %16 = load i32, ptr %15, align 4
  store i32 %16, ptr %6, align 4
  %17 = load ptr, ptr %5, align 8
  store ptr %17, ptr %7, align 8
  br label %18

18:                                               ; preds = %35, %14
  %19 = load ptr, ptr %7, align 8
  %20 = load ptr, ptr %3, align 8
  %21 = icmp ugt ptr %19, %20
  br i1 %21, label %22, label %28

22:                                               ; preds = %18
  %23 = load ptr, ptr %7, align 8
  %24 = getelementptr inbounds i32, ptr %23, i64 -1
  %25 = load i32, ptr %24, align 4
  %26 = load i32, ptr %6, align 4
  %27 = icmp sgt i32 %25, %26
  br label %28

28:                                               ; preds = %22, %18
  %29 = phi i1 [ false, %18 ], [ %27, %22 ]
  br i1 %29, label %30, label %38

30:                                               ; preds = %28
  %31 = load ptr, ptr %7, align 8
  %32 = getelementptr inbounds i32, ptr %31, i64 -1
  %33 = load i32, ptr %32, align 4
  %34 = load ptr, ptr %7, align 8
  store i32 %33, ptr %34, align 4
  br label %35

35:                                               ; preds = %30
  %36 = load ptr, ptr %7, align 8
  %37 = getelementptr inbounds i32, ptr %36, i32 -1
  store ptr %37, ptr %7, align 8
  br label %18, !llvm.loop !13

38:                                               ; preds = %28
  %39 = load i32, ptr %6, align 4
  %40 = load ptr, ptr %7, align 8
  store i32 %39, ptr %40, align 4
  br label %41

41:                                               ; preds = %38
  %42 = load ptr, ptr %5, align 8
  %43 = getelementptr inbounds nuw i32, ptr %42, i32 1
  store ptr %43, ptr %5, align 8
  br label %10, !llvm.loop !14

44:                                               ; preds = %10
  ret void
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.module.flags = !{!0, !1, !2, !3, !4}
!llvm.ident = !{!5}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{i32 7, !"frame-pointer", i32 2}
!5 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
!8 = distinct !{!8, !7}
!9 = distinct !{!9, !7}
!10 = distinct !{!10, !7}
!11 = distinct !{!11, !7}
!12 = distinct !{!12, !7}
!13 = distinct !{!13, !7}
!14 = distinct !{!14, !7}
