; Extremes, and sums that are held at the limits.
; run: @smin1(0, 1) == 1
; run: @smin1(1, 1) == 1
; run: @smin1(1, 1) == 1
; run: @smin1(0, 1) == 1
; run: @smin1(0, 0) == 0
; run: @smin1(1, 0) == 1
; run: @smin7(63, 1) == 1
; run: @smin7(127, 1) == 127
; run: @smin7(64, 127) == 64
; run: @smin7(0, 1) == 0
; run: @smin7(2, 0) == 0
; run: @smin7(2, 63) == 2
; run: @smin7(63, 64) == 64
; run: @smin7(0, 0) == 0
; run: @smin7(76, 63) == 76
; run: @smin8(127, 1) == 1
; run: @smin8(-1, 1) == -1
; run: @smin8(-128, -1) == -128
; run: @smin8(0, 1) == 0
; run: @smin8(2, -128) == -128
; run: @smin8(1, -1) == -1
; run: @smin8(72, 127) == 72
; run: @smin8(2, 2) == 2
; run: @smin8(-1, 2) == -1
; run: @smin16(32767, 1) == 1
; run: @smin16(-1, 1) == -1
; run: @smin16(-32768, -1) == -32768
; run: @smin16(0, 1) == 0
; run: @smin16(21845, -23827) == -23827
; run: @smin16(-32768, 21845) == -32768
; run: @smin16(-1, 0) == -1
; run: @smin16(32767, -1) == -1
; run: @smin16(14617, 1) == 1
; run: @smin32(2147483647, 1) == 1
; run: @smin32(-1, 1) == -1
; run: @smin32(-2147483648, -1) == -2147483648
; run: @smin32(0, 1) == 0
; run: @smin32(1258282193, 1431655765) == 1258282193
; run: @smin32(1431655765, 1) == 1
; run: @smin32(-2147483648, 0) == -2147483648
; run: @smin32(2, 2147483647) == 2
; run: @smin32(0, 2147483647) == 0
; run: @smin33(4294967295, 1) == 1
; run: @smin33(8589934591, 1) == 8589934591
; run: @smin33(4294967296, 8589934591) == 4294967296
; run: @smin33(0, 1) == 0
; run: @smin33(0, 1839700615) == 0
; run: @smin33(2863311530, 2863311530) == 2863311530
; run: @smin33(5208463022, 1) == 5208463022
; run: @smin33(1839700615, 5208463022) == 5208463022
; run: @smin33(2863311530, 4294967295) == 2863311530
; run: @smin64(9223372036854775807, 1) == 1
; run: @smin64(-1, 1) == -1
; run: @smin64(-9223372036854775808, -1) == -9223372036854775808
; run: @smin64(0, 1) == 0
; run: @smin64(2, -9223372036854775808) == -9223372036854775808
; run: @smin64(-8244511804293983071, 2) == -8244511804293983071
; run: @smin64(-9223372036854775808, 0) == -9223372036854775808
; run: @smin64(1, 1) == 1
; run: @smin64(6256245952646263618, 6256245952646263618) == 6256245952646263618
; run: @smin128(170141183460469231731687303715884105727, 1) == 1
; run: @smin128(-1, 1) == -1
; run: @smin128(-170141183460469231731687303715884105728, -1) == -170141183460469231731687303715884105728
; run: @smin128(0, 1) == 0
; run: @smin128(-170141183460469231731687303715884105728, 1) == -170141183460469231731687303715884105728
; run: @smin128(170141183460469231731687303715884105727, -40021094077796507025178189034592924748) == -40021094077796507025178189034592924748
; run: @smin128(110092880946306066012577601405306393096, 1) == 1
; run: @smin128(0, -170141183460469231731687303715884105728) == -170141183460469231731687303715884105728
; run: @smin128(-40021094077796507025178189034592924748, -1) == -40021094077796507025178189034592924748
; run: @smax1(0, 1) == 0
; run: @smax1(1, 1) == 1
; run: @smax1(1, 1) == 1
; run: @smax1(0, 1) == 0
; run: @smax1(1, 0) == 0
; run: @smax1(0, 0) == 0
; run: @smax7(63, 1) == 63
; run: @smax7(127, 1) == 1
; run: @smax7(64, 127) == 127
; run: @smax7(0, 1) == 1
; run: @smax7(42, 42) == 42
; run: @smax7(64, 1) == 1
; run: @smax7(127, 2) == 2
; run: @smax7(103, 42) == 42
; run: @smax7(1, 64) == 1
; run: @smax8(127, 1) == 127
; run: @smax8(-1, 1) == 1
; run: @smax8(-128, -1) == -1
; run: @smax8(0, 1) == 1
; run: @smax8(2, 88) == 88
; run: @smax8(2, 85) == 85
; run: @smax8(1, 2) == 2
; run: @smax8(106, 127) == 127
; run: @smax8(-1, 88) == 88
; run: @smax16(32767, 1) == 32767
; run: @smax16(-1, 1) == 1
; run: @smax16(-32768, -1) == -1
; run: @smax16(0, 1) == 1
; run: @smax16(1, 0) == 1
; run: @smax16(1, 1) == 1
; run: @smax16(21845, 14419) == 21845
; run: @smax16(0, -32768) == 0
; run: @smax16(-29466, 21845) == 21845
; run: @smax32(2147483647, 1) == 2147483647
; run: @smax32(-1, 1) == 1
; run: @smax32(-2147483648, -1) == -1
; run: @smax32(0, 1) == 1
; run: @smax32(-1, 1431655765) == 1431655765
; run: @smax32(-343940501, 1431655765) == 1431655765
; run: @smax32(0, -1) == 0
; run: @smax32(-343940501, -1849489012) == -343940501
; run: @smax32(2147483647, 1431655765) == 2147483647
; run: @smax33(4294967295, 1) == 4294967295
; run: @smax33(8589934591, 1) == 1
; run: @smax33(4294967296, 8589934591) == 8589934591
; run: @smax33(0, 1) == 1
; run: @smax33(0, 8589934591) == 0
; run: @smax33(2863311530, 3959631467) == 3959631467
; run: @smax33(2863311530, 4294967296) == 2863311530
; run: @smax33(4294967295, 2863311530) == 4294967295
; run: @smax33(3959631467, 2) == 3959631467
; run: @smax64(9223372036854775807, 1) == 9223372036854775807
; run: @smax64(-1, 1) == 1
; run: @smax64(-9223372036854775808, -1) == -1
; run: @smax64(0, 1) == 1
; run: @smax64(5084482164143830540, -1) == 5084482164143830540
; run: @smax64(0, 0) == 0
; run: @smax64(5084482164143830540, -9223372036854775808) == 5084482164143830540
; run: @smax64(5084482164143830540, 69574056246168247) == 5084482164143830540
; run: @smax64(6148914691236517205, -9223372036854775808) == 6148914691236517205
; run: @smax128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105727
; run: @smax128(-1, 1) == 1
; run: @smax128(-170141183460469231731687303715884105728, -1) == -1
; run: @smax128(0, 1) == 1
; run: @smax128(-161188779370638978021145999237647884612, -161188779370638978021145999237647884612) == -161188779370638978021145999237647884612
; run: @smax128(-161188779370638978021145999237647884612, 170141183460469231731687303715884105727) == 170141183460469231731687303715884105727
; run: @smax128(85633331177475923683911298997629411777, -170141183460469231731687303715884105728) == 85633331177475923683911298997629411777
; run: @smax128(0, -161188779370638978021145999237647884612) == 0
; run: @smax128(85633331177475923683911298997629411777, -161188779370638978021145999237647884612) == 85633331177475923683911298997629411777
; run: @umin1(0, 1) == 0
; run: @umin1(1, 1) == 1
; run: @umin1(1, 1) == 1
; run: @umin1(0, 1) == 0
; run: @umin1(1, 0) == 0
; run: @umin1(0, 0) == 0
; run: @umin7(63, 1) == 1
; run: @umin7(127, 1) == 1
; run: @umin7(64, 127) == 64
; run: @umin7(0, 1) == 0
; run: @umin7(127, 64) == 64
; run: @umin7(50, 1) == 1
; run: @umin7(50, 64) == 50
; run: @umin7(1, 64) == 1
; run: @umin7(2, 42) == 2
; run: @umin8(127, 1) == 1
; run: @umin8(-1, 1) == 1
; run: @umin8(-128, -1) == -128
; run: @umin8(0, 1) == 0
; run: @umin8(127, 0) == 0
; run: @umin8(1, -128) == 1
; run: @umin8(127, 2) == 2
; run: @umin8(1, 127) == 1
; run: @umin8(2, 127) == 2
; run: @umin16(32767, 1) == 1
; run: @umin16(-1, 1) == 1
; run: @umin16(-32768, -1) == -32768
; run: @umin16(0, 1) == 0
; run: @umin16(32767, 2) == 2
; run: @umin16(-32768, 1) == 1
; run: @umin16(32767, -32623) == 32767
; run: @umin16(1, 21845) == 1
; run: @umin16(2, 1) == 1
; run: @umin32(2147483647, 1) == 1
; run: @umin32(-1, 1) == 1
; run: @umin32(-2147483648, -1) == -2147483648
; run: @umin32(0, 1) == 0
; run: @umin32(1533954224, -2048318180) == 1533954224
; run: @umin32(-2048318180, 1) == 1
; run: @umin32(1533954224, -1) == 1533954224
; run: @umin32(1, 2147483647) == 1
; run: @umin32(1431655765, 2147483647) == 1431655765
; run: @umin33(4294967295, 1) == 1
; run: @umin33(8589934591, 1) == 1
; run: @umin33(4294967296, 8589934591) == 4294967296
; run: @umin33(0, 1) == 0
; run: @umin33(753301758, 2863311530) == 753301758
; run: @umin33(4294967295, 8589934591) == 4294967295
; run: @umin33(0, 4294967296) == 0
; run: @umin33(2, 0) == 0
; run: @umin33(2, 4280409434) == 2
; run: @umin64(9223372036854775807, 1) == 1
; run: @umin64(-1, 1) == 1
; run: @umin64(-9223372036854775808, -1) == -9223372036854775808
; run: @umin64(0, 1) == 0
; run: @umin64(1, -9223372036854775808) == 1
; run: @umin64(1, 0) == 0
; run: @umin64(1, -1) == 1
; run: @umin64(-9223372036854775808, 1) == 1
; run: @umin64(-1639707154354798771, -9223372036854775808) == -9223372036854775808
; run: @umin128(170141183460469231731687303715884105727, 1) == 1
; run: @umin128(-1, 1) == 1
; run: @umin128(-170141183460469231731687303715884105728, -1) == -170141183460469231731687303715884105728
; run: @umin128(0, 1) == 0
; run: @umin128(0, 2) == 0
; run: @umin128(-1, 0) == 0
; run: @umin128(-1, -1) == -1
; run: @umin128(113427455640312821154458202477256070485, 113427455640312821154458202477256070485) == 113427455640312821154458202477256070485
; run: @umin128(2, -86697242494465384685542636515346843579) == 2
; run: @umax1(0, 1) == 1
; run: @umax1(1, 1) == 1
; run: @umax1(1, 1) == 1
; run: @umax1(0, 1) == 1
; run: @umax1(0, 0) == 0
; run: @umax1(1, 0) == 1
; run: @umax7(63, 1) == 63
; run: @umax7(127, 1) == 127
; run: @umax7(64, 127) == 127
; run: @umax7(0, 1) == 1
; run: @umax7(2, 1) == 2
; run: @umax7(2, 18) == 18
; run: @umax7(0, 64) == 64
; run: @umax7(0, 32) == 32
; run: @umax7(0, 18) == 18
; run: @umax8(127, 1) == 127
; run: @umax8(-1, 1) == -1
; run: @umax8(-128, -1) == -1
; run: @umax8(0, 1) == 1
; run: @umax8(107, 19) == 107
; run: @umax8(0, 127) == 127
; run: @umax8(0, -128) == -128
; run: @umax8(19, -128) == -128
; run: @umax8(0, 19) == 19
; run: @umax16(32767, 1) == 32767
; run: @umax16(-1, 1) == -1
; run: @umax16(-32768, -1) == -1
; run: @umax16(0, 1) == 1
; run: @umax16(32767, -1) == -1
; run: @umax16(32767, 21845) == 32767
; run: @umax16(9354, -32768) == -32768
; run: @umax16(0, 21845) == 21845
; run: @umax16(-27625, 1) == -27625
; run: @umax32(2147483647, 1) == 2147483647
; run: @umax32(-1, 1) == -1
; run: @umax32(-2147483648, -1) == -1
; run: @umax32(0, 1) == 1
; run: @umax32(-2147483648, 2) == -2147483648
; run: @umax32(1220419494, 2147483647) == 2147483647
; run: @umax32(2, 1431655765) == 1431655765
; run: @umax32(2, 0) == 2
; run: @umax32(0, -2147483648) == -2147483648
; run: @umax33(4294967295, 1) == 4294967295
; run: @umax33(8589934591, 1) == 8589934591
; run: @umax33(4294967296, 8589934591) == 8589934591
; run: @umax33(0, 1) == 1
; run: @umax33(2863311530, 2) == 2863311530
; run: @umax33(4294967296, 1) == 4294967296
; run: @umax33(0, 2863311530) == 2863311530
; run: @umax33(8589934591, 6432852025) == 8589934591
; run: @umax33(2, 2863311530) == 2863311530
; run: @umax64(9223372036854775807, 1) == 9223372036854775807
; run: @umax64(-1, 1) == -1
; run: @umax64(-9223372036854775808, -1) == -1
; run: @umax64(0, 1) == 1
; run: @umax64(0, 6148914691236517205) == 6148914691236517205
; run: @umax64(-9223372036854775808, -9223372036854775808) == -9223372036854775808
; run: @umax64(5163374637573862808, 1) == 5163374637573862808
; run: @umax64(6148914691236517205, 6148914691236517205) == 6148914691236517205
; run: @umax64(2, -1) == -1
; run: @umax128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105727
; run: @umax128(-1, 1) == -1
; run: @umax128(-170141183460469231731687303715884105728, -1) == -1
; run: @umax128(0, 1) == 1
; run: @umax128(170141183460469231731687303715884105727, 170141183460469231731687303715884105727) == 170141183460469231731687303715884105727
; run: @umax128(-1, 2) == -1
; run: @umax128(2, -48677144983393100526039382589642790068) == -48677144983393100526039382589642790068
; run: @umax128(170141183460469231731687303715884105727, -48677144983393100526039382589642790068) == -48677144983393100526039382589642790068
; run: @umax128(170141183460469231731687303715884105727, -1) == -1
; run: @sadd_sat1(0, 1) == 1
; run: @sadd_sat1(1, 1) == 1
; run: @sadd_sat1(1, 1) == 1
; run: @sadd_sat1(0, 1) == 1
; run: @sadd_sat1(1, 0) == 1
; run: @sadd_sat1(0, 0) == 0
; run: @sadd_sat7(63, 1) == 63
; run: @sadd_sat7(127, 1) == 0
; run: @sadd_sat7(64, 127) == 64
; run: @sadd_sat7(0, 1) == 1
; run: @sadd_sat7(18, 0) == 18
; run: @sadd_sat7(18, 64) == 82
; run: @sadd_sat7(63, 42) == 63
; run: @sadd_sat7(2, 1) == 3
; run: @sadd_sat7(0, 18) == 18
; run: @sadd_sat8(127, 1) == 127
; run: @sadd_sat8(-1, 1) == 0
; run: @sadd_sat8(-128, -1) == -128
; run: @sadd_sat8(0, 1) == 1
; run: @sadd_sat8(-1, -1) == -2
; run: @sadd_sat8(85, -6) == 79
; run: @sadd_sat8(-6, 0) == -6
; run: @sadd_sat8(127, 85) == 127
; run: @sadd_sat8(-125, -1) == -126
; run: @sadd_sat16(32767, 1) == 32767
; run: @sadd_sat16(-1, 1) == 0
; run: @sadd_sat16(-32768, -1) == -32768
; run: @sadd_sat16(0, 1) == 1
; run: @sadd_sat16(2, -5885) == -5883
; run: @sadd_sat16(2, -1) == 1
; run: @sadd_sat16(21845, -1) == 21844
; run: @sadd_sat16(1, 21845) == 21846
; run: @sadd_sat16(32767, 2) == 32767
; run: @sadd_sat32(2147483647, 1) == 2147483647
; run: @sadd_sat32(-1, 1) == 0
; run: @sadd_sat32(-2147483648, -1) == -2147483648
; run: @sadd_sat32(0, 1) == 1
; run: @sadd_sat32(-2147483648, 0) == -2147483648
; run: @sadd_sat32(522023426, 522023426) == 1044046852
; run: @sadd_sat32(1, 1) == 2
; run: @sadd_sat32(522023426, 1) == 522023427
; run: @sadd_sat32(0, 1742255692) == 1742255692
; run: @sadd_sat33(4294967295, 1) == 4294967295
; run: @sadd_sat33(8589934591, 1) == 0
; run: @sadd_sat33(4294967296, 8589934591) == 4294967296
; run: @sadd_sat33(0, 1) == 1
; run: @sadd_sat33(1, 4294967295) == 4294967295
; run: @sadd_sat33(0, 4294967295) == 4294967295
; run: @sadd_sat33(2863311530, 1) == 2863311531
; run: @sadd_sat33(8589934591, 4294967296) == 4294967296
; run: @sadd_sat33(4294967296, 2) == 4294967298
; run: @sadd_sat64(9223372036854775807, 1) == 9223372036854775807
; run: @sadd_sat64(-1, 1) == 0
; run: @sadd_sat64(-9223372036854775808, -1) == -9223372036854775808
; run: @sadd_sat64(0, 1) == 1
; run: @sadd_sat64(0, 5105089863587798284) == 5105089863587798284
; run: @sadd_sat64(-1, 0) == -1
; run: @sadd_sat64(5105089863587798284, 9223372036854775807) == 9223372036854775807
; run: @sadd_sat64(-1, -7180274581334811232) == -7180274581334811233
; run: @sadd_sat64(0, 6148914691236517205) == 6148914691236517205
; run: @sadd_sat128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105727
; run: @sadd_sat128(-1, 1) == 0
; run: @sadd_sat128(-170141183460469231731687303715884105728, -1) == -170141183460469231731687303715884105728
; run: @sadd_sat128(0, 1) == 1
; run: @sadd_sat128(78017133946554631364232077183258827871, 1) == 78017133946554631364232077183258827872
; run: @sadd_sat128(-169831931431009581602281439994258793847, 2) == -169831931431009581602281439994258793845
; run: @sadd_sat128(1, -169831931431009581602281439994258793847) == -169831931431009581602281439994258793846
; run: @sadd_sat128(-170141183460469231731687303715884105728, -170141183460469231731687303715884105728) == -170141183460469231731687303715884105728
; run: @sadd_sat128(2, 170141183460469231731687303715884105727) == 170141183460469231731687303715884105727
; run: @ssub_sat1(0, 1) == 0
; run: @ssub_sat1(1, 1) == 0
; run: @ssub_sat1(1, 1) == 0
; run: @ssub_sat1(0, 1) == 0
; run: @ssub_sat1(0, 0) == 0
; run: @ssub_sat1(1, 0) == 1
; run: @ssub_sat7(63, 1) == 62
; run: @ssub_sat7(127, 1) == 126
; run: @ssub_sat7(64, 127) == 65
; run: @ssub_sat7(0, 1) == 127
; run: @ssub_sat7(103, 2) == 101
; run: @ssub_sat7(127, 63) == 64
; run: @ssub_sat7(1, 127) == 2
; run: @ssub_sat7(42, 102) == 63
; run: @ssub_sat7(64, 2) == 64
; run: @ssub_sat8(127, 1) == 126
; run: @ssub_sat8(-1, 1) == -2
; run: @ssub_sat8(-128, -1) == -127
; run: @ssub_sat8(0, 1) == -1
; run: @ssub_sat8(72, 127) == -55
; run: @ssub_sat8(1, 1) == 0
; run: @ssub_sat8(127, -128) == 127
; run: @ssub_sat8(85, 127) == -42
; run: @ssub_sat8(-1, -1) == 0
; run: @ssub_sat16(32767, 1) == 32766
; run: @ssub_sat16(-1, 1) == -2
; run: @ssub_sat16(-32768, -1) == -32767
; run: @ssub_sat16(0, 1) == -1
; run: @ssub_sat16(5763, -32768) == 32767
; run: @ssub_sat16(-32768, 0) == -32768
; run: @ssub_sat16(0, -1) == 1
; run: @ssub_sat16(2, -1) == 3
; run: @ssub_sat16(0, 14838) == -14838
; run: @ssub_sat32(2147483647, 1) == 2147483646
; run: @ssub_sat32(-1, 1) == -2
; run: @ssub_sat32(-2147483648, -1) == -2147483647
; run: @ssub_sat32(0, 1) == -1
; run: @ssub_sat32(-299751493, 1461575308) == -1761326801
; run: @ssub_sat32(1, -1) == 2
; run: @ssub_sat32(-2147483648, 1461575308) == -2147483648
; run: @ssub_sat32(1431655765, 2) == 1431655763
; run: @ssub_sat32(2147483647, -299751493) == 2147483647
; run: @ssub_sat33(4294967295, 1) == 4294967294
; run: @ssub_sat33(8589934591, 1) == 8589934590
; run: @ssub_sat33(4294967296, 8589934591) == 4294967297
; run: @ssub_sat33(0, 1) == 8589934591
; run: @ssub_sat33(0, 0) == 0
; run: @ssub_sat33(8589934591, 1243417714) == 7346516877
; run: @ssub_sat33(2, 1243417714) == 7346516880
; run: @ssub_sat33(4294967295, 2) == 4294967293
; run: @ssub_sat33(1243417714, 1243417714) == 0
; run: @ssub_sat64(9223372036854775807, 1) == 9223372036854775806
; run: @ssub_sat64(-1, 1) == -2
; run: @ssub_sat64(-9223372036854775808, -1) == -9223372036854775807
; run: @ssub_sat64(0, 1) == -1
; run: @ssub_sat64(1, -1) == 2
; run: @ssub_sat64(9223372036854775807, 6148914691236517205) == 3074457345618258602
; run: @ssub_sat64(-9223372036854775808, 6148914691236517205) == -9223372036854775808
; run: @ssub_sat64(9223372036854775807, 9223372036854775807) == 0
; run: @ssub_sat64(-1, 0) == -1
; run: @ssub_sat128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105726
; run: @ssub_sat128(-1, 1) == -2
; run: @ssub_sat128(-170141183460469231731687303715884105728, -1) == -170141183460469231731687303715884105727
; run: @ssub_sat128(0, 1) == -1
; run: @ssub_sat128(69016196179567539231845720780168321833, 0) == 69016196179567539231845720780168321833
; run: @ssub_sat128(-1, 0) == -1
; run: @ssub_sat128(113427455640312821154458202477256070485, 75290606511140103226732892852432482463) == 38136849129172717927725309624823588022
; run: @ssub_sat128(-1, 170141183460469231731687303715884105727) == -170141183460469231731687303715884105728
; run: @ssub_sat128(75290606511140103226732892852432482463, -1) == 75290606511140103226732892852432482464
; run: @uadd_sat1(0, 1) == 1
; run: @uadd_sat1(1, 1) == 1
; run: @uadd_sat1(1, 1) == 1
; run: @uadd_sat1(0, 1) == 1
; run: @uadd_sat1(0, 0) == 0
; run: @uadd_sat1(1, 0) == 1
; run: @uadd_sat7(63, 1) == 64
; run: @uadd_sat7(127, 1) == 127
; run: @uadd_sat7(64, 127) == 127
; run: @uadd_sat7(0, 1) == 1
; run: @uadd_sat7(2, 42) == 44
; run: @uadd_sat7(1, 64) == 65
; run: @uadd_sat7(42, 118) == 127
; run: @uadd_sat7(127, 42) == 127
; run: @uadd_sat7(2, 127) == 127
; run: @uadd_sat8(127, 1) == -128
; run: @uadd_sat8(-1, 1) == -1
; run: @uadd_sat8(-128, -1) == -1
; run: @uadd_sat8(0, 1) == 1
; run: @uadd_sat8(-70, 85) == -1
; run: @uadd_sat8(0, -70) == -70
; run: @uadd_sat8(85, 127) == -44
; run: @uadd_sat8(0, -85) == -85
; run: @uadd_sat8(127, 85) == -44
; run: @uadd_sat16(32767, 1) == -32768
; run: @uadd_sat16(-1, 1) == -1
; run: @uadd_sat16(-32768, -1) == -1
; run: @uadd_sat16(0, 1) == 1
; run: @uadd_sat16(-32768, 30662) == -2106
; run: @uadd_sat16(-1, 30662) == -1
; run: @uadd_sat16(1, 32767) == -32768
; run: @uadd_sat16(-1, 21845) == -1
; run: @uadd_sat16(21845, 1) == 21846
; run: @uadd_sat32(2147483647, 1) == -2147483648
; run: @uadd_sat32(-1, 1) == -1
; run: @uadd_sat32(-2147483648, -1) == -1
; run: @uadd_sat32(0, 1) == 1
; run: @uadd_sat32(-2147483648, 670837387) == -1476646261
; run: @uadd_sat32(-1, 0) == -1
; run: @uadd_sat32(2, 670837387) == 670837389
; run: @uadd_sat32(1431655765, -2147483648) == -715827883
; run: @uadd_sat32(670837387, 904013511) == 1574850898
; run: @uadd_sat33(4294967295, 1) == 4294967296
; run: @uadd_sat33(8589934591, 1) == 8589934591
; run: @uadd_sat33(4294967296, 8589934591) == 8589934591
; run: @uadd_sat33(0, 1) == 1
; run: @uadd_sat33(2863311530, 6055592012) == 8589934591
; run: @uadd_sat33(6055592012, 3947631843) == 8589934591
; run: @uadd_sat33(4294967296, 2863311530) == 7158278826
; run: @uadd_sat33(0, 6055592012) == 6055592012
; run: @uadd_sat33(4294967296, 2) == 4294967298
; run: @uadd_sat64(9223372036854775807, 1) == -9223372036854775808
; run: @uadd_sat64(-1, 1) == -1
; run: @uadd_sat64(-9223372036854775808, -1) == -1
; run: @uadd_sat64(0, 1) == 1
; run: @uadd_sat64(2, 1) == 3
; run: @uadd_sat64(-9223372036854775808, 6148914691236517205) == -3074457345618258603
; run: @uadd_sat64(1, 0) == 1
; run: @uadd_sat64(2, -7842618965925034626) == -7842618965925034624
; run: @uadd_sat64(0, -7467614950547434517) == -7467614950547434517
; run: @uadd_sat128(170141183460469231731687303715884105727, 1) == -170141183460469231731687303715884105728
; run: @uadd_sat128(-1, 1) == -1
; run: @uadd_sat128(-170141183460469231731687303715884105728, -1) == -1
; run: @uadd_sat128(0, 1) == 1
; run: @uadd_sat128(1, -170141183460469231731687303715884105728) == -170141183460469231731687303715884105727
; run: @uadd_sat128(-1, 0) == -1
; run: @uadd_sat128(113427455640312821154458202477256070485, 2) == 113427455640312821154458202477256070487
; run: @uadd_sat128(2, 1) == 3
; run: @uadd_sat128(2, 0) == 2
; run: @usub_sat1(0, 1) == 0
; run: @usub_sat1(1, 1) == 0
; run: @usub_sat1(1, 1) == 0
; run: @usub_sat1(0, 1) == 0
; run: @usub_sat1(0, 0) == 0
; run: @usub_sat1(1, 0) == 1
; run: @usub_sat7(63, 1) == 62
; run: @usub_sat7(127, 1) == 126
; run: @usub_sat7(64, 127) == 0
; run: @usub_sat7(0, 1) == 0
; run: @usub_sat7(63, 57) == 6
; run: @usub_sat7(42, 2) == 40
; run: @usub_sat7(63, 63) == 0
; run: @usub_sat7(2, 64) == 0
; run: @usub_sat7(57, 63) == 0
; run: @usub_sat8(127, 1) == 126
; run: @usub_sat8(-1, 1) == -2
; run: @usub_sat8(-128, -1) == 0
; run: @usub_sat8(0, 1) == 0
; run: @usub_sat8(98, 127) == 0
; run: @usub_sat8(85, -128) == 0
; run: @usub_sat8(127, -128) == 0
; run: @usub_sat8(1, -1) == 0
; run: @usub_sat8(-1, -39) == 38
; run: @usub_sat16(32767, 1) == 32766
; run: @usub_sat16(-1, 1) == -2
; run: @usub_sat16(-32768, -1) == 0
; run: @usub_sat16(0, 1) == 0
; run: @usub_sat16(0, -32768) == 0
; run: @usub_sat16(-1, -31574) == 31573
; run: @usub_sat16(-31574, -32768) == 1194
; run: @usub_sat16(21845, 1) == 21844
; run: @usub_sat16(32767, -1) == 0
; run: @usub_sat32(2147483647, 1) == 2147483646
; run: @usub_sat32(-1, 1) == -2
; run: @usub_sat32(-2147483648, -1) == 0
; run: @usub_sat32(0, 1) == 0
; run: @usub_sat32(-1, 948352766) == -948352767
; run: @usub_sat32(948352766, 2147483647) == 0
; run: @usub_sat32(2147483647, 1431655765) == 715827882
; run: @usub_sat32(-2147483648, 0) == -2147483648
; run: @usub_sat32(2, 948352766) == 0
; run: @usub_sat33(4294967295, 1) == 4294967294
; run: @usub_sat33(8589934591, 1) == 8589934590
; run: @usub_sat33(4294967296, 8589934591) == 0
; run: @usub_sat33(0, 1) == 0
; run: @usub_sat33(4294967295, 0) == 4294967295
; run: @usub_sat33(4294967296, 5497553123) == 0
; run: @usub_sat33(4294967296, 0) == 4294967296
; run: @usub_sat33(2, 0) == 2
; run: @usub_sat33(8589934591, 4294967295) == 4294967296
; run: @usub_sat64(9223372036854775807, 1) == 9223372036854775806
; run: @usub_sat64(-1, 1) == -2
; run: @usub_sat64(-9223372036854775808, -1) == 0
; run: @usub_sat64(0, 1) == 0
; run: @usub_sat64(-9223372036854775808, 9223372036854775807) == 1
; run: @usub_sat64(2, 2) == 0
; run: @usub_sat64(1, -1) == 0
; run: @usub_sat64(0, -1) == 0
; run: @usub_sat64(9223372036854775807, 9223372036854775807) == 0
; run: @usub_sat128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105726
; run: @usub_sat128(-1, 1) == -2
; run: @usub_sat128(-170141183460469231731687303715884105728, -1) == 0
; run: @usub_sat128(0, 1) == 0
; run: @usub_sat128(-123730330900268596041588656926771873473, -1) == 0
; run: @usub_sat128(-31273230177331628245054475703353171708, -1) == 0
; run: @usub_sat128(-170141183460469231731687303715884105728, 0) == -170141183460469231731687303715884105728
; run: @usub_sat128(-1, 113427455640312821154458202477256070485) == -113427455640312821154458202477256070486
; run: @usub_sat128(113427455640312821154458202477256070485, 1) == 113427455640312821154458202477256070484

