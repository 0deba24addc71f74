; ModuleID = 'states.c'
source_filename = "states.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@next = internal constant [4 x [5 x i8]] [[5 x i8] c"\01\02\03\00\00", [5 x i8] c"\01\02\03\00\00", [5 x i8] c"\02\02\03\00\00", [5 x i8] c"\03\03\03\00\03"], align 16
@text = internal global [4096 x i8] zeroinitializer, align 16
@prepare.letters = internal constant [34 x i8] c"0123456789abcdefgh_ij  ,+\0A#\0A 12ab\00", align 16

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i64 @kernel(i64 noundef %0) #0 {
  %2 = alloca i64, align 8
  %3 = alloca [4 x i64], align 16
  %4 = alloca i64, align 8
  %5 = alloca i32, align 4
  %6 = alloca i64, align 8
  %7 = alloca i32, align 4
  store i64 %0, ptr %2, align 8
  call void @prepare()
  call void @llvm.memset.p0.i64(ptr align 16 %3, i8 0, i64 32, i1 false)
  store i64 0, ptr %4, align 8
  br label %8

8:                                                ; preds = %48, %1
  %9 = load i64, ptr %4, align 8
  %10 = load i64, ptr %2, align 8
  %11 = icmp slt i64 %9, %10
  br i1 %11, label %12, label %51

12:                                               ; preds = %8
  store i32 0, ptr %5, align 4
  %13 = getelementptr inbounds [4 x i64], ptr %3, i64 0, i64 2
  %14 = load i64, ptr %13, align 16
  %15 = load i64, ptr %4, align 8
  %16 = add nsw i64 %14, %15
  %17 = and i64 %16, 63
  store i64 %17, ptr %6, align 8
  br label %18

18:                                               ; preds = %44, %12
  %19 = load i64, ptr %6, align 8
  %20 = icmp slt i64 %19, 4096
  br i1 %20, label %21, label %47

21:                                               ; preds = %18
  %22 = load i32, ptr %5, align 4
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [4 x [5 x i8]], ptr @next, i64 0, i64 %23
  %25 = load i64, ptr %6, align 8
  %26 = getelementptr inbounds [4096 x i8], ptr @text, i64 0, i64 %25
  %27 = load i8, ptr %26, align 1
  %28 = call i32 @class_of(i8 noundef zeroext %27)
  %29 = sext i32 %28 to i64
  %30 = getelementptr inbounds [5 x i8], ptr %24, i64 0, i64 %29
  %31 = load i8, ptr %30, align 1
  %32 = zext i8 %31 to i32
  store i32 %32, ptr %7, align 4
  %33 = load i32, ptr %7, align 4
  %34 = load i32, ptr %5, align 4
  %35 = icmp ne i32 %33, %34
  br i1 %35, label %36, label %42

36:                                               ; preds = %21
  %37 = load i32, ptr %7, align 4
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds [4 x i64], ptr %3, i64 0, i64 %38
  %40 = load i64, ptr %39, align 8
  %41 = add nsw i64 %40, 1
  store i64 %41, ptr %39, align 8
  br label %42

42:                                               ; preds = %36, %21
  %43 = load i32, ptr %7, align 4
  store i32 %43, ptr %5, align 4
  br label %44

44:                                               ; preds = %42
  %45 = load i64, ptr %6, align 8
  %46 = add nsw i64 %45, 1
  store i64 %46, ptr %6, align 8
  br label %18, !llvm.loop !6

47:                                               ; preds = %18
  br label %48

48:                                               ; preds = %47
  %49 = load i64, ptr %4, align 8
  %50 = add nsw i64 %49, 1
  store i64 %50, ptr %4, align 8
  br label %8, !llvm.loop !8

