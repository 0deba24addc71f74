//! Functions of C's mathematical library.

use super::Use;
use crate::entity::Value;
use crate::instruction::Access;
use crate::instruction::Payload;
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::soft_float::is_soft;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::Type;

impl Translator<'_, '_> {
    /// A function of that name for `double`, lane by lane. The first operand is of the
    /// result's type; the second may be an exponent, the same for all lanes.
    pub(super) fn library_intrinsic(&mut self, call: &Use<'_>, name: &str) -> Parsed<Value> {
        let ty = match self.ty(call.result)? {
            ty if is_soft(ty) => ty,
            _ => self.float_result(call)?,
        };
        let args: Vec<Value> =
            call.args.iter().map(|&arg| self.value(arg)).collect::<Parsed<_>>()?;
        if args.iter().any(|&arg| !self.is_library_operand(arg, ty)) {
            return Err(self.invalid("the operands of the intrinsic are of different types"));
        }
        if !ty.is_vector() {
            return self.call_library(name, ty, &args);
        }
        let mut lanes = Vec::new();
        for index in 0..ty.lanes() {
            let args: Vec<Value> = args
                .iter()
                .map(|&arg| match self.body.value_type(arg).is_vector() {
                    true => self.lane(arg, index),
                    false => arg,
                })
                .collect();
            lanes.push(self.call_library(name, ty.lane_type(), &args)?);
        }
        Ok(self.op(Op::MakeVector, ty, &lanes))
    }

    fn is_library_operand(&self, arg: Value, ty: Type) -> bool {
        let given = self.body.value_type(arg);
        given == ty || given.lane_type() == Type::I32 && (given == Type::I32 || ty.is_vector())
    }

    /// A call on scalars. Formats that the library does not have are widened.
    pub(super) fn call_library(&mut self, name: &str, ty: Type, args: &[Value]) -> Parsed<Value> {
        let (wide, name) = match ty {
            Type::F64 => (Type::F64, name.to_owned()),
            Type::X86_FP80 => (ty, format!("{name}l")),
            Type::F128 => (ty, format!("{name}f128")),
            _ => (Type::F32, format!("{name}f")),
        };
        let widened: Vec<Value> = args
            .iter()
            .map(|&arg| match self.body.value_type(arg) == ty && ty != wide {
                true => self.op(Op::Fpext, wide, &[arg]),
                false => arg,
            })
            .collect();
        let result = self.call_c(&name, &widened, Some(wide))?;
        let Some(result) = result else { return Err(self.invalid("the function gives nothing")) };
        match wide == ty {
            true => Ok(result),
            false => Ok(self.op(Op::Fptrunc, ty, &[result])),
        }
    }

    /// The type of the floats of a call that gives two numbers for one.
    fn split_type(&mut self, call: &Use<'_>, second: Option<Type>) -> Parsed<(Type, Type)> {
        let aggregate = self.ty(call.result)?;
        let types = &self.shared.module.types;
        let parts = (types.field(aggregate, 0), types.field(aggregate, 1));
        match parts {
            (Some(ty @ (Type::F32 | Type::F64)), other)
                if other == Some(second.unwrap_or(ty)) && types.field_count(aggregate) == 2 =>
            {
                Ok((aggregate, ty))
            }
            _ => Err(self.unsupported("the intrinsic is not known for these types")),
        }
    }

    /// A function that gives one number, and puts another at an address.
    fn with_second(&mut self, call: &Use<'_>, name: &str, second: Option<Type>) -> Parsed<Value> {
        let (aggregate, ty) = self.split_type(call, second)?;
        let value = self.operand_of(call, 0, ty)?;
        let place = self.own_slot(8, 8)?;
        let name = if ty == Type::F64 { name.to_owned() } else { format!("{name}f") };
        let first = self.call_c(&name, &[value, place], Some(ty))?;
        let Some(first) = first else { return Err(self.invalid("the function gives nothing")) };
        let second = second.unwrap_or(ty);
        let payload = Payload::Access(Access::default());
        let second = self.emit_one(Op::Load, second, &[place], payload, second);
        Ok(self.op(Op::MakeAggregate, aggregate, &[first, second]))
    }
}

pub(super) fn frexp(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.with_second(call, "frexp", Some(Type::I32))
}

/// C puts the whole part at the address, which comes second here as well.
pub(super) fn modf(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    t.with_second(call, "modf", None)
}

pub(super) fn sincos(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    let (aggregate, ty) = t.split_type(call, None)?;
    let value = t.operand_of(call, 0, ty)?;
    let (sine, cosine) =
        (t.call_library("sin", ty, &[value])?, t.call_library("cos", ty, &[value])?);
    Ok(t.op(Op::MakeAggregate, aggregate, &[sine, cosine]))
}

/// A number that grows while the program runs: the processor time that it has taken.
pub(super) fn counter(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    match t.call_c("clock", &[], Some(Type::I64))? {
        Some(value) if t.ty(call.result)? == Type::I64 => Ok(value),
        _ => Err(t.invalid("the intrinsic gives an `i64`")),
    }
}
