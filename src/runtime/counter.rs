//! Code that counts how often it runs, and what has been asked for because of that.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use brolga_ir::entity::Block;
use brolga_lifecycle::tiers::Tier;

use crate::memory::Slot;

/// So many activations are told from each other, by where their frames stand: calls one after
/// another look like one.
const FRAMES: usize = 8;

/// A loop is worth code of its own once one activation has used up the budget so often, or twice
/// while there is better code for those who come.
const ROUNDS: u32 = 64;

/// So often a loop may come round before it is asked for, while there is code for another loop
/// of the function, which may be the one around it.
const PATIENCE: u32 = 64;

/// The budget of a unit, and who has used it up.
#[derive(Debug)]
pub(crate) struct Counter {
    /// The number of the function.
    pub number: u32,
    /// How well the unit was compiled.
    pub tier: Tier,
    budget: Slot,
    progress: Mutex<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    /// How often better code was asked for in vain.
    failures: u32,
    /// Whether it is asked for.
    is_asked: bool,
    /// Activations that have used up the budget on their way back, the last ones, and how often.
    frames: [(usize, u32); FRAMES],
    next_frame: usize,
    continuations: Vec<Continuation>,
    /// How often a loop came round in vain.
    patience: u32,
    /// What was granted so far.
    granted: u64,
}

/// Better code that goes on in the middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Continuation {
    /// Where it goes on.
    pub block: Block,
    /// The number that it has as a function.
    pub number: u32,
    /// Whether somebody is to make it.
    pub is_awaited: bool,
}

/// What an activation wants that has used up the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    /// Better code for the function, which nobody has asked for.
    pub upgrade: Upgrade,
    /// Better code to go on in.
    pub going_on: GoingOn,
    /// How often better code was asked for in vain.
    pub failures: u32,
}

/// Whether those who come to the function come to this unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// They do.
    Current,
    /// There is other code, or another definition.
    Superseded,
}

/// Whether better code for a function is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Upgrade {
    /// It is, and whoever hears this sees to it.
    Wanted,
    /// It is not, or somebody sees to it already.
    No,
}

/// Whether an activation wants to go on in better code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GoingOn {
    /// It does not.
    No,
    /// It does, and there is none from that block on.
    New(Block),
    /// By this.
    Known(Continuation),
    /// By another, from whose block on it will: it looks at each way back.
    Elsewhere,
}

impl Counter {
    /// A unit that counts down from what the slot holds.
    pub(crate) fn new(number: u32, tier: Tier, budget: Slot) -> Counter {
        Counter { number, tier, budget, progress: Mutex::default() }
    }

    /// The address of the budget.
    pub(crate) fn address(&self) -> usize {
        self.budget.address()
    }

    /// Lets the unit run so often before it asks again.
    pub(crate) fn grant(&self, budget: u32) {
        // Of the word, code counts the lower half down, as a number with a sign.
        let budget = i32::try_from(budget).unwrap_or(i32::MAX);
        let left = self.budget.cell().swap(budget as u64, Ordering::Relaxed) as u32;
        self.change(|progress| {
            progress.granted =
                progress.granted.saturating_add_signed(i64::from(budget) - i64::from(left as i32));
        });
    }

    /// How much was spent, but for what threads that counted at once have lost.
    pub(crate) fn counted(&self) -> u64 {
        let left = self.budget.cell().load(Ordering::Relaxed) as u32 as i32;
        self.change(|progress| progress.granted.saturating_sub_signed(left.into()))
    }

