//! What names mean in the libraries of an engine.
//!
//! A name means a definition, or nothing. Functions that code of a library has named, and that
//! the name does not mean there, stand beside that: nobody has defined them, not by that
//! signature, or another definition has taken their place. Whoever defines them later by the
//! signature that callers know revives them.

use std::sync::Arc;

use brolga_ir::module::Name;
use brolga_lifecycle::names::{
    LibraryId, Names, NamesError, Outcome, Strength, Texts, TrackerId, Visibility,
};
use rustc_hash::FxHashMap;

use super::functions::{Functions, with_name};
use super::symbols::{DataSymbol, Stay};

/// What a name of a library means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    /// The function of that number.
    Function(u32),
    /// The data object that stands at that place.
    Data(u32),
}

/// The same in a word: there may be very many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Packed(u32);

const DATA: u32 = 1 << 31;

impl From<Meaning> for Packed {
    fn from(meaning: Meaning) -> Packed {
        match meaning {
            Meaning::Function(number) => Packed(number & !DATA),
            Meaning::Data(place) => Packed(place | DATA),
        }
    }
}

impl From<Packed> for Meaning {
    fn from(Packed(word): Packed) -> Meaning {
        match word & DATA {
            0 => Meaning::Function(word),
            _ => Meaning::Data(word & !DATA),
        }
    }
}

/// Where definitions come in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home {
    /// The library.
    pub(crate) library: LibraryId,
    /// The key.
    pub(crate) tracker: TrackerId,
    /// Who sees them.
    pub(crate) visibility: Visibility,
}

/// Whoever knows what definitions are called.
#[derive(Debug)]
struct Known {
    functions: Arc<Functions>,
    data: Vec<Option<Arc<DataSymbol>>>,
}

impl Texts<Packed> for Known {
    fn with_text<R>(&self, meaning: &Packed, look: impl Fn(&str) -> R) -> R {
        match Meaning::from(*meaning) {
            Meaning::Function(number) => with_name(self.functions.entry(number), look),
            Meaning::Data(place) => {
                let data = self.data.get(place as usize).and_then(Option::as_deref);
                look(data.map_or("", |data| &data.name))
            }
        }
    }
}

/// What a definition has taken the place of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Replaced {
    /// An alias: whatever others stand for by way of that is something else now.
    Alias,
    /// Nothing, or another definition.
    NoAlias,
}

/// The names of an engine.
#[derive(Debug)]
pub(crate) struct Namespace {
    names: Names<Packed>,
    known: Known,
    free_data: Vec<u32>,
    /// Functions that code of a library has named, and that the name does not mean there.
    unclaimed: FxHashMap<LibraryId, FxHashMap<Name, Vec<u32>>>,
    main: Home,
}

/// The library that an engine has from the first.
pub(crate) const MAIN: &str = "main";

impl Namespace {
    /// The names of those functions, of which there are none yet.
    pub(super) fn new(functions: Arc<Functions>) -> Namespace {
        let (names, library, tracker) = Names::with_library(MAIN);
        let main = Home { library, tracker, visibility: Visibility::Exported };
        let known = Known { functions, data: Vec::new() };
        let (free_data, unclaimed) = (Vec::new(), FxHashMap::default());
        Namespace { names, known, free_data, unclaimed, main }
    }

    /// Where what comes in nowhere else does.
    pub(crate) fn main(&self) -> Home {
        self.main
    }

    /// Libraries, keys, and what they see. Definitions go by way of this namespace alone.
    pub(crate) fn libraries(&mut self) -> &mut Names<Packed> {
        &mut self.names
    }

    /// The name of a library; nothing for one that is gone.
    pub(crate) fn library_name(&self, library: LibraryId) -> &str {
        self.names.name_of(library).unwrap_or_default()
    }

    /// What a library sees, in order, itself first.
    pub(crate) fn order(&self, library: LibraryId) -> Vec<LibraryId> {
        self.names.order(library).map(|(library, _)| library).collect()
    }

    /// Whether there is such a library and key still.
    pub(crate) fn check(&self, home: Home) -> Result<(), NamesError> {
        self.names.library_of(home.tracker).map(drop)
    }

    /// Whether there is no name yet, which code may have named it or not.
    pub(super) fn is_blank(&self) -> bool {
        self.unclaimed.is_empty() && self.names.is_empty()
    }

