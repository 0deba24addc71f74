; Definitions that give way to others, and names that nobody may define.
define weak i32 @weak() {
  ret i32 1
}
; run: @weak() == 1

define weak_odr i32 @weak_odr() {
  ret i32 2
}
; run: @weak_odr() == 2

define linkonce i32 @linkonce() {
  ret i32 3
}

$folded = comdat any
define linkonce_odr hidden i32 @folded() comdat {
  ret i32 4
}

@variable = weak global i32 5
@common = common global i32 0, align 4
@once = linkonce_odr constant i32 6

define i32 @all() {
  %a = call i32 @linkonce()
  %b = call i32 @folded()
  %c = load i32, ptr @variable
  %d = load i32, ptr @common
  %e = load i32, ptr @once
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %abcd = add i32 %ab, %cd
  %abcde = add i32 %abcd, %e
  ret i32 %abcde
}
; run: @all() == 18

declare extern_weak i32 @nobody_defines_it(i32)
@nor_this = extern_weak global i32
@address = global ptr @nobody_defines_it
@behind = global ptr getelementptr (i8, ptr @nor_this, i64 4)

define i32 @absent() {
  %p = load ptr, ptr @address
  %q = load ptr, ptr @behind
  %a = icmp eq ptr @nobody_defines_it, null
  %b = icmp eq ptr @nor_this, null
  %c = icmp eq ptr %p, null
  %d = icmp eq ptr %q, inttoptr (i64 4 to ptr)
  %na = zext i1 %a to i32
  %nb = zext i1 %b to i32
  %nc = zext i1 %c to i32
  %nd = zext i1 %d to i32
  %x = add i32 %na, %nb
  %y = add i32 %nc, %nd
  %z = add i32 %x, %y
  ret i32 %z
}
; run: @absent() == 4

; One that somebody defines is called.
declare extern_weak i32 @abs(i32)
define i32 @present(i32 %x) {
  %there = icmp ne ptr @abs, null
  br i1 %there, label %call, label %not
call:
  %y = call i32 @abs(i32 %x)
  ret i32 %y
not:
  ret i32 -1
}
; run: @present(-7) == 7

; An alias that gives way.
@other = weak alias i32 (), ptr @folded
define i32 @by_alias() {
  %x = call i32 @other()
  ret i32 %x
}
; run: @by_alias() == 4
; run: @other() == 4
