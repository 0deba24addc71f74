//! Code that counts how often it runs, and what has been asked for because of that.

use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use brolga_ir::entity::Block;
use brolga_lifecycle::tiers::Tier;

use super::environment::Again;
use crate::memory::Slot;

/// So often a loop may come round before it is asked for, while there is code for another loop
/// of the function, which may be the one around it.
const PATIENCE: u32 = 64;

/// A unit that may run so often yet is not to ask at all.
const LEFT_ALONE: u32 = 1 << 30;

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
    asked: Asked,
    /// Whether an activation has used up the budget on its way back.
    is_spent: bool,
    continuations: Vec<Continuation>,
    /// Where it was last looked from whether what is waited for can be come to.
    looked_from: Option<Block>,
    /// How often a loop came round in vain.
    patience: u32,
    /// What was granted so far.
    granted: u64,
}

/// How far better code for a function has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Asked {
    /// Nobody has asked for it.
    #[default]
    Not,
    /// There is time for it: nobody is known to come to the function again.
    Later,
    /// Activations come to the function again and again.
    Now,
    /// Somebody makes it, or has.
    Begun,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    /// Better code for the function, which nobody has asked for.
    pub upgrade: Upgrade,
    /// Better code to go on in.
    pub going_on: GoingOn,
    /// The numbers of code to go on in that it has waited for, and cannot come to any more.
    pub given_up: Vec<u32>,
    /// How often better code was asked for in vain.
    pub failures: u32,
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

