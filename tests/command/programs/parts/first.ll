; The part of a program that has `main`. The other part, second.ll, has a private symbol of
; the same name, weak ones of both parts, of which one takes more, and a function that is
; declared here without its parameters, as old C does.
target triple = "x86_64-unknown-linux-gnu"

@text = private constant [16 x i8] c"%d %d %d %d %d\0A\00"
@shared = external global i32
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, { i32, ptr, ptr } { i32 200, ptr @early, ptr null }]

declare i32 @printf(ptr, ...)
declare i32 @putchar(i32)
declare i32 @old(...)
declare i32 @strong(i32)

define private i32 @hidden() {
  ret i32 1
}

define weak i32 @both_weak() {
  ret i32 1
}

define weak i32 @weak_here() {
  ret i32 1
}

define internal void @late() {
  %r = call i32 @putchar(i32 99)
  ret void
}

define internal void @early() {
  %r = call i32 @putchar(i32 98)
  ret void
}

define i32 @main() {
  %h = call i32 @hidden()
  %b = call i32 @both_weak()
  %w = call i32 @weak_here()
  %s = load i32, ptr @shared
  %t = call i32 @strong(i32 %s)
  %o = call i32 (i32, double, ...) @old(i32 3, double 4.0)
  %r = call i32 (ptr, ...) @printf(ptr @text, i32 %h, i32 %b, i32 %w, i32 %t, i32 %o)
  ret i32 0
}
