; Objects whose size is known when the function runs.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare ptr @llvm.stacksave()
declare void @llvm.stackrestore(ptr)

define i64 @sum(i32 %n) {
entry:
  %array = alloca i64, i32 %n, align 16
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i1, %fill ]
  %p = getelementptr i64, ptr %array, i32 %i
  %wide = zext i32 %i to i64
  store i64 %wide, ptr %p
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %n
  br i1 %more, label %fill, label %add
add:
  %j = phi i32 [ 0, %fill ], [ %j1, %add ]
  %sum = phi i64 [ 0, %fill ], [ %sum1, %add ]
  %q = getelementptr i64, ptr %array, i32 %j
  %x = load i64, ptr %q
  %sum1 = add i64 %sum, %x
  %j1 = add i32 %j, 1
  %again = icmp ult i32 %j1, %n
  br i1 %again, label %add, label %done
done:
  ret i64 %sum1
}
; run: @sum(1000) == 499500

; In a loop, each round has its own; those of a list are all there.
define i64 @list(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %last = phi ptr [ null, %entry ], [ %node, %loop ]
  %node = alloca { ptr, i64 }
  store ptr %last, ptr %node
  %value = getelementptr { ptr, i64 }, ptr %node, i32 0, i32 1
  store i64 %i, ptr %value
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %walk
walk:
  %at = phi ptr [ %node, %loop ], [ %next, %walk ]
  %sum = phi i64 [ 0, %loop ], [ %sum1, %walk ]
  %place = getelementptr { ptr, i64 }, ptr %at, i32 0, i32 1
  %x = load i64, ptr %place
  %sum1 = add i64 %sum, %x
  %next = load ptr, ptr %at
  %end = icmp eq ptr %next, null
  br i1 %end, label %done, label %walk
done:
  ret i64 %sum1
}
; run: @list(10) == 45

; What is given back can be taken again: more rounds than the stack would hold.
define i64 @rounds(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %sum1, %loop ]
  %mark = call ptr @llvm.stacksave.p0()
  %size = add i64 %i, 1000000
  %room = alloca i8, i64 %size
  %end = getelementptr i8, ptr %room, i64 %i
  store i8 1, ptr %end
  %byte = load i8, ptr %end
  %wide = zext i8 %byte to i64
  %sum1 = add i64 %sum, %wide
  call void @llvm.stackrestore.p0(ptr %mark)
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %done
done:
  ret i64 %sum1
}
; run: @rounds(200) == 200

; As LLVM 15 spells them.
define i32 @without_type() {
  %mark = call ptr @llvm.stacksave()
  call void @llvm.stackrestore(ptr %mark)
  ret i32 1
}
; run: @without_type() == 1

; More than any stack has.
define i64 @too_many(i64 %n) {
  %room = alloca i64, i64 %n
  store i64 1, ptr %room
  %x = load i64, ptr %room
  ret i64 %x
}
; run: @too_many(-1) traps stack_overflow
; run: @too_many(0x2000000000000001) traps stack_overflow
; run: @too_many(1) == 1

; So is an object of constant size that no frame holds.
define i8 @large() {
  %room = alloca [4294967296 x i8]
  store i8 1, ptr %room
  %x = load i8, ptr %room
  ret i8 %x
}
; run: @large() traps stack_overflow

; Aligned, above what the stack gives too.
define i64 @aligned(i64 %n) {
  %a = alloca i8, i64 %n, align 64
  %b = alloca i8, i64 %n, align 4096
  %c = alloca i8, i64 %n, align 65536
  %na = ptrtoint ptr %a to i64
  %nb = ptrtoint ptr %b to i64
  %nc = ptrtoint ptr %c to i64
  %ra = and i64 %na, 63
  %rb = and i64 %nb, 4095
  %rc = and i64 %nc, 65535
  %or = or i64 %ra, %rb
  %all = or i64 %or, %rc
  store i8 1, ptr %c
  ret i64 %all
}
; run: @aligned(3) == 0

; Objects of constant size that are made again: behind a branch, and of odd counts.
define i32 @behind(i1 %test, i3 %n) {
  br i1 %test, label %make, label %not
make:
  %p = alloca i32
  store i32 5, ptr %p
  %q = alloca i32, i3 %n
  store i32 6, ptr %q
  %x = load i32, ptr %p
  %y = load i32, ptr %q
  %z = add i32 %x, %y
  ret i32 %z
not:
  ret i32 0
}
; run: @behind(1, 7) == 11
; run: @behind(0, 0) == 0
