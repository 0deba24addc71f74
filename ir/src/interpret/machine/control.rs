//! Jumps, and ops that do little.

use super::{Flow, Machine, Site, Stop};
use crate::instruction::Payload;

type Done = Result<Flow, Stop>;

/// Ops that do nothing here: hints, marks, and what orders other threads.
pub(in crate::interpret) fn nothing<'m>(_: &mut Machine<'m>, _: Site<'_, 'm>) -> Done {
    Ok(Flow::Next)
}

/// `jump`.
pub(in crate::interpret) fn jump<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    go(machine, site, 0)
}

/// `branch`.
pub(in crate::interpret) fn branch<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let taken = if machine.holds(site) { 0 } else { 1 };
    go(machine, site, taken)
}

/// `switch`.
pub(in crate::interpret) fn switch<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let table = match site.step.data.payload {
        Payload::Switch(table) => site.code.body.switch(table),
        _ => None,
    };
    let cases = &table.ok_or_else(|| Stop::Broken("`switch` has no cases".into()))?.cases;
    let value = machine.bits(site, 0);
    let found = cases.iter().position(|&case| case == value);
    go(machine, site, found.unwrap_or(cases.len()))
}

fn go<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>, taken: usize) -> Done {
    machine.check_interrupt()?;
    let edge = Machine::edge(site, taken)?;
    Ok(machine.take_edge(site.code, edge))
}

/// `poll`.
pub(in crate::interpret) fn poll<'m>(machine: &mut Machine<'m>, _: Site<'_, 'm>) -> Done {
    machine.check_interrupt()?;
    Ok(Flow::Next)
}

/// `assume`.
pub(in crate::interpret) fn assume<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    if machine.holds(site) {
        return Ok(Flow::Next);
    }
    Err(Stop::broken_promise("what `assume` says is false"))
}

/// `opaque`.
pub(in crate::interpret) fn opaque<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let value = machine.operand(site, 0).clone();
    machine.give(site, value)
}

/// `cpu_has` and `have_fma`: no processor, no feature.
pub(in crate::interpret) fn no_feature<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    machine.give(site, false)
}
