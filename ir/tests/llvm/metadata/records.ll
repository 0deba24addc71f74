; Debug records, which stand for the debug intrinsics since LLVM 19.
define i32 @recorded(i32 %x) !dbg !4 {
  %p = alloca i32
    #dbg_declare(ptr %p, !2, !DIExpression(), !3)
  store i32 %x, ptr %p
    #dbg_value(i32 %x, !2, !DIExpression(DW_OP_constu, 5), !3)
    #dbg_assign(i32 %x, !2, !DIExpression(), !7, ptr %p, !DIExpression(), !3)
    #dbg_label(!8, !3)
  %y = load i32, ptr %p
  ret i32 %y
}
; run: @recorded(6) == 6

!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DILocalVariable(name: "x", scope: !4, file: !5, line: 1)
!3 = !DILocation(line: 1, column: 1, scope: !4)
!4 = distinct !DISubprogram(name: "recorded", scope: !5, file: !5, line: 1, unit: !6, spFlags: DISPFlagDefinition)
!5 = !DIFile(filename: "nothing.c", directory: "/source")
!llvm.dbg.cu = !{!6}
!6 = distinct !DICompileUnit(language: DW_LANG_C11, file: !5, emissionKind: FullDebug)
!7 = distinct !DIAssignID()
!8 = !DILabel(scope: !4, name: "here", file: !5, line: 1)
