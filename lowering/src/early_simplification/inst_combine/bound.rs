//! What a pattern has bound, and what rules ask of it.

use brolga_ir::attribute::{FloatCond, IntCond};
use brolga_ir::body::Body;
use brolga_ir::constant::ConstantBits;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::interpret::eval::compare::{fcmp, icmp};
use brolga_ir::interpret::eval::float::decode;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use super::rule::{NAMES, Node};

/// What the names of a pattern stand for.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    /// The type of the pattern's result.
    pub(super) root: Type,
    /// The suffix of the pattern's root.
    pub(super) suffix: Type,
    pub(super) values: [Option<Value>; NAMES],
    pub(super) types: [Type; 1],
    pub(super) int: Option<IntCond>,
    pub(super) float: Option<FloatCond>,
    /// The condition of a compare of floats below the root, if the pattern asks for it.
    pub(super) inner_float: Option<FloatCond>,
    /// The instructions below the root that the pattern has met, each with the number
    /// of the one that uses it: 0 is the root, 1 the first of these.
    pub(super) inner: SmallVec<[(Inst, usize); 4]>,
}

impl Binding {
    pub(super) fn new(root: Type, suffix: Type) -> Binding {
        Binding {
            root,
            suffix,
            values: [None; NAMES],
            types: [Type::NONE],
            int: None,
            float: None,
            inner_float: None,
            inner: SmallVec::new(),
        }
    }

    /// The value that a name stands for.
    pub(super) fn value(&self, name: Node) -> Option<Value> {
        match name {
            Node::Value(number) | Node::Constant(number) => self.values[number],
            _ => None,
        }
    }
}

/// A binding in its body: what the condition of a rule sees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound<'a> {
    pub(super) body: &'a Body,
    pub(super) binding: &'a Binding,
}

/// The low bits that a lane of that many has.
pub(super) fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

