//! What runs before and after the program: one function each, that others can call.

use super::data::Initialisers;
use crate::body::Body;
use crate::entity::FuncId;
use crate::instruction::{InstData, Payload};
use crate::llvm::syntax::{ConstantData, ConstantId, GlobalData, Offset};
use crate::module::{Linkage, Symbol};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Signature, Type};

/// The list of the text, and the function that comes of it.
const LISTS: [(&str, &str); 2] =
    [("llvm.global_ctors", "brolga.constructors"), ("llvm.global_dtors", "brolga.destructors")];

impl Initialisers<'_, '_> {
    /// Declares a function for each list that calls its functions by their priority.
    pub(super) fn define_constructors(&mut self) {
        for (list, name) in LISTS {
            let globals = &self.shared.syntax.globals;
            let Some(global) = globals.iter().find(|global| global.name == list) else { continue };
            let GlobalData::Variable { initializer: Some(initializer), .. } = global.data else {
                continue;
            };
            let at = global.at;
            // What is wrong is in the report.
            let _ = self.define_caller(name, initializer, at);
        }
    }

    fn define_caller(&mut self, name: &str, list: ConstantId, at: Offset) -> Parsed<()> {
        let mut calls = Vec::new();
        if let ConstantData::Aggregate(entries) = &self.constants[list.index()].data {
            for &entry in entries {
                calls.extend(self.entry(entry, at)?);
            }
        }
        calls.sort_by_key(|&(priority, _)| priority);
        if name == LISTS[1].1 {
            calls.reverse();
        }
        let sig = self.shared.module.types.signature(Signature::default());
        let sig = sig.map_err(|error| self.shared.unsupported(at, error))?;
        let declared = self.shared.module.declare_function(name, sig, Linkage::Export);
        let id = declared.map_err(|error| self.shared.invalid(at, error))?;
        let body = self.caller_body(&calls);
        if let Some(function) = self.shared.module.function_mut(id) {
            function.body = Some(body);
        }
        Ok(())
    }

    /// The priority and the function of an entry; nothing for a null function.
    fn entry(&mut self, entry: ConstantId, at: Offset) -> Parsed<Option<(u32, FuncId)>> {
        let parts = match &self.constants[entry.index()].data {
            ConstantData::Aggregate(parts) => &parts[..],
            _ => return Ok(None),
        };
        let [priority, function, ..] = *parts else {
            return Err(self.shared.invalid(at, "an entry is a priority and a function"));
        };
        let priority = self.fold(priority)?.bits as u32;
        let function = self.fold(function)?;
        let id = match function.base {
            None if function.bits == 0 => return Ok(None),
            Some(Symbol::Function(id)) if function.bits == 0 => id,
            _ => return Err(self.shared.invalid(at, "an entry is a priority and a function")),
        };
        match self.shared.module.signature_of(id).params.is_empty() {
            true => Ok(Some((priority, id))),
            false => Err(self.shared.unsupported(at, "a constructor takes parameters")),
        }
    }

    fn caller_body(&self, calls: &[(u32, FuncId)]) -> Body {
        let mut body = Body::default();
        let block = body.make_block();
        body.layout.append_block(block);
        let module = &self.shared.module;
        for &(_, id) in calls {
            let foreign = module.function(id).is_some_and(|f| f.linkage == Linkage::Foreign);
            let (op, payload) = match foreign {
                true => (Op::CallForeign, Payload::ForeignCall { function: id, roots: 0 }),
                false => (Op::Call, Payload::Function(id)),
            };
            let results: Vec<Type> = module.signature_of(id).result_types().collect();
            let data = InstData::new(op, Type::NONE, Default::default(), payload);
            body.append_inst(block, data, &results);
        }
        let data = InstData::new(Op::Return, Type::NONE, Default::default(), Payload::None);
        body.append_inst(block, data, &[]);
        body
    }
}
