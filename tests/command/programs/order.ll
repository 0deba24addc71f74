; Prints a letter for each constructor and destructor, in the order of their priorities.
target triple = "x86_64-unknown-linux-gnu"

@llvm.global_ctors = appending global [4 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @a, ptr null }, { i32, ptr, ptr } { i32 101, ptr @b, ptr null }, { i32, ptr, ptr } { i32 101, ptr @c, ptr null }, { i32, ptr, ptr } { i32 300, ptr @d, ptr null }]
@llvm.global_dtors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 300, ptr @c, ptr null }, { i32, ptr, ptr } { i32 65535, ptr @a, ptr null }, { i32, ptr, ptr } { i32 101, ptr @b, ptr null }]

declare i32 @putchar(i32)

define internal void @a() {
  %r = call i32 @putchar(i32 97)
  ret void
}

define internal void @b() {
  %r = call i32 @putchar(i32 98)
  ret void
}

define internal void @c() {
  %r = call i32 @putchar(i32 99)
  ret void
}

define internal void @d() {
  %r = call i32 @putchar(i32 100)
  ret void
}

define i32 @main() {
  %r = call i32 @putchar(i32 45)
  ret i32 0
}
