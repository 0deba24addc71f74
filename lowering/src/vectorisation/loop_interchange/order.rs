//! In which order rounds touch memory along its lines.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::Body;
use brolga_ir::entity::{EntitySet, Inst};
use brolga_ir::op::Op;

use super::nest::Nest;
use crate::analysis::Accesses;
use crate::analysis::dependence::{Dependence, Dependences, Directions};
use crate::target::Cache;

/// How many rounds of the innermost loop follow each other, where loads and stores go along
/// different ways: as many lines, side by side, are kept whatever their addresses. For matrices
/// of any size that was tried, strips of so many were as fast as the best, or nearly.
const STRIP: u64 = 8;

/// How many rounds of the outer loop are done at once, where the inner one goes through the same
/// sums in memory in each: of a product of matrices, eight took 0.26 of the time, four 0.30.
const AT_ONCE: [u64; 3] = [8, 4, 2];

/// The most addresses that the innermost loop then goes along, beside that of the sums: each
/// takes a register.
const MOST_STREAMS: u64 = 8;

/// The most accesses that are held against each other.
const MOST_ACCESSES: usize = 16;

/// The most instructions of a round of which several are done at once, and the fewest rounds.
const MOST_JAMMED: usize = 16;
const FEWEST_JAMMED: u64 = 16;

/// One of the two loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    Outer,
    Inner,
}

/// In which order the rounds are done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Those of the outer loop for each of the inner one.
    Swapped,
    /// So many of one of them for each of the other.
    Strips(Which, u64),
    /// So many of the outer one in one round of the inner one, which hands on a sum and stores
    /// it when it has them all.
    Jammed(u64, Sum),
}

/// A place that each round of the inner loop adds something to, for each of the outer one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sum {
    pub(super) load: Inst,
    pub(super) store: Inst,
}

/// How the rounds follow each other.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) way: Way,
    /// Accesses to what a store may touch, too.
    pub(super) bound: EntitySet<Inst>,
}

/// Why the loops stay as they are, though lines are walked across.
pub(super) type Refusal = &'static str;

/// How many bytes further an access is with each round of the loops.
#[derive(Clone, Copy, Debug)]
struct Walk {
    outer: u64,
    inner: u64,
    stores: bool,
}

impl Order {
    /// The order in which the loops are better gone through; none if that is the one that they
    /// have.
    pub(super) fn of(
        body: &Body,
        dependences: &mut Dependences<'_>,
        nest: &Nest,
        cache: Cache,
    ) -> Result<Option<Order>, Refusal> {
        let accesses = nest.accesses(body);
        let Some(walks) = walks(body, dependences, nest, &accesses) else { return Ok(None) };
        if let Some(way) = best(nest, &walks, cache) {
            let order = Order::compared(dependences, nest, &accesses, way)?;
            let is_once = |&(inst, is_inner): &(Inst, bool)| {
                is_inner || is_repeatable(body, dependences.accesses(), inst)
            };
            return match accesses.iter().all(is_once) {
                true => Ok(Some(order)),
                false => Err("what the outer one loads once would be loaded again and again"),
            };
        }
        let jammed = jammed(body, nest, &walks, &accesses);
        // Nobody misses what would be a little faster at best.
        let order = jammed.and_then(|way| Order::compared(dependences, nest, &accesses, way).ok());
        Ok(order.filter(Order::keeps_sum))
    }

    /// An order, if all accesses may come in that one.
    fn compared(
        dependences: &mut Dependences<'_>,
        nest: &Nest,
        accesses: &[(Inst, bool)],
        way: Way,
    ) -> Result<Order, Refusal> {
        if accesses.len() > MOST_ACCESSES {
            return Err("there are too many accesses");
        }
        let mut order = Order { way, bound: EntitySet::new() };
        for (index, &one) in accesses.iter().enumerate() {
            for &other in &accesses[index..] {
                order.compare(dependences, nest, one, other)?;
            }
        }
        Ok(order)
    }

    /// Whether nothing but its own load and store may touch a sum.
    fn keeps_sum(&self) -> bool {
        match self.way {
            Way::Jammed(_, Sum { load, store }) => {
                self.bound.iter().all(|inst| inst == load || inst == store)
            }
            Way::Swapped | Way::Strips(..) => true,
        }
    }

    /// Sees whether what two accesses do is the same when the loops have changed places, or one
    /// goes in strips.
    fn compare(
        &mut self,
        dependences: &mut Dependences<'_>,
        nest: &Nest,
        (one, is_inner): (Inst, bool),
        (other, other_is_inner): (Inst, bool),
    ) -> Result<(), Refusal> {
        let outer = nest.outer.shape.of;
        let Dependence::Levels(levels) = dependences.between(one, other, outer) else {
            return Ok(());
        };
        self.bound.insert(one);
        self.bound.insert(other);
        let of = |of| levels.iter().find(|level| level.of == of).map(|level| level.directions);
        // What the outer loop loads once, it has before the inner one stores.
        let directions = of(outer).zip(of(nest.inner.shape.of));
        match directions.filter(|_| is_inner && other_is_inner) {
            Some((outer, inner)) if !may_turn(outer, inner) => Ok(()),
            _ => Err("rounds may touch what others do"),
        }
    }
}

