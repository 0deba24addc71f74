; Prints when each part of it runs: constructors, main, what it gives to atexit, destructors.
target triple = "x86_64-unknown-linux-gnu"

@early = private constant [6 x i8] c"early\00"
@late = private constant [5 x i8] c"late\00"
@in_main = private constant [5 x i8] c"main\00"
@at_exit = private constant [8 x i8] c"at exit\00"
@fini = private constant [5 x i8] c"fini\00"
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @construct_late, ptr null }, { i32, ptr, ptr } { i32 101, ptr @construct_early, ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @destroy, ptr null }]

declare i32 @puts(ptr)
declare i32 @atexit(ptr)
declare void @exit(i32)

define internal void @construct_early() {
  %r = call i32 @puts(ptr @early)
  ret void
}

define internal void @construct_late() {
  %r = call i32 @puts(ptr @late)
  ret void
}

define internal void @destroy() {
  %r = call i32 @puts(ptr @fini)
  ret void
}

define internal void @bye() {
  %r = call i32 @puts(ptr @at_exit)
  ret void
}

; Without arguments it returns 3, with one it calls exit with 4, with two it divides by zero.
define i32 @main(i32 %count, ptr %words) {
  %r = call i32 @atexit(ptr @bye)
  %s = call i32 @puts(ptr @in_main)
  switch i32 %count, label %divide [
    i32 1, label %return
    i32 2, label %exit
  ]
return:
  ret i32 3
exit:
  call void @exit(i32 4)
  unreachable
divide:
  %less = sub i32 %count, 3
  %q = sdiv i32 1, %less
  ret i32 %q
}
