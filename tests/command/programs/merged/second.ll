; The part of a program that first.ll begins.
target triple = "x86_64-unknown-linux-gnu"

$folded = comdat any
$counted = comdat any

@counted = global i32 20, comdat
@shared = common global [100 x i32] zeroinitializer, align 16
@other = alias i32 (), ptr @folded

define i32 @folded() comdat {
  ret i32 2
}

define i32 @fill() {
  %last = getelementptr [100 x i32], ptr @shared, i64 0, i64 99
  store i32 7, ptr %last
  %x = load i32, ptr %last
  ret i32 %x
}
