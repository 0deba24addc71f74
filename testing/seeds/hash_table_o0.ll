; ModuleID = 'hash_table.c'
source_filename = "hash_table.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@counts = internal global [4096 x i32] zeroinitializer, align 16
@keys = internal global [4096 x i64] zeroinitializer, align 16

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i64 @kernel(i64 noundef %0) #0 {
  %2 = alloca i64, align 8
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  store i64 %0, ptr %2, align 8
  store i64 0, ptr %3, align 8
  store i64 0, ptr %4, align 8
  br label %5

5:                                                ; preds = %16, %1
  %6 = load i64, ptr %4, align 8
  %7 = load i64, ptr %2, align 8
  %8 = icmp slt i64 %6, %7
  br i1 %8, label %9, label %19

9:                                                ; preds = %5
  %10 = load i64, ptr %3, align 8
  %11 = load i64, ptr %4, align 8
  %12 = add nsw i64 %10, %11
  %13 = call i64 @round_of(i64 noundef %12)
  %14 = load i64, ptr %3, align 8
  %15 = add nsw i64 %14, %13
  store i64 %15, ptr %3, align 8
  br label %16

16:                                               ; preds = %9
  %17 = load i64, ptr %4, align 8
  %18 = add nsw i64 %17, 1
  store i64 %18, ptr %4, align 8
  br label %5, !llvm.loop !6

19:                                               ; preds = %5
  %20 = load i64, ptr %3, align 8
  ret i64 %20
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i64 @round_of(i64 noundef %0) #0 {
  %2 = alloca i64, align 8
  %3 = alloca i32, align 4
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  %6 = alloca i32, align 4
  %7 = alloca i64, align 8
  %8 = alloca i64, align 8
  %9 = alloca i32, align 4
  store i64 %0, ptr %2, align 8
  store i32 0, ptr %3, align 4
  br label %10

10:                                               ; preds = %20, %1
  %11 = load i32, ptr %3, align 4
  %12 = icmp slt i32 %11, 4096
  br i1 %12, label %13, label %23

13:                                               ; preds = %10
  %14 = load i32, ptr %3, align 4
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds [4096 x i32], ptr @counts, i64 0, i64 %15
  store i32 0, ptr %16, align 4
  %17 = load i32, ptr %3, align 4
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [4096 x i64], ptr @keys, i64 0, i64 %18
  store i64 0, ptr %19, align 8
  br label %20

20:                                               ; preds = %13
  %21 = load i32, ptr %3, align 4
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr %3, align 4
  br label %10, !llvm.loop !8

23:                                               ; preds = %10
  store i64 0, ptr %4, align 8
  br label %24

24:                                               ; preds = %48, %23
  %25 = load i64, ptr %4, align 8
  %26 = icmp ult i64 %25, 2500
  br i1 %26, label %27, label %51

27:                                               ; preds = %24
  %28 = load i64, ptr %2, align 8
  %29 = load i64, ptr %4, align 8
  %30 = load i64, ptr %4, align 8
  %31 = mul i64 %29, %30
  %32 = add i64 %28, %31
  %33 = urem i64 %32, 3000
  %34 = add i64 %33, 1
  store i64 %34, ptr %5, align 8
  %35 = load i64, ptr %5, align 8
  %36 = call i32 @find(i64 noundef %35)
  store i32 %36, ptr %6, align 4
  %37 = load i64, ptr %5, align 8
  %38 = load i32, ptr %6, align 4
  %39 = zext i32 %38 to i64
  %40 = getelementptr inbounds nuw [4096 x i64], ptr @keys, i64 0, i64 %39
  store i64 %37, ptr %40, align 8
  %41 = load i64, ptr %4, align 8
  %42 = trunc i64 %41 to i32
  %43 = load i32, ptr %6, align 4
  %44 = zext i32 %43 to i64
  %45 = getelementptr inbounds nuw [4096 x i32], ptr @counts, i64 0, i64 %44
  %46 = load i32, ptr %45, align 4
  %47 = add i32 %46, %42
  store i32 %47, ptr %45, align 4
  br label %48

48:                                               ; preds = %27
  %49 = load i64, ptr %4, align 8
  %50 = add i64 %49, 1
  store i64 %50, ptr %4, align 8
  br label %24, !llvm.loop !9

