; A constructor that has been made of a list before is the same again; others of such a
; name are only functions.
@step = internal global i32 0
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 7, ptr @__constructors.7, ptr null }, { i32, ptr, ptr } { i32 70000, ptr @__constructors.8, ptr null }]

define internal void @__constructors.7() {
  store i32 7, ptr @step
  ret void
}

define internal void @__constructors.8() {
  store i32 8, ptr @step
  ret void
}

define internal void @__constructors.65535() {
  store i32 9, ptr @step
  ret void
}

define i32 @last() {
  call void @__constructors.65535()
  %x = load i32, ptr @step
  ret i32 %x
}

; run: @__constructors.7() == ()
; run: @__constructors.65535.of() == ()
; run: @last() == 9