    /// What a name means to the code of a library.
    pub(crate) fn meaning(&self, library: LibraryId, name: &str) -> Option<Meaning> {
        self.names.look_up(library, name, &self.known).map(Meaning::from)
    }

    /// The function that a name means to the code of a library.
    pub(crate) fn function(&self, library: LibraryId, name: &str) -> Option<u32> {
        match self.meaning(library, name)? {
            Meaning::Function(number) => Some(number),
            Meaning::Data(_) => None,
        }
    }

    /// The data object that a name means to the code of a library.
    pub(crate) fn data(&self, library: LibraryId, name: &str) -> Option<&Arc<DataSymbol>> {
        match self.meaning(library, name)? {
            Meaning::Data(place) => self.known.data.get(place as usize)?.as_ref(),
            Meaning::Function(_) => None,
        }
    }

    /// What a library itself defines by a name.
    pub(crate) fn own(&self, library: LibraryId, name: &str) -> Option<Meaning> {
        self.names.own(library, name, &self.known).copied().map(Meaning::from)
    }

    /// Where a name is by now that came in there: its key may have been handed on.
    pub(crate) fn home_by_now(&self, home: Home, name: &str) -> Home {
        let tracker = self.names.tracker_of(home.library, name, &self.known);
        Home { tracker: tracker.unwrap_or(home.tracker), ..home }
    }

    /// Whether a library has the name itself, be it as an alias.
    pub(super) fn has(&self, library: LibraryId, name: &str) -> bool {
        self.names.strength(library, name, &self.known).is_some()
    }

    /// Whether any library has the name.
    pub(crate) fn is_anywhere(&self, name: &str) -> bool {
        self.names.libraries().any(|library| self.has(library, name))
    }

    /// Functions that code of a library has named, and that the name does not mean there.
    pub(super) fn unclaimed(&self, library: LibraryId, name: &str) -> &[u32] {
        self.unclaimed.get(&library).and_then(|of| of.get(name)).map_or(&[], Vec::as_slice)
    }

    /// All of these, in every library: of that name, or of any.
    pub(crate) fn all_unclaimed(&self, name: Option<&str>) -> Vec<u32> {
        let of_library = self.unclaimed.values();
        match name {
            Some(name) => of_library.filter_map(|of| of.get(name)).flatten().copied().collect(),
            None => of_library.flat_map(|of| of.values()).flatten().copied().collect(),
        }
    }

    /// Whether there are none.
    pub(crate) fn is_all_claimed(&self) -> bool {
        self.unclaimed.is_empty()
    }

    /// Whether code of any library names a function that the name does not mean there.
    pub(crate) fn is_unclaimed_anywhere(&self, name: &str) -> bool {
        self.unclaimed.values().any(|of| of.contains_key(name))
    }

    /// Code of a library names a function that the name does not mean there.
    pub(crate) fn leave_unclaimed(&mut self, library: LibraryId, name: &str, number: u32) {
        let of = self.unclaimed.entry(library).or_default();
        match of.get_mut(name) {
            Some(numbers) if numbers.contains(&number) => {}
            // The latest first.
            Some(numbers) => numbers.insert(0, number),
            None => drop(of.insert(name.into(), vec![number])),
        }
    }

    fn claim(&mut self, library: LibraryId, name: &str, number: u32) {
        let Some(of) = self.unclaimed.get_mut(&library) else { return };
        let Some(numbers) = of.get_mut(name) else { return };
        numbers.retain(|&other| other != number);
        if numbers.is_empty() {
            of.remove(name);
        }
        if of.is_empty() {
            self.unclaimed.remove(&library);
        }
    }

    /// Makes room for so many names.
    pub(super) fn reserve(&mut self, home: Home, count: usize) {
        self.names.reserve(home.tracker, count, &self.known);
    }

    /// Has a name mean a function from now on, which knows its name. What it has meant is left
    /// unclaimed: those who call it by its signature go on to do so.
    pub(super) fn define_function(
        &mut self,
        home: Home,
        name: &str,
        number: u32,
    ) -> Result<Replaced, NamesError> {
        let is_alias = self.names.has_aliases(home.library) && self.is_alias(home.library, name);
        let old = self.define(home, name, Meaning::Function(number))?;
        self.claim(home.library, name, number);
        if let Some(Meaning::Function(old)) = old.filter(|&old| old != Meaning::Function(number)) {
            self.leave_unclaimed(home.library, name, old);
        }
        Ok(if is_alias { Replaced::Alias } else { Replaced::NoAlias })
    }

