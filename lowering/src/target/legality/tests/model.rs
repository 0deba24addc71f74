//! What each primitive must give, in plain Rust.

use cranelift_codegen::ir::AtomicRmwOp;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};

use super::Trial;
use super::functions::{INT_PREDICATES, MASKS, UPDATES, float_predicates};
use super::inputs::{lanes, mask, pack};
use crate::target::{MachineType, Primitive, Shape};

use Primitive as P;

/// The results of a trial, as bits; none where the primitive may not be used.
pub(super) fn model(trial: &Trial, a: &[u128]) -> Option<Vec<u128>> {
    let (from, to) = (trial.from, trial.to);
    let bits = from.lane_bits();
    let lane_of = |argument: usize| lanes(from, a[argument]);
    let each =
        |argument: usize, f: &dyn Fn(u128) -> u128| pack(to, lane_of(argument).into_iter().map(f));
    let both = |f: &dyn Fn(u128, u128) -> u128| {
        pack(to, lane_of(0).into_iter().zip(lane_of(1)).map(|(x, y)| f(x, y)))
    };
    let predicate = |f: &dyn Fn(u128, u128) -> bool| {
        let truth = lane_of(0).into_iter().zip(lane_of(1)).map(|(x, y)| f(x, y));
        if from.is_vector() {
            pack(from.as_int(), truth.map(|truth| if truth { mask(bits) } else { 0 }))
        } else {
            u128::from(truth.into_iter().all(|truth| truth))
        }
    };
    let first = match trial.primitive.shape() {
        Shape::Unary if from.is_float() => each(0, &|x| float_unary(trial.primitive, bits, x)),
        Shape::Unary => each(0, &|x| int_unary(trial.primitive, bits, x)),
        Shape::Binary if from.is_float() => both(&|x, y| float_binary(trial.primitive, bits, x, y)),
        Shape::Binary => return int_binary(trial, a).map(|result| vec![result]),
        Shape::Ternary => ternary(trial, a),
        Shape::Shift => each(0, &|x| shift(trial.primitive, bits, x, a[1] as u32 % bits)),
        Shape::Overflow => return Some(overflow(trial.primitive, bits, a[0], a[1])),
        Shape::IntCompare => {
            predicate(&|x, y| int_compare(INT_PREDICATES[trial.variant], bits, x, y))
        }
        Shape::FloatCompare => {
            let condition = float_predicates(trial.primitive)[trial.variant];
            predicate(&|x, y| float_compare(condition, to_f64(bits, x), to_f64(bits, y)))
        }
        Shape::Select => a[if a[0] & 0xff == 0 { 2 } else { 1 }],
        Shape::Convert => convert(trial, a[0]),
        Shape::Narrow => narrow(trial, a),
        Shape::Test if trial.primitive == P::VanyTrue => u128::from(a[0] != 0),
        Shape::Test => u128::from(lane_of(0).iter().all(|&lane| lane != 0)),
        Shape::HighBits => lane_of(0)
            .iter()
            .zip(0..)
            .map(|(lane, index): (_, u32)| lane >> (bits - 1) << index)
            .sum(),
        Shape::Splat => pack(to, vec![a[0]; to.lanes() as usize]),
        Shape::Extract => lane_of(0)[trial.variant],
        Shape::Insert => {
            let mut lanes = lane_of(0);
            lanes[trial.variant] = a[1];
            pack(to, lanes)
        }
        Shape::Shuffle => {
            let bytes = [lane_of(0), lane_of(1)].concat();
            pack(to, MASKS[trial.variant].map(|index| bytes[usize::from(index)]))
        }
        Shape::Join => a[0] | a[1] << 64,
        Shape::Split => return Some(vec![a[0] & mask(64), a[0] >> 64]),
        Shape::Access | Shape::Atomic => a[0],
        Shape::Update => return Some(vec![a[0], update(UPDATES[trial.variant], bits, a[0], a[1])]),
        Shape::Exchange => return Some(vec![a[0], if a[0] == a[1] { a[2] } else { a[0] }]),
    };
    Some(vec![first])
}

fn signed(bits: u32, x: u128) -> i128 {
    ((x << (128 - bits)) as i128) >> (128 - bits)
}

