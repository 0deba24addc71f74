//! Calls, and what goes on in another function.

use super::code::{FunctionWriter, Typed};
use super::types::{function_text, passed_text, passing_text, result_passing, result_text};
use crate::entity::{FuncId, Inst, Value};
use crate::trap::TrapCode;
use crate::types::{Arity, Passing, Scalar, Signature, Type};

/// A call without its place: all behind `call` or `invoke`.
struct Call {
    /// The type of what it gives.
    result: String,
    /// The types of the parts of that.
    parts: Vec<String>,
    text: String,
}

/// How many registers of either kind give scalars back on every platform.
const RESULT_REGISTERS: usize = 2;

/// Whether a value takes one register everywhere.
fn is_plain(ty: Type) -> bool {
    ty.signature().is_some()
        || ty.as_scalar().is_some_and(|scalar| {
            let is_narrow = scalar == Scalar::I1 || scalar.is_int() && scalar.bits() <= 64;
            is_narrow || scalar.is_address() || matches!(scalar, Scalar::F32 | Scalar::F64)
        })
}

/// Whether LLVM is sure to find a way for a tail call between functions of
/// both signatures: it demands that of a call that is marked so. What passes bytes
/// by value may keep its frame here, and does so there.
fn is_sure_tail(own: &Signature, callee: &Signature) -> bool {
    let types = || own.param_types().chain(own.result_types());
    let is_float = |ty: &Type| ty.lane().is_some_and(Scalar::is_float);
    let floats = own.result_types().filter(is_float).count();
    own == callee
        && own.by_value().is_empty()
        && types().all(is_plain)
        && floats <= RESULT_REGISTERS
        && own.results.len() - floats <= RESULT_REGISTERS
}

impl<'m> FunctionWriter<'_, 'm> {
    /// A value as it is passed by the convention of a signature.
    pub(super) fn passed(&mut self, signature: &Signature, value: Value) -> Typed {
        let own = self.typed(value);
        let ty = passed_text(self.types(), signature, self.body.value_type(value));
        match ty == own.ty {
            true => own,
            false => {
                let text = self.temporary(format_args!("bitcast {own} to {ty}"));
                Typed { ty, text }
            }
        }
    }

    /// The call of a function with arguments, of which there may be more than
    /// its signature names.
    fn call_of(&mut self, callee: &str, signature: &Signature, args: &[Value]) -> Call {
        let result = result_text(self.types(), signature);
        let spelled = match signature.arity {
            Arity::Fixed => result.clone(),
            Arity::Variadic => function_text(self.types(), signature),
        };
        let mut text = format!("{}{spelled} {callee}(", result_passing(signature));
        for (index, &arg) in args.iter().enumerate() {
            let passing = signature.params.get(index).map_or(Passing::Plain, |param| param.passing);
            let passing = passing_text(passing);
            let passed = self.passed(signature, arg);
            let comma = if index == 0 { "" } else { ", " };
            text.push_str(&format!("{comma}{} {passing}{}", passed.ty, passed.text));
        }
        text.push(')');
        let parts = signature.result_types().map(|ty| passed_text(self.types(), signature, ty));
        Call { result, parts: parts.collect(), text }
    }

    /// The function that an instruction calls, checked, and what it passes.
    fn callee(&mut self, inst: Inst) -> Option<(String, &'m Signature, &'m [Value])> {
        let (body, module) = (self.body, self.shared.module);
        let (data, args) = (body.inst(inst), body.args(inst));
        if let Some(id) = data.function() {
            let args = args.get(..args.len().saturating_sub(data.roots()))?;
            return Some((self.function_name(id), module.signature_of(id), args));
        }
        let (_, args) = args.split_first()?;
        let function = self.arg(inst, 0);
        let is_there = self.temporary(format_args!("icmp ne ptr {function}, null"));
        self.require(&is_there, TrapCode::NullFunction.number());
        Some((function, module.types.sig(data.ty.signature()?), args))
    }

    /// A call that goes on here, or at the handler around.
    pub(super) fn write_call(&mut self, inst: Inst) {
        let Some((callee, signature, args)) = self.callee(inst) else { return };
        let call = self.call_of(&callee, signature, args);
        let pad = self.regions.handler();
        self.make_call(inst, &call, pad.as_deref());
    }

    /// A call that goes on in a block of its own if a throw is to be caught at `pad`.
    fn make_call(&mut self, inst: Inst, call: &Call, pad: Option<&str>) {
        let on = pad.map(|_| self.new_label());
        let text = match (pad, &on) {
            (Some(pad), Some(on)) => {
                format!("invoke {} to label %{on} unwind label %{pad}", call.text)
            }
            _ => format!("call {}", call.text),
        };
        let results = self.body.results(inst).iter();
        let own: Vec<String> =
            results.map(|&result| self.type_text(self.body.value_type(result))).collect();
        let whole = match own.as_slice() {
            [] => {
                self.line(format_args!("{text}"));
                None
            }
            [own] if *own == call.result => {
                self.give(inst, format_args!("{text}"));
                None
            }
            _ => Some(self.temporary(format_args!("{text}"))),
        };
        if let Some(on) = on {
            self.start(on);
        }
        if let Some(whole) = whole {
            self.take_apart(inst, call, &own, &whole);
        }
    }

    /// The results of a call, in their own types, of what it gives.
    fn take_apart(&mut self, inst: Inst, call: &Call, own: &[String], whole: &str) {
        if let [own] = own {
            return self.give(inst, format_args!("bitcast {} {whole} to {own}", call.result));
        }
        for (index, own) in own.iter().enumerate() {
            let part = format!("extractvalue {} {whole}, {index}", call.result);
            match call.parts.get(index).filter(|passed| *passed != own) {
                None => self.give_nth(inst, index, format_args!("{part}")),
                Some(passed) => {
                    let part = self.temporary(format_args!("{part}"));
                    self.give_nth(inst, index, format_args!("bitcast {passed} {part} to {own}"));
                }
            }
        }
    }

    /// A call with an unwind edge of its own.
    pub(super) fn write_try_call(&mut self, inst: Inst) {
        let body = self.body;
        let [normal, unwind] = body.targets(inst) else { return };
        let Some((callee, signature, args)) = self.callee(inst) else { return };
        let call = self.call_of(&callee, signature, args);
        let pad = self.new_label();
        self.make_call(inst, &call, Some(&pad));
        self.go(normal.block, body.target_args(normal));
        self.write_aside(pad, |writer| {
            writer.write_catch();
            writer.go(unwind.block, body.target_args(unwind));
        });
    }

    /// `return_call` and `return_call_indirect`.
    pub(super) fn write_tail_call(&mut self, inst: Inst) {
        if let Some((callee, signature, args)) = self.callee(inst) {
            self.leave_by(&callee, signature, args);
        }
    }

    /// Goes on in a function, with its results as this one's.
    pub(super) fn go_over(&mut self, function: FuncId, args: &[Value]) {
        let signature = self.shared.module.signature_of(function);
        let callee = self.function_name(function);
        self.leave_by(&callee, signature, args);
    }

    fn leave_by(&mut self, callee: &str, signature: &Signature, args: &[Value]) {
        let how = if is_sure_tail(self.signature, signature) { "musttail" } else { "tail" };
        let call = self.call_of(callee, signature, args);
        if signature.results.is_empty() {
            self.line(format_args!("{how} call {}", call.text));
            return self.line(format_args!("ret void"));
        }
        let result = self.temporary(format_args!("{how} call {}", call.text));
        self.line(format_args!("ret {} {result}", call.result));
    }
}
