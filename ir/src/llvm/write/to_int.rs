//! From floats to integers.

use super::code::FunctionWriter;
use super::constant::scalar_constant;
use super::convert::Sign;
use super::float::computed_in;
use super::int::Lanes;
use super::types::{bits_text, scalar_suffix, scalar_text};
use crate::entity::Inst;
use crate::trap::TrapCode;
use crate::types::Scalar;

/// How the bits of a float are divided.
struct Parts {
    fraction_bits: u32,
    exponent_bits: u32,
}

impl Parts {
    const fn of(scalar: Scalar) -> Parts {
        match scalar {
            Scalar::F32 => Parts { fraction_bits: 23, exponent_bits: 8 },
            _ => Parts { fraction_bits: 52, exponent_bits: 11 },
        }
    }

    /// The exponent field of a number whose fraction counts whole ones.
    const fn whole_exponent(&self) -> u32 {
        (1 << (self.exponent_bits - 1)) - 1 + self.fraction_bits
    }
}

impl FunctionWriter<'_, '_> {
    /// The operand as lanes of `float` or `double`.
    fn float_operand(&mut self, inst: Inst) -> (Lanes, String) {
        let Lanes { shape, lane, text } = Lanes::of(self.arg_type(inst, 0));
        let value = self.arg(inst, 0);
        let value = self.open(shape, lane, &value);
        let (inner, value) = match lane {
            Scalar::F16 => {
                let float = shape.of("float");
                (Scalar::F32, self.temporary(format_args!("fpext {text} {value} to {float}")))
            }
            _ => (computed_in(lane), value),
        };
        (Lanes { shape, lane: inner, text: shape.of(scalar_text(inner)) }, value)
    }

    pub(super) fn write_to_int_sat(&mut self, inst: Inst, name: &str) {
        let (from, value) = self.float_operand(inst);
        let to = self.lanes(inst);
        let [own, other] = [&to, &from].map(|lanes| lanes.shape.suffix(scalar_suffix(lanes.lane)));
        let name = format!("llvm.{name}.sat.{own}.{other}");
        let call = self.intrinsic(&name, &to.text, &[(&from.text, &value)]);
        self.give(inst, format_args!("{call}"));
    }

    pub(super) fn write_to_int_trap(&mut self, inst: Inst, sign: Sign) {
        let (from, value) = self.float_operand(inst);
        let to = self.lanes(inst);
        let call = self.lanewise("llvm.trunc", from.shape, from.lane, &[&value]);
        let whole = self.temporary(format_args!("{call}"));
        let width = to.lane.bits() as i32;
        let (low, high, name) = match sign {
            Sign::Signed => (-(2f64.powi(width - 1)), 2f64.powi(width - 1), "fptosi"),
            Sign::Unsigned => (0.0, 2f64.powi(width), "fptoui"),
        };
        let [low, high] = [low, high].map(|bound| match from.lane {
            Scalar::F32 => scalar_constant(Scalar::F32, (bound as f32).to_bits().into()),
            _ => scalar_constant(Scalar::F64, bound.to_bits().into()),
        });
        let text = &from.text;
        let above = self.temporary(format_args!("fcmp oge {text} {whole}, {low}"));
        let below = self.temporary(format_args!("fcmp olt {text} {whole}, {high}"));
        let fits = self.temporary(format_args!("and i1 {above}, {below}"));
        self.require(&fits, TrapCode::BadConversion.number());
        self.give(inst, format_args!("{name} {text} {value} to {}", to.text));
    }

    /// The whole part of a float modulo the width, by its bits.
    pub(super) fn write_to_int_wrap(&mut self, inst: Inst) {
        let (from, value) = self.float_operand(inst);
        let (to, shape, parts) = (self.lanes(inst), from.shape, Parts::of(from.lane));
        let raw_lane = if from.lane == Scalar::F32 { Scalar::I32 } else { Scalar::I64 };
        let wide_lane = if to.lane.bits() > raw_lane.bits() { to.lane } else { raw_lane };
        let [raw_lanes, wide] = [raw_lane, wide_lane].map(|lane| Lanes {
            shape,
            lane,
            text: shape.of(bits_text(lane)),
        });
        let raw_text = &raw_lanes.text;
        let raw = self.temporary(format_args!("bitcast {} {value} to {raw_text}", from.text));
        let fraction_bits = raw_lanes.number(parts.fraction_bits);
        let exponent = self.temporary(format_args!("lshr {raw_text} {raw}, {fraction_bits}"));
        let ones = raw_lanes.number((1u64 << parts.exponent_bits) - 1);
        let exponent = self.temporary(format_args!("and {raw_text} {exponent}, {ones}"));
        let fraction = raw_lanes.number((1u64 << parts.fraction_bits) - 1);
        let digits = self.temporary(format_args!("and {raw_text} {raw}, {fraction}"));
        let first = raw_lanes.number(1u64 << parts.fraction_bits);
        let digits = self.temporary(format_args!("or {raw_text} {digits}, {first}"));
        let [wide_exponent, wide_digits] =
            [exponent.as_str(), digits.as_str()].map(|part| match wide.lane == raw_lanes.lane {
                true => part.to_owned(),
                false => self.temporary(format_args!("zext {raw_text} {part} to {}", wide.text)),
            });
        let size = self.shifted_digits(&wide, &parts, &wide_exponent, &wide_digits);
        let (mask, text) = (shape.of("i1"), &wide.text);
        let zero = raw_lanes.number(0);
        let negative = self.temporary(format_args!("icmp slt {raw_text} {raw}, {zero}"));
        let wide_zero = wide.number(0);
        let opposite = self.temporary(format_args!("sub {text} {wide_zero}, {size}"));
        let signed = self
            .temporary(format_args!("select {mask} {negative}, {text} {opposite}, {text} {size}"));
        let is_number = self.temporary(format_args!("icmp ne {raw_text} {exponent}, {ones}"));
        let result = self.temporary(format_args!(
            "select {mask} {is_number}, {text} {signed}, {text} {wide_zero}"
        ));
        match wide.lane == to.lane {
            true => self.give_operand(inst, &result),
            false => self.give(inst, format_args!("trunc {text} {result} to {}", to.text)),
        }
    }

    /// Digits at the place that the exponent gives them.
    fn shifted_digits(
        &mut self,
        wide: &Lanes,
        parts: &Parts,
        exponent: &str,
        digits: &str,
    ) -> String {
        let (text, mask) = (&wide.text, wide.mask());
        let whole = wide.number(parts.whole_exponent());
        let (width, zero) = (wide.number(wide.lane.bits()), wide.number(0));
        let up = self.temporary(format_args!("sub {text} {exponent}, {whole}"));
        let down = self.temporary(format_args!("sub {text} {whole}, {exponent}"));
        let [raised, lowered] = [("shl", &up), ("lshr", &down)].map(|(name, by)| {
            let fits = self.temporary(format_args!("icmp ult {text} {by}, {width}"));
            let moved = self.temporary(format_args!("{name} {text} {digits}, {by}"));
            self.temporary(format_args!("select {mask} {fits}, {text} {moved}, {text} {zero}"))
        });
        let rises = self.temporary(format_args!("icmp uge {text} {exponent}, {whole}"));
        self.temporary(format_args!("select {mask} {rises}, {text} {raised}, {text} {lowered}"))
    }
}
