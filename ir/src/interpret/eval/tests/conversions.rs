use super::*;
use half::{bf16, f16};

fn convert(op: Op, from: Type, to: Type, lane: u128) -> Result<u128, TrapCode> {
    fold_from(op, to, from, &[lane]).map(|results| results[0])
}

/// The numbers of 128 bits that stand at the edges of shorter ones.
fn whole_numbers() -> Vec<u128> {
    let mut all = Vec::new();
    for bits in 0..128 {
        let power = 1u128 << bits;
        all.extend([power, power - 1, power + 1, power | power >> 8, power | power >> 8 | 1]);
        all.extend([power | power >> 11, (power | power >> 11).saturating_sub(1)]);
        all.extend([power | power >> 24, power | power >> 24 | 1, power | power >> 53]);
    }
    let mut numbers = Numbers(5);
    all.extend((0..2000).map(|_| numbers.wide()));
    all
}

/// The bits of the number nearest to a whole one among those of a short
/// format, ties to even.
fn nearest(whole: u128, finite: std::ops::Range<u16>, decode: fn(u16) -> f64) -> u16 {
    let end = finite.end;
    let numbers: Vec<u16> = finite.filter(|&bits| decode(bits).fract() == 0.0).collect();
    let below = |bits: u16| decode(bits) as u128 <= whole;
    let above = numbers.partition_point(|&bits| below(bits));
    let low = numbers[above - 1];
    let low_value = decode(low) as u128;
    let distance = whole - low_value;
    // Behind the last number stands what would be the next, as infinity.
    let step = match numbers.get(above) {
        Some(&high) => decode(high) as u128 - low_value,
        None => low_value - decode(low - 1) as u128,
    };
    let high = numbers.get(above).copied().unwrap_or(end);
    match (distance * 2).cmp(&step) {
        std::cmp::Ordering::Less => low,
        std::cmp::Ordering::Greater => high,
        std::cmp::Ordering::Equal if low & 1 == 0 => low,
        std::cmp::Ordering::Equal => high,
    }
}

#[test]
fn whole_numbers_become_the_nearest_float() {
    for whole in whole_numbers() {
        let unsigned = |to| convert(Op::Uitofp, Type::I128, to, whole).unwrap();
        let signed = |to| convert(Op::Sitofp, Type::I128, to, whole).unwrap();
        assert_eq!(unsigned(Type::F64), (whole as f64).to_bits().into(), "{whole}");
        assert_eq!(unsigned(Type::F32), (whole as f32).to_bits().into(), "{whole}");
        assert_eq!(signed(Type::F64), (whole as i128 as f64).to_bits().into(), "{whole}");
        assert_eq!(signed(Type::F32), (whole as i128 as f32).to_bits().into(), "{whole}");
        let magnitude = (whole as i128).unsigned_abs();
        let sign = if (whole as i128) < 0 { 0x8000 } else { 0 };
        let half = |whole| nearest(whole, 0..0x7c00, |bits| f16::from_bits(bits).to_f64());
        let brain = |whole| nearest(whole, 0..0x7f80, |bits| bf16::from_bits(bits).to_f64());
        assert_eq!(unsigned(Type::F16), half(whole.min(1 << 17)).into(), "{whole}");
        assert_eq!(signed(Type::F16), (sign | half(magnitude.min(1 << 17))).into(), "{whole}");
        assert_eq!(unsigned(Type::BF16), brain(whole).into(), "{whole}");
        assert_eq!(signed(Type::BF16), (sign | brain(magnitude)).into(), "{whole}");
    }
}

/// Floats around every power of two, and others.
fn floats() -> Vec<f64> {
    let mut all = vec![0.0, 0.5, 1.5, 254.999, 255.0, 255.5, 256.0, -0.9, -128.9, -129.0];
    for exponent in -3..200 {
        let power = 2f64.powi(exponent);
        let next = |bits: i64| f64::from_bits((power.to_bits() as i64 + bits) as u64);
        all.extend([power, next(-1), next(1), power * 1.37]);
    }
    let mut numbers = Numbers(9);
    all.extend((0..5000).map(|_| f64::from_bits(numbers.next())));
    let negated: Vec<f64> = all.iter().map(|value| -value).collect();
    all.into_iter().chain(negated).chain([f64::INFINITY, f64::NEG_INFINITY, f64::NAN]).collect()
}