51:                                               ; preds = %24
  store i64 0, ptr %7, align 8
  store i64 1, ptr %8, align 8
  br label %52

52:                                               ; preds = %74, %51
  %53 = load i64, ptr %8, align 8
  %54 = icmp ule i64 %53, 4000
  br i1 %54, label %55, label %77

55:                                               ; preds = %52
  %56 = load i64, ptr %8, align 8
  %57 = call i32 @find(i64 noundef %56)
  store i32 %57, ptr %9, align 4
  %58 = load i32, ptr %9, align 4
  %59 = zext i32 %58 to i64
  %60 = getelementptr inbounds nuw [4096 x i64], ptr @keys, i64 0, i64 %59
  %61 = load i64, ptr %60, align 8
  %62 = icmp ne i64 %61, 0
  br i1 %62, label %63, label %68

63:                                               ; preds = %55
  %64 = load i32, ptr %9, align 4
  %65 = zext i32 %64 to i64
  %66 = getelementptr inbounds nuw [4096 x i32], ptr @counts, i64 0, i64 %65
  %67 = load i32, ptr %66, align 4
  br label %69

68:                                               ; preds = %55
  br label %69

69:                                               ; preds = %68, %63
  %70 = phi i32 [ %67, %63 ], [ -1, %68 ]
  %71 = zext i32 %70 to i64
  %72 = load i64, ptr %7, align 8
  %73 = add nsw i64 %72, %71
  store i64 %73, ptr %7, align 8
  br label %74

74:                                               ; preds = %69
  %75 = load i64, ptr %8, align 8
  %76 = add i64 %75, 1
  store i64 %76, ptr %8, align 8
  br label %52, !llvm.loop !10

77:                                               ; preds = %52
  %78 = load i64, ptr %7, align 8
  ret i64 %78
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i32 @find(i64 noundef %0) #0 {
  %2 = alloca i64, align 8
  %3 = alloca i32, align 4
  store i64 %0, ptr %2, align 8
  %4 = load i64, ptr %2, align 8
  %5 = call i64 @mixed(i64 noundef %4)
  %6 = and i64 %5, 4095
  %7 = trunc i64 %6 to i32
  store i32 %7, ptr %3, align 4
  br label %8

8:                                                ; preds = %23, %1
  %9 = load i32, ptr %3, align 4
  %10 = zext i32 %9 to i64
  %11 = getelementptr inbounds nuw [4096 x i64], ptr @keys, i64 0, i64 %10
  %12 = load i64, ptr %11, align 8
  %13 = icmp ne i64 %12, 0
  br i1 %13, label %14, label %21

14:                                               ; preds = %8
  %15 = load i32, ptr %3, align 4
  %16 = zext i32 %15 to i64
  %17 = getelementptr inbounds nuw [4096 x i64], ptr @keys, i64 0, i64 %16
  %18 = load i64, ptr %17, align 8
  %19 = load i64, ptr %2, align 8
  %20 = icmp ne i64 %18, %19
  br label %21

21:                                               ; preds = %14, %8
  %22 = phi i1 [ false, %8 ], [ %20, %14 ]
  br i1 %22, label %23, label %27

23:                                               ; preds = %21
  %24 = load i32, ptr %3, align 4
  %25 = add i32 %24, 1
  %26 = and i32 %25, 4095
  store i32 %26, ptr %3, align 4
  br label %8, !llvm.loop !11

27:                                               ; preds = %21
  %28 = load i32, ptr %3, align 4
  ret i32 %28
}

; Function Attrs: noinline nounwind optnone uwtable
define internal i64 @mixed(i64 noundef %0) #0 {
  %2 = alloca i64, align 8
  store i64 %0, ptr %2, align 8
  %3 = load i64, ptr %2, align 8
  %4 = lshr i64 %3, 31
  %5 = load i64, ptr %2, align 8
  %6 = xor i64 %5, %4
  store i64 %6, ptr %2, align 8
  %7 = load i64, ptr %2, align 8
  %8 = mul i64 %7, 9202493588570546565
  store i64 %8, ptr %2, align 8
  %9 = load i64, ptr %2, align 8
  %10 = lshr i64 %9, 27
  %11 = load i64, ptr %2, align 8
  %12 = xor i64 %11, %10
  store i64 %12, ptr %2, align 8
  %13 = load i64, ptr %2, align 8
  ret i64 %13
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
