//! Who reads what stands in the function's own objects.

use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use rustc_hash::FxHashMap;

use crate::analysis::Accesses;
use crate::analysis::access::{Location, Reach, Variable};
use crate::analysis::addresses::Base;

/// So many readers of one object are held against each other.
const MOST_READERS: usize = 16;

/// What reads own objects, by these.
#[derive(Debug)]
pub(super) struct Readers {
    by_base: FxHashMap<Base, Vec<Inst>>,
    /// What may read any of them.
    of_any: Vec<Inst>,
}

impl Readers {
    pub(super) fn of(body: &Body, accesses: &Accesses) -> Readers {
        let mut readers = Readers { by_base: FxHashMap::default(), of_any: Vec::new() };
        for inst in body.layout.all_insts() {
            let reach = accesses.reads(inst);
            if matches!(reach, Reach::Everything) {
                readers.of_any.push(inst);
            }
            for location in reach.locations() {
                match location.base {
                    Base::Unknown => readers.of_any.push(inst),
                    base if accesses.escapes().is_private(base) => {
                        readers.by_base.entry(base).or_default().push(inst);
                    }
                    _ => {}
                }
            }
        }
        readers
    }

    /// Whether nothing but `reader` reads what stands at a place.
    pub(super) fn is_only(&self, accesses: &Accesses, reader: Inst, place: &Location) -> bool {
        let of_base = self.by_base.get(&place.base).map_or(&[][..], Vec::as_slice);
        let place = match place.variable {
            Variable::Start => *place,
            _ => place.at_any_time(),
        };
        let is_other = |&inst: &Inst| inst != reader && accesses.may_read(inst, &place);
        accesses.escapes().is_private(place.base)
            && of_base.len() + self.of_any.len() <= MOST_READERS
            && !of_base.iter().chain(&self.of_any).any(is_other)
    }
}
