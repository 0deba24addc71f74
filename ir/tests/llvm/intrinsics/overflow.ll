; Arithmetic that says whether it wrapped.
; run: @sadd1(0, 1) == 1
; run: @sadd1_wraps(0, 1) == 0
; run: @sadd1(1, 1) == 0
; run: @sadd1_wraps(1, 1) == 1
; run: @sadd1(1, 1) == 0
; run: @sadd1_wraps(1, 1) == 1
; run: @sadd1(0, 1) == 1
; run: @sadd1_wraps(0, 1) == 0
; run: @sadd1(0, 0) == 0
; run: @sadd1_wraps(0, 0) == 0
; run: @sadd1(1, 0) == 1
; run: @sadd1_wraps(1, 0) == 0
; run: @sadd7(63, 1) == 64
; run: @sadd7_wraps(63, 1) == 1
; run: @sadd7(127, 1) == 0
; run: @sadd7_wraps(127, 1) == 0
; run: @sadd7(64, 127) == 63
; run: @sadd7_wraps(64, 127) == 1
; run: @sadd7(0, 1) == 1
; run: @sadd7_wraps(0, 1) == 0
; run: @sadd7(120, 2) == 122
; run: @sadd7_wraps(120, 2) == 0
; run: @sadd7(14, 0) == 14
; run: @sadd7_wraps(14, 0) == 0
; run: @sadd7(0, 0) == 0
; run: @sadd7_wraps(0, 0) == 0
; run: @sadd8(127, 1) == -128
; run: @sadd8_wraps(127, 1) == 1
; run: @sadd8(-1, 1) == 0
; run: @sadd8_wraps(-1, 1) == 0
; run: @sadd8(-128, -1) == 127
; run: @sadd8_wraps(-128, -1) == 1
; run: @sadd8(0, 1) == 1
; run: @sadd8_wraps(0, 1) == 0
; run: @sadd8(-1, 0) == -1
; run: @sadd8_wraps(-1, 0) == 0
; run: @sadd8(2, 127) == -127
; run: @sadd8_wraps(2, 127) == 1
; run: @sadd8(-128, 2) == -126
; run: @sadd8_wraps(-128, 2) == 0
; run: @sadd16(32767, 1) == -32768
; run: @sadd16_wraps(32767, 1) == 1
; run: @sadd16(-1, 1) == 0
; run: @sadd16_wraps(-1, 1) == 0
; run: @sadd16(-32768, -1) == 32767
; run: @sadd16_wraps(-32768, -1) == 1
; run: @sadd16(0, 1) == 1
; run: @sadd16_wraps(0, 1) == 0
; run: @sadd16(21845, -32768) == -10923
; run: @sadd16_wraps(21845, -32768) == 0
; run: @sadd16(21845, 1535) == 23380
; run: @sadd16_wraps(21845, 1535) == 0
; run: @sadd16(0, -1) == -1
; run: @sadd16_wraps(0, -1) == 0
; run: @sadd32(2147483647, 1) == -2147483648
; run: @sadd32_wraps(2147483647, 1) == 1
; run: @sadd32(-1, 1) == 0
; run: @sadd32_wraps(-1, 1) == 0
; run: @sadd32(-2147483648, -1) == 2147483647
; run: @sadd32_wraps(-2147483648, -1) == 1
; run: @sadd32(0, 1) == 1
; run: @sadd32_wraps(0, 1) == 0
; run: @sadd32(-1, 1431655765) == 1431655764
; run: @sadd32_wraps(-1, 1431655765) == 0
; run: @sadd32(0, 365003160) == 365003160
; run: @sadd32_wraps(0, 365003160) == 0
; run: @sadd32(1, 1431655765) == 1431655766
; run: @sadd32_wraps(1, 1431655765) == 0
; run: @sadd33(4294967295, 1) == 4294967296
; run: @sadd33_wraps(4294967295, 1) == 1
; run: @sadd33(8589934591, 1) == 0
; run: @sadd33_wraps(8589934591, 1) == 0
; run: @sadd33(4294967296, 8589934591) == 4294967295
; run: @sadd33_wraps(4294967296, 8589934591) == 1
; run: @sadd33(0, 1) == 1
; run: @sadd33_wraps(0, 1) == 0
; run: @sadd33(2863311530, 5855961822) == 129338760
; run: @sadd33_wraps(2863311530, 5855961822) == 0
; run: @sadd33(4294967296, 4294967296) == 0
; run: @sadd33_wraps(4294967296, 4294967296) == 1
; run: @sadd33(2129009350, 1) == 2129009351
; run: @sadd33_wraps(2129009350, 1) == 0
; run: @sadd64(9223372036854775807, 1) == -9223372036854775808
; run: @sadd64_wraps(9223372036854775807, 1) == 1
; run: @sadd64(-1, 1) == 0
; run: @sadd64_wraps(-1, 1) == 0
; run: @sadd64(-9223372036854775808, -1) == 9223372036854775807
; run: @sadd64_wraps(-9223372036854775808, -1) == 1
; run: @sadd64(0, 1) == 1
; run: @sadd64_wraps(0, 1) == 0
; run: @sadd64(-1084839020172144706, 6148914691236517205) == 5064075671064372499
; run: @sadd64_wraps(-1084839020172144706, 6148914691236517205) == 0
; run: @sadd64(9223372036854775807, 6148914691236517205) == -3074457345618258604
; run: @sadd64_wraps(9223372036854775807, 6148914691236517205) == 1
; run: @sadd64(-9223372036854775808, 0) == -9223372036854775808
; run: @sadd64_wraps(-9223372036854775808, 0) == 0
; run: @sadd128(170141183460469231731687303715884105727, 1) == -170141183460469231731687303715884105728
; run: @sadd128_wraps(170141183460469231731687303715884105727, 1) == 1
; run: @sadd128(-1, 1) == 0
; run: @sadd128_wraps(-1, 1) == 0
; run: @sadd128(-170141183460469231731687303715884105728, -1) == 170141183460469231731687303715884105727
; run: @sadd128_wraps(-170141183460469231731687303715884105728, -1) == 1
; run: @sadd128(0, 1) == 1
; run: @sadd128_wraps(0, 1) == 0
; run: @sadd128(-26237150217943244009629890144429807714, 170141183460469231731687303715884105727) == 143904033242525987722057413571454298013
; run: @sadd128_wraps(-26237150217943244009629890144429807714, 170141183460469231731687303715884105727) == 0
; run: @sadd128(-1, 113427455640312821154458202477256070485) == 113427455640312821154458202477256070484
; run: @sadd128_wraps(-1, 113427455640312821154458202477256070485) == 0
; run: @sadd128(-1, -170141183460469231731687303715884105728) == 170141183460469231731687303715884105727
; run: @sadd128_wraps(-1, -170141183460469231731687303715884105728) == 1
; run: @uadd1(0, 1) == 1
; run: @uadd1_wraps(0, 1) == 0
; run: @uadd1(1, 1) == 0
; run: @uadd1_wraps(1, 1) == 1
; run: @uadd1(1, 1) == 0
; run: @uadd1_wraps(1, 1) == 1
; run: @uadd1(0, 1) == 1
; run: @uadd1_wraps(0, 1) == 0
; run: @uadd1(0, 0) == 0
; run: @uadd1_wraps(0, 0) == 0
; run: @uadd1(1, 0) == 1
; run: @uadd1_wraps(1, 0) == 0
; run: @uadd7(63, 1) == 64
; run: @uadd7_wraps(63, 1) == 0
; run: @uadd7(127, 1) == 0
; run: @uadd7_wraps(127, 1) == 1
; run: @uadd7(64, 127) == 63
; run: @uadd7_wraps(64, 127) == 1
; run: @uadd7(0, 1) == 1
; run: @uadd7_wraps(0, 1) == 0
; run: @uadd7(23, 82) == 105
; run: @uadd7_wraps(23, 82) == 0
; run: @uadd7(2, 1) == 3
; run: @uadd7_wraps(2, 1) == 0
; run: @uadd7(63, 82) == 17
; run: @uadd7_wraps(63, 82) == 1
; run: @uadd8(127, 1) == -128
; run: @uadd8_wraps(127, 1) == 0
; run: @uadd8(-1, 1) == 0
; run: @uadd8_wraps(-1, 1) == 1
; run: @uadd8(-128, -1) == 127
; run: @uadd8_wraps(-128, -1) == 1
; run: @uadd8(0, 1) == 1
; run: @uadd8_wraps(0, 1) == 0
; run: @uadd8(123, -1) == 122
; run: @uadd8_wraps(123, -1) == 1
; run: @uadd8(-1, -13) == -14
; run: @uadd8_wraps(-1, -13) == 1
; run: @uadd8(-128, 123) == -5
; run: @uadd8_wraps(-128, 123) == 0
; run: @uadd16(32767, 1) == -32768
; run: @uadd16_wraps(32767, 1) == 0
; run: @uadd16(-1, 1) == 0
; run: @uadd16_wraps(-1, 1) == 1
; run: @uadd16(-32768, -1) == 32767
; run: @uadd16_wraps(-32768, -1) == 1
; run: @uadd16(0, 1) == 1
; run: @uadd16_wraps(0, 1) == 0
; run: @uadd16(-32768, -32768) == 0
; run: @uadd16_wraps(-32768, -32768) == 1
; run: @uadd16(21845, 23951) == -19740
; run: @uadd16_wraps(21845, 23951) == 0
; run: @uadd16(-1, -1) == -2
; run: @uadd16_wraps(-1, -1) == 1
; run: @uadd32(2147483647, 1) == -2147483648
; run: @uadd32_wraps(2147483647, 1) == 0
; run: @uadd32(-1, 1) == 0
; run: @uadd32_wraps(-1, 1) == 1
; run: @uadd32(-2147483648, -1) == 2147483647
; run: @uadd32_wraps(-2147483648, -1) == 1
; run: @uadd32(0, 1) == 1
; run: @uadd32_wraps(0, 1) == 0
; run: @uadd32(2, 1) == 3
; run: @uadd32_wraps(2, 1) == 0
; run: @uadd32(1431655765, -2147483648) == -715827883
; run: @uadd32_wraps(1431655765, -2147483648) == 0
; run: @uadd32(1, 1) == 2
; run: @uadd32_wraps(1, 1) == 0
; run: @uadd33(4294967295, 1) == 4294967296
; run: @uadd33_wraps(4294967295, 1) == 0
; run: @uadd33(8589934591, 1) == 0
; run: @uadd33_wraps(8589934591, 1) == 1
; run: @uadd33(4294967296, 8589934591) == 4294967295
; run: @uadd33_wraps(4294967296, 8589934591) == 1
; run: @uadd33(0, 1) == 1
; run: @uadd33_wraps(0, 1) == 0
; run: @uadd33(7685578390, 2863311530) == 1958955328
; run: @uadd33_wraps(7685578390, 2863311530) == 1
; run: @uadd33(7689766515, 8589934591) == 7689766514
; run: @uadd33_wraps(7689766515, 8589934591) == 1
; run: @uadd33(2863311530, 4294967295) == 7158278825
; run: @uadd33_wraps(2863311530, 4294967295) == 0
; run: @uadd64(9223372036854775807, 1) == -9223372036854775808
; run: @uadd64_wraps(9223372036854775807, 1) == 0
; run: @uadd64(-1, 1) == 0
; run: @uadd64_wraps(-1, 1) == 1
; run: @uadd64(-9223372036854775808, -1) == 9223372036854775807
; run: @uadd64_wraps(-9223372036854775808, -1) == 1
; run: @uadd64(0, 1) == 1
; run: @uadd64_wraps(0, 1) == 0
; run: @uadd64(2, 2) == 4
; run: @uadd64_wraps(2, 2) == 0
; run: @uadd64(2, -5453389381333417338) == -5453389381333417336
; run: @uadd64_wraps(2, -5453389381333417338) == 0
; run: @uadd64(0, -2367248431842032888) == -2367248431842032888
; run: @uadd64_wraps(0, -2367248431842032888) == 0
; run: @uadd128(170141183460469231731687303715884105727, 1) == -170141183460469231731687303715884105728
; run: @uadd128_wraps(170141183460469231731687303715884105727, 1) == 0
; run: @uadd128(-1, 1) == 0
; run: @uadd128_wraps(-1, 1) == 1
; run: @uadd128(-170141183460469231731687303715884105728, -1) == 170141183460469231731687303715884105727
; run: @uadd128_wraps(-170141183460469231731687303715884105728, -1) == 1
; run: @uadd128(0, 1) == 1
; run: @uadd128_wraps(0, 1) == 0
; run: @uadd128(-170141183460469231731687303715884105728, 0) == -170141183460469231731687303715884105728
; run: @uadd128_wraps(-170141183460469231731687303715884105728, 0) == 0
; run: @uadd128(2, 1) == 3
; run: @uadd128_wraps(2, 1) == 0
; run: @uadd128(2, -170141183460469231731687303715884105728) == -170141183460469231731687303715884105726
; run: @uadd128_wraps(2, -170141183460469231731687303715884105728) == 0
; run: @ssub1(0, 1) == 1
; run: @ssub1_wraps(0, 1) == 1
; run: @ssub1(1, 1) == 0
; run: @ssub1_wraps(1, 1) == 0
; run: @ssub1(1, 1) == 0
; run: @ssub1_wraps(1, 1) == 0
; run: @ssub1(0, 1) == 1
; run: @ssub1_wraps(0, 1) == 1
; run: @ssub1(1, 0) == 1
; run: @ssub1_wraps(1, 0) == 0
; run: @ssub1(0, 0) == 0
; run: @ssub1_wraps(0, 0) == 0
; run: @ssub7(63, 1) == 62
; run: @ssub7_wraps(63, 1) == 0
; run: @ssub7(127, 1) == 126
; run: @ssub7_wraps(127, 1) == 0
; run: @ssub7(64, 127) == 65
; run: @ssub7_wraps(64, 127) == 0
; run: @ssub7(0, 1) == 127
; run: @ssub7_wraps(0, 1) == 0
; run: @ssub7(63, 63) == 0
; run: @ssub7_wraps(63, 63) == 0
; run: @ssub7(127, 79) == 48
; run: @ssub7_wraps(127, 79) == 0
; run: @ssub7(1, 0) == 1
; run: @ssub7_wraps(1, 0) == 0
; run: @ssub8(127, 1) == 126
; run: @ssub8_wraps(127, 1) == 0
; run: @ssub8(-1, 1) == -2
; run: @ssub8_wraps(-1, 1) == 0
; run: @ssub8(-128, -1) == -127
; run: @ssub8_wraps(-128, -1) == 0
; run: @ssub8(0, 1) == -1
; run: @ssub8_wraps(0, 1) == 0
; run: @ssub8(-128, 42) == 86
; run: @ssub8_wraps(-128, 42) == 1
; run: @ssub8(-44, 42) == -86
; run: @ssub8_wraps(-44, 42) == 0
; run: @ssub8(0, -128) == -128
; run: @ssub8_wraps(0, -128) == 1
; run: @ssub16(32767, 1) == 32766
; run: @ssub16_wraps(32767, 1) == 0
; run: @ssub16(-1, 1) == -2
; run: @ssub16_wraps(-1, 1) == 0
; run: @ssub16(-32768, -1) == -32767
; run: @ssub16_wraps(-32768, -1) == 0
; run: @ssub16(0, 1) == -1
; run: @ssub16_wraps(0, 1) == 0
; run: @ssub16(0, 21845) == -21845
; run: @ssub16_wraps(0, 21845) == 0
; run: @ssub16(-6648, -32768) == 26120
; run: @ssub16_wraps(-6648, -32768) == 0
; run: @ssub16(-32768, 0) == -32768
; run: @ssub16_wraps(-32768, 0) == 0
; run: @ssub32(2147483647, 1) == 2147483646
; run: @ssub32_wraps(2147483647, 1) == 0
; run: @ssub32(-1, 1) == -2
; run: @ssub32_wraps(-1, 1) == 0
; run: @ssub32(-2147483648, -1) == -2147483647
; run: @ssub32_wraps(-2147483648, -1) == 0
; run: @ssub32(0, 1) == -1
; run: @ssub32_wraps(0, 1) == 0
; run: @ssub32(-1842170486, 1) == -1842170487
; run: @ssub32_wraps(-1842170486, 1) == 0
; run: @ssub32(2, 1517387404) == -1517387402
; run: @ssub32_wraps(2, 1517387404) == 0
; run: @ssub32(-1842170486, -1) == -1842170485
; run: @ssub32_wraps(-1842170486, -1) == 0
; run: @ssub33(4294967295, 1) == 4294967294
; run: @ssub33_wraps(4294967295, 1) == 0
; run: @ssub33(8589934591, 1) == 8589934590
; run: @ssub33_wraps(8589934591, 1) == 0
; run: @ssub33(4294967296, 8589934591) == 4294967297
; run: @ssub33_wraps(4294967296, 8589934591) == 0
; run: @ssub33(0, 1) == 8589934591
; run: @ssub33_wraps(0, 1) == 0
; run: @ssub33(1, 0) == 1
; run: @ssub33_wraps(1, 0) == 0
; run: @ssub33(0, 2863311530) == 5726623062
; run: @ssub33_wraps(0, 2863311530) == 0
; run: @ssub33(4294967296, 4294967295) == 1
; run: @ssub33_wraps(4294967296, 4294967295) == 1
; run: @ssub64(9223372036854775807, 1) == 9223372036854775806
; run: @ssub64_wraps(9223372036854775807, 1) == 0
; run: @ssub64(-1, 1) == -2
; run: @ssub64_wraps(-1, 1) == 0
; run: @ssub64(-9223372036854775808, -1) == -9223372036854775807
; run: @ssub64_wraps(-9223372036854775808, -1) == 0
; run: @ssub64(0, 1) == -1
; run: @ssub64_wraps(0, 1) == 0
; run: @ssub64(-6787617277136231146, 1) == -6787617277136231147
; run: @ssub64_wraps(-6787617277136231146, 1) == 0
; run: @ssub64(-1, -6879911632776603815) == 6879911632776603814
; run: @ssub64_wraps(-1, -6879911632776603815) == 0
; run: @ssub64(-6787617277136231146, -6787617277136231146) == 0
; run: @ssub64_wraps(-6787617277136231146, -6787617277136231146) == 0
; run: @ssub128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105726
; run: @ssub128_wraps(170141183460469231731687303715884105727, 1) == 0
; run: @ssub128(-1, 1) == -2
; run: @ssub128_wraps(-1, 1) == 0
; run: @ssub128(-170141183460469231731687303715884105728, -1) == -170141183460469231731687303715884105727
; run: @ssub128_wraps(-170141183460469231731687303715884105728, -1) == 0
; run: @ssub128(0, 1) == -1
; run: @ssub128_wraps(0, 1) == 0
; run: @ssub128(113427455640312821154458202477256070485, 92828587728833736571757152666305010278) == 20598867911479084582701049810951060207
; run: @ssub128_wraps(113427455640312821154458202477256070485, 92828587728833736571757152666305010278) == 0
; run: @ssub128(2, 113427455640312821154458202477256070485) == -113427455640312821154458202477256070483
; run: @ssub128_wraps(2, 113427455640312821154458202477256070485) == 0
; run: @ssub128(113427455640312821154458202477256070485, 2) == 113427455640312821154458202477256070483
; run: @ssub128_wraps(113427455640312821154458202477256070485, 2) == 0
; run: @usub1(0, 1) == 1
; run: @usub1_wraps(0, 1) == 1
; run: @usub1(1, 1) == 0
; run: @usub1_wraps(1, 1) == 0
; run: @usub1(1, 1) == 0
; run: @usub1_wraps(1, 1) == 0
; run: @usub1(0, 1) == 1
; run: @usub1_wraps(0, 1) == 1
; run: @usub1(1, 0) == 1
; run: @usub1_wraps(1, 0) == 0
; run: @usub1(0, 0) == 0
; run: @usub1_wraps(0, 0) == 0
; run: @usub7(63, 1) == 62
; run: @usub7_wraps(63, 1) == 0
; run: @usub7(127, 1) == 126
; run: @usub7_wraps(127, 1) == 0
; run: @usub7(64, 127) == 65
; run: @usub7_wraps(64, 127) == 1
; run: @usub7(0, 1) == 127
; run: @usub7_wraps(0, 1) == 1
; run: @usub7(0, 39) == 89
; run: @usub7_wraps(0, 39) == 1
; run: @usub7(42, 2) == 40
; run: @usub7_wraps(42, 2) == 0
; run: @usub7(0, 0) == 0
; run: @usub7_wraps(0, 0) == 0
; run: @usub8(127, 1) == 126
; run: @usub8_wraps(127, 1) == 0
; run: @usub8(-1, 1) == -2
; run: @usub8_wraps(-1, 1) == 0
; run: @usub8(-128, -1) == -127
; run: @usub8_wraps(-128, -1) == 1
; run: @usub8(0, 1) == -1
; run: @usub8_wraps(0, 1) == 1
; run: @usub8(1, 2) == -1
; run: @usub8_wraps(1, 2) == 1
; run: @usub8(0, -28) == 28
; run: @usub8_wraps(0, -28) == 1
; run: @usub8(-128, 85) == 43
; run: @usub8_wraps(-128, 85) == 0
; run: @usub16(32767, 1) == 32766
; run: @usub16_wraps(32767, 1) == 0
; run: @usub16(-1, 1) == -2
; run: @usub16_wraps(-1, 1) == 0
; run: @usub16(-32768, -1) == -32767
; run: @usub16_wraps(-32768, -1) == 1
; run: @usub16(0, 1) == -1
; run: @usub16_wraps(0, 1) == 1
; run: @usub16(6692, -32320) == -26524
; run: @usub16_wraps(6692, -32320) == 1
; run: @usub16(2, -32320) == 32322
; run: @usub16_wraps(2, -32320) == 1
; run: @usub16(32767, -32768) == -1
; run: @usub16_wraps(32767, -32768) == 1
; run: @usub32(2147483647, 1) == 2147483646
; run: @usub32_wraps(2147483647, 1) == 0
; run: @usub32(-1, 1) == -2
; run: @usub32_wraps(-1, 1) == 0
; run: @usub32(-2147483648, -1) == -2147483647
; run: @usub32_wraps(-2147483648, -1) == 1
; run: @usub32(0, 1) == -1
; run: @usub32_wraps(0, 1) == 1
; run: @usub32(1431655765, -1) == 1431655766
; run: @usub32_wraps(1431655765, -1) == 1
; run: @usub32(0, -177498760) == 177498760
; run: @usub32_wraps(0, -177498760) == 1
; run: @usub32(-1, 2147483647) == -2147483648
; run: @usub32_wraps(-1, 2147483647) == 0
; run: @usub33(4294967295, 1) == 4294967294
; run: @usub33_wraps(4294967295, 1) == 0
; run: @usub33(8589934591, 1) == 8589934590
; run: @usub33_wraps(8589934591, 1) == 0
; run: @usub33(4294967296, 8589934591) == 4294967297
; run: @usub33_wraps(4294967296, 8589934591) == 1
; run: @usub33(0, 1) == 8589934591
; run: @usub33_wraps(0, 1) == 1
; run: @usub33(2863311530, 1) == 2863311529
; run: @usub33_wraps(2863311530, 1) == 0
; run: @usub33(2, 0) == 2
; run: @usub33_wraps(2, 0) == 0
; run: @usub33(4294967295, 4904085109) == 7980816778
; run: @usub33_wraps(4294967295, 4904085109) == 1
; run: @usub64(9223372036854775807, 1) == 9223372036854775806
; run: @usub64_wraps(9223372036854775807, 1) == 0
; run: @usub64(-1, 1) == -2
; run: @usub64_wraps(-1, 1) == 0
; run: @usub64(-9223372036854775808, -1) == -9223372036854775807
; run: @usub64_wraps(-9223372036854775808, -1) == 1
; run: @usub64(0, 1) == -1
; run: @usub64_wraps(0, 1) == 1
; run: @usub64(-9223372036854775808, 1) == 9223372036854775807
; run: @usub64_wraps(-9223372036854775808, 1) == 0
; run: @usub64(-1, -9223372036854775808) == 9223372036854775807
; run: @usub64_wraps(-1, -9223372036854775808) == 0
; run: @usub64(1, -2340868271347694194) == 2340868271347694195
; run: @usub64_wraps(1, -2340868271347694194) == 1
; run: @usub128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105726
; run: @usub128_wraps(170141183460469231731687303715884105727, 1) == 0
; run: @usub128(-1, 1) == -2
; run: @usub128_wraps(-1, 1) == 0
; run: @usub128(-170141183460469231731687303715884105728, -1) == -170141183460469231731687303715884105727
; run: @usub128_wraps(-170141183460469231731687303715884105728, -1) == 1
; run: @usub128(0, 1) == -1
; run: @usub128_wraps(0, 1) == 1
; run: @usub128(2, 2) == 0
; run: @usub128_wraps(2, 2) == 0
; run: @usub128(-54636432940843323343962154145149431937, 1) == -54636432940843323343962154145149431938
; run: @usub128_wraps(-54636432940843323343962154145149431937, 1) == 0
; run: @usub128(163739097596926466142631895673366736819, 1) == 163739097596926466142631895673366736818
; run: @usub128_wraps(163739097596926466142631895673366736819, 1) == 0
; run: @smul1(0, 1) == 0
; run: @smul1_wraps(0, 1) == 0
; run: @smul1(1, 1) == 1
; run: @smul1_wraps(1, 1) == 1
; run: @smul1(1, 1) == 1
; run: @smul1_wraps(1, 1) == 1
; run: @smul1(0, 1) == 0
; run: @smul1_wraps(0, 1) == 0
; run: @smul1(0, 0) == 0
; run: @smul1_wraps(0, 0) == 0
; run: @smul1(1, 0) == 0
; run: @smul1_wraps(1, 0) == 0
; run: @smul7(63, 1) == 63
; run: @smul7_wraps(63, 1) == 0
; run: @smul7(127, 1) == 127
; run: @smul7_wraps(127, 1) == 0
; run: @smul7(64, 127) == 64
; run: @smul7_wraps(64, 127) == 1
; run: @smul7(0, 1) == 0
; run: @smul7_wraps(0, 1) == 0
; run: @smul7(42, 127) == 86
; run: @smul7_wraps(42, 127) == 0
; run: @smul7(42, 1) == 42
; run: @smul7_wraps(42, 1) == 0
; run: @smul7(1, 113) == 113
; run: @smul7_wraps(1, 113) == 0
; run: @smul8(127, 1) == 127
; run: @smul8_wraps(127, 1) == 0
; run: @smul8(-1, 1) == -1
; run: @smul8_wraps(-1, 1) == 0
; run: @smul8(-128, -1) == -128
; run: @smul8_wraps(-128, -1) == 1
; run: @smul8(0, 1) == 0
; run: @smul8_wraps(0, 1) == 0
; run: @smul8(1, -128) == -128
; run: @smul8_wraps(1, -128) == 0
; run: @smul8(-128, 2) == 0
; run: @smul8_wraps(-128, 2) == 1
; run: @smul8(1, -1) == -1
; run: @smul8_wraps(1, -1) == 0
; run: @smul16(32767, 1) == 32767
; run: @smul16_wraps(32767, 1) == 0
; run: @smul16(-1, 1) == -1
; run: @smul16_wraps(-1, 1) == 0
; run: @smul16(-32768, -1) == -32768
; run: @smul16_wraps(-32768, -1) == 1
; run: @smul16(0, 1) == 0
; run: @smul16_wraps(0, 1) == 0
; run: @smul16(21038, 2) == -23460
; run: @smul16_wraps(21038, 2) == 1
; run: @smul16(2, 0) == 0
; run: @smul16_wraps(2, 0) == 0
; run: @smul16(32767, -1) == -32767
; run: @smul16_wraps(32767, -1) == 0
; run: @smul32(2147483647, 1) == 2147483647
; run: @smul32_wraps(2147483647, 1) == 0
; run: @smul32(-1, 1) == -1
; run: @smul32_wraps(-1, 1) == 0
; run: @smul32(-2147483648, -1) == -2147483648
; run: @smul32_wraps(-2147483648, -1) == 1
; run: @smul32(0, 1) == 0
; run: @smul32_wraps(0, 1) == 0
; run: @smul32(1431655765, 1) == 1431655765
; run: @smul32_wraps(1431655765, 1) == 0
; run: @smul32(-1, 1431655765) == -1431655765
; run: @smul32_wraps(-1, 1431655765) == 0
; run: @smul32(-1, 0) == 0
; run: @smul32_wraps(-1, 0) == 0
; run: @smul33(4294967295, 1) == 4294967295
; run: @smul33_wraps(4294967295, 1) == 0
; run: @smul33(8589934591, 1) == 8589934591
; run: @smul33_wraps(8589934591, 1) == 0
; run: @smul33(4294967296, 8589934591) == 4294967296
; run: @smul33_wraps(4294967296, 8589934591) == 1
; run: @smul33(0, 1) == 0
; run: @smul33_wraps(0, 1) == 0
; run: @smul33(2863311530, 2863311530) == 3817748708
; run: @smul33_wraps(2863311530, 2863311530) == 1
; run: @smul33(2863311530, 0) == 0
; run: @smul33_wraps(2863311530, 0) == 0
; run: @smul33(5456874225, 2) == 2323813858
; run: @smul33_wraps(5456874225, 2) == 1
; run: @smul64(9223372036854775807, 1) == 9223372036854775807
; run: @smul64_wraps(9223372036854775807, 1) == 0
; run: @smul64(-1, 1) == -1
; run: @smul64_wraps(-1, 1) == 0
; run: @smul64(-9223372036854775808, -1) == -9223372036854775808
; run: @smul64_wraps(-9223372036854775808, -1) == 1
; run: @smul64(0, 1) == 0
; run: @smul64_wraps(0, 1) == 0
; run: @smul64(-9223372036854775808, 9223372036854775807) == -9223372036854775808
; run: @smul64_wraps(-9223372036854775808, 9223372036854775807) == 1
; run: @smul64(6148914691236517205, 6148914691236517205) == -8198552921648689607
; run: @smul64_wraps(6148914691236517205, 6148914691236517205) == 1
; run: @smul64(-3241639474941487368, -3241639474941487368) == -8887810142361907136
; run: @smul64_wraps(-3241639474941487368, -3241639474941487368) == 1
; run: @smul128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105727
; run: @smul128_wraps(170141183460469231731687303715884105727, 1) == 0
; run: @smul128(-1, 1) == -1
; run: @smul128_wraps(-1, 1) == 0
; run: @smul128(-170141183460469231731687303715884105728, -1) == -170141183460469231731687303715884105728
; run: @smul128_wraps(-170141183460469231731687303715884105728, -1) == 1
; run: @smul128(0, 1) == 0
; run: @smul128_wraps(0, 1) == 0
; run: @smul128(-80043682002495597559800020293216475411, 0) == 0
; run: @smul128_wraps(-80043682002495597559800020293216475411, 0) == 0
; run: @smul128(-72075197803062073807623547072410007731, -72075197803062073807623547072410007731) == 45742016555285125556759346282939272489
; run: @smul128_wraps(-72075197803062073807623547072410007731, -72075197803062073807623547072410007731) == 1
; run: @smul128(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == -170141183460469231731687303715884105728
; run: @smul128_wraps(-170141183460469231731687303715884105728, 170141183460469231731687303715884105727) == 1
; run: @umul1(0, 1) == 0
; run: @umul1_wraps(0, 1) == 0
; run: @umul1(1, 1) == 1
; run: @umul1_wraps(1, 1) == 0
; run: @umul1(1, 1) == 1
; run: @umul1_wraps(1, 1) == 0
; run: @umul1(0, 1) == 0
; run: @umul1_wraps(0, 1) == 0
; run: @umul1(0, 0) == 0
; run: @umul1_wraps(0, 0) == 0
; run: @umul1(1, 0) == 0
; run: @umul1_wraps(1, 0) == 0
; run: @umul7(63, 1) == 63
; run: @umul7_wraps(63, 1) == 0
; run: @umul7(127, 1) == 127
; run: @umul7_wraps(127, 1) == 0
; run: @umul7(64, 127) == 64
; run: @umul7_wraps(64, 127) == 1
; run: @umul7(0, 1) == 0
; run: @umul7_wraps(0, 1) == 0
; run: @umul7(64, 87) == 64
; run: @umul7_wraps(64, 87) == 1
; run: @umul7(64, 64) == 0
; run: @umul7_wraps(64, 64) == 1
; run: @umul7(26, 63) == 102
; run: @umul7_wraps(26, 63) == 1
; run: @umul8(127, 1) == 127
; run: @umul8_wraps(127, 1) == 0
; run: @umul8(-1, 1) == -1
; run: @umul8_wraps(-1, 1) == 0
; run: @umul8(-128, -1) == -128
; run: @umul8_wraps(-128, -1) == 1
; run: @umul8(0, 1) == 0
; run: @umul8_wraps(0, 1) == 0
; run: @umul8(-1, -1) == 1
; run: @umul8_wraps(-1, -1) == 1
; run: @umul8(1, -128) == -128
; run: @umul8_wraps(1, -128) == 0
; run: @umul8(127, -1) == -127
; run: @umul8_wraps(127, -1) == 1
; run: @umul16(32767, 1) == 32767
; run: @umul16_wraps(32767, 1) == 0
; run: @umul16(-1, 1) == -1
; run: @umul16_wraps(-1, 1) == 0
; run: @umul16(-32768, -1) == -32768
; run: @umul16_wraps(-32768, -1) == 1
; run: @umul16(0, 1) == 0
; run: @umul16_wraps(0, 1) == 0
; run: @umul16(1, 2) == 2
; run: @umul16_wraps(1, 2) == 0
; run: @umul16(21845, 2) == -21846
; run: @umul16_wraps(21845, 2) == 0
; run: @umul16(-25593, 2) == 14350
; run: @umul16_wraps(-25593, 2) == 1
; run: @umul32(2147483647, 1) == 2147483647
; run: @umul32_wraps(2147483647, 1) == 0
; run: @umul32(-1, 1) == -1
; run: @umul32_wraps(-1, 1) == 0
; run: @umul32(-2147483648, -1) == -2147483648
; run: @umul32_wraps(-2147483648, -1) == 1
; run: @umul32(0, 1) == 0
; run: @umul32_wraps(0, 1) == 0
; run: @umul32(-1, -2013235532) == 2013235532
; run: @umul32_wraps(-1, -2013235532) == 1
; run: @umul32(-1, 1431655765) == -1431655765
; run: @umul32_wraps(-1, 1431655765) == 1
; run: @umul32(-2147483648, 2) == 0
; run: @umul32_wraps(-2147483648, 2) == 1
; run: @umul33(4294967295, 1) == 4294967295
; run: @umul33_wraps(4294967295, 1) == 0
; run: @umul33(8589934591, 1) == 8589934591
; run: @umul33_wraps(8589934591, 1) == 0
; run: @umul33(4294967296, 8589934591) == 4294967296
; run: @umul33_wraps(4294967296, 8589934591) == 1
; run: @umul33(0, 1) == 0
; run: @umul33_wraps(0, 1) == 0
; run: @umul33(100494743, 4294967295) == 4194472553
; run: @umul33_wraps(100494743, 4294967295) == 1
; run: @umul33(8589934591, 100494743) == 8489439849
; run: @umul33_wraps(8589934591, 100494743) == 1
; run: @umul33(8589934591, 952737297) == 7637197295
; run: @umul33_wraps(8589934591, 952737297) == 1
; run: @umul64(9223372036854775807, 1) == 9223372036854775807
; run: @umul64_wraps(9223372036854775807, 1) == 0
; run: @umul64(-1, 1) == -1
; run: @umul64_wraps(-1, 1) == 0
; run: @umul64(-9223372036854775808, -1) == -9223372036854775808
; run: @umul64_wraps(-9223372036854775808, -1) == 1
; run: @umul64(0, 1) == 0
; run: @umul64_wraps(0, 1) == 0
; run: @umul64(2, -9223372036854775808) == 0
; run: @umul64_wraps(2, -9223372036854775808) == 1
; run: @umul64(2, 1) == 2
; run: @umul64_wraps(2, 1) == 0
; run: @umul64(9223372036854775807, -9223372036854775808) == -9223372036854775808
; run: @umul64_wraps(9223372036854775807, -9223372036854775808) == 1
; run: @umul128(170141183460469231731687303715884105727, 1) == 170141183460469231731687303715884105727
; run: @umul128_wraps(170141183460469231731687303715884105727, 1) == 0
; run: @umul128(-1, 1) == -1
; run: @umul128_wraps(-1, 1) == 0
; run: @umul128(-170141183460469231731687303715884105728, -1) == -170141183460469231731687303715884105728
; run: @umul128_wraps(-170141183460469231731687303715884105728, -1) == 1
; run: @umul128(0, 1) == 0
; run: @umul128_wraps(0, 1) == 0
; run: @umul128(0, 2) == 0
; run: @umul128_wraps(0, 2) == 0
; run: @umul128(113427455640312821154458202477256070485, 1) == 113427455640312821154458202477256070485
; run: @umul128_wraps(113427455640312821154458202477256070485, 1) == 0
; run: @umul128(0, 0) == 0
; run: @umul128_wraps(0, 0) == 0

define i1 @sadd1(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.sadd.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 0
  ret i1 %r
}
define i1 @sadd1_wraps(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.sadd.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 1
  ret i1 %r
}
declare { i1, i1 } @llvm.sadd.with.overflow.i1(i1, i1)

define i7 @sadd7(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.sadd.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 0
  ret i7 %r
}
define i1 @sadd7_wraps(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.sadd.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 1
  ret i1 %r
}
declare { i7, i1 } @llvm.sadd.with.overflow.i7(i7, i7)

define i8 @sadd8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 0
  ret i8 %r
}
define i1 @sadd8_wraps(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.sadd.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 1
  ret i1 %r
}
declare { i8, i1 } @llvm.sadd.with.overflow.i8(i8, i8)

