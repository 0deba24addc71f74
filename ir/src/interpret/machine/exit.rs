//! Traps and exits.

use super::{Flow, Machine, Stop};
use crate::body::ExitKind;
use crate::instruction::Payload;
use crate::interpret::code::{Code, Step};
use crate::report::Trap;
use crate::trap::TrapCode;

type Done = Result<Flow, Stop>;

/// `trap`.
pub(in crate::interpret) fn trap<'m>(_: &mut Machine<'m>, _: &Code<'m>, step: &Step<'m>) -> Done {
    match step.data.payload {
        Payload::Trap(code) => Err(code.into()),
        _ => Err(Stop::Broken("`trap` has no code".into())),
    }
}

/// `unreachable`.
pub(in crate::interpret) fn unreachable<'m>(
    _: &mut Machine<'m>,
    _: &Code<'m>,
    _: &Step<'m>,
) -> Done {
    Err(TrapCode::Unreachable.into())
}

/// `check`.
pub(in crate::interpret) fn check<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    if machine.bits(code, step, 0) & 1 == 1 {
        return Ok(Flow::Next);
    }
    let exit = match step.data.payload {
        Payload::Exit(exit) => code.body.exit(exit),
        _ => None,
    };
    let exit = exit.ok_or_else(|| Stop::Broken("`check` has no exit".into()))?;
    let values = machine.operands_from(code, step, 1);
    match exit.kind {
        ExitKind::Trap(trap) => Err(Stop::with_values(trap, values)),
        ExitKind::Side(number) => {
            let mut trap = Trap::new(TrapCode::SideExit);
            trap.values = values.into_vec();
            trap.side_exit = Some(number);
            Err(Stop::Trap(Box::new(trap)))
        }
        ExitKind::Deopt(function) => {
            let function = machine.function_of(code, function)?;
            machine.replace(function, values)
        }
    }
}
