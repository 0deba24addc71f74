//! One function of the text, block by block.

use std::fmt;

use super::Shared;
use crate::attribute::InstFlags;
use crate::body::Body;
use crate::constant::Constant;
use crate::entity::{Block, Inst, Loc, PackedOption, Value};
use crate::instruction::{InstData, Payload};
use crate::llvm::syntax::{Function, GlobalId, LocalId, Offset, Operand, TypeId, Typed};
use crate::op::Op;
use crate::text::{Code, Parsed, Reported};
use crate::types::Type;

/// A value that the text has named, and the type that it was defined with.
#[derive(Clone, Copy)]
pub(super) struct Defined {
    pub(super) value: Value,
    pub(super) ty: TypeId,
}

/// The function that is being translated.
///
/// Instructions go to the end of [`block`](Self::block). Blocks are translated so that
/// each stands behind those that dominate it: an operand is defined when it is asked
/// for, or the text is wrong.
pub(super) struct Translator<'a, 't> {
    pub(super) shared: &'a mut Shared<'t>,
    pub(super) function: &'a Function<'t>,
    pub(super) id: GlobalId,
    pub(super) body: Body,
    /// Where instructions go. An instruction of the text may end in another block of
    /// ours than it began in; the rest of its block follows there.
    pub(super) block: Block,
    /// The instruction of the text that is being translated.
    pub(super) at: Offset,
    /// Given to every instruction that is emitted.
    pub(super) loc: PackedOption<Loc>,
    /// By [`LocalId`].
    pub(super) locals: Vec<Option<Defined>>,
}

/// Values.
impl Translator<'_, '_> {
    /// The value of an operand, which must have the type that the text spells for it.
    pub(super) fn value(&mut self, operand: Typed) -> Parsed<Value> {
        self.operand(operand.ty, operand.value)
    }

    /// The value of an operand of type `ty`.
    pub(super) fn operand(&mut self, ty: TypeId, operand: Operand) -> Parsed<Value> {
        let local = match operand {
            Operand::Constant(constant) => return self.constant(constant),
            Operand::Local(local) => local,
        };
        match self.locals[local.index()] {
            Some(defined) if defined.ty == ty => Ok(defined.value),
            Some(defined) => {
                let (given, wanted) =
                    (self.shared.show_type(defined.ty), self.shared.show_type(ty));
                let name = self.local_name(local);
                let message = format_args!("`{name}` is `{given}`, not `{wanted}`");
                Err(self.shared.report.add(Code::LlvmType, self.at, message))
            }
            None => {
                let name = self.local_name(local);
                let message = format_args!("`{name}` is not defined on every path to this use");
                Err(self.invalid(message))
            }
        }
    }

    /// Says what a result of the text is; nothing for one without a name.
    pub(super) fn define(&mut self, local: Option<LocalId>, ty: TypeId, value: Value) {
        if let Some(local) = local {
            self.locals[local.index()] = Some(Defined { value, ty });
        }
    }

    /// The type that carries values of `ty`.
    pub(super) fn ty(&mut self, ty: TypeId) -> Parsed<Type> {
        self.shared.carrier(ty, self.at).map(|carrier| carrier.ty)
    }

    /// The constant of `ty` with those bits: the same in each lane.
    pub(super) fn number(&mut self, ty: Type, bits: u128) -> Value {
        let constant = match ty.is_vector() {
            true => Constant::vector(ty, (0..ty.lanes()).map(|_| bits)),
            false => Constant::scalar(ty, bits),
        };
        // A managed kind has no constant but null.
        let constant = constant.or_else(|| Constant::zero(ty));
        constant.map_or(Value::from_u32(u32::MAX - 1), |constant| self.body.constant(constant))
    }

    fn local_name(&self, local: LocalId) -> String {
        match &self.function.locals[local.index()].name {
            Some(name) => format!("%{name}"),
            None => "the value".to_owned(),
        }
    }
}

/// Instructions.
impl Translator<'_, '_> {
    /// Appends an instruction with results of those types.
    pub(super) fn emit(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        payload: Payload,
        results: &[Type],
    ) -> Inst {
        let args = self.body.list(args);
        let data = InstData { loc: self.loc, ..InstData::new(op, ty, args, payload) };
        self.body.append_inst(self.block, data, results)
    }

    /// Appends an instruction with one result, whose type is `result`, and gives that.
    pub(super) fn emit_one(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        payload: Payload,
        result: Type,
    ) -> Value {
        let inst = self.emit(op, ty, args, payload, &[result]);
        self.body.results(inst)[0]
    }

    /// Appends an op that has nothing but operands, and one result of its suffix.
    pub(super) fn op(&mut self, op: Op, ty: Type, args: &[Value]) -> Value {
        self.emit_one(op, ty, args, Payload::None, ty)
    }

    /// As [`op`](Self::op), with hints or permissions.
    pub(super) fn op_with(&mut self, op: Op, ty: Type, args: &[Value], flags: InstFlags) -> Value {
        let value = self.op(op, ty, args);
        if let Some(inst) = self.body.layout.last_inst(self.block) {
            self.body.inst_mut(inst).flags = flags & op.info().flags;
        }
        value
    }

    /// A new block, which stands behind the current one; it becomes the current one
    /// by [`switch_to`](Self::switch_to).
    pub(super) fn new_block(&mut self) -> Block {
        self.body.make_block()
    }

    /// Goes on at the end of `block`.
    pub(super) fn switch_to(&mut self, block: Block) {
        self.body.layout.append_block(block);
        self.block = block;
    }
}

/// Errors at the current instruction.
impl Translator<'_, '_> {
    /// Reports what has no meaning here.
    pub(super) fn unsupported(&mut self, what: impl fmt::Display) -> Reported {
        self.shared.unsupported(self.at, what)
    }

    /// Reports a breach of LLVM's own rules.
    pub(super) fn invalid(&mut self, what: impl fmt::Display) -> Reported {
        self.shared.invalid(self.at, what)
    }
}
