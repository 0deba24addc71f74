; What headers for x86-64 call that is no instruction of LLVM's own.
target triple = "x86_64-pc-linux-gnu"

declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
declare i32 @llvm.x86.avx2.pmovmskb(<32 x i8>)
declare i32 @llvm.x86.bmi.bzhi.32(i32, i32)
declare i64 @llvm.x86.bmi.bzhi.64(i64, i64)

define i32 @signs(<16 x i8> %x) {
  %r = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %x)
  ret i32 %r
}
; run: @signs(<-1, 127, -128, 0, 1, 2, 3, -7, 0, 0, -1, 0, 64, 0, 0, -2>) == 0x8485
; run: @signs(<-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1>) == 0xffff
; run: @signs(<1, 127, 64, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>) == 0

define i32 @wide_signs(<16 x i8> %x) {
  %wide = shufflevector <16 x i8> %x, <16 x i8> splat (i8 -1), <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 16>
  %r = call i32 @llvm.x86.avx2.pmovmskb(<32 x i8> %wide)
  ret i32 %r
}
; run: @wide_signs(<0, -1, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0>) == 0x81020102

define i64 @low(i64 %x, i64 %n) {
  %r = call i64 @llvm.x86.bmi.bzhi.64(i64 %x, i64 %n)
  ret i64 %r
}
; run: @low(-1, 0) == 0
; run: @low(-1, 5) == 31
; run: @low(-1, 64) == -1
; run: @low(-1, 200) == -1
; run: @low(-1, 0x103) == 7

define i32 @narrow_low(i32 %x, i32 %n) {
  %r = call i32 @llvm.x86.bmi.bzhi.32(i32 %x, i32 %n)
  ret i32 %r
}
; run: @narrow_low(0x12345678, 12) == 0x678
; run: @narrow_low(0x12345678, 32) == 0x12345678

declare i32 @llvm.x86.sse.movmsk.ps(<4 x float>)
declare i32 @llvm.x86.sse2.movmsk.pd(<2 x double>)
declare i32 @llvm.x86.avx.movmsk.ps.256(<8 x float>)
declare i32 @llvm.x86.avx.movmsk.pd.256(<4 x double>)
define i32 @signs_of_floats(<4 x float> %x) {
  %w = shufflevector <4 x float> %x, <4 x float> splat (float -0.0), <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 0, i32 0, i32 5>
  %d = fpext <4 x float> %x to <4 x double>
  %e = shufflevector <4 x double> %d, <4 x double> poison, <2 x i32> <i32 1, i32 0>
  %a = call i32 @llvm.x86.sse.movmsk.ps(<4 x float> %x)
  %b = call i32 @llvm.x86.sse2.movmsk.pd(<2 x double> %e)
  %c = call i32 @llvm.x86.avx.movmsk.ps.256(<8 x float> %w)
  %f = call i32 @llvm.x86.avx.movmsk.pd.256(<4 x double> %d)
  %b.s = shl i32 %b, 4
  %c.s = shl i32 %c, 8
  %f.s = shl i32 %f, 16
  %ab = or i32 %a, %b.s
  %cf = or i32 %c.s, %f.s
  %r = or i32 %ab, %cf
  ret i32 %r
}
; run: @signs_of_floats(<-1.0, 2.0, -0.0, 3.0>) == 0x5f525
