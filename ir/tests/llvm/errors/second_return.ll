; What returns twice is called by its name alone.
declare i32 @_setjmp(ptr) returns_twice

@address = global ptr @_setjmp
; error: 4:23 llvm-unsupported

define i32 @by_address(ptr %f, ptr %buffer) {
  %code = call i32 %f(ptr %buffer) returns_twice
  ret i32 %code
}
; error: 8:3 llvm-unsupported

define ptr @taken() {
  ret ptr @_setjmp
}
; error: 14:3 llvm-unsupported

define i32 @another_type(i32 %x) {
  %code = call i32 @_setjmp(i32 %x)
  ret i32 %code
}
; error: 19:3 llvm-unsupported
