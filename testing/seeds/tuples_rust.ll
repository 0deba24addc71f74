; ModuleID = 'tuples.38896f81c6f028cb-cgu.0'
source_filename = "tuples.38896f81c6f028cb-cgu.0"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Function Attrs: nofree norecurse nosync nounwind nonlazybind memory(none) uwtable
define noundef i64 @kernel(i64 noundef %n) unnamed_addr #0 personality ptr @rust_eh_personality {
start:
  %_87 = icmp sgt i64 %n, 0
  br i1 %_87, label %bb2.preheader, label %bb3

bb2.preheader:                                    ; preds = %start
  %xtraiter = and i64 %n, 1
  %0 = icmp eq i64 %n, 1
  br i1 %0, label %bb2.epil.preheader, label %bb2.preheader.new

bb2.preheader.new:                                ; preds = %bb2.preheader
  %unroll_iter = and i64 %n, 9223372036854775806
  br label %bb2

bb3.loopexit.unr-lcssa:                           ; preds = %bb2
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %bb3, label %bb2.epil.preheader

bb2.epil.preheader:                               ; preds = %bb3.loopexit.unr-lcssa, %bb2.preheader
  %sum.sroa.0.011.epil.init = phi i64 [ 0, %bb2.preheader ], [ %_6.1, %bb3.loopexit.unr-lcssa ]
  %value1.sroa.0.010.epil.init = phi i64 [ 0, %bb2.preheader ], [ %9, %bb3.loopexit.unr-lcssa ]
  %value.sroa.0.09.epil.init = phi i64 [ 1, %bb2.preheader ], [ %_30.0.1, %bb3.loopexit.unr-lcssa ]
  %iter.sroa.0.08.epil.init = phi i64 [ 0, %bb2.preheader ], [ %8, %bb3.loopexit.unr-lcssa ]
  %lcmp.mod13 = icmp ne i64 %xtraiter, 0
  tail call void @llvm.assume(i1 %lcmp.mod13)
  %_16.epil = and i64 %value.sroa.0.09.epil.init, 4294967295
  %_15.epil = mul nuw nsw i64 %_16.epil, 1664525
  %_18.epil = lshr i64 %value.sroa.0.09.epil.init, 32
  %_17.epil = mul nuw nsw i64 %_18.epil, 1664525
  %_22.epil = mul i64 %_18.epil, 7149080438374400
  %_21.0.epil = add i64 %_15.epil, %_22.epil
  %_21.1.epil = icmp ult i64 %_21.0.epil, %_15.epil
  %_25.epil = mul i64 %value1.sroa.0.010.epil.init, 1664525
  %_26.epil = lshr i64 %_17.epil, 32
  %_27.epil = zext i1 %_21.1.epil to i64
  %_30.0.epil = add i64 %_21.0.epil, 1013904223
  %_30.1.epil = icmp ugt i64 %_21.0.epil, -1013904224
  %_33.epil = zext i1 %_30.1.epil to i64
  %_24.epil = add i64 %_25.epil, %iter.sroa.0.08.epil.init
  %_23.epil = add i64 %_24.epil, %_26.epil
  %_32.epil = add i64 %_23.epil, %_27.epil
  %1 = add i64 %_32.epil, %_33.epil
  %2 = tail call noundef i64 @llvm.fshl.i64(i64 %1, i64 %1, i64 17)
  %3 = xor i64 %_30.0.epil, %2
  %_7.epil = xor i64 %3, %1
  %_6.epil = add i64 %_7.epil, %sum.sroa.0.011.epil.init
  br label %bb3

bb3:                                              ; preds = %bb2.epil.preheader, %bb3.loopexit.unr-lcssa, %start
  %sum.sroa.0.0.lcssa = phi i64 [ 0, %start ], [ %_6.1, %bb3.loopexit.unr-lcssa ], [ %_6.epil, %bb2.epil.preheader ]
  ret i64 %sum.sroa.0.0.lcssa

