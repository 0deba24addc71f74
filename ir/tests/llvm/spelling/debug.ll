; Debug records, which LLVM prints since 19, and the intrinsics that they stand for.
define i32 @records(i32 %x) !dbg !5 {
    #dbg_value(i32 %x, !9, !DIExpression(), !10)
  %slot = alloca i32, align 4, !DIAssignID !12
    #dbg_declare(ptr %slot, !9, !DIExpression(), !10)
    #dbg_assign(i1 undef, !9, !DIExpression(), !12, ptr %slot, !DIExpression(), !10)
  store i32 %x, ptr %slot, align 4, !dbg !11, !DIAssignID !12
    #dbg_label(!13, !10)
    #dbg_declare_value(i32 %x, !9, !DIExpression(), !10)
    #dbg_value(!DIArgList(i32 %x, ptr %slot), !9, !DIExpression(DW_OP_LLVM_arg, 0), !10)
    #dbg_value(i32 poison, !9, !DIExpression(), !10)
  %v = load i32, ptr %slot, align 4, !dbg !DILocation(line: 3, column: 1, scope: !5)
  %r = add i32 %v, 1, !dbg !14
  ret i32 %r, !dbg !11
}
; run: @records(4) == 5

define i32 @intrinsics(i32 %x) {
  call void @llvm.dbg.value(metadata i32 %x, metadata !9, metadata !DIExpression(DW_OP_plus_uconst, 1)), !dbg !10
  call void @llvm.dbg.declare(metadata ptr undef, metadata !9, metadata !DIExpression()), !dbg !10
  call void @llvm.dbg.label(metadata !13), !dbg !10
  ret i32 %x
}
; run: @intrinsics(4) == 4

declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.label(metadata)

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "p", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!2 = !DIFile(filename: "a.c", directory: "/", checksumkind: CSK_MD5, checksum: "00000000000000000000000000000000")
!3 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!4 = !DISubroutineType(types: !{!3, !3})
!5 = distinct !DISubprogram(name: "records", scope: !2, file: !2, line: 1, type: !4, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !1, retainedNodes: !8)
!8 = !{!9}
!9 = !DILocalVariable(name: "x", arg: 1, scope: !5, file: !2, line: 1, type: !3)
!10 = !DILocation(line: 1, column: 17, scope: !5)
!11 = !DILocation(line: 2, column: 3, scope: !5, atomGroup: 1, atomRank: 2)
!12 = distinct !DIAssignID()
!13 = !DILabel(scope: !5, name: "again", file: !2, line: 2, column: 1)
!14 = !DILocation(line: 9, column: 1, scope: !15, inlinedAt: !11)
!15 = distinct !DILexicalBlock(scope: !5, file: !2, line: 8, column: 3)
