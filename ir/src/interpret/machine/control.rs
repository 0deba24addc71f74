//! Jumps, and ops that do little.

use super::{Flow, Machine, Stop};
use crate::instruction::Payload;
use crate::interpret::code::{Code, Step};

type Done = Result<Flow, Stop>;

/// Ops that do nothing here: hints, marks, and what orders other threads.
pub(in crate::interpret) fn nothing<'m>(_: &mut Machine<'m>, _: &Code<'m>, _: &Step<'m>) -> Done {
    Ok(Flow::Next)
}

/// `jump`.
pub(in crate::interpret) fn jump<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    go(machine, code, step, 0)
}

/// `branch`.
pub(in crate::interpret) fn branch<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let taken = if machine.bits(code, step, 0) & 1 == 1 { 0 } else { 1 };
    go(machine, code, step, taken)
}

/// `switch`.
pub(in crate::interpret) fn switch<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let table = match step.data.payload {
        Payload::Switch(table) => code.body.switch(table),
        _ => None,
    };
    let cases = &table.ok_or_else(|| Stop::Broken("`switch` has no cases".into()))?.cases;
    let value = machine.bits(code, step, 0);
    let found = cases.iter().position(|&case| case == value);
    go(machine, code, step, found.unwrap_or(cases.len()))
}

fn go<'m>(machine: &mut Machine<'m>, code: &Code<'m>, step: &Step<'m>, taken: usize) -> Done {
    machine.check_interrupt()?;
    let edge = Machine::edge(code, step, taken)?;
    Ok(machine.take_edge(code, edge))
}

/// `poll`.
pub(in crate::interpret) fn poll<'m>(
    machine: &mut Machine<'m>,
    _: &Code<'m>,
    _: &Step<'m>,
) -> Done {
    machine.check_interrupt()?;
    Ok(Flow::Next)
}

/// `assume`.
pub(in crate::interpret) fn assume<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    if machine.bits(code, step, 0) & 1 == 1 {
        return Ok(Flow::Next);
    }
    Err(Stop::broken_promise("what `assume` says is false"))
}

/// `opaque`.
pub(in crate::interpret) fn opaque<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let value = machine.operand(code, step, 0).clone();
    machine.give(step, value)
}

/// `cpu_has` and `have_fma`: no processor, no feature.
pub(in crate::interpret) fn no_feature<'m>(
    machine: &mut Machine<'m>,
    _: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    machine.give(step, false)
}
