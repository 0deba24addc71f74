//! The floats that no op computes with, by functions of ours.

use rustc_hash::FxHashMap;

use super::Shared;
use super::cast::FromTo;
use super::function::Translator;
use super::types::Carrier;
use crate::attribute::{FloatCond, IntCond};
use crate::body::Translation;
use crate::entity::{AliasClass, DataId, FuncId, Value};
use crate::instruction::Payload;
use crate::llvm::syntax::{BinaryOp, CastOp};
use crate::module::{Linkage, Module};
use crate::op::Op;
use crate::text::{Parsed, parse_module};
use crate::types::{Scalar, Type};

/// The functions, which begin with [`PREFIX`].
const TEXTS: [&str; 2] =
    [include_str!("soft_float/formats.bir"), include_str!("soft_float/arithmetic.bir")];

const PREFIX: &str = "__soft.";

/// What a float is once it is taken apart.
const PARTS: [Type; 3] = [Type::I1, Type::I32, Type::I128];

/// Whether functions compute with floats of the type.
pub(super) fn is_soft(ty: Type) -> bool {
    ty == Type::X86_FP80 || ty == Type::F128
}

/// What the handles of one module are in another that has the same functions.
struct Renumbered<'a> {
    functions: &'a FxHashMap<FuncId, FuncId>,
}

impl Translation for Renumbered<'_> {
    fn ty(&mut self, ty: Type) -> Type {
        ty
    }

    fn function(&mut self, function: FuncId) -> FuncId {
        self.functions.get(&function).copied().unwrap_or(function)
    }

    fn data(&mut self, data: DataId) -> DataId {
        data
    }

    fn string(&mut self, string: u32) -> u32 {
        string
    }

    fn class(&mut self, class: AliasClass) -> AliasClass {
        class
    }
}

impl Shared<'_> {
    /// Adds the functions to the module.
    fn add_soft_floats(&mut self) -> Result<(), String> {
        let text = TEXTS.concat();
        let soft = parse_module(&text).map_err(|errors| format!("{errors:?}"))?;
        let mut functions = FxHashMap::default();
        for (id, function) in soft.functions() {
            let signature = soft.types.sig(function.sig).clone();
            let sig = self.module.types.signature(signature).map_err(|e| e.to_string())?;
            let declared = self.module.declare_function(&function.name, sig, Linkage::Local);
            functions.insert(id, declared.map_err(|error| error.to_string())?);
        }
        for (id, function) in soft.functions() {
            self.define_soft(functions[&id], function.body.as_deref().cloned(), &functions);
        }
        Ok(())
    }

    fn define_soft(
        &mut self,
        id: FuncId,
        body: Option<crate::body::Body>,
        functions: &FxHashMap<FuncId, FuncId>,
    ) {
        if let (Some(mut body), Some(function)) = (body, self.module.function_mut(id)) {
            body.translate(&mut Renumbered { functions });
            function.body = Some(Box::new(body));
        }
    }
}

impl Translator<'_, '_> {
    /// Calls one of the functions.
    fn soft_call(&mut self, name: &str, args: &[Value], results: &[Type]) -> Parsed<Vec<Value>> {
        if !std::mem::replace(&mut self.shared.has_soft_floats, true)
            && let Err(reason) = self.shared.add_soft_floats()
        {
            return Err(self.unsupported(reason));
        }
        let Some(function) = function_named(&self.shared.module, name) else {
            return Err(self.unsupported(format_args!("there is no function for `{name}`")));
        };
        let payload = Payload::Function(function);
        let call = self.emit(Op::Call, Type::NONE, args, payload, results);
        Ok(self.body.results(call).to_vec())
    }

    /// A float of any type taken apart.
    fn apart(&mut self, value: Value) -> Parsed<Vec<Value>> {
        let ty = self.body.value_type(value);
        let (value, ty) = match ty {
            Type::F16 | Type::BF16 | Type::F32 => {
                (self.op(Op::Fpext, Type::F64, &[value]), Type::F64)
            }
            ty => (value, ty),
        };
        self.soft_call(&format!("from_{ty}"), &[value], &PARTS)
    }

    /// A float of type `ty` from its parts.
    fn together(&mut self, parts: &[Value], ty: Type) -> Parsed<Value> {
        Ok(self.soft_call(&format!("to_{ty}"), parts, &[ty])?[0])
    }