macro_rules! check_whole {
    ($($signed:ident $unsigned:ident $ty:ident,)*) => {$(
        for value in floats() {
            let lane = u128::from(value.to_bits());
            let give = |op| convert(op, Type::F64, Type::$ty, lane);
            let signed = u128::from(value as $signed as $unsigned);
            let unsigned = u128::from(value as $unsigned);
            assert_eq!(give(Op::FptosiSat), Ok(signed), "{value:e}");
            assert_eq!(give(Op::FptouiSat), Ok(unsigned), "{value:e}");
            // Rust's `as` is exact when casting back gives the whole part.
            let fits = |held: f64, bits: u32, negative: bool| {
                let limit = 2f64.powi(bits as i32);
                !value.is_nan() && held == value.trunc() && held < limit
                    && (negative || value.trunc() >= 0.0)
            };
            let bad = Err(TrapCode::BadConversion);
            let is_signed = fits(value as $signed as f64, $signed::BITS - 1, true);
            let expected = if is_signed { Ok(signed) } else { bad };
            assert_eq!(give(Op::FptosiTrap), expected, "{value:e}");
            let is_unsigned = fits(value as $unsigned as f64, $unsigned::BITS, false);
            let expected = if is_unsigned { Ok(unsigned) } else { bad };
            assert_eq!(give(Op::FptouiTrap), expected, "{value:e}");
            let wrapped = u128::from(wrap(value) as $unsigned);
            assert_eq!(give(Op::FptosiWrap), Ok(wrapped), "{value:e}");
            assert_eq!(give(Op::FptouiWrap), Ok(wrapped), "{value:e}");
        }
    )*};
}

/// The whole part modulo `2^128`, by doubling as often as the exponent says.
fn wrap(value: f64) -> u128 {
    if !value.is_finite() {
        return 0;
    }
    let (mut magnitude, mut doublings) = (value.trunc().abs(), 0);
    while magnitude >= 2f64.powi(100) {
        magnitude /= 2.0;
        doublings += 1;
    }
    let whole = (0..doublings).fold(magnitude as u128, |whole, _| whole.wrapping_mul(2));
    if value < 0.0 { whole.wrapping_neg() } else { whole }
}

#[test]
fn floats_become_whole_numbers_three_ways() {
    check_whole! { i8 u8 I8, i16 u16 I16, i32 u32 I32, i64 u64 I64, i128 u128 I128, }
}

#[test]
fn every_f16_becomes_the_whole_number_that_its_f64_becomes() {
    for bits in 0..=u16::MAX {
        let wide = u128::from(f16::from_bits(bits).to_f64().to_bits());
        for op in [Op::FptosiSat, Op::FptouiSat, Op::FptosiTrap, Op::FptouiTrap, Op::FptosiWrap] {
            for ty in [Type::I8, Type::I16, Type::I128] {
                let own = convert(op, Type::F16, ty, bits.into());
                assert_eq!(own, convert(op, Type::F64, ty, wide), "{op} {bits:x}");
            }
        }
    }
}

#[test]
fn integers_are_cut_extended_and_held() {
    let bad = Err(TrapCode::BadConversion);
    for wide in 0..=u16::MAX {
        let (lane, signed) = (u128::from(wide), wide as i16);
        let give = |op| convert(op, Type::I16, Type::I8, lane);
        assert_eq!(give(Op::Trunc), Ok(u128::from(wide as u8)));
        let held = signed.clamp(i8::MIN.into(), i8::MAX.into()) as u8;
        assert_eq!(give(Op::StruncSat), Ok(held.into()));
        assert_eq!(give(Op::UtruncSat), Ok(wide.min(255).into()));
        let fits = i8::try_from(signed).map(|byte| u128::from(byte as u8));
        assert_eq!(give(Op::StruncTrap), fits.map_or(bad, Ok));
        let fits = u8::try_from(wide).map(u128::from);
        assert_eq!(give(Op::UtruncTrap), fits.map_or(bad, Ok));
        let extend = |op| convert(op, Type::I16, Type::I128, lane).unwrap();
        assert_eq!(extend(Op::Zext), lane);
        assert_eq!(extend(Op::Sext), i128::from(signed) as u128);
    }
}

#[test]
fn floats_are_narrowed_with_one_rounding_and_widened_exactly() {
    for value in floats() {
        let lane = u128::from(value.to_bits());
        let narrow = value as f32;
        let bits = if narrow.is_nan() { 0x7fc0_0000 } else { narrow.to_bits() };
        assert_eq!(convert(Op::Fptrunc, Type::F64, Type::F32, lane), Ok(bits.into()));
    }
    // Just above the middle of two numbers, by less than an `f32` can tell.
    let value = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
    let lane = u128::from(value.to_bits());
    let above = f16::from_f32(1.0 + 2f32.powi(-10)).to_bits();
    assert_eq!(convert(Op::Fptrunc, Type::F64, Type::F16, lane), Ok(above.into()));
    for bits in 0..=u16::MAX {
        let value = f16::from_bits(bits);
        let wide = if value.is_nan() { f32::NAN.to_bits() } else { value.to_f32().to_bits() };
        let own = convert(Op::Fpext, Type::F16, Type::F32, bits.into());
        assert_eq!(own, Ok(u128::from(wide) & 0x7fff_ffff | u128::from(wide) & 0x8000_0000));
        if !value.is_nan() {
            let back = convert(Op::Fptrunc, Type::F32, Type::F16, wide.into());
            assert_eq!(back, Ok(bits.into()));
        }
    }
}
