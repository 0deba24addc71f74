//! Locations of code that was taken over: each goes on with the call that it
//! came by.

use brolga_ir::body::{Body, LocData, TEXT_FILE};
use brolga_ir::entity::{Loc, PackedOption};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The locations of a callee in its caller.
#[derive(Debug)]
pub(super) struct Locations {
    /// The name of the callee, by its index in the module's strings.
    name: u32,
    /// The call.
    site: PackedOption<Loc>,
    known: FxHashMap<Loc, Loc>,
    /// That of what has none in the callee.
    unknown: PackedOption<Loc>,
}

/// A line that is not known, of code with those facts.
fn unknown_line(function: Option<u32>, inlined_at: PackedOption<Loc>) -> LocData {
    LocData { file: TEXT_FILE, line: 0, column: 0, function, inlined_at }
}

impl Locations {
    /// Those of the callee of that name, which a call at `site` calls.
    pub(super) fn new(name: u32, site: PackedOption<Loc>) -> Locations {
        Locations { name, site, known: FxHashMap::default(), unknown: None.into() }
    }

    /// The location of the call itself, made if it has none.
    fn site(&mut self, caller: &mut Body) -> Loc {
        match self.site.expand() {
            Some(site) => site,
            None => {
                let made = caller.make_loc(unknown_line(None, None.into()));
                self.site = made.into();
                made
            }
        }
    }

    /// What a location of the callee is in the caller.
    pub(super) fn of(
        &mut self,
        callee: &Body,
        caller: &mut Body,
        loc: PackedOption<Loc>,
    ) -> PackedOption<Loc> {
        let Some(loc) = loc.expand() else { return self.of_unknown(caller) };
        if let Some(&known) = self.known.get(&loc) {
            return known.into();
        }
        // From the outermost location that is not known yet inwards.
        let mut chain: SmallVec<[Loc; 4]> = SmallVec::new();
        let mut at = Some(loc);
        while let Some(loc) = at.filter(|loc| !self.known.contains_key(loc)) {
            chain.push(loc);
            at = callee.loc_data(loc).and_then(|data| data.inlined_at.expand());
            // A location leads to one made before: no chain is a cycle.
            at = at.filter(|&outer| outer < loc);
        }
        while let Some(loc) = chain.pop() {
            let data = callee.loc_data(loc).copied();
            let data = data.unwrap_or_else(|| unknown_line(None, None.into()));
            let outer = data.inlined_at.expand().and_then(|outer| self.known.get(&outer).copied());
            let inlined_at = outer.unwrap_or_else(|| self.site(caller)).into();
            let function = data.function.or(Some(self.name));
            self.known.insert(loc, caller.make_loc(LocData { function, inlined_at, ..data }));
        }
        self.known.get(&loc).copied().into()
    }

    fn of_unknown(&mut self, caller: &mut Body) -> PackedOption<Loc> {
        if self.unknown.is_none() {
            let inlined_at = self.site(caller).into();
            let function = Some(self.name);
            self.unknown = caller.make_loc(unknown_line(function, inlined_at)).into();
        }
        self.unknown
    }
}
