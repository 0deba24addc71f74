//! Which definition a name means in a library, and under which key it came in.
//!
//! A library is a namespace. It sees its own names, and then, in the order in which they were
//! linked to it, those of other libraries: what they export, and, if it asks for more, what they
//! hide. It sees what these are linked to only if they re-export it, by aliases: an order of
//! linking is a list, not a graph.
//!
//! Nothing here has a lock: the engine holds one over all names, for as long as a question
//! takes. What a definition is, is the engine's: whatever is given back is to be dropped outside.
//! So is its name, which its source has: a hundred thousand functions that are defined and never
//! called take a few bytes each here.

mod library;
mod removal;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;
use thiserror::Error;

use library::{Alias, Entry, Library, Own};

/// Who knows the names of definitions.
pub trait Texts<T> {
    /// Shows the name of a definition, which it has as long as it is one.
    fn with_text<R>(&self, definition: &T, look: impl Fn(&str) -> R) -> R;
}

/// A library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LibraryId(u64);

/// A key under which definitions come in, and by which they are removed together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TrackerId(u64);

/// Who sees a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Visibility {
    /// Whoever is linked to the library.
    Exported,
    /// The library itself, and whoever asks for all.
    Hidden,
}

/// What a definition does where the library has the name already.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strength {
    /// It takes its place.
    Strong,
    /// It gives way.
    Weak,
}

/// How much of a library another one sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reach {
    /// What it exports.
    Exports,
    /// What it hides, too.
    All,
}

/// Why a change of names is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NamesError {
    /// There is no such library, or no more.
    #[error("the library has been removed")]
    NoLibrary(LibraryId),
    /// There is no such key, or no more.
    #[error("the tracker has been removed")]
    NoTracker(TrackerId),
    /// The key is of another library.
    #[error("the tracker belongs to another library")]
    ForeignTracker(TrackerId),
    /// Another library has that name.
    #[error("there is a library `{0}` already")]
    Taken(Box<str>),
    /// The name would stand for itself, by way of these.
    #[error("the alias would stand for itself: @{}", .0.join(" -> @"))]
    Circle(Vec<Box<str>>),
    /// There is no such name to stand for.
    #[error("nothing is named @{0}")]
    Unknown(Box<str>),
}

/// What became of a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<T> {
    /// The name is new.
    Added,
    /// The name meant this before.
    Replaced(T),
    /// The library has the name, and the definition, which is given back, is weak.
    Kept(T),
}

/// What came in under a key. Places may have become those of others since.
#[derive(Debug)]
struct Tracker {
    library: LibraryId,
    places: Vec<u32>,
    /// When so many places are listed, those of others go.
    bound: usize,
    aliases: BTreeSet<Box<str>>,
}

/// Places that are listed before any are looked through.
const FEW_PLACES: usize = 16;

impl Tracker {
    fn new(library: LibraryId) -> Tracker {
        Tracker { library, places: Vec::new(), bound: FEW_PLACES, aliases: BTreeSet::new() }
    }
}

/// The names of all libraries of an engine, which mean values of `T`.
#[derive(Debug)]
pub struct Names<T> {
    libraries: BTreeMap<LibraryId, Library<T>>,
    trackers: BTreeMap<TrackerId, Tracker>,
    numbers: u64,
    hasher: DefaultHashBuilder,
}

impl<T> Default for Names<T> {
    fn default() -> Names<T> {
        Names {
            libraries: BTreeMap::new(),
            trackers: BTreeMap::new(),
            numbers: 0,
            hasher: DefaultHashBuilder::default(),
        }
    }
}

/// Libraries and keys.
impl<T: Clone + PartialEq> Names<T> {
    /// No library.
    pub fn new() -> Names<T> {
        Names::default()
    }

    /// One library, with its main key.
    pub fn with_library(name: &str) -> (Names<T>, LibraryId, TrackerId) {
        let mut names = Names::new();
        let (id, main) = names.enter_library(name);
        (names, id, main)
    }