/// Brings a number into the range of signed or unsigned lanes.
fn clamp_signed(bits: u32, x: i128) -> u128 {
    x.clamp(signed(bits, 1 << (bits - 1)), (mask(bits) >> 1) as i128) as u128 & mask(bits)
}

fn int_unary(primitive: Primitive, bits: u32, x: u128) -> u128 {
    match primitive {
        P::Ineg => x.wrapping_neg(),
        P::Iabs => signed(bits, x).wrapping_abs() as u128,
        P::Bnot => !x,
        P::Clz => u128::from(x.leading_zeros() - (128 - bits)),
        P::Ctz => u128::from(x.trailing_zeros().min(bits)),
        P::Popcnt => u128::from(x.count_ones()),
        P::Bitrev => x.reverse_bits() >> (128 - bits),
        P::Bswap => x.swap_bytes() >> (128 - bits),
        other => unreachable!("{other:?} is no unary op of integers"),
    }
}

fn int_binary(trial: &Trial, a: &[u128]) -> Option<u128> {
    let (ty, bits) = (trial.from, trial.from.lane_bits());
    let (x, y) = (lanes(ty, a[0]), lanes(ty, a[1]));
    match trial.primitive {
        P::Swizzle => {
            let pick = |index: &u128| x.get(*index as usize).copied().unwrap_or(0);
            return Some(pack(ty, y.iter().map(pick)));
        }
        P::IaddPairwise => {
            return Some(pack(ty, [x, y].concat().chunks(2).map(|pair| pair[0] + pair[1])));
        }
        _ => {}
    }
    let pairs = x.into_iter().zip(y);
    let results: Option<Vec<u128>> =
        pairs.map(|(x, y)| int_binary_lane(trial.primitive, bits, x, y)).collect();
    results.map(|results| pack(ty, results))
}

fn int_binary_lane(primitive: Primitive, bits: u32, x: u128, y: u128) -> Option<u128> {
    let (p, q) = (signed(bits, x), signed(bits, y));
    let overflows = q == -1 && x == 1 << (bits - 1);
    Some(match primitive {
        P::Iadd => x.wrapping_add(y),
        P::Isub => x.wrapping_sub(y),
        P::Imul => x.wrapping_mul(y),
        P::Smulhi => (p.wrapping_mul(q) >> bits) as u128,
        P::Umulhi => x.wrapping_mul(y) >> bits,
        P::Smin => p.min(q) as u128,
        P::Smax => p.max(q) as u128,
        P::Umin => x.min(y),
        P::Umax => x.max(y),
        P::SaddSat => clamp_signed(bits, p + q),
        P::SsubSat => clamp_signed(bits, p - q),
        P::UaddSat => (x + y).min(mask(bits)),
        P::UsubSat => x.saturating_sub(y),
        P::AvgRound => (x + y + 1) >> 1,
        P::Band => x & y,
        P::Bor => x | y,
        P::Bxor => x ^ y,
        P::Sdiv | P::Udiv | P::Srem | P::Urem if y == 0 => return None,
        P::Sdiv if overflows => return None,
        P::Sdiv => (p / q) as u128,
        P::Udiv => x / y,
        P::Srem => p.wrapping_rem(q) as u128,
        P::Urem => x % y,
        other => unreachable!("{other:?} is no binary op of integers"),
    })
}

fn overflow(primitive: Primitive, bits: u32, x: u128, y: u128) -> Vec<u128> {
    let (p, q) = (signed(bits, x), signed(bits, y));
    let of_signed = |(result, wrapped): (i128, bool)| {
        let wrapped = wrapped || signed(bits, result as u128) != result;
        vec![result as u128 & mask(bits), u128::from(wrapped)]
    };
    let of_unsigned = |(result, wrapped): (u128, bool)| {
        vec![result & mask(bits), u128::from(wrapped || result > mask(bits))]
    };
    match primitive {
        P::SaddOverflow => of_signed(p.overflowing_add(q)),
        P::SsubOverflow => of_signed(p.overflowing_sub(q)),
        P::SmulOverflow => of_signed(p.overflowing_mul(q)),
        P::UaddOverflow => of_unsigned(x.overflowing_add(y)),
        P::UsubOverflow => of_unsigned(x.overflowing_sub(y)),
        _ => of_unsigned(x.overflowing_mul(y)),
    }
}

