; All lanes of a vector of integers as one.
; run: @add1x4(<1, 1, 1, 1>) == 0
; run: @add1x4(<0, 0, 0, 0>) == 0
; run: @add1x4(<1, 1, 1, 0>) == 1
; run: @add7x3(<49, 113, 90>) == 124
; run: @add7x3(<74, 112, 44>) == 102
; run: @add7x3(<5, 36, 120>) == 33
; run: @add8x16(<47, -59, -17, -88, -41, -61, 96, -18, -102, 13, -115, -86, 51, -118, 8, 34>) == 56
; run: @add8x16(<-68, -37, 41, -3, -112, -127, 4, 99, 5, -43, 42, 56, -89, -9, -100, 28>) == -57
; run: @add8x16(<-3, -113, -88, 111, -123, 45, 3, 104, -11, -54, 125, -34, -37, -5, 10, 54>) == -16
; run: @add32x4(<-708127982, -230123493, 2044094498, 355709280>) == 1461552303
; run: @add32x4(<931063647, 524101697, 1744121113, -888093377>) == -1983774216
; run: @add32x4(<322689096, -1776724176, -1800029730, 1992157484>) == -1261907326
; run: @add64x2(<785461352290600503, 8400638167754983528>) == 9186099520045584031
; run: @add64x2(<7200289183866760478, 8883867708431088772>) == -2362587181411702366
; run: @add64x2(<1526625851474883808, 7872733463885222651>) == -9047384758349445157
; run: @add16x3(<-3246, -27852, 19356>) == -11742
; run: @add16x3(<30716, -20778, 2866>) == 12804
; run: @add16x3(<26034, 24189, -6947>) == -22260
; run: @mul1x4(<1, 1, 1, 1>) == 1
; run: @mul1x4(<0, 0, 0, 0>) == 0
; run: @mul1x4(<0, 1, 0, 1>) == 0
; run: @mul7x3(<15, 121, 18>) == 30
; run: @mul7x3(<43, 67, 105>) == 41
; run: @mul7x3(<1, 86, 62>) == 84
; run: @mul8x16(<-42, -97, -51, -107, 116, -18, 101, 74, -53, 110, -89, -42, -118, -97, -33, 55>) == 0
; run: @mul8x16(<8, -6, 3, 61, 118, -102, 24, -121, -41, 32, 22, 9, -31, -105, 57, 23>) == 0
; run: @mul8x16(<34, 95, -64, -61, -83, -20, 105, -54, -104, 6, -115, 92, -14, -69, -127, 28>) == 0
; run: @mul32x4(<-1977260620, 1790643200, 1984366317, 802463324>) == 1684226048
; run: @mul32x4(<1768726502, 790023006, -1331418018, -1237772803>) == -1631170504
; run: @mul32x4(<479013023, -946829739, -1321579401, 1901915654>) == -58728402
; run: @mul64x2(<-6877109133674745880, 1727820429681872205>) == -74041461906804536
; run: @mul64x2(<8933304340450486869, 6871322985009714024>) == 6399518989141705096
; run: @mul64x2(<-7188530000331544233, -8724391553576749209>) == 7955473748279759617
; run: @mul16x3(<-30197, -16111, -7858>) == 14842
; run: @mul16x3(<-20099, -8775, -26168>) == 28520
; run: @mul16x3(<12016, 23759, -16437>) == 14512
; run: @and1x4(<1, 1, 1, 1>) == 1
; run: @and1x4(<0, 0, 0, 0>) == 0
; run: @and1x4(<0, 0, 1, 1>) == 0
; run: @and7x3(<125, 93, 30>) == 28
; run: @and7x3(<57, 53, 38>) == 32
; run: @and7x3(<106, 110, 63>) == 42
; run: @and8x16(<100, 3, 107, 102, 57, -32, 123, 111, -76, 120, 92, -37, -87, -65, 126, -59>) == 0
; run: @and8x16(<3, 54, -10, 89, 73, -55, -117, 73, -11, 42, 52, -18, 16, 23, 52, 91>) == 0
; run: @and8x16(<39, -19, -39, 23, -124, 36, 10, -86, 69, -22, -126, 82, 44, -86, 78, 48>) == 0
; run: @and32x4(<-409722931, -6917159, 1909378165, -1895329765>) == 17039361
; run: @and32x4(<1001653829, -708087722, -1728379332, 474966753>) == 268435456
; run: @and32x4(<484368821, -1456298263, -2061748591, 43864318>) == 1048704
; run: @and64x2(<-7399382891855441274, -3611032507220857650>) == -8556830427114766202
; run: @and64x2(<8215288393876934528, -8300655160167222959>) == 562967337238784
; run: @and64x2(<-2001008952017097580, 3342930854810177211>) == 2603213507896036496
; run: @and16x3(<-5933, -14586, -25741>) == -32766
; run: @and16x3(<-30909, 11993, 26993>) == 65
; run: @and16x3(<12157, 5583, -19416>) == 1032
; run: @or1x4(<1, 1, 1, 1>) == 1
; run: @or1x4(<0, 0, 0, 0>) == 0
; run: @or1x4(<1, 0, 1, 1>) == 1
; run: @or7x3(<65, 71, 114>) == 119
; run: @or7x3(<95, 2, 97>) == 127
; run: @or7x3(<67, 35, 8>) == 107
; run: @or8x16(<-98, -50, 96, 67, 121, 19, -121, -75, -86, 38, 43, 122, -42, -52, 41, 2>) == -1
; run: @or8x16(<80, -70, -39, -72, -4, -94, 93, -23, -13, -113, 9, -50, -12, 33, 51, 18>) == -1
; run: @or8x16(<8, -78, -61, 14, 41, 49, -64, 67, 1, -78, 31, 54, 91, 80, 21, -127>) == -1
; run: @or32x4(<2023526689, 557787479, 1486419996, 1905274834>) == 2042626047
; run: @or32x4(<-1122920162, 478723904, 2116989449, -944531404>) == -4210817
; run: @or32x4(<-149158344, -2099575371, -672065773, 310972881>) == -134277121
; run: @or64x2(<9122134835174892763, 1196993293252541691>) == 9123403683404971259
; run: @or64x2(<4333204693599761263, -6158275379621348375>) == -4707409775792243729
; run: @or64x2(<2898083503690330815, 4002313263177048863>) == 4592299118824633279
; run: @or16x3(<21035, 8086, 14425>) == 32767
; run: @or16x3(<-18290, 12849, 21889>) == -65
; run: @or16x3(<-25291, 1587, 21263>) == -8385
; run: @xor1x4(<1, 1, 1, 1>) == 0
; run: @xor1x4(<0, 0, 0, 0>) == 0
; run: @xor1x4(<0, 1, 0, 1>) == 0
; run: @xor7x3(<45, 80, 126>) == 3
; run: @xor7x3(<30, 118, 89>) == 49
; run: @xor7x3(<120, 51, 75>) == 0
; run: @xor8x16(<-72, -12, -107, 67, 35, 57, 76, -48, -64, -44, 4, 38, -95, -48, -117, 68>) == -108
; run: @xor8x16(<-74, 21, 84, 1, 122, -125, 122, -114, -65, -58, 18, -2, -126, 39, 66, -23>) == 96
; run: @xor8x16(<-106, -77, 66, 124, 52, 41, 59, 119, -27, -98, 93, -65, -31, 0, -68, -9>) == 121
; run: @xor32x4(<1154854553, 1145155927, -1915528933, -1059964041>) == 1301642658
; run: @xor32x4(<37463495, -125741441, -288352296, -1158576975>) == -1365548847
; run: @xor32x4(<-1585122676, -697737937, 483470102, -1274920012>) == -549533951
; run: @xor64x2(<-723052781365662051, 8671699209390405788>) == -8237326504471079423
; run: @xor64x2(<-4399832690632429384, -9073039886670150128>) == 4676620090867758760
; run: @xor64x2(<-8193771318720091098, 8224941569416060299>) == -257482935202680403
; run: @xor16x3(<4763, 11151, -11879>) == -6003
; run: @xor16x3(<32619, -7565, 8564>) == -17300
; run: @xor16x3(<19946, 17307, -18915>) == -18324
; run: @smin1x4(<1, 1, 1, 1>) == 1
; run: @smin1x4(<0, 0, 0, 0>) == 0
; run: @smin1x4(<0, 0, 0, 1>) == 1
; run: @smin7x3(<69, 87, 24>) == 69
; run: @smin7x3(<59, 50, 115>) == 115
; run: @smin7x3(<120, 102, 117>) == 102
; run: @smin8x16(<-2, -10, -11, 82, -110, 42, -68, -122, -85, -9, 102, -98, 127, -124, -126, -119>) == -126
; run: @smin8x16(<55, -13, 66, 126, -40, 40, -40, 86, -78, 70, -80, 19, -126, -93, -110, 46>) == -126
; run: @smin8x16(<-86, -124, 1, -22, 113, 75, -8, 111, 52, 89, 119, 15, 19, 73, 65, 116>) == -124
; run: @smin32x4(<-755517471, 644284888, 140682910, 1280728196>) == -755517471
; run: @smin32x4(<-864060967, -1733045307, -867648848, 1766545306>) == -1733045307
; run: @smin32x4(<-566442604, 548085604, 1104337597, -2082491757>) == -2082491757
; run: @smin64x2(<8021339775652410411, -8670809146709626400>) == -8670809146709626400
; run: @smin64x2(<-6179612459812609050, -328375830816013957>) == -6179612459812609050
; run: @smin64x2(<6378969336839025612, 198047043796484499>) == 198047043796484499
; run: @smin16x3(<7234, 5728, 312>) == 312
; run: @smin16x3(<-18037, 17340, 27091>) == -18037
; run: @smin16x3(<6928, 5117, -11537>) == -11537
; run: @smax1x4(<1, 1, 1, 1>) == 1
; run: @smax1x4(<0, 0, 0, 0>) == 0
; run: @smax1x4(<1, 1, 1, 0>) == 0
; run: @smax7x3(<106, 67, 115>) == 115
; run: @smax7x3(<9, 92, 106>) == 9
; run: @smax7x3(<5, 100, 10>) == 10
; run: @smax8x16(<-108, 62, -80, -37, 87, 58, 32, -35, 83, -50, -67, 112, -112, 45, 34, 23>) == 112
; run: @smax8x16(<61, -22, 121, 20, 3, -114, 11, 29, 115, -86, 34, 68, -29, -65, 32, 88>) == 121
; run: @smax8x16(<-65, -67, -53, -38, 80, -64, -118, -109, -3, 13, -99, -119, 99, -126, -7, -102>) == 99
; run: @smax32x4(<1115266053, 1257236228, -191835404, -3301853>) == 1257236228
; run: @smax32x4(<1331209817, -1473713439, 1810348006, -630524631>) == 1810348006
; run: @smax32x4(<1355730381, -120347185, -1495026058, -468885029>) == 1355730381
; run: @smax64x2(<-4439422014630640605, 2214007905486301197>) == 2214007905486301197
; run: @smax64x2(<-5775693756261462261, -1367780275877778967>) == -1367780275877778967
; run: @smax64x2(<-7581356051660364239, -714242781293732412>) == -714242781293732412
; run: @smax16x3(<-9854, -9523, 7031>) == 7031
; run: @smax16x3(<18896, -26340, 24187>) == 24187
; run: @smax16x3(<-14034, -18015, -14642>) == -14034
; run: @umin1x4(<1, 1, 1, 1>) == 1
; run: @umin1x4(<0, 0, 0, 0>) == 0
; run: @umin1x4(<1, 1, 1, 0>) == 0
; run: @umin7x3(<41, 58, 16>) == 16
; run: @umin7x3(<68, 103, 75>) == 68
; run: @umin7x3(<87, 113, 56>) == 56
; run: @umin8x16(<72, 72, 70, -26, 47, -94, 28, -118, -39, 7, -21, 61, 32, -76, 92, 4>) == 4
; run: @umin8x16(<-25, -39, -35, -119, -6, 81, -2, 73, 77, 127, 17, -40, 63, 55, -128, -4>) == 17
; run: @umin8x16(<3, -103, 64, -41, 121, -112, -82, -61, 39, -46, 31, -126, 84, -20, 23, 35>) == 3
; run: @umin32x4(<525014337, -1293008587, 443039617, -552406790>) == 443039617
; run: @umin32x4(<-860222733, -473652376, -518950374, -1737046505>) == -1737046505
; run: @umin32x4(<183392438, -1728323729, -839973533, 2115268457>) == 183392438
; run: @umin64x2(<4367250976444444088, -7168482864439021162>) == 4367250976444444088
; run: @umin64x2(<2034726988102668646, 7397610008674730010>) == 2034726988102668646
; run: @umin64x2(<8701399275832603810, 2230718237495736173>) == 2230718237495736173
; run: @umin16x3(<-2970, 23888, 14504>) == 14504
; run: @umin16x3(<8295, -5553, -12416>) == 8295
; run: @umin16x3(<-16113, -19471, 3069>) == 3069
; run: @umax1x4(<1, 1, 1, 1>) == 1
; run: @umax1x4(<0, 0, 0, 0>) == 0
; run: @umax1x4(<0, 1, 0, 0>) == 1
; run: @umax7x3(<51, 61, 123>) == 123
; run: @umax7x3(<27, 49, 111>) == 111
; run: @umax7x3(<126, 80, 83>) == 126
; run: @umax8x16(<-80, -47, -97, 44, 15, 86, -30, -98, -57, -7, -125, 53, -105, -104, 126, -66>) == -7
; run: @umax8x16(<-63, -115, -120, 67, 71, 55, -124, -50, 54, 117, 1, 100, -123, -87, -34, -47>) == -34
; run: @umax8x16(<-72, 38, 53, -121, -126, -76, -107, -75, -108, 15, 117, -25, -126, -12, -80, 117>) == -12
; run: @umax32x4(<-510441751, 29787416, -2080159201, 36412905>) == -510441751
; run: @umax32x4(<-927172433, 186807200, -1374255249, 1841267251>) == -927172433
; run: @umax32x4(<513566937, -1098498599, 1112674954, 1762310465>) == -1098498599
; run: @umax64x2(<5281413095011858449, 3967963412614985795>) == 5281413095011858449
; run: @umax64x2(<-731502897711536149, 8555897454185541115>) == -731502897711536149
; run: @umax64x2(<4519499952773291054, 5734608240481440199>) == 5734608240481440199
; run: @umax16x3(<24325, -30463, -19663>) == -19663
; run: @umax16x3(<-32736, -4942, 20766>) == -4942
; run: @umax16x3(<10460, -15058, -24302>) == -15058

