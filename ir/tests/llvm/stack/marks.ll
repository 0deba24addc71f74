; Room of a size that only the run knows is given back wherever a function ends: at a
; return, at a call in its place, at a jump out of it. Each takes more rounds than the
; stack would hold.
target triple = "x86_64-pc-linux-gnu"

@buffer = internal global [32 x i64] zeroinitializer, align 16
declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn

define internal i64 @returns(i64 %n, i1 %early) {
  %room = alloca i8, i64 %n, align 32
  store i8 1, ptr %room
  br i1 %early, label %now, label %later
now:
  %x = load i8, ptr %room
  %y = zext i8 %x to i64
  ret i64 %y
later:
  %more = alloca i64, i64 %n
  store i64 1, ptr %more
  %z = load i64, ptr %more
  ret i64 %z
}
define i64 @returned(i64 %times) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %s, %loop ]
  %early = trunc i64 %i to i1
  %r = call i64 @returns(i64 100000, i1 %early)
  %s = add i64 %sum, %r
  %j = add i64 %i, 1
  %done = icmp eq i64 %j, %times
  br i1 %done, label %end, label %loop
end:
  ret i64 %s
}
; run: @returned(2000) == 2000

define i64 @handed_on(i64 %times, i64 %sum) {
  %done = icmp eq i64 %times, 0
  br i1 %done, label %end, label %on
on:
  %size = add i64 %times, 60000
  %room = alloca i8, i64 %size
  store i8 1, ptr %room
  %x = load i8, ptr %room
  %y = zext i8 %x to i64
  %s = add i64 %sum, %y
  %less = sub i64 %times, 1
  %r = musttail call i64 @handed_on(i64 %less, i64 %s)
  ret i64 %r
end:
  ret i64 %sum
}
; run: @handed_on(3000, 0) == 3000

define internal void @leaves(i64 %n, i64 %depth) {
  %room = alloca i8, i64 %n
  store i8 1, ptr %room
  %last = icmp eq i64 %depth, 0
  br i1 %last, label %jump, label %on
on:
  %less = sub i64 %depth, 1
  call void @leaves(i64 %n, i64 %less)
  ret void
jump:
  call void @longjmp(ptr @buffer, i32 1)
  unreachable
}
define i32 @jumped_out_of(i32 %times) {
entry:
  %count = alloca i32
  store volatile i32 0, ptr %count
  %own = alloca i32, i32 %times
  store i32 %times, ptr %own
  %code = call i32 @_setjmp(ptr @buffer) returns_twice
  %n = load volatile i32, ptr %count
  %m = add i32 %n, 1
  store volatile i32 %m, ptr %count
  %more = icmp slt i32 %m, %times
  br i1 %more, label %jump, label %done
jump:
  call void @leaves(i64 50000, i64 4)
  unreachable
done:
  %kept = load i32, ptr %own
  %r = add i32 %kept, %m
  ret i32 %r
}
; run: @jumped_out_of(2000) == 4000
