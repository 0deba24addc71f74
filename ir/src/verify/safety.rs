//! Whether safe code can load a module.

use super::report::{At, Place, Report};
use super::{Options, Rule, VerifyErrors};
use crate::attribute::LoopFlags;
use crate::body::{Body, Initial};
use crate::entity::FuncId;
use crate::instruction::Payload;
use crate::module::{Function, MemoryEffects, Module, Returns, Symbol};
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
    report.finish()
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
    report.finish()
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
    report.finish()
}

fn check_data(module: &Module, report: &mut Report<'_>) {
    for (id, object) in module.data_objects() {
        if object.linkage.is_foreign() {
            let place = Place::Symbol(Symbol::Data(id));
            report.push(Rule::RawSymbol, place, format_args!("the data object is foreign"));
        }
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
    for (slot, _) in body.slots().filter(|(_, data)| data.initial == Initial::Uninit) {
        let place = Place::Body(id, printer, At::Slot(slot));
        report.push(Rule::RawPromise, place, format_args!("`uninit` of {slot} is a promise"));
    }
    for block in body.layout.blocks() {
        for inst in body.layout.insts(block).filter(|&inst| body.contains_inst(inst)) {
            let place = Place::Body(id, printer, At::Inst(inst));
            let data = body.inst(inst);
            if data.op.info().safety == Safety::Raw {
                let message = format_args!("`{}` trusts what it is given", data.op);
                report.push(Rule::RawOp, place, message);
            }
            if let Payload::LoopMark { flags, .. } = data.payload
                && flags.contains(LoopFlags::IVDEP)
            {
                report.push(Rule::RawPromise, place, format_args!("`ivdep` is a promise"));
            }
        }
    }
}
