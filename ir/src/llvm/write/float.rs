//! Floats. A `bf16` is computed with as a `float`.

use super::code::FunctionWriter;
use super::int::Lanes;
use super::types::{Shape, bits_text, scalar_text};
use crate::entity::Inst;
use crate::instruction::Payload;
use crate::types::Scalar;

/// Which of two floats.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extreme {
    /// The smaller, NaN if either is.
    Least,
    /// The larger, NaN if either is.
    Most,
    /// The smaller, the other one if one is NaN.
    LeastNumber,
    /// The larger, the other one if one is NaN.
    MostNumber,
}

/// The scalar in which values of `lane` are computed.
pub(super) const fn computed_in(lane: Scalar) -> Scalar {
    match lane {
        Scalar::Bf16 => Scalar::F32,
        other => other,
    }
}

impl FunctionWriter<'_, '_> {
    /// A value in the format in which it is computed with.
    pub(super) fn open(&mut self, shape: Shape, lane: Scalar, value: &str) -> String {
        match lane {
            Scalar::Bf16 => self.widen(shape, value),
            _ => value.to_owned(),
        }
    }

    /// A computed value in its own format.
    pub(super) fn close(&mut self, shape: Shape, lane: Scalar, value: &str) -> String {
        match lane {
            Scalar::Bf16 => self.round(shape, value),
            _ => value.to_owned(),
        }
    }

    /// Writes an instruction on floats, whose text `compute` makes of the
    /// lanes that it computes in and the operands.
    fn give_float(
        &mut self,
        inst: Inst,
        compute: impl FnOnce(&mut Self, &Lanes, &[String]) -> String,
    ) {
        let Lanes { shape, lane, .. } = self.lanes(inst);
        let operands: Vec<String> = (0..self.body.args(inst).len())
            .map(|index| {
                let operand = self.arg(inst, index);
                self.open(shape, lane, &operand)
            })
            .collect();
        let inner = computed_in(lane);
        let lanes = Lanes { shape, lane: inner, text: shape.of(scalar_text(inner)) };
        let text = compute(self, &lanes, &operands);
        if inner == lane {
            return self.give(inst, format_args!("{text}"));
        }
        let result = self.temporary(format_args!("{text}"));
        let result = self.close(shape, lane, &result);
        self.give_operand(inst, &result);
    }

    /// An instruction of that name, with the permissions that it has.
    pub(super) fn write_arithmetic(&mut self, inst: Inst, name: &str) {
        let permissions = self.permissions(inst);
        self.give_float(inst, |_, lanes, operands| {
            format!("{name} {permissions}{} {}", lanes.text, operands.join(", "))
        });
    }

    /// An intrinsic of that name, of one format.
    pub(super) fn write_function(&mut self, inst: Inst, name: &str) {
        self.give_float(inst, |writer, lanes, operands| {
            let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
            writer.lanewise(name, lanes.shape, lanes.lane, &operands)
        });
    }

    /// Ops on the sign alone, which keep every other bit.
    pub(super) fn write_sign(&mut self, inst: Inst, name: &str) {
        let lanes = self.lanes(inst);
        if lanes.lane != Scalar::Bf16 {
            return match name {
                "fneg" => self.write_arithmetic(inst, name),
                _ => self.write_function(inst, &format!("llvm.{name}")),
            };
        }
        let text = &lanes.text;
        let (sign, rest) = (lanes.number(-0x8000), lanes.number(0x7fff));
        let a = self.arg(inst, 0);
        match name {
            "fneg" => self.give(inst, format_args!("xor {text} {a}, {sign}")),
            "fabs" => self.give(inst, format_args!("and {text} {a}, {rest}")),
            _ => {
                let b = self.arg(inst, 1);
                let own = self.temporary(format_args!("and {text} {a}, {rest}"));
                let other = self.temporary(format_args!("and {text} {b}, {sign}"));
                self.give(inst, format_args!("or {text} {own}, {other}"));
            }
        }
    }

    pub(super) fn write_fcmp(&mut self, inst: Inst) {
        let Payload::FloatCond(cond) = self.data(inst).payload else { return };
        let Lanes { shape, lane, .. } = self.lanes(inst);
        let [a, b] = [0, 1].map(|index| {
            let operand = self.arg(inst, index);
            self.open(shape, lane, &operand)
        });
        let text = shape.of(scalar_text(computed_in(lane)));
        self.give(inst, format_args!("fcmp {cond} {text} {a}, {b}"));
    }

