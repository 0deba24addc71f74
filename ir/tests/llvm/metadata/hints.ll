; Hints change nothing: ranges, weights, wishes about loops, places in the source.
; run: @count(5) == 10
; run: @chosen(2) == 20
; run: @chosen(9) == 0
; run: @outside_of_range(200) == 200

define i32 @count(i32 %n) !dbg !4 {
entry:
  br label %loop, !dbg !6
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %t = add i32 %s, %i, !dbg !8
  %j = add i32 %i, 1, !dbg !9
  %done = icmp eq i32 %j, %n
  br i1 %done, label %end, label %loop, !dbg !6, !prof !10, !llvm.loop !11
end:
  ret i32 %t
}

define i32 @chosen(i32 %x) {
entry:
  %p = alloca i32
  store i32 %x, ptr %p, !nontemporal !14
  %y = load i32, ptr %p, !range !15
  switch i32 %y, label %none [ i32 1, label %one
                               i32 2, label %two ], !prof !16
one:
  ret i32 10
two:
  ret i32 20
none:
  ret i32 0
}

; Outside of it nothing is said of the value, and it is what it is.
define i32 @outside_of_range(i32 %x) {
  %p = alloca i32
  store i32 %x, ptr %p
  %y = load i32, ptr %p, !range !15
  %z = call range(i32 0, 10) i32 @itself(i32 range(i32 0, 10) %y)
  ret i32 %z
}
define internal range(i32 0, 10) i32 @itself(i32 range(i32 0, 10) %x) {
  ret i32 %x
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "count.c", directory: "/source")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "count", scope: !1, file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !19)
!6 = !DILocation(line: 2, column: 3, scope: !4)
!7 = distinct !DISubprogram(name: "added", scope: !1, file: !1, line: 9, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 10, column: 5, scope: !17, inlinedAt: !6)
!9 = !DILocation(line: 3, column: 1, scope: !18)
!10 = !{!"branch_weights", i32 1, i32 100}
!11 = distinct !{!11, !12, !13}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.count", i32 4}
!14 = !{i32 1}
!15 = !{i32 0, i32 100}
!16 = !{!"branch_weights", i32 1, i32 10, i32 20}
!17 = distinct !DILexicalBlock(scope: !7, file: !1, line: 9)
!18 = !DILexicalBlockFile(scope: !4, file: !1, discriminator: 1)
!19 = !{null}
