//! Calls that return twice: C's `setjmp`, and `longjmp` back to it.

use super::{Machine, Stop};
use crate::datum::Datum;
use crate::interpret::eval::Datums;
use crate::module::Returns;
use crate::trap::TrapCode;

/// Words by which a program keeps a place to return to.
pub(in crate::interpret) const PLACE_WORDS: usize = 3;

/// A return to a call that has returned.
#[derive(Clone, Copy, Debug)]
pub(in crate::interpret) struct Jump {
    /// What [`Machine::place`] gave at the first return, as the program kept it.
    pub(in crate::interpret) place: [u64; PLACE_WORDS],
    /// What the call returns this time.
    pub(in crate::interpret) value: i32,
}

impl Machine<'_> {
    /// The call that the innermost activation is making: the activation, by its
    /// depth and its number, and the instruction. The regions around it are kept, as
    /// a return to it finds them, and may have been left by then.
    pub(in crate::interpret) fn place(&mut self) -> [u64; PLACE_WORDS] {
        let depth = self.activations.len() as u64;
        let Some(top) = self.activations.last_mut() else { return [0; PLACE_WORDS] };
        let around = self.regions.get(top.regions..).unwrap_or_default().to_vec();
        top.places.insert(top.at, around);
        [depth, top.serial, top.at as u64]
    }

    /// Returns from a call once more. An `Err` of the same jump says that the
    /// call belongs to an outer run, which the host stands before.
    pub(super) fn land(&mut self, jump: Jump) -> Result<(), Stop> {
        let Some((depth, at)) = self.live_place(&jump) else {
            let detail = "`longjmp` leads to no call of `setjmp` whose function still runs";
            return Err(Stop::trap(TrapCode::HostError, detail));
        };
        if depth <= self.floor {
            return Err(Stop::Jump(jump));
        }
        while self.activations.len() > depth {
            self.pop();
        }
        let top = self.top()?;
        top.at = at;
        let (outer, around) = (top.regions, top.places.get(&at).cloned().unwrap_or_default());
        self.regions.truncate(outer);
        self.regions.extend(around);
        self.deliver(Datums::from_elem(Datum::from(jump.value), 1))
    }

    /// Depth and instruction of a place, if all of that is there: what the program kept it in
    /// may have been written over.
    fn live_place(&self, jump: &Jump) -> Option<(usize, usize)> {
        let [depth, serial, at] = jump.place;
        let (depth, at) = (usize::try_from(depth).ok()?, usize::try_from(at).ok()?);
        let activation = self.activations.get(depth.checked_sub(1)?)?;
        let step = activation.code.steps.get(at)?;
        let module = self.program.modules[activation.code.module].module;
        let callee = module.function(step.data.function()?)?;
        let is_live = activation.serial == serial
            && callee.attributes.returns == Returns::Twice
            && activation.places.contains_key(&at);
        is_live.then_some((depth, at))
    }
}