    /// An operation on two floats of one type.
    pub(super) fn soft_binary(&mut self, op: BinaryOp, x: Value, y: Value) -> Parsed<Value> {
        let name = match op {
            BinaryOp::FAdd => "add",
            BinaryOp::FSub => "subtract",
            BinaryOp::FMul => "multiply",
            BinaryOp::FDiv => "divide",
            _ => "remainder",
        };
        let ty = self.body.value_type(x);
        let mut args = self.apart(x)?;
        args.extend(self.apart(y)?);
        let parts = self.soft_call(name, &args, &PARTS)?;
        self.together(&parts, ty)
    }

    /// What a function that looks at signs alone gives: `negate`, `absolute`, or `signed`,
    /// which takes the sign of its second operand.
    pub(super) fn soft_sign(&mut self, name: &str, operands: &[Value]) -> Parsed<Value> {
        let ty = self.body.value_type(operands[0]);
        Ok(self.soft_call(&format!("{name}_{ty}"), operands, &[ty])?[0])
    }

    /// The bits of a float of 80 bits as they would be in one of 128.
    pub(super) fn soft_bits(&mut self, value: Value) -> Parsed<Value> {
        Ok(self.soft_call("bits_x86_fp80", &[value], &[Type::I128])?[0])
    }

    /// Whether a condition holds of two floats of one type.
    pub(super) fn soft_compare(
        &mut self,
        condition: FloatCond,
        x: Value,
        y: Value,
    ) -> Parsed<Value> {
        let mut args = self.apart(x)?;
        args.extend(self.apart(y)?);
        let order = self.soft_call("compare", &args, &[Type::I32])?[0];
        let wanted = self.number(Type::I32, orders_of(condition));
        let common = self.op(Op::And, Type::I32, &[order, wanted]);
        let zero = self.number(Type::I32, 0);
        Ok(self.holds(IntCond::Ne, Type::I32, common, zero))
    }

    /// A float of any type as one of another.
    pub(super) fn soft_converted(&mut self, value: Value, to: Type) -> Parsed<Value> {
        let parts = self.apart(value)?;
        self.together(&parts, to)
    }

    /// A float rounded towards zero.
    pub(super) fn soft_to_integer(&mut self, value: Value, to: Carrier) -> Parsed<Value> {
        let parts = self.apart(value)?;
        let number = self.soft_call("to_integer", &parts, &[Type::I128])?[0];
        Ok(self.resized(number, to))
    }

    /// An integer as a float.
    pub(super) fn soft_from_integer(
        &mut self,
        op: CastOp,
        value: Value,
        (from, to): FromTo,
    ) -> Parsed<Value> {
        let (name, extend) = match op {
            CastOp::SiToFp => ("from_signed", Op::Sext),
            _ => ("from_unsigned", Op::Zext),
        };
        let value = if op == CastOp::SiToFp { self.sign_extended(from, value) } else { value };
        let is_wide = from.ty.lane() == Some(Scalar::I128);
        let value = if is_wide { value } else { self.op(extend, Type::I128, &[value]) };
        let parts = self.soft_call(name, &[value], &PARTS)?;
        self.together(&parts, to.ty)
    }
}

fn function_named(module: &Module, name: &str) -> Option<FuncId> {
    module.function_named(&format!("{PREFIX}{name}"))
}

/// The orders of two floats, as `compare` numbers them, for which a condition holds.
fn orders_of(condition: FloatCond) -> u128 {
    const LESS: u128 = 1;
    const EQUAL: u128 = 2;
    const GREATER: u128 = 4;
    const UNORDERED: u128 = 8;
    match condition {
        FloatCond::Oeq => EQUAL,
        FloatCond::One => LESS | GREATER,
        FloatCond::Olt => LESS,
        FloatCond::Ole => LESS | EQUAL,
        FloatCond::Ogt => GREATER,
        FloatCond::Oge => GREATER | EQUAL,
        FloatCond::Ord => LESS | EQUAL | GREATER,
        FloatCond::Ueq => UNORDERED | EQUAL,
        FloatCond::Une => UNORDERED | LESS | GREATER,
        FloatCond::Ult => UNORDERED | LESS,
        FloatCond::Ule => UNORDERED | LESS | EQUAL,
        FloatCond::Ugt => UNORDERED | GREATER,
        FloatCond::Uge => UNORDERED | GREATER | EQUAL,
        FloatCond::Uno => UNORDERED,
    }
}