fn shift(primitive: Primitive, bits: u32, x: u128, amount: u32) -> u128 {
    let rotate = |left: u32| {
        if left == 0 { x } else { x << left | x >> (bits - left) }
    };
    match primitive {
        P::Ishl => x << amount,
        P::Ushr => x >> amount,
        P::Sshr => (signed(bits, x) >> amount) as u128,
        P::Rotl => rotate(amount),
        _ => rotate((bits - amount) % bits),
    }
}

fn ternary(trial: &Trial, a: &[u128]) -> u128 {
    if trial.primitive == P::Bitselect {
        return (a[0] & a[1] | !a[0] & a[2]) & mask(trial.from.bits());
    }
    let ty = trial.from;
    let fma = |((x, y), z): ((u128, u128), u128)| match ty.lane() {
        MachineType::F32 => {
            let [x, y, z] = [x, y, z].map(|it| f32::from_bits(it as u32));
            u128::from(x.mul_add(y, z).to_bits())
        }
        _ => {
            let [x, y, z] = [x, y, z].map(|it| f64::from_bits(it as u64));
            u128::from(x.mul_add(y, z).to_bits())
        }
    };
    let lane = |argument: usize| lanes(ty, a[argument]);
    pack(ty, lane(0).into_iter().zip(lane(1)).zip(lane(2)).map(fma))
}

fn int_compare(predicate: IntCC, bits: u32, x: u128, y: u128) -> bool {
    let (p, q) = (signed(bits, x), signed(bits, y));
    match predicate {
        IntCC::Equal => x == y,
        IntCC::NotEqual => x != y,
        IntCC::SignedLessThan => p < q,
        IntCC::SignedLessThanOrEqual => p <= q,
        IntCC::SignedGreaterThan => p > q,
        IntCC::SignedGreaterThanOrEqual => p >= q,
        IntCC::UnsignedLessThan => x < y,
        IntCC::UnsignedLessThanOrEqual => x <= y,
        IntCC::UnsignedGreaterThan => x > y,
        IntCC::UnsignedGreaterThanOrEqual => x >= y,
    }
}

fn float_compare(predicate: FloatCC, x: f64, y: f64) -> bool {
    let unordered = x.is_nan() || y.is_nan();
    match predicate {
        FloatCC::Ordered => !unordered,
        FloatCC::Unordered => unordered,
        FloatCC::Equal => x == y,
        FloatCC::NotEqual => x != y,
        FloatCC::OrderedNotEqual => !unordered && x != y,
        FloatCC::UnorderedOrEqual => unordered || x == y,
        FloatCC::LessThan => x < y,
        FloatCC::LessThanOrEqual => x <= y,
        FloatCC::GreaterThan => x > y,
        FloatCC::GreaterThanOrEqual => x >= y,
        FloatCC::UnorderedOrLessThan => unordered || x < y,
        FloatCC::UnorderedOrLessThanOrEqual => unordered || x <= y,
        FloatCC::UnorderedOrGreaterThan => unordered || x > y,
        FloatCC::UnorderedOrGreaterThanOrEqual => unordered || x >= y,
    }
}

/// Exact, since every `f32` is an `f64`.
fn to_f64(bits: u32, x: u128) -> f64 {
    if bits == 32 { f64::from(f32::from_bits(x as u32)) } else { f64::from_bits(x as u64) }
}

/// Rounded to the width of the lane. The four operations and the square root
/// of `f32` computed in `f64` and rounded again are right, since `f64` has more
/// than twice the digits (Figueroa 1995).
fn from_f64(bits: u32, x: f64) -> u128 {
    if bits == 32 { u128::from((x as f32).to_bits()) } else { u128::from(x.to_bits()) }
}

fn float_unary(primitive: Primitive, bits: u32, x: u128) -> u128 {
    let sign = 1 << (bits - 1);
    let number = to_f64(bits, x);
    let result = match primitive {
        P::Fneg => return x ^ sign,
        P::Fabs => return x & !sign,
        P::Sqrt => number.sqrt(),
        P::Ceil => number.ceil(),
        P::Floor => number.floor(),
        P::Trunc => number.trunc(),
        P::Nearest => number.round_ties_even(),
        other => unreachable!("{other:?} is no unary op of floats"),
    };
    from_f64(bits, result)
}

