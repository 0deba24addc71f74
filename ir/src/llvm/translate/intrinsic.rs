//! Calls of what LLVM, or Julia's front end, defines itself.

mod class;
mod constrained;
mod float;
mod integer;
mod jump;
mod library;
mod managed;
mod masked;
mod memory;
mod overflow;
mod reduce;
mod table;
mod vector;

use super::function::Translator;
use super::types::Carrier;
use crate::attribute::IntCond;
use crate::body::{ExitData, ExitKind};
use crate::entity::Value;
use crate::instruction::Payload;
use crate::llvm::syntax::{
    Call, ConstantData, Instruction, Operand, ParamAttributes, TypeData, TypeId, Typed,
};
use crate::op::Op;
use crate::text::Parsed;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};

/// A call of an intrinsic.
#[derive(Clone, Copy)]
struct Use<'a> {
    inst: &'a Instruction,
    args: &'a [Typed],
    attributes: &'a [ParamAttributes],
    result: TypeId,
}

/// How an intrinsic is translated.
#[derive(Clone, Copy)]
enum How {
    /// It does nothing, and gives nothing or zero.
    Nothing,
    /// It gives its first operand.
    First,
    /// It gives that number, in each lane.
    Number(u128),
    /// An op on integers of any width.
    Integer(Op, integer::Shape),
    /// An op on floats.
    Float(Op),
    /// A function of C's library of that name for `double`.
    Library(&'static str),
    /// A plain op on floats, where it asks for no more than that.
    Constrained(constrained::Plain),
    /// It is made of several ops, and gives a value.
    Value(fn(&mut Translator<'_, '_>, &Use<'_>) -> Parsed<Value>),
    /// It is made of several ops, and gives nothing.
    Action(fn(&mut Translator<'_, '_>, &Use<'_>) -> Parsed<()>),
}

/// Whether a name is one that no program defines.
pub(super) fn is_intrinsic(name: &str) -> bool {
    name.starts_with("llvm.") || name.starts_with("julia.")
}

impl<'a> Translator<'a, '_> {
    /// Translates a call of an intrinsic.
    pub(super) fn intrinsic(&mut self, inst: &Instruction, call: &Call) -> Parsed<Option<Value>> {
        let Operand::Constant(id) = call.callee else { return Ok(None) };
        let ConstantData::Global(global) = self.constant_of(id).data else { return Ok(None) };
        let name = &self.shared.syntax.globals[global.index()].name;
        let found = table::find(name);
        let Some(table::Row { how, operands, .. }) = found else {
            let message = format!("`@{name}` is not translated");
            return Err(self.unsupported(message));
        };
        let call = Use {
            inst,
            args: self.call_args(call),
            attributes: self.arg_attributes(call),
            result: self.call_result(call)?,
        };
        if call.args.len() < *operands {
            return Err(self.invalid("the intrinsic takes more operands"));
        }
        let given = self.translate_intrinsic(&call, *how)?;
        if let Some(value) = given
            && self.body.value_type(value) != self.given_type(call.result)?
        {
            return Err(self.invalid("the intrinsic gives a value of another type"));
        }
        Ok(given)
    }

    /// The type of what an intrinsic gives, which alone can give a token.
    fn given_type(&mut self, result: TypeId) -> Parsed<Type> {
        match self.shared.type_data(result) {
            TypeData::Token => Ok(Type::TOKEN),
            _ => self.ty(result),
        }
    }

    fn translate_intrinsic(&mut self, call: &Use<'_>, how: How) -> Parsed<Option<Value>> {
        let is_void = self.shared.is_void(call.result);
        let value = match how {
            How::Nothing if is_void => return Ok(None),
            How::Nothing => self.zero(call.result)?,
            How::First => self.first_operand(call)?,
            How::Number(bits) => {
                let carrier = self.ty(call.result)?;
                self.number(carrier, bits)
            }
            How::Integer(op, shape) => self.integer_intrinsic(call, op, shape)?,
            How::Float(op) => self.float_intrinsic(call, op)?,
            How::Library(name) => self.library_intrinsic(call, name)?,
            How::Constrained(plain) => self.constrained(call, plain)?,
            How::Value(translate) => translate(self, call)?,
            How::Action(translate) => {
                translate(self, call)?;
                return Ok(None);
            }
        };
        match is_void {
            true => Err(self.invalid("the intrinsic gives a value")),
            false => Ok(Some(value)),
        }
    }

    fn first_operand(&mut self, call: &Use<'_>) -> Parsed<Value> {
        let value = self.value(call.args[0])?;
        let wanted = self.ty(call.result)?;
        match self.body.value_type(value) == wanted {
            true => Ok(value),
            false => Err(self.invalid("the intrinsic gives a value of its operand's type")),
        }
    }

    /// The values of the first operands, all of type `ty`.
    fn same_operands(&mut self, call: &Use<'_>, count: usize, ty: Type) -> Parsed<Vec<Value>> {
        let mut values = Vec::with_capacity(count);
        for &arg in call.args.iter().take(count) {
            let value = self.value(arg)?;
            if self.body.value_type(value) != ty {
                return Err(self.invalid("the operands of the intrinsic are of different types"));
            }
            values.push(value);
        }
        Ok(values)
    }

    /// How the result of a call is carried.
    fn result_carrier(&mut self, call: &Use<'_>) -> Parsed<Carrier> {
        self.shared.carrier(call.result, self.at)
    }

    /// The bits of an operand that must be a constant.
    fn immediate(&mut self, call: &Use<'_>, index: usize) -> Parsed<u128> {
        match self.as_number(call.args[index].value) {
            Some(bits) => Ok(bits),
            None => Err(self.invalid("an operand of the intrinsic is no constant")),
        }
    }

    /// The value of an operand that must be of type `ty`.
    fn operand_of(&mut self, call: &Use<'_>, index: usize, ty: Type) -> Parsed<Value> {
        let value = self.value(call.args[index])?;
        match self.body.value_type(value) == ty {
            true => Ok(value),
            false => {
                Err(self.invalid(format_args!("operand {index} of the intrinsic is no `{ty}`")))
            }
        }
    }
}

/// Ops that many intrinsics are made of.
impl Translator<'_, '_> {
    /// Whether the condition holds, in each lane.
    pub(super) fn integer_condition(
        &mut self,
        condition: IntCond,
        left: Value,
        right: Value,
    ) -> Value {
        let ty = self.body.value_type(left);
        let mask = ty.as_mask().unwrap_or(Type::I1);
        let payload = Payload::IntCond(condition);
        self.emit_one(Op::Icmp, ty, &[left, right], payload, mask)
    }

    /// One of two values by a truth value, or each lane of them by that of a mask.
    fn choose(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let ty = self.body.value_type(yes);
        let op = match self.body.value_type(condition).is_vector() {
            true => Op::VecSelect,
            false => Op::Select,
        };
        self.op(op, ty, &[condition, yes, no])
    }

    /// Leaves with that code.
    pub(super) fn trap(&mut self, code: TrapCode) {
        let kind = ExitKind::Trap(code);
        let exit = self.body.make_exit(ExitData { kind, types: Vec::new() });
        let never = self.number(Type::I1, 0);
        self.emit(Op::Check, Type::NONE, &[never], Payload::Exit(exit), &[]);
    }
}

fn assume(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    let condition = t.operand_of(call, 0, Type::I1)?;
    if t.body.as_scalar_constant(condition) != Some(1) {
        t.emit(Op::Assume, Type::NONE, &[condition], Payload::None, &[]);
    }
    Ok(())
}

fn expect(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let ty = t.ty(call.result)?;
    let operands = t.same_operands(call, 2, ty)?;
    match Op::Expect.info().suffix.contains(ty) {
        true => Ok(t.op(Op::Expect, ty, &operands)),
        false => Ok(operands[0]),
    }
}

/// Codes of the program's own: 0, or that of the check that failed.
fn trap(t: &mut Translator<'_, '_>, _: &Use<'_>) -> Parsed<()> {
    t.trap(TrapCode::User(0));
    Ok(())
}

fn checked_trap(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    let code = t.immediate(call, 0)?;
    t.trap(TrapCode::User(code as u16));
    Ok(())
}

/// Which of three numbers says how the operands are ordered.
fn three_way(t: &mut Translator<'_, '_>, call: &Use<'_>, below: IntCond) -> Parsed<Value> {
    let carrier = t.result_carrier(call)?;
    let from = call.args[0].ty;
    let ty = t.ty(from)?;
    let is_of_integers = |carrier: Carrier| {
        carrier.is_wide()
            || carrier.ty.lane().is_some_and(|lane| lane.is_int() || lane == Scalar::I1)
    };
    let are_integers = is_of_integers(t.shared.carrier(from, t.at)?)
        && carrier.ty.lane().is_some_and(Scalar::is_int);
    if !are_integers {
        return Err(t.invalid("the intrinsic takes and gives integers"));
    }
    let operands = t.same_operands(call, 2, ty)?;
    let (left, right) = (operands[0], operands[1]);
    let less = t.compare(below, from, (left, right))?;
    let more = t.compare(below, from, (right, left))?;
    let fits = carrier.ty.as_mask() == Some(t.body.value_type(less)) && carrier.width() > 1;
    if !fits {
        return Err(t.invalid("the intrinsic gives an integer for each pair"));
    }
    let less = t.op(Op::Zext, carrier.ty, &[less]);
    let more = t.op(Op::Zext, carrier.ty, &[more]);
    let difference = t.op(Op::Sub, carrier.ty, &[more, less]);
    Ok(t.cut(carrier, difference))
}

fn scmp(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    three_way(t, call, IntCond::Slt)
}

fn ucmp(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    three_way(t, call, IntCond::Ult)
}
