; Nothing unwinds: what throws traps where it does, whoever would catch it.
declare void @__cxa_throw(ptr, ptr, ptr)
declare void @__cxa_rethrow()
declare i32 @_Unwind_RaiseException(ptr)
declare i32 @_Unwind_ForcedUnwind(ptr, ptr, ptr)
declare void @_Unwind_Resume(ptr)
declare i32 @_Unwind_Resume_or_Rethrow(ptr)
declare void @"\01_ZSt20__throw_length_errorPKc"(ptr)
declare i32 @__gxx_personality_v0(...)

; The process need not have what nobody looks at.
@_ZTIi = external constant ptr

define i32 @half(i32 %n) {
  %odd = and i32 %n, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %even, label %uneven
even:
  %r = sdiv i32 %n, 2
  ret i32 %r
uneven:
  %e = alloca i32
  store i32 %n, ptr %e
  call void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null)
  unreachable
}
; run: @half(8) == 4
; run: @half(7) traps uncaught_exception

define i32 @caught(i32 %n) personality ptr @__gxx_personality_v0 {
  %r = invoke i32 @half(i32 %n) to label %normal unwind label %handler
normal:
  ret i32 %r
handler:
  %e = landingpad { ptr, i32 } catch ptr null
  ret i32 -1
}
; run: @caught(6) == 3
; run: @caught(5) traps uncaught_exception

define i32 @at_once() personality ptr @__gxx_personality_v0 {
  %e = alloca i32
  invoke void @__cxa_throw(ptr %e, ptr @_ZTIi, ptr null) to label %never unwind label %handler
never:
  unreachable
handler:
  %p = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %p
}
; run: @at_once() traps uncaught_exception

define void @again() {
  call void @__cxa_rethrow()
  unreachable
}
; run: @again() traps uncaught_exception

; What it gives, where nobody catches, is never looked at.
define i32 @raised() {
  %r = call i32 @_Unwind_RaiseException(ptr null)
  %s = add i32 %r, 1
  ret i32 %s
}
; run: @raised() traps uncaught_exception

define i32 @left() {
  %r = call i32 @left_by(ptr null)
  ret i32 %r
}
define i32 @left_by(ptr %e) {
  %r = musttail call i32 @_Unwind_Resume_or_Rethrow(ptr %e)
  ret i32 %r
}
; run: @left() traps uncaught_exception

define i32 @forced() {
  %r = tail call i32 @_Unwind_ForcedUnwind(ptr null, ptr null, ptr null)
  ret i32 %r
}
; run: @forced() traps uncaught_exception

define void @goes_on() {
  call void @_Unwind_Resume(ptr null)
  unreachable
}
; run: @goes_on() traps uncaught_exception

; As old C declares nothing of what it calls: what matters is the name.
define i32 @otherwise() {
  %r = call i32 (...) @__cxa_throw(i32 1)
  ret i32 %r
}
; run: @otherwise() traps uncaught_exception

define void @by_the_library() {
  call void @"\01_ZSt20__throw_length_errorPKc"(ptr null)
  unreachable
}
; run: @by_the_library() traps uncaught_exception

define void @resumed() personality ptr @__gxx_personality_v0 {
  resume { ptr, i32 } zeroinitializer
}
; run: @resumed() traps uncaught_exception