define i1 @add1x4(<4 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.add.v4i1(<4 x i1> %v)
  ret i1 %r
}
declare i1 @llvm.vector.reduce.add.v4i1(<4 x i1>)

define i7 @add7x3(<3 x i7> %v) {
  %r = call i7 @llvm.vector.reduce.add.v3i7(<3 x i7> %v)
  ret i7 %r
}
declare i7 @llvm.vector.reduce.add.v3i7(<3 x i7>)

define i8 @add8x16(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.add.v16i8(<16 x i8> %v)
  ret i8 %r
}
declare i8 @llvm.vector.reduce.add.v16i8(<16 x i8>)

define i32 @add32x4(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)

define i64 @add64x2(<2 x i64> %v) {
  %r = call i64 @llvm.vector.reduce.add.v2i64(<2 x i64> %v)
  ret i64 %r
}
declare i64 @llvm.vector.reduce.add.v2i64(<2 x i64>)

define i16 @add16x3(<3 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.add.v3i16(<3 x i16> %v)
  ret i16 %r
}
declare i16 @llvm.vector.reduce.add.v3i16(<3 x i16>)

define i1 @mul1x4(<4 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.mul.v4i1(<4 x i1> %v)
  ret i1 %r
}
declare i1 @llvm.vector.reduce.mul.v4i1(<4 x i1>)