    /// Numbers are not given twice: a handle to what is gone means nothing else later.
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// A library of that name, which sees nothing yet.
    ///
    /// # Errors
    /// If there is one.
    pub fn add_library(&mut self, name: &str) -> Result<LibraryId, NamesError> {
        if self.library_named(name).is_some() {
            return Err(NamesError::Taken(name.into()));
        }
        Ok(self.enter_library(name).0)
    }

    fn enter_library(&mut self, name: &str) -> (LibraryId, TrackerId) {
        let id = LibraryId(self.number());
        let main = self.new_tracker(id);
        self.libraries.insert(id, Library::new(name, main));
        (id, main)
    }

    /// The library of that name.
    pub fn library_named(&self, name: &str) -> Option<LibraryId> {
        let found = self.libraries.iter().find(|(_, library)| *library.name == *name);
        found.map(|(&id, _)| id)
    }

    /// A key for definitions of that library.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn add_tracker(&mut self, library: LibraryId) -> Result<TrackerId, NamesError> {
        self.library(library)?;
        Ok(self.new_tracker(library))
    }

    fn new_tracker(&mut self, library: LibraryId) -> TrackerId {
        let id = TrackerId(self.number());
        self.trackers.insert(id, Tracker::new(library));
        id
    }

    /// The key under which a library takes what comes under no other.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn main_tracker(&self, library: LibraryId) -> Result<TrackerId, NamesError> {
        Ok(self.library(library)?.main)
    }

    /// The library of a key.
    ///
    /// # Errors
    /// If there is no such key.
    pub fn library_of(&self, tracker: TrackerId) -> Result<LibraryId, NamesError> {
        Ok(self.tracker(tracker)?.library)
    }

    /// Lets a library see another, behind those that it sees already. One that it sees is moved
    /// to the end.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn link(
        &mut self,
        library: LibraryId,
        other: LibraryId,
        reach: Reach,
    ) -> Result<(), NamesError> {
        self.library(other)?;
        self.unlink(library, other)?;
        self.library_mut(library)?.order.push((other, reach));
        Ok(())
    }

    /// Lets a library see another no more.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn unlink(&mut self, library: LibraryId, other: LibraryId) -> Result<(), NamesError> {
        self.library_mut(library)?.order.retain(|&(seen, _)| seen != other);
        Ok(())
    }

    fn library(&self, id: LibraryId) -> Result<&Library<T>, NamesError> {
        self.libraries.get(&id).ok_or(NamesError::NoLibrary(id))
    }

    fn library_mut(&mut self, id: LibraryId) -> Result<&mut Library<T>, NamesError> {
        self.libraries.get_mut(&id).ok_or(NamesError::NoLibrary(id))
    }

    fn tracker(&self, id: TrackerId) -> Result<&Tracker, NamesError> {
        self.trackers.get(&id).ok_or(NamesError::NoTracker(id))
    }

    fn hash(&self, name: &str) -> u64 {
        self.hasher.hash_one(name)
    }

    /// Bytes of the heap that grow with the count of names.
    #[cfg(all(test, not(any(loom, shuttle))))]
    pub(crate) fn bytes(&self) -> usize {
        let listed = self.trackers.values().map(|it| it.places.capacity() * size_of::<u32>());
        self.libraries.values().map(Library::bytes).sum::<usize>() + listed.sum::<usize>()
    }
}

/// Definitions.
impl<T: Clone + PartialEq> Names<T> {
    /// Makes room for so many names under a key.
    pub fn reserve(&mut self, tracker: TrackerId, count: usize, texts: &impl Texts<T>) {
        let library = self.trackers.get(&tracker).map(|it| it.library);
        if let Some(library) = library.and_then(|id| self.libraries.get_mut(&id)) {
            library.reserve(&self.hasher, count, texts);
        }
    }

