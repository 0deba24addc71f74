//! Conversions.

use super::code::FunctionWriter;
use super::int::Lanes;
use super::types::Shape;
use crate::constant::mask;
use crate::entity::Inst;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};

/// Whether integers are read as signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Signed,
    Unsigned,
}

impl FunctionWriter<'_, '_> {
    /// An instruction of that name from the operand's type to the suffix.
    pub(super) fn write_convert(&mut self, inst: Inst, name: &str) {
        let (from, to) = (self.typed_arg(inst, 0), self.type_text(self.data(inst).ty));
        self.give(inst, format_args!("{name} {from} to {to}"));
    }

    pub(super) fn write_trunc_sat(&mut self, inst: Inst, sign: Sign) {
        let (wide, narrow) = (Lanes::of(self.arg_type(inst, 0)), self.lanes(inst));
        let most = mask(narrow.lane.bits() - u32::from(sign == Sign::Signed));
        let mut value = self.arg(inst, 0);
        let bounds = match sign {
            Sign::Signed => vec![("llvm.smin", most as i128), ("llvm.smax", !(most as i128))],
            Sign::Unsigned => vec![("llvm.umin", most as i128)],
        };
        for (name, bound) in bounds {
            let bound = wide.number(bound);
            let call = self.lanewise(name, wide.shape, wide.lane, &[&value, &bound]);
            value = self.temporary(format_args!("{call}"));
        }
        self.give(inst, format_args!("trunc {} {value} to {}", wide.text, narrow.text));
    }

    pub(super) fn write_trunc_trap(&mut self, inst: Inst, back: &str) {
        let (value, to) = (self.typed_arg(inst, 0), self.type_text(self.data(inst).ty));
        let cut = self.temporary(format_args!("trunc {value} to {to}"));
        let again = self.temporary(format_args!("{back} {to} {cut} to {}", value.ty));
        let fits = self.temporary(format_args!("icmp eq {value}, {again}"));
        self.require(&fits, TrapCode::BadConversion.number());
        self.give(inst, format_args!("bitcast {to} {cut} to {to}"));
    }

    /// The same bits. LLVM casts addresses and numbers by other instructions.
    pub(super) fn write_bitcast(&mut self, inst: Inst) {
        let (from, to) = (self.arg_type(inst, 0), self.data(inst).ty);
        let mut value = self.typed_arg(inst, 0);
        let text = self.type_text(to);
        let is_pointer = |ty: Type| ty.lane() == Some(Scalar::Ptr);
        if is_pointer(from) == is_pointer(to) && (from == to || !is_pointer(to)) {
            return self.give(inst, format_args!("bitcast {value} to {text}"));
        }
        if is_pointer(from) {
            let words = Shape::from_type(from).of("i64");
            value.text = self.temporary(format_args!("ptrtoint {value} to {words}"));
            value.ty = words;
        }
        if !is_pointer(to) {
            return self.give(inst, format_args!("bitcast {value} to {text}"));
        }
        let words = Shape::from_type(to).of("i64");
        let bits = self.temporary(format_args!("bitcast {value} to {words}"));
        self.give(inst, format_args!("inttoptr {words} {bits} to {text}"));
    }

    /// From an integer to a float: `name` is LLVM's word for it.
    pub(super) fn write_to_float(&mut self, inst: Inst, sign: Sign) {
        let (from, to) = (Lanes::of(self.arg_type(inst, 0)), self.lanes(inst));
        let (value, shape) = (self.arg(inst, 0), to.shape);
        let name = if sign == Sign::Signed { "sitofp" } else { "uitofp" };
        let (source, double) = (&from.text, shape.of("double"));
        match (to.lane, from.lane.bits()) {
            (Scalar::F32 | Scalar::F64, _) => {
                self.give(inst, format_args!("{name} {source} {value} to {}", to.text));
            }
            // What has more digits than a `float` is out of range anyway.
            (Scalar::F16, _) | (Scalar::Bf16, 8 | 16) => {
                let float = shape.of("float");
                let single = self.temporary(format_args!("{name} {source} {value} to {float}"));
                match to.lane {
                    Scalar::F16 => {
                        self.give(inst, format_args!("fptrunc {float} {single} to {}", to.text));
                    }
                    _ => {
                        let rounded = self.round(shape, &single);
                        self.give_operand(inst, &rounded);
                    }
                }
            }
            (_, 32) => {
                let exact = self.temporary(format_args!("{name} {source} {value} to {double}"));
                let rounded = self.narrow(shape, to.lane, &exact);
                self.give_operand(inst, &rounded);
            }
            _ => {
                let few = self.leading_digits(&from, &value, sign);
                let rounded = self.narrow(shape, to.lane, &few);
                self.give_operand(inst, &rounded);
            }
        }
    }

