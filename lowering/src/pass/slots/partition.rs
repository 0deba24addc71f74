//! Which bytes of slots become values, and of which types.
//!
//! What is loaded and stored decides: bytes that one access reaches together
//! stay together. Copies and fills can be cut anywhere; a copy between two slots
//! lets each know how the other is cut.

use std::cmp::Reverse;

use brolga_ir::body::Body;
use brolga_ir::entity::{SecondaryMap, Slot};
use brolga_ir::types::{Scalar, Type, TypePool};
use rustc_hash::FxHashMap;

use super::accesses::{Access, Deed, Range, SlotFacts, Stay, Uses};
use super::addresses::Place;
use crate::pass::bytes::{contains_part, converts, has_splat, holds_bytes, integer_of, size_of};

/// The most parts that a slot is taken apart into, and the most that its fills
/// and copies together set: beyond, values would be kept in memory anyway.
const MOST_PARTS: usize = 128;
const MOST_SET_PARTS: usize = 2048;

/// The most ways in which the bytes of a slot may be accessed.
const MOST_WAYS: usize = 512;

/// The most pieces that bytes become which are copied and never looked at.
const MOST_CHUNKS: usize = 16;

/// The most copies to and from a slot.
const MOST_COPIES: usize = 256;

/// How often what follows from one change is sought before all is left as it is.
const MOST_ROUNDS: usize = 16;

/// Bytes that belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) range: Range,
    /// The type of the value that they become; nothing if they stay in memory.
    pub(super) ty: Option<Type>,
}

/// Some bytes of a copy or fill, and the part that they belong to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) range: Range,
    /// The part, by its index among those of the slot.
    pub(super) part: Option<usize>,
}

/// How slots are taken apart.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The parts of each slot, in ascending order.
    parts: SecondaryMap<Slot, Vec<Part>>,
    /// The number of the first part of each slot.
    starts: SecondaryMap<Slot, usize>,
    count: usize,
    /// The slots that are needed no more.
    vanishing: SecondaryMap<Slot, bool>,
}

impl Plan {
    pub(super) fn new(body: &Body, types: &TypePool, uses: &Uses) -> Plan {
        let mut layout = Layout::new(body, uses);
        layout.settle();
        let mut plan = Plan::default();
        for (slot, _) in body.slots() {
            plan.parts[slot] = layout.parts(types, slot);
            plan.starts[slot] = plan.count;
            plan.count += plan.parts[slot].len();
        }
        plan.agree(body, types, uses);
        for (slot, _) in body.slots() {
            let is_free = layout.facts[slot].stay == Stay::No;
            plan.vanishing[slot] = is_free && plan.parts[slot].iter().all(|part| part.ty.is_some());
        }
        plan
    }

    /// The parts of a slot, in ascending order.
    pub(super) fn parts(&self, slot: Slot) -> &[Part] {
        &self.parts[slot]
    }

    /// How many parts all slots have.
    pub(super) fn part_count(&self) -> usize {
        self.count
    }

    /// The number of a part among those of all slots.
    pub(super) fn number(&self, slot: Slot, part: usize) -> usize {
        self.starts[slot] + part
    }

    /// Whether a slot goes, or a part of one becomes a value.
    pub(super) fn has_gain(&self, body: &Body) -> bool {
        let gains =
            |slot| self.vanishes(slot) || self.parts(slot).iter().any(|part| part.ty.is_some());
        body.slots().any(|(slot, _)| gains(slot))
    }

    /// Whether nothing of a slot stays in memory.
    pub(super) fn vanishes(&self, slot: Slot) -> bool {
        self.vanishing[slot]
    }

    /// The part that holds a byte, by its index; the one behind it if there is none.
    fn search(&self, place: Place) -> Result<usize, usize> {
        let parts = &self.parts[place.slot];
        let index = parts.partition_point(|part| part.range.end <= place.offset);
        match parts.get(index).is_some_and(|part| part.range.start <= place.offset) {
            true => Ok(index),
            false => Err(index),
        }
    }

    /// The part that holds a byte, by its index.
    pub(super) fn part_at(&self, place: Place) -> Option<usize> {
        self.search(place).ok()
    }

