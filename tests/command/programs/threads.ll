; Two threads add to a variable of all and to one of each. With an argument one of them
; divides by zero.
target triple = "x86_64-unknown-linux-gnu"

@all = internal global i64 0
@each = internal thread_local global i64 5
@format = private constant [14 x i8] c"%ld %ld %ld%c\00"

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @printf(ptr, ...)

define internal ptr @work(ptr %n) {
  %number = ptrtoint ptr %n to i64
  %q = sdiv i64 60, %number
  %was = atomicrmw add ptr @all, i64 %q seq_cst
  %own = load i64, ptr @each
  %sum = add i64 %own, %number
  store i64 %sum, ptr @each
  %again = load i64, ptr @each
  %result = inttoptr i64 %again to ptr
  ret ptr %result
}

define i32 @main(i32 %count, ptr %words) {
  %first = alloca i64
  %second = alloca i64
  %a = alloca i64
  %b = alloca i64
  %c = call i32 @pthread_create(ptr %first, ptr null, ptr @work, ptr inttoptr (i64 3 to ptr))
  %less = sub i32 2, %count
  %wide = sext i32 %less to i64
  %number = inttoptr i64 %wide to ptr
  %d = call i32 @pthread_create(ptr %second, ptr null, ptr @work, ptr %number)
  %t = load i64, ptr %first
  %e = call i32 @pthread_join(i64 %t, ptr %a)
  %u = load i64, ptr %second
  %f = call i32 @pthread_join(i64 %u, ptr %b)
  %x = load i64, ptr @all
  %y = load i64, ptr %a
  %z = load i64, ptr %b
  %r = call i32 (ptr, ...) @printf(ptr @format, i64 %x, i64 %y, i64 %z, i32 10)
  %own = load i64, ptr @each
  %code = trunc i64 %own to i32
  ret i32 %code
}
