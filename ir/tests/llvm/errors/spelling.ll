; What only newer LLVM or other machines know has no meaning here and is named.
; error: 8:13 llvm-unsupported
; error: 13:3 llvm-unsupported
declare void @later()
declare i32 @given()

define void @signed() {
  call void ptrauth (ptr @later, i32 0)() [ "ptrauth"(i32 2, i64 3) ]
  ret void
}

define void @jumping() {
  callbr void asm "", "!i"() to label %a [label %b]
a:
  ret void
b:
  ret void
}
