; Intrinsics under the names, and with the operands, that earlier versions give them.
target triple = "x86_64-pc-linux-gnu"

declare <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32>)
declare <4 x i32> @llvm.experimental.vector.splice.v4i32(<4 x i32>, <4 x i32>, i32)
declare <4 x i32> @llvm.experimental.vector.interleave2.v4i32(<2 x i32>, <2 x i32>)
declare { <2 x i32>, <2 x i32> } @llvm.experimental.vector.deinterleave2.v4i32(<4 x i32>)
declare <2 x i32> @llvm.experimental.vector.partial.reduce.add.v2i32.v2i32.v4i32(<2 x i32>, <4 x i32>)
declare i32 @llvm.flt.rounds()
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.dbg.assign(metadata, metadata, metadata, metadata, metadata, metadata)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare void @llvm.clear_cache(ptr, ptr)

define <4 x i32> @reversed(<4 x i32> %v) {
  %r = call <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32> %v)
  ret <4 x i32> %r
}
; run: @reversed(<1, 2, 3, 4>) == <4, 3, 2, 1>

define <4 x i32> @spliced(<4 x i32> %v) {
  %r = call <4 x i32> @llvm.experimental.vector.splice.v4i32(<4 x i32> %v, <4 x i32> splat (i32 9), i32 -1)
  ret <4 x i32> %r
}
; run: @spliced(<1, 2, 3, 4>) == <4, 9, 9, 9>

define <4 x i32> @there_and_back(<4 x i32> %v) {
  %halves = call { <2 x i32>, <2 x i32> } @llvm.experimental.vector.deinterleave2.v4i32(<4 x i32> %v)
  %even = extractvalue { <2 x i32>, <2 x i32> } %halves, 0
  %odd = extractvalue { <2 x i32>, <2 x i32> } %halves, 1
  %r = call <4 x i32> @llvm.experimental.vector.interleave2.v4i32(<2 x i32> %odd, <2 x i32> %even)
  ret <4 x i32> %r
}
; run: @there_and_back(<1, 2, 3, 4>) == <2, 1, 4, 3>

define <2 x i32> @partial(<4 x i32> %v) {
  %r = call <2 x i32> @llvm.experimental.vector.partial.reduce.add.v2i32.v2i32.v4i32(<2 x i32> <i32 10, i32 20>, <4 x i32> %v)
  ret <2 x i32> %r
}
; run: @partial(<1, 2, 3, 4>) == <14, 26>

define i32 @rounding() {
  %r = call i32 @llvm.flt.rounds()
  ret i32 %r
}
; run: @rounding() == 1

define i64 @memory(i64 %x) {
  %p = alloca i64
  call void @llvm.lifetime.start.p0(i64 8, ptr %p)
  call void @llvm.dbg.assign(metadata i1 undef, metadata !0, metadata !DIExpression(), metadata !1, metadata ptr %p, metadata !DIExpression())
  store i64 %x, ptr %p
  call void @llvm.prefetch.p0(ptr %p, i32 1, i32 3, i32 1)
  %q = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  %r = load i64, ptr %q
  %size = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  call void @llvm.lifetime.end.p0(i64 8, ptr %p)
  ret i64 %r
}
; run: @memory(6) == 6

!0 = !{}
!1 = distinct !DIAssignID()

define void @nothing(ptr %p) {
  call void @llvm.clear_cache(ptr %p, ptr %p)
  ret void
}
; run: @nothing(null) == ()
