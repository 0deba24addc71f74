; Handlers of Windows are not read.
declare i32 @__CxxFrameHandler3(...)
declare void @may_throw()

define void @scoped() personality ptr @__CxxFrameHandler3 {
  invoke void @may_throw() to label %on unwind label %off
on:
  ret void
off:
  %switch = catchswitch within none [label %handler] unwind to caller
handler:
  %pad = catchpad within %switch [ptr null, i32 64, ptr null]
  catchret from %pad to label %on
}
define void @cleaned() personality ptr @__CxxFrameHandler3 {
  invoke void @may_throw() to label %on unwind label %off
on:
  ret void
off:
  %pad = cleanuppad within none []
  cleanupret from %pad unwind to caller
}
; error: 10:13 llvm-unsupported
; error: 20:10 llvm-unsupported
