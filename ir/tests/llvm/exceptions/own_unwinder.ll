; Who defines a function of the unwinder means that one.
define i32 @_Unwind_RaiseException(ptr %e) {
  %x = load i32, ptr %e
  ret i32 %x
}

define i32 @raised() {
  %e = alloca i32
  store i32 5, ptr %e
  %r = call i32 @_Unwind_RaiseException(ptr %e)
  ret i32 %r
}
; run: @raised() == 5