define i7 @mul7x3(<3 x i7> %v) {
  %r = call i7 @llvm.vector.reduce.mul.v3i7(<3 x i7> %v)
  ret i7 %r
}
declare i7 @llvm.vector.reduce.mul.v3i7(<3 x i7>)

define i8 @mul8x16(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.mul.v16i8(<16 x i8> %v)
  ret i8 %r
}
declare i8 @llvm.vector.reduce.mul.v16i8(<16 x i8>)

define i32 @mul32x4(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.mul.v4i32(<4 x i32> %v)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.mul.v4i32(<4 x i32>)

define i64 @mul64x2(<2 x i64> %v) {
  %r = call i64 @llvm.vector.reduce.mul.v2i64(<2 x i64> %v)
  ret i64 %r
}
declare i64 @llvm.vector.reduce.mul.v2i64(<2 x i64>)

define i16 @mul16x3(<3 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.mul.v3i16(<3 x i16> %v)
  ret i16 %r
}
declare i16 @llvm.vector.reduce.mul.v3i16(<3 x i16>)

define i1 @and1x4(<4 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.and.v4i1(<4 x i1> %v)
  ret i1 %r
}
declare i1 @llvm.vector.reduce.and.v4i1(<4 x i1>)

define i7 @and7x3(<3 x i7> %v) {
  %r = call i7 @llvm.vector.reduce.and.v3i7(<3 x i7> %v)
  ret i7 %r
}
declare i7 @llvm.vector.reduce.and.v3i7(<3 x i7>)

define i8 @and8x16(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.and.v16i8(<16 x i8> %v)
  ret i8 %r
}
declare i8 @llvm.vector.reduce.and.v16i8(<16 x i8>)

define i32 @and32x4(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.and.v4i32(<4 x i32> %v)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.and.v4i32(<4 x i32>)

define i64 @and64x2(<2 x i64> %v) {
  %r = call i64 @llvm.vector.reduce.and.v2i64(<2 x i64> %v)
  ret i64 %r
}
declare i64 @llvm.vector.reduce.and.v2i64(<2 x i64>)

define i16 @and16x3(<3 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.and.v3i16(<3 x i16> %v)
  ret i16 %r
}
declare i16 @llvm.vector.reduce.and.v3i16(<3 x i16>)

define i1 @or1x4(<4 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.or.v4i1(<4 x i1> %v)
  ret i1 %r
}
declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>)

define i7 @or7x3(<3 x i7> %v) {
  %r = call i7 @llvm.vector.reduce.or.v3i7(<3 x i7> %v)
  ret i7 %r
}
declare i7 @llvm.vector.reduce.or.v3i7(<3 x i7>)

define i8 @or8x16(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.or.v16i8(<16 x i8> %v)
  ret i8 %r
}
declare i8 @llvm.vector.reduce.or.v16i8(<16 x i8>)

define i32 @or32x4(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.or.v4i32(<4 x i32> %v)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.or.v4i32(<4 x i32>)

define i64 @or64x2(<2 x i64> %v) {
  %r = call i64 @llvm.vector.reduce.or.v2i64(<2 x i64> %v)
  ret i64 %r
}
declare i64 @llvm.vector.reduce.or.v2i64(<2 x i64>)

define i16 @or16x3(<3 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.or.v3i16(<3 x i16> %v)
  ret i16 %r
}
declare i16 @llvm.vector.reduce.or.v3i16(<3 x i16>)

define i1 @xor1x4(<4 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.xor.v4i1(<4 x i1> %v)
  ret i1 %r
}
declare i1 @llvm.vector.reduce.xor.v4i1(<4 x i1>)

define i7 @xor7x3(<3 x i7> %v) {
  %r = call i7 @llvm.vector.reduce.xor.v3i7(<3 x i7> %v)
  ret i7 %r
}
declare i7 @llvm.vector.reduce.xor.v3i7(<3 x i7>)

define i8 @xor8x16(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.xor.v16i8(<16 x i8> %v)
  ret i8 %r
}
declare i8 @llvm.vector.reduce.xor.v16i8(<16 x i8>)

define i32 @xor32x4(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.xor.v4i32(<4 x i32> %v)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.xor.v4i32(<4 x i32>)

define i64 @xor64x2(<2 x i64> %v) {
  %r = call i64 @llvm.vector.reduce.xor.v2i64(<2 x i64> %v)
  ret i64 %r
}
declare i64 @llvm.vector.reduce.xor.v2i64(<2 x i64>)

define i16 @xor16x3(<3 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.xor.v3i16(<3 x i16> %v)
  ret i16 %r
}
declare i16 @llvm.vector.reduce.xor.v3i16(<3 x i16>)

define i1 @smin1x4(<4 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.smin.v4i1(<4 x i1> %v)
  ret i1 %r
}
declare i1 @llvm.vector.reduce.smin.v4i1(<4 x i1>)

define i7 @smin7x3(<3 x i7> %v) {
  %r = call i7 @llvm.vector.reduce.smin.v3i7(<3 x i7> %v)
  ret i7 %r
}
declare i7 @llvm.vector.reduce.smin.v3i7(<3 x i7>)

define i8 @smin8x16(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.smin.v16i8(<16 x i8> %v)
  ret i8 %r
}
declare i8 @llvm.vector.reduce.smin.v16i8(<16 x i8>)

define i32 @smin32x4(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.smin.v4i32(<4 x i32> %v)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.smin.v4i32(<4 x i32>)

define i64 @smin64x2(<2 x i64> %v) {
  %r = call i64 @llvm.vector.reduce.smin.v2i64(<2 x i64> %v)
  ret i64 %r
}
declare i64 @llvm.vector.reduce.smin.v2i64(<2 x i64>)

define i16 @smin16x3(<3 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.smin.v3i16(<3 x i16> %v)
  ret i16 %r
}
declare i16 @llvm.vector.reduce.smin.v3i16(<3 x i16>)

define i1 @smax1x4(<4 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.smax.v4i1(<4 x i1> %v)
  ret i1 %r
}
declare i1 @llvm.vector.reduce.smax.v4i1(<4 x i1>)

define i7 @smax7x3(<3 x i7> %v) {
  %r = call i7 @llvm.vector.reduce.smax.v3i7(<3 x i7> %v)
  ret i7 %r
}
declare i7 @llvm.vector.reduce.smax.v3i7(<3 x i7>)

define i8 @smax8x16(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.smax.v16i8(<16 x i8> %v)
  ret i8 %r
}
declare i8 @llvm.vector.reduce.smax.v16i8(<16 x i8>)

define i32 @smax32x4(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.smax.v4i32(<4 x i32> %v)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.smax.v4i32(<4 x i32>)

define i64 @smax64x2(<2 x i64> %v) {
  %r = call i64 @llvm.vector.reduce.smax.v2i64(<2 x i64> %v)
  ret i64 %r
}
declare i64 @llvm.vector.reduce.smax.v2i64(<2 x i64>)

define i16 @smax16x3(<3 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.smax.v3i16(<3 x i16> %v)
  ret i16 %r
}
declare i16 @llvm.vector.reduce.smax.v3i16(<3 x i16>)

define i1 @umin1x4(<4 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.umin.v4i1(<4 x i1> %v)
  ret i1 %r
}
declare i1 @llvm.vector.reduce.umin.v4i1(<4 x i1>)

define i7 @umin7x3(<3 x i7> %v) {
  %r = call i7 @llvm.vector.reduce.umin.v3i7(<3 x i7> %v)
  ret i7 %r
}
declare i7 @llvm.vector.reduce.umin.v3i7(<3 x i7>)

define i8 @umin8x16(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.umin.v16i8(<16 x i8> %v)
  ret i8 %r
}
declare i8 @llvm.vector.reduce.umin.v16i8(<16 x i8>)

define i32 @umin32x4(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.umin.v4i32(<4 x i32> %v)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.umin.v4i32(<4 x i32>)

define i64 @umin64x2(<2 x i64> %v) {
  %r = call i64 @llvm.vector.reduce.umin.v2i64(<2 x i64> %v)
  ret i64 %r
}
declare i64 @llvm.vector.reduce.umin.v2i64(<2 x i64>)

define i16 @umin16x3(<3 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.umin.v3i16(<3 x i16> %v)
  ret i16 %r
}
declare i16 @llvm.vector.reduce.umin.v3i16(<3 x i16>)

define i1 @umax1x4(<4 x i1> %v) {
  %r = call i1 @llvm.vector.reduce.umax.v4i1(<4 x i1> %v)
  ret i1 %r
}
declare i1 @llvm.vector.reduce.umax.v4i1(<4 x i1>)

define i7 @umax7x3(<3 x i7> %v) {
  %r = call i7 @llvm.vector.reduce.umax.v3i7(<3 x i7> %v)
  ret i7 %r
}
declare i7 @llvm.vector.reduce.umax.v3i7(<3 x i7>)

define i8 @umax8x16(<16 x i8> %v) {
  %r = call i8 @llvm.vector.reduce.umax.v16i8(<16 x i8> %v)
  ret i8 %r
}
declare i8 @llvm.vector.reduce.umax.v16i8(<16 x i8>)

define i32 @umax32x4(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.umax.v4i32(<4 x i32> %v)
  ret i32 %r
}
declare i32 @llvm.vector.reduce.umax.v4i32(<4 x i32>)

define i64 @umax64x2(<2 x i64> %v) {
  %r = call i64 @llvm.vector.reduce.umax.v2i64(<2 x i64> %v)
  ret i64 %r
}
declare i64 @llvm.vector.reduce.umax.v2i64(<2 x i64>)

define i16 @umax16x3(<3 x i16> %v) {
  %r = call i16 @llvm.vector.reduce.umax.v3i16(<3 x i16> %v)
  ret i16 %r
}
declare i16 @llvm.vector.reduce.umax.v3i16(<3 x i16>)

