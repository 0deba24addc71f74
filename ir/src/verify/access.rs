//! What an instruction says beside its operands: flags, orders, cases, hints.

use super::Rule;
use super::function::Checker;
use super::report::At;
use crate::attribute::{AccessFlags, INST_FLAG_NAMES, Order};
use crate::body::SwitchData;
use crate::constant::mask;
use crate::entity::Inst;
use crate::instruction::{Access, InstData, MAX_ACCESS_ALIGN_LOG2, MAX_UNROLL, Payload};
use crate::module::Content;
use crate::op::{Effects, Field, Op};

impl Checker<'_, '_> {
    pub(super) fn check_payload(&mut self, inst: Inst, data: &InstData) {
        let extra = data.flags - data.op.info().flags;
        if !extra.is_empty() {
            let names = INST_FLAG_NAMES.iter().filter(|(flag, _)| extra.intersects(*flag));
            let names: Vec<&str> = names.map(|(_, name)| *name).collect();
            let message = format_args!("`{}` cannot be `{}`", data.op, names.join(" "));
            self.fail(Rule::Flag, At::Inst(inst), message);
        }
        if let Some(access) = data.access() {
            self.check_access(inst, data, access);
        }
        self.check_order(inst, data);
        self.check_weights(inst, data);
        self.check_range(inst);
        match data.payload {
            Payload::AtomicRmw { .. } => self.check_rmw(inst, data),
            Payload::Function(_) if data.op == Op::FunctionAddr => {
                self.check_function_type(inst, data);
            }
            Payload::Switch(table) => {
                if let Some(switch) = self.body.switch(table) {
                    self.check_cases(inst, data, switch);
                }
            }
            Payload::LoopMark { unroll, .. } if unroll > MAX_UNROLL => {
                let message =
                    format_args!("{unroll} copies are more than the limit of {MAX_UNROLL}");
                self.fail(Rule::LoopMark, At::Inst(inst), message);
            }
            Payload::Feature(string) if self.module.string(string).is_empty() => {
                self.fail(Rule::Feature, At::Inst(inst), format_args!("the feature has no name"));
            }
            Payload::Data(_) if data.op == Op::DataStore => self.check_data_store(inst, data),
            Payload::Count(0) if data.op == Op::Leave => {
                let message = format_args!("`leave 0` leaves no region");
                self.fail(Rule::RegionNesting, At::Inst(inst), message);
            }
            _ => {}
        }
        self.has_regions |= matches!(data.op, Op::Enter | Op::Leave);
    }

    fn check_data_store(&mut self, inst: Inst, data: &InstData) {
        let Payload::Data(id) = data.payload else { return };
        if let Some(object) =
            self.module.data(id).filter(|object| object.content == Content::Constant)
        {
            let message = format_args!("@{} is constant", object.name);
            self.fail(Rule::ConstantStore, At::Inst(inst), message);
        }
    }

    fn check_access(&mut self, inst: Inst, data: &InstData, access: &Access) {
        let info = data.op.info();
        if access.align_log2 > MAX_ACCESS_ALIGN_LOG2 {
            let message = format_args!(
                "an alignment of 2^{} bytes is more than 2^{MAX_ACCESS_ALIGN_LOG2}",
                access.align_log2
            );
            self.fail(Rule::Access, At::Inst(inst), message);
        }
        if access.offset != 0 && !info.form.fields().contains(&Field::Address) {
            let message = format_args!("`{}` has no address that could have an offset", data.op);
            self.fail(Rule::Access, At::Inst(inst), message);
        }
        let loads = info.effects.contains(Effects::READ) && !info.effects.contains(Effects::WRITE);
        if access.flags.contains(AccessFlags::INVARIANT) && !loads {
            let message = format_args!("only what is loaded and not stored can be `invariant`");
            self.fail(Rule::Flag, At::Inst(inst), message);
        }
        let address =
            data.ty.as_scalar().is_some_and(|s| s.is_address()) || data.ty.signature().is_some();
        if access.flags.contains(AccessFlags::NON_NULL) && !(loads && address) {
            let message = format_args!("only an address that is loaded can be `nonnull`");
            self.fail(Rule::Flag, At::Inst(inst), message);
        }
    }

