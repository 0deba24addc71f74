//! In which order rounds touch memory along its lines.

use brolga_ir::body::Body;
use brolga_ir::entity::{EntitySet, Inst};
use brolga_ir::op::Op;

use super::nest::Nest;
use crate::analysis::dependence::{Dependence, Dependences, Directions};
use crate::target::Cache;

/// How many rounds of the innermost loop follow each other, where loads and stores go along
/// different ways: as many lines, side by side, are kept whatever their addresses. For matrices
/// of any size that was tried, strips of so many were as fast as the best, or nearly.
const STRIP: u64 = 8;

/// The most accesses that are held against each other.
const MOST_ACCESSES: usize = 16;

/// One of the two loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    Outer,
    Inner,
}

/// How the rounds follow each other.
#[derive(Clone, Debug)]
pub(super) struct Order {
    /// Whose rounds do so directly.
    pub(super) innermost: Which,
    /// How many of them do before the other loop has gone through its own.
    pub(super) strip: Option<u64>,
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
        let Some(order) = best(nest, &walks, cache) else { return Ok(None) };
        if accesses.len() > MOST_ACCESSES {
            return Err("there are too many accesses");
        }
        let (innermost, strip) = order;
        let mut order = Order { innermost, strip, bound: EntitySet::new() };
        for (index, &one) in accesses.iter().enumerate() {
            for &other in &accesses[index..] {
                order.compare(dependences, nest, one, other)?;
            }
        }
        Ok(Some(order))
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

/// Whose rounds follow each other, and how many; nothing if it is as good as it is.
fn best(nest: &Nest, walks: &[Walk], cache: Cache) -> Option<(Which, Option<u64>)> {
    let (outer, inner) = (nest.outer.rounds, nest.inner.rounds);
    let is_across = |walk: &&Walk| cache.is_left(walk.inner, walk.outer, inner);
    let would_be = |walk: &Walk| cache.is_left(walk.outer, walk.inner, outer);
    let across: Vec<&Walk> = walks.iter().filter(is_across).collect();
    if across.is_empty() {
        return None;
    }
    let stores = across.iter().any(|walk| walk.stores);
    let (innermost, strip) = match (walks.iter().any(would_be), stores) {
        (false, _) => (Which::Outer, None),
        // Lines that are stored to are better gone along than those that are loaded.
        (true, true) => (Which::Outer, Some(STRIP)),
        (true, false) => (Which::Inner, Some(STRIP)),
    };
    let rounds = if innermost == Which::Outer { outer } else { inner };
    (rounds >= STRIP).then_some((innermost, strip))
}

impl Cache {
    /// Whether lines have left the cache when they are touched again, if so many rounds lead so
    /// far each, and the next ones touch the same lines again, that little further.
    fn is_left(self, each: u64, further: u64, rounds: u64) -> bool {
        let line = u64::from(self.line);
        if each < line || further >= line {
            return false;
        }
        let sets = u64::from(self.sets);
        // Lines that are so far apart come to some of the sets only.
        let reached = match each.is_multiple_of(line) {
            true => sets / gcd(each / line, sets),
            false => sets,
        };
        rounds > reached * u64::from(self.ways)
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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

/// Whether one of two accesses may come later by the outer loop, and earlier by the inner one:
/// they would change their order.
fn may_turn(outer: Directions, inner: Directions) -> bool {
    let (later, earlier) = (Directions::LATER, Directions::EARLIER);
    (outer.contains(later) && inner.contains(earlier))
        || (outer.contains(earlier) && inner.contains(later))
}
