//! Calls and returns.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Flow, Machine, Stop};
use crate::datum::Datum;
use crate::entity::FuncId;
use crate::instruction::Payload;
use crate::interpret::code::{Code, Step};
use crate::interpret::eval::Datums;
use crate::interpret::host::{HostCall, HostError};
use crate::interpret::libc::Args;
use crate::interpret::program::Definition;
use crate::module::Returns;
use crate::op::Op;
use crate::trap::TrapCode;

type Done = Result<Flow, Stop>;

/// `call`.
pub(in crate::interpret) fn call<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let function = named(machine, code, step)?;
    let args = machine.operands_from(code, step, 0);
    machine.enter(function, args)?;
    Ok(Flow::Activation)
}

/// `try_call`: what returns takes the edge, and what throws finds it.
pub(in crate::interpret) fn try_call<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    call(machine, code, step)
}

/// `call_indirect`, `call_ptr` and `try_call_indirect`.
pub(in crate::interpret) fn call_indirect<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let function = referred(machine, code, step)?;
    let args = machine.operands_from(code, step, 1);
    machine.enter(function, args)?;
    Ok(Flow::Activation)
}

/// `call_foreign`, whose last operands are only kept alive.
pub(in crate::interpret) fn call_foreign<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let function = named(machine, code, step)?;
    let mut args = machine.operands_from(code, step, 0);
    if let Payload::ForeignCall { roots, .. } = step.data.payload {
        args.truncate(args.len().saturating_sub(roots as usize));
    }
    machine.enter(function, args)?;
    Ok(Flow::Activation)
}

/// `return_call`.
pub(in crate::interpret) fn return_call<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let function = named(machine, code, step)?;
    let args = machine.operands_from(code, step, 0);
    machine.replace(function, args)
}

/// `return_call_indirect`.
pub(in crate::interpret) fn return_call_indirect<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let function = referred(machine, code, step)?;
    let args = machine.operands_from(code, step, 1);
    machine.replace(function, args)
}

/// `return`.
pub(in crate::interpret) fn return_<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    if code.attributes.returns == Returns::Never {
        let detail = format!("@{} promises never to return", code.name);
        return Err(Stop::broken_promise(detail));
    }
    let results = machine.operands_from(code, step, 0);
    machine.pop();
    machine.deliver(results)?;
    Ok(Flow::Activation)
}

/// The function that the instruction names.
fn named<'m>(machine: &Machine<'m>, code: &Code<'m>, step: &Step<'m>) -> Result<usize, Stop> {
    let id = step.data.function().ok_or_else(|| Stop::Broken("a call names no function".into()))?;
    machine.function_of(code, id)
}

/// The function that the first operand refers to.
fn referred<'m>(machine: &Machine<'m>, code: &Code<'m>, step: &Step<'m>) -> Result<usize, Stop> {
    let address = machine.bits(code, step, 0) as u64;
    if address == 0 {
        return Err(TrapCode::NullFunction.into());
    }
    let function = machine.program.function_at(address).ok_or_else(|| {
        Stop::trap(TrapCode::InvalidAccess, format!("{address:#x} is the address of no function"))
    })?;
    let expected = step.data.ty.signature();
    if expected.is_some_and(|sig| machine.program.agrees(function, code.module, sig)) {
        return Ok(function);
    }
    let name = machine.program.functions[function].name;
    Err(Stop::broken_promise(format!("@{name} is of another signature than the call")))
}

impl<'m> Machine<'m> {
    /// Starts a call: makes an activation, or calls the host and delivers
    /// what it gives.
    pub(super) fn enter(&mut self, function: usize, args: Datums) -> Result<(), Stop> {
        self.check_interrupt()?;
        let Some(linked) = self.program.functions.get(function) else {
            return Err(Stop::Broken("a function is of another program".into()));
        };
        let call = match &linked.definition {
            Definition::Body => return self.push(function, args),
            Definition::Missing => {
                let detail = format!("nobody defines `@{}`", linked.name);
                return Err(Stop::trap(TrapCode::MissingFunction, detail));
            }
            Definition::Host(host) => {
                let host = host.clone();
                self.call_out(|call| host.call(call, &args))
            }
            Definition::Model(model) => {
                let model = *model;
                self.call_out(|call| model(call, &Args(&args)).map(|result| vec![result]))
            }
        };
        let mut results = Datums::from_vec(call?);
        let wanted = self.program.signature(function).results.len();
        if results.len() < wanted {
            let name = self.program.functions[function].name;
            let detail = format!("`@{name}` gave {} results of {wanted}", results.len());
            return Err(Stop::trap(TrapCode::HostError, detail));
        }
        results.truncate(wanted);
        self.deliver(results)
    }

    fn call_out(
        &mut self,
        call: impl FnOnce(&mut HostCall<'_, 'm>) -> Result<Vec<Datum>, HostError>,
    ) -> Result<Vec<Datum>, Stop> {
        let outer = self.pending.take();
        let result = catch_unwind(AssertUnwindSafe(|| call(&mut HostCall::new(self))));
        let pending = std::mem::replace(&mut self.pending, outer);
        if let Some(stop) = pending {
            return Err(stop);
        }
        match result {
            Ok(results) => results.map_err(Stop::from),
            Err(_) => Err(Stop::trap(TrapCode::HostError, "a function of the host panicked")),
        }
    }

    /// Runs a function of the program for the host.
    pub(in crate::interpret) fn call_back(
        &mut self,
        address: u64,
        args: &[Datum],
    ) -> Result<Datums, Stop> {
        if address == 0 {
            return Err(TrapCode::NullFunction.into());
        }
        let Some(function) = self.program.function_at(address) else {
            let detail = format!("{address:#x} is the address of no function");
            return Err(Stop::trap(TrapCode::InvalidAccess, detail));
        };
        self.run(function, args.into())
    }

    /// Calls a function in place of the present activation.
    pub(super) fn replace(&mut self, function: usize, args: Datums) -> Done {
        self.pop();
        self.enter(function, args)?;
        Ok(Flow::Activation)
    }

    /// Hands results to whoever made the call that is through.
    pub(super) fn deliver(&mut self, results: Datums) -> Result<(), Stop> {
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
        let flow = if step.data.op == Op::AtomicModify {
            self.finish_modify(&code, step, at, results)?
        } else {
            self.set_results(step.results, results);
            self.tell(&code, step);
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

    /// Calls the function with that number of the code's module.
    pub(super) fn enter_named(
        &mut self,
        code: &Code<'m>,
        id: FuncId,
        args: Datums,
    ) -> Result<(), Stop> {
        let function = self.function_of(code, id)?;
        self.enter(function, args)
    }
}