define i16 @sadd16(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.sadd.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 0
  ret i16 %r
}
define i1 @sadd16_wraps(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.sadd.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 1
  ret i1 %r
}
declare { i16, i1 } @llvm.sadd.with.overflow.i16(i16, i16)

define i32 @sadd32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 0
  ret i32 %r
}
define i1 @sadd32_wraps(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 1
  ret i1 %r
}
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)

define i33 @sadd33(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.sadd.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 0
  ret i33 %r
}
define i1 @sadd33_wraps(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.sadd.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 1
  ret i1 %r
}
declare { i33, i1 } @llvm.sadd.with.overflow.i33(i33, i33)

define i64 @sadd64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 0
  ret i64 %r
}
define i1 @sadd64_wraps(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 1
  ret i1 %r
}
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)

define i128 @sadd128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.sadd.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 0
  ret i128 %r
}
define i1 @sadd128_wraps(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.sadd.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 1
  ret i1 %r
}
declare { i128, i1 } @llvm.sadd.with.overflow.i128(i128, i128)

define i1 @uadd1(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.uadd.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 0
  ret i1 %r
}
define i1 @uadd1_wraps(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.uadd.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 1
  ret i1 %r
}
declare { i1, i1 } @llvm.uadd.with.overflow.i1(i1, i1)