    /// Has a name mean a data object from now on.
    pub(super) fn define_data(
        &mut self,
        home: Home,
        data: &Arc<DataSymbol>,
    ) -> Result<(), NamesError> {
        let place = self.free_data.pop().unwrap_or(self.known.data.len() as u32);
        let data = Arc::clone(data);
        let name = data.name.clone();
        match self.known.data.get_mut(place as usize) {
            Some(free) => *free = Some(data),
            None => self.known.data.push(Some(data)),
        }
        let defined = self.define(home, &name, Meaning::Data(place));
        if defined.is_err() {
            self.free_place(place);
        }
        defined.map(drop)
    }

    fn define(
        &mut self,
        Home { tracker, visibility, .. }: Home,
        name: &str,
        meaning: Meaning,
    ) -> Result<Option<Meaning>, NamesError> {
        let new = (name, meaning.into());
        let outcome = self.names.define(tracker, new, visibility, Strength::Strong, &self.known)?;
        Ok(match outcome {
            Outcome::Added | Outcome::Kept(_) => None,
            Outcome::Replaced(old) => Some(old.into()),
        })
    }

    /// Makes a name stand for another one; gives what it meant.
    pub(crate) fn alias(
        &mut self,
        home: Home,
        name: &str,
        target: (LibraryId, &str),
    ) -> Result<Option<Meaning>, NamesError> {
        let Home { tracker, visibility, .. } = home;
        Ok(match self.names.alias(tracker, name, target, visibility, &self.known)? {
            Outcome::Added | Outcome::Kept(_) => None,
            Outcome::Replaced(old) => Some(old.into()),
        })
    }

    fn is_alias(&self, library: LibraryId, name: &str) -> bool {
        self.own(library, name).is_none() && self.has(library, name)
    }

    /// Takes an alias out; tells whether there was one.
    pub(crate) fn remove_alias(&mut self, library: LibraryId, name: &str) -> bool {
        self.is_alias(library, name) && self.names.remove(library, name, &self.known).is_ok()
    }

    /// Takes the definition of a name out, though code may go on to name the function.
    pub(super) fn take_function(&mut self, library: LibraryId, name: &str, number: u32) -> bool {
        self.names.take(library, name, &Meaning::Function(number).into())
    }

    /// Whoever names that function from now on gets another. So a name never leads to a number
    /// that is given again.
    pub(crate) fn unname(&mut self, library: LibraryId, name: &str, number: u32) {
        self.take_function(library, name, number);
        self.claim(library, name, number);
    }

    /// Whether a data object stays as long as the engine.
    pub(crate) fn is_kept(&self, place: u32) -> bool {
        let data = self.known.data.get(place as usize).and_then(Option::as_deref);
        data.is_some_and(|data| data.stay == Stay::Forever)
    }

    /// The name of what a name means.
    pub(crate) fn text(&self, meaning: Meaning) -> Box<str> {
        self.known.with_text(&meaning.into(), |text| text.into())
    }

    /// A data object is gone, and so is what its name meant, if it meant that.
    pub(crate) fn forget_data(&mut self, data: &Arc<DataSymbol>) {
        let Some(Meaning::Data(place)) = self.own(data.library, &data.name) else { return };
        let found = self.known.data.get(place as usize).and_then(Option::as_ref);
        if found.is_some_and(|found| Arc::ptr_eq(found, data)) {
            self.names.take(data.library, &data.name, &Meaning::Data(place).into());
            self.free_place(place);
        }
    }

    /// What came in under a key, which is nobody's name any more.
    pub(crate) fn remove_tracker(&mut self, tracker: TrackerId) -> Result<Vec<Packed>, NamesError> {
        self.names.remove_tracker(tracker, &self.known)
    }

    /// The data object of a name that was taken out.
    pub(crate) fn take_data(&mut self, place: u32) -> Option<Arc<DataSymbol>> {
        let data = self.known.data.get_mut(place as usize)?.take();
        self.free_data.push(place);
        data
    }

    fn free_place(&mut self, place: u32) {
        drop(self.take_data(place));
    }
}
