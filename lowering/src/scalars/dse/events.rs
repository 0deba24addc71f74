//! What of each block concerns memory, or may leave the function: without the stores that were
//! found dead, so that nobody steps over them again and again.

use std::iter;

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, SecondaryMap, dense_map};
use brolga_ir::op::Effects;

use crate::analysis::Accesses;
use crate::pass::{PassContext, effects_of};

/// An instruction that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) inst: Inst,
    /// Whether it may end the function.
    pub(super) leaves: bool,
}

/// A place in the list of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Place(u32);

/// Behind the last event of each block.
const END: Place = Place(0);

#[derive(Clone, Copy, Debug)]
struct Link {
    /// Nothing at the start of a block, and at the end of all.
    event: Option<Event>,
    before: Place,
    next: Place,
}

/// A list for each block.
#[derive(Debug)]
pub(super) struct Events {
    links: Vec<Link>,
    starts: SecondaryMap<Block, Place>,
    places: SecondaryMap<Inst, Place>,
}

impl Events {
    pub(super) fn new(body: &Body, context: &PassContext<'_>, accesses: &Accesses) -> Events {
        let end = Link { event: None, before: END, next: END };
        let starts = dense_map(body.block_count());
        let mut events = Events { links: vec![end], starts, places: SecondaryMap::new() };
        for block in body.layout.blocks() {
            let mut last = events.push(None, END);
            events.starts[block] = last;
            for inst in body.layout.insts(block) {
                let effects = effects_of(context.module, body, inst);
                let leaves = effects.intersects(Effects::TRAP | Effects::THROW);
                let is_silent =
                    accesses.reads(inst).is_nothing() && accesses.writes(inst).is_nothing();
                if leaves || !is_silent {
                    let place = events.push(Some(Event { inst, leaves }), last);
                    events.links[last.0 as usize].next = place;
                    events.places[inst] = place;
                    last = place;
                }
            }
        }
        events
    }

    fn push(&mut self, event: Option<Event>, before: Place) -> Place {
        let place = Place(self.links.len() as u32);
        self.links.push(Link { event, before, next: END });
        place
    }

    /// Before the first event of a block.
    pub(super) fn start(&self, block: Block) -> Place {
        self.starts[block]
    }

    /// Where an instruction stands that concerns memory.
    pub(super) fn place(&self, inst: Inst) -> Place {
        self.places[inst]
    }

    /// The events of a block behind a place.
    pub(super) fn behind(&self, place: Place) -> impl Iterator<Item = Event> + '_ {
        let next = |place: Place| {
            let next = self.links[place.0 as usize].next;
            (next != END).then_some(next)
        };
        let places = iter::successors(next(place), move |&place| next(place));
        places.filter_map(|place| self.links[place.0 as usize].event)
    }

    /// Takes an instruction out of the list of its block.
    pub(super) fn remove(&mut self, inst: Inst) {
        let Link { before, next, .. } = self.links[self.places[inst].0 as usize];
        self.links[before.0 as usize].next = next;
        self.links[next.0 as usize].before = before;
    }
}
