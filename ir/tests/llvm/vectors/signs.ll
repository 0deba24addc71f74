; Which lanes are negative, as headers ask on x86-64 for the bytes that were found.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
declare i32 @llvm.x86.sse.movmsk.ps(<4 x float>)
declare i32 @llvm.x86.sse2.movmsk.pd(<2 x double>)
declare i32 @llvm.x86.avx2.pmovmskb(<32 x i8>)

define i32 @bytes(<16 x i8> %a, <16 x i8> %b) {
  %equal = icmp eq <16 x i8> %a, %b
  %found = sext <16 x i1> %equal to <16 x i8>
  %r = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %found)
  ret i32 %r
}
; run: @bytes(<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>, <1, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16>) == 0x8009

define i32 @many(i8 %x) {
  %one = insertelement <32 x i8> zeroinitializer, i8 %x, i32 31
  %two = insertelement <32 x i8> %one, i8 %x, i32 0
  %r = call i32 @llvm.x86.avx2.pmovmskb(<32 x i8> %two)
  ret i32 %r
}
; run: @many(-128) == 0x80000001
; run: @many(127) == 0

define i32 @floats(<4 x float> %a) {
  %r = call i32 @llvm.x86.sse.movmsk.ps(<4 x float> %a)
  ret i32 %r
}
; run: @floats(<-0.0, 0.0, 1.0, -inf>) == 9

define i32 @doubles(<2 x double> %a) {
  %r = call i32 @llvm.x86.sse2.movmsk.pd(<2 x double> %a)
  ret i32 %r
}
; run: @doubles(<1.5, -1.5>) == 2