    /// Some bytes of a slot, cut where its parts begin and end.
    pub(super) fn pieces(&self, place: Place, size: u32) -> Vec<Piece> {
        let (mut at, end) = (place.offset, place.offset + size);
        let mut pieces = Vec::new();
        while at < end {
            let parts = &self.parts[place.slot];
            let (next, part) = match self.search(Place { offset: at, ..place }) {
                Ok(index) => (parts[index].range.end, Some(index)),
                Err(index) => (parts.get(index).map_or(end, |part| part.range.start), None),
            };
            pieces.push(Piece { range: Range { start: at, end: next.min(end) }, part });
            at = next;
        }
        pieces
    }

    /// Leaves a part in memory.
    fn leave(&mut self, slot: Slot, part: usize) {
        self.parts[slot][part].ty = None;
    }

    /// Leaves in memory what some access cannot do with values.
    fn agree(&mut self, body: &Body, types: &TypePool, uses: &Uses) {
        for _ in 0..MOST_ROUNDS {
            let refused: Vec<(Slot, usize)> =
                uses.accesses.iter().flat_map(|it| self.refused(body, types, it)).collect();
            if refused.is_empty() {
                return;
            }
            refused.into_iter().for_each(|(slot, part)| self.leave(slot, part));
        }
        for (slot, _) in body.slots() {
            self.parts[slot].iter_mut().for_each(|part| part.ty = None);
        }
    }

