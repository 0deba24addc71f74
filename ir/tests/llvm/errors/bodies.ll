; One error of each body is found, and all values and blocks that it lacks.
; error: 14:20 undefined-value
; error: 15:20 undefined-value
; error: 16:12 undefined-block
; error: 20:3 duplicate-value
; error: 24:16 llvm-type
; error: 30:29 llvm-type
; error: 36:3 llvm-invalid
; error: 40:8 unknown-op
; error: 44:3 llvm-unsupported
; error: 49:37 bad-path
; error: 54:1 llvm-invalid
define i32 @undefined(i32 %x) {
  %a = add i32 %x, %y
  %b = add i32 %a, %7
  br label %nowhere
}
define i32 @twice(i32 %x) {
  %a = add i32 %x, 1
  %a = add i32 %x, 2
  ret i32 %a
}
define i32 @types(i64 %x) {
  %a = add i32 %x, 1
  ret i32 %a
}
define i32 @forward() {
  br label %b
b:
  %a = phi i32 [ 0, %0 ], [ %c, %b ]
  %c = add i64 1, 1
  br label %b
}
define i32 @numbers(i32 %0) {
  %3 = add i32 %0, 1
  %2 = add i32 %3, 1
  ret i32 %2
}
define void @word() {
  %x = addd i32 1, 1
  ret void
}
define void @edges() {
  callbr void asm "", ""() to label %b []
b:
  ret void
}
define void @fields({ i8, i16 } %s) {
  %x = extractvalue { i8, i16 } %s, 2
  ret void
}
define void @ends() {
  %x = add i32 1, 1
}
