use super::*;
use crate::attribute::IntCond;

/// Compares every integer op at one width with Rust's own arithmetic.
macro_rules! check_width {
    ($signed:ident $unsigned:ident $ty:ident, $pairs:expr) => {{
        let ty = Type::$ty;
        let one = |op, operands: &[u128]| fold_at(op, ty, operands).map(|results| results[0]);
        let bits = $signed::BITS as u128;
        for (a, b) in $pairs {
            let (a, b) = (a as $unsigned, b as $unsigned);
            let (x, y) = (a as $signed, b as $signed);
            let (ua, ub) = (u128::from(a), u128::from(b));
            let lane = |value: $signed| Ok(u128::from(value as $unsigned));
            let ulane = |value: $unsigned| Ok(u128::from(value));
            let check = |op, expected: Result<u128, TrapCode>| {
                assert_eq!(one(op, &[ua, ub]), expected, "{op} {x} {y}");
            };
            check(Op::Add, lane(x.wrapping_add(y)));
            check(Op::Sub, lane(x.wrapping_sub(y)));
            check(Op::Mul, lane(x.wrapping_mul(y)));
            check(Op::Neg, lane(x.wrapping_neg()));
            check(Op::Abs, lane(x.wrapping_abs()));
            check(Op::Smin, lane(x.min(y)));
            check(Op::Smax, lane(x.max(y)));
            check(Op::Umin, ulane(a.min(b)));
            check(Op::Umax, ulane(a.max(b)));
            check(Op::SaddSat, lane(x.saturating_add(y)));
            check(Op::SsubSat, lane(x.saturating_sub(y)));
            check(Op::UaddSat, ulane(a.saturating_add(b)));
            check(Op::UsubSat, ulane(a.saturating_sub(b)));
            let zero = || if b == 0 { Err(TrapCode::DivisionByZero) } else { Ok(()) };
            let over = TrapCode::IntegerOverflow;
            let signed = |value: Option<$signed>| value.ok_or(over).and_then(lane);
            let unsigned = |value: Option<$unsigned>| value.ok_or(over).and_then(ulane);
            check(Op::Sdiv, zero().and_then(|()| signed(x.checked_div(y))));
            check(Op::Udiv, zero().and_then(|()| ulane(a / b)));
            check(Op::Srem, zero().and_then(|()| lane(x.wrapping_rem(y))));
            check(Op::Urem, zero().and_then(|()| ulane(a % b)));
            check(Op::SaddTrap, signed(x.checked_add(y)));
            check(Op::SsubTrap, signed(x.checked_sub(y)));
            check(Op::SmulTrap, signed(x.checked_mul(y)));
            check(Op::UaddTrap, unsigned(a.checked_add(b)));
            check(Op::UsubTrap, unsigned(a.checked_sub(b)));
            check(Op::UmulTrap, unsigned(a.checked_mul(b)));
            let both = |op, (value, over): ($signed, bool)| {
                let expected = vec![u128::from(value as $unsigned), over.into()];
                assert_eq!(fold_at(op, ty, &[ua, ub]), Ok(expected), "{op} {x} {y}");
            };
            let wide = |(value, over): ($unsigned, bool)| (value as $signed, over);
            both(Op::SaddOverflow, x.overflowing_add(y));
            both(Op::SsubOverflow, x.overflowing_sub(y));
            both(Op::SmulOverflow, x.overflowing_mul(y));
            both(Op::UaddOverflow, wide(a.overflowing_add(b)));
            both(Op::UsubOverflow, wide(a.overflowing_sub(b)));
            both(Op::UmulOverflow, wide(a.overflowing_mul(b)));
            check(Op::And, ulane(a & b));
            check(Op::Or, ulane(a | b));
            check(Op::Xor, ulane(a ^ b));
            check(Op::Not, ulane(!a));
            let short = ub < bits;
            let count = (ub % bits) as u32;
            check(Op::Shl, ulane(if short { a << count } else { 0 }));
            check(Op::Lshr, ulane(if short { a >> count } else { 0 }));
            check(Op::Ashr, lane(if short { x >> count } else { x >> ($signed::BITS - 1) }));
            check(Op::Rotl, ulane(a.rotate_left(count)));
            check(Op::Rotr, ulane(a.rotate_right(count)));
            check(Op::Popcount, Ok(a.count_ones().into()));
            check(Op::Clz, Ok(a.leading_zeros().into()));
            check(Op::Ctz, Ok(a.trailing_zeros().into()));
            check(Op::Bswap, ulane(a.swap_bytes()));
            check(Op::Bitreverse, ulane(a.reverse_bits()));
            check_conditions(ty, ua, ub, x.cmp(&y), a.cmp(&b));
        }
    }};
}

fn check_conditions(
    ty: Type,
    a: u128,
    b: u128,
    signed: std::cmp::Ordering,
    unsigned: std::cmp::Ordering,
) {
    for &cond in IntCond::ALL {
        let expected = match cond {
            IntCond::Eq => signed.is_eq(),
            IntCond::Ne => signed.is_ne(),
            IntCond::Slt => signed.is_lt(),
            IntCond::Sle => signed.is_le(),
            IntCond::Sgt => signed.is_gt(),
            IntCond::Sge => signed.is_ge(),
            IntCond::Ult => unsigned.is_lt(),
            IntCond::Ule => unsigned.is_le(),
            IntCond::Ugt => unsigned.is_gt(),
            IntCond::Uge => unsigned.is_ge(),
        };
        let payload = &Payload::IntCond(cond);
        let icmp = Operation { op: Op::Icmp, ty, operand: ty, payload, immediates: &[] };
        let result = fold(&icmp, &[&Datum::Scalar(a), &Datum::Scalar(b)]).unwrap().unwrap();
        assert_eq!(result[0], expected.into(), "{ty} {cond} {a} {b}");
    }
}

