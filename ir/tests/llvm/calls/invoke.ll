; An `invoke` of whatever can be called goes on at its normal edge, and what its other edge
; leads to is there all the same.
target triple = "x86_64-unknown-linux-gnu"
declare i32 @__gxx_personality_v0(...)
declare i32 @abs(i32)
@t = external constant ptr
define i32 @f(i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  %a = invoke i32 @abs(i32 %x) to label %next unwind label %pad
next:
  invoke void @llvm.donothing() to label %more unwind label %pad2
more:
  %p = alloca i32
  store i32 %a, ptr %p
  invoke void asm sideeffect "", "~{memory}"() to label %last unwind label %pad2
last:
  %r = load i32, ptr %p
  ret i32 %r
pad:
  %e = landingpad { ptr, i32 } cleanup
  %s = extractvalue { ptr, i32 } %e, 1
  br label %out
pad2:
  %e2 = landingpad { ptr, i32 } catch ptr null filter [1 x ptr] [ptr @t]
  br label %out
out:
  %v = phi { ptr, i32 } [ %e, %pad ], [ %e2, %pad2 ]
  resume { ptr, i32 } %v
}
declare void @llvm.donothing()
; run: @f(-5) == 5
; run: @f(7) == 7