/// The order in which loads and stores go along lines; nothing if they do, or do not matter.
fn best(nest: &Nest, walks: &[Walk], cache: Cache) -> Option<Way> {
    let (outer, inner) = (nest.outer.rounds, nest.inner.rounds);
    let is_across = |walk: &&Walk| is_left(cache, walk.inner, walk.outer, inner);
    let would_be = |walk: &Walk| is_left(cache, walk.outer, walk.inner, outer);
    let across: Vec<&Walk> = walks.iter().filter(is_across).collect();
    if across.is_empty() {
        return None;
    }
    let stores = across.iter().any(|walk| walk.stores);
    let (way, rounds) = match (walks.iter().any(would_be), stores) {
        (false, _) => (Way::Swapped, outer),
        // Lines that are stored to are better gone along than those that are loaded.
        (true, true) => (Way::Strips(Which::Outer, STRIP), outer),
        (true, false) => (Way::Strips(Which::Inner, STRIP), inner),
    };
    (rounds >= STRIP).then_some(way)
}

/// Several rounds of the outer loop at once, if there is a sum that they add to and nothing else
/// that they store.
fn jammed(body: &Body, nest: &Nest, walks: &[Walk], accesses: &[(Inst, bool)]) -> Option<Way> {
    let mut stores = accesses.iter().zip(walks).filter(|(_, walk)| walk.stores);
    let (&(store, _), walk) = stores.next()?;
    if stores.next().is_some() || walk.outer != 0 || walk.inner == 0 {
        return None;
    }
    let place = |inst: Inst| Some((body.inst(inst).ty, body.inst(inst).access()?.offset));
    let address = *body.args(store).get(1)?;
    let mut before = accesses.iter().map(|access| access.0).take_while(|&inst| inst != store);
    let load = before
        .find(|&inst| body.args(inst).first() == Some(&address) && place(inst) == place(store))?;
    let streams = accesses.iter().filter(|(_, is_inner)| *is_inner).count() as u64;
    let streams = streams.saturating_sub(2);
    let fits = |many: u64| nest.outer.rounds.is_multiple_of(many) && streams * many <= MOST_STREAMS;
    let at_once = AT_ONCE.into_iter().find(|&many| fits(many))?;
    let is_short = nest.inner.rounds < FEWEST_JAMMED || nest.steps.len() > MOST_JAMMED;
    (!is_short).then_some(Way::Jammed(at_once, Sum { load, store }))
}

/// Whether lines have left the cache when they are touched again, if so many rounds lead so far
/// each, and the next ones touch the same lines again, that little further.
fn is_left(cache: Cache, each: u64, further: u64, rounds: u64) -> bool {
    let line = u64::from(cache.line);
    each >= line && further < line && rounds > cache.lines_apart(each)
}

/// How the accesses go on, if that is known of all of them.
fn walks(
    body: &Body,
    dependences: &mut Dependences<'_>,
    nest: &Nest,
    accesses: &[(Inst, bool)],
) -> Option<Vec<Walk>> {
    let loops = [nest.outer.shape.of, nest.inner.shape.of];
    let mut walks = Vec::with_capacity(accesses.len());
    for &(inst, _) in accesses {
        let steps = dependences.steps(inst, loops[0])?;
        let by = |of| {
            let own = steps.iter().filter(|step| step.0 == of).map(|step| step.1.unsigned_abs());
            u64::try_from(own.sum::<u128>()).ok()
        };
        let stores = body.inst(inst).op == Op::Store;
        walks.push(Walk { outer: by(loops[0])?, inner: by(loops[1])?, stores });
    }
    Some(walks)
}

/// Whether a load gives the same each time, whatever other threads do.
fn is_repeatable(body: &Body, accesses: &Accesses, load: Inst) -> bool {
    let access = body.inst(load).access();
    let is_invariant = access.is_some_and(|it| it.flags.contains(AccessFlags::INVARIANT));
    let place = accesses.reads(load).location();
    is_invariant || place.is_some_and(|place| accesses.is_steady(place.base))
}

/// Whether one of two accesses may come later by the outer loop, and earlier by the inner one:
/// they would change their order.
fn may_turn(outer: Directions, inner: Directions) -> bool {
    let (later, earlier) = (Directions::LATER, Directions::EARLIER);
    (outer.contains(later) && inner.contains(earlier))
        || (outer.contains(earlier) && inner.contains(later))
}
