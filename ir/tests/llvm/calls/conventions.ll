; Between functions of ours, all conventions are one.
define internal fastcc i32 @fast(i32 %x) {
  %r = add i32 %x, 1
  ret i32 %r
}
define internal coldcc i32 @cold(i32 %x) cold {
  %r = add i32 %x, 10
  ret i32 %r
}
define internal tailcc i32 @tail(i32 %n, i32 %x) {
  %done = icmp eq i32 %n, 0
  br i1 %done, label %end, label %on
on:
  %m = sub i32 %n, 1
  %y = add i32 %x, 1
  %r = musttail call tailcc i32 @tail(i32 %m, i32 %y)
  ret i32 %r
end:
  ret i32 %x
}
define internal preserve_mostcc i32 @most(i32 %x) {
  %r = add i32 %x, 100
  ret i32 %r
}
define internal preserve_allcc i32 @all(i32 %x) {
  %r = add i32 %x, 1000
  ret i32 %r
}
define internal ghccc void @ghc(ptr %p) {
  store i32 5, ptr %p
  ret void
}
define internal swiftcc i32 @swift(i32 %x) {
  %r = mul i32 %x, 2
  ret i32 %r
}
define x86_64_sysvcc i32 @system(i32 %x) {
  %a = call fastcc i32 @fast(i32 %x)
  %b = call coldcc i32 @cold(i32 %a)
  %c = notail call preserve_mostcc i32 @most(i32 %b)
  %d = tail call preserve_allcc i32 @all(i32 %c)
  %e = call swiftcc i32 @swift(i32 %d)
  %p = alloca i32
  call ghccc void @ghc(ptr %p)
  %f = load i32, ptr %p
  %g = add i32 %e, %f
  ret i32 %g
}
; run: @system(1) == 2229

; A tail call keeps no frame: deeper than any stack.
define i32 @deep(i32 %n) {
  %r = call tailcc i32 @tail(i32 %n, i32 0)
  ret i32 %r
}
; run: @deep(200000) == 200000

; By an address too, and where nothing is given.
define i64 @down(ptr %f, i64 %n) {
  %done = icmp eq i64 %n, 0
  br i1 %done, label %end, label %on
on:
  %m = sub i64 %n, 1
  %r = musttail call i64 %f(ptr %f, i64 %m)
  ret i64 %r
end:
  ret i64 42
}
define i64 @deep_by_address(i64 %n) {
  %r = call i64 @down(ptr @down, i64 %n)
  ret i64 %r
}
; run: @deep_by_address(100000) == 42
@count = internal global i64 0
define void @void_down(i64 %n) {
  %c = load i64, ptr @count
  %c1 = add i64 %c, 1
  store i64 %c1, ptr @count
  %done = icmp eq i64 %n, 0
  br i1 %done, label %end, label %on
on:
  %m = sub i64 %n, 1
  musttail call void @void_down(i64 %m)
  ret void
end:
  ret void
}
define i64 @counted(i64 %n) {
  store i64 0, ptr @count
  call void @void_down(i64 %n)
  %c = load i64, ptr @count
  ret i64 %c
}
; run: @counted(100000) == 100001