define i7 @uadd7(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.uadd.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 0
  ret i7 %r
}
define i1 @uadd7_wraps(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.uadd.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 1
  ret i1 %r
}
declare { i7, i1 } @llvm.uadd.with.overflow.i7(i7, i7)

define i8 @uadd8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 0
  ret i8 %r
}
define i1 @uadd8_wraps(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.uadd.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 1
  ret i1 %r
}
declare { i8, i1 } @llvm.uadd.with.overflow.i8(i8, i8)

define i16 @uadd16(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.uadd.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 0
  ret i16 %r
}
define i1 @uadd16_wraps(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.uadd.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 1
  ret i1 %r
}
declare { i16, i1 } @llvm.uadd.with.overflow.i16(i16, i16)

define i32 @uadd32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 0
  ret i32 %r
}
define i1 @uadd32_wraps(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 1
  ret i1 %r
}
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)

define i33 @uadd33(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.uadd.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 0
  ret i33 %r
}
define i1 @uadd33_wraps(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.uadd.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 1
  ret i1 %r
}
declare { i33, i1 } @llvm.uadd.with.overflow.i33(i33, i33)

define i64 @uadd64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 0
  ret i64 %r
}
define i1 @uadd64_wraps(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 1
  ret i1 %r
}
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)

define i128 @uadd128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.uadd.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 0
  ret i128 %r
}
define i1 @uadd128_wraps(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.uadd.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 1
  ret i1 %r
}
declare { i128, i1 } @llvm.uadd.with.overflow.i128(i128, i128)

