; ModuleID = 'scatter.c'
source_filename = "scatter.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@counters = internal unnamed_addr global [2097152 x i32] zeroinitializer, align 16, !dbg !0

; Function Attrs: nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable
define dso_local i64 @kernel(i64 noundef %0) local_unnamed_addr #0 !dbg !25 {
    #dbg_value(i64 %0, !33, !DIExpression(), !41)
  tail call void @llvm.memset.p0.i64(ptr noundef nonnull align 16 dereferenceable(8388608) @counters, i8 0, i64 8388608, i1 false), !dbg !42
    #dbg_value(i64 1, !34, !DIExpression(), !41)
    #dbg_value(i64 0, !38, !DIExpression(), !41)
    #dbg_value(i64 0, !39, !DIExpression(), !43)
  %2 = icmp sgt i64 %0, 0, !dbg !44
  br i1 %2, label %5, label %3, !dbg !46

3:                                                ; preds = %5, %1
  %4 = phi i64 [ 0, %1 ], [ %16, %5 ], !dbg !41
  ret i64 %4, !dbg !47

5:                                                ; preds = %1, %5
  %6 = phi i64 [ %17, %5 ], [ 0, %1 ]
  %7 = phi i64 [ %16, %5 ], [ 0, %1 ]
  %8 = phi i64 [ %10, %5 ], [ 1, %1 ]
    #dbg_value(i64 %6, !39, !DIExpression(), !43)
    #dbg_value(i64 %7, !38, !DIExpression(), !41)
    #dbg_value(i64 %8, !34, !DIExpression(), !41)
  %9 = mul i64 %8, 6364136223846793005, !dbg !48
  %10 = add i64 %9, 1442695040888963407, !dbg !50
    #dbg_value(i64 %10, !34, !DIExpression(), !41)
  %11 = lshr i64 %10, 43, !dbg !51
  %12 = getelementptr inbounds nuw i32, ptr @counters, i64 %11, !dbg !52
  %13 = load i32, ptr %12, align 4, !dbg !53, !tbaa !21
  %14 = add i32 %13, 1, !dbg !54
  store i32 %14, ptr %12, align 4, !dbg !55, !tbaa !21
  %15 = zext i32 %13 to i64, !dbg !52
  %16 = add nuw nsw i64 %7, %15, !dbg !56
    #dbg_value(i64 %16, !38, !DIExpression(), !41)
  %17 = add nuw nsw i64 %6, 1, !dbg !57
    #dbg_value(i64 %17, !39, !DIExpression(), !43)
  %18 = icmp eq i64 %17, %0, !dbg !58
  br i1 %18, label %3, label %5, !dbg !59, !llvm.loop !60
}

; Function Attrs: mustprogress nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly captures(none), i8, i64, i1 immarg) #1

