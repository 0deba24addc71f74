//! Whether two locations share a byte.

use brolga_ir::entity::{AliasClass, EntityRef, PackedOption, ScopeSet};

use super::{Accesses, Base, Location};

/// What two locations have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Overlap {
    /// No byte, ever.
    Never,
    /// Some bytes, or none.
    Maybe,
    /// The same bytes, each time.
    Same,
}

impl Accesses {
    /// What two locations have in common, of the same round of every loop.
    pub fn overlap(&self, one: &Location, other: &Location) -> Overlap {
        if one.volatile && other.volatile {
            return Overlap::Maybe;
        }
        if self.are_apart(one.base, other.base) || self.promise_apart(one, other) {
            return Overlap::Never;
        }
        match one.distance(other) {
            Some(distance) => at_distance(one, other, distance),
            None => Overlap::Maybe,
        }
    }

    /// Whether addresses that were made from these never meet.
    fn are_apart(&self, one: Base, other: Base) -> bool {
        match (one, other) {
            (Base::Nowhere, _) | (_, Base::Nowhere) => false,
            (Base::Slot(_) | Base::Fresh(_), Base::Slot(_) | Base::Fresh(_)) => one != other,
            (Base::Slot(_) | Base::Fresh(_), Base::Data(_) | Base::Argument) => true,
            (Base::Data(_) | Base::Argument, Base::Slot(_) | Base::Fresh(_)) => true,
            (Base::Data(a), Base::Data(b)) => a != b && self.data[a].alone && self.data[b].alone,
            (own @ (Base::Slot(_) | Base::Fresh(_)), Base::Outside)
            | (Base::Outside, own @ (Base::Slot(_) | Base::Fresh(_))) => {
                self.escapes.is_private(own)
            }
            _ => false,
        }
    }

    /// Whether the two say of each other that they do not overlap.
    fn promise_apart(&self, one: &Location, other: &Location) -> bool {
        let classes = one.class.expand().zip(other.class.expand());
        classes.is_some_and(|(a, b)| !self.is_below(a, b) && !self.is_below(b, a))
            || self.scopes_meet(one.no_alias, other.scopes)
            || self.scopes_meet(other.no_alias, one.scopes)
    }

    fn is_below(&self, below: AliasClass, above: AliasClass) -> bool {
        let parent = |&class: &AliasClass| self.parents[class].expand();
        std::iter::successors(Some(below), parent).any(|class| class == above)
    }

    fn scopes_meet(&self, one: PackedOption<ScopeSet>, other: PackedOption<ScopeSet>) -> bool {
        let members = |set: PackedOption<ScopeSet>| {
            let set = set.expand().and_then(|set| self.scopes.get(set.index()));
            set.map_or(&[][..], |scopes| scopes)
        };
        // The members of a set are in ascending order.
        let (one, other) = (members(one), members(other));
        one.iter().any(|scope| other.binary_search(scope).is_ok())
    }
}

/// What two locations have in common that begin at that distance.
fn at_distance(one: &Location, other: &Location, distance: i64) -> Overlap {
    let forward = distance as u64;
    let (Some(size), Some(other_size)) = (one.size, other.size) else {
        return Overlap::Maybe;
    };
    // Addresses wrap, and so does the way from the one to the other.
    if size == 0 || other_size == 0 || (forward >= size && forward.wrapping_neg() >= other_size) {
        return Overlap::Never;
    }
    if forward == 0 && size == other_size { Overlap::Same } else { Overlap::Maybe }
}
