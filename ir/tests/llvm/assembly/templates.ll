; Templates that headers and compilers write, of which the meaning is known.
target triple = "x86_64-pc-linux-gnu"

define i32 @swapped(i32 %x) {
  %y = call i32 asm "bswap $0", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %x)
  ret i32 %y
}
; run: @swapped(0x11223344) == 0x44332211

define i64 @swapped_q(i64 %x) {
  %y = call i64 asm "bswapq ${0:q}", "=r,0"(i64 %x)
  ret i64 %y
}
; run: @swapped_q(0x1122334455667788) == 0x8877665544332211

define i16 @turned(i16 %x) {
  %y = call i16 asm "rorw $$8, ${0:w}", "=r,0,~{cc}"(i16 %x)
  ret i16 %y
}
; run: @turned(0x1122) == 0x2211

; The processor is the least of its kind.
define i32 @capabilities(i32 %leaf) {
  %all = call { i32, i32, i32, i32 } asm "  xchgq  %rbx,${1:q}\0A  cpuid\0A  xchgq  %rbx,${1:q}", "={ax},=r,={cx},={dx},0,2,~{dirflag}"(i32 %leaf, i32 1)
  %a = extractvalue { i32, i32, i32, i32 } %all, 0
  %d = extractvalue { i32, i32, i32, i32 } %all, 3
  %r = or i32 %a, %d
  ret i32 %r
}
; run: @capabilities(7) == 0

; A counter does not go back.
define i1 @counters() {
  %first = call { i32, i32 } asm sideeffect "rdtsc", "={ax},={dx}"()
  %low = extractvalue { i32, i32 } %first, 0
  %high = extractvalue { i32, i32 } %first, 1
  %wide_low = zext i32 %low to i64
  %wide_high = zext i32 %high to i64
  %up = shl i64 %wide_high, 32
  %one = or i64 %up, %wide_low
  %two = call i64 @llvm.readcyclecounter()
  %in_order = icmp ule i64 %one, %two
  ret i1 %in_order
}
declare i64 @llvm.readcyclecounter()
; run: @counters() == 1

define void @ordered() {
  call void asm sideeffect "lock; addl $$0,0(%rsp)", "~{memory},~{cc}"()
  call void asm sideeffect ".p2align 4", ""()
  call void asm sideeffect "nop\0A\09rep; nop", ""()
  ret void
}
; run: @ordered() == ()
