//! The check of a body: first each instruction by itself, then how they
//! stand to each other, where the first look found nothing that a walk over
//! the graph could stumble on.

use std::fmt::{self, Display};

use rustc_hash::FxHashMap;

use super::report::{At, Place, Report, shown_block};
use super::{Options, Rule};
use crate::body::{Body, ValueDef};
use crate::entity::{Block, EntityRef, FuncId, Inst, SigId, Value};
use crate::module::Module;
use crate::op::Dialect;
use crate::text::BodyPrinter;
use crate::types::{MAX_LEAVES, Signature, Type};

/// The check of one body.
pub(super) struct Checker<'a, 'r> {
    pub(super) module: &'a Module,
    pub(super) options: &'a Options<'a>,
    pub(super) id: FuncId,
    pub(super) body: &'a Body,
    pub(super) signature: &'a Signature,
    pub(super) report: &'r mut Report<'a>,
    /// The place of each instruction in the order of the text, from 1; 0 for
    /// those that stand nowhere.
    pub(super) positions: Vec<u32>,
    /// The storage of lists that an instruction has been seen to use.
    pub(super) used_storage: Vec<bool>,
    pub(super) used_switches: Vec<bool>,
    /// Whether the graph of blocks can be walked and each use be looked up.
    pub(super) flow: FlowCheck,
    /// Whether there is any `enter` or `leave`.
    pub(super) has_regions: bool,
    /// Which signatures give the results of this function: thousands of tail
    /// calls may go to a function that gives thousands.
    same_results: FxHashMap<SigId, bool>,
}

/// Whether the checks that need the graph of blocks can be made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FlowCheck {
    Possible,
    Impossible,
}

pub(super) fn check<'a>(
    module: &'a Module,
    id: FuncId,
    body: &'a Body,
    options: &'a Options<'a>,
    report: &mut Report<'a>,
) {
    let mut checker = Checker {
        module,
        options,
        id,
        body,
        signature: module.signature_of(id),
        report,
        positions: vec![0; body.inst_count()],
        used_storage: vec![false; body.list_pool().block_count()],
        used_switches: vec![false; body.switch_count()],
        flow: FlowCheck::Possible,
        has_regions: false,
        same_results: FxHashMap::default(),
    };
    checker.check_entities();
    checker.number();
    for block in body.layout.blocks().filter(|&block| body.contains_block(block)) {
        checker.check_block(block);
    }
    if checker.flow == FlowCheck::Possible && body.layout.entry().is_some() {
        checker.check_flow();
    }
}

impl<'a> Checker<'a, '_> {
    pub(super) fn fail(&mut self, rule: Rule, at: At, message: fmt::Arguments<'_>) {
        self.report.push(rule, Place::Body(self.id, self.printer(), at), message);
    }

    fn printer(&self) -> BodyPrinter<'a> {
        BodyPrinter { module: self.module, body: self.body, signature: Some(self.signature) }
    }

    /// As [`fail`](Self::fail), where the graph cannot be trusted from then on.
    pub(super) fn fail_flow(&mut self, rule: Rule, at: At, message: fmt::Arguments<'_>) {
        self.flow = FlowCheck::Impossible;
        self.fail(rule, at, message);
    }

    /// Whether the signature gives the results of this function.
    pub(super) fn gives_same_results(&mut self, sig: SigId) -> bool {
        let (own, types) = (self.signature, &self.module.types);
        let work = &mut self.report.work;
        *self.same_results.entry(sig).or_insert_with(|| {
            *work += own.results.len() as u64;
            types.sig(sig).result_types().eq(own.result_types())
        })
    }

    /// The text of a type, for messages.
    pub(super) fn show(&self, ty: Type) -> impl Display + use<'a> {
        self.module.types.display(ty)
    }

    /// The text of a value, for messages.
    pub(super) fn show_value(&self, value: Value) -> impl Display + use<'a> {
        let printer = self.printer();
        fmt::from_fn(move |f| printer.write_value(f, value))
    }

    /// The name of a block, for messages.
    pub(super) fn show_block(&self, block: Block) -> impl Display + use<'a> {
        shown_block(self.printer(), block)
    }

    /// Gives each instruction its position.
    fn number(&mut self) {
        let body = self.body;
        let mut position = 0;
        for block in body.layout.blocks() {
            if !body.contains_block(block) {
                let message = format_args!("{block} stands in the function but is none of it");
                self.fail_flow(Rule::UnknownHandle, At::Function, message);
                continue;
            }
            for inst in body.layout.insts(block) {
                position += 1;
                match self.positions.get_mut(inst.index()) {
                    Some(slot) => *slot = position,
                    None => {
                        let message =
                            format_args!("{inst} stands in the block but is none of the function");
                        self.fail_flow(Rule::UnknownHandle, At::Block(block), message);
                    }
                }
            }
        }
        self.report.work += u64::from(position);
    }

    /// The instructions of `block` that are of this function.
    pub(super) fn insts(&self, block: Block) -> impl Iterator<Item = Inst> + use<'a> {
        let body = self.body;
        body.layout.insts(block).filter(|&inst| body.contains_inst(inst))
    }

    /// Whether `inst` stands in a block of this function.
    pub(super) fn is_placed(&self, inst: Inst) -> bool {
        self.positions.get(inst.index()).is_some_and(|&position| position != 0)
    }

    /// Whether `value` may be used by `inst` as far as it stands somewhere at all.
    pub(super) fn check_value(&mut self, inst: Inst, value: Value) {
        let body = self.body;
        let defined = match body.value_def(value) {
            _ if !body.contains_value(value) => {
                let message = format_args!("{value} is no value of the function");
                return self.fail_flow(Rule::UnknownHandle, At::Inst(inst), message);
            }
            ValueDef::Unused => false,
            ValueDef::Constant(_) => {
                self.check_type(body.value_type(value), At::Inst(inst));
                true
            }
            ValueDef::Param(block, index) => {
                body.contains_block(block)
                    && body.layout.is_placed(block)
                    && body.params(block).get(index as usize) == Some(&value)
            }
            ValueDef::Result(by, index) => {
                self.is_placed(by) && body.results(by).get(index as usize) == Some(&value)
            }
        };
        if !defined {
            let name = self.show_value(value);
            let message = format_args!("{name} is used, but nothing in the function defines it");
            self.fail_flow(Rule::UndefinedValue, At::Inst(inst), message);
        }
    }

    /// Whether `ty` is a scalar or a vector: of such a type there is nothing to ask.
    #[inline]
    pub(super) fn is_plain(&self, ty: Type) -> bool {
        ty.lane().is_some()
    }

    /// Whether a value can have the type `ty` at all.
    pub(super) fn check_type(&mut self, ty: Type, at: At) {
        if self.is_plain(ty) {
            return;
        }
        let types = &self.module.types;
        if !types.contains(ty) {
            let message = format_args!("`{ty}` is no type of the module");
            return self.fail_flow(Rule::UnknownHandle, at, message);
        }
        let leaves = types.leaf_count(ty);
        if leaves > MAX_LEAVES {
            let name = self.show(ty);
            let message = format_args!(
                "a value of `{name}` consists of {leaves} scalars, the limit is {MAX_LEAVES}; keep it in memory"
            );
            self.fail(Rule::AggregateSize, at, message);
        }
        if ty.is_aggregate() && self.options.border > Dialect::Front {
            let name = self.show(ty);
            let message = format_args!("a value of `{name}` must be flattened before this border");
            self.fail(Rule::Dialect, at, message);
        }
    }
}

/// A number of things, in words.
pub(super) fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
