; Wide integers in memory, in constants and as the bits of vectors.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@number = constant i200 123456789012345678901234567890123456789012345678901234567890
@bytes = global [5 x i64] [i64 1, i64 -2, i64 3, i64 -4, i64 5]

define i64 @word_of_constant(i64 %i) {
  %p = getelementptr i64, ptr @number, i64 %i
  %r = load i64, ptr %p
  ret i64 %r
}
; run: @word_of_constant(0) == -8300149958212908334
; run: @word_of_constant(2) == -6127986337512529385
; run: @word_of_constant(3) == 19

define i64 @stored(i64 %i, i128 %x) {
  %a = alloca [5 x i64]
  %w = load i320, ptr @bytes, align 8
  store i320 %w, ptr %a, align 8
  %y = sext i128 %x to i200
  store i200 %y, ptr %a, align 8
  %p = getelementptr i64, ptr %a, i64 %i
  %r = load i64, ptr %p
  ret i64 %r
}
; run: @stored(0, -5) == -5
; run: @stored(2, -5) == -1
; run: @stored(3, -5) == -1
; run: @stored(4, -5) == 5

define i64 @loaded(i64 %i) {
  %w = load i200, ptr @bytes, align 8
  %n = mul i64 %i, 8
  %z = zext i64 %n to i200
  %s = lshr i200 %w, %z
  %r = trunc i200 %s to i64
  ret i64 %r
}
; run: @loaded(0) == 1
; run: @loaded(3) == -2199023255552
; run: @loaded(24) == 252

define i64 @lanes(<4 x i64> %v) {
  %w = bitcast <4 x i64> %v to i256
  %s = lshr i256 %w, 100
  %r = trunc i256 %s to i64
  ret i64 %r
}
; run: @lanes(<1, -2, 3456789012, 4>) == 927924735000444927

define <3 x double> @floats(<3 x double> %v) {
  %w = bitcast <3 x double> %v to i192
  %x = xor i192 %w, 6277101735386680763835789423207666416102355444464034512895
  %y = xor i192 %x, -1
  %r = bitcast i192 %y to <3 x double>
  ret <3 x double> %r
}
; run: @floats(<1.5, -2.25, 1e100>) == <1.5, -2.25, 1e+100>

define <8 x i20> @odd_lanes(<8 x i20> %v) {
  %p = alloca i160
  store <8 x i20> %v, ptr %p
  %w = load i160, ptr %p
  %x = add i160 %w, 1
  %r = bitcast i160 %x to <8 x i20>
  ret <8 x i20> %r
}
; run: @odd_lanes(<1048575, 1048575, 3, 4, 5, 6, 7, 1048575>) == <0, 0, 4, 4, 5, 6, 7, 1048575>

define i128 @chosen(i1 %c, i128 %x) {
  %y = zext i128 %x to i300
  %z = select i1 %c, i300 %y, i300 1000000000000000000000000000000000000000000000000000000000001
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %p = phi i300 [ %z, %0 ], [ -1, %a ]
  %h = ashr i300 %p, 64
  %r = trunc i300 %h to i128
  ret i128 %r
}
; run: @chosen(1, 7) == -1
; run: @chosen(0, 7) == 105212283846006009696077461845939949785

define i64 @shifts_by_constants(i64 %x) {
  %w = zext i64 %x to i256
  %a = shl i256 %w, 130
  %b = lshr i256 %a, 66
  %c = trunc i256 %b to i128
  %d = lshr i128 %c, 32
  %r = trunc i128 %d to i64
  ret i64 %r
}
; run: @shifts_by_constants(1234567890123456789) == 9072924851508871168

define i128 @high_product(i128 %x, i128 %y) {
  %a = zext i128 %x to i256
  %b = zext i128 %y to i256
  %p = mul nuw i256 %a, %b
  %h = lshr i256 %p, 128
  %r = trunc nuw i256 %h to i128
  ret i128 %r
}
; run: @high_product(-1, -1) == -2
; run: @high_product(123456789012345678901234567890, 987654321098765432109876543210) == 358327797706167188782

@negative = constant i131 -3

define i64 @above_the_sign(i64 %i) {
  %p = getelementptr i64, ptr @negative, i64 %i
  %r = load i64, ptr %p
  ret i64 %r
}
; run: @above_the_sign(0) == -3
; run: @above_the_sign(2) == 7
