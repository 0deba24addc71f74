; `inrange` before LLVM 19.
@table = constant { [2 x ptr], [2 x ptr] } { [2 x ptr] [ptr @one, ptr @two], [2 x ptr] zeroinitializer }
@old = constant ptr getelementptr inbounds ({ [2 x ptr], [2 x ptr] }, ptr @table, i32 0, inrange i32 0, i32 1)

define i32 @one() {
  ret i32 1
}

define i32 @two() {
  ret i32 2
}

define i32 @through() {
  %where = load ptr, ptr @old
  %function = load ptr, ptr %where
  %r = call i32 %function()
  ret i32 %r
}
; run: @through() == 2