    /// Whether a library has any names that stand for others.
    pub fn has_aliases(&self, library: LibraryId) -> bool {
        self.libraries.get(&library).is_some_and(|library| !library.aliases.is_empty())
    }

    /// Gives a name its definition, which knows that name already.
    ///
    /// # Errors
    /// If there is no such key.
    pub fn define(
        &mut self,
        tracker: TrackerId,
        (name, definition): (&str, T),
        visibility: Visibility,
        strength: Strength,
        texts: &impl Texts<T>,
    ) -> Result<Outcome<T>, NamesError> {
        let id = self.tracker(tracker)?.library;
        let hash = self.hash(name);
        let library = self.libraries.get_mut(&id).ok_or(NamesError::NoLibrary(id))?;
        let place = library.place(hash, name, texts);
        let is_main = library.main == tracker;
        let is_taken = place.is_some() || library.aliases.contains_key(name);
        // Of two weak definitions the first stays.
        if is_taken && strength == Strength::Weak {
            return Ok(Outcome::Kept(definition));
        }
        let alias = library.aliases.remove_entry(name);
        let entry = Entry { definition, tracker, visibility, strength };
        let (place, old) = match place {
            Some(place) => (place, library.replace(place, entry)),
            None => (library.insert(&self.hasher, hash, entry, texts), None),
        };
        if let Some((name, Alias { tracker, .. })) = alias
            && let Some(of) = self.trackers.get_mut(&tracker)
        {
            of.aliases.remove(&name);
        }
        if !is_main {
            self.note(tracker, place);
        }
        Ok(old.map_or(Outcome::Added, |old| Outcome::Replaced(old.definition)))
    }

    /// Lists a place under a key other than the main one of a library: what has that, the library
    /// itself knows.
    fn note(&mut self, tracker: TrackerId, place: u32) {
        let Some(of) = self.trackers.get_mut(&tracker) else { return };
        if of.places.len() >= of.bound
            && let Some(library) = self.libraries.get_mut(&of.library)
        {
            of.places.retain(|&place| library.entry_of(place, tracker).is_some());
            of.places.sort_unstable();
            of.places.dedup();
            of.bound = (2 * of.places.len()).max(FEW_PLACES);
        }
        of.places.push(place);
    }

    /// Makes a name of the key's library stand for one of another library, or of the same:
    /// whatever that comes to mean. So a library re-exports what it is linked to.
    ///
    /// # Errors
    /// If there is no such key, library or name, or it stands for this one.
    pub fn alias(
        &mut self,
        tracker: TrackerId,
        name: &str,
        target: (LibraryId, &str),
        visibility: Visibility,
        texts: &impl Texts<T>,
    ) -> Result<Outcome<T>, NamesError> {
        let id = self.tracker(tracker)?.library;
        self.check_alias((id, name), target, texts)?;
        let hash = self.hash(name);
        let library = self.library_mut(id)?;
        let old = library.place(hash, name, texts).and_then(|place| library.take(hash, place));
        let alias = Alias { target: (target.0, target.1.into()), visibility, tracker };
        let other = library.aliases.insert(name.into(), alias);
        if let Some(of) = other.and_then(|other| self.trackers.get_mut(&other.tracker)) {
            of.aliases.remove(name);
        }
        if let Some(of) = self.trackers.get_mut(&tracker) {
            of.aliases.insert(name.into());
        }
        Ok(old.map_or(Outcome::Added, |old| Outcome::Replaced(old.definition)))
    }

    /// Follows what the target of a new alias stands for.
    fn check_alias(
        &self,
        alias: (LibraryId, &str),
        target: (LibraryId, &str),
        texts: &impl Texts<T>,
    ) -> Result<(), NamesError> {
        let mut way: Vec<Box<str>> = vec![alias.1.into()];
        let mut at = target;
        loop {
            way.push(at.1.into());
            if at == alias {
                return Err(NamesError::Circle(way));
            }
            match self.library(at.0)?.own(self.hash(at.1), at.1, texts) {
                None => return Err(NamesError::Unknown(at.1.into())),
                Some(Own::Definition(_)) => return Ok(()),
                Some(Own::Alias(alias)) => at = (alias.target.0, &alias.target.1),
            }
        }
    }

