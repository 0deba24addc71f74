; Calls by name, by address, of C's functions, of what is declared otherwise.
; run: @direct(5) == 6
; run: @indirect(5) == 6
; run: @foreign(-5) == 5
; run: @pair() == 7
; run: @by_value() == 15
; run: @returned() == 9
; run: @tail(100000, 0) == 100000
; run: @tail_indirect(5) == 6
; run: @tail_foreign(-3) == 3
; run: @invoked(4) == 5
; run: @through_alias(1) == 2
; run: @without_prototype(3) == 4
; run: @narrow(-1) == -1

%big = type { [4 x i64] }

define i32 @next(i32 %x) {
  %r = add i32 %x, 1
  ret i32 %r
}

@other = alias i32 (i32), ptr @next
@place = global ptr @next

define i32 @direct(i32 %x) {
  %r = call i32 @next(i32 %x)
  ret i32 %r
}

define i32 @indirect(i32 %x) {
  %f = load ptr, ptr @place
  %r = call i32 %f(i32 %x)
  ret i32 %r
}

declare i32 @abs(i32)

define i32 @foreign(i32 %x) {
  %r = call i32 @abs(i32 noundef %x)
  ret i32 %r
}

define { i32, i8 } @both(i32 %a, i8 %b) {
  %p = insertvalue { i32, i8 } undef, i32 %a, 0
  %q = insertvalue { i32, i8 } %p, i8 %b, 1
  ret { i32, i8 } %q
}

define i32 @pair() {
  %p = call { i32, i8 } @both(i32 4, i8 3)
  %a = extractvalue { i32, i8 } %p, 0
  %b = extractvalue { i32, i8 } %p, 1
  %w = zext i8 %b to i32
  %r = add i32 %a, %w
  ret i32 %r
}

; What is passed by value is the callee's own.
define i64 @spoil(ptr byval(%big) align 8 %p) {
  %x = load i64, ptr %p
  store i64 100, ptr %p
  ret i64 %x
}

define i64 @by_value() {
  %p = alloca %big
  store %big zeroinitializer, ptr %p
  store i64 5, ptr %p
  %a = call i64 @spoil(ptr byval(%big) align 8 %p)
  %b = call i64 @spoil(ptr byval(%big) align 8 %p)
  %c = load i64, ptr %p
  %d = add i64 %a, %b
  %e = add i64 %c, %d
  ret i64 %e
}

define void @give(ptr sret(%big) align 8 %p) {
  store i64 9, ptr %p
  ret void
}

define i64 @returned() {
  %p = alloca %big
  call void @give(ptr sret(%big) align 8 %p)
  %r = load i64, ptr %p
  ret i64 %r
}

define i64 @tail(i64 %n, i64 %sum) {
  %done = icmp eq i64 %n, 0
  br i1 %done, label %end, label %more
more:
  %m = sub i64 %n, 1
  %s = add i64 %sum, 1
  %r = musttail call i64 @tail(i64 %m, i64 %s)
  ret i64 %r
end:
  ret i64 %sum
}

define i32 @tail_indirect(i32 %x) {
  %f = load ptr, ptr @place
  %r = musttail call i32 %f(i32 %x)
  ret i32 %r
}

define i32 @tail_foreign(i32 %x) {
  %r = musttail call i32 @abs(i32 %x)
  ret i32 %r
}

declare i32 @__gxx_personality_v0(...)

define i32 @invoked(i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  %r = invoke i32 @next(i32 %x) to label %normal unwind label %handler
normal:
  %s = phi i32 [ %r, %entry ]
  ret i32 %s
handler:
  %e = landingpad { ptr, i32 } catch ptr null
  resume { ptr, i32 } %e
}

define i32 @through_alias(i32 %x) {
  %r = call i32 @other(i32 %x)
  ret i32 %r
}

define i32 @without_prototype(i32 %x) {
  %r = call i32 (i32, ...) @next(i32 %x)
  ret i32 %r
}

define internal signext i8 @same(i8 signext %x) {
  ret i8 %x
}

define i8 @narrow(i8 %x) {
  %r = call signext i8 @same(i8 signext %x)
  ret i8 %r
}
