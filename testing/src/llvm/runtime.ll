; What stands around the text of a module that is tested: the functions that
; every such text may call, and a loop over the calls from outside.
;
; Each call leaves a record in the output: code, side exit, number of bytes,
; bytes. Behind the last one stand the data objects that are compared.

@output = internal global ptr null
@jump = internal global [64 x i64] zeroinitializer, align 16
@index = internal global i64 0
@saved = internal global [4096 x ptr] zeroinitializer
@current = internal thread_local global ptr addrspace(10) null
@exception = internal global [8 x i64] zeroinitializer, align 16
@mode = private constant [3 x i8] c"wb\00"

declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
declare ptr @fopen(ptr, ptr)
declare i64 @fwrite(ptr, i64, i64, ptr)
declare i32 @fclose(ptr)
declare ptr @malloc(i64)
declare i32 @_Unwind_RaiseException(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal void @write(ptr %bytes, i64 %size) {
  %file = load ptr, ptr @output
  %written = call i64 @fwrite(ptr %bytes, i64 1, i64 %size, ptr %file)
  ret void
}

define void @brolga.exit(i32 %code, i32 %side, ptr %values, i64 %size) {
  %head = alloca { i32, i32, i64 }
  %side.place = getelementptr i8, ptr %head, i64 4
  %size.place = getelementptr i8, ptr %head, i64 8
  store i32 %code, ptr %head
  store i32 %side, ptr %side.place
  store i64 %size, ptr %size.place
  call void @write(ptr %head, i64 16)
  call void @write(ptr %values, i64 %size)
  call void @longjmp(ptr @jump, i32 1)
  unreachable
}

define void @brolga.trap(i32 %code) {
  call void @brolga.exit(i32 %code, i32 0, ptr null, i64 0)
  unreachable
}

define void @brolga.throw(ptr addrspace(10) %reference) {
  store ptr addrspace(10) %reference, ptr @current
  call void @llvm.memset.p0.i64(ptr @exception, i8 0, i64 64, i1 false)
  ; It comes back where nothing catches.
  %end = call i32 @_Unwind_RaiseException(ptr @exception)
  call void @brolga.exit(i32 15, i32 0, ptr @current, i64 8)
  unreachable
}

define ptr addrspace(10) @brolga.current_exception() {
  %reference = load ptr addrspace(10), ptr @current
  ret ptr addrspace(10) %reference
}

; Objects are visited with 1 for those that may change, 2 for those that are compared.

define internal void @save(ptr %object, i64 %size, i32 %kind) {
  %copy = call ptr @malloc(i64 %size)
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %object, i64 %size, i1 false)
  %index = load i64, ptr @index
  %place = getelementptr ptr, ptr @saved, i64 %index
  store ptr %copy, ptr %place
  %next = add i64 %index, 1
  store i64 %next, ptr @index
  ret void
}

define internal void @restore(ptr %object, i64 %size, i32 %kind) {
  %index = load i64, ptr @index
  %next = add i64 %index, 1
  store i64 %next, ptr @index
  %mutable = trunc i32 %kind to i1
  br i1 %mutable, label %change, label %keep
change:
  %place = getelementptr ptr, ptr @saved, i64 %index
  %copy = load ptr, ptr %place
  call void @llvm.memcpy.p0.p0.i64(ptr %object, ptr %copy, i64 %size, i1 false)
  ret void
keep:
  ret void
}

define internal void @dump(ptr %object, i64 %size, i32 %kind) {
  %compared = icmp uge i32 %kind, 2
  br i1 %compared, label %print, label %pass
print:
  %place = alloca i64
  store i64 %size, ptr %place
  call void @write(ptr %place, i64 8)
  call void @write(ptr %object, i64 %size)
  ret void
pass:
  ret void
}

define i32 @brolga.test.run(ptr %path, ptr %calls, i64 %count, ptr %objects, i1 %reset) {
start:
  %number = alloca i64
  store volatile i64 0, ptr %number
  %file = call ptr @fopen(ptr %path, ptr @mode)
  store ptr %file, ptr @output
  br i1 %reset, label %keep, label %head
keep:
  call void %objects(ptr @save)
  br label %head
head:
  %i = load volatile i64, ptr %number
  %more = icmp ult i64 %i, %count
  br i1 %more, label %prepare, label %end
prepare:
  %j = add i64 %i, 1
  store volatile i64 %j, ptr %number
  br i1 %reset, label %renew, label %try
renew:
  store i64 0, ptr @index
  call void %objects(ptr @restore)
  br label %try
try:
  %again = call i32 @_setjmp(ptr @jump) returns_twice
  %first = icmp eq i32 %again, 0
  br i1 %first, label %call, label %head
call:
  %place = getelementptr ptr, ptr %calls, i64 %i
  %function = load ptr, ptr %place
  call void %function()
  br label %head
end:
  call void %objects(ptr @dump)
  %closed = call i32 @fclose(ptr %file)
  ret i32 0
}
