; Paths into every kind of type, with indices of any width, that are known and that are not.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%packed = type <{ i8, i32, [2 x i24], { i8, i64 } }>
%nested = type { i1, [3 x %packed], <4 x i16>, x86_fp80, {}, [0 x i64], ptr }

define i64 @constant() {
  %p = getelementptr %nested, ptr null, i64 1, i32 1, i64 2, i32 3, i32 1
  %r = ptrtoint ptr %p to i64
  ret i64 %r
}
; Of `%packed` 29 bytes, with its fields at 0, 1, 5 and 13; of `%nested` 128 bytes.
; run: @constant() == 208

define i64 @fields(i64 %i) {
  %a = getelementptr %nested, ptr null, i64 0, i32 2, i64 %i
  %b = getelementptr %nested, ptr null, i64 0, i32 3
  %c = getelementptr %nested, ptr null, i64 0, i32 4
  %d = getelementptr %nested, ptr null, i64 0, i32 5, i64 %i
  %e = getelementptr %nested, ptr null, i64 0, i32 6
  %a.n = ptrtoint ptr %a to i64
  %b.n = ptrtoint ptr %b to i64
  %c.n = ptrtoint ptr %c to i64
  %d.n = ptrtoint ptr %d to i64
  %e.n = ptrtoint ptr %e to i64
  %b.s = mul i64 %b.n, 1000
  %c.s = mul i64 %c.n, 1000000
  %d.s = mul i64 %d.n, 1000000000
  %e.s = mul i64 %e.n, 1000000000000
  %ab = add i64 %a.n, %b.s
  %cd = add i64 %c.s, %d.s
  %abcd = add i64 %ab, %cd
  %r = add i64 %abcd, %e.s
  ret i64 %r
}
; run: @fields(0) == 112112112096088
; run: @fields(3) == 112136112096094

define i64 @variable(i8 %i, i16 %j, i128 %k) {
  %p = getelementptr [5 x [3 x %packed]], ptr null, i8 %i, i16 %j, i128 %k, i32 2, i64 1
  %r = ptrtoint ptr %p to i64
  ret i64 %r
}
; run: @variable(0, 1, 2) == 154
; run: @variable(-1, 0, 0) == -426

; Of an odd width each takes as many bytes as its alignment asks for.
define i64 @odd(i64 %i) {
  %a = getelementptr i24, ptr null, i64 %i
  %b = getelementptr i65, ptr %a, i64 %i
  %c = getelementptr i1, ptr %b, i64 %i
  %d = getelementptr <3 x i32>, ptr %c, i64 %i
  %e = getelementptr bfloat, ptr %d, i64 %i
  %f = getelementptr fp128, ptr %e, i64 %i
  %r = ptrtoint ptr %f to i64
  ret i64 %r
}
; run: @odd(1) == 55

define i32 @read_packed() {
  %p = alloca %packed
  store %packed <{ i8 1, i32 -2, [2 x i24] [i24 3, i24 -4], { i8, i64 } { i8 5, i64 6 } }>, ptr %p
  %a = getelementptr %packed, ptr %p, i32 0, i32 2, i32 1
  %x = load i24, ptr %a, align 1
  %y = sext i24 %x to i32
  %b = getelementptr %packed, ptr %p, i32 0, i32 1
  %z = load i32, ptr %b, align 1
  %c = load %packed, ptr %p, align 1
  %d = extractvalue %packed %c, 2, 0
  %w = sext i24 %d to i32
  %yz = mul i32 %y, %z
  %r = add i32 %yz, %w
  ret i32 %r
}
; run: @read_packed() == 11
