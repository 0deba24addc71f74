; Parts and orders of lanes.
; run: @extract(<1, 2, 3, 4, 5, 6, 7, 8>) == <5, 6>
; run: @insert(<1, 2, 3, 4>, <8, 9>) == <1, 2, 8, 9>
; run: @reverse(<1, 2, 3>) == <3, 2, 1>
; run: @splice(<1, 2, 3, 4>, <5, 6, 7, 8>) == <4, 5, 6, 7>
; run: @splice_end(<1, 2, 3, 4>, <5, 6, 7, 8>) == <3, 4, 5, 6>
; run: @interleave(<1, 2>, <3, 4>) == <1, 3, 2, 4>
; run: @deinterleave(<1, 2, 3, 4>) == <2, 4>
; run: @steps() == <0, 1, 2, 3>
; run: @active(5, 7) == <1, 1, 0, 0>
; run: @active(-2, -1) == <1, 0, 0, 0>
; run: @first_set(<0, 0, 1, 1>) == 2
; run: @first_set(<0, 0, 0, 0>) == 4
; run: @first_of_numbers(<0, 0, 7>) == 2
; run: @first_of_numbers(<-1, 0, 7>) == 0
; run: @partial(<10, 20>, <1, 2, 3, 4, 5, 6>) == <19, 32>

define <2 x i32> @extract(<8 x i32> %v) {
  %r = call <2 x i32> @llvm.vector.extract.v2i32.v8i32(<8 x i32> %v, i64 4)
  ret <2 x i32> %r
}

define <4 x i32> @insert(<4 x i32> %v, <2 x i32> %w) {
  %r = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %v, <2 x i32> %w, i64 2)
  ret <4 x i32> %r
}

define <3 x i16> @reverse(<3 x i16> %v) {
  %r = call <3 x i16> @llvm.vector.reverse.v3i16(<3 x i16> %v)
  ret <3 x i16> %r
}

define <4 x i8> @splice(<4 x i8> %v, <4 x i8> %w) {
  %r = call <4 x i8> @llvm.vector.splice.v4i8(<4 x i8> %v, <4 x i8> %w, i32 3)
  ret <4 x i8> %r
}

define <4 x i8> @splice_end(<4 x i8> %v, <4 x i8> %w) {
  %r = call <4 x i8> @llvm.vector.splice.v4i8(<4 x i8> %v, <4 x i8> %w, i32 -2)
  ret <4 x i8> %r
}

define <4 x i64> @interleave(<2 x i64> %v, <2 x i64> %w) {
  %r = call <4 x i64> @llvm.vector.interleave2.v4i64(<2 x i64> %v, <2 x i64> %w)
  ret <4 x i64> %r
}

define <2 x i64> @deinterleave(<4 x i64> %v) {
  %p = call { <2 x i64>, <2 x i64> } @llvm.vector.deinterleave2.v4i64(<4 x i64> %v)
  %r = extractvalue { <2 x i64>, <2 x i64> } %p, 1
  ret <2 x i64> %r
}

define <4 x i32> @steps() {
  %r = call <4 x i32> @llvm.stepvector.v4i32()
  ret <4 x i32> %r
}

; As LLVM before 19 names it.
define <4 x i32> @old_steps() {
  %r = call <4 x i32> @llvm.experimental.stepvector.v4i32()
  ret <4 x i32> %r
}
; run: @old_steps() == <0, 1, 2, 3>

define <4 x i1> @active(i64 %start, i64 %end) {
  %r = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i64(i64 %start, i64 %end)
  ret <4 x i1> %r
}

define <2 x i32> @partial(<2 x i32> %sum, <6 x i32> %v) {
  %r = call <2 x i32> @llvm.vector.partial.reduce.add.v2i32.v6i32(<2 x i32> %sum, <6 x i32> %v)
  ret <2 x i32> %r
}

declare <2 x i32> @llvm.vector.extract.v2i32.v8i32(<8 x i32>, i64 immarg)
declare <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32>, <2 x i32>, i64 immarg)
declare <3 x i16> @llvm.vector.reverse.v3i16(<3 x i16>)
declare <4 x i8> @llvm.vector.splice.v4i8(<4 x i8>, <4 x i8>, i32 immarg)
declare <4 x i64> @llvm.vector.interleave2.v4i64(<2 x i64>, <2 x i64>)
declare { <2 x i64>, <2 x i64> } @llvm.vector.deinterleave2.v4i64(<4 x i64>)
declare <4 x i32> @llvm.stepvector.v4i32()
declare <4 x i32> @llvm.experimental.stepvector.v4i32()
declare <4 x i1> @llvm.get.active.lane.mask.v4i1.i64(i64, i64)
declare <2 x i32> @llvm.vector.partial.reduce.add.v2i32.v6i32(<2 x i32>, <6 x i32>)

define i32 @first_set(<4 x i1> %v) {
  %r = call i32 @llvm.experimental.cttz.elts.i32.v4i1(<4 x i1> %v, i1 false)
  ret i32 %r
}

define i64 @first_of_numbers(<3 x i16> %v) {
  %r = call i64 @llvm.experimental.cttz.elts.i64.v3i16(<3 x i16> %v, i1 true)
  ret i64 %r
}
