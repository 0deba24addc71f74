//! What functions take and give: their signatures, and where a parameter comes from.

use super::Shared;
use super::function::Translator;
use crate::entity::{SigId, Value};
use crate::instruction::Payload;
use crate::llvm::syntax::{FunctionHead, Offset, TypeData, Typed};
use crate::module::Linkage;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Convention, Signature, Type};

impl Shared<'_> {
    /// The signature that a function of the text is declared with.
    pub(super) fn signature(
        &mut self,
        head: &FunctionHead,
        linkage: Linkage,
        at: Offset,
    ) -> Parsed<SigId> {
        let TypeData::Function { result, params, .. } = self.syntax.types[head.ty.index()].clone()
        else {
            return Err(self.invalid(at, "a function has a function type"));
        };
        let is_void = matches!(self.syntax.types[result.index()], TypeData::Void);
        let results: Vec<Type> = match is_void {
            true => vec![],
            false => vec![self.carrier(result, at)?.ty],
        };
        let params: Parsed<Vec<Type>> =
            params.iter().map(|&ty| Ok(self.carrier(ty, at)?.ty)).collect();
        let convention = match linkage {
            Linkage::Foreign => Convention::Platform,
            _ => Convention::Internal,
        };
        let signature = Signature { convention, ..Signature::internal(&params?, &results) };
        self.module
            .types
            .signature(signature)
            .map_err(|error| self.unsupported(at, format_args!("{error}")))
    }
}

impl Translator<'_, '_> {
    /// Defines the parameters of the function from those of its entry block.
    pub(super) fn define_params(&mut self, params: &[Value]) -> Parsed<()> {
        let function = self.function;
        for (&local, &param) in function.params.iter().zip(params) {
            self.define(Some(local), param);
        }
        Ok(())
    }

    /// Leaves the function.
    pub(super) fn return_value(&mut self, value: Option<Typed>) -> Parsed<()> {
        let value = value.map(|value| self.value(value)).transpose()?;
        self.emit(Op::Return, Type::NONE, value.as_slice(), Payload::None, &[]);
        Ok(())
    }
}
