; What throws is a call as any other where the text is wrong.
declare void @__cxa_throw(ptr, ptr, ptr)

define void @nowhere_defined(i1 %c) {
entry:
  br i1 %c, label %yes, label %no
yes:
  %e = alloca i32
  br label %no
no:
  call void @__cxa_throw(ptr %e, ptr null, ptr null)
  unreachable
}
define void @bundled() {
  call void @__cxa_throw(ptr null, ptr null, ptr null) [ "deopt"() ]
  unreachable
}
; error: 11:3 llvm-invalid
; error: 15:3 llvm-unsupported
