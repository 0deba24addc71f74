; The part of a program that has `main`. The other part, second.ll, has a function and a
; variable of the same comdats, a common variable that is larger, and an alias. Prints which
; of the comdats counts, what stands at the end of the common variable, and what the alias
; gives.
target triple = "x86_64-unknown-linux-gnu"

$folded = comdat any
$counted = comdat any

@text = private constant [13 x i8] c"%d %d %d %d\0A\00"
@counted = global i32 10, comdat
@shared = common global i32 0, align 4

declare i32 @printf(ptr, ...)
declare i32 @other()
declare i32 @fill()

define i32 @folded() comdat {
  ret i32 1
}

define i32 @main() {
  %f = call i32 @folded()
  %n = load i32, ptr @counted
  %s = call i32 @fill()
  %o = call i32 @other()
  %r = call i32 (ptr, ...) @printf(ptr @text, i32 %f, i32 %n, i32 %s, i32 %o)
  ret i32 0
}
