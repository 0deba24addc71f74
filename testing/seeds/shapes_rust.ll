; ModuleID = 'shapes.43b48fc11de24fea-cgu.0'
source_filename = "shapes.43b48fc11de24fea-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@vtable.0 = private unnamed_addr constant <{ [24 x i8], ptr, ptr }> <{ [24 x i8] c"\00\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00", ptr @"_ZN48_$LT$shapes..Square$u20$as$u20$shapes..Shape$GT$4area17h4ac4aa270f4f43f8E", ptr @"_ZN48_$LT$shapes..Square$u20$as$u20$shapes..Shape$GT$7corners17h2fbe303c64be3939E" }>, align 8
@vtable.1 = private unnamed_addr constant <{ [24 x i8], ptr, ptr }> <{ [24 x i8] c"\00\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00", ptr @"_ZN46_$LT$shapes..Disc$u20$as$u20$shapes..Shape$GT$4area17h8a92a4e2e0c5d2fcE", ptr @"_ZN46_$LT$shapes..Disc$u20$as$u20$shapes..Shape$GT$7corners17h1dbd5ef084a19643E" }>, align 8
@vtable.2 = private unnamed_addr constant <{ [24 x i8], ptr, ptr }> <{ [24 x i8] c"\00\00\00\00\00\00\00\00\10\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00", ptr @"_ZN50_$LT$shapes..Triangle$u20$as$u20$shapes..Shape$GT$4area17he70dd40cdbc49bb3E", ptr @"_ZN50_$LT$shapes..Triangle$u20$as$u20$shapes..Shape$GT$7corners17h98feb9c4c34e0700E" }>, align 8
@vtable.3 = private unnamed_addr constant <{ [24 x i8], ptr, ptr }> <{ [24 x i8] c"\00\00\00\00\00\00\00\00\10\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00", ptr @"_ZN51_$LT$shapes..Rectangle$u20$as$u20$shapes..Shape$GT$4area17h744f2658150b24dcE", ptr @"_ZN48_$LT$shapes..Square$u20$as$u20$shapes..Shape$GT$7corners17h2fbe303c64be3939E" }>, align 8

; <shapes::Disc as shapes::Shape>::area
; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(argmem: read) uwtable
define internal noundef range(i64 -81622761388095361, 81622761388095362) i64 @"_ZN46_$LT$shapes..Disc$u20$as$u20$shapes..Shape$GT$4area17h8a92a4e2e0c5d2fcE"(ptr noalias noundef readonly align 8 captures(none) dereferenceable(8) %self, i64 noundef %scale) unnamed_addr #0 {
start:
  %_6 = load i64, ptr %self, align 8, !noundef !3
  %_5 = mul i64 %scale, 355
  %_4 = mul i64 %_5, %_6
  %_3 = mul i64 %_4, %_6
  %_0 = sdiv i64 %_3, 113
  ret i64 %_0
}

; <shapes::Disc as shapes::Shape>::corners
; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(none) uwtable
define internal noundef i64 @"_ZN46_$LT$shapes..Disc$u20$as$u20$shapes..Shape$GT$7corners17h1dbd5ef084a19643E"(ptr noalias readonly align 8 captures(none) %self) unnamed_addr #1 {
start:
  ret i64 0
}

; <shapes::Square as shapes::Shape>::area
; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(argmem: read) uwtable
define internal noundef i64 @"_ZN48_$LT$shapes..Square$u20$as$u20$shapes..Shape$GT$4area17h4ac4aa270f4f43f8E"(ptr noalias noundef readonly align 8 captures(none) dereferenceable(8) %self, i64 noundef %scale) unnamed_addr #0 {
start:
  %_4 = load i64, ptr %self, align 8, !noundef !3
  %_3 = mul i64 %_4, %scale
  %_0 = mul i64 %_3, %_4
  ret i64 %_0
}

; <shapes::Square as shapes::Shape>::corners
; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(none) uwtable
define internal noundef i64 @"_ZN48_$LT$shapes..Square$u20$as$u20$shapes..Shape$GT$7corners17h2fbe303c64be3939E"(ptr noalias readonly align 8 captures(none) %self) unnamed_addr #1 {
start:
  ret i64 4
}