define i1 @ssub1(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.ssub.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 0
  ret i1 %r
}
define i1 @ssub1_wraps(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.ssub.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 1
  ret i1 %r
}
declare { i1, i1 } @llvm.ssub.with.overflow.i1(i1, i1)

define i7 @ssub7(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.ssub.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 0
  ret i7 %r
}
define i1 @ssub7_wraps(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.ssub.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 1
  ret i1 %r
}
declare { i7, i1 } @llvm.ssub.with.overflow.i7(i7, i7)

define i8 @ssub8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 0
  ret i8 %r
}
define i1 @ssub8_wraps(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.ssub.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 1
  ret i1 %r
}
declare { i8, i1 } @llvm.ssub.with.overflow.i8(i8, i8)

define i16 @ssub16(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.ssub.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 0
  ret i16 %r
}
define i1 @ssub16_wraps(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.ssub.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 1
  ret i1 %r
}
declare { i16, i1 } @llvm.ssub.with.overflow.i16(i16, i16)

define i32 @ssub32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 0
  ret i32 %r
}
define i1 @ssub32_wraps(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.ssub.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 1
  ret i1 %r
}
declare { i32, i1 } @llvm.ssub.with.overflow.i32(i32, i32)

define i33 @ssub33(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.ssub.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 0
  ret i33 %r
}
define i1 @ssub33_wraps(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.ssub.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 1
  ret i1 %r
}
declare { i33, i1 } @llvm.ssub.with.overflow.i33(i33, i33)