    fn check_order(&mut self, inst: Inst, data: &InstData) {
        use Order::{Acquire, AcquireRelease, Relaxed, Release, Unordered};
        let fault = match data.payload {
            Payload::Atomic { order: Release | AcquireRelease, .. }
                if data.op == Op::AtomicLoad =>
            {
                "a load does not release"
            }
            Payload::Atomic { order: Acquire | AcquireRelease, .. }
                if data.op == Op::AtomicStore =>
            {
                "a store does not acquire"
            }
            Payload::AtomicRmw { order: Unordered, .. }
            | Payload::AtomicModify { order: Unordered, .. }
            | Payload::AtomicCas { order: Unordered, .. } => {
                "what reads and writes as one step is at least `relaxed`"
            }
            Payload::AtomicCas { failure: Unordered, .. } => {
                "a failing exchange is at least `relaxed`"
            }
            Payload::AtomicCas { failure: Release | AcquireRelease, .. } => {
                "an exchange that fails stores nothing and does not release"
            }
            Payload::AtomicCas { order, failure, .. } if failure > order => {
                "an exchange that fails is not ordered more than one that succeeds"
            }
            Payload::Order(Unordered | Relaxed) => "such a fence orders nothing",
            _ => return,
        };
        self.fail(Rule::MemoryOrder, At::Inst(inst), format_args!("{fault}"));
    }

    fn check_cases(&mut self, inst: Inst, data: &InstData, switch: &SwitchData) {
        self.report.work += switch.cases.len() as u64;
        if switch.targets.len() != switch.cases.len() + 1 {
            let (cases, targets) = (switch.cases.len(), switch.targets.len());
            let message = format_args!("{cases} cases and a default have {targets} targets");
            return self.fail(Rule::SwitchCase, At::Inst(inst), message);
        }
        let width = data.ty.as_scalar().map_or(0, |scalar| mask(scalar.bits()));
        if let Some(&case) = switch.cases.iter().find(|&&case| case > width) {
            let name = self.show(data.ty);
            let message = format_args!("the case {case:#x} has more bits than `{name}`");
            self.fail(Rule::SwitchCase, At::Inst(inst), message);
        }
        let mut sorted = switch.cases.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format_args!("the case {:#x} stands twice", twice[0]);
            self.fail(Rule::SwitchCase, At::Inst(inst), message);
        }
    }

    fn check_weights(&mut self, inst: Inst, data: &InstData) {
        let Some(weights) = self.body.weights(inst) else { return };
        let targets = self.body.targets(inst).len();
        self.report.work += weights.len() as u64;
        if !data.op.info().form.fields().contains(&Field::Weights) {
            let message = format_args!("`{}` has no weights", data.op);
            self.fail(Rule::Weights, At::Inst(inst), message);
        } else if weights.len() != targets {
            let count = weights.len();
            let message = format_args!("{targets} targets have {count} weights");
            self.fail(Rule::Weights, At::Inst(inst), message);
        } else if weights.iter().all(|&weight| weight == 0) {
            self.fail(Rule::Weights, At::Inst(inst), format_args!("all weights are zero"));
        }
    }

    fn check_range(&mut self, inst: Inst) {
        let Some(range) = self.body.range(inst) else { return };
        let result = self.body.results(inst).first().map(|&value| self.body.value_type(value));
        let lane = result.and_then(|ty| ty.lane()).filter(|lane| lane.is_int());
        let fault = match lane {
            None => "only a first result of integers can have a range",
            Some(lane) if range.low.max(range.high) > mask(lane.bits()) => {
                "the range has more bits than the result"
            }
            Some(_) if range.low == range.high => "the range is empty",
            Some(_) => return,
        };
        self.fail(Rule::Range, At::Inst(inst), format_args!("{fault}"));
    }

    /// Whether the op may stand at the border, and the target can do it.
    pub(super) fn check_border(&mut self, inst: Inst) {
        let data = self.body.inst(inst);
        if data.op.info().dialect < self.options.border {
            let message = format_args!("`{}` must be lowered before this border", data.op);
            self.fail(Rule::Dialect, At::Inst(inst), message);
        }
        let target = self.options.target;
        if let Some(reason) = target.and_then(|target| target.refusal(self.module, self.body, inst))
        {
            self.fail(Rule::Target, At::Inst(inst), format_args!("{reason}"));
        }
    }
}
