//! Operands on which arithmetic goes wrong first.

use brolga::ir::interpret::eval::float;
use brolga::ir::op::Op;
use brolga::ir::types::Scalar;
use brolga::lowering::prelude::PreludeFunction;

/// The lowest bits, at least one.
fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// How a float's bits are divided.
#[derive(Clone, Copy)]
struct Format {
    fraction: u32,
    exponent: u32,
}

impl Format {
    fn of(scalar: Scalar) -> Option<Format> {
        let (fraction, exponent) = match scalar {
            Scalar::F16 => (10, 5),
            Scalar::Bf16 => (7, 8),
            Scalar::F32 => (23, 8),
            Scalar::F64 => (52, 11),
            _ => return None,
        };
        Some(Format { fraction, exponent })
    }

    fn bias(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The field of an exponent, held at those of zero and infinity.
    fn field(self, exponent: i32) -> u128 {
        let largest = (1 << self.exponent) - 1;
        ((exponent + self.bias()).clamp(0, largest) as u128) << self.fraction
    }
}

/// The operands that a function is tried on.
pub(super) struct Cases {
    scalar: Scalar,
    op: Op,
    arity: usize,
    state: u64,
}

/// Exponents at which formats and integers end.
const EXPONENTS: &[i32] = &[
    -1074, -1023, -1022, -150, -149, -133, -127, -126, -54, -53, -25, -24, -15, -14, -2, -1, 0, 1,
    7, 8, 11, 15, 16, 22, 23, 24, 30, 31, 32, 51, 52, 53, 62, 63, 64, 126, 127, 128, 1023, 1024,
];

impl Cases {
    /// The operands for a function, the same ones each time.
    pub(super) fn new(function: &PreludeFunction) -> Cases {
        let scalar = function.from.lane().expect("operands are scalars");
        let arity = function.op.info().operands.len();
        Cases { scalar, op: function.op, arity, state: 1 }
    }

    /// Every combination of edges; of three operands, combinations of fewer. A
    /// format of 16 bits is one edge as a whole.
    pub(super) fn for_each_edge(&self, mut check: impl FnMut(&[u128])) {
        let edges = self.edges();
        match self.arity {
            1 => edges.iter().for_each(|&a| check(&[a])),
            2 => edges.iter().for_each(|&a| edges.iter().for_each(|&b| check(&[a, b]))),
            _ => {
                let few: Vec<u128> = edges.iter().copied().step_by(edges.len() / 13).collect();
                let mut each = |a, b| few.iter().for_each(|&c| check(&[a, b, c]));
                few.iter().for_each(|&a| few.iter().for_each(|&b| each(a, b)));
            }
        }
    }

    fn edges(&self) -> Vec<u128> {
        let bits = self.scalar.bits();
        let Some(format) = Format::of(self.scalar) else {
            let powers = (0..bits).step_by(if self.arity == 1 { 1 } else { 9 });
            let near = powers.flat_map(|power| {
                (0..3).map(move |i| (1u128 << power).wrapping_add(i).wrapping_sub(1))
            });
            let both = near.flat_map(|edge| [edge, edge.wrapping_neg()]);
            let most = [mask(bits) >> 1, (mask(bits) >> 1) + 1, (mask(bits) >> 1) + 2];
            return both.chain(most).map(|edge| edge & mask(bits)).collect();
        };
        if bits == 16 && self.arity == 1 {
            return (0..=0xffff).collect();
        }
        let exponents = EXPONENTS.iter().map(|&exponent| format.field(exponent));
        let fractions = [0, 1, mask(format.fraction), 1 << (format.fraction - 1)];
        let dense = if self.arity == 1 { 4 } else { 2 };
        let sizes = exponents.flat_map(|field| fractions[..dense].iter().map(move |it| field | it));
        let ends = [0, 1, mask(format.fraction), format.field(i32::from(i16::MAX))];
        let sizes: Vec<u128> = sizes.chain(ends).collect();
        sizes.iter().flat_map(|&size| [size, size | 1 << (bits - 1)]).collect()
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: u32) -> u32 {
        (self.next() % u64::from(count)) as u32
    }

    /// Any bits, the lower ones of which are mostly a half, all, nothing, or next
    /// to that.
    fn patterned(&mut self, width: u32) -> u128 {
        let bits = (u128::from(self.next()) << 64 | u128::from(self.next())) & mask(width);
        let low = mask(self.below(width) + 1);
        let half = low ^ (low >> 1);
        let pattern = match self.below(8) {
            0 => return bits,
            1 => 0,
            2 => low,
            3 => 1,
            4 => half.wrapping_sub(1),
            5 => half + 1,
            _ => half,
        };
        bits & !low | pattern & low
    }

    fn operand(&mut self) -> u128 {
        let width = self.scalar.bits();
        let Some(format) = Format::of(self.scalar) else {
            let digits = self.below(width) + 1;
            return self.patterned(digits);
        };
        let span = [4, 40, 160, 1 << format.exponent][self.below(4) as usize];
        let exponent = self.below(span) as i32 - (span / 2) as i32;
        let sign = u128::from(self.below(2)) << (width - 1);
        sign | format.field(exponent) | self.patterned(format.fraction)
    }

    /// Two factors whose product is next to half of the last digit of `c`.
    fn factors_of_half_a_digit(&mut self, format: Format, c: u128) -> [u128; 2] {
        let field = (c >> format.fraction & mask(format.exponent)).max(1) as i32;
        let half = field - format.bias() - format.fraction as i32 - 1;
        let first = half / 2 + self.below(9) as i32 - 4;
        let second = half - first + self.below(3) as i32 - 1;
        [first, second].map(|exponent| {
            let fraction = match self.below(4) {
                0 => 0,
                1 => 1,
                2 => mask(format.fraction),
                _ => 1 << self.below(format.fraction),
            };
            let sign = u128::from(self.below(2)) << (format.fraction + format.exponent);
            sign | format.field(exponent) | fraction
        })
    }

    /// Operands that have to do with one another as often as not.
    pub(super) fn random(&mut self) -> Vec<u128> {
        let mut operands: Vec<u128> = (0..self.arity).map(|_| self.operand()).collect();
        let scalar = self.scalar;
        let near = u128::from(self.below(5)).wrapping_sub(2);
        match (&mut operands[..], self.op) {
            (_, _) if self.below(2) == 0 => {}
            // A sum next to a tie.
            ([a, b, c], Op::Fma) if self.below(2) == 0 => {
                let format = Format::of(scalar).expect("it is of floats");
                [*a, *b] = self.factors_of_half_a_digit(format, *c);
            }
            // A sum of few digits, whose sign is in doubt.
            ([a, b, c], Op::Fma) => {
                let product = float::neg(scalar, float::mul(scalar, *a, *b));
                *c = product.wrapping_add(near) & mask(scalar.bits());
            }
            // Almost a multiple of the divisor.
            ([a, b], Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem) => {
                *a = a.wrapping_mul(*b).wrapping_add(near);
            }
            ([a, b], Op::UmulOverflow) if *b != 0 => *a = (u128::MAX / *b).wrapping_add(near),
            ([a, b], Op::SmulOverflow) if *b != 0 => *a = (mask(127) / *b).wrapping_add(near),
            ([a, b], Op::Frem) => {
                *a = float::mul(scalar, *a, *b).wrapping_add(near) & mask(scalar.bits());
            }
            _ => {}
        }
        operands
    }
}
