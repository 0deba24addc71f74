//! Handler regions and throws.

use super::{Flow, Machine, Region, Site, Stop};
use crate::instruction::Payload;
use crate::module::Returns;
use crate::op::Op;

type Done = Result<Flow, Stop>;

/// `enter`.
pub(in crate::interpret) fn enter<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let handler = Machine::edge(site, 1)?;
    let values = machine.edge_values(site.code, handler);
    let (enter, outer) = (machine.top()?.at, machine.top()?.regions);
    // Verified code enters no region twice at a time.
    if machine.regions.len() - outer >= site.code.steps.len() {
        return Err(Stop::Broken("regions are entered without being left".into()));
    }
    machine.regions.push(Region { enter, values });
    let body = Machine::edge(site, 0)?;
    Ok(machine.take_edge(site.code, body))
}

/// `leave`.
pub(in crate::interpret) fn leave<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let Payload::Count(count) = site.step.data.payload else {
        return Err(Stop::Broken("`leave` has no count".into()));
    };
    let own = machine.regions.len() - machine.top()?.regions;
    if count as usize > own {
        return Err(Stop::Broken(format!("`leave` leaves {count} regions of {own}").into()));
    }
    machine.regions.truncate(machine.regions.len() - count as usize);
    Ok(Flow::Next)
}

/// `throw`.
pub(in crate::interpret) fn throw<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    Err(Stop::Throw(machine.bits(site, 0) as u64))
}

/// `current_exception`.
pub(in crate::interpret) fn current_exception<'m>(
    machine: &mut Machine<'m>,
    site: Site<'_, 'm>,
) -> Done {
    machine.guard_state(machine.activations.last(), "asks for the last exception")?;
    let exception = machine.exception;
    machine.give(site, exception)
}

/// Where a throw goes on.
#[derive(Clone, Copy)]
enum Handler {
    /// At the unwind edge of the call that the activation is making.
    Call,
    /// At the handler of the activation's innermost region.
    Region,
}

impl Machine<'_> {
    /// Goes on at the innermost handler. An `Err` of the same throw says that
    /// it belongs to an outer run, which the host stands before.
    pub(super) fn unwind(&mut self, exception: u64) -> Result<(), Stop> {
        self.exception = exception;
        let found = (0..self.activations.len())
            .rev()
            .find_map(|index| self.handler_of(index).map(|handler| (index, handler)));
        let Some((index, handler)) = found else {
            return Err(Stop::uncaught(exception));
        };
        self.check_throw(index)?;
        self.guard_state(self.activations.get(index), "an exception is handled")?;
        while self.activations.len() > (index + 1).max(self.floor) {
            self.pop();
        }
        if index < self.floor {
            return Err(Stop::Throw(exception));
        }
        match handler {
            Handler::Call => self.take_unwind_edge(),
            Handler::Region => self.take_handler(),
        }
    }

    fn handler_of(&self, index: usize) -> Option<Handler> {
        let activation = &self.activations[index];
        let op = activation.code.steps.get(activation.at).map(|step| step.data.op);
        if op.is_some_and(Op::is_try_call) {
            return Some(Handler::Call);
        }
        let end = self.activations.get(index + 1).map_or(self.regions.len(), |inner| inner.regions);
        (end > activation.regions).then_some(Handler::Region)
    }

    /// A throw out of a function that promised to return breaks the promise.
    fn check_throw(&self, handler: usize) -> Result<(), Stop> {
        let left = &self.activations[handler + 1..];
        match left.iter().find(|left| left.code.attributes.returns == Returns::Always) {
            Some(left) => {
                let detail = format!("@{} promises to return always, and throws", left.code.name);
                Err(Stop::broken_promise(detail))
            }
            None => Ok(()),
        }
    }

    fn take_unwind_edge(&mut self) -> Result<(), Stop> {
        let (code, at) = {
            let top = self.top()?;
            (top.code.clone(), top.at)
        };
        let edge = Machine::edge(Site { code: &code, step: &code.steps[at] }, 1)?;
        if let Flow::At(next) = self.take_edge(&code, edge) {
            self.top()?.at = next as usize;
        }
        Ok(())
    }

    fn take_handler(&mut self) -> Result<(), Stop> {
        let code = self.top()?.code.clone();
        let missing = || Stop::Broken("a handler is not there".into());
        let region = self.regions.pop().ok_or_else(missing)?;
        let step = code.steps.get(region.enter).ok_or_else(missing)?;
        let edge = Machine::edge(Site { code: &code, step }, 1)?;
        for (&param, value) in edge.params.iter().zip(region.values) {
            self.set(param, value);
        }
        self.top()?.at = edge.to as usize;
        Ok(())
    }
}
