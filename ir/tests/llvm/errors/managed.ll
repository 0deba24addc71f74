; What a collector manages is reached by addresses of the kinds that Julia has for it, and
; by those of Julia's intrinsics that ops stand for.
define i64 @kept(ptr addrspace(12) %p) {
  %x = load i64, ptr addrspace(12) %p
  ret i64 %x
}
define ptr addrspace(10) @moved(ptr addrspace(10) %p) {
  %q = getelementptr i8, ptr addrspace(10) %p, i64 8
  ret ptr addrspace(10) %q
}
define ptr addrspace(3) @shared() {
  ret ptr addrspace(3) null
}
define void @unknown() {
  call void @julia.no_such_thing()
  ret void
}
declare void @julia.no_such_thing()
declare ptr addrspace(10) @julia.call(ptr, ptr addrspace(10), ...)
declare ptr addrspace(10) @jl_f_tuple(ptr addrspace(10), ptr, i32)
define ptr addrspace(10) @tuple(ptr addrspace(10) %p) {
  %r = call ptr addrspace(10) (ptr, ptr addrspace(10), ...) @julia.call(ptr nonnull @jl_f_tuple, ptr addrspace(10) null, ptr addrspace(10) %p)
  ret ptr addrspace(10) %r
}
define void @handler() {
  %x = call i32 @julia.except_enter() returns_twice
  ret void
}
declare i32 @julia.except_enter()
define i1 @label_inside() {
  br label %here
here:
  %r = icmp ne ptr addrspace(11) blockaddress(@label_inside, %here), null
  ret i1 %r
}
; error: 4:3 llvm-unsupported
; error: 8:3 llvm-unsupported
; error: 11:25 llvm-unsupported
; error: 15:3 llvm-unsupported
; error: 22:3 llvm-unsupported
; error: 26:3 llvm-unsupported
; error: 33:3 llvm-invalid
