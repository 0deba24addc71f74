; What says something of a program and does nothing.
source_filename = "nothing.c"
target triple = "x86_64-pc-linux-gnu"

@text = private unnamed_addr constant [2 x i8] c"x\00", section "llvm.metadata"

declare void @llvm.donothing()
declare void @llvm.sideeffect()
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare ptr @llvm.ptr.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)
declare i32 @llvm.annotation.i32.p0(i32, ptr, ptr, i32)
declare void @llvm.codeview.annotation(metadata)
declare i1 @llvm.allow.runtime.check(metadata)
declare i1 @llvm.allow.ubsan.check(i8)
declare ptr @llvm.invariant.start.p0(i64, ptr)
declare void @llvm.invariant.end.p0(ptr, i64, ptr)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.strip.invariant.group.p0(ptr)
declare ptr @llvm.preserve.array.access.index.p0.p0(ptr, i32, i32)
declare ptr @llvm.preserve.struct.access.index.p0.p0(ptr, i32, i32)
declare ptr @llvm.preserve.union.access.index.p0.p0(ptr, i32)
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
declare i32 @llvm.ssa.copy.i32(i32)
declare void @llvm.fake.use(...)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare ptr @llvm.returnaddress(i32)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.label(metadata)
declare i64 @llvm.x86.rdtsc()
declare i64 @llvm.readsteadycounter()
declare void @llvm.x86.sse2.pause()
declare void @llvm.x86.sse.sfence()
declare void @llvm.x86.sse2.lfence()
declare void @llvm.x86.sse2.mfence()
declare i64 @llvm.x86.xgetbv(i32)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)

define i32 @annotated(i32 %x) {
  %p = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %p)
  call void @llvm.dbg.declare(metadata ptr %p, metadata !2, metadata !DIExpression())
  call void @llvm.dbg.value(metadata i32 %x, metadata !2, metadata !DIExpression())
  call void @llvm.var.annotation.p0.p0(ptr %p, ptr @text, ptr @text, i32 1, ptr null)
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %a = call ptr @llvm.ptr.annotation.p0.p0(ptr %p, ptr @text, ptr @text, i32 1, ptr null)
  %b = call ptr @llvm.launder.invariant.group.p0(ptr %a)
  %c = call ptr @llvm.strip.invariant.group.p0(ptr %b)
  %d = call ptr @llvm.preserve.array.access.index.p0.p0(ptr elementtype(i32) %c, i32 0, i32 0)
  %e = call ptr @llvm.preserve.struct.access.index.p0.p0(ptr elementtype(i32) %d, i32 0, i32 0)
  %f = call ptr @llvm.preserve.union.access.index.p0.p0(ptr %e, i32 0)
  %y = call i32 @llvm.annotation.i32.p0(i32 %x, ptr @text, ptr @text, i32 1)
  store i32 %y, ptr %f
  %mark = call ptr @llvm.invariant.start.p0(i64 4, ptr %p)
  %z = load i32, ptr %p
  call void @llvm.invariant.end.p0(ptr %mark, i64 4, ptr %p)
  %copy = call i32 @llvm.ssa.copy.i32(i32 %z)
  call void (...) @llvm.fake.use(i32 %copy)
  call void @llvm.donothing()
  call void @llvm.sideeffect()
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
  call void @llvm.codeview.annotation(metadata !1)
  call void @llvm.lifetime.end.p0(i64 4, ptr %p)
  ret i32 %copy
}
; run: @annotated(77) == 77

define i1 @checked() {
  %a = call i1 @llvm.allow.runtime.check(metadata !"check")
  %b = call i1 @llvm.allow.ubsan.check(i8 5)
  %both = and i1 %a, %b
  ret i1 %both
}
; run: @checked() == 1

; There is no address to return to that a program could use.
define ptr @back() {
  %p = call ptr @llvm.returnaddress(i32 0)
  ret ptr %p
}
; run: @back() == null

define i64 @processor() {
  %a = call i64 @llvm.x86.rdtsc()
  call void @llvm.x86.sse2.pause()
  call void @llvm.x86.sse.sfence()
  call void @llvm.x86.sse2.lfence()
  call void @llvm.x86.sse2.mfence()
  %b = call i64 @llvm.readsteadycounter()
  %c = icmp ule i64 %a, %b
  %d = zext i1 %c to i64
  %e = call i64 @llvm.x86.xgetbv(i32 0)
  %f = add i64 %d, %e
  ret i64 %f
}
; run: @processor() == 1

define i64 @inlined() {
  %p = alloca [8 x i8]
  %q = alloca [8 x i8]
  call void @llvm.memset.inline.p0.i64(ptr %p, i8 1, i64 8, i1 false)
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
  %x = load i64, ptr %q
  ret i64 %x
}
; run: @inlined() == 0x101010101010101

!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{!"note"}
!2 = !DILocalVariable(name: "x", scope: !4, file: !5, line: 1)
!3 = !DILocation(line: 1, column: 1, scope: !4)
!4 = distinct !DISubprogram(name: "annotated", scope: !5, file: !5, line: 1, unit: !6, spFlags: DISPFlagDefinition)
!5 = !DIFile(filename: "nothing.c", directory: "/source")
!6 = distinct !DICompileUnit(language: DW_LANG_C11, file: !5, emissionKind: FullDebug)