/// Numbers at the edges of every width and others, in pairs.
fn pairs() -> impl Iterator<Item = (u128, u128)> {
    let edges = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 65, 127, 128, 129, 255];
    let bounds = [8, 16, 32, 64, 128].map(|bits| 1u128 << (bits - 1));
    let around = bounds.iter().flat_map(|&bound| [bound - 1, bound, bound + 1]);
    let small: Vec<u128> = edges.into_iter().chain(around).collect();
    let mut all: Vec<u128> = small.iter().flat_map(|&edge| [edge, edge.wrapping_neg()]).collect();
    let mut numbers = Numbers(1);
    all.extend((0..64).map(|_| numbers.wide()));
    let second = all.clone();
    all.into_iter().flat_map(move |a| second.clone().into_iter().map(move |b| (a, b)))
}

#[test]
fn every_pair_of_bytes_gives_what_rust_gives() {
    check_width!(i8 u8 I8, (0..=255u8).flat_map(|a| (0..=255u8).map(move |b| (a, b))));
}

#[test]
fn every_width_gives_what_rust_gives() {
    check_width!(i16 u16 I16, pairs());
    check_width!(i32 u32 I32, pairs());
    check_width!(i64 u64 I64, pairs());
    check_width!(i128 u128 I128, pairs());
}

#[test]
fn upper_halves_are_those_of_the_product_of_twice_the_width() {
    for a in 0..=255u8 {
        for b in 0..=255u8 {
            let product = i16::from(a as i8) * i16::from(b as i8);
            assert_eq!(int::smulhi(8, a.into(), b.into()), u128::from((product >> 8) as u8));
            let product = u16::from(a) * u16::from(b);
            assert_eq!(int::umulhi(8, a.into(), b.into()), u128::from(product >> 8));
        }
    }
    for (a, b) in pairs() {
        let (x, y) = (a as i64, b as i64);
        let high = ((i128::from(x) * i128::from(y)) >> 64) as u64;
        assert_eq!(int::smulhi(64, u128::from(a as u64), u128::from(b as u64)), high.into());
        assert_eq!(int::umulhi(128, a, b), long_multiplication(a, b), "{a} {b}");
        let (x, y) = (a as i128, b as i128);
        let magnitude = long_multiplication(x.unsigned_abs(), y.unsigned_abs());
        let low = x.unsigned_abs().wrapping_mul(y.unsigned_abs());
        // Negating both halves carries into the upper one when the lower is 0.
        let expected = match (x < 0) != (y < 0) {
            false => magnitude,
            true if low == 0 => magnitude.wrapping_neg(),
            true => !magnitude,
        };
        assert_eq!(int::smulhi(128, a, b), expected, "{x} {y}");
    }
}

/// The upper half of a product, bit by bit.
fn long_multiplication(a: u128, b: u128) -> u128 {
    let (mut high, mut low) = (0u128, 0u128);
    for bit in (0..128).rev() {
        high = high << 1 | low >> 127;
        low <<= 1;
        if b >> bit & 1 == 1 {
            let (sum, carry) = low.overflowing_add(a);
            low = sum;
            high += u128::from(carry);
        }
    }
    high
}

#[test]
fn funnel_shifts_cut_a_joined_pair() {
    for a in 0..=255u8 {
        for b in (0..=255u8).step_by(5) {
            for count in 0..=255u8 {
                let joined = u16::from(a) << 8 | u16::from(b);
                let operands = [a.into(), b.into(), count.into()];
                let left = (joined << (count % 8) >> 8) as u8;
                assert_eq!(fold_at(Op::Fshl, Type::I8, &operands), Ok(vec![left.into()]));
                let right = (joined >> (count % 8)) as u8;
                assert_eq!(fold_at(Op::Fshr, Type::I8, &operands), Ok(vec![right.into()]));
            }
        }
    }
    let (a, b) = (1u128 << 127 | 5, 1u128 << 127 | 3);
    assert_eq!(bits::fshl(128, a, b, 1), 11);
    assert_eq!(bits::fshr(128, a, b, 129), 1 << 127 | 1 << 126 | 1);
    assert_eq!((bits::fshl(128, a, b, 128), bits::fshr(128, a, b, 0)), (a, b));
}

#[test]
fn truth_values_are_bits_of_width_one() {
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        assert_eq!(fold_at(Op::And, Type::I1, &[a, b]), Ok(vec![a & b]));
        assert_eq!(fold_at(Op::Or, Type::I1, &[a, b]), Ok(vec![a | b]));
        assert_eq!(fold_at(Op::Xor, Type::I1, &[a, b]), Ok(vec![a ^ b]));
        assert_eq!(fold_at(Op::Not, Type::I1, &[a]), Ok(vec![1 - a]));
    }
    check_conditions(Type::I1, 1, 0, std::cmp::Ordering::Less, std::cmp::Ordering::Greater);
}
