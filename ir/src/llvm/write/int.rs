//! Integers: what LLVM leaves open, closed.

use super::code::FunctionWriter;
use super::constant::scalar_constant;
use super::types::{Shape, scalar_text};
use crate::constant::ConstantBits;
use crate::entity::Inst;
use crate::instruction::Payload;
use crate::op::Op;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};

/// Shape, lane and text of the type of lane-wise integers.
pub(super) struct Lanes {
    pub(super) shape: Shape,
    pub(super) lane: Scalar,
    pub(super) text: String,
}

impl Lanes {
    pub(super) fn of(ty: Type) -> Lanes {
        let (shape, lane) = (Shape::from_type(ty), ty.lane().unwrap_or(Scalar::I64));
        Lanes { shape, lane, text: shape.of(scalar_text(lane)) }
    }

    /// The constant whose lanes all are that number.
    pub(super) fn number(&self, number: impl std::fmt::Display) -> String {
        self.shape.splat(scalar_text(self.lane), &number.to_string())
    }

    pub(super) fn mask(&self) -> String {
        self.shape.of("i1")
    }
}

impl FunctionWriter<'_, '_> {
    pub(super) fn lanes(&self, inst: Inst) -> Lanes {
        Lanes::of(self.data(inst).ty)
    }

    pub(super) fn write_neg(&mut self, inst: Inst) {
        let (lanes, a) = (self.lanes(inst), self.arg(inst, 0));
        self.give(inst, format_args!("sub {} {}, {a}", lanes.text, lanes.number(0)));
    }

    pub(super) fn write_not(&mut self, inst: Inst) {
        let (lanes, a) = (self.lanes(inst), self.arg(inst, 0));
        let ones = match lanes.lane {
            Scalar::I1 => lanes.number("true"),
            _ => lanes.number(-1),
        };
        self.give(inst, format_args!("xor {} {a}, {ones}", lanes.text));
    }

    /// An intrinsic that leaves open what it gives for one operand, and does
    /// not where its last operand is false.
    pub(super) fn write_defined(&mut self, inst: Inst, name: &str) {
        let (lanes, a) = (self.lanes(inst), self.arg(inst, 0));
        let call = self.lanewise_with(name, lanes.shape, lanes.lane, &[&a], &[("i1", "false")]);
        self.give(inst, format_args!("{call}"));
    }

    /// Whether a shift is by a constant below the width, in all lanes.
    fn is_short_shift(&self, inst: Inst, lanes: &Lanes) -> bool {
        let amount = self.body.args(inst).get(1);
        let amount = amount.and_then(|&value| self.body.as_constant(value));
        let width = u128::from(lanes.lane.bits());
        amount.is_some_and(|constant| match constant.bits() {
            ConstantBits::Scalar(bits) => *bits < width,
            ConstantBits::Lanes(all) => all.iter().all(|&bits| bits < width),
            ConstantBits::Zero => false,
        })
    }

    /// Zero from the width on. What is not chosen may be poison.
    pub(super) fn write_shift(&mut self, inst: Inst, name: &str) {
        let lanes = self.lanes(inst);
        let (a, b) = (self.arg(inst, 0), self.arg(inst, 1));
        if self.is_short_shift(inst, &lanes) {
            return self.give(inst, format_args!("{name} {} {a}, {b}", lanes.text));
        }
        let (text, mask) = (&lanes.text, lanes.mask());
        let width = lanes.number(lanes.lane.bits());
        let fits = self.temporary(format_args!("icmp ult {text} {b}, {width}"));
        let shifted = self.temporary(format_args!("{name} {text} {a}, {b}"));
        let zero = lanes.number(0);
        self.give(inst, format_args!("select {mask} {fits}, {text} {shifted}, {text} {zero}"));
    }

    /// Copies of the sign alone from the width on, as one bit less gives them.
    pub(super) fn write_ashr(&mut self, inst: Inst) {
        let lanes = self.lanes(inst);
        let (a, b) = (self.arg(inst, 0), self.arg(inst, 1));
        if self.is_short_shift(inst, &lanes) {
            return self.give(inst, format_args!("ashr {} {a}, {b}", lanes.text));
        }
        let most = lanes.number(lanes.lane.bits() - 1);
        let call = self.lanewise("llvm.umin", lanes.shape, lanes.lane, &[&b, &most]);
        let amount = self.temporary(format_args!("{call}"));
        self.give(inst, format_args!("ashr {} {a}, {amount}", lanes.text));
    }

    pub(super) fn write_rotate(&mut self, inst: Inst, name: &str) {
        let lanes = self.lanes(inst);
        let (a, b) = (self.arg(inst, 0), self.arg(inst, 1));
        let call = self.lanewise(name, lanes.shape, lanes.lane, &[&a, &a, &b]);
        self.give(inst, format_args!("{call}"));
    }

