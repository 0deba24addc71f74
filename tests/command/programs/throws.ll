; Throws its number of arguments, as C++ does, where its caller would catch it.
target triple = "x86_64-unknown-linux-gnu"

@int = private constant i8 0
@said = private constant [7 x i8] c"before\00"

declare i32 @puts(ptr)
declare ptr @malloc(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
declare i32 @__gxx_personality_v0(...)

define internal void @fail(i32 %code) {
  %e = call ptr @malloc(i64 4)
  store i32 %code, ptr %e
  call void @__cxa_throw(ptr %e, ptr @int, ptr null)
  unreachable
}

define i32 @main(i32 %count, ptr %words) personality ptr @__gxx_personality_v0 {
  %s = call i32 @puts(ptr @said)
  invoke void @fail(i32 %count)
          to label %done unwind label %caught
done:
  ret i32 0
caught:
  %e = landingpad { ptr, i32 } catch ptr @int
  ret i32 1
}