impl Bound<'_> {
    fn value(&self, name: Node) -> Option<Value> {
        self.binding.value(name)
    }

    /// The suffix of the pattern's root.
    pub(super) fn suffix(&self) -> Type {
        self.binding.suffix
    }

    /// The type of what a name stands for.
    pub(super) fn ty(&self, name: Node) -> Type {
        self.value(name).map_or(Type::NONE, |value| self.body.value_type(value))
    }

    /// How many bits a lane of what a name stands for has.
    pub(super) fn width(&self, name: Node) -> u32 {
        bits_of(self.ty(name))
    }

    /// Whether the pattern's result is of the type of what a name stands for.
    pub(super) fn is_root_type(&self, name: Node) -> bool {
        self.ty(name) == self.binding.root
    }

    pub(super) fn is_constant(&self, name: Node) -> bool {
        self.value(name).is_some_and(|value| self.body.as_constant(value).is_some())
    }

    /// The lanes of a constant.
    pub(super) fn lanes(&self, name: Node) -> &[u128] {
        match self.value(name).and_then(|value| self.body.as_constant(value)) {
            Some(constant) => match constant.bits() {
                ConstantBits::Scalar(bits) => std::slice::from_ref(bits),
                ConstantBits::Lanes(lanes) => lanes,
                ConstantBits::Zero => &[],
            },
            None => &[],
        }
    }

    /// Whether `test` holds for each lane of a constant.
    pub(super) fn each(&self, name: Node, test: impl Fn(u128) -> bool) -> bool {
        let lanes = self.lanes(name);
        !lanes.is_empty() && lanes.iter().all(|&lane| test(lane))
    }

    /// Whether `test` holds for each pair of lanes of two constants.
    pub(super) fn each_pair(&self, names: (Node, Node), test: impl Fn(u128, u128) -> bool) -> bool {
        let (first, second) = (self.lanes(names.0), self.lanes(names.1));
        let mut pairs = first.iter().zip(second);
        !first.is_empty() && first.len() == second.len() && pairs.all(|(&a, &b)| test(a, b))
    }

    /// Whether a constant is a power of two.
    pub(super) fn is_power_of_two(&self, name: Node) -> bool {
        self.each(name, u128::is_power_of_two)
    }

    /// Whether the bits of a constant are the highest ones, without a gap, of two or more.
    pub(super) fn are_high_bits(&self, name: Node) -> bool {
        let all = mask(self.width(name));
        self.width(name) > 1
            && self.each(name, |bits| (bits.wrapping_neg() & all).is_power_of_two())
    }

    /// Whether a constant is a count of bits below the width of its type.
    pub(super) fn is_shift(&self, name: Node) -> bool {
        let width = u128::from(self.width(name));
        self.each(name, |bits| bits < width)
    }

    /// Whether one constant is the other plus one, wrapped.
    pub(super) fn is_next(&self, lower: Node, upper: Node) -> bool {
        let all = mask(self.width(upper));
        self.each_pair((lower, upper), |lower, upper| lower.wrapping_add(1) & all == upper)
    }

    /// Whether the numbers of which `x + first` or `x + second` is less than `size` are two
    /// ranges that differ in one bit, the first being the one without it.
    pub(super) fn are_twins(&self, first: Node, second: Node, size: Node) -> bool {
        let mask = mask(self.width(first));
        let sizes = self.lanes(size);
        let are_twins = |first: u128, second: u128| {
            let (low, high) = (first.wrapping_neg() & mask, second.wrapping_neg() & mask);
            let bit = low ^ high;
            let is_clear = |&size: &u128| {
                let last = low.wrapping_add(size).wrapping_sub(1) & mask;
                size > 0 && low <= last && (low ^ last) < bit
            };
            low < high && bit.is_power_of_two() && sizes.iter().all(is_clear)
        };
        sizes.len() == 1 && self.each_pair((first, second), are_twins)
    }

    /// Whether a constant is the smallest signed number.
    pub(super) fn is_least(&self, name: Node) -> bool {
        let width = self.width(name);
        self.each(name, |bits| bits == mask(width) ^ (mask(width) >> 1))
    }

    /// Whether every number of the type of an integer has a float of the bound type.
    pub(super) fn is_exact_in_bound_float(&self, name: Node) -> bool {
        let digits = match self.binding.types[0].lane() {
            Some(Scalar::F64) => 53,
            Some(Scalar::F32) => 24,
            Some(Scalar::F16) => 11,
            Some(Scalar::Bf16) => 8,
            _ => 0,
        };
        self.width(name) <= digits
    }

    /// Whether a float is a power of two whose reciprocal is an ordinary number, too:
    /// dividing by it is multiplying by that.
    pub(super) fn has_exact_reciprocal(&self, name: Node) -> bool {
        let Some(lane) = self.ty(name).lane() else { return false };
        let least = match lane {
            Scalar::F64 => f64::MIN_POSITIVE,
            Scalar::F32 | Scalar::Bf16 => f64::from(f32::MIN_POSITIVE),
            Scalar::F16 => 2f64.powi(-14),
            _ => return false,
        };
        self.each(name, |bits| {
            let number = decode(lane, bits).abs();
            let is_power = number.is_normal() && number.to_bits() << 12 == 0;
            is_power && number >= least && 1.0 / number >= least
        })
    }

    /// Whether a constant is a NaN.
    pub(super) fn is_nan(&self, name: Node) -> bool {
        let Some(lane) = self.ty(name).lane() else { return false };
        self.each(name, |bits| decode(lane, bits).is_nan())
    }

    /// Whether a constant is the number of a lane of the pattern's root.
    pub(super) fn is_lane(&self, name: Node) -> bool {
        let lanes = u128::from(self.binding.suffix.lanes());
        self.each(name, |bits| bits < lanes)
    }

    /// Whether the bound condition asks for equality alone.
    pub(super) fn is_equality(&self) -> bool {
        matches!(self.binding.int, Some(IntCond::Eq | IntCond::Ne))
    }

    /// Whether the bound condition reads numbers as unsigned, or does not care.
    pub(super) fn is_unsigned(&self) -> bool {
        self.binding.int.is_some_and(|cond| cond == cond.unsigned())
    }

    /// Whether the bound condition holds for a number and itself.
    pub(super) fn holds_for_equal(&self) -> bool {
        self.binding.int.is_some_and(|cond| icmp(cond, 8, 0, 0))
    }

    /// What the bound condition on floats says of two equal numbers, and of NaN.
    pub(super) fn holds_for_equal_and_nan(&self) -> Option<(bool, bool)> {
        let cond = self.binding.float?;
        let nan = u128::from(f64::NAN.to_bits());
        Some((fcmp(cond, Scalar::F64, 0, 0), fcmp(cond, Scalar::F64, nan, nan)))
    }

    /// Whether the inner condition holds for numbers below a constant, which is a zero, and
    /// not for those above; what it says of zeros and of NaN is free.
    pub(super) fn is_below_zero(&self, zero: Node) -> bool {
        self.inner_splits(zero) == Some((true, false))
    }

    /// Whether it is the other way round.
    pub(super) fn is_above_zero(&self, zero: Node) -> bool {
        self.inner_splits(zero) == Some((false, true))
    }

    /// What the inner condition says of numbers below zero and above it, if the constant is
    /// a zero of either sign.
    fn inner_splits(&self, zero: Node) -> Option<(bool, bool)> {
        let (cond, lane) = (self.binding.inner_float?, self.ty(zero).lane()?);
        let holds = |number: f64| fcmp(cond, Scalar::F64, u128::from(number.to_bits()), 0);
        self.each(zero, |bits| decode(lane, bits) == 0.0).then(|| (holds(-1.0), holds(1.0)))
    }
}

/// Whether `ty` is an address, or a vector of these.
pub(super) fn is_address(ty: Type) -> bool {
    ty.lane().is_some_and(Scalar::is_address)
}

/// How many bits a lane of `ty` has.
pub(super) fn bits_of(ty: Type) -> u32 {
    ty.lane().map_or(0, Scalar::bits)
}