51:                                               ; preds = %8
  %52 = getelementptr inbounds [4 x i64], ptr %3, i64 0, i64 1
  %53 = load i64, ptr %52, align 8
  %54 = getelementptr inbounds [4 x i64], ptr %3, i64 0, i64 2
  %55 = load i64, ptr %54, align 16
  %56 = mul nsw i64 3, %55
  %57 = add nsw i64 %53, %56
  %58 = getelementptr inbounds [4 x i64], ptr %3, i64 0, i64 3
  %59 = load i64, ptr %58, align 8
  %60 = mul nsw i64 5, %59
  %61 = add nsw i64 %57, %60
  %62 = getelementptr inbounds [4 x i64], ptr %3, i64 0, i64 0
  %63 = load i64, ptr %62, align 16
  %64 = mul nsw i64 7, %63
  %65 = add nsw i64 %61, %64
  ret i64 %65
}

; Function Attrs: noinline nounwind optnone uwtable
define internal void @prepare() #0 {
  %1 = alloca i32, align 4
  %2 = alloca i32, align 4
  store i32 5, ptr %1, align 4
  store i32 0, ptr %2, align 4
  br label %3

3:                                                ; preds = %19, %0
  %4 = load i32, ptr %2, align 4
  %5 = icmp slt i32 %4, 4096
  br i1 %5, label %6, label %22

6:                                                ; preds = %3
  %7 = load i32, ptr %1, align 4
  %8 = mul i32 %7, 1664525
  %9 = add i32 %8, 1013904223
  store i32 %9, ptr %1, align 4
  %10 = load i32, ptr %1, align 4
  %11 = lshr i32 %10, 16
  %12 = zext i32 %11 to i64
  %13 = urem i64 %12, 33
  %14 = getelementptr inbounds nuw [34 x i8], ptr @prepare.letters, i64 0, i64 %13
  %15 = load i8, ptr %14, align 1
  %16 = load i32, ptr %2, align 4
  %17 = sext i32 %16 to i64
  %18 = getelementptr inbounds [4096 x i8], ptr @text, i64 0, i64 %17
  store i8 %15, ptr %18, align 1
  br label %19

19:                                               ; preds = %6
  %20 = load i32, ptr %2, align 4
  %21 = add nsw i32 %20, 1
  store i32 %21, ptr %2, align 4
  br label %3, !llvm.loop !9

22:                                               ; preds = %3
  ret void
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @class_of(i8 noundef zeroext %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca i8, align 1
  store i8 %0, ptr %3, align 1
  %4 = load i8, ptr %3, align 1
  %5 = zext i8 %4 to i32
  %6 = icmp sge i32 %5, 48
  br i1 %6, label %7, label %12

7:                                                ; preds = %1
  %8 = load i8, ptr %3, align 1
  %9 = zext i8 %8 to i32
  %10 = icmp sle i32 %9, 57
  br i1 %10, label %11, label %12

11:                                               ; preds = %7
  store i32 0, ptr %2, align 4
  br label %36

12:                                               ; preds = %7, %1
  %13 = load i8, ptr %3, align 1
  %14 = zext i8 %13 to i32
  %15 = icmp sge i32 %14, 97
  br i1 %15, label %16, label %20

16:                                               ; preds = %12
  %17 = load i8, ptr %3, align 1
  %18 = zext i8 %17 to i32
  %19 = icmp sle i32 %18, 122
  br i1 %19, label %24, label %20

20:                                               ; preds = %16, %12
  %21 = load i8, ptr %3, align 1
  %22 = zext i8 %21 to i32
  %23 = icmp eq i32 %22, 95
  br i1 %23, label %24, label %25

24:                                               ; preds = %20, %16
  store i32 1, ptr %2, align 4
  br label %36

25:                                               ; preds = %20
  %26 = load i8, ptr %3, align 1
  %27 = zext i8 %26 to i32
  %28 = icmp eq i32 %27, 35
  br i1 %28, label %29, label %30

29:                                               ; preds = %25
  store i32 2, ptr %2, align 4
  br label %36

30:                                               ; preds = %25
  %31 = load i8, ptr %3, align 1
  %32 = zext i8 %31 to i32
  %33 = icmp eq i32 %32, 10
  %34 = zext i1 %33 to i64
  %35 = select i1 %33, i32 3, i32 4
  store i32 %35, ptr %2, align 4
  br label %36

36:                                               ; preds = %30, %29, %24, %11
  %37 = load i32, ptr %2, align 4
  ret i32 %37
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: write) }

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
