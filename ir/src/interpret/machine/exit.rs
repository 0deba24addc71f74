//! Traps and exits.

use super::{Flow, Machine, Site, Stop};
use crate::body::ExitKind;
use crate::instruction::Payload;
use crate::report::Trap;
use crate::trap::TrapCode;

type Done = Result<Flow, Stop>;

/// `trap`.
pub(in crate::interpret) fn trap<'m>(_: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    match site.step.data.payload {
        Payload::Trap(code) => Err(code.into()),
        _ => Err(Stop::Broken("`trap` has no code".into())),
    }
}

/// `unreachable`.
pub(in crate::interpret) fn unreachable<'m>(_: &mut Machine<'m>, _: Site<'_, 'm>) -> Done {
    Err(TrapCode::Unreachable.into())
}

/// `check`.
pub(in crate::interpret) fn check<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    if machine.holds(site) {
        return Ok(Flow::Next);
    }
    let exit = match site.step.data.payload {
        Payload::Exit(exit) => site.code.body.exit(exit),
        _ => None,
    };
    let exit = exit.ok_or_else(|| Stop::Broken("`check` has no exit".into()))?;
    let values = machine.operands_from(site, 1);
    match exit.kind {
        ExitKind::Trap(trap) => Err(Stop::with_values(trap, values)),
        ExitKind::Side(number) => {
            let mut trap = Trap::new(TrapCode::SideExit);
            trap.values = values.into_vec();
            trap.side_exit = Some(number);
            Err(Stop::Trap(Box::new(trap)))
        }
        ExitKind::Deopt(id) => {
            let function = machine.function_of(site.code, id)?;
            let passed = machine.passed_by_value(site.code, id);
            machine.replace(function, values, &passed)
        }
    }
}