attributes #0 = { nofree norecurse nosync nounwind memory(readwrite, argmem: none, inaccessiblemem: none, target_mem0: none, target_mem1: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nounwind willreturn memory(argmem: write) }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!13, !14, !15, !16, !17, !18, !19}
!llvm.ident = !{!20}
!llvm.errno.tbaa = !{!21}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "counters", scope: !2, file: !3, line: 6, type: !5, isLocal: true, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, globals: !4, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "scatter.c", directory: ".", checksumkind: CSK_MD5, checksum: "2808d89b215d35d6e94735ea009ecefa")
!4 = !{!0}
!5 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 67108864, elements: !11)
!6 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint32_t", file: !7, line: 26, baseType: !8)
!7 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/stdint-uintn.h", directory: "", checksumkind: CSK_MD5, checksum: "2bf2ae53c58c01b1a1b9383b5195125c")
!8 = !DIDerivedType(tag: DW_TAG_typedef, name: "__uint32_t", file: !9, line: 42, baseType: !10)
!9 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/types.h", directory: "", checksumkind: CSK_MD5, checksum: "d108b5f93a74c50510d7d9bc0ab36df9")
!10 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!11 = !{!12}
!12 = !DISubrange(count: 2097152)
!13 = !{i32 7, !"Dwarf Version", i32 5}
!14 = !{i32 2, !"Debug Info Version", i32 3}
!15 = !{i32 1, !"wchar_size", i32 4}
!16 = !{i32 8, !"PIC Level", i32 2}
!17 = !{i32 7, !"PIE Level", i32 2}
!18 = !{i32 7, !"uwtable", i32 2}
!19 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!20 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!21 = !{!22, !22, i64 0}
!22 = !{!"int", !23, i64 0}
!23 = !{!"omnipotent char", !24, i64 0}
!24 = !{!"Simple C/C++ TBAA"}
!25 = distinct !DISubprogram(name: "kernel", scope: !3, file: !3, line: 8, type: !26, scopeLine: 8, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2, retainedNodes: !32, keyInstructions: true)
!26 = !DISubroutineType(types: !27)
!27 = !{!28, !28}
!28 = !DIDerivedType(tag: DW_TAG_typedef, name: "int64_t", file: !29, line: 27, baseType: !30)
!29 = !DIFile(filename: "/usr/include/x86_64-linux-gnu/bits/stdint-intn.h", directory: "", checksumkind: CSK_MD5, checksum: "55bcbdc3159515ebd91d351a70d505f4")
!30 = !DIDerivedType(tag: DW_TAG_typedef, name: "__int64_t", file: !9, line: 44, baseType: !31)
!31 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!32 = !{!33, !34, !38, !39}
!33 = !DILocalVariable(name: "n", arg: 1, scope: !25, file: !3, line: 8, type: !28)
!34 = !DILocalVariable(name: "state", scope: !25, file: !3, line: 10, type: !35)
!35 = !DIDerivedType(tag: DW_TAG_typedef, name: "uint64_t", file: !7, line: 27, baseType: !36)
!36 = !DIDerivedType(tag: DW_TAG_typedef, name: "__uint64_t", file: !9, line: 45, baseType: !37)
!37 = !DIBasicType(name: "unsigned long", size: 64, encoding: DW_ATE_unsigned)
!38 = !DILocalVariable(name: "sum", scope: !25, file: !3, line: 11, type: !28)
!39 = !DILocalVariable(name: "i", scope: !40, file: !3, line: 12, type: !28)
!40 = distinct !DILexicalBlock(scope: !25, file: !3, line: 12, column: 5)
!41 = !DILocation(line: 0, scope: !25)
!42 = !DILocation(line: 9, column: 5, scope: !25, atomGroup: 1, atomRank: 1)
!43 = !DILocation(line: 0, scope: !40)
!44 = !DILocation(line: 12, column: 27, scope: !45, atomGroup: 14, atomRank: 1)
!45 = distinct !DILexicalBlock(scope: !40, file: !3, line: 12, column: 5)
!46 = !DILocation(line: 12, column: 5, scope: !40, atomGroup: 15, atomRank: 1)
!47 = !DILocation(line: 16, column: 5, scope: !25, atomGroup: 13, atomRank: 1)
!48 = !DILocation(line: 13, column: 23, scope: !49)
!49 = distinct !DILexicalBlock(scope: !45, file: !3, line: 12, column: 37)
!50 = !DILocation(line: 13, column: 46, scope: !49, atomGroup: 7, atomRank: 2)
!51 = !DILocation(line: 14, column: 31, scope: !49)
!52 = !DILocation(line: 14, column: 16, scope: !49)
!53 = !DILocation(line: 14, column: 37, scope: !49)
!54 = !DILocation(line: 14, column: 37, scope: !49, atomGroup: 9, atomRank: 2)
!55 = !DILocation(line: 14, column: 37, scope: !49, atomGroup: 9, atomRank: 1)
!56 = !DILocation(line: 14, column: 13, scope: !49, atomGroup: 8, atomRank: 2)
!57 = !DILocation(line: 12, column: 33, scope: !45, atomGroup: 10, atomRank: 2)
!58 = !DILocation(line: 12, column: 27, scope: !45, atomGroup: 5, atomRank: 1)
!59 = !DILocation(line: 12, column: 5, scope: !40, atomGroup: 6, atomRank: 1)
!60 = distinct !{!60, !61, !62, !63, !64}
!61 = !DILocation(line: 12, column: 5, scope: !40)
!62 = !DILocation(line: 15, column: 5, scope: !40)
!63 = !{!"llvm.loop.mustprogress"}
!64 = !{!"llvm.loop.unroll.disable"}