    /// The first 32 digits of a wide integer, as a double of its size: what is
    /// lost sets the last, so that no rounding to fewer digits takes the
    /// result for a tie that it is not.
    fn leading_digits(&mut self, from: &Lanes, value: &str, sign: Sign) -> String {
        let (text, mask) = (&from.text, from.mask());
        let width = from.lane.bits();
        let zero = from.number(0);
        let negative = self.temporary(format_args!("icmp slt {text} {value}, {zero}"));
        let mut size = value.to_owned();
        if sign == Sign::Signed {
            let opposite = self.temporary(format_args!("sub {text} {zero}, {value}"));
            size = self.temporary(format_args!(
                "select {mask} {negative}, {text} {opposite}, {text} {value}"
            ));
        }
        let unused = ("i1", "false");
        let call = self.lanewise_with("llvm.ctlz", from.shape, from.lane, &[&size], &[unused]);
        let zeros = self.temporary(format_args!("{call}"));
        // Zero has as many zeros as it has bits; any shift of it is zero.
        let most = from.number(width - 1);
        let call = self.lanewise("llvm.umin", from.shape, from.lane, &[&zeros, &most]);
        let zeros = self.temporary(format_args!("{call}"));
        let high = self.temporary(format_args!("shl {text} {size}, {zeros}"));
        let lost = self.temporary(format_args!("shl {text} {high}, {}", from.number(32)));
        let is_lost = self.temporary(format_args!("icmp ne {text} {lost}, {zero}"));
        let sticky = self.temporary(format_args!("zext {mask} {is_lost} to {text}"));
        let first = self.temporary(format_args!("lshr {text} {high}, {}", from.number(width - 32)));
        let digits = self.temporary(format_args!("or {text} {first}, {sticky}"));
        let double = from.shape.of("double");
        let digits = self.temporary(format_args!("uitofp {text} {digits} to {double}"));
        let scale = self.scale(from, &zeros, width - 32);
        let scaled = self.temporary(format_args!("fmul {double} {digits}, {scale}"));
        if sign == Sign::Unsigned {
            return scaled;
        }
        let opposite = self.temporary(format_args!("fneg {double} {scaled}"));
        self.temporary(format_args!(
            "select {mask} {negative}, {double} {opposite}, {double} {scaled}"
        ))
    }

    /// Two to the power of `most` less `zeros`, as a double.
    fn scale(&mut self, from: &Lanes, zeros: &str, most: u32) -> String {
        let (words, double) = (from.shape.of("i64"), from.shape.of("double"));
        let zeros = match from.lane {
            Scalar::I64 => zeros.to_owned(),
            _ => self.temporary(format_args!("trunc {} {zeros} to {words}", from.text)),
        };
        let biased = from.shape.splat("i64", &(1023 + most).to_string());
        let exponent = self.temporary(format_args!("sub {words} {biased}, {zeros}"));
        let place = from.shape.splat("i64", "52");
        let bits = self.temporary(format_args!("shl {words} {exponent}, {place}"));
        self.temporary(format_args!("bitcast {words} {bits} to {double}"))
    }

    /// `fptrunc` and `fpext`.
    pub(super) fn write_resize(&mut self, inst: Inst) {
        let (from, to) = (Lanes::of(self.arg_type(inst, 0)), self.lanes(inst));
        let (value, shape) = (self.arg(inst, 0), to.shape);
        match (from.lane, to.lane) {
            (Scalar::F32, Scalar::Bf16) => {
                let rounded = self.round(shape, &value);
                self.give_operand(inst, &rounded);
            }
            (_, Scalar::Bf16) => {
                let rounded = self.narrow(shape, Scalar::Bf16, &value);
                self.give_operand(inst, &rounded);
            }
            (Scalar::Bf16, Scalar::F32) => {
                let exact = self.widen(shape, &value);
                self.give_operand(inst, &exact);
            }
            (Scalar::Bf16, _) => {
                let exact = self.widen(shape, &value);
                let float = shape.of("float");
                self.give(inst, format_args!("fpext {float} {exact} to {}", to.text));
            }
            (own, other) => {
                let name = if own.bits() > other.bits() { "fptrunc" } else { "fpext" };
                self.write_convert(inst, name);
            }
        }
    }
}