define i64 @ssub64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 0
  ret i64 %r
}
define i1 @ssub64_wraps(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.ssub.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 1
  ret i1 %r
}
declare { i64, i1 } @llvm.ssub.with.overflow.i64(i64, i64)

define i128 @ssub128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.ssub.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 0
  ret i128 %r
}
define i1 @ssub128_wraps(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.ssub.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 1
  ret i1 %r
}
declare { i128, i1 } @llvm.ssub.with.overflow.i128(i128, i128)

define i1 @usub1(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.usub.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 0
  ret i1 %r
}
define i1 @usub1_wraps(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.usub.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 1
  ret i1 %r
}
declare { i1, i1 } @llvm.usub.with.overflow.i1(i1, i1)

define i7 @usub7(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.usub.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 0
  ret i7 %r
}
define i1 @usub7_wraps(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.usub.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 1
  ret i1 %r
}
declare { i7, i1 } @llvm.usub.with.overflow.i7(i7, i7)

define i8 @usub8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.usub.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 0
  ret i8 %r
}
define i1 @usub8_wraps(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.usub.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 1
  ret i1 %r
}
declare { i8, i1 } @llvm.usub.with.overflow.i8(i8, i8)

define i16 @usub16(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.usub.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 0
  ret i16 %r
}
define i1 @usub16_wraps(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.usub.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 1
  ret i1 %r
}
declare { i16, i1 } @llvm.usub.with.overflow.i16(i16, i16)

