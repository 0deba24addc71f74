; The part of a program that first.ll begins.
target triple = "x86_64-unknown-linux-gnu"

@shared = global i32 20
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @late, ptr null }, { i32, ptr, ptr } { i32 150, ptr @early, ptr null }]

declare i32 @putchar(i32)

define private i32 @hidden() {
  ret i32 2
}

define weak i32 @both_weak() {
  ret i32 2
}

define i32 @weak_here(i32 %unused) {
  ret i32 2
}

define i32 @strong(i32 %n) {
  %h = call i32 @hidden()
  %r = add i32 %n, %h
  ret i32 %r
}

define i32 @old(i32 %n, double %x) {
  %i = fptosi double %x to i32
  %r = mul i32 %n, %i
  ret i32 %r
}

define internal void @late() {
  %r = call i32 @putchar(i32 100)
  ret void
}

define internal void @early() {
  %r = call i32 @putchar(i32 97)
  ret void
}
