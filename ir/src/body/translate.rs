//! A body taken over from one module by another.

use super::Body;
use crate::body::{ExitKind, TEXT_FILE};
use crate::constant::Constant;
use crate::entity::{AliasClass, DataId, FuncId};
use crate::instruction::Payload;
use crate::types::Type;

/// What the entities of one module are called in another.
pub(crate) trait Translation {
    /// A type.
    fn ty(&mut self, ty: Type) -> Type;
    /// A function.
    fn function(&mut self, function: FuncId) -> FuncId;
    /// A data object.
    fn data(&mut self, data: DataId) -> DataId;
    /// A string, by its index.
    fn string(&mut self, string: u32) -> u32;
    /// An alias class.
    fn class(&mut self, class: AliasClass) -> AliasClass;
}

impl Body {
    /// Replaces every handle of a module by what `to` gives for it.
    pub(crate) fn translate(&mut self, to: &mut dyn Translation) {
        for data in self.values.values_mut() {
            data.ty = translate_type(data.ty, to);
        }
        self.translate_constants(to);
        for inst in self.insts.values_mut() {
            inst.ty = translate_type(inst.ty, to);
            translate_payload(&mut inst.payload, to);
            if let Some(access) = inst.access_mut() {
                access.class = access.class.expand().map(|class| to.class(class)).into();
            }
        }
        for exit in self.exits.values_mut() {
            if let ExitKind::Deopt(function) = &mut exit.kind {
                *function = to.function(*function);
            }
            exit.types.iter_mut().for_each(|ty| *ty = to.ty(*ty));
        }
        for loc in self.locs.values_mut() {
            if loc.file != TEXT_FILE {
                loc.file = to.string(loc.file);
            }
            loc.function = loc.function.map(|function| to.string(function));
        }
    }

    fn translate_constants(&mut self, to: &mut dyn Translation) {
        for (constant, value) in &mut self.constants {
            let ty = translate_type(constant.ty(), to);
            if ty != constant.ty() {
                let is_in_table = self.constant_values.remove(constant).is_some();
                *constant = Constant::zero(ty).unwrap_or_else(|| constant.clone());
                if is_in_table {
                    self.constant_values.insert(constant.clone(), *value);
                }
            }
        }
    }
}

/// A type there: most are no handles.
fn translate_type(ty: Type, to: &mut dyn Translation) -> Type {
    if ty.is_aggregate() || ty.signature().is_some() { to.ty(ty) } else { ty }
}

fn translate_payload(payload: &mut Payload, to: &mut dyn Translation) {
    match payload {
        Payload::Function(function)
        | Payload::ForeignCall { function, .. }
        | Payload::AtomicModify { function, .. } => *function = to.function(*function),
        Payload::TryCall { function, .. } => {
            *function = function.expand().map(|function| to.function(function)).into();
        }
        Payload::Data(data) => *data = to.data(*data),
        Payload::Feature(string) => *string = to.string(*string),
        _ => {}
    }
}