define i32 @usub32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 0
  ret i32 %r
}
define i1 @usub32_wraps(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 1
  ret i1 %r
}
declare { i32, i1 } @llvm.usub.with.overflow.i32(i32, i32)

define i33 @usub33(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.usub.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 0
  ret i33 %r
}
define i1 @usub33_wraps(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.usub.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 1
  ret i1 %r
}
declare { i33, i1 } @llvm.usub.with.overflow.i33(i33, i33)

define i64 @usub64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 0
  ret i64 %r
}
define i1 @usub64_wraps(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.usub.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 1
  ret i1 %r
}
declare { i64, i1 } @llvm.usub.with.overflow.i64(i64, i64)

define i128 @usub128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.usub.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 0
  ret i128 %r
}
define i1 @usub128_wraps(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.usub.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 1
  ret i1 %r
}
declare { i128, i1 } @llvm.usub.with.overflow.i128(i128, i128)

define i1 @smul1(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.smul.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 0
  ret i1 %r
}
define i1 @smul1_wraps(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.smul.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 1
  ret i1 %r
}
declare { i1, i1 } @llvm.smul.with.overflow.i1(i1, i1)

define i7 @smul7(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.smul.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 0
  ret i7 %r
}
define i1 @smul7_wraps(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.smul.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 1
  ret i1 %r
}
declare { i7, i1 } @llvm.smul.with.overflow.i7(i7, i7)

