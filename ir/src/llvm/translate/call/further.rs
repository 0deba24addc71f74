//! What is passed behind the named arguments.

use std::borrow::Cow;

use super::Callee;
use crate::entity::Value;
use crate::llvm::translate::function::Translator;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};
use crate::verify::is_promoted;

impl Translator<'_, '_> {
    /// The arguments of a call, those behind the named ones as C's promotions leave them.
    /// A small struct goes there in parts of any type, each in the low bits of a register
    /// or a word of the stack.
    pub(super) fn promoted<'v>(
        &mut self,
        callee: Callee,
        args: &'v [Value],
    ) -> Parsed<Cow<'v, [Value]>> {
        let signature = match callee {
            Callee::Function(id) => self.shared.module.signature_of(id),
            Callee::Address(_, sig) => self.shared.module.types.sig(sig),
        };
        let named = signature.params.len();
        let mut args = Cow::Borrowed(args);
        for index in named..args.len() {
            let arg = self.as_promoted(args[index])?;
            if arg != args[index] {
                args.to_mut()[index] = arg;
            }
        }
        Ok(args)
    }

    fn as_promoted(&mut self, arg: Value) -> Parsed<Value> {
        let ty = self.body.value_type(arg);
        if is_promoted(ty) {
            return Ok(arg);
        }
        match (ty.lane(), ty.is_vector()) {
            (Some(Scalar::I1 | Scalar::I8 | Scalar::I16), false) => {
                Ok(self.op(Op::Zext, Type::I32, &[arg]))
            }
            (Some(Scalar::F16 | Scalar::Bf16), false) => {
                let bits = self.op(Op::Bitcast, Type::I16, &[arg]);
                Ok(self.low_bits(bits))
            }
            (Some(Scalar::F32), false) => {
                let bits = self.op(Op::Bitcast, Type::I32, &[arg]);
                Ok(self.low_bits(bits))
            }
            (Some(lane), true) if lane.bits() * ty.lanes() == Scalar::F64.bits() => {
                Ok(self.op(Op::Bitcast, Type::F64, &[arg]))
            }
            _ => {
                let name = self.shared.module.types.display(ty).to_string();
                let message = format!("C passes no `{name}` behind the named arguments");
                Err(self.unsupported(message))
            }
        }
    }

    /// A float whose low bits are those of a number.
    fn low_bits(&mut self, bits: Value) -> Value {
        let bits = self.op(Op::Zext, Type::I64, &[bits]);
        self.op(Op::Bitcast, Type::F64, &[bits])
    }
}
