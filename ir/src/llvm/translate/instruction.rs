//! Instructions, by their kind.

use super::function::Translator;
use crate::llvm::syntax::{Instruction, Kind};
use crate::text::Parsed;

impl Translator<'_, '_> {
    /// Translates one instruction.
    pub(super) fn instruction(&mut self, inst: &Instruction) -> Parsed<()> {
        self.at = inst.at;
        match &inst.kind {
            Kind::Call(call) => self.call(inst, call),
            Kind::Invoke { call, normal, .. } => self.invoke(inst, call, *normal),
            Kind::LandingPad { .. } => Err(self.unsupported("`landingpad` is not read yet")),
            Kind::VaArg { list, ty } => self.va_arg(inst, *list, *ty),
            _ => Err(self.unsupported("this instruction is not read yet")),
        }
    }
}
