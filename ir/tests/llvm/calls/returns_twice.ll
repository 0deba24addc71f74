; A call that returns again, when `longjmp` is called below it.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.__jmp_buf_tag = type { [8 x i64], i32, %struct.__sigset_t }
%struct.__sigset_t = type { [16 x i64] }

@env = internal global [1 x %struct.__jmp_buf_tag] zeroinitializer, align 16

declare i32 @_setjmp(ptr noundef) #0
declare i32 @__sigsetjmp(ptr noundef, i32 noundef) #0
declare void @longjmp(ptr noundef, i32 noundef) #1
declare void @siglongjmp(ptr noundef, i32 noundef) #1

define internal void @below(i32 %depth) {
  %last = icmp eq i32 %depth, 0
  br i1 %last, label %jump, label %deeper
deeper:
  %next = add i32 %depth, -1
  call void @below(i32 %next)
  ret void
jump:
  call void @longjmp(ptr @env, i32 7) #1
  unreachable
}

; A value from before the call is as it was, and so is memory as it was at the jump.
define i32 @again(i32 %x) {
  %count = alloca i32
  store i32 0, ptr %count
  %before = mul i32 %x, 100
  %code = call i32 @_setjmp(ptr noundef @env) #2
  %n = load i32, ptr %count
  %more = add i32 %n, 1
  store i32 %more, ptr %count
  %first = icmp eq i32 %code, 0
  br i1 %first, label %go, label %done
go:
  call void @below(i32 5)
  unreachable
done:
  %a = add i32 %before, %code
  %times = mul i32 %more, 10
  %b = add i32 %a, %times
  ret i32 %b
}
; run: @again(3) == 327

; A loop goes round by jumps alone.
define i32 @round(i32 %limit) {
entry:
  %count = alloca i32
  store volatile i32 0, ptr %count
  %code = call i32 @__sigsetjmp(ptr @env, i32 0) #2
  %n = load volatile i32, ptr %count
  %more = add i32 %n, 1
  store volatile i32 %more, ptr %count
  %go = icmp slt i32 %more, %limit
  br i1 %go, label %jump, label %done
jump:
  call void @siglongjmp(ptr @env, i32 %more)
  unreachable
done:
  %sum = mul i32 %code, 1000
  %all = add i32 %sum, %more
  ret i32 %all
}
; run: @round(1) == 1
; run: @round(9) == 8009

; That a call says it alone is as good.
declare i32 @setjmp(ptr)
define i32 @said_by_the_call() {
  %code = call i32 @setjmp(ptr @env) #2
  %first = icmp eq i32 %code, 0
  br i1 %first, label %jump, label %done
jump:
  call void @longjmp(ptr @env, i32 0)
  unreachable
done:
  ret i32 %code
}
; run: @said_by_the_call() == 1

attributes #0 = { nounwind returns_twice }
attributes #1 = { noreturn nounwind }
attributes #2 = { nounwind returns_twice }