/// The half of the word that is the budget.
const LOWER: u64 = u32::MAX as u64;

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
        let keep = |word: u64| Some(word & !LOWER | budget as u64);
        let cell = self.budget.cell();
        let old = cell.fetch_update(Ordering::Relaxed, Ordering::Relaxed, keep);
        let left = old.unwrap_or_else(|word| word) as u32;
        self.change(|progress| {
            progress.granted =
                progress.granted.saturating_add_signed(i64::from(budget) - i64::from(left as i32));
        });
    }

    /// Has the unit ask when it has run so often, if it would run longer: what it calls is called
    /// often. One that has asked in vain is left alone.
    pub(crate) fn hurry(&self, most: u32) {
        let left = self.budget.cell().load(Ordering::Relaxed) as u32 as i32;
        let is_near = u32::try_from(left).is_ok_and(|left| most < left && left < LEFT_ALONE);
        if is_near && self.change(|progress| progress.failures == 0) {
            self.grant(most);
        }
    }

    /// How often the unit was entered, but for what threads that counted at once have lost. In the
    /// first tier, loops count the budget down, too: its calls are the upper half of the word.
    pub(crate) fn calls(&self) -> u64 {
        match self.tier {
            Tier::Quick => self.budget.cell().load(Ordering::Relaxed) >> 32,
            Tier::Warm | Tier::Hot => self.counted(),
        }
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
    ///
    /// Code to go on in helps the one that comes round again, at once, and stands for all that
    /// the function has left to do; a better function helps those who come later. So the first
    /// to come round asks for nothing, as it may be the last; if it comes round once more it asks
    /// to go on, and only another activation asks for the function.
    ///
    /// `leads` tells whether anything leads from a block to another.
    pub(crate) fn spend(
        &self,
        back: Option<Block>,
        again: Again,
        leads: impl Fn(Block, Block) -> bool,
    ) -> Wish {
        self.change(|progress| {
            let is_first = back.is_some() && !std::mem::replace(&mut progress.is_spent, true);
            let wants = again == Again::No && !is_first;
            let upgrade = match wants && matches!(progress.asked, Asked::Not | Asked::Later) {
                true => Upgrade::Wanted,
                false => Upgrade::No,
            };
            if upgrade == Upgrade::Wanted {
                progress.asked = Asked::Now;
            }
            let (mut going_on, mut given_up) = (GoingOn::No, Vec::new());
            if let (Some(block), Again::Yes) = (back, again) {
                given_up = progress.give_up(block, &leads);
                going_on = progress.go_on(block, &leads);
            }
            Wish { upgrade, going_on, given_up, failures: progress.failures }
        })
    }

    /// An activation goes on in better code, and the function is to follow when there is time:
    /// whether nobody has asked for that.
    pub(crate) fn ask_for_later(&self) -> Upgrade {
        self.change(|progress| match progress.asked {
            Asked::Not => {
                progress.asked = Asked::Later;
                Upgrade::Wanted
            }
            _ => Upgrade::No,
        })
    }

    /// Whether better code for the function is to be made: by whoever hears this. It may have
    /// been ordered twice.
    pub(crate) fn begin_upgrade(&self) -> Upgrade {
        self.change(|progress| match std::mem::replace(&mut progress.asked, Asked::Begun) {
            Asked::Begun => Upgrade::No,
            _ => Upgrade::Wanted,
        })
    }

    /// Nothing better has come of it.
    pub(crate) fn fail(&self) -> u32 {
        self.change(|progress| {
            progress.asked = Asked::Not;
            progress.failures += 1;
            progress.failures
        })
    }

    /// Whether code to go on in is to be made now. It is not if it was given up, nor while the
    /// function waits to be compiled better, which activations come to again and again: one that
    /// stays inside asks once more.
    pub(crate) fn wants_continuation(&self, number: u32) -> bool {
        self.change(|progress| {
            let is_upgrading = progress.asked == Asked::Now;
            let known = progress.continuations.iter_mut().find(|it| it.number == number);
            known.is_some_and(|known| {
                known.is_awaited &= !is_upgrading;
                !is_upgrading
            })
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
    fn find(&self, block: Block) -> Option<Continuation> {
        self.continuations.iter().find(|it| it.block == block).copied()
    }

    /// Takes out what is waited for where nothing leads from a block: the numbers.
    fn give_up(&mut self, block: Block, leads: &impl Fn(Block, Block) -> bool) -> Vec<u32> {
        if self.continuations.is_empty() || self.looked_from.replace(block) == Some(block) {
            return Vec::new();
        }
        let is_left =
            |it: &mut Continuation| it.is_awaited && it.block != block && !leads(block, it.block);
        self.continuations.extract_if(.., is_left).map(|it| it.number).collect()
    }

    fn go_on(&mut self, block: Block, leads: &impl Fn(Block, Block) -> bool) -> GoingOn {
        if let Some(known) = self.find(block) {
            self.patience = 0;
            return GoingOn::Known(known);
        }
        if self.continuations.iter().any(|it| it.is_awaited) {
            return GoingOn::No;
        }
        let mut known = self.continuations.iter();
        if self.patience < PATIENCE && known.any(|it| leads(block, it.block)) {
            self.patience += 1;
            return GoingOn::Elsewhere;
        }
        self.patience = 0;
        GoingOn::New(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{MemoryConfig, Reservation};

    fn block(number: u32) -> Block {
        Block::from_u32(number)
    }

    fn awaited(number: u32) -> Continuation {
        Continuation { block: block(number), number, is_awaited: true }
    }

    fn counter() -> Counter {
        let reservation = Reservation::new(&MemoryConfig::default()).unwrap();
        Counter::new(0, Tier::Quick, reservation.slot(0).unwrap())
    }

    fn upgrade(counter: &Counter, back: Option<u32>, again: Again) -> Upgrade {
        counter.spend(back.map(block), again, |_, _| true).upgrade
    }

    #[test]
    fn an_activation_goes_on_elsewhere_when_it_comes_round_again() {
        let counter = counter();
        let going_on = |again| counter.spend(Some(block(1)), again, |_, _| true).going_on;
        assert_eq!(going_on(Again::No), GoingOn::No);
        assert_eq!(going_on(Again::Yes), GoingOn::New(block(1)));
    }

    #[test]
    fn only_what_waits_for_its_turn_is_hurried() {
        let left = |counter: &Counter| counter.budget.cell().load(Ordering::Relaxed) as u32;
        let counter = counter();
        counter.grant(1_000);
        counter.hurry(2_000);
        assert_eq!(left(&counter), 1_000);
        counter.hurry(10);
        assert_eq!(left(&counter), 10);
        counter.grant(u32::MAX);
        counter.hurry(10);
        assert_eq!(left(&counter), i32::MAX as u32, "it is left alone");
        counter.grant(1_000);
        counter.fail();
        counter.hurry(10);
        assert_eq!(left(&counter), 1_000);
        counter.grant(1_000);
        assert_eq!(counter.counted(), 0, "nothing of that was run");
    }

    #[test]
    fn a_function_is_asked_for_once_and_not_by_the_only_one_who_is_inside() {
        let counter = counter();
        assert_eq!(upgrade(&counter, Some(1), Again::No), Upgrade::No);
        assert_eq!(upgrade(&counter, Some(1), Again::Yes), Upgrade::No);
        assert_eq!(upgrade(&counter, Some(1), Again::No), Upgrade::Wanted);
        assert_eq!(upgrade(&counter, None, Again::No), Upgrade::No);
        counter.fail();
        assert_eq!(upgrade(&counter, None, Again::No), Upgrade::Wanted);
    }

    #[test]
    fn a_loop_waits_for_the_code_of_another_and_then_looks_for_it() {
        let mut progress = Progress::default();
        progress.continuations.push(awaited(1));
        let mut go_on = |at| progress.go_on(block(at), &|_, _| true);
        assert_eq!(go_on(2), GoingOn::No);
        progress.continuations[0].is_awaited = false;
        let mut go_on = |at| progress.go_on(block(at), &|_, _| true);
        for _ in 0..PATIENCE {
            assert_eq!(go_on(2), GoingOn::Elsewhere);
        }
        assert_eq!(go_on(2), GoingOn::New(block(2)));
        let known = Continuation { is_awaited: false, ..awaited(1) };
        assert_eq!(go_on(1), GoingOn::Known(known));
    }

    #[test]
    fn a_loop_waits_for_no_code_of_one_that_it_does_not_come_to_any_more() {
        let counter = counter();
        counter.add(awaited(1));
        let wish = counter.spend(Some(block(2)), Again::Yes, |_, to| to != block(1));
        assert_eq!((wish.going_on, wish.given_up), (GoingOn::New(block(2)), vec![1]));
        assert!(!counter.wants_continuation(1));
        counter.add(awaited(2));
        counter.settle(block(2));
        let wish = counter.spend(Some(block(3)), Again::Yes, |_, to| to != block(2));
        assert_eq!((wish.going_on, wish.given_up), (GoingOn::New(block(3)), vec![]));
        assert!(counter.wants_continuation(2));
    }

    #[test]
    fn a_function_that_others_come_to_is_compiled_before_what_goes_on_in_it() {
        let counter = counter();
        counter.add(awaited(1));
        assert!(counter.wants_continuation(1));
        assert_eq!(upgrade(&counter, None, Again::No), Upgrade::Wanted);
        assert!(!counter.wants_continuation(1));
        assert!(counter.await_continuation(block(1)), "it is asked for anew");
        assert_eq!(counter.begin_upgrade(), Upgrade::Wanted);
        assert_eq!(counter.begin_upgrade(), Upgrade::No);
        assert!(counter.wants_continuation(1));
    }

    #[test]
    fn a_function_that_has_time_is_asked_for_again_by_whoever_has_not() {
        let counter = counter();
        assert_eq!(counter.ask_for_later(), Upgrade::Wanted);
        assert_eq!(counter.ask_for_later(), Upgrade::No);
        assert_eq!(upgrade(&counter, None, Again::No), Upgrade::Wanted);
        assert_eq!(counter.ask_for_later(), Upgrade::No);
    }
}
