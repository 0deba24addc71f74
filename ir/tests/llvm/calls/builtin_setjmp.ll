; `__builtin_setjmp` keeps its place in five words of the program's.
target triple = "x86_64-pc-linux-gnu"

@words = internal global [5 x ptr] zeroinitializer, align 16

declare ptr @llvm.frameaddress.p0(i32)
declare ptr @llvm.stacksave.p0()
declare i32 @llvm.eh.sjlj.setjmp(ptr)
declare void @llvm.eh.sjlj.longjmp(ptr)

define internal void @back() {
  call void @llvm.eh.sjlj.longjmp(ptr @words)
  unreachable
}

define i32 @there_and_back(i32 %x) {
  %place = alloca i32
  store i32 %x, ptr %place
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  store ptr %frame, ptr @words
  %stack = call ptr @llvm.stacksave.p0()
  store ptr %stack, ptr getelementptr (i8, ptr @words, i64 16)
  %code = call i32 @llvm.eh.sjlj.setjmp(ptr @words)
  %first = icmp eq i32 %code, 0
  br i1 %first, label %go, label %done
go:
  store i32 40, ptr %place
  call void @back()
  unreachable
done:
  %now = load i32, ptr %place
  %all = add i32 %now, %code
  ret i32 %all
}
; run: @there_and_back(2) == 41