    /// Whether no library has any name.
    pub fn is_empty(&self) -> bool {
        self.libraries.values().all(Library::is_empty)
    }

    /// What a name means to the code of a library.
    pub fn look_up(&self, library: LibraryId, name: &str, texts: &impl Texts<T>) -> Option<T> {
        let hash = self.hash(name);
        self.order(library).find_map(|(id, reach)| self.meaning(id, (hash, name), reach, texts))
    }

    /// What a name means to those who are linked to a library.
    pub fn exported(&self, library: LibraryId, name: &str, texts: &impl Texts<T>) -> Option<T> {
        self.meaning(library, (self.hash(name), name), Reach::Exports, texts)
    }

    fn meaning(
        &self,
        library: LibraryId,
        (mut hash, mut name): (u64, &str),
        reach: Reach,
        texts: &impl Texts<T>,
    ) -> Option<T> {
        let is_seen = |visibility| visibility == Visibility::Exported || reach == Reach::All;
        let mut own = self.libraries.get(&library)?.own(hash, name, texts)?;
        let visibility = match &own {
            Own::Definition(entry) => entry.visibility,
            Own::Alias(alias) => alias.visibility,
        };
        if !is_seen(visibility) {
            return None;
        }
        // Aliases lead to no circle: each was followed to its end when it was entered, through
        // those whose target is gone, too.
        loop {
            match own {
                Own::Definition(entry) => return Some(entry.definition.clone()),
                Own::Alias(alias) => {
                    (hash, name) = (self.hash(&alias.target.1), &alias.target.1);
                    own = self.libraries.get(&alias.target.0)?.own(hash, name, texts)?;
                }
            }
        }
    }

    /// What a library itself defines by a name, which is no alias.
    pub fn own(&self, library: LibraryId, name: &str, texts: &impl Texts<T>) -> Option<&T> {
        match self.libraries.get(&library)?.own(self.hash(name), name, texts)? {
            Own::Definition(entry) => Some(&entry.definition),
            Own::Alias(_) => None,
        }
    }

    /// The key under which a library's own name is by now.
    pub fn tracker_of(
        &self,
        library: LibraryId,
        name: &str,
        texts: &impl Texts<T>,
    ) -> Option<TrackerId> {
        Some(match self.libraries.get(&library)?.own(self.hash(name), name, texts)? {
            Own::Definition(entry) => entry.tracker,
            Own::Alias(alias) => alias.tracker,
        })
    }

    /// What a library defines, in no order.
    pub fn definitions(&self, library: LibraryId) -> impl Iterator<Item = &T> {
        self.libraries.get(&library).into_iter().flat_map(Library::definitions)
    }

    /// All libraries.
    pub fn libraries(&self) -> impl Iterator<Item = LibraryId> + '_ {
        self.libraries.keys().copied()
    }

    /// The name of a library.
    pub fn name_of(&self, library: LibraryId) -> Option<&str> {
        self.libraries.get(&library).map(|library| &*library.name)
    }

    /// What a library sees, in order: itself, then what it is linked to.
    pub fn order(&self, library: LibraryId) -> impl Iterator<Item = (LibraryId, Reach)> + '_ {
        let linked = self.libraries.get(&library).into_iter().flat_map(|it| it.order.iter());
        std::iter::once((library, Reach::All)).chain(linked.copied())
    }

    /// Whether a library's own definition of a name is weak.
    pub fn strength(
        &self,
        library: LibraryId,
        name: &str,
        texts: &impl Texts<T>,
    ) -> Option<Strength> {
        Some(match self.libraries.get(&library)?.own(self.hash(name), name, texts)? {
            Own::Definition(entry) => entry.strength,
            Own::Alias(_) => Strength::Strong,
        })
    }
}
