; Constructors are called by one function for each priority, those of sections too;
; destructors of one priority the other way round.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@step = global i64 0
@llvm.global_ctors = appending global [4 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @third, ptr null }, { i32, ptr, ptr } { i32 101, ptr @first, ptr @step }, { i32, ptr, ptr } { i32 101, ptr @second, ptr null }, { i32, ptr, ptr } { i32 65535, ptr null, ptr null }]
@llvm.global_dtors = appending global [3 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 2, ptr @second, ptr null }, { i32, ptr, ptr } { i32 1, ptr @third, ptr null }, { i32, ptr, ptr } { i32 2, ptr @first, ptr null }]
@of_section = internal constant ptr @second, section ".init_array.200"

; run: @__constructors.101() == ()
; run: @__constructors.200() traps unreachable
; run: @__constructors.65535() traps unreachable
; run: @__destructors.2() == ()
; run: @__destructors.1() traps unreachable
; run: @third() traps unreachable

define internal void @first() {
  call void @step_to(i64 1)
  ret void
}

define internal void @second() {
  call void @step_to(i64 2)
  ret void
}

define void @third() {
  call void @step_to(i64 3)
  ret void
}

define internal void @step_to(i64 %next) {
  %step = load i64, ptr @step
  %expected = add i64 %step, 1
  %right = icmp eq i64 %next, %expected
  br i1 %right, label %go, label %never
go:
  store i64 %next, ptr @step
  ret void
never:
  unreachable
}

; One that takes what `main` does.
@with_arguments = internal constant ptr @fourth, section ".init_array.00099"
define internal void @fourth(i32 %count, ptr %words, ptr %environment) {
  %null = icmp eq ptr %words, null
  br i1 %null, label %well, label %not
well:
  store i64 7, ptr @step
  ret void
not:
  unreachable
}
; run: @__constructors.99(1, null, null) == ()