    /// A product and a sum, rounded after each unless both may be one.
    pub(super) fn write_muladd(&mut self, inst: Inst) {
        let permissions = self.permissions(inst);
        let Lanes { shape, lane, .. } = self.lanes(inst);
        let inner = shape.of(scalar_text(computed_in(lane)));
        let [a, b, c] = [0, 1, 2].map(|index| {
            let operand = self.arg(inst, index);
            self.open(shape, lane, &operand)
        });
        let product = self.temporary(format_args!("fmul {permissions}{inner} {a}, {b}"));
        let product = self.close(shape, lane, &product);
        let product = self.open(shape, lane, &product);
        let sum = self.temporary(format_args!("fadd {permissions}{inner} {product}, {c}"));
        let sum = self.close(shape, lane, &sum);
        self.give_operand(inst, &sum);
    }

    /// `fmin` and its like.
    pub(super) fn write_extreme(&mut self, inst: Inst, which: Extreme) {
        let Lanes { shape, lane, .. } = self.lanes(inst);
        let (a, b) = (self.arg(inst, 0), self.arg(inst, 1));
        let result = self.extreme(which, shape, lane, &a, &b);
        self.give_operand(inst, &result);
    }

    /// The smaller or larger of two: LLVM has an intrinsic for each, but not in
    /// every version and on every machine.
    pub(super) fn extreme(
        &mut self,
        which: Extreme,
        shape: Shape,
        lane: Scalar,
        a: &str,
        b: &str,
    ) -> String {
        let (a, b) = (self.open(shape, lane, a), self.open(shape, lane, b));
        let text = shape.of(scalar_text(computed_in(lane)));
        let bits = shape.of(bits_text(computed_in(lane)));
        let mask = shape.of("i1");
        // Of two zeros, the sign is that of either, or that of both.
        let (cond, merge) = match which {
            Extreme::Least | Extreme::LeastNumber => ("olt", "or"),
            Extreme::Most | Extreme::MostNumber => ("ogt", "and"),
        };
        let first = self.temporary(format_args!("fcmp {cond} {text} {a}, {b}"));
        let one = self.temporary(format_args!("select {mask} {first}, {text} {a}, {text} {b}"));
        let equal = self.temporary(format_args!("fcmp oeq {text} {a}, {b}"));
        let [x, y] =
            [&a, &b].map(|value| self.temporary(format_args!("bitcast {text} {value} to {bits}")));
        let merged = self.temporary(format_args!("{merge} {bits} {x}, {y}"));
        let merged = self.temporary(format_args!("bitcast {bits} {merged} to {text}"));
        let one =
            self.temporary(format_args!("select {mask} {equal}, {text} {merged}, {text} {one}"));
        let (unusual, other) = match which {
            Extreme::Least | Extreme::Most => {
                let unordered = self.temporary(format_args!("fcmp uno {text} {a}, {b}"));
                (unordered, self.temporary(format_args!("fadd {text} {a}, {b}")))
            }
            // The second was taken if either is NaN.
            Extreme::LeastNumber | Extreme::MostNumber => {
                (self.temporary(format_args!("fcmp uno {text} {b}, {b}")), a)
            }
        };
        let one =
            self.temporary(format_args!("select {mask} {unusual}, {text} {other}, {text} {one}"));
        self.close(shape, lane, &one)
    }

    /// A product plus a number, rounded once.
    pub(super) fn write_fma(&mut self, inst: Inst) {
        let Lanes { shape, lane, .. } = self.lanes(inst);
        if !matches!(lane, Scalar::F16 | Scalar::Bf16) {
            return self.write_function(inst, "llvm.fma");
        }
        let (inner, double) = (shape.of(scalar_text(computed_in(lane))), shape.of("double"));
        let [a, b, c] = [0, 1, 2].map(|index| {
            let operand = self.arg(inst, index);
            let operand = self.open(shape, lane, &operand);
            self.temporary(format_args!("fpext {inner} {operand} to {double}"))
        });
        // Exact: twice as many digits fit.
        let product = self.temporary(format_args!("fmul {double} {a}, {b}"));
        let sum = self.add_to_odd(shape, &product, &c);
        let result = self.narrow(shape, lane, &sum);
        self.give_operand(inst, &result);
    }
}
