; Loads and stores of the lanes of a mask; memory of other lanes is not touched, not
; even where there is none.
; run: @load(<1, 0, 0, 1>) == <10, -1, -1, 40>
; run: @load_before_22(<0, 1>) == <-1, 20>
; run: @gather(<1, 0, 1, 1>) == <40, -1, 20, 10>
; run: @gather_nowhere(<0, 0>) == <7, 7>
; run: @expand(<0, 1, 0, 1>) == <-1, 10, -1, 20>
; run: @store(<1, 0, 1, 0>) == 1203
; run: @scatter(<1, 1, 0, 1>) == 4021
; run: @compress(<0, 1, 0, 1>) == 2400
; run: @odd(<1, 1, 0>) == <1, 2, 9>

@numbers = constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]

define <4 x i32> @load(<4 x i1> %m) {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 @numbers, <4 x i1> %m, <4 x i32> splat (i32 -1))
  ret <4 x i32> %r
}

define <2 x i32> @load_before_22(<2 x i1> %m) {
  %r = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr @numbers, i32 4, <2 x i1> %m, <2 x i32> splat (i32 -1))
  ret <2 x i32> %r
}

define <4 x i32> @gather(<4 x i1> %m) {
  %p = getelementptr i32, ptr @numbers, <4 x i64> <i64 3, i64 2, i64 1, i64 0>
  %r = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> align 4 %p, <4 x i1> %m, <4 x i32> splat (i32 -1))
  ret <4 x i32> %r
}

define <2 x i64> @gather_nowhere(<2 x i1> %m) {
  %r = call <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr> align 8 zeroinitializer, <2 x i1> %m, <2 x i64> splat (i64 7))
  ret <2 x i64> %r
}

define <4 x i32> @expand(<4 x i1> %m) {
  %r = call <4 x i32> @llvm.masked.expandload.v4i32.p0(ptr @numbers, <4 x i1> %m, <4 x i32> splat (i32 -1))
  ret <4 x i32> %r
}

; The bytes of a slot as the digits of a number.
define i32 @digits(ptr %p) {
  %a = load i8, ptr %p
  %q = getelementptr i8, ptr %p, i64 1
  %b = load i8, ptr %q
  %r = getelementptr i8, ptr %p, i64 2
  %c = load i8, ptr %r
  %s = getelementptr i8, ptr %p, i64 3
  %d = load i8, ptr %s
  %a32 = zext i8 %a to i32
  %b32 = zext i8 %b to i32
  %c32 = zext i8 %c to i32
  %d32 = zext i8 %d to i32
  %x = mul i32 %a32, 10
  %y = add i32 %x, %b32
  %z = mul i32 %y, 10
  %v = add i32 %z, %c32
  %w = mul i32 %v, 10
  %t = add i32 %w, %d32
  ret i32 %t
}

define i32 @store(<4 x i1> %m) {
  %p = alloca <4 x i8>
  store <4 x i8> <i8 9, i8 2, i8 9, i8 3>, ptr %p
  call void @llvm.masked.store.v4i8.p0(<4 x i8> <i8 1, i8 7, i8 0, i8 7>, ptr align 1 %p, <4 x i1> %m)
  %r = call i32 @digits(ptr %p)
  ret i32 %r
}

define i32 @scatter(<4 x i1> %m) {
  %p = alloca <4 x i8>
  store <4 x i8> zeroinitializer, ptr %p
  %q = getelementptr i8, ptr %p, <4 x i64> <i64 3, i64 2, i64 1, i64 0>
  call void @llvm.masked.scatter.v4i8.v4p0(<4 x i8> <i8 1, i8 2, i8 3, i8 4>, <4 x ptr> align 1 %q, <4 x i1> %m)
  %r = call i32 @digits(ptr %p)
  ret i32 %r
}

define i32 @compress(<4 x i1> %m) {
  %p = alloca <4 x i8>
  store <4 x i8> zeroinitializer, ptr %p
  call void @llvm.masked.compressstore.v4i8.p0(<4 x i8> <i8 1, i8 2, i8 3, i8 4>, ptr %p, <4 x i1> %m)
  %r = call i32 @digits(ptr %p)
  ret i32 %r
}

; Lanes that do not fill their bytes go one by one.
define <3 x i8> @odd(<3 x i1> %m) {
  %p = alloca [3 x i8]
  store [3 x i8] [i8 1, i8 2, i8 3], ptr %p
  %v = call <3 x i8> @llvm.masked.load.v3i8.p0(ptr align 1 %p, <3 x i1> %m, <3 x i8> splat (i8 9))
  ret <3 x i8> %v
}

declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, i32, <2 x i1>, <2 x i32>)
declare <3 x i8> @llvm.masked.load.v3i8.p0(ptr, <3 x i1>, <3 x i8>)
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, <4 x i1>, <4 x i32>)
declare <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr>, <2 x i1>, <2 x i64>)
declare <4 x i32> @llvm.masked.expandload.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
declare void @llvm.masked.store.v4i8.p0(<4 x i8>, ptr, <4 x i1>)
declare void @llvm.masked.scatter.v4i8.v4p0(<4 x i8>, <4 x ptr>, <4 x i1>)
declare void @llvm.masked.compressstore.v4i8.p0(<4 x i8>, ptr, <4 x i1>)
