//! Ops on floats that say how they round and which exceptions count.
//!
//! All here round to nearest and raise nothing that a program could look at. So an op that
//! asks for no more than that is the plain one, and what asks for more is refused.

use super::{Use, table};
use crate::attribute::FloatCond;
use crate::entity::Value;
use crate::llvm::syntax::{
    BinaryOp, CastOp, ConstantData, FCmpCondition, Operand, TypeData, TypeId, Typed,
};
use crate::llvm::translate::function::Translator;
use crate::text::Parsed;

/// What does the same and says nothing of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Plain {
    /// An instruction on two floats.
    Binary(BinaryOp),
    /// A conversion.
    Cast(CastOp),
    /// `fcmp`; those that signal differ in what they raise.
    Compare,
    /// The intrinsic of that name.
    Call(&'static str),
}

/// What an op may ask for.
const GRANTED: [&str; 4] =
    ["round.tonearest", "round.dynamic", "fpexcept.ignore", "fpexcept.maytrap"];

/// The numbers that a type is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Integer(u32),
    Float(u32),
}

impl<'a> Translator<'a, '_> {
    /// Translates an op of which metadata behind the operands says how it rounds.
    pub(super) fn constrained(&mut self, call: &Use<'_>, plain: Plain) -> Parsed<Value> {
        let is_operand = |arg: &&Typed| arg.ty != TypeId::METADATA;
        let count = call.args.iter().take_while(is_operand).count();
        let (args, mut says) = call.args.split_at(count);
        let mut condition = None;
        if let (Plain::Compare, Some((&first, rest))) = (plain, says.split_first()) {
            condition = float_condition(self.metadata_string(first).unwrap_or_default());
            says = rest;
        }
        self.check_constraints(says)?;
        let plain_call = Use { args, ..*call };
        if let Plain::Call(name) = plain {
            let row = table::find(name).filter(|row| row.operands == args.len());
            let value = match row {
                Some(row) => self.translate_intrinsic(&plain_call, row.how)?,
                None => None,
            };
            return value.ok_or_else(|| self.invalid("the intrinsic takes other operands"));
        }
        if !self.is_of_types(&plain_call, plain) {
            return Err(self.invalid("the intrinsic is not for these types"));
        }
        let values: Vec<Value> = args.iter().map(|&arg| self.value(arg)).collect::<Parsed<_>>()?;
        let flags = call.inst.flags;
        match (plain, values.as_slice(), condition) {
            (Plain::Binary(op), &[left, right], _) => {
                self.binary(op, call.result, (left, right), flags)
            }
            (Plain::Cast(op), &[value], _) => {
                self.cast(op, value, (args[0].ty, call.result), flags)
            }
            (Plain::Compare, &[left, right], Some(condition)) => {
                self.compare_floats(condition, args[0].ty, (left, right))
            }
            _ => Err(self.invalid("the intrinsic compares by a condition of `fcmp`")),
        }
    }

    /// Refuses what asks for more than there is.
    fn check_constraints(&mut self, says: &[Typed]) -> Parsed<()> {
        for &word in says {
            let word = self.metadata_string(word).unwrap_or("metadata that is no text");
            if !GRANTED.contains(&word) {
                let message = format!(
                    "`{word}` is not kept: floats are rounded to nearest here, and raise nothing"
                );
                return Err(self.unsupported(message));
            }
        }
        match says.is_empty() {
            true => Err(self.invalid("the intrinsic does not say which exceptions count")),
            false => Ok(()),
        }
    }

    /// What stands between the quotes of an argument `metadata !"…"`.
    fn metadata_string(&self, arg: Typed) -> Option<&'a str> {
        let Operand::Constant(id) = arg.value else { return None };
        let ConstantData::Metadata(range) = &self.constant_of(id).data else { return None };
        let text = self.shared.text.get(range.start as usize..range.end as usize)?;
        text.strip_prefix("!\"")?.strip_suffix('"')
    }

    /// Whether operands and result are as the instruction has them.
    fn is_of_types(&self, call: &Use<'_>, plain: Plain) -> bool {
        let result = self.number_type(call.result);
        let types: Vec<TypeId> = call.args.iter().map(|arg| arg.ty).collect();
        let Some((lanes, from)) = types.first().and_then(|&ty| self.number_type(ty)) else {
            return false;
        };
        let is_pair = types.len() == 2 && types[0] == types[1] && matches!(from, Number::Float(_));
        match plain {
            Plain::Binary(_) => is_pair && types[0] == call.result,
            Plain::Compare => is_pair && result == Some((lanes, Number::Integer(1))),
            Plain::Cast(op) => {
                let converts = |to| converts(op, from, to);
                types.len() == 1 && result.is_some_and(|(own, to)| own == lanes && converts(to))
            }
            Plain::Call(_) => true,
        }
    }

    /// How many lanes there are, of a vector, and of which numbers.
    fn number_type(&self, ty: TypeId) -> Option<(Option<u32>, Number)> {
        let (lanes, scalar) = match *self.shared.type_data(ty) {
            TypeData::Vector { lanes, element } => (Some(lanes), element),
            _ => (None, ty),
        };
        let number = match *self.shared.type_data(scalar) {
            TypeData::Integer(bits) => Number::Integer(bits),
            TypeData::Half | TypeData::Bfloat => Number::Float(16),
            TypeData::Float => Number::Float(32),
            TypeData::Double => Number::Float(64),
            TypeData::X86Fp80 => Number::Float(80),
            TypeData::Fp128 => Number::Float(128),
            _ => return None,
        };
        Some((lanes, number))
    }
}

fn converts(op: CastOp, from: Number, to: Number) -> bool {
    match (op, from, to) {
        (CastOp::FpTrunc, Number::Float(from), Number::Float(to)) => to < from,
        (CastOp::FpExt, Number::Float(from), Number::Float(to)) => from < to,
        (CastOp::FpToSi | CastOp::FpToUi, Number::Float(_), Number::Integer(_)) => true,
        (CastOp::SiToFp | CastOp::UiToFp, Number::Integer(_), Number::Float(_)) => true,
        _ => false,
    }
}

/// The condition of an `fcmp`, as metadata names it: one that holds always or never is not
/// among them.
fn float_condition(name: &str) -> Option<FCmpCondition> {
    FloatCond::from_name(name).map(FCmpCondition::Holds)
}