    /// The parts that would become values and that an access needs in memory.
    fn refused(&self, body: &Body, types: &TypePool, access: &Access) -> Vec<(Slot, usize)> {
        match access.deed {
            Deed::Load(_) | Deed::Store(_) if access.places.len() > 1 => {
                let found: Vec<(Slot, usize)> = access
                    .places
                    .iter()
                    .filter_map(|&place| Some((place.slot, self.part_at(place)?)))
                    .collect();
                let is_value = |&(slot, part): &(Slot, usize)| self.parts[slot][part].ty.is_some();
                let all = found.len() == access.places.len() && found.iter().all(is_value);
                if all { Vec::new() } else { found.into_iter().filter(is_value).collect() }
            }
            Deed::Fill(size) => self.refused_of_fill(body, types, access, size),
            Deed::Copy { to, from, size } => {
                let cuts = self.cuts(to, from, size);
                cuts.iter().flat_map(|cut| self.refused_of_cut(types, to, from, *cut)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn refused_of_fill(
        &self,
        body: &Body,
        types: &TypePool,
        access: &Access,
        size: u32,
    ) -> Vec<(Slot, usize)> {
        let place = access.places[0];
        let byte = body.as_scalar_constant(body.args(access.inst)[1]).map(|bits| bits as u8);
        let mut refused = Vec::new();
        for piece in self.pieces(place, size) {
            let Some(index) = piece.part else { continue };
            let part = self.parts[place.slot][index];
            let Some(ty) = part.ty else { continue };
            let fits = match piece.range == part.range {
                true => has_splat(types, ty, byte),
                false => piece_type(part, piece.range).is_some_and(|some| {
                    let offset = u64::from(piece.range.start - part.range.start);
                    contains_part(types, ty, offset, some)
                }),
            };
            if !fits {
                refused.push((place.slot, index));
            }
        }
        refused
    }

    /// A copy cut where parts on either side begin and end: offsets in the copy.
    pub(super) fn cuts(&self, to: Option<Place>, from: Option<Place>, size: u32) -> Vec<Range> {
        let mut bounds = vec![0, size];
        for place in [to, from].into_iter().flatten() {
            let pieces = self.pieces(place, size);
            bounds.extend(pieces.iter().map(|piece| piece.range.start - place.offset));
        }
        bounds.sort_unstable();
        bounds.dedup();
        bounds.windows(2).map(|pair| Range { start: pair[0], end: pair[1] }).collect()
    }

    /// The value that a cut of a copy reads or sets on one side.
    pub(super) fn side(&self, place: Option<Place>, cut: Range) -> Option<Side> {
        let place = place?;
        let offset = place.offset + cut.start;
        let index = self.part_at(Place { offset, ..place })?;
        let part = self.parts[place.slot][index];
        let range = Range { start: offset, end: place.offset + cut.end };
        Some(Side { slot: place.slot, index, part, ty: part.ty?, range })
    }

    fn refused_of_cut(
        &self,
        types: &TypePool,
        to: Option<Place>,
        from: Option<Place>,
        cut: Range,
    ) -> Vec<(Slot, usize)> {
        let sides = [self.side(to, cut), self.side(from, cut)];
        let passed = passed_type(&sides);
        let fits = |side: &Side| {
            let offset = u64::from(side.range.start - side.part.range.start);
            let is_read = |ty| contains_part(types, side.ty, offset, ty);
            holds_bytes(side.ty) && passed.is_some_and(is_read)
        };
        let all = sides.iter().flatten().all(fits);
        let taken = |side: &Side| (side.slot, side.index);
        if all { Vec::new() } else { sides.iter().flatten().map(taken).collect() }
    }
}

/// One side of a cut of a copy: bytes of a part that is a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) slot: Slot,
    pub(super) index: usize,
    pub(super) part: Part,
    pub(super) ty: Type,
    pub(super) range: Range,
}

/// The type in which a cut goes from one side to the other.
pub(super) fn passed_type(sides: &[Option<Side>; 2]) -> Option<Type> {
    let whole = sides.iter().flatten().find(|side| side.range == side.part.range);
    let some = sides.iter().flatten().next()?;
    whole.map(|side| side.ty).or_else(|| piece_type(some.part, some.range))
}

/// The type in which some bytes of a part are read or set.
pub(super) fn piece_type(part: Part, range: Range) -> Option<Type> {
    let size = range.end - range.start;
    match range == part.range {
        true => part.ty,
        false => integer_of(size.into()).or_else(|| Type::vector(Scalar::I8, size)),
    }
}

/// A way in which bytes are accessed.
#[derive(Clone, Copy, Debug)]
struct Way {
    range: Range,
    ty: Type,
    /// How often.
    count: u32,
}

/// What is known of the bytes of slots while the cuts are sought.
struct Layout<'a> {
    accesses: &'a [Access],
    facts: SecondaryMap<Slot, SlotFacts>,
    ways: SecondaryMap<Slot, Vec<Way>>,
    known: FxHashMap<(Slot, Range, Type), usize>,
    /// Ways that the slots at the other end of copies have not heard of.
    news: Vec<(Slot, Range, Type)>,
    slots: Vec<Slot>,
}

impl<'a> Layout<'a> {
    fn new(body: &Body, uses: &'a Uses) -> Layout<'a> {
        let mut layout = Layout {
            accesses: &uses.accesses,
            facts: SecondaryMap::new(),
            ways: SecondaryMap::new(),
            known: FxHashMap::default(),
            news: Vec::new(),
            slots: body.slots().map(|(slot, _)| slot).collect(),
        };
        for slot in layout.slots.clone() {
            let facts = &uses.facts[slot];
            layout.facts[slot] = SlotFacts { values: Vec::new(), ..facts.clone() };
            if facts.copies.len() > MOST_COPIES {
                layout.facts[slot].stay = Stay::Whole;
            }
            for &(range, ty) in &facts.values {
                layout.add(slot, range, ty, 1);
            }
        }
        layout
    }

    fn add(&mut self, slot: Slot, range: Range, ty: Type, count: u32) {
        let ways = &mut self.ways[slot];
        match self.known.get(&(slot, range, ty)) {
            Some(&index) => ways[index].count += count,
            None if ways.len() >= MOST_WAYS => self.facts[slot].stay = Stay::Whole,
            None => {
                self.known.insert((slot, range, ty), ways.len());
                ways.push(Way { range, ty, count });
                self.news.push((slot, range, ty));
            }
        }
    }

    /// Tells slots how those are cut that they are copied to and from, until
    /// all know.
    fn settle(&mut self) {
        for _ in 0..MOST_ROUNDS {
            self.spread();
            self.cover();
            if self.news.is_empty() {
                return;
            }
        }
        for slot in self.slots.clone() {
            if !self.facts[slot].copies.is_empty() {
                self.facts[slot].stay = Stay::Whole;
            }
        }
    }

    fn spread(&mut self) {
        while let Some((slot, range, ty)) = self.news.pop() {
            for copy in 0..self.facts[slot].copies.len() {
                let access = &self.accesses[self.facts[slot].copies[copy] as usize];
                let Deed::Copy { to: Some(to), from: Some(from), size } = access.deed else {
                    continue;
                };
                let (own, other) = if to.slot == slot { (to, from) } else { (from, to) };
                let all = Range::at(own, size);
                if all.start <= range.start && range.end <= all.end {
                    let start = range.start - own.offset + other.offset;
                    let moved = Range { start, end: start + (range.end - range.start) };
                    self.add(other.slot, moved, ty, 0);
                }
            }
        }
    }

    /// Cuts bytes that are copied from a slot and never looked at there.
    fn cover(&mut self) {
        for slot in self.slots.clone() {
            if self.facts[slot].stay == Stay::Whole || self.facts[slot].copies.is_empty() {
                continue;
            }
            let covered = joined(self.ranges(slot));
            for copy in self.facts[slot].copies.clone() {
                let Deed::Copy { from: Some(from), size, .. } = self.accesses[copy as usize].deed
                else {
                    continue;
                };
                if from.slot == slot {
                    self.cover_copy(from, size, &covered);
                }
            }
        }
    }

    fn cover_copy(&mut self, from: Place, size: u32, covered: &[Range]) {
        let all = Range::at(from, size);
        let first = covered.partition_point(|range| range.end <= all.start);
        let (mut at, mut chunks) = (all.start, Vec::new());
        let inside = covered[first..].iter().take_while(|range| range.start < all.end);
        let ends = inside.copied().chain([Range { start: all.end, end: all.end }]);
        for range in ends {
            while at < range.start && chunks.len() <= MOST_CHUNKS {
                let most = 1 << (range.start - at).ilog2().min(3);
                let step = if at == 0 { most } else { most.min(1 << at.trailing_zeros()) };
                chunks.push(Range { start: at, end: at + step });
                at += step;
            }
            at = at.max(range.end);
        }
        if chunks.len() > MOST_CHUNKS {
            self.facts[from.slot].pins.push(all);
            return;
        }
        for chunk in chunks {
            let size = u64::from(chunk.end - chunk.start);
            if let Some(ty) = integer_of(size) {
                self.add(from.slot, chunk, ty, 0);
            }
        }
    }

    /// All bytes of a slot that anything looks at, in no order.
    fn ranges(&self, slot: Slot) -> Vec<Range> {
        let ways = self.ways[slot].iter().map(|way| way.range);
        let pins = self.facts[slot].pins.iter().copied();
        ways.chain(pins).filter(|range| range.start < range.end).collect()
    }

    /// The parts that a slot comes apart into.
    fn parts(&self, types: &TypePool, slot: Slot) -> Vec<Part> {
        let facts = &self.facts[slot];
        if facts.stay == Stay::Whole {
            return Vec::new();
        }
        let ranges = joined(self.ranges(slot));
        if ranges.len() > MOST_PARTS || ranges.len() * facts.bulk as usize > MOST_SET_PARTS {
            let all = Range { start: 0, end: facts.size };
            return vec![Part { range: all, ty: None }];
        }
        let mut ways: Vec<Vec<Way>> = vec![Vec::new(); ranges.len()];
        let part_of = |range: Range| ranges.partition_point(|part| part.end <= range.start);
        for way in &self.ways[slot] {
            ways[part_of(way.range)].push(*way);
        }
        let mut pinned = vec![false; ranges.len()];
        for pin in facts.pins.iter().filter(|pin| pin.start < pin.end) {
            pinned[part_of(*pin)] = true;
        }
        let part = |(index, &range): (usize, &Range)| {
            let ty = value_type(types, range, &ways[index], facts.bulk > 0);
            let ty = ty.filter(|_| !pinned[index]);
            Part { range, ty }
        };
        ranges.iter().enumerate().map(part).collect()
    }
}

/// Ranges with those that overlap made one, in ascending order.
fn joined(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_unstable_by_key(|range| (range.start, Reverse(range.end)));
    let mut joined: Vec<Range> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// The type of the value that bytes become which are accessed in those ways, and
/// perhaps by ops on many bytes as well.
fn value_type(types: &TypePool, range: Range, ways: &[Way], is_bulk: bool) -> Option<Type> {
    let whole: Vec<Way> = ways.iter().copied().filter(|way| way.range == range).collect();
    // The last of those accessed most often, in reverse: the first.
    let common = whole.iter().rev().max_by_key(|way| way.count)?;
    if whole.len() == ways.len() {
        let is_alone = whole.len() == 1 && !is_bulk;
        // Whoever else looks at a truth value sees all bits of its byte.
        let ty = if common.ty == Type::I1 && !is_alone { Type::I8 } else { common.ty };
        let fits = whole.iter().all(|way| converts(types, ty, way.ty));
        return fits.then_some(ty);
    }
    let vector = whole.iter().map(|way| way.ty).find(|ty| ty.is_vector());
    let integer = integer_of(size_of(types, common.ty));
    let carrier = vector.or(integer).unwrap_or(common.ty);
    let fits = ways
        .iter()
        .all(|way| contains_part(types, carrier, u64::from(way.range.start - range.start), way.ty));
    fits.then_some(carrier)
}
