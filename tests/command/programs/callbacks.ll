; C calls functions of the program: a comparison, one of a variable number of arguments, a
; handler of a signal; and the program comes back to a place by `longjmp`.
target triple = "x86_64-unknown-linux-gnu"

%va_list = type { i32, i32, ptr, ptr }

@numbers = internal global [5 x i32] [i32 5, i32 3, i32 9, i32 1, i32 7]
@format = private constant [12 x i8] c"%d%d%d%d%d\0A\00"
@mixed = private constant [10 x i8] c"%s %.1f%c\00"
@word = private constant [5 x i8] c"word\00"
@signalled = private constant [11 x i8] c"signal %d\0A\00"
@back = private constant [10 x i8] c"back %d%c\00"
@place = internal global [25 x i64] zeroinitializer, align 16
@each = internal thread_local global i32 41

declare i32 @printf(ptr, ...)
declare i32 @vprintf(ptr, ptr)
declare void @qsort(ptr, i64, i64, ptr)
declare ptr @signal(i32, ptr)
declare i32 @raise(i32)
declare i32 @_setjmp(ptr) #0
declare void @longjmp(ptr, i32) #1
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)

define internal i32 @compare(ptr %a, ptr %b) {
  %x = load i32, ptr %a
  %y = load i32, ptr %b
  %r = sub i32 %x, %y
  ret i32 %r
}

define internal i32 @print(ptr %format, ...) {
  %list = alloca %va_list, align 16
  call void @llvm.va_start.p0(ptr %list)
  %r = call i32 @vprintf(ptr %format, ptr %list)
  call void @llvm.va_end.p0(ptr %list)
  ret i32 %r
}

define internal void @handle(i32 %number) {
  %r = call i32 (ptr, ...) @printf(ptr @signalled, i32 %number)
  ret void
}

define internal void @leave(i32 %value) {
  call void @longjmp(ptr @place, i32 %value)
  unreachable
}

define i32 @main() {
entry:
  call void @qsort(ptr @numbers, i64 5, i64 4, ptr @compare)
  %n0 = load i32, ptr @numbers
  %p1 = getelementptr i32, ptr @numbers, i64 1
  %n1 = load i32, ptr %p1
  %p2 = getelementptr i32, ptr @numbers, i64 2
  %n2 = load i32, ptr %p2
  %p3 = getelementptr i32, ptr @numbers, i64 3
  %n3 = load i32, ptr %p3
  %p4 = getelementptr i32, ptr @numbers, i64 4
  %n4 = load i32, ptr %p4
  %a = call i32 (ptr, ...) @print(ptr @format, i32 %n0, i32 %n1, i32 %n2, i32 %n3, i32 %n4)
  %b = call i32 (ptr, ...) @print(ptr @mixed, ptr @word, double 2.5, i32 10)
  %old = call ptr @signal(i32 10, ptr @handle)
  %c = call i32 @raise(i32 10)
  %r = call i32 @_setjmp(ptr @place) #0
  %first = icmp eq i32 %r, 0
  br i1 %first, label %jump, label %done
jump:
  call void @leave(i32 3)
  br label %done
done:
  %d = call i32 (ptr, ...) @printf(ptr @back, i32 %r, i32 10)
  %was = load i32, ptr @each
  %is = add i32 %was, 1
  store i32 %is, ptr @each
  ret i32 %is
}

attributes #0 = { returns_twice }
attributes #1 = { noreturn }
