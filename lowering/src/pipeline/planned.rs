//! Passes that the pipeline has places for and that are not written: pure data. They run
//! nowhere, and no list names them; the page of the passes shows what is to come, and a test
//! takes a name out of here once there is a row of it.

use super::row::{Duty, Stage};

/// A pass that is not written.
#[derive(Debug)]
pub struct PlannedPass {
    /// What it will be called.
    pub name: &'static str,
    /// Where it will belong.
    pub stage: Stage,
    /// Whether managed code can be emitted without it.
    pub duty: Duty,
    /// What it will do, and why it will stand where it does.
    pub purpose: &'static str,
}

/// Every pass that is to come, in the order in which they will run, each before the passes
/// that there are of its stage unless its purpose says otherwise.
pub static PLANNED: &[PlannedPass] = &[
    PlannedPass {
        name: "verify_gc_invariants",
        stage: Stage::IntrinsicLowering,
        duty: Duty::Optional,
        purpose: "names each place where a reference leaves what the collector knows; in front, as \
                  what follows trusts it",
    },
    PlannedPass {
        name: "lower_exits",
        stage: Stage::IntrinsicLowering,
        duty: Duty::Required,
        purpose: "exits and throws become what the runtime is called with; before \
                  `place_gc_roots`, which counts their references as used",
    },
    PlannedPass {
        name: "place_gc_roots",
        stage: Stage::IntrinsicLowering,
        duty: Duty::Required,
        purpose: "each reference that is live at a safepoint stands where the collector finds it; \
                  before `lower_allocations`, behind which not every safepoint is to be seen",
    },
    PlannedPass {
        name: "lower_allocations",
        stage: Stage::IntrinsicLowering,
        duty: Duty::Required,
        purpose: "allocation moves the cursor of the thread record, or calls the runtime where \
                  there is no room",
    },
    PlannedPass {
        name: "lower_barriers",
        stage: Stage::IntrinsicLowering,
        duty: Duty::Required,
        purpose: "a barrier tests the header words, and tells the runtime; behind \
                  `lower_allocations`, which shows which objects are new",
    },
    PlannedPass {
        name: "lower_thread_state",
        stage: Stage::IntrinsicLowering,
        duty: Duty::Required,
        purpose: "safepoints and the exception of the thread are fields of its record; behind \
                  the passes that ask for that record",
    },
    PlannedPass {
        name: "erase_address_kinds",
        stage: Stage::IntrinsicLowering,
        duty: Duty::Required,
        purpose: "all kinds of address are plain ones; last, as nothing knows references behind it",
    },
];
