//! Compiling better what runs often: who asks, who does it, and what it comes to.

use std::sync::{Arc, Weak};

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, SecondaryMap};
use brolga_lifecycle::job::Caller;
use brolga_lifecycle::queue::Priority;
use brolga_lifecycle::resolve::{self, Functions};
use brolga_lifecycle::tiers::Tier;

use super::config::Speculation;
use super::shared::Shared;
use crate::link::{Counted, Source, calls_of};
use crate::runtime::{Again, Continuation, GoingOn, Placed, Spent, Upgrade};

/// What is likely to be wanted has such a part of a budget left before it asks.
const SOON: u32 = 8;

/// Work that waits for a thread. Who has asked for it may be gone by then, and with that the
/// wish.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    /// Better code than that.
    Better(Weak<Placed>, Wanted),
    /// The first code of a function that may be called soon, by its number.
    First(u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Wanted {
    /// Better code of the function.
    Tier(Tier),
    /// Code that goes on at a block, by its number as a function.
    Continuation(Block, u32),
}

impl Shared {
    /// Better code for an activation to go on in, if it wants that and there is some.
    pub(super) fn spent(&self, spent: &Spent<'_>) -> Option<usize> {
        let counted = Counted::of(spent.placed)?;
        let counter = &counted.counter;
        let leads = |from, to| counted.body_leads(from, to);
        let wish = counter.spend(spent.block, spent.again, leads);
        self.give_up(&wish.given_up);
        let budget = self.config.tiering.budget(counter.tier, wish.failures);
        counter.grant(match (budget, spent.block, spent.again) {
            (None, ..) => u32::MAX,
            // It is about to stay, and shows that soon.
            (Some(budget), Some(_), Again::No) => budget / SOON,
            (Some(budget), ..) => budget,
        });
        self.hurry(&spent.callers);
        if wish.upgrade == Upgrade::Wanted {
            // What has loops may take over the code of what these call, which need not be
            // compiled better then.
            let (tier, priority) = match next_tier(counted)? {
                Tier::Hot => (Tier::Hot, Priority::Asked),
                tier => (tier, Priority::Upgrade),
            };
            self.order(priority, (spent.placed, spent.caller), Wanted::Tier(tier));
        }
        let continuation = match wish.going_on {
            GoingOn::No => return None,
            GoingOn::Elsewhere => {
                counter.grant(0);
                return None;
            }
            GoingOn::Known(known) => known,
            GoingOn::New(block) => self.add_continuation(counted, block)?,
        };
        let Continuation { block, number, .. } = continuation;
        let life = self.life(number);
        if life.code().is_none() && !life.has_failed() && counter.await_continuation(block) {
            let wanted = Wanted::Continuation(block, number);
            self.order(Priority::Asked, (spent.placed, spent.caller), wanted);
        }
        // It stays, as this thread is inside.
        life.code().map(|code| code.address())
    }

    /// What functions run below them counts as theirs: they need not come round as often.
    fn hurry(&self, callers: &[Arc<Placed>]) {
        for Counted { counter, .. } in callers.iter().filter_map(|it| Counted::of(it)) {
            if let Some(budget) = self.config.tiering.budget(counter.tier, 0) {
                counter.hurry(budget / SOON);
            }
        }
    }

    /// Nobody comes to code any more that goes on in the middle of a function: whoever makes it
    /// stops.
    fn give_up(&self, numbers: &[u32]) {
        if numbers.is_empty() {
            return;
        }
        let mut symbols = self.symbols();
        let mut take_out = |&number| self.take_out(&mut symbols, number, (self.main.library, ""));
        let sources: Vec<Source> = numbers.iter().filter_map(&mut take_out).collect();
        drop(symbols);
        self.leave(sources);
    }

    /// The number of what goes on at a block of a unit, which is made later.
    fn add_continuation(&self, counted: &Counted, block: Block) -> Option<Continuation> {
        let (definition, id) = counted.definition()?;
        let source = Source::Continuation(Arc::downgrade(&definition), id, block);
        let number = self.symbols().give_number().ok()?;
        let new = Continuation { block, number, is_awaited: false };
        if let Some(known) = counted.counter.add(new) {
            self.symbols().take_back(&[number]);
            return Some(known);
        }
        // Nobody else knows the number yet: nothing is left over.
        drop(resolve::define(self, number, source));
        Some(new)
    }

    /// Has something done: by a thread of its own, or by this one if there are to be none.
    fn order(&self, priority: Priority, (code, caller): (&Arc<Placed>, Caller), wanted: Wanted) {
        let work = Work::Better(Arc::downgrade(code), wanted);
        if let Err(work) = self.pool.push(priority, work) {
            self.carry_out(&work, caller);
        }
    }

    /// Leaves the functions that new code calls, and that nobody has called yet, to threads
    /// that have nothing better to do.
    pub(super) fn speculate(&self, code: &Placed) {
        if self.config.speculation == Speculation::Off {
            return;
        }
        for &number in calls_of(code) {
            if self.life(number).is_pending() {
                // Where there are no threads, nobody has time for it.
                let _ = self.pool.push(Priority::Speculation, Work::First(number));
            }
        }
    }

    /// Does what somebody has asked for, on a thread that stays inside meanwhile.
    pub(super) fn carry_out(&self, work: &Work, caller: Caller) {
        match work {
            Work::Better(code, wanted) => {
                if let Some(code) = code.upgrade() {
                    self.better(&code, *wanted, caller);
                }
            }
            Work::First(number) => {
                if self.life(*number).is_pending() {
                    // Whoever calls it is told what stands in the way.
                    let _ = resolve::resolve(self, caller, *number);
                }
            }
        }
    }

    fn better(&self, code: &Arc<Placed>, wanted: Wanted, caller: Caller) {
        let Some(counted) = Counted::of(code) else { return };
        let counter = &counted.counter;
        match wanted {
            Wanted::Tier(_) if counter.begin_upgrade() == Upgrade::No => {}
            Wanted::Tier(tier) => {
                // The function may be another by now, for which its own code asks.
                let is_meant = |now: &Arc<Placed>| Arc::ptr_eq(now, code);
                if resolve::upgrade(self, caller, (counter.number, tier), is_meant).is_ok() {
                    self.tally.add_upgraded();
                } else {
                    let failures = counter.fail();
                    let budget = self.config.tiering.budget(counter.tier, failures);
                    counter.grant(budget.unwrap_or(u32::MAX));
                }
            }
            Wanted::Continuation(_, number) if !counter.wants_continuation(number) => {}
            Wanted::Continuation(block, number) => {
                let made = resolve::resolve(self, caller, number);
                counter.settle(block);
                if made.is_ok() {
                    self.tally.add_continued();
                    // Whoever waits for it looks at its next way back.
                    counter.grant(0);
                    if let Some(tier) = next_tier(counted)
                        && counter.ask_for_later() == Upgrade::Wanted
                    {
                        self.order(Priority::Upgrade, (code, caller), Wanted::Tier(tier));
                    }
                }
            }
        }
    }
}

/// What code that is not good enough is followed by. Only code of the first tier is left in the
/// middle of a loop: what has one is compiled as well as it can be, at once.
fn next_tier(counted: &Counted) -> Option<Tier> {
    let (definition, id) = counted.definition()?;
    let body = definition.module.function(id)?.body.as_deref()?;
    if has_loops(body) { Some(Tier::Hot) } else { counted.counter.tier.next() }
}

/// Whether anything leads back in a body, in the order of its text.
pub(super) fn has_loops(body: &Body) -> bool {
    let mut order = SecondaryMap::<Block, u32>::new();
    (1..).zip(body.layout.blocks()).for_each(|(place, block)| order[block] = place);
    let mut edges =
        body.layout.blocks().flat_map(|from| body.successors(from).map(move |to| (from, to)));
    edges.any(|(from, to)| order[to] <= order[from])
}
