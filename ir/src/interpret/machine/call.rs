//! Calls and returns.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Flow, Machine, Site, Stop};
use crate::constant::mask;
use crate::datum::Datum;
use crate::entity::FuncId;
use crate::interpret::code::Code;
use crate::interpret::eval::Datums;
use crate::interpret::host::{HostCall, HostError};
use crate::interpret::libc::Args;
use crate::interpret::program::Definition;
use crate::module::Returns;
use crate::op::Op;
use crate::trap::TrapCode;
use crate::types::ByValue;

type Done = Result<Flow, Stop>;

/// `call`, `call_foreign` and `try_call`, whose roots are only kept alive. What
/// returns takes the edge, if there is one, and what throws finds it.
pub(in crate::interpret) fn call<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let (function, mut args) = machine.named(site)?;
    args.truncate(args.len().saturating_sub(site.step.data.roots()));
    machine.enter_from(site, function, args, 0)
}

/// `call_indirect`, `call_ptr`, and both with an edge.
pub(in crate::interpret) fn call_indirect<'m>(
    machine: &mut Machine<'m>,
    site: Site<'_, 'm>,
) -> Done {
    let (function, args) = machine.referred(site)?;
    machine.enter_from(site, function, args, 1)
}

/// `return_call`.
pub(in crate::interpret) fn return_call<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let (function, args) = machine.named(site)?;
    let called = site.step.data.function();
    let passed = called.map_or_else(Vec::new, |id| machine.passed_by_value(site.code, id));
    machine.replace(function, args, &passed)
}

/// `return_call_indirect`.
pub(in crate::interpret) fn return_call_indirect<'m>(
    machine: &mut Machine<'m>,
    site: Site<'_, 'm>,
) -> Done {
    let (function, args) = machine.referred(site)?;
    let called = site.step.data.ty.signature();
    let types = machine.program.types(site.code.module);
    let passed = called.map_or_else(Vec::new, |sig| types.sig(sig).by_value());
    machine.replace(function, args, &passed)
}

/// `return`.
pub(in crate::interpret) fn return_<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    if site.code.attributes.returns == Returns::Never {
        let detail = format!("@{} promises never to return", site.code.name);
        return Err(Stop::broken_promise(detail));
    }
    let results = machine.operands_from(site, 0);
    machine.pop();
    machine.deliver(results)?;
    Ok(Flow::Activation)
}

impl<'m> Machine<'m> {
    /// The function that a call names, and its arguments.
    fn named(&self, site: Site<'_, 'm>) -> Result<(usize, Datums), Stop> {
        let id = site.step.data.function();
        let id = id.ok_or_else(|| Stop::Broken("a call names no function".into()))?;
        Ok((self.function_of(site.code, id)?, self.operands_from(site, 0)))
    }

    /// The function that the first operand of a call refers to, and its arguments.
    fn referred(&self, site: Site<'_, 'm>) -> Result<(usize, Datums), Stop> {
        let function = self.function_at(self.bits(site, 0) as u64)?;
        let expected = site.step.data.ty.signature();
        let args = self.operands_from(site, 1);
        if expected.is_some_and(|sig| self.program.agrees(function, site.code.module, sig)) {
            return Ok((function, args));
        }
        let name = self.program.functions[function].name;
        let adapted = self.adapt(site, function, args);
        let adapted = adapted.ok_or_else(|| {
            Stop::broken_promise(format!("@{name} is of another signature than the call"))
        })?;
        Ok((function, adapted))
    }

    fn function_at(&self, address: u64) -> Result<usize, Stop> {
        if address == 0 {
            return Err(TrapCode::NullFunction.into());
        }
        self.program.function_at(address).ok_or_else(|| {
            let detail = format!("{address:#x} is the address of no function");
            Stop::trap(TrapCode::InvalidAccess, detail)
        })
    }

    /// Starts a call: makes an activation, or calls the host and delivers
    /// what it gives.
    pub(super) fn enter(&mut self, function: usize, args: Datums) -> Done {
        self.check_interrupt()?;
        let Some(linked) = self.program.functions.get(function) else {
            return Err(Stop::Broken("a function is of another program".into()));
        };
        let results = match &linked.definition {
            Definition::Body => {
                self.push(function, args)?;
                return Ok(Flow::Activation);
            }
            Definition::VariadicBody => {
                self.push_variadic(function, args)?;
                return Ok(Flow::Activation);
            }
            Definition::Missing if linked.is_absent() => return Err(TrapCode::NullFunction.into()),
            Definition::Missing => {
                let detail = format!("nobody defines `@{}`", linked.name);
                return Err(Stop::trap(TrapCode::MissingFunction, detail));
            }
            Definition::Host(host) => {
                let host = host.clone();
                let results = self.call_out(|call| host.call(call, &args))?;
                self.check_given(function, results)?
            }
            Definition::Model(model) => {
                let model = *model;
                let result = self.call_out(|call| model(call, &Args(&args)))?;
                self.cut_given(function, &result)?
            }
        };
        self.deliver(results)?;
        Ok(Flow::Activation)
    }

