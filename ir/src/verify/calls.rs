//! Calls, returns and exits: values against signatures.

use super::Rule;
use super::declarations::BOUND_KINDS;
use super::function::{Checker, counted};
use super::report::At;
use crate::entity::{Inst, SigId};
use crate::instruction::{InstData, Payload};
use crate::module::Returns;
use crate::op::{Op, Relation};
use crate::types::{Arity, Convention, Scalar, Signature, Type};

impl<'a> Checker<'a, '_> {
    pub(super) fn check_call(&mut self, inst: Inst, data: &InstData) {
        let Some(sig) = self.call_signature(data) else { return };
        let signature = self.module.types.sig(sig);
        self.check_call_kind(inst, data, signature);
        self.check_roots(inst, data);
        self.check_arguments(inst, data, signature);
        if data.op.info().relation == Relation::TailCallee {
            self.check_tail_call(inst, data, sig);
        }
    }

    fn call_signature(&self, data: &InstData) -> Option<SigId> {
        match data.function() {
            Some(function) => self.module.function(function).map(|function| function.sig),
            None => data.ty.signature(),
        }
    }

    fn check_call_kind(&mut self, inst: Inst, data: &InstData, signature: &Signature) {
        let callee = data.function().and_then(|id| self.module.function(id));
        if let Some(callee) = callee {
            let foreign = callee.linkage.is_foreign();
            let fits = match data.op {
                Op::CallForeign => foreign,
                // A throw may come out of a foreign function that calls back.
                Op::TryCall => true,
                _ => !foreign,
            };
            if !fits {
                let (name, op) = (&callee.name, data.op);
                let (is, wanted) = match foreign {
                    true => ("foreign", "`call_foreign` or `try_call`"),
                    false => ("not foreign", "`call`, `try_call` or `return_call`"),
                };
                let message = format_args!("@{name} is {is}: call it by {wanted}, not `{op}`");
                self.fail(Rule::CallKind, At::Inst(inst), message);
            } else if callee.attributes.returns == Returns::Twice && data.op == Op::TryCall {
                let message = format_args!(
                    "@{} returns twice: call it by `call_foreign`, which has no edge to unwind by",
                    callee.name
                );
                self.fail(Rule::CallKind, At::Inst(inst), message);
            } else if signature.arity == Arity::Variadic && data.op == Op::ReturnCall {
                let message = format_args!(
                    "@{} finds its further arguments in the frame of its caller, which \
                     `return_call` gives up",
                    callee.name
                );
                self.fail(Rule::CallKind, At::Inst(inst), message);
            }
        } else if !matches!(data.op, Op::CallPtr | Op::TryCallPtr)
            && signature.convention != Convention::Internal
        {
            let message = format_args!(
                "`{}` calls by the internal convention; call its address by `call_ptr` or `try_call_ptr`",
                data.op
            );
            self.fail(Rule::CallKind, At::Inst(inst), message);
        }
    }

    fn check_roots(&mut self, inst: Inst, data: &InstData) {
        let (roots, count) = (data.roots(), self.body.args(inst).len());
        if roots == 0 {
            return;
        }
        if roots > count {
            let message = format_args!("{roots} roots are more than the {count} operands");
            return self.fail(Rule::Roots, At::Inst(inst), message);
        }
        let callee = data.function().and_then(|id| self.module.function(id));
        if let Some(callee) = callee.filter(|callee| !callee.linkage.is_foreign()) {
            let message = format_args!("@{} is not foreign: its call takes no roots", callee.name);
            return self.fail(Rule::Roots, At::Inst(inst), message);
        }
        self.check_list(inst, count - roots, |_| Some(Type::REF), Rule::Roots);
    }

    fn check_arguments(&mut self, inst: Inst, data: &InstData, signature: &Signature) {
        let passed = self.passed_operands(data);
        let (given, wanted) = (passed.len(), signature.params.len());
        let variadic = signature.arity == Arity::Variadic;
        if given < wanted || given > wanted && !variadic {
            let least = if variadic { "at least " } else { "" };
            let message = format_args!(
                "the function takes {least}{}, not {given}",
                counted(wanted, "argument")
            );
            return self.fail(Rule::Arguments, At::Inst(inst), message);
        }
        let param = |i: usize| signature.params.get(i).map(|param| param.ty);
        self.check_list(inst, passed.start, param, Rule::Arguments);
        for i in passed.start + wanted..passed.end {
            let ty = self.operand_type(inst, i);
            if !is_promoted(ty) {
                let name = self.show(ty);
                let message = format_args!(
                    "`{name}` is none of the types that C passes behind the named arguments"
                );
                self.fail(Rule::VariadicArgument, At::Inst(inst), message);
            }
        }
    }

    fn check_tail_call(&mut self, inst: Inst, data: &InstData, sig: SigId) {
        if !self.gives_same_results(sig) {
            let message = format_args!("the function gives other results than this one");
            self.fail(Rule::TailCall, At::Inst(inst), message);
        }
        for i in self.passed_operands(data) {
            let ty = self.operand_type(inst, i);
            let bound = BOUND_KINDS.iter().filter(|&&kind| kind != Scalar::Callee);
            if bound.into_iter().any(|&kind| self.module.types.holds(ty, kind)) {
                let name = self.show(ty);
                let message = format_args!(
                    "a `{name}` is kept alive by this frame, which the tail call gives up"
                );
                self.fail(Rule::TailCall, At::Inst(inst), message);
            }
        }
    }

    pub(super) fn check_return(&mut self, inst: Inst) {
        let (given, wanted) = (self.body.args(inst).len(), self.signature.results.len());
        if given != wanted {
            let message =
                format_args!("the function gives {}, not {given}", counted(wanted, "result"));
            return self.fail(Rule::ReturnValues, At::Inst(inst), message);
        }
        let signature: &'a Signature = self.signature;
        let result = |i: usize| signature.results.get(i).map(|param| param.ty);
        self.check_list(inst, 0, result, Rule::ReturnValues);
    }

    pub(super) fn check_exit_values(&mut self, inst: Inst, data: &InstData) {
        let Payload::Exit(exit) = data.payload else { return };
        let types = self.body.exit(exit).map_or(&[][..], |exit| &exit.types);
        let fixed = data.op.info().operands.len();
        let (given, wanted) = (self.body.args(inst).len() - fixed, types.len());
        if given != wanted {
            let message =
                format_args!("{exit} takes {} along, not {given}", counted(wanted, "value"));
            return self.fail(Rule::ExitValues, At::Inst(inst), message);
        }
        self.check_list(inst, fixed, |i| types.get(i).copied(), Rule::ExitValues);
    }

    pub(super) fn check_modify(&mut self, inst: Inst, data: &InstData) {
        let callee = data.function().and_then(|id| self.module.function(id));
        let Some(callee) = callee else { return };
        let signature = self.module.types.sig(callee.sig);
        let fits = signature.convention == Convention::Internal
            && signature.param_types().eq([data.ty, data.ty])
            && signature.result_types().eq([data.ty]);
        if !fits {
            let (name, ty) = (&callee.name, self.show(data.ty));
            let message = format_args!("@{name} is no internal function `({ty}, {ty}) -> {ty}`");
            self.fail(Rule::ModifyFunction, At::Inst(inst), message);
        }
    }

    /// The suffix of `function_addr` is what the function is.
    pub(super) fn check_function_type(&mut self, inst: Inst, data: &InstData) {
        let callee = data.function().and_then(|id| self.module.function(id));
        let Some(callee) = callee else { return };
        if callee.attributes.returns == Returns::Twice {
            let message = format_args!(
                "@{} returns twice: it can be called by `call_foreign`, and has no address",
                callee.name
            );
            self.fail(Rule::CallKind, At::Inst(inst), message);
        }
        let wanted = Type::function(callee.sig);
        if data.ty != wanted {
            let (name, wanted) = (&callee.name, self.show(wanted));
            let message = format_args!("@{name} is `{wanted}`");
            self.fail(Rule::FunctionType, At::Inst(inst), message);
        }
    }
}

/// Whether C passes a value of that type behind the named arguments: its
/// promotions leave no narrower integers and floats.
pub(crate) fn is_promoted(ty: Type) -> bool {
    let is_whole = |scalar: Scalar| match scalar {
        Scalar::I32 | Scalar::I64 | Scalar::I128 => true,
        Scalar::F64 | Scalar::X86Fp80 | Scalar::F128 => true,
        scalar => scalar.is_address(),
    };
    match ty.lane() {
        Some(Scalar::I1) if ty.is_vector() => false,
        Some(lane) if ty.is_vector() => lane.bits() * ty.lanes() == 128 && lane != Scalar::I128,
        Some(scalar) => is_whole(scalar),
        None => ty.signature().is_some(),
    }
}
