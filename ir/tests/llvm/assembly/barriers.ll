; An empty template gives what stands in the same register, of which nothing is known.
; run: @tied(7) == 7
; run: @two(3, 4) == 43
; run: @memory(5) == 5
; run: @fenced(6) == 6

define i32 @tied(i32 %x) {
  %y = call i32 asm sideeffect "", "=r,0,~{memory}"(i32 %x)
  ret i32 %y
}

define i32 @two(i32 %a, i32 %b) {
  %pair = call { i32, i32 } asm "# nothing", "=r,=r,1,0"(i32 %a, i32 %b)
  %first = extractvalue { i32, i32 } %pair, 0
  %second = extractvalue { i32, i32 } %pair, 1
  %tens = mul i32 %first, 10
  %sum = add i32 %tens, %second
  ret i32 %sum
}

define i32 @memory(i32 %x) {
  %place = alloca i32
  store i32 %x, ptr %place
  call void asm sideeffect "", "=*m,r,~{memory}"(ptr elementtype(i32) %place, i32 %x)
  %y = load i32, ptr %place
  ret i32 %y
}

define i32 @fenced(i32 %x) {
  call void asm sideeffect "mfence", "~{memory},~{dirflag},~{fpsr},~{flags}"()
  call void asm sideeffect "pause", ""()
  ret i32 %x
}