; <shapes::Triangle as shapes::Shape>::area
; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(argmem: read) uwtable
define internal noundef range(i64 -4611686018427387904, 4611686018427387904) i64 @"_ZN50_$LT$shapes..Triangle$u20$as$u20$shapes..Shape$GT$4area17he70dd40cdbc49bb3E"(ptr noalias noundef readonly align 8 captures(none) dereferenceable(16) %self, i64 noundef %scale) unnamed_addr #0 {
start:
  %_5 = load i64, ptr %self, align 8, !noundef !3
  %0 = getelementptr inbounds nuw i8, ptr %self, i64 8
  %_6 = load i64, ptr %0, align 8, !noundef !3
  %_4 = mul i64 %_5, %scale
  %_3 = mul i64 %_4, %_6
  %_0 = sdiv i64 %_3, 2
  ret i64 %_0
}

; <shapes::Triangle as shapes::Shape>::corners
; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(none) uwtable
define internal noundef i64 @"_ZN50_$LT$shapes..Triangle$u20$as$u20$shapes..Shape$GT$7corners17h98feb9c4c34e0700E"(ptr noalias readonly align 8 captures(none) %self) unnamed_addr #1 {
start:
  ret i64 3
}

; <shapes::Rectangle as shapes::Shape>::area
; Function Attrs: mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(argmem: read) uwtable
define internal noundef i64 @"_ZN51_$LT$shapes..Rectangle$u20$as$u20$shapes..Shape$GT$4area17h744f2658150b24dcE"(ptr noalias noundef readonly align 8 captures(none) dereferenceable(16) %self, i64 noundef %scale) unnamed_addr #0 {
start:
  %_4 = load i64, ptr %self, align 8, !noundef !3
  %0 = getelementptr inbounds nuw i8, ptr %self, i64 8
  %_5 = load i64, ptr %0, align 8, !noundef !3
  %_3 = mul i64 %_4, %scale
  %_0 = mul i64 %_3, %_5
  ret i64 %_0
}

; Function Attrs: nounwind nonlazybind uwtable
define noundef i64 @kernel(i64 noundef %n) unnamed_addr #2 {
start:
  %shapes = alloca [128 x i8], align 8
  %disc = alloca [8 x i8], align 8
  %triangle = alloca [16 x i8], align 8
  %rectangle = alloca [16 x i8], align 8
  %square = alloca [8 x i8], align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %square)
  %_3 = and i64 %n, 15
  store i64 %_3, ptr %square, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %rectangle)
  %_5 = and i64 %n, 31
  store i64 3, ptr %rectangle, align 8
  %0 = getelementptr inbounds nuw i8, ptr %rectangle, i64 8
  store i64 %_5, ptr %0, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %triangle)
  %_7 = and i64 %n, 7
  store i64 %_7, ptr %triangle, align 8
  %1 = getelementptr inbounds nuw i8, ptr %triangle, i64 8
  store i64 9, ptr %1, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %disc)
  store i64 5, ptr %disc, align 8
  call void @llvm.lifetime.start.p0(ptr nonnull %shapes)
  store ptr %square, ptr %shapes, align 8
  %2 = getelementptr inbounds nuw i8, ptr %shapes, i64 8
  store ptr @vtable.0, ptr %2, align 8
  %3 = getelementptr inbounds nuw i8, ptr %shapes, i64 16
  store ptr %disc, ptr %3, align 8
  %4 = getelementptr inbounds nuw i8, ptr %shapes, i64 24
  store ptr @vtable.1, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %shapes, i64 32
  store ptr %triangle, ptr %5, align 8
  %6 = getelementptr inbounds nuw i8, ptr %shapes, i64 40
  store ptr @vtable.2, ptr %6, align 8
  %7 = getelementptr inbounds nuw i8, ptr %shapes, i64 48
  store ptr %rectangle, ptr %7, align 8
  %8 = getelementptr inbounds nuw i8, ptr %shapes, i64 56
  store ptr @vtable.3, ptr %8, align 8
  %9 = getelementptr inbounds nuw i8, ptr %shapes, i64 64
  store ptr %disc, ptr %9, align 8
  %10 = getelementptr inbounds nuw i8, ptr %shapes, i64 72
  store ptr @vtable.1, ptr %10, align 8
  %11 = getelementptr inbounds nuw i8, ptr %shapes, i64 80
  store ptr %square, ptr %11, align 8
  %12 = getelementptr inbounds nuw i8, ptr %shapes, i64 88
  store ptr @vtable.0, ptr %12, align 8
  %13 = getelementptr inbounds nuw i8, ptr %shapes, i64 96
  store ptr %rectangle, ptr %13, align 8
  %14 = getelementptr inbounds nuw i8, ptr %shapes, i64 104
  store ptr @vtable.3, ptr %14, align 8
  %15 = getelementptr inbounds nuw i8, ptr %shapes, i64 112
  store ptr %triangle, ptr %15, align 8
  %16 = getelementptr inbounds nuw i8, ptr %shapes, i64 120
  store ptr @vtable.2, ptr %16, align 8
  %_385 = icmp sgt i64 %n, 0
  br i1 %_385, label %bb2, label %bb6

