//! Whether safe code can load a module.

use super::report::{At, Place, Report};
use super::{Options, Rule, VerifyErrors};
use crate::attribute::LoopFlags;
use crate::body::{Body, Initial, SlotData};
use crate::entity::FuncId;
use crate::instruction::{InstData, Payload};
use crate::module::{DataObject, Function, MemoryEffects, Module, Returns, Symbol};
use crate::op::Safety;
use crate::text::BodyPrinter;

/// Whether nothing that a verified `module` does can break what Rust trusts:
/// it has no op that trusts an address or a promise, names nothing foreign
/// and makes no promise.
///
/// # Errors
/// Everything that makes the module raw, so that only an `unsafe` load takes it.
pub fn require_safe(module: &Module) -> Result<(), VerifyErrors> {
    let mut report = Report::new(module, Options::default().max_errors);
    check_data(module, &mut report);
    for (id, function) in module.functions() {
        check_function(module, id, function, &mut report);
    }
    report.finish().map(drop)
}

/// The same of the data and the declarations of a module, whatever its functions do.
///
/// # Errors
/// As [`require_safe`].
pub fn require_safe_declarations(module: &Module) -> Result<(), VerifyErrors> {
    let mut report = Report::new(module, Options::default().max_errors);
    check_data(module, &mut report);
    for (id, function) in module.functions() {
        check_declaration(id, function, &mut report);
    }
    report.finish().map(drop)
}

/// The same of what one function of a module does.
///
/// # Errors
/// As [`require_safe`].
pub fn require_safe_function(module: &Module, id: FuncId) -> Result<(), VerifyErrors> {
    let mut report = Report::new(module, Options::default().max_errors);
    if let Some(function) = module.function(id) {
        check_function(module, id, function, &mut report);
    }
    report.finish().map(drop)
}

/// What is raw of a declaration.
pub(super) fn of_declaration(function: &Function) -> Safety {
    let attributes = &function.attributes;
    let promises = attributes.memory != MemoryEffects::Any || attributes.returns != Returns::Maybe;
    raw_if(function.linkage.is_foreign() || promises)
}

/// The same of a data object.
pub(super) fn of_data(object: &DataObject) -> Safety {
    raw_if(object.linkage.is_foreign())
}

/// The same of a slot.
pub(super) fn of_slot(slot: &SlotData) -> Safety {
    raw_if(slot.initial == Initial::Uninit)
}

/// The same of an instruction.
#[inline]
pub(super) fn of_inst(inst: &InstData) -> Safety {
    match inst.payload {
        Payload::LoopMark { flags, .. } if flags.contains(LoopFlags::IVDEP) => Safety::Raw,
        _ => inst.op.info().safety,
    }
}

fn raw_if(is_raw: bool) -> Safety {
    if is_raw { Safety::Raw } else { Safety::Safe }
}

fn check_data(module: &Module, report: &mut Report<'_>) {
    for (id, _) in module.data_objects().filter(|(_, object)| of_data(object) == Safety::Raw) {
        let place = Place::Symbol(Symbol::Data(id));
        report.push(Rule::RawSymbol, place, format_args!("the data object is foreign"));
    }
}

fn check_function<'a>(
    module: &'a Module,
    id: FuncId,
    function: &'a Function,
    report: &mut Report<'a>,
) {
    check_declaration(id, function, report);
    if let Some(body) = &function.body {
        check_body(module, id, body, report);
    }
}

fn check_declaration(id: FuncId, function: &Function, report: &mut Report<'_>) {
    if of_declaration(function) == Safety::Safe {
        return;
    }
    let place = Place::Symbol(Symbol::Function(id));
    if function.linkage.is_foreign() {
        report.push(Rule::RawSymbol, place, format_args!("the function is foreign"));
    }
    if function.attributes.memory != MemoryEffects::Any {
        report.push(Rule::RawPromise, place, format_args!("`memory` is a promise"));
    }
    if function.attributes.returns != Returns::Maybe {
        report.push(Rule::RawPromise, place, format_args!("`returns` is a promise"));
    }
}

fn check_body(module: &Module, id: FuncId, body: &Body, report: &mut Report<'_>) {
    let printer = BodyPrinter { module, body, signature: Some(module.signature_of(id)) };
    for (slot, _) in body.slots().filter(|(_, data)| of_slot(data) == Safety::Raw) {
        let place = Place::Body(id, printer, At::Slot(slot));
        report.push(Rule::RawPromise, place, format_args!("`uninit` of {slot} is a promise"));
    }
    for block in body.layout.blocks() {
        let insts = body.layout.insts(block).filter(|&inst| body.contains_inst(inst));
        for inst in insts.filter(|&inst| of_inst(body.inst(inst)) == Safety::Raw) {
            let place = Place::Body(id, printer, At::Inst(inst));
            match body.inst(inst).payload {
                Payload::LoopMark { .. } => {
                    report.push(Rule::RawPromise, place, format_args!("`ivdep` is a promise"));
                }
                _ => {
                    let op = body.inst(inst).op;
                    let message = format_args!("`{op}` trusts what it is given");
                    report.push(Rule::RawOp, place, message);
                }
            }
        }
    }
}
