; Addresses in data, and what constant expressions come to.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%pair = type { i32, i64 }

@numbers = global [4 x %pair] [%pair { i32 1, i64 10 }, %pair { i32 2, i64 20 }, %pair { i32 3, i64 30 }, %pair { i32 4, i64 40 }]
@third = global ptr getelementptr inbounds ([4 x %pair], ptr @numbers, i64 0, i64 2, i32 1)
@as_number = global i64 ptrtoint (ptr getelementptr (i8, ptr @numbers, i64 16) to i64)
@distance = global i64 sub (i64 ptrtoint (ptr getelementptr (%pair, ptr @numbers, i64 3) to i64), i64 ptrtoint (ptr @numbers to i64))
@size = global i32 trunc (i64 ptrtoint (ptr getelementptr (%pair, ptr null, i64 1) to i64) to i32)
@itself = global ptr @itself
@functions = global [2 x ptr] [ptr @one, ptr null]

define i64 @through() {
  %p = load ptr, ptr @third
  %r = load i64, ptr %p
  ret i64 %r
}
; run: @through() == 30

define i32 @number_as_address() {
  %n = load i64, ptr @as_number
  %p = inttoptr i64 %n to ptr
  %r = load i32, ptr %p
  ret i32 %r
}
; run: @number_as_address() == 2

define i64 @differences() {
  %a = load i64, ptr @distance
  %b = load i32, ptr @size
  %c = zext i32 %b to i64
  %r = add i64 %a, %c
  ret i64 %r
}
; run: @differences() == 64

define i1 @own_address() {
  %p = load ptr, ptr @itself
  %r = icmp eq ptr %p, @itself
  ret i1 %r
}
; run: @own_address() == 1

define i32 @one() {
  ret i32 1
}

define i1 @of_function() {
  %p = load ptr, ptr @functions
  %r = icmp eq ptr %p, @one
  ret i1 %r
}
; run: @of_function() == 1

define i32 @in_code() {
  %a = load i32, ptr getelementptr inbounds ([4 x %pair], ptr @numbers, i64 0, i64 3)
  store i64 ptrtoint (ptr @numbers to i64), ptr @size.copy
  ret i32 %a
}
@size.copy = internal global i64 0
; run: @in_code() == 4
