; Structs and arrays as values.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%pair = type { i24, { i8, [2 x double] } }

define i24 @first(i24 %a) {
  %p = insertvalue %pair poison, i24 %a, 0
  %r = extractvalue %pair %p, 0
  ret i24 %r
}
; run: @first(16777215) == 16777215

define double @deep(double %a) {
  %p = insertvalue %pair zeroinitializer, double %a, 1, 1, 1
  %i = extractvalue %pair %p, 1
  %b = extractvalue { i8, [2 x double] } %i, 1, 1
  %c = extractvalue %pair %p, 1, 1, 0
  %r = fadd double %b, %c
  ret double %r
}
; run: @deep(1.5) == 1.5

define i32 @constant(i1 %c) {
  %s = select i1 %c, { i32, i8 } { i32 7, i8 1 }, { i32, i8 } zeroinitializer
  %r = extractvalue { i32, i8 } %s, 0
  ret i32 %r
}
; run: @constant(1) == 7

define i8 @text() {
  %r = extractvalue [3 x i8] c"abc", 1
  ret i8 %r
}
; run: @text() == 98
