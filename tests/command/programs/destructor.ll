; What C++ makes of a global object with a destructor.
target triple = "x86_64-unknown-linux-gnu"

@object = internal global i32 0
@__dso_handle = external hidden global i8
@gone = private constant [5 x i8] c"gone\00"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @construct, ptr null }]

declare i32 @puts(ptr)
declare i32 @__cxa_atexit(ptr, ptr, ptr)

define internal void @destroy(ptr %object) {
  %n = load i32, ptr %object
  %is = icmp eq i32 %n, 7
  br i1 %is, label %say, label %done
say:
  %s = call i32 @puts(ptr @gone)
  br label %done
done:
  ret void
}

define internal void @construct() {
  store i32 7, ptr @object
  %r = call i32 @__cxa_atexit(ptr @destroy, ptr @object, ptr @__dso_handle)
  ret void
}

define i32 @main() {
  %n = load i32, ptr @object
  ret i32 %n
}