bb2:                                              ; preds = %bb2, %bb2.preheader.new
  %sum.sroa.0.011 = phi i64 [ 0, %bb2.preheader.new ], [ %_6.1, %bb2 ]
  %value1.sroa.0.010 = phi i64 [ 0, %bb2.preheader.new ], [ %9, %bb2 ]
  %value.sroa.0.09 = phi i64 [ 1, %bb2.preheader.new ], [ %_30.0.1, %bb2 ]
  %iter.sroa.0.08 = phi i64 [ 0, %bb2.preheader.new ], [ %8, %bb2 ]
  %niter = phi i64 [ 0, %bb2.preheader.new ], [ %niter.next.1, %bb2 ]
  %4 = or disjoint i64 %iter.sroa.0.08, 1
  %_16 = and i64 %value.sroa.0.09, 4294967295
  %_15 = mul nuw nsw i64 %_16, 1664525
  %_18 = lshr i64 %value.sroa.0.09, 32
  %_17 = mul nuw nsw i64 %_18, 1664525
  %_22 = mul i64 %_18, 7149080438374400
  %_21.0 = add i64 %_15, %_22
  %_21.1 = icmp ult i64 %_21.0, %_15
  %_25 = mul i64 %value1.sroa.0.010, 1664525
  %_26 = lshr i64 %_17, 32
  %_27 = zext i1 %_21.1 to i64
  %_30.0 = add i64 %_21.0, 1013904223
  %_30.1 = icmp ugt i64 %_21.0, -1013904224
  %_33 = zext i1 %_30.1 to i64
  %_24 = add i64 %_25, %iter.sroa.0.08
  %_23 = add i64 %_24, %_26
  %_32 = add i64 %_23, %_27
  %5 = add i64 %_32, %_33
  %6 = tail call noundef i64 @llvm.fshl.i64(i64 %5, i64 %5, i64 17)
  %7 = xor i64 %_30.0, %6
  %_7 = xor i64 %7, %5
  %_6 = add i64 %_7, %sum.sroa.0.011
  %8 = add nuw nsw i64 %iter.sroa.0.08, 2
  %_16.1 = and i64 %_30.0, 4294967295
  %_15.1 = mul nuw nsw i64 %_16.1, 1664525
  %_18.1 = lshr i64 %_30.0, 32
  %_17.1 = mul nuw nsw i64 %_18.1, 1664525
  %_22.1 = mul i64 %_18.1, 7149080438374400
  %_21.0.1 = add i64 %_15.1, %_22.1
  %_21.1.1 = icmp ult i64 %_21.0.1, %_15.1
  %_25.1 = mul i64 %5, 1664525
  %_26.1 = lshr i64 %_17.1, 32
  %_27.1 = zext i1 %_21.1.1 to i64
  %_30.0.1 = add i64 %_21.0.1, 1013904223
  %_30.1.1 = icmp ugt i64 %_21.0.1, -1013904224
  %_33.1 = zext i1 %_30.1.1 to i64
  %_24.1 = add i64 %_25.1, %4
  %_23.1 = add i64 %_24.1, %_26.1
  %_32.1 = add i64 %_23.1, %_27.1
  %9 = add i64 %_32.1, %_33.1
  %10 = tail call noundef i64 @llvm.fshl.i64(i64 %9, i64 %9, i64 17)
  %11 = xor i64 %_30.0.1, %10
  %_7.1 = xor i64 %11, %9
  %_6.1 = add i64 %_7.1, %_6
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %bb3.loopexit.unr-lcssa, label %bb2
}

; Function Attrs: nounwind nonlazybind uwtable
declare noundef range(i32 0, 10) i32 @rust_eh_personality(i32 noundef, i32 noundef, i64 noundef, ptr noundef, ptr noundef) unnamed_addr #1

; Function Attrs: mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fshl.i64(i64, i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #3

attributes #0 = { nofree norecurse nosync nounwind nonlazybind memory(none) uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64-v3" }
attributes #1 = { nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64-v3" }
attributes #2 = { mustprogress nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

!llvm.module.flags = !{!0, !1}
!llvm.ident = !{!2}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{i32 2, !"RtLibUseGOT", i32 1}
!2 = !{!"rustc version 1.95.0 (59807616e 2026-04-14)"}
