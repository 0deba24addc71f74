//! The shape of an instruction: its payload and every handle that it holds.

use super::function::Checker;
use super::report::At;
use super::{Rule, safety};
use crate::entity::{AliasClass, EntityRef, Inst, PackedOption, ScopeSet, SwitchTable, ValueList};
use crate::instruction::{ImmediateList, Payload, Target};
use crate::op::Form;

/// Whether `payload` is what an op of that form holds.
fn is_payload_of(form: Form, payload: &Payload) -> bool {
    match payload {
        Payload::None => matches!(form, Form::Values | Form::Variadic | Form::IndirectCall),
        Payload::IntCond(_) => form == Form::IntCompare,
        Payload::FloatCond(_) => form == Form::FloatCompare,
        Payload::Access(_) => matches!(
            form,
            Form::Load | Form::Store | Form::MaskedLoad | Form::MaskedStore | Form::Bulk
        ),
        Payload::Atomic { .. } => matches!(form, Form::AtomicLoad | Form::AtomicStore),
        Payload::AtomicRmw { .. } => form == Form::AtomicRmw,
        Payload::AtomicCas { .. } => form == Form::AtomicCas,
        Payload::AtomicModify { .. } => form == Form::AtomicModify,
        Payload::Order(_) => form == Form::Fence,
        Payload::Slot(_) => matches!(form, Form::Slot | Form::SlotLoad | Form::SlotStore),
        Payload::Data(_) => matches!(form, Form::Data | Form::DataLoad | Form::DataStore),
        Payload::Function(_) => matches!(form, Form::Function | Form::Call),
        Payload::ForeignCall { .. } => form == Form::ForeignCall,
        Payload::TryCall { function, .. } if function.is_some() => form == Form::TryCall,
        Payload::TryCall { roots, .. } => *roots == 0 && form == Form::TryIndirectCall,
        Payload::Immediates(_) => matches!(form, Form::Extract | Form::Insert | Form::Shuffle),
        Payload::Jump(_) => form == Form::Jump,
        Payload::Branch(_) => matches!(form, Form::Branch | Form::Enter),
        Payload::Switch(_) => form == Form::Switch,
        Payload::Trap(_) => form == Form::Trap,
        Payload::Exit(_) => form == Form::Check,
        Payload::Count(_) => form == Form::Count,
        Payload::LoopMark { .. } => form == Form::LoopMark,
        Payload::Feature(_) => form == Form::Feature,
    }
}

impl Checker<'_, '_> {
    pub(super) fn check_shape(&mut self, inst: Inst) {
        let body = self.body;
        let data = body.inst(inst);
        self.report.work += 1;
        self.report.note(safety::of_inst(data));
        if !is_payload_of(data.op.info().form, &data.payload) {
            let message = format_args!("`{}` holds something that is not of its form", data.op);
            return self.fail_flow(Rule::Payload, At::Inst(inst), message);
        }
        self.check_storage(body.results_list(inst), At::Inst(inst));
        if !self.check_storage(data.args, At::Inst(inst)) {
            return;
        }
        for &arg in body.args(inst) {
            self.report.work += 1;
            self.check_value(inst, arg);
        }
        self.check_entities_of(inst);
        if let Payload::Switch(table) = data.payload
            && !self.check_switch_table(inst, table)
        {
            return;
        }
        for target in body.targets(inst) {
            self.check_target(inst, target);
        }
        if let Some(loc) = data.loc.expand().filter(|&loc| body.loc_data(loc).is_none()) {
            self.unknown(inst, &loc, "location of the function");
        }
    }

    fn unknown(&mut self, inst: Inst, handle: &dyn std::fmt::Display, what: &str) {
        let message = format_args!("{handle} is no {what}");
        self.fail(Rule::UnknownHandle, At::Inst(inst), message);
    }

    /// Takes the storage of a list, which no other list may use. `false` if
    /// its values cannot be looked at.
    pub(super) fn check_storage(&mut self, list: ValueList, at: At) -> bool {
        if list.is_empty() {
            return true;
        }
        let Some(blocks) = self.body.list_pool().blocks_of(list) else {
            let message = format_args!("a list of values is none of the function");
            self.fail_flow(Rule::UnknownHandle, at, message);
            return false;
        };
        for block in blocks {
            self.report.work += 1;
            if std::mem::replace(&mut self.used_storage[block], true) {
                let message = format_args!(
                    "a list of values is used twice: changing one use would change the other; make a list for each"
                );
                self.fail_flow(Rule::SharedList, at, message);
                return false;
            }
        }
        true
    }

    fn check_entities_of(&mut self, inst: Inst) {
        let (body, module) = (self.body, self.module);
        let data = body.inst(inst);
        if let Some(function) = data.function().filter(|&id| module.function(id).is_none()) {
            self.unknown(inst, &function, "function of the module");
        }
        match data.payload {
            Payload::Slot(slot) if body.slot(slot).is_none() => {
                self.unknown(inst, &slot, "slot of the function");
            }
            Payload::Data(id) if module.data(id).is_none() => {
                self.unknown(inst, &id, "data object of the module");
            }
            Payload::Exit(exit) if body.exit(exit).is_none() => {
                self.unknown(inst, &exit, "exit of the function");
            }
            Payload::Feature(index) if index >= module.string_count() => {
                self.unknown(inst, &format_args!("feature {index}"), "string of the module");
            }
            Payload::Immediates(list) => self.check_immediates_list(inst, list),
            _ => {}
        }
        if let Some(access) = data.access() {
            self.check_class(inst, access.class);
            self.check_scopes(inst, access.scopes);
            self.check_scopes(inst, access.no_alias);
        }
    }

    fn check_immediates_list(&mut self, inst: Inst, list: ImmediateList) {
        if self.body.immediates(list).len() != list.len as usize {
            self.unknown(inst, &"a list of indices", "list of the function");
        }
    }

    fn check_class(&mut self, inst: Inst, class: PackedOption<AliasClass>) {
        if let Some(class) = class.expand().filter(|&class| self.module.class(class).is_none()) {
            self.unknown(inst, &class, "alias class of the module");
        }
    }

    fn check_scopes(&mut self, inst: Inst, set: PackedOption<ScopeSet>) {
        let count = self.body.scope_sets().len();
        if let Some(set) = set.expand().filter(|set| set.index() >= count) {
            self.unknown(inst, &set, "set of scopes of the function");
        }
    }

    fn check_switch_table(&mut self, inst: Inst, table: SwitchTable) -> bool {
        match self.used_switches.get_mut(table.index()) {
            None => {
                self.flow = super::function::FlowCheck::Impossible;
                self.unknown(inst, &table, "switch of the function");
                false
            }
            Some(used) => {
                let before = std::mem::replace(used, true);
                if before {
                    let message =
                        format_args!("{table} is used by two instructions; make one for each");
                    self.fail_flow(Rule::SharedList, At::Inst(inst), message);
                }
                !before
            }
        }
    }

    fn check_target(&mut self, inst: Inst, target: &Target) {
        let body = self.body;
        let block = target.block;
        self.report.work += 1;
        if !body.contains_block(block) {
            self.flow = super::function::FlowCheck::Impossible;
            self.unknown(inst, &block, "block of the function");
        } else if !body.layout.is_placed(block) {
            let message = format_args!("{block} does not stand in the function");
            self.fail_flow(Rule::UnplacedBlock, At::Inst(inst), message);
        }
        if self.check_storage(target.args, At::Inst(inst)) {
            for &arg in body.target_args(target) {
                self.report.work += 1;
                self.check_value(inst, arg);
            }
        }
    }
}