define i8 @smul8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 0
  ret i8 %r
}
define i1 @smul8_wraps(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.smul.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 1
  ret i1 %r
}
declare { i8, i1 } @llvm.smul.with.overflow.i8(i8, i8)

define i16 @smul16(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.smul.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 0
  ret i16 %r
}
define i1 @smul16_wraps(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.smul.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 1
  ret i1 %r
}
declare { i16, i1 } @llvm.smul.with.overflow.i16(i16, i16)

define i32 @smul32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 0
  ret i32 %r
}
define i1 @smul32_wraps(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.smul.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 1
  ret i1 %r
}
declare { i32, i1 } @llvm.smul.with.overflow.i32(i32, i32)

define i33 @smul33(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.smul.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 0
  ret i33 %r
}
define i1 @smul33_wraps(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.smul.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 1
  ret i1 %r
}
declare { i33, i1 } @llvm.smul.with.overflow.i33(i33, i33)

define i64 @smul64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 0
  ret i64 %r
}
define i1 @smul64_wraps(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 1
  ret i1 %r
}
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)

define i128 @smul128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.smul.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 0
  ret i128 %r
}
define i1 @smul128_wraps(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.smul.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 1
  ret i1 %r
}
declare { i128, i1 } @llvm.smul.with.overflow.i128(i128, i128)

