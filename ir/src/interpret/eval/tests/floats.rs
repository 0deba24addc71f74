use super::*;
use crate::attribute::FloatCond;
use half::{bf16, f16};

/// A float format by its numbers, as whole multiples of one unit: arithmetic
/// on them is exact, and rounding is a search.
struct Grid {
    scalar: Scalar,
    /// The finite numbers that are not negative, ascending, with their bits.
    numbers: Vec<(i128, u16)>,
    /// The unit is `2^-unit`.
    unit: u32,
}

impl Grid {
    /// Binary16, whole: its smallest number is the unit.
    fn f16() -> Grid {
        let number = |bits| ((f16::from_bits(bits).to_f64() * 2f64.powi(24)) as i128, bits);
        Grid { scalar: Scalar::F16, numbers: (0..0x7c00).map(number).collect(), unit: 24 }
    }

    /// The part of bfloat16 from `2^-20` to `2^20`, and zero.
    fn bf16() -> Grid {
        let number = |bits| ((bf16::from_bits(bits).to_f64() * 2f64.powi(27)) as i128, bits);
        let part = (127 - 20) << 7..(127 + 20) << 7;
        let numbers = std::iter::once((0, 0)).chain(part.map(number)).collect();
        Grid { scalar: Scalar::Bf16, numbers, unit: 27 }
    }

    fn one(&self) -> i128 {
        1 << self.unit
    }

    fn value(&self, bits: u16) -> i128 {
        let magnitude = self.numbers.iter().find(|(_, known)| *known == bits & 0x7fff).unwrap().0;
        if bits >> 15 == 1 { -magnitude } else { magnitude }
    }

    /// The bits of the number nearest to `numerator / denominator` units, ties
    /// to the even one; nothing beyond the last number and for zero.
    fn nearest(&self, numerator: i128, denominator: i128) -> Option<u16> {
        let sign = if (numerator < 0) == (denominator < 0) { 0 } else { 0x8000 };
        let (numerator, denominator) = (numerator.abs(), denominator.abs());
        let above = self.numbers.partition_point(|(n, _)| n * denominator <= numerator);
        let (low, low_bits) = self.numbers[above - 1];
        let (high, high_bits) = *self.numbers.get(above)?;
        let bits = match (2 * numerator).cmp(&((low + high) * denominator)) {
            std::cmp::Ordering::Less => low_bits,
            std::cmp::Ordering::Greater => high_bits,
            std::cmp::Ordering::Equal => low_bits + (low_bits & 1),
        };
        // Between zero and the part of the format are numbers left out.
        let left_out = low == 0 && self.numbers[1].1 != 1;
        (numerator != 0 && !left_out).then_some(sign | bits)
    }

    /// Some numbers of either sign, edges among them.
    fn sample(&self, count: usize) -> Vec<u16> {
        let mut numbers = Numbers(7);
        let last = self.numbers.len() - 1;
        let edges = [1, 2, 3, last, last - 1, last / 2, last / 2 + 1];
        let others = (0..count).map(|_| numbers.next() as usize % last + 1);
        let chosen = edges.into_iter().chain(others).map(|index| self.numbers[index].1);
        chosen.flat_map(|bits| [bits, bits | 0x8000]).collect()
    }

    fn check(&self, op: Op, operands: &[u16], exact: (i128, i128)) {
        let Some(expected) = self.nearest(exact.0, exact.1) else { return };
        let lanes: Vec<u128> = operands.iter().map(|&bits| bits.into()).collect();
        let result = fold_at(op, Type::scalar(self.scalar), &lanes).unwrap();
        assert_eq!(result, [u128::from(expected)], "{op} {operands:x?}");
    }

    fn check_arithmetic(&self, count: usize) {
        let sample = self.sample(count);
        for &a in &sample {
            for &b in &sample {
                let (x, y) = (self.value(a), self.value(b));
                self.check(Op::Fadd, &[a, b], (x + y, 1));
                self.check(Op::Fsub, &[a, b], (x - y, 1));
                self.check(Op::Fmul, &[a, b], (x * y, self.one()));
                self.check(Op::Fdiv, &[a, b], (x * self.one(), y));
                self.check(Op::Frem, &[a, b], (x % y, 1));
            }
        }
    }

