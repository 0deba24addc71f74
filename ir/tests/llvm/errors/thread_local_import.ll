; What the process has for each thread is reached by its functions.
; error: 5:1 llvm-unsupported
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@errno = external thread_local global i32

declare ptr @llvm.threadlocal.address.p0(ptr)

define i32 @read() {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @errno)
  %x = load i32, ptr %p
  ret i32 %x
}
