//! Calls that return twice: C's `setjmp`, and `longjmp` back to it.

use super::{Machine, Stop};
use crate::datum::Datum;
use crate::interpret::eval::Datums;
use crate::module::Returns;
use crate::trap::TrapCode;

/// Words by which a program keeps a place to return to.
pub(in crate::interpret) const PLACE_WORDS: usize = 4;

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
    /// depth and its number, the instruction, and the regions around it.
    pub(in crate::interpret) fn place(&self) -> [u64; PLACE_WORDS] {
        let Some(top) = self.activations.last() else { return [0; PLACE_WORDS] };
        let depth = self.activations.len() as u64;
        let regions = self.regions.len() - top.regions;
        [depth, top.serial, top.at as u64, regions as u64]
    }

    /// Returns from a call once more. An `Err` of the same jump says that the
    /// call belongs to an outer run, which the host stands before.
    pub(super) fn land(&mut self, jump: Jump) -> Result<(), Stop> {
        let Some((depth, at, regions)) = self.live_place(&jump) else {
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
        let kept = top.regions + regions;
        self.regions.truncate(kept);
        self.deliver(Datums::from_elem(Datum::from(jump.value), 1))
    }

    /// Depth, instruction and regions of a place, if all of that is there: what
    /// the program kept it in may have been written over.
    fn live_place(&self, jump: &Jump) -> Option<(usize, usize, usize)> {
        let [depth, serial, at, regions] = jump.place;
        let depth = usize::try_from(depth).ok()?;
        let (at, regions) = (usize::try_from(at).ok()?, usize::try_from(regions).ok()?);
        let activation = self.activations.get(depth.checked_sub(1)?)?;
        let end = self.activations.get(depth).map_or(self.regions.len(), |inner| inner.regions);
        let step = activation.code.steps.get(at)?;
        let module = self.program.modules[activation.code.module].module;
        let callee = module.function(step.data.function()?)?;
        let is_live = activation.serial == serial
            && callee.attributes.returns == Returns::Twice
            && regions <= end - activation.regions;
        is_live.then_some((depth, at, regions))
    }
}
