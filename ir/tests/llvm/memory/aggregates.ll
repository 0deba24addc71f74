; Fields stand where the layout of the text has them, and padding is not touched.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%mixed = type { i8, i24, i65, <{ i8, i32 }>, [2 x i1], x86_fp80, half }

define i64 @offsets() {
  %a = getelementptr %mixed, ptr null, i32 1, i32 3, i32 1
  %n = ptrtoint ptr %a to i64
  ret i64 %n
}
; run: @offsets() == 113

define i32 @field(i32 %x) {
  %p = alloca { i8, i32, i16 }
  %s = insertvalue { i8, i32, i16 } zeroinitializer, i32 %x, 1
  store { i8, i32, i16 } %s, ptr %p
  %q = getelementptr i8, ptr %p, i64 4
  %r = load i32, ptr %q
  ret i32 %r
}
; run: @field(-77) == -77

define i32 @packed(i32 %x) {
  %p = alloca [16 x i8]
  %s = insertvalue <{ i8, i32, i16 }> zeroinitializer, i32 %x, 1
  store <{ i8, i32, i16 }> %s, ptr %p, align 1
  %q = getelementptr i8, ptr %p, i64 1
  %r = load i32, ptr %q, align 1
  ret i32 %r
}
; run: @packed(-77) == -77

define i16 @padding(i8 %x) {
  %p = alloca i64
  store i64 -1, ptr %p
  %s = insertvalue { i8, i32 } zeroinitializer, i8 %x, 0
  store { i8, i32 } %s, ptr %p
  %r = load i16, ptr %p
  ret i16 %r
}
; run: @padding(5) == -251

define i24 @array(i24 %x) {
  %p = alloca [3 x i24]
  %s = insertvalue [3 x i24] zeroinitializer, i24 %x, 2
  store [3 x i24] %s, ptr %p
  %t = load [3 x i24], ptr %p
  %r = extractvalue [3 x i24] %t, 2
  ret i24 %r
}
; run: @array(1234567) == 1234567

define { i8, i64 } @loaded() {
  %p = alloca { i8, i64 }
  store { i8, i64 } { i8 3, i64 -4 }, ptr %p
  %r = load { i8, i64 }, ptr %p
  ret { i8, i64 } %r
}
; run: @loaded() == {3, -4}
