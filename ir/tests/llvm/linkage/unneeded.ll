; What nothing needs, nobody has to define.
target triple = "x86_64-pc-linux-gnu"

@nobody = external global [4 x i8]
declare void @has_this()
declare i32 @__gxx_personality_v0(...)

define i32 @lonely() personality ptr @__gxx_personality_v0 {
  ret i32 4
}
; run: @lonely() == 4