define i1 @smin1(i1 %a, i1 %b) {
  %r = call i1 @llvm.smin.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.smin.i1(i1, i1)

define i7 @smin7(i7 %a, i7 %b) {
  %r = call i7 @llvm.smin.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.smin.i7(i7, i7)

define i8 @smin8(i8 %a, i8 %b) {
  %r = call i8 @llvm.smin.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.smin.i8(i8, i8)

define i16 @smin16(i16 %a, i16 %b) {
  %r = call i16 @llvm.smin.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.smin.i16(i16, i16)

define i32 @smin32(i32 %a, i32 %b) {
  %r = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.smin.i32(i32, i32)

define i33 @smin33(i33 %a, i33 %b) {
  %r = call i33 @llvm.smin.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.smin.i33(i33, i33)

define i64 @smin64(i64 %a, i64 %b) {
  %r = call i64 @llvm.smin.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.smin.i64(i64, i64)

define i128 @smin128(i128 %a, i128 %b) {
  %r = call i128 @llvm.smin.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.smin.i128(i128, i128)

define i1 @smax1(i1 %a, i1 %b) {
  %r = call i1 @llvm.smax.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.smax.i1(i1, i1)

define i7 @smax7(i7 %a, i7 %b) {
  %r = call i7 @llvm.smax.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.smax.i7(i7, i7)

define i8 @smax8(i8 %a, i8 %b) {
  %r = call i8 @llvm.smax.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.smax.i8(i8, i8)

define i16 @smax16(i16 %a, i16 %b) {
  %r = call i16 @llvm.smax.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.smax.i16(i16, i16)

define i32 @smax32(i32 %a, i32 %b) {
  %r = call i32 @llvm.smax.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.smax.i32(i32, i32)

define i33 @smax33(i33 %a, i33 %b) {
  %r = call i33 @llvm.smax.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.smax.i33(i33, i33)

define i64 @smax64(i64 %a, i64 %b) {
  %r = call i64 @llvm.smax.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.smax.i64(i64, i64)

define i128 @smax128(i128 %a, i128 %b) {
  %r = call i128 @llvm.smax.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.smax.i128(i128, i128)

define i1 @umin1(i1 %a, i1 %b) {
  %r = call i1 @llvm.umin.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.umin.i1(i1, i1)

define i7 @umin7(i7 %a, i7 %b) {
  %r = call i7 @llvm.umin.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.umin.i7(i7, i7)

define i8 @umin8(i8 %a, i8 %b) {
  %r = call i8 @llvm.umin.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.umin.i8(i8, i8)

define i16 @umin16(i16 %a, i16 %b) {
  %r = call i16 @llvm.umin.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.umin.i16(i16, i16)

define i32 @umin32(i32 %a, i32 %b) {
  %r = call i32 @llvm.umin.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.umin.i32(i32, i32)

define i33 @umin33(i33 %a, i33 %b) {
  %r = call i33 @llvm.umin.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.umin.i33(i33, i33)

define i64 @umin64(i64 %a, i64 %b) {
  %r = call i64 @llvm.umin.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.umin.i64(i64, i64)

define i128 @umin128(i128 %a, i128 %b) {
  %r = call i128 @llvm.umin.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.umin.i128(i128, i128)

define i1 @umax1(i1 %a, i1 %b) {
  %r = call i1 @llvm.umax.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.umax.i1(i1, i1)

define i7 @umax7(i7 %a, i7 %b) {
  %r = call i7 @llvm.umax.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.umax.i7(i7, i7)

define i8 @umax8(i8 %a, i8 %b) {
  %r = call i8 @llvm.umax.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.umax.i8(i8, i8)

define i16 @umax16(i16 %a, i16 %b) {
  %r = call i16 @llvm.umax.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.umax.i16(i16, i16)

define i32 @umax32(i32 %a, i32 %b) {
  %r = call i32 @llvm.umax.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.umax.i32(i32, i32)

define i33 @umax33(i33 %a, i33 %b) {
  %r = call i33 @llvm.umax.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.umax.i33(i33, i33)

define i64 @umax64(i64 %a, i64 %b) {
  %r = call i64 @llvm.umax.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.umax.i64(i64, i64)

define i128 @umax128(i128 %a, i128 %b) {
  %r = call i128 @llvm.umax.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.umax.i128(i128, i128)

define i1 @sadd_sat1(i1 %a, i1 %b) {
  %r = call i1 @llvm.sadd.sat.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.sadd.sat.i1(i1, i1)

define i7 @sadd_sat7(i7 %a, i7 %b) {
  %r = call i7 @llvm.sadd.sat.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.sadd.sat.i7(i7, i7)

define i8 @sadd_sat8(i8 %a, i8 %b) {
  %r = call i8 @llvm.sadd.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.sadd.sat.i8(i8, i8)

define i16 @sadd_sat16(i16 %a, i16 %b) {
  %r = call i16 @llvm.sadd.sat.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.sadd.sat.i16(i16, i16)

define i32 @sadd_sat32(i32 %a, i32 %b) {
  %r = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.sadd.sat.i32(i32, i32)

define i33 @sadd_sat33(i33 %a, i33 %b) {
  %r = call i33 @llvm.sadd.sat.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.sadd.sat.i33(i33, i33)

define i64 @sadd_sat64(i64 %a, i64 %b) {
  %r = call i64 @llvm.sadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.sadd.sat.i64(i64, i64)

define i128 @sadd_sat128(i128 %a, i128 %b) {
  %r = call i128 @llvm.sadd.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.sadd.sat.i128(i128, i128)

define i1 @ssub_sat1(i1 %a, i1 %b) {
  %r = call i1 @llvm.ssub.sat.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.ssub.sat.i1(i1, i1)

define i7 @ssub_sat7(i7 %a, i7 %b) {
  %r = call i7 @llvm.ssub.sat.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.ssub.sat.i7(i7, i7)

define i8 @ssub_sat8(i8 %a, i8 %b) {
  %r = call i8 @llvm.ssub.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.ssub.sat.i8(i8, i8)

define i16 @ssub_sat16(i16 %a, i16 %b) {
  %r = call i16 @llvm.ssub.sat.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.ssub.sat.i16(i16, i16)

define i32 @ssub_sat32(i32 %a, i32 %b) {
  %r = call i32 @llvm.ssub.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.ssub.sat.i32(i32, i32)

define i33 @ssub_sat33(i33 %a, i33 %b) {
  %r = call i33 @llvm.ssub.sat.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.ssub.sat.i33(i33, i33)

define i64 @ssub_sat64(i64 %a, i64 %b) {
  %r = call i64 @llvm.ssub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.ssub.sat.i64(i64, i64)

define i128 @ssub_sat128(i128 %a, i128 %b) {
  %r = call i128 @llvm.ssub.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.ssub.sat.i128(i128, i128)

define i1 @uadd_sat1(i1 %a, i1 %b) {
  %r = call i1 @llvm.uadd.sat.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.uadd.sat.i1(i1, i1)

define i7 @uadd_sat7(i7 %a, i7 %b) {
  %r = call i7 @llvm.uadd.sat.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.uadd.sat.i7(i7, i7)

define i8 @uadd_sat8(i8 %a, i8 %b) {
  %r = call i8 @llvm.uadd.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.uadd.sat.i8(i8, i8)

define i16 @uadd_sat16(i16 %a, i16 %b) {
  %r = call i16 @llvm.uadd.sat.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.uadd.sat.i16(i16, i16)

define i32 @uadd_sat32(i32 %a, i32 %b) {
  %r = call i32 @llvm.uadd.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.uadd.sat.i32(i32, i32)

define i33 @uadd_sat33(i33 %a, i33 %b) {
  %r = call i33 @llvm.uadd.sat.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.uadd.sat.i33(i33, i33)

define i64 @uadd_sat64(i64 %a, i64 %b) {
  %r = call i64 @llvm.uadd.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.uadd.sat.i64(i64, i64)

define i128 @uadd_sat128(i128 %a, i128 %b) {
  %r = call i128 @llvm.uadd.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.uadd.sat.i128(i128, i128)

define i1 @usub_sat1(i1 %a, i1 %b) {
  %r = call i1 @llvm.usub.sat.i1(i1 %a, i1 %b)
  ret i1 %r
}
declare i1 @llvm.usub.sat.i1(i1, i1)

define i7 @usub_sat7(i7 %a, i7 %b) {
  %r = call i7 @llvm.usub.sat.i7(i7 %a, i7 %b)
  ret i7 %r
}
declare i7 @llvm.usub.sat.i7(i7, i7)

define i8 @usub_sat8(i8 %a, i8 %b) {
  %r = call i8 @llvm.usub.sat.i8(i8 %a, i8 %b)
  ret i8 %r
}
declare i8 @llvm.usub.sat.i8(i8, i8)

define i16 @usub_sat16(i16 %a, i16 %b) {
  %r = call i16 @llvm.usub.sat.i16(i16 %a, i16 %b)
  ret i16 %r
}
declare i16 @llvm.usub.sat.i16(i16, i16)

define i32 @usub_sat32(i32 %a, i32 %b) {
  %r = call i32 @llvm.usub.sat.i32(i32 %a, i32 %b)
  ret i32 %r
}
declare i32 @llvm.usub.sat.i32(i32, i32)

define i33 @usub_sat33(i33 %a, i33 %b) {
  %r = call i33 @llvm.usub.sat.i33(i33 %a, i33 %b)
  ret i33 %r
}
declare i33 @llvm.usub.sat.i33(i33, i33)

define i64 @usub_sat64(i64 %a, i64 %b) {
  %r = call i64 @llvm.usub.sat.i64(i64 %a, i64 %b)
  ret i64 %r
}
declare i64 @llvm.usub.sat.i64(i64, i64)

define i128 @usub_sat128(i128 %a, i128 %b) {
  %r = call i128 @llvm.usub.sat.i128(i128 %a, i128 %b)
  ret i128 %r
}
declare i128 @llvm.usub.sat.i128(i128, i128)

