; Hints behind ops, of all versions: what they promise is never counted on.
define i8 @narrow(i32 %x) {
  %a = trunc nuw i32 %x to i16
  %r = trunc nuw nsw i16 %a to i8
  ret i8 %r
}
; run: @narrow(127) == 127
; run: @narrow(511) == -1

define i64 @wide(i32 %x) {
  %r = zext nneg i32 %x to i64
  ret i64 %r
}
; run: @wide(5) == 5
; run: @wide(-1) == 4294967295

define i32 @join(i32 %a, i32 %b) {
  %r = or disjoint i32 %a, %b
  ret i32 %r
}
; run: @join(5, 10) == 15
; run: @join(5, 5) == 5

define i1 @below(i32 %a, i32 %b) {
  %r = icmp samesign ult i32 %a, %b
  ret i1 %r
}
; run: @below(1, 2) == 1
; run: @below(-1, 2) == 0

define i1 @signed_below(i32 %a, i32 %b) {
  %r = icmp samesign slt i32 %a, %b
  ret i1 %r
}
; run: @signed_below(-1, 2) == 1

define double @to_double(i32 %x) {
  %r = uitofp nneg i32 %x to double
  ret double %r
}
; run: @to_double(7) == 7.0
; run: @to_double(-1) == 4294967295.0

define float @mixed(double %x, i1 %c) {
entry:
  %narrow = fptrunc fast double %x to float
  %back = fpext nnan float %narrow to double
  %same = fcmp ninf oeq double %back, %x
  br i1 %same, label %exact, label %join
exact:
  %neg = fneg reassoc nsz float %narrow
  br label %join
join:
  %v = phi fast float [ %neg, %exact ], [ 1.0, %entry ]
  %r = select nnan ninf i1 %c, float %v, float 2.0
  ret float %r
}
; run: @mixed(1.5, 1) == -1.5
; run: @mixed(0.1, 1) == 1.0
; run: @mixed(0.1, 0) == 2.0
