; A convention that no line of a function vouches for is not guessed.
declare fastcc i32 @fast_outside(i32)
declare win64cc i32 @windows(i32)

define void @through(ptr %f) {
  call x86_vectorcallcc void %f()
  ret void
}
define i32 @outside(i32 %x) {
  %r = call fastcc i32 @fast_outside(i32 %x)
  ret i32 %r
}
define i32 @other_system(i32 %x) {
  %r = call win64cc i32 @windows(i32 %x)
  ret i32 %r
}
define x86_regcallcc i32 @registers(i32 %x) {
  ret i32 %x
}
define void @naked() naked {
  ret void
}
define i32 @nested(ptr nest %p) {
  ret i32 0
}
define i32 @swifts(ptr swiftself %p) {
  ret i32 0
}
define i32 @hands_on(ptr %f, ...) {
  %r = musttail call i32 (ptr, ...) @other(ptr %f, ...)
  ret i32 %r
}
define i32 @other(ptr %f, ...) {
  ret i32 0
}
define void @on_the_stack(ptr inalloca(i32) %p) {
  ret void
}
; error: 2:20 llvm-unsupported
; error: 3:21 llvm-unsupported
; error: 6:3 llvm-unsupported
; error: 17:26 llvm-unsupported
; error: 20:13 llvm-unsupported
; error: 23:12 llvm-unsupported
; error: 26:12 llvm-unsupported
; error: 30:3 llvm-unsupported
; error: 36:13 llvm-unsupported
