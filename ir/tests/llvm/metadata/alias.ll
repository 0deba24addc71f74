; Types and scopes that do not overlap are promises, which the interpreter sees broken.
; skip: native compiled code does not look for broken promises
; skip: native-generic the same
; skip: lowered a broken promise may go with what broke it
; run: @same_type() == 7
; run: @below() == 7
; run: @punned() traps broken_promise
; run: @field() == 7
; run: @scoped() traps broken_promise
; run: @loads() == 14
; run: @either() == 7
; run: @anew(3) == 9

define i32 @same_type() {
  %p = alloca i32
  store i32 7, ptr %p, !tbaa !3
  %r = load i32, ptr %p, !tbaa !3
  ret i32 %r
}

define i32 @below() {
  %p = alloca i32
  store i32 7, ptr %p, !tbaa !5
  %r = load i32, ptr %p, !tbaa !3
  ret i32 %r
}

define float @punned() {
  %p = alloca i32
  store i32 7, ptr %p, !tbaa !3
  %r = load float, ptr %p, !tbaa !4
  ret float %r
}

; Of which struct it is a field does not matter.
define i32 @field() {
  %p = alloca i32
  store i32 7, ptr %p, !tbaa !3
  %r = load i32, ptr %p, !tbaa !8
  ret i32 %r
}

define i32 @scoped() {
  %p = alloca i32
  %q = load i32, ptr %p, !alias.scope !12
  store i32 7, ptr %p, !noalias !12
  ret i32 %q
}

; Loads may meet whatever they say.
define i32 @loads() {
  %p = alloca i32
  store i32 7, ptr %p
  %a = load i32, ptr %p, !alias.scope !12, !noalias !13
  %b = load i32, ptr %p, !alias.scope !13, !noalias !12
  %r = add i32 %a, %b
  ret i32 %r
}

; What belongs to one of two scopes may meet what avoids the other only.
define i32 @either() {
  %p = alloca i32
  store i32 7, ptr %p, !noalias !12
  %r = load i32, ptr %p, !alias.scope !14
  ret i32 %r
}

; A scope that is declared in a loop begins anew in each round.
define i32 @anew(i32 %n) {
entry:
  %p = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !12)
  %a = getelementptr i32, ptr %p, i32 %i
  %j = add i32 %i, 1
  %b = getelementptr i32, ptr %p, i32 %j
  %sq = mul i32 %j, %j
  store i32 0, ptr %a, !noalias !12
  store i32 %sq, ptr %b, !alias.scope !12
  %done = icmp eq i32 %j, %n
  br i1 %done, label %end, label %loop
end:
  %r = load i32, ptr %b
  ret i32 %r
}

declare void @llvm.experimental.noalias.scope.decl(metadata)

!0 = !{!"tests"}
!1 = !{!"any", !0, i64 0}
!2 = !{!"int", !1, i64 0}
!3 = !{!2, !2, i64 0}
!4 = !{!6, !6, i64 0}
!5 = !{!1, !1, i64 0}
!6 = !{!"float", !1, i64 0}
!7 = !{!"pair", !6, i64 0, !2, i64 4}
!8 = !{!7, !2, i64 4}
!9 = distinct !{!9, !"domain"}
!10 = distinct !{!10, !9, !"first"}
!11 = distinct !{!11, !9, !"second"}
!12 = !{!10}
!13 = !{!11}
!14 = !{!10, !11}
