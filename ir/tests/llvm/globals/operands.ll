; Expressions as operands: all that LLVM 15 to 22 print, in code as in data.
target triple = "x86_64-pc-linux-gnu"

%pair = type <{ i8, [3 x i32] }>
@a = global %pair <{ i8 1, [3 x i32] [i32 2, i32 3, i32 4] }>
@b = global i32 9

; Addresses of symbols differ, and what is chosen by that is known when code runs.
define i32 @compared() {
  %x = zext i1 icmp eq (ptr @a, ptr @b) to i32
  %y = zext i1 icmp ult (ptr @a, ptr getelementptr inbounds (i8, ptr @a, i64 1)) to i32
  %z = zext i1 icmp ne (i64 ptrtoint (ptr @b to i64), i64 0) to i32
  %y2 = shl i32 %y, 1
  %z2 = shl i32 %z, 2
  %xy = or i32 %x, %y2
  %r = or i32 %xy, %z2
  ret i32 %r
}
; run: @compared() == 6

define i32 @chosen() {
  %r = load i32, ptr select (i1 icmp eq (ptr @a, ptr @b), ptr @a, ptr @b)
  ret i32 %r
}
; run: @chosen() == 9

define i32 @element() {
  %p = getelementptr i8, ptr extractelement (<2 x ptr> <ptr @a, ptr @b>, i32 1), i64 0
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @element() == 9

define i32 @inserted() {
  %v = select i1 true, <2 x ptr> insertelement (<2 x ptr> <ptr @a, ptr @a>, ptr @b, i64 0), <2 x ptr> zeroinitializer
  %p = extractelement <2 x ptr> %v, i64 0
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @inserted() == 9

define i32 @shuffled() {
  %v = freeze <2 x ptr> shufflevector (<2 x ptr> <ptr @a, ptr @b>, <2 x ptr> poison, <2 x i32> <i32 1, i32 0>)
  %p = extractelement <2 x ptr> %v, i64 0
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @shuffled() == 9

define i32 @converted() {
  %x = add i32 sext (i8 trunc (i64 511 to i8) to i32), zext (i1 true to i32)
  %y = add i32 %x, fptosi (double fadd (double 1.5, double fpext (float 2.0 to double)) to i32)
  %z = add i32 %y, bitcast (float fptrunc (double sitofp (i32 0 to double) to float) to i32)
  %w = add i32 %z, bitcast (<2 x i16> <i16 1, i16 0> to i32)
  ret i32 %w
}
; run: @converted() == 4

define i1 @floats_compared() {
  %r = or i1 fcmp olt (double 1.0, double uitofp (i8 -1 to double)), false
  ret i1 %r
}
; run: @floats_compared() == 1

define i64 @numbers() {
  %a = add i64 mul nsw (i64 6, i64 7), shl nuw (i64 1, i64 4)
  %b = add i64 %a, lshr exact (i64 64, i64 2)
  %c = add i64 %b, ashr (i64 -8, i64 1)
  %d = add i64 %c, and (i64 12, i64 or (i64 4, i64 xor (i64 3, i64 1)))
  %e = add i64 %d, sub nuw nsw (i64 ptrtoint (ptr getelementptr (i8, ptr @a, i64 5) to i64), i64 ptrtoint (ptr @a to i64))
  ret i64 %e
}
; run: @numbers() == 79

define i64 @addresses() {
  %a = ptrtoaddr ptr inttoptr (i64 add (i64 ptrtoaddr (ptr @a to i64), i64 8) to ptr) to i64
  %b = sub i64 %a, ptrtoint (ptr getelementptr (i8, ptr @a, i64 0) to i64)
  ret i64 %b
}
; run: @addresses() == 8

; In calls, returns, phis, stores and switches.
define ptr @given(ptr %p, i64 %n) {
  %r = getelementptr i8, ptr %p, i64 %n
  ret ptr %r
}
define i32 @everywhere(i1 %c) {
entry:
  br i1 %c, label %join, label %other
other:
  br label %join
join:
  %p = phi ptr [ getelementptr inbounds (%pair, ptr @a, i64 0, i32 1, i64 2), %entry ], [ getelementptr (i8, ptr @a, i64 5), %other ]
  %q = call ptr @given(ptr getelementptr (i8, ptr @a, i64 1), i64 sub (i64 ptrtoint (ptr getelementptr (i32, ptr null, i64 1) to i64), i64 4))
  %x = load i32, ptr %p, align 1
  %y = load i32, ptr %q, align 1
  %r = mul i32 %x, %y
  ret i32 %r
}
; run: @everywhere(1) == 8
; run: @everywhere(0) == 6

define ptr @returned() {
  ret ptr getelementptr inbounds (%pair, ptr @a, i64 0, i32 1)
}
define i32 @of_returned() {
  %p = call ptr @returned()
  %r = load i32, ptr %p, align 1
  ret i32 %r
}
; run: @of_returned() == 2

; Vectors of addresses.
@table = global <2 x ptr> <ptr @b, ptr getelementptr (i8, ptr @a, i64 1)>
@lanes = global <2 x i64> <i64 ptrtoint (ptr @b to i64), i64 3>
define i32 @from_data() {
  %v = load <2 x ptr>, ptr @table
  %p = extractelement <2 x ptr> %v, i64 1
  %x = load i32, ptr %p, align 1
  %w = load <2 x i64>, ptr @lanes
  %n = extractelement <2 x i64> %w, i64 0
  %q = inttoptr i64 %n to ptr
  %y = load i32, ptr %q
  %r = add i32 %x, %y
  ret i32 %r
}
; run: @from_data() == 11