    fn check_fma(&self, count: usize) {
        let sample = self.sample(count);
        let mut numbers = Numbers(3);
        for &a in &sample {
            for &b in &sample {
                let product = self.value(a) * self.value(b);
                let far = sample[numbers.next() as usize % sample.len()];
                // A product that falls almost on the middle of two numbers is
                // what a second rounding gets wrong.
                let near = self.nearest(product, self.one()).unwrap_or(far);
                for c in [far, near, near ^ 0x8000, near.wrapping_add(0x0400)] {
                    if self.numbers.iter().any(|(_, known)| *known == c & 0x7fff) {
                        let exact = product + self.value(c) * self.one();
                        self.check(Op::Fma, &[a, b, c], (exact, self.one()));
                    }
                }
            }
        }
    }
}

#[test]
fn f16_arithmetic_rounds_once() {
    Grid::f16().check_arithmetic(40);
    Grid::f16().check_fma(40);
}

#[test]
fn bf16_arithmetic_rounds_once() {
    Grid::bf16().check_arithmetic(40);
    Grid::bf16().check_fma(40);
}

#[test]
fn fma_does_not_take_a_sum_that_an_f64_rounds_for_a_tie() {
    // The products are in the middle of two numbers of bfloat16, and what is
    // added is too small for 53 digits.
    let lane = |value: f32| u128::from(bf16::from_f32(value).to_bits());
    let tiny = 2f32.powi(-60);
    for (a, b, c, expected) in [
        (7.0, 37.0, 0.0, 260.0),
        (7.0, 37.0, -tiny, 258.0),
        (9.0, 29.0, 0.0, 260.0),
        (9.0, 29.0, tiny, 262.0),
        (-9.0, 29.0, -tiny, -262.0),
    ] {
        let result = fold_at(Op::Fma, Type::BF16, &[lane(a), lane(b), lane(c)]);
        assert_eq!(result, Ok(vec![lane(expected)]), "{a} * {b} + {c:e}");
    }
}

#[test]
fn every_f16_has_the_root_whose_square_is_nearest() {
    let decode = |bits: u128| f16::from_bits(bits as u16).to_f64();
    for bits in 0..0x7c00u128 {
        let root = fold_at(Op::Fsqrt, Type::F16, &[bits]).unwrap()[0];
        // Middles of two numbers have 12 digits, and their squares 24: exact.
        let low = (decode(root) + decode(root.saturating_sub(1))) / 2.0;
        let high = (decode(root) + decode(root + 1)) / 2.0;
        let x = decode(bits);
        assert!(bits == 0 || (low * low <= x && x <= high * high), "{bits:x}");
    }
    for bits in 0x8001..=0xfc00u128 {
        assert_eq!(fold_at(Op::Fsqrt, Type::F16, &[bits]), Ok(vec![0x7e00]));
    }
    assert_eq!(fold_at(Op::Fsqrt, Type::F16, &[0x8000]), Ok(vec![0x8000]));
}

#[test]
fn every_f16_is_rounded_to_a_whole_number_as_an_f64_is() {
    type Round = fn(f64) -> f64;
    let ops: [(Op, Round); 5] = [
        (Op::Ffloor, f64::floor),
        (Op::Fceil, f64::ceil),
        (Op::Ftrunc, f64::trunc),
        (Op::Fnearest, f64::round_ties_even),
        (Op::Fround, f64::round),
    ];
    for bits in 0..=u16::MAX {
        let value = f16::from_bits(bits);
        for (op, round) in ops {
            let expected = f16::from_f64(round(value.to_f64())).to_bits();
            let expected = if value.is_nan() { 0x7e00 } else { expected };
            assert_eq!(fold_at(op, Type::F16, &[bits.into()]), Ok(vec![expected.into()]), "{bits}");
        }
        let bits = u128::from(bits);
        assert_eq!(fold_at(Op::Fneg, Type::F16, &[bits]), Ok(vec![bits ^ 0x8000]));
        assert_eq!(fold_at(Op::Fabs, Type::F16, &[bits]), Ok(vec![bits & 0x7fff]));
        assert_eq!(fold_at(Op::Fcopysign, Type::F16, &[bits, 0x8000]), Ok(vec![bits | 0x8000]));
    }
}