    fn change<T>(&self, change: impl FnOnce(&mut Progress) -> T) -> T {
        change(&mut self.progress.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// An activation has used the budget up, at its entry or on the way back to a block.
    pub(crate) fn spend(&self, back: Option<Block>, frame: usize, standing: Standing) -> Wish {
        self.change(|progress| {
            let upgrade = match std::mem::replace(&mut progress.is_asked, true) {
                true => Upgrade::No,
                false => Upgrade::Wanted,
            };
            let going_on = back.map_or(GoingOn::No, |block| progress.go_on(block, frame, standing));
            Wish { upgrade, going_on, failures: progress.failures }
        })
    }

    /// Nothing better has come of it.
    pub(crate) fn fail(&self) -> u32 {
        self.change(|progress| {
            progress.is_asked = false;
            progress.failures += 1;
            progress.failures
        })
    }

    /// Notes what goes on at a block; gives what was known already.
    pub(crate) fn add(&self, continuation: Continuation) -> Option<Continuation> {
        self.change(|progress| {
            let known = progress.find(continuation.block);
            if known.is_none() {
                progress.continuations.push(continuation);
            }
            known
        })
    }

    /// Whether nobody is to make that code yet: somebody is, from now on.
    pub(crate) fn await_continuation(&self, block: Block) -> bool {
        self.change(|progress| {
            let known = progress.continuations.iter_mut().find(|it| it.block == block);
            known.is_some_and(|it| !std::mem::replace(&mut it.is_awaited, true))
        })
    }

    /// Nobody is to make that code any more: it is there, or nothing comes of it.
    pub(crate) fn settle(&self, block: Block) {
        self.change(|progress| {
            let known = progress.continuations.iter_mut().find(|it| it.block == block);
            known.into_iter().for_each(|it| it.is_awaited = false);
        });
    }

    /// The numbers of all code that goes on in the middle of the unit's.
    pub(crate) fn continuations(&self) -> Vec<u32> {
        self.change(|progress| progress.continuations.iter().map(|it| it.number).collect())
    }
}

impl Progress {
    /// How often an activation has used up the budget, with this time.
    fn rounds_of(&mut self, frame: usize) -> u32 {
        if let Some((_, rounds)) = self.frames.iter_mut().find(|(it, _)| *it == frame) {
            *rounds = rounds.saturating_add(1);
            return *rounds;
        }
        self.frames[self.next_frame] = (frame, 1);
        self.next_frame = (self.next_frame + 1) % FRAMES;
        1
    }

    fn find(&self, block: Block) -> Option<Continuation> {
        self.continuations.iter().find(|it| it.block == block).copied()
    }

    fn go_on(&mut self, block: Block, frame: usize, standing: Standing) -> GoingOn {
        let least = match standing {
            Standing::Current => ROUNDS,
            Standing::Superseded => 2,
        };
        if self.rounds_of(frame) < least {
            return GoingOn::No;
        }
        if let Some(known) = self.find(block) {
            self.patience = 0;
            return GoingOn::Known(known);
        }
        match self.continuations.iter().any(|it| it.is_awaited) {
            true => GoingOn::No,
            false if self.continuations.is_empty() || self.patience == PATIENCE => {
                self.patience = 0;
                GoingOn::New(block)
            }
            false => {
                self.patience += 1;
                GoingOn::Elsewhere
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(number: u32) -> Block {
        Block::from_u32(number)
    }

    fn awaited(number: u32) -> Continuation {
        Continuation { block: block(number), number, is_awaited: true }
    }

    /// What an activation of that frame wants on its way back to a block.
    fn go_on(progress: &mut Progress, number: u32, standing: Standing) -> GoingOn {
        progress.go_on(block(number), 16, standing)
    }

    #[test]
    fn an_activation_goes_on_elsewhere_once_others_get_better_code() {
        let mut progress = Progress::default();
        assert_eq!(go_on(&mut progress, 1, Standing::Superseded), GoingOn::No);
        assert_eq!(go_on(&mut progress, 1, Standing::Superseded), GoingOn::New(block(1)));
    }

    #[test]
    fn a_long_loop_waits_for_nobody() {
        let mut progress = Progress::default();
        for _ in 1..ROUNDS {
            assert_eq!(go_on(&mut progress, 1, Standing::Current), GoingOn::No);
        }
        assert_eq!(go_on(&mut progress, 1, Standing::Current), GoingOn::New(block(1)));
    }

    #[test]
    fn activations_are_told_from_each_other() {
        let mut progress = Progress::default();
        for frame in 0..100 {
            assert_eq!(progress.go_on(block(1), frame, Standing::Superseded), GoingOn::No);
        }
    }

    #[test]
    fn a_loop_waits_for_the_code_of_another_and_then_looks_for_it() {
        let mut progress = Progress::default();
        let _ = go_on(&mut progress, 1, Standing::Superseded);
        progress.continuations.push(awaited(1));
        assert_eq!(go_on(&mut progress, 2, Standing::Superseded), GoingOn::No);
        progress.continuations[0].is_awaited = false;
        for _ in 0..PATIENCE {
            assert_eq!(go_on(&mut progress, 2, Standing::Superseded), GoingOn::Elsewhere);
        }
        assert_eq!(go_on(&mut progress, 2, Standing::Superseded), GoingOn::New(block(2)));
        let known = Continuation { is_awaited: false, ..awaited(1) };
        assert_eq!(go_on(&mut progress, 1, Standing::Superseded), GoingOn::Known(known));
    }
}
