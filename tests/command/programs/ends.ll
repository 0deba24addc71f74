; Ends as its first argument says: "a" by abort, "f" by an assertion that fails, "t" by a trap
; in a function that C calls, "e" and "x" by a trap in one that C calls at the end, of main and
; of exit.
target triple = "x86_64-unknown-linux-gnu"

@numbers = internal global [2 x i32] [i32 2, i32 1]
@condition = private constant [5 x i8] c"1==2\00"
@place = private constant [2 x i8] c"p\00"
@said = private constant [7 x i8] c"before\00"

declare i32 @puts(ptr)
declare void @abort()
declare void @__assert_fail(ptr, ptr, i32, ptr)
declare i32 @atexit(ptr)
declare void @exit(i32)
declare void @qsort(ptr, i64, i64, ptr)

define internal i32 @compare(ptr %a, ptr %b) {
  call void @fail()
  ret i32 0
}

define internal void @fail() {
  %zero = load volatile i32, ptr @nothing
  %q = sdiv i32 1, %zero
  store volatile i32 %q, ptr @nothing
  ret void
}

@nothing = internal global i32 0

define i32 @main(i32 %count, ptr %words) {
entry:
  %s = call i32 @puts(ptr @said)
  %slot = getelementptr ptr, ptr %words, i64 1
  %word = load ptr, ptr %slot
  %how = load i8, ptr %word
  switch i8 %how, label %out [
    i8 97, label %abort
    i8 102, label %fail
    i8 116, label %trap
    i8 101, label %end
    i8 120, label %exit
  ]
abort:
  call void @abort()
  unreachable
fail:
  call void @__assert_fail(ptr @condition, ptr @place, i32 7, ptr @place)
  unreachable
trap:
  call void @qsort(ptr @numbers, i64 2, i64 4, ptr @compare)
  br label %out
end:
  %r = call i32 @atexit(ptr @fail)
  br label %out
exit:
  %x = call i32 @atexit(ptr @fail)
  call void @exit(i32 0)
  unreachable
out:
  ret i32 0
}