    /// The upper half of a product of twice the width. Lanes of 256 bits are more than
    /// readers of such texts need to know: those are multiplied one by one.
    pub(super) fn write_mulhi(&mut self, inst: Inst, extend: &str) {
        let lanes = self.lanes(inst);
        let (a, b) = (self.arg(inst, 0), self.arg(inst, 1));
        if lanes.lane.bits() < 128 || lanes.shape == Shape::SCALAR {
            let upper = self.upper_half(lanes.shape, lanes.lane, extend, [&a, &b]);
            return self.give_operand(inst, &upper);
        }
        let (text, lane) = (&lanes.text, scalar_text(lanes.lane));
        let mut whole = "poison".to_owned();
        for index in 0..self.data(inst).ty.lanes() {
            let [x, y] = [&a, &b].map(|operand| {
                self.temporary(format_args!("extractelement {text} {operand}, i32 {index}"))
            });
            let upper = self.upper_half(Shape::SCALAR, lanes.lane, extend, [&x, &y]);
            let part = format!("insertelement {text} {whole}, {lane} {upper}, i32 {index}");
            whole = self.temporary(format_args!("{part}"));
        }
        self.give_operand(inst, &whole);
    }

    fn upper_half(
        &mut self,
        shape: Shape,
        lane: Scalar,
        extend: &str,
        operands: [&str; 2],
    ) -> String {
        let wide_lane = format!("i{}", 2 * lane.bits());
        let (wide, narrow) = (shape.of(&wide_lane), shape.of(scalar_text(lane)));
        let [a, b] = operands
            .map(|operand| self.temporary(format_args!("{extend} {narrow} {operand} to {wide}")));
        let product = self.temporary(format_args!("mul {wide} {a}, {b}"));
        let half = shape.splat(&wide_lane, &lane.bits().to_string());
        let upper = self.temporary(format_args!("lshr {wide} {product}, {half}"));
        self.temporary(format_args!("trunc {wide} {upper} to {narrow}"))
    }

    /// Divisions: by zero they trap, and the least number by -1 is no number.
    pub(super) fn write_division(&mut self, inst: Inst) {
        let lanes = self.lanes(inst);
        let (text, op) = (&lanes.text, self.data(inst).op);
        let (a, b) = (self.arg(inst, 0), self.arg(inst, 1));
        let divisor = self.body.args(inst).get(1).copied();
        let known = divisor.and_then(|value| self.body.as_scalar_constant(value));
        if known.is_none_or(|bits| bits == 0) {
            let is_there = self.temporary(format_args!("icmp ne {text} {b}, 0"));
            self.require(&is_there, TrapCode::DivisionByZero.number());
        }
        let ones = crate::constant::mask(lanes.lane.bits());
        let may_be_least = known.is_none_or(|bits| bits == ones);
        let b = match op {
            Op::Sdiv if may_be_least => {
                self.require_quotient(&lanes, &a, &b);
                b
            }
            Op::Srem if may_be_least => {
                // By 1 the rest is 0, too.
                let is_minus_one = self.temporary(format_args!("icmp eq {text} {b}, -1"));
                self.temporary(format_args!("select i1 {is_minus_one}, {text} 1, {text} {b}"))
            }
            _ => b,
        };
        self.give(inst, format_args!("{} {text} {a}, {b}", op.mnemonic()));
    }

    fn require_quotient(&mut self, lanes: &Lanes, a: &str, b: &str) {
        let text = &lanes.text;
        let least = scalar_constant(lanes.lane, 1 << (lanes.lane.bits() - 1));
        let is_least = self.temporary(format_args!("icmp ne {text} {a}, {least}"));
        let is_other = self.temporary(format_args!("icmp ne {text} {b}, -1"));
        let fits = self.temporary(format_args!("or i1 {is_least}, {is_other}"));
        self.require(&fits, TrapCode::IntegerOverflow.number());
    }

    /// A number, and whether it does not fit.
    fn checked(&mut self, inst: Inst, name: &str) -> (String, String) {
        let lanes = self.lanes(inst);
        let (a, b) = (self.arg(inst, 0), self.arg(inst, 1));
        let text = &lanes.text;
        let pair = format!("{{ {text}, i1 }}");
        let full = format!("llvm.{name}.with.overflow.{text}");
        let call = self.intrinsic(&full, &pair, &[(text, &a), (text, &b)]);
        (self.temporary(format_args!("{call}")), pair)
    }

    pub(super) fn write_overflow(&mut self, inst: Inst, name: &str) {
        let (whole, pair) = self.checked(inst, name);
        for index in 0..2 {
            self.give_nth(inst, index, format_args!("extractvalue {pair} {whole}, {index}"));
        }
    }

    pub(super) fn write_trapping(&mut self, inst: Inst, name: &str) {
        let (whole, pair) = self.checked(inst, name);
        let overflow = self.temporary(format_args!("extractvalue {pair} {whole}, 1"));
        let fits = self.temporary(format_args!("xor i1 {overflow}, true"));
        self.require(&fits, TrapCode::IntegerOverflow.number());
        self.give(inst, format_args!("extractvalue {pair} {whole}, 0"));
    }

    pub(super) fn write_icmp(&mut self, inst: Inst) {
        let Payload::IntCond(cond) = self.data(inst).payload else { return };
        let ty = self.data(inst).ty;
        let is_number = ty.lane().is_some_and(|lane| !lane.is_address());
        let cond = if is_number { cond } else { cond.unsigned() };
        let (text, a, b) = (self.type_text(ty), self.arg(inst, 0), self.arg(inst, 1));
        self.give(inst, format_args!("icmp {cond} {text} {a}, {b}"));
    }

    /// `select` and `vec_select`.
    pub(super) fn write_select(&mut self, inst: Inst) {
        let [condition, a, b] = [0, 1, 2].map(|index| self.typed_arg(inst, index));
        self.give(inst, format_args!("select {condition}, {a}, {b}"));
    }
}
