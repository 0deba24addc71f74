//! What is done once all of the module level is read.

use super::Outline;
use crate::llvm::parse::facts;
use crate::llvm::syntax::{ConstantData, GlobalData, GlobalId, NamedId, TypeData};
use crate::text::Code;

impl Outline<'_, '_> {
    /// Resolves what stood before its definition, and refuses what has none.
    pub(super) fn finish(mut self) {
        self.refuse_undefined_types();
        facts::find(self.reader.module, self.reader.cursor.report);
        self.apply_groups();
        self.refuse_undefined_globals();
        self.check_addresses();
        self.refuse_unsized();
        self.name_numbered();
        let module = self.reader.module;
        // A stable sort keeps the first of several with one number in front.
        module.metadata.sort_by_key(|(id, _)| *id);
        module.metadata.dedup_by_key(|(id, _)| *id);
        module.constants = self.reader.constants;
        module.names.work += self.reader.cursor.work();
    }

    fn refuse_undefined_types(&mut self) {
        for named in 0..self.reader.module.named.len() {
            if self.reader.module.names.is_defined[named] {
                continue;
            }
            let module = &mut *self.reader.module;
            let at = module.names.type_places[named];
            let id = NamedId(named as u32);
            let ty = module.type_id(TypeData::Named(id));
            let message = format!("the type `{}` is not defined", module.show(ty));
            self.reader.cursor.report.add(Code::UnknownType, at, message);
        }
    }

    fn apply_groups(&mut self) {
        let module = &mut *self.reader.module;
        for &(id, number) in &self.grouped {
            let group = module.names.groups.get(&number).copied().unwrap_or_default();
            if let GlobalData::Function(head) = &mut module.globals[id.index()].data {
                head.attributes.flags |= group.flags;
                head.target = head.target.or(group.target);
            }
        }
    }

    fn refuse_undefined_globals(&mut self) {
        for global in &self.reader.module.globals {
            if matches!(global.data, GlobalData::Undefined) {
                let message = format!("`@{}` is not defined or declared", global.name);
                self.reader.cursor.report.add(Code::UnknownSymbol, global.at, message);
            }
        }
    }

    /// Refuses addresses of globals that are in another address space.
    fn check_addresses(&mut self) {
        for index in 0..self.reader.constants.len() {
            let constant = &self.reader.constants[index];
            let at = constant.at;
            match constant.data {
                ConstantData::Global(id) => {
                    let space = self.reader.space_of(id);
                    let ty = &self.reader.module.types[constant.ty.index()];
                    if space.is_some_and(|space| *ty != TypeData::Pointer(space)) {
                        let message = "this global is in another address space";
                        self.reader.cursor.report.add(Code::LlvmType, at, message);
                    }
                }
                ConstantData::BlockAddress { function, .. } if !self.reader.has_body(function) => {
                    let message = "only functions that are defined have blocks";
                    self.reader.cursor.report.add(Code::LlvmInvalid, at, message);
                }
                _ => {}
            }
        }
    }

    /// Refuses variables of types without a size, which are known by now.
    fn refuse_unsized(&mut self) {
        let module = &*self.reader.module;
        for global in &module.globals {
            if let GlobalData::Variable { ty, initializer, .. } = global.data
                && !module.names.facts.is_sized(ty)
                && initializer.is_some()
            {
                let message = format!("`{}` has no size", module.show(ty));
                self.reader.cursor.report.add(Code::BadType, global.at, message);
            }
        }
    }

    /// Makes the names of globals that have only a number different from all others.
    fn name_numbered(&mut self) {
        let module = &mut *self.reader.module;
        let mut ids: Vec<GlobalId> = (0..module.globals.len() as u32).map(GlobalId).collect();
        ids.retain(|id| {
            let name = &module.globals[id.index()].name;
            module.names.globals.get(name) != Some(id)
        });
        for id in ids {
            let mut name = module.globals[id.index()].name.to_string();
            while module.names.globals.contains_key(name.as_str()) {
                name.insert(0, '.');
            }
            module.globals[id.index()].name = name.into();
        }
    }
}
