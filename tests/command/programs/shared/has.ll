; What uses.ll uses.
target triple = "x86_64-unknown-linux-gnu"

%list = type { i32, i32, ptr, ptr }

@each = thread_local global i32 5
@hidden = hidden global i32 7
@numbers = internal global [2 x i32] [i32 0, i32 11]
@second = alias i32, getelementptr (i32, ptr @numbers, i64 1)
@other.name = alias i32 (i32), ptr @own.name

declare void @llvm.va_start.p0(ptr)

define internal i32 @own.name(i32 %x) {
  %r = add i32 %x, 8
  ret i32 %r
}

define { i64, double } @pair({ i64, double } %s) {
  %a = extractvalue { i64, double } %s, 0
  %b = mul i64 %a, 10
  %r = insertvalue { i64, double } %s, i64 %b, 0
  ret { i64, double } %r
}

define i32 @sum(i32 %n, ...) {
  %list = alloca %list, align 16
  call void @llvm.va_start.p0(ptr %list)
  %x = va_arg ptr %list, i32
  %y = va_arg ptr %list, i32
  %r = add i32 %x, %y
  ret i32 %r
}
