; Divides by zero, in a function that says what it was made from.
target triple = "x86_64-unknown-linux-gnu"

define internal i32 @quotient(i32 %n) !dbg !4 {
  %q = sdiv i32 1, %n, !dbg !6
  ret i32 %q, !dbg !6
}

define i32 @main() !dbg !5 {
  %slot = alloca i32
  store i32 0, ptr %slot
  %zero = load i32, ptr %slot, !dbg !7
  %q = call i32 @quotient(i32 %zero), !dbg !7
  ret i32 %q, !dbg !7
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "not-there.c", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "quotient", scope: !1, file: !1, line: 2, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 6, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 3, column: 12, scope: !4)
!7 = !DILocation(line: 7, column: 3, scope: !5)
