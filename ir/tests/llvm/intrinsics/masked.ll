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
; run: @load20(0) == 20
; run: @load20(3) == 19
; run: @load20(0x80000) == 30
; run: @load20(0x80001) == 29
; run: @store20(0) == 0
; run: @store20(0xfffff) == 190
; run: @store20(0x80105) == 29
; run: @gather16(0) == 16
; run: @gather16(0x8001) == 29
; run: @gather16(0xffff) == 120
; run: @scatter16(0x8003) == 16
; run: @expand20(0x90100) == 20
; run: @compress20(0x90100) == 1779

@twenty = constant [20 x i64] [i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 11], align 64

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

; Vectors of more lanes than one value has: those of the mask summed up, and 1 for others.
define i64 @load20(i20 %bits) {
  %m = bitcast i20 %bits to <20 x i1>
  %v = call <20 x i64> @llvm.masked.load.v20i64.p0(ptr align 64 @twenty, <20 x i1> %m, <20 x i64> splat (i64 1))
  %s = call i64 @llvm.vector.reduce.add.v20i64(<20 x i64> %v)
  ret i64 %s
}

define i64 @store20(i20 %bits) {
  %p = alloca [20 x i64], align 64
  store [20 x i64] zeroinitializer, ptr %p
  %m = bitcast i20 %bits to <20 x i1>
  call void @llvm.masked.store.v20i64.p0(<20 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19>, ptr align 64 %p, <20 x i1> %m)
  %v = load <20 x i64>, ptr %p, align 64
  %s = call i64 @llvm.vector.reduce.add.v20i64(<20 x i64> %v)
  ret i64 %s
}

; The lanes fit one value, their addresses do not.
define i32 @gather16(i16 %bits) {
  %m = bitcast i16 %bits to <16 x i1>
  %p = getelementptr i64, ptr @twenty, <16 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
  %v = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4 %p, <16 x i1> %m, <16 x i32> splat (i32 1))
  %s = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %v)
  ret i32 %s
}

define i32 @scatter16(i16 %bits) {
  %a = alloca [16 x i32], align 64
  store [16 x i32] zeroinitializer, ptr %a
  %m = bitcast i16 %bits to <16 x i1>
  %p = getelementptr i32, ptr %a, <16 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>
  call void @llvm.masked.scatter.v16i32.v16p0(<16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, <16 x ptr> align 4 %p, <16 x i1> %m)
  %v = load <16 x i32>, ptr %a
  %s = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %v)
  ret i32 %s
}

define i64 @expand20(i20 %bits) {
  %m = bitcast i20 %bits to <20 x i1>
  %v = call <20 x i64> @llvm.masked.expandload.v20i64(ptr @twenty, <20 x i1> %m, <20 x i64> splat (i64 1))
  %s = call i64 @llvm.vector.reduce.add.v20i64(<20 x i64> %v)
  ret i64 %s
}

; Lanes 8, 16 and 19, weighted by 200, 10 and 1.
define i64 @compress20(i20 %bits) {
  %p = alloca [20 x i64], align 64
  store [20 x i64] zeroinitializer, ptr %p
  %m = bitcast i20 %bits to <20 x i1>
  call void @llvm.masked.compressstore.v20i64(<20 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19>, ptr align 8 %p, <20 x i1> %m)
  %a = load i64, ptr %p
  %q = getelementptr i64, ptr %p, i64 1
  %b = load i64, ptr %q
  %r = getelementptr i64, ptr %p, i64 2
  %c = load i64, ptr %r
  %x = mul i64 %a, 200
  %y = mul i64 %b, 10
  %z = add i64 %x, %y
  %t = add i64 %z, %c
  ret i64 %t
}