fn float_binary(primitive: Primitive, bits: u32, x: u128, y: u128) -> u128 {
    let sign = 1 << (bits - 1);
    let (p, q) = (to_f64(bits, x), to_f64(bits, y));
    let extreme = |take_first: bool| {
        if p.is_nan() || q.is_nan() {
            f64::NAN
        } else if take_first {
            p
        } else {
            q
        }
    };
    // -0 below +0, which `<` does not say.
    let below = p < q || (p == q && p.is_sign_negative());
    let result = match primitive {
        P::Fadd => p + q,
        P::Fsub => p - q,
        P::Fmul => p * q,
        P::Fdiv => p / q,
        P::Fmin => extreme(below),
        P::Fmax => extreme(!below),
        P::Fcopysign => return x & !sign | y & sign,
        other => unreachable!("{other:?} is no binary op of floats"),
    };
    from_f64(bits, result)
}

fn convert(trial: &Trial, x: u128) -> u128 {
    let (from, to) = (trial.from, trial.to);
    let (narrow, wide) = (from.lane_bits(), to.lane_bits());
    let source = lanes(from, x);
    let half = source.len() / 2;
    let extend = |x: &u128| signed(narrow, *x) as u128;
    match trial.primitive {
        P::Bitcast => x,
        P::Uextend => x,
        P::Sextend => extend(&x) & mask(wide),
        P::Ireduce => x & mask(wide),
        P::UwidenLow => pack(to, source[..half].iter().copied()),
        P::UwidenHigh => pack(to, source[half..].iter().copied()),
        P::SwidenLow => pack(to, source[..half].iter().map(extend)),
        P::SwidenHigh => pack(to, source[half..].iter().map(extend)),
        P::Fpromote | P::Fdemote | P::FvpromoteLow | P::Fvdemote => {
            let lanes = source.iter().take(to.lanes() as usize);
            pack(to, lanes.map(|&x| from_f64(wide, to_f64(narrow, x))))
        }
        P::FcvtFromSint => {
            pack(to, source.iter().map(|&x| float_of_signed(wide, signed(narrow, x))))
        }
        P::FcvtFromUint => pack(to, source.iter().map(|&x| float_of_unsigned(wide, x))),
        P::FcvtToSintSat => {
            // `as` saturates, and gives 0 for NaN.
            pack(to, source.iter().map(|&x| clamp_signed(wide, to_f64(narrow, x) as i128)))
        }
        P::FcvtToUintSat => {
            pack(to, source.iter().map(|&x| (to_f64(narrow, x) as u128).min(mask(wide))))
        }
        other => unreachable!("{other:?} is no conversion"),
    }
}

fn float_of_signed(bits: u32, x: i128) -> u128 {
    if bits == 32 { u128::from((x as f32).to_bits()) } else { u128::from((x as f64).to_bits()) }
}

fn float_of_unsigned(bits: u32, x: u128) -> u128 {
    if bits == 32 { u128::from((x as f32).to_bits()) } else { u128::from((x as f64).to_bits()) }
}

fn narrow(trial: &Trial, a: &[u128]) -> u128 {
    let (wide, bits) = (trial.from.lane_bits(), trial.to.lane_bits());
    let saturate = |x: u128| match trial.primitive {
        P::Snarrow => clamp_signed(bits, signed(wide, x)),
        P::Unarrow => signed(wide, x).clamp(0, mask(bits) as i128) as u128,
        _ => x.min(mask(bits)),
    };
    let source = [lanes(trial.from, a[0]), lanes(trial.from, a[1])].concat();
    pack(trial.to, source.into_iter().map(saturate))
}

fn update(kind: AtomicRmwOp, bits: u32, old: u128, operand: u128) -> u128 {
    let (p, q) = (signed(bits, old), signed(bits, operand));
    let new = match kind {
        AtomicRmwOp::Add => old.wrapping_add(operand),
        AtomicRmwOp::Sub => old.wrapping_sub(operand),
        AtomicRmwOp::And => old & operand,
        AtomicRmwOp::Nand => !(old & operand),
        AtomicRmwOp::Or => old | operand,
        AtomicRmwOp::Xor => old ^ operand,
        AtomicRmwOp::Xchg => operand,
        AtomicRmwOp::Umin => old.min(operand),
        AtomicRmwOp::Umax => old.max(operand),
        AtomicRmwOp::Smin => p.min(q) as u128,
        AtomicRmwOp::Smax => p.max(q) as u128,
    };
    new & mask(bits)
}
