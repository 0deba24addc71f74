; That nothing wraps, is lost or stands outside is a hint: where it does not hold, results
; are those of the op without the hint, and nothing is concluded from it.
target triple = "x86_64-pc-linux-gnu"

define i32 @add(i32 %a, i32 %b) {
  %r = add nuw nsw i32 %a, %b
  ret i32 %r
}
; run: @add(2147483647, 1) == -2147483648
; run: @add(-1, 2) == 1

define i1 @still_greater(i32 %a) {
  %b = add nsw i32 %a, 1
  %r = icmp sgt i32 %b, %a
  ret i1 %r
}
; run: @still_greater(1) == 1
; run: @still_greater(2147483647) == 0

define i8 @sub(i8 %a, i8 %b) {
  %r = sub nuw nsw i8 %a, %b
  ret i8 %r
}
; run: @sub(-128, 1) == 127
; run: @sub(0, 1) == -1

define i13 @mul(i13 %a, i13 %b) {
  %r = mul nuw nsw i13 %a, %b
  ret i13 %r
}
; run: @mul(4096, 3) == 4096
; run: @mul(100, 100) == 1808

define i32 @shl(i32 %a, i32 %b) {
  %r = shl nuw nsw i32 %a, %b
  ret i32 %r
}
; run: @shl(-1, 31) == -2147483648

define i64 @there_and_back(i64 %a) {
  %b = shl nsw i64 %a, 40
  %r = ashr exact i64 %b, 40
  ret i64 %r
}
; run: @there_and_back(8388607) == 8388607
; run: @there_and_back(8388608) == -8388608

define i32 @doubled_and_halved(i32 %a) {
  %b = mul nsw i32 %a, 2
  %r = sdiv i32 %b, 2
  ret i32 %r
}
; run: @doubled_and_halved(1073741824) == -1073741824

define i32 @divided(i32 %a) {
  %r = sdiv exact i32 %a, 3
  ret i32 %r
}
; run: @divided(10) == 3

define i32 @divided_unsigned(i32 %a) {
  %r = udiv exact i32 %a, 4
  ret i32 %r
}
; run: @divided_unsigned(-1) == 1073741823

define i32 @remains(i32 %a) {
  %q = lshr exact i32 %a, 3
  %b = shl i32 %q, 3
  %r = sub i32 %a, %b
  ret i32 %r
}
; run: @remains(13) == 5

define i1 @behind(i64 %i) {
  %p = alloca [4 x i8]
  %q = getelementptr inbounds nuw [4 x i8], ptr %p, i64 0, i64 %i
  %r = icmp ugt ptr %q, %p
  ret i1 %r
}
; run: @behind(1000) == 1
; run: @behind(-8) == 0

define <2 x i8> @lanes(<2 x i8> %a) {
  %r = add nuw nsw <2 x i8> %a, splat (i8 1)
  ret <2 x i8> %r
}
; run: @lanes(<127, -1>) == <-128, 0>

define i64 @wide(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 2147483640, %entry ], [ %j, %loop ]
  %k = phi i64 [ 0, %entry ], [ %l, %loop ]
  %j = add nsw i32 %i, 1
  %l = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %l, %n
  br i1 %done, label %end, label %loop
end:
  %r = sext i32 %j to i64
  ret i64 %r
}
; run: @wide(8) == -2147483648