bb6:                                              ; preds = %bb2, %start
  %sum.sroa.0.0.lcssa = phi i64 [ 0, %start ], [ %25, %bb2 ]
  call void @llvm.lifetime.end.p0(ptr nonnull %shapes)
  call void @llvm.lifetime.end.p0(ptr nonnull %disc)
  call void @llvm.lifetime.end.p0(ptr nonnull %triangle)
  call void @llvm.lifetime.end.p0(ptr nonnull %rectangle)
  call void @llvm.lifetime.end.p0(ptr nonnull %square)
  ret i64 %sum.sroa.0.0.lcssa

bb2:                                              ; preds = %start, %bb2
  %sum.sroa.0.08 = phi i64 [ %25, %bb2 ], [ 0, %start ]
  %state.sroa.0.07 = phi i64 [ %17, %bb2 ], [ 2685821657736338717, %start ]
  %iter.sroa.0.06 = phi i64 [ %18, %bb2 ], [ 0, %start ]
  %_27 = mul i64 %state.sroa.0.07, 6364136223846793005
  %17 = add i64 %_27, 1442695040888963407
  %_30 = lshr i64 %17, 61
  %18 = add nuw nsw i64 %iter.sroa.0.06, 1
  %19 = getelementptr inbounds nuw { ptr, ptr }, ptr %shapes, i64 %_30
  %shape.0 = load ptr, ptr %19, align 8, !nonnull !3, !align !4, !noundef !3
  %20 = getelementptr inbounds nuw i8, ptr %19, i64 8
  %shape.1 = load ptr, ptr %20, align 8, !nonnull !3, !align !5, !noundef !3
  %_36 = and i64 %sum.sroa.0.08, 15
  %21 = getelementptr inbounds nuw i8, ptr %shape.1, i64 24
  %22 = load ptr, ptr %21, align 8, !invariant.load !3, !nonnull !3
  %_35 = call noundef i64 %22(ptr noundef nonnull align 1 %shape.0, i64 noundef %_36) #4
  %_33 = add i64 %_35, %sum.sroa.0.08
  %23 = getelementptr inbounds nuw i8, ptr %shape.1, i64 32
  %24 = load ptr, ptr %23, align 8, !invariant.load !3, !nonnull !3
  %_37 = call noundef i64 %24(ptr noundef nonnull align 1 %shape.0) #4
  %25 = xor i64 %_37, %_33
  %exitcond.not = icmp eq i64 %18, %n
  br i1 %exitcond.not, label %bb6, label %bb2
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(ptr captures(none)) #3

; Function Attrs: mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(ptr captures(none)) #3

attributes #0 = { mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(argmem: read) uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64-v3" }
attributes #1 = { mustprogress nofree norecurse nosync nounwind nonlazybind willreturn memory(none) uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64-v3" }
attributes #2 = { nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64-v3" }
attributes #3 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #4 = { inlinehint nounwind }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
!3 = !{}
!4 = !{i64 1}
!5 = !{i64 8}
