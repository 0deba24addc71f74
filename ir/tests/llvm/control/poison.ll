; What is undefined is a value all the same, one and the same for every use.
target triple = "x86_64-pc-linux-gnu"

%node = type { i8, [2 x float], <{ ptr, i24 }> }

define i1 @equal() {
  %a = freeze i64 undef
  %b = add i64 poison, 0
  %c = icmp eq i64 %a, %b
  %f = fadd double undef, 0.0
  %g = fcmp oeq double %f, poison
  %p = select i1 poison, ptr undef, ptr poison
  %d = icmp eq ptr %p, null
  %cg = and i1 %c, %g
  %r = and i1 %cg, %d
  ret i1 %r
}
; run: @equal() == 1

define i1 @chosen() {
  br i1 undef, label %yes, label %no
yes:
  ret i1 1
no:
  ret i1 0
}
; run: @chosen() == 0

define i32 @switched() {
  switch i32 poison, label %other [ i32 0, label %zero ]
zero:
  ret i32 1
other:
  ret i32 2
}
; run: @switched() == 1

define <4 x i16> @lanes() {
  %v = insertelement <4 x i16> poison, i16 7, i64 1
  %w = shufflevector <4 x i16> %v, <4 x i16> undef, <4 x i32> <i32 1, i32 poison, i32 5, i32 undef>
  %x = freeze <4 x i16> %w
  %y = insertelement <4 x i16> %x, i16 7, i64 1
  %z = insertelement <4 x i16> %y, i16 9, i64 3
  ret <4 x i16> %z
}
; run: @lanes() == <7, 7, 0, 9>

define i24 @parts() {
  %a = insertvalue %node undef, i24 5, 2, 1
  %b = freeze %node %a
  %c = extractvalue %node %b, 2, 1
  %d = extractvalue %node poison, 2, 1
  %e = or i24 %c, %d
  ret i24 %e
}
; run: @parts() == 5

define float @from_some_edges(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %join
b:
  br label %join
join:
  %x = phi float [ undef, %a ], [ 2.5, %b ]
  %y = phi %node [ zeroinitializer, %a ], [ poison, %b ]
  %z = extractvalue %node %y, 1, 1
  %r = fadd float %x, %z
  ret float %r
}
; run: @from_some_edges(0) == 2.5
; run: @from_some_edges(1) == 0.0

define void @stored(ptr %p) {
  store %node undef, ptr %p
  store x86_fp80 poison, ptr %p
  ret void
}
declare i32 @abs(i32)
define i32 @passed() {
  %r = call i32 @abs(i32 undef)
  ret i32 %r
}
; run: @passed() == 0

define i33 @shifted_too_far(i33 %x, i33 %n) {
  %a = shl i33 %x, %n
  %b = freeze i33 %a
  %c = sub i33 %a, %b
  ret i33 %c
}
; run: @shifted_too_far(5, 33) == 0
; run: @shifted_too_far(5, 8000000000) == 0
