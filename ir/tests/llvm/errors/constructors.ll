; What has the name of a constructor and is listed nowhere would run.
; error: 4:13 llvm-unsupported
; error: 8:1 llvm-unsupported
define void @__constructors.100() {
  ret void
}

@__destructors.7.last = alias void (), ptr @inner
define internal void @inner() {
  ret void
}
