; What Julia's front end says of what its collector manages.
; skip: native managed ops are not lowered yet
; skip: native-generic managed ops are not lowered yet
; skip: lowered managed ops are not lowered yet
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128-ni:10:11:12:13"
target triple = "x86_64-linux-gnu"

declare noalias nonnull ptr addrspace(10) @julia.gc_alloc_obj(ptr, i64, ptr addrspace(10))
declare ptr @julia.pointer_from_objref(ptr addrspace(11))
declare token @llvm.julia.gc_preserve_begin(...)
declare void @llvm.julia.gc_preserve_end(token)
declare ptr addrspace(10) @julia.typeof(ptr addrspace(10))
declare void @julia.write_barrier(ptr addrspace(10), ...)
declare void @julia.safepoint(ptr)
declare noundef nonnull ptr addrspace(13) @julia.gc_loaded(ptr addrspace(10), ptr)

; An object holds what is stored in it; a derived address leads to its fields.
define i64 @fields(i64 %x) {
  %object = call ptr addrspace(10) @julia.gc_alloc_obj(ptr null, i64 16, ptr addrspace(10) null)
  %derived = addrspacecast ptr addrspace(10) %object to ptr addrspace(11)
  store i64 %x, ptr addrspace(11) %derived, align 8
  %second = getelementptr inbounds i8, ptr addrspace(11) %derived, i64 8
  store i64 5, ptr addrspace(11) %second, align 8
  %a = load i64, ptr addrspace(11) %derived, align 8
  %b = load i64, ptr addrspace(11) %second, align 8
  %c = add i64 %a, %b
  ret i64 %c
}
; run: @fields(37) == 42

; Objects refer to each other.
define i1 @reference() {
  %parent = call ptr addrspace(10) @julia.gc_alloc_obj(ptr null, i64 8, ptr addrspace(10) null)
  %child = call ptr addrspace(10) @julia.gc_alloc_obj(ptr null, i64 8, ptr addrspace(10) null)
  %place = addrspacecast ptr addrspace(10) %parent to ptr addrspace(11)
  store atomic ptr addrspace(10) %child, ptr addrspace(11) %place release, align 8
  call void (ptr addrspace(10), ...) @julia.write_barrier(ptr addrspace(10) %parent, ptr addrspace(10) %child)
  call void @julia.safepoint(ptr null)
  %again = load atomic ptr addrspace(10), ptr addrspace(11) %place unordered, align 8
  %same = icmp eq ptr addrspace(10) %again, %child
  %other = icmp ne ptr addrspace(10) %again, %parent
  %both = and i1 %same, %other
  ret i1 %both
}
; run: @reference() == 1

; The type that an object was made with.
define i1 @type() {
  %type = call ptr addrspace(10) @julia.gc_alloc_obj(ptr null, i64 8, ptr addrspace(10) null)
  %object = call ptr addrspace(10) @julia.gc_alloc_obj(ptr null, i64 8, ptr addrspace(10) %type)
  %found = call ptr addrspace(10) @julia.typeof(ptr addrspace(10) %object)
  %same = icmp eq ptr addrspace(10) %found, %type
  ret i1 %same
}
; run: @type() == 1

; A plain address is good while the object is kept alive.
define i64 @plain(i64 %x) {
  %object = call ptr addrspace(10) @julia.gc_alloc_obj(ptr null, i64 8, ptr addrspace(10) null)
  %token = call token (...) @llvm.julia.gc_preserve_begin(ptr addrspace(10) %object)
  %derived = addrspacecast ptr addrspace(10) %object to ptr addrspace(11)
  %address = call ptr @julia.pointer_from_objref(ptr addrspace(11) %derived)
  store i64 %x, ptr %address
  %y = load i64, ptr %address
  call void @llvm.julia.gc_preserve_end(token %token)
  ret i64 %y
}
; run: @plain(-9) == -9

; What was loaded out of an object keeps that alive.
define i64 @loaded() {
  %memory = call ptr addrspace(10) @julia.gc_alloc_obj(ptr null, i64 8, ptr addrspace(10) null)
  %derived = addrspacecast ptr addrspace(10) %memory to ptr addrspace(11)
  store i64 11, ptr addrspace(11) %derived
  %address = call ptr @julia.pointer_from_objref(ptr addrspace(11) %derived)
  %data = call ptr addrspace(13) @julia.gc_loaded(ptr addrspace(10) %memory, ptr %address)
  %x = load i64, ptr addrspace(13) %data
  ret i64 %x
}
; run: @loaded() == 11

; References are parameters, results and phis, and a callee can keep one alive.
define ptr addrspace(10) @chosen(i1 %c, ptr addrspace(10) %a, ptr addrspace(10) %b) {
  br i1 %c, label %yes, label %join
yes:
  br label %join
join:
  %r = phi ptr addrspace(10) [ %b, %0 ], [ %a, %yes ]
  ret ptr addrspace(10) %r
}
define i64 @rooted(ptr addrspace(12) %callee_rooted) {
  ret i64 6
}
define i64 @passed() {
  %object = call ptr addrspace(10) @julia.gc_alloc_obj(ptr null, i64 8, ptr addrspace(10) null)
  %derived = addrspacecast ptr addrspace(10) %object to ptr addrspace(11)
  store i64 6, ptr addrspace(11) %derived
  %chosen = call ptr addrspace(10) @chosen(i1 true, ptr addrspace(10) %object, ptr addrspace(10) null)
  %rooted = addrspacecast ptr addrspace(10) %chosen to ptr addrspace(12)
  %x = call i64 @rooted(ptr addrspace(12) %rooted)
  ret i64 %x
}
; run: @passed() == 6

; A call of whatever object can be called: nothing can without a runtime.
declare ptr addrspace(10) @julia.call(ptr, ptr addrspace(10), ...)
declare ptr addrspace(10) @ijl_apply_generic(ptr addrspace(10), ptr, i32)
define ptr addrspace(10) @called() {
  %r = call ptr addrspace(10) (ptr, ptr addrspace(10), ...) @julia.call(ptr nonnull @ijl_apply_generic, ptr addrspace(10) null, ptr addrspace(10) null)
  ret ptr addrspace(10) %r
}
; run: @called() traps null_reference

; Where the task keeps its roots is asked of the runtime, which is not there.
declare ptr @julia.get_pgcstack()
define ptr @task() {
  %r = call ptr @julia.get_pgcstack()
  ret ptr %r
}
; run: @task() traps missing_function
