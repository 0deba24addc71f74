; Traps that a program asks for.
declare void @llvm.trap()
declare void @llvm.debugtrap()
declare void @llvm.ubsantrap(i8)

define void @trapped() {
  call void @llvm.trap()
  unreachable
}
; run: @trapped() traps user(0)

define i32 @debugged(i1 %stop) {
  br i1 %stop, label %trap, label %on
trap:
  call void @llvm.debugtrap()
  br label %on
on:
  ret i32 5
}
; run: @debugged(0) == 5
; run: @debugged(1) traps user(0)

define void @checked() {
  call void @llvm.ubsantrap(i8 7)
  unreachable
}
; run: @checked() traps user(7)