#[test]
fn f32_and_f64_give_what_the_host_gives() {
    let mut numbers = Numbers(11);
    let canonical32 = |value: f32| if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() };
    let nan64 = 0x7ff8_0000_0000_0000;
    let canonical64 = |value: f64| if value.is_nan() { nan64 } else { value.to_bits() };
    for _ in 0..200_000 {
        // Exponents near each other and near the ends, so that sums round and
        // quotients fall below the normal numbers.
        let mut next = || (numbers.next() as u32, numbers.next() as u32 % 3);
        let float = |(bits, place): (u32, u32)| match place {
            0 => f32::from_bits(bits),
            1 => f32::from_bits(bits & 0x81ff_ffff | 0x3e00_0000),
            _ => f32::from_bits(bits & 0x80ff_ffff),
        };
        let (a, b, c) = (float(next()), float(next()), float(next()));
        let lanes = [a, b, c].map(|value| u128::from(value.to_bits()));
        for (op, value) in [
            (Op::Fadd, a + b),
            (Op::Fsub, a - b),
            (Op::Fmul, a * b),
            (Op::Fdiv, a / b),
            (Op::Frem, a % b),
            (Op::Fsqrt, a.sqrt()),
            (Op::Fma, a.mul_add(b, c)),
            (Op::Muladd, a * b + c),
            (Op::Ffloor, a.floor()),
            (Op::Fround, a.round()),
        ] {
            let expected = canonical32(value).into();
            assert_eq!(
                fold_at(op, Type::F32, &lanes),
                Ok(vec![expected]),
                "{op} {a:e} {b:e} {c:e}"
            );
        }
        let (x, y) = (f64::from(a) * 1.1, f64::from(b) / 3.0);
        let lanes = [x, y, x].map(|value| u128::from(value.to_bits()));
        for (op, value) in [
            (Op::Fadd, x + y),
            (Op::Fmul, x * y),
            (Op::Fdiv, x / y),
            (Op::Fma, x.mul_add(y, x)),
            (Op::Muladd, x * y + x),
        ] {
            let expected = canonical64(value).into();
            assert_eq!(fold_at(op, Type::F64, &lanes), Ok(vec![expected]), "{op} {x:e} {y:e}");
        }
    }
}

#[test]
fn minima_and_maxima_order_zeros_and_meet_nan() {
    let (nan, zero, minus_zero, one) = (f64::NAN, 0.0f64, -0.0f64, 1.0f64);
    let quiet = 0x7ff8_0000_0000_0000u64;
    for (op, a, b, expected) in [
        (Op::Fmin, zero, minus_zero, minus_zero.to_bits()),
        (Op::Fmin, minus_zero, zero, minus_zero.to_bits()),
        (Op::Fmax, zero, minus_zero, zero.to_bits()),
        (Op::Fmax, minus_zero, zero, zero.to_bits()),
        (Op::Fmin, nan, one, quiet),
        (Op::Fmax, one, -nan, quiet),
        (Op::FminNum, nan, one, one.to_bits()),
        (Op::FmaxNum, one, nan, one.to_bits()),
        (Op::FminNum, nan, -nan, quiet),
        (Op::FmaxNum, minus_zero, zero, zero.to_bits()),
        (Op::Fmin, one, f64::NEG_INFINITY, f64::NEG_INFINITY.to_bits()),
    ] {
        let operands = [a.to_bits().into(), b.to_bits().into()];
        assert_eq!(fold_at(op, Type::F64, &operands), Ok(vec![expected.into()]), "{op} {a} {b}");
    }
}

#[test]
fn conditions_hold_for_the_relations_that_they_name() {
    let values = [-1.0, -0.0, 0.0, 1.0, f64::INFINITY, f64::NAN];
    for a in values {
        for b in values {
            let unordered = a.is_nan() || b.is_nan();
            for &cond in FloatCond::ALL {
                let expected = match cond {
                    FloatCond::Oeq => a == b,
                    FloatCond::One => !unordered && a != b,
                    FloatCond::Olt => a < b,
                    FloatCond::Ole => a <= b,
                    FloatCond::Ogt => a > b,
                    FloatCond::Oge => a >= b,
                    FloatCond::Ord => !unordered,
                    FloatCond::Ueq => unordered || a == b,
                    FloatCond::Une => a != b,
                    FloatCond::Ult => unordered || a < b,
                    FloatCond::Ule => unordered || a <= b,
                    FloatCond::Ugt => unordered || a > b,
                    FloatCond::Uge => unordered || a >= b,
                    FloatCond::Uno => unordered,
                };
                let (a, b) = (u128::from(a.to_bits()), u128::from(b.to_bits()));
                assert_eq!(compare::fcmp(cond, Scalar::F64, a, b), expected, "{cond} {a} {b}");
            }
        }
    }
}
