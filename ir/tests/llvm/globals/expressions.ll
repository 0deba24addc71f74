; Constant expressions, of initialisers and of operands.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%node = type { i32, [4 x i16], ptr }

@node = global %node { i32 1, [4 x i16] [i16 2, i16 3, i16 4, i16 5], ptr @node }
@element = global ptr getelementptr inbounds (%node, ptr @node, i64 0, i32 1, i64 2)
@ranged = global ptr getelementptr inbounds nuw inrange(0, 8) (i8, ptr @node, i64 4)
@negative = global ptr getelementptr (i8, ptr getelementptr (i8, ptr @node, i64 8), i64 -4)
@as_number = global i64 ptrtoint (ptr @node to i64)
@added = global i64 add (i64 ptrtoint (ptr @node to i64), i64 6)
@subtracted = global i64 sub (i64 add (i64 ptrtoint (ptr @node to i64), i64 12), i64 4)
@as_address = global ptr inttoptr (i64 add (i64 ptrtoint (ptr @node to i64), i64 4) to ptr)
@plain = global ptr inttoptr (i64 4096 to ptr)
@cast = global ptr getelementptr (i8, ptr inttoptr (i64 ptrtoint (ptr @node to i64) to ptr), i64 0)
@distance = global i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @node, i64 9) to i64), i64 ptrtoint (ptr @node to i64))
@toggled = global i64 xor (i64 5, i64 3)
@small = global i32 trunc (i64 4294967298 to i32)
@code = global ptr dso_local_equivalent @function
@raw = global ptr no_cfi @function
@size = global i64 ptrtoint (ptr getelementptr (%node, ptr null, i32 1) to i64)
@nested = global { i8, <{ i16, [2 x ptr] }> } { i8 1, <{ i16, [2 x ptr] }> <{ i16 2, [2 x ptr] [ptr @element, ptr null] }> }
@vector = global <4 x i8> <i8 1, i8 2, i8 undef, i8 poison>
@splat = global <4 x i16> splat (i16 7)
@text = constant [4 x i8] c"a\00\FF\\"
@floats = global [3 x float] [float 1.5, float 0x3FB99999A0000000, float 0x7FF0000000000000]

define i16 @function() {
  %p = load ptr, ptr @element
  %x = load i16, ptr %p
  ret i16 %x
}
; run: @function() == 4

define i64 @offsets() {
  %base = ptrtoint ptr @node to i64
  %a = load i64, ptr @ranged
  %b = load i64, ptr @negative
  %c = load i64, ptr @as_number
  %d = load i64, ptr @added
  %e = load i64, ptr @subtracted
  %f = load i64, ptr @as_address
  %a1 = sub i64 %a, %base
  %b1 = sub i64 %b, %base
  %c1 = sub i64 %c, %base
  %d1 = sub i64 %d, %base
  %e1 = sub i64 %e, %base
  %f1 = sub i64 %f, %base
  %b2 = mul i64 %b1, 10
  %c2 = mul i64 %c1, 100
  %d2 = mul i64 %d1, 1000
  %e2 = mul i64 %e1, 10000
  %f2 = mul i64 %f1, 100000
  %s1 = add i64 %a1, %b2
  %s2 = add i64 %s1, %c2
  %s3 = add i64 %s2, %d2
  %s4 = add i64 %s3, %e2
  %s5 = add i64 %s4, %f2
  ret i64 %s5
}
; run: @offsets() == 486044

define i64 @numbers() {
  %a = load i64, ptr @distance
  %b = load i64, ptr @toggled
  %c = load i32, ptr @small
  %d = load i64, ptr @size
  %e = load i64, ptr @plain
  %c1 = zext i32 %c to i64
  %b2 = mul i64 %b, 10
  %c2 = mul i64 %c1, 100
  %d2 = mul i64 %d, 1000
  %s1 = add i64 %a, %b2
  %s2 = add i64 %s1, %c2
  %s3 = add i64 %s2, %d2
  %s4 = mul i64 %e, 100000
  %s5 = add i64 %s3, %s4
  ret i64 %s5
}
; run: @numbers() == 409624269

define i1 @addresses() {
  %a = load ptr, ptr @code
  %b = load ptr, ptr @raw
  %c = load ptr, ptr @cast
  %same = icmp eq ptr %a, %b
  %own = icmp eq ptr %a, @function
  %node = icmp eq ptr %c, @node
  %x = and i1 %same, %own
  %y = and i1 %x, %node
  ret i1 %y
}
; run: @addresses() == 1

; As operands of instructions.
define i64 @operands() {
  %a = load i16, ptr getelementptr inbounds (%node, ptr @node, i64 0, i32 1, i64 3)
  %b = sub i64 ptrtoint (ptr getelementptr (i8, ptr @node, i64 20) to i64), ptrtoint (ptr @node to i64)
  %c = zext i16 %a to i64
  %d = add i64 %b, %c
  ret i64 %d
}
; run: @operands() == 25

define i32 @parts() {
  %a = load i8, ptr getelementptr (i8, ptr @text, i64 2)
  %b = load i8, ptr getelementptr (i8, ptr @vector, i64 1)
  %c = load i16, ptr getelementptr (i16, ptr @splat, i64 3)
  %d = load i16, ptr getelementptr (i8, ptr @nested, i64 1), align 1
  %e = load float, ptr getelementptr (float, ptr @floats, i64 0)
  %e1 = fptoui float %e to i32
  %a1 = zext i8 %a to i32
  %b1 = zext i8 %b to i32
  %c1 = zext i16 %c to i32
  %d1 = zext i16 %d to i32
  %s1 = add i32 %a1, %b1
  %s2 = add i32 %s1, %c1
  %s3 = add i32 %s2, %d1
  %s4 = add i32 %s3, %e1
  ret i32 %s4
}
; run: @parts() == 267
