; Named types may be named before they are defined.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%later = type { i1, %list }
%list = type { i32, ptr }
%opaque = type opaque

define i64 @size() {
  %p = getelementptr %list, ptr null, i64 1
  %q = getelementptr %later, ptr %p, i64 1
  %r = ptrtoint ptr %q to i64
  ret i64 %r
}
; run: @size() == 40