define i1 @umul1(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.umul.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 0
  ret i1 %r
}
define i1 @umul1_wraps(i1 %a, i1 %b) {
  %p = call { i1, i1 } @llvm.umul.with.overflow.i1(i1 %a, i1 %b)
  %r = extractvalue { i1, i1 } %p, 1
  ret i1 %r
}
declare { i1, i1 } @llvm.umul.with.overflow.i1(i1, i1)

define i7 @umul7(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.umul.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 0
  ret i7 %r
}
define i1 @umul7_wraps(i7 %a, i7 %b) {
  %p = call { i7, i1 } @llvm.umul.with.overflow.i7(i7 %a, i7 %b)
  %r = extractvalue { i7, i1 } %p, 1
  ret i1 %r
}
declare { i7, i1 } @llvm.umul.with.overflow.i7(i7, i7)

define i8 @umul8(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 0
  ret i8 %r
}
define i1 @umul8_wraps(i8 %a, i8 %b) {
  %p = call { i8, i1 } @llvm.umul.with.overflow.i8(i8 %a, i8 %b)
  %r = extractvalue { i8, i1 } %p, 1
  ret i1 %r
}
declare { i8, i1 } @llvm.umul.with.overflow.i8(i8, i8)

define i16 @umul16(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.umul.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 0
  ret i16 %r
}
define i1 @umul16_wraps(i16 %a, i16 %b) {
  %p = call { i16, i1 } @llvm.umul.with.overflow.i16(i16 %a, i16 %b)
  %r = extractvalue { i16, i1 } %p, 1
  ret i1 %r
}
declare { i16, i1 } @llvm.umul.with.overflow.i16(i16, i16)

define i32 @umul32(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 0
  ret i32 %r
}
define i1 @umul32_wraps(i32 %a, i32 %b) {
  %p = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %r = extractvalue { i32, i1 } %p, 1
  ret i1 %r
}
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)

define i33 @umul33(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.umul.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 0
  ret i33 %r
}
define i1 @umul33_wraps(i33 %a, i33 %b) {
  %p = call { i33, i1 } @llvm.umul.with.overflow.i33(i33 %a, i33 %b)
  %r = extractvalue { i33, i1 } %p, 1
  ret i1 %r
}
declare { i33, i1 } @llvm.umul.with.overflow.i33(i33, i33)

define i64 @umul64(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 0
  ret i64 %r
}
define i1 @umul64_wraps(i64 %a, i64 %b) {
  %p = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %a, i64 %b)
  %r = extractvalue { i64, i1 } %p, 1
  ret i1 %r
}
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)

define i128 @umul128(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 0
  ret i128 %r
}
define i1 @umul128_wraps(i128 %a, i128 %b) {
  %p = call { i128, i1 } @llvm.umul.with.overflow.i128(i128 %a, i128 %b)
  %r = extractvalue { i128, i1 } %p, 1
  ret i1 %r
}
declare { i128, i1 } @llvm.umul.with.overflow.i128(i128, i128)