    fn call_out<T>(
        &mut self,
        call: impl FnOnce(&mut HostCall<'_, 'm>) -> Result<T, HostError>,
    ) -> Result<T, Stop> {
        // Nothing is pending here: while something is, no call back begins,
        // and so no further call out.
        let result = catch_unwind(AssertUnwindSafe(|| call(&mut HostCall::new(self))));
        if let Some(stop) = self.pending.take() {
            return Err(stop);
        }
        match result {
            Ok(results) => results.map_err(Stop::from),
            Err(_) => Err(Stop::trap(TrapCode::HostError, "a function of the host panicked")),
        }
    }

    /// What a function of the host gave, if that is what it is declared to
    /// give; it may give more.
    fn check_given(&self, function: usize, mut results: Vec<Datum>) -> Result<Datums, Stop> {
        let linked = &self.program.functions[function];
        let (types, signature) =
            (self.program.types(linked.module), self.program.signature(function));
        let wanted = signature.results.len();
        results.truncate(wanted);
        let fit = signature.result_types().zip(&results).all(|(ty, given)| given.fits(types, ty));
        if fit && results.len() == wanted {
            return Ok(Datums::from_vec(results));
        }
        let detail = format!("`@{}` gave {results:?}, which is not what it returns", linked.name);
        Err(Stop::trap(TrapCode::HostError, detail))
    }

    /// What a model gave, as much of it as the program's declaration of the C
    /// function has room for.
    fn cut_given(&self, function: usize, result: &Datum) -> Result<Datums, Stop> {
        let types = self.program.signature(function).result_types();
        let cut = types.map(|ty| match ty.as_scalar() {
            Some(scalar) => Ok(Datum::Scalar(result.bits() & mask(scalar.bits()))),
            None => {
                let name = self.program.functions[function].name;
                let detail = format!("`@{name}` of C gives no such type as it is declared with");
                Err(Stop::trap(TrapCode::HostError, detail))
            }
        });
        cut.collect()
    }

    /// Runs a function of the program for the host.
    pub(in crate::interpret) fn call_back(
        &mut self,
        address: u64,
        args: &[Datum],
    ) -> Result<Datums, Stop> {
        let function = self.function_at(address)?;
        if let Some(reason) = self.program.misfit(function, args) {
            let name = self.program.functions[function].name;
            let detail = format!("`@{name}` cannot be called back with these arguments: {reason}");
            return Err(Stop::trap(TrapCode::HostError, detail));
        }
        self.run(function, args.into())
    }

    /// What a module says that a function of it is passed by value.
    pub(super) fn passed_by_value(&self, code: &Code<'m>, id: FuncId) -> Vec<ByValue> {
        self.program.modules[code.module].module.signature_of(id).by_value()
    }

    /// Calls a function in place of the present activation. What is passed by value may
    /// stand among the slots of that: it stays then until the call is through.
    pub(super) fn replace(&mut self, function: usize, args: Datums, passed: &[ByValue]) -> Done {
        if passed.is_empty() {
            self.pop();
        } else {
            // What is thrown goes to whoever called it.
            let outer = self.top()?.regions;
            self.regions.truncate(outer);
        }
        self.enter(function, args)
    }

    /// Ends the activations that wait for nothing but to hand on what they called in
    /// their place.
    fn pop_replaced(&mut self) {
        while self.activations.len() > self.floor {
            let top = self.activations.last();
            let step = top.and_then(|top| top.code.steps.get(top.at));
            if !step.is_some_and(|step| leaves(step.data.op)) {
                return;
            }
            self.pop();
        }
    }

    /// Hands results to whoever made the call that is through.
    pub(super) fn deliver(&mut self, results: Datums) -> Result<(), Stop> {
        self.pop_replaced();
        if self.activations.len() <= self.floor {
            self.returned = results;
            return Ok(());
        }
        let (code, at) = {
            let top = self.top()?;
            (top.code.clone(), top.at)
        };
        let Some(step) = code.steps.get(at) else {
            return Err(Stop::Broken("a call is not there".into()));
        };
        let site = Site { code: &code, step };
        let flow = if step.data.op == Op::AtomicModify {
            self.finish_modify(site, at, results)?
        } else {
            self.set_results(step.results, results);
            self.tell(site);
            match code.edges(step).first() {
                Some(normal) => self.take_edge(&code, normal),
                None => Flow::Next,
            }
        };
        match flow {
            Flow::Next => self.top()?.at = at + 1,
            Flow::At(next) => self.top()?.at = next as usize,
            Flow::Activation => {}
        }
        Ok(())
    }
}

/// Whether what such an op calls stands in for the activation that it is in.
fn leaves(op: Op) -> bool {
    matches!(op, Op::ReturnCall | Op::ReturnCallIndirect | Op::Check)
}
