; What stands around a kernel that `lli` runs: a main function that calls it with the
; number on the command line and prints what it gives, and what our writer's texts call
; when they stop.

@format = private constant [5 x i8] c"%ld\0A\00"

declare i64 @kernel(i64)
declare i64 @atol(ptr)
declare i32 @printf(ptr, ...)
declare void @abort() noreturn

define i32 @brolga.kernel.main(i32 %count, ptr %words) {
  %place = getelementptr ptr, ptr %words, i64 1
  %word = load ptr, ptr %place
  %n = call i64 @atol(ptr %word)
  %result = call i64 @kernel(i64 %n)
  %size = call i32 (ptr, ...) @printf(ptr @format, i64 %result)
  ret i32 0
}

define void @brolga.trap(i32 %code) {
  call void @abort()
  unreachable
}

define void @brolga.exit(i32 %code, i32 %side, ptr %values, i64 %size) {
  call void @abort()
  unreachable
}
