//! Which definition a name means in a library, and under which key it came in.
//!
//! A library is a namespace. It sees its own names, and then, in the order in which they were
//! linked to it, those of other libraries: what they export, and, if it asks for more, what they
//! hide. It sees what these are linked to only if they re-export it, by aliases: an order of
//! linking is a list, not a graph.
//!
//! Nothing here has a lock: the engine holds one over all names, for as long as a question
//! takes. What a definition is, is the engine's: whatever is given back is to be dropped outside.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

/// A library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LibraryId(u32);

/// A key under which definitions come in, and by which they are removed together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TrackerId(u32);

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

/// What a name stands for.
#[derive(Clone, Debug)]
enum Meaning<T> {
    Definition(T),
    Alias(LibraryId, Box<str>),
}

#[derive(Clone, Debug)]
struct Symbol<T> {
    meaning: Meaning<T>,
    visibility: Visibility,
    strength: Strength,
    tracker: TrackerId,
}

#[derive(Debug)]
struct Library<T> {
    name: Box<str>,
    symbols: BTreeMap<Box<str>, Symbol<T>>,
    order: Vec<(LibraryId, Reach)>,
    main: TrackerId,
}

#[derive(Debug)]
struct Tracker {
    library: LibraryId,
    names: BTreeSet<Box<str>>,
}

/// The names of all libraries of an engine, which mean values of `T`.
#[derive(Debug)]
pub struct Names<T> {
    libraries: BTreeMap<LibraryId, Library<T>>,
    trackers: BTreeMap<TrackerId, Tracker>,
    numbers: u32,
}

impl<T> Default for Names<T> {
    fn default() -> Names<T> {
        Names { libraries: BTreeMap::new(), trackers: BTreeMap::new(), numbers: 0 }
    }
}

impl<T: Clone> Names<T> {
    /// No library.
    pub fn new() -> Names<T> {
        Names::default()
    }

    /// Numbers are not given twice: a handle to what is gone means nothing else later.
    fn number(&mut self) -> u32 {
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
        let id = LibraryId(self.number());
        let main = self.new_tracker(id);
        let (symbols, order) = (BTreeMap::new(), Vec::new());
        self.libraries.insert(id, Library { name: name.into(), symbols, order, main });
        Ok(id)
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
        self.trackers.insert(id, Tracker { library, names: BTreeSet::new() });
        id
    }

    /// The key under which a library takes what comes under no other.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn main_tracker(&self, library: LibraryId) -> Result<TrackerId, NamesError> {
        Ok(self.library(library)?.main)
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

    /// Gives a name its definition.
    ///
    /// # Errors
    /// If there is no such key.
    pub fn define(
        &mut self,
        tracker: TrackerId,
        name: &str,
        definition: T,
        visibility: Visibility,
        strength: Strength,
    ) -> Result<Outcome<T>, NamesError> {
        let library = self.tracker(tracker)?.library;
        let present = self.library(library)?.symbols.get(name);
        // Of two weak definitions the first stays.
        if present.is_some() && strength == Strength::Weak {
            return Ok(Outcome::Kept(definition));
        }
        let meaning = Meaning::Definition(definition);
        let symbol = Symbol { meaning, visibility, strength, tracker };
        let old = self.enter(library, name, symbol)?;
        Ok(match old {
            Some(Symbol { meaning: Meaning::Definition(old), .. }) => Outcome::Replaced(old),
            _ => Outcome::Added,
        })
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
    ) -> Result<Outcome<T>, NamesError> {
        let library = self.tracker(tracker)?.library;
        self.check_alias((library, name), target)?;
        let meaning = Meaning::Alias(target.0, target.1.into());
        let symbol = Symbol { meaning, visibility, strength: Strength::Strong, tracker };
        let old = self.enter(library, name, symbol)?;
        Ok(match old {
            Some(Symbol { meaning: Meaning::Definition(old), .. }) => Outcome::Replaced(old),
            _ => Outcome::Added,
        })
    }

    /// Follows what the target of a new alias stands for.
    fn check_alias(
        &self,
        alias: (LibraryId, &str),
        target: (LibraryId, &str),
    ) -> Result<(), NamesError> {
        let mut way: Vec<Box<str>> = vec![alias.1.into()];
        let mut at = target;
        loop {
            way.push(at.1.into());
            if at == alias {
                return Err(NamesError::Circle(way));
            }
            match self.library(at.0)?.symbols.get(at.1) {
                None => return Err(NamesError::Unknown(at.1.into())),
                Some(Symbol { meaning: Meaning::Definition(_), .. }) => return Ok(()),
                Some(Symbol { meaning: Meaning::Alias(library, name), .. }) => {
                    at = (*library, name);
                }
            }
        }
    }

    fn enter(
        &mut self,
        library: LibraryId,
        name: &str,
        symbol: Symbol<T>,
    ) -> Result<Option<Symbol<T>>, NamesError> {
        let tracker = symbol.tracker;
        let old = self.library_mut(library)?.symbols.insert(name.into(), symbol);
        if let Some(old) = &old
            && let Some(of) = self.trackers.get_mut(&old.tracker)
        {
            of.names.remove(name);
        }
        if let Some(of) = self.trackers.get_mut(&tracker) {
            of.names.insert(name.into());
        }
        Ok(old)
    }

    /// What a name means to the code of a library.
    pub fn look_up(&self, library: LibraryId, name: &str) -> Option<T> {
        let own = self.libraries.get(&library)?;
        let places = std::iter::once((library, Reach::All)).chain(own.order.iter().copied());
        places.filter_map(|(id, reach)| self.meaning(id, name, reach)).next()
    }

    /// What a name means to those who are linked to a library.
    pub fn exported(&self, library: LibraryId, name: &str) -> Option<T> {
        self.meaning(library, name, Reach::Exports)
    }

    fn meaning(&self, library: LibraryId, name: &str, reach: Reach) -> Option<T> {
        let mut symbol = self.libraries.get(&library)?.symbols.get(name)?;
        if symbol.visibility == Visibility::Hidden && reach == Reach::Exports {
            return None;
        }
        // Aliases lead to no circle: each was followed to its end when it was entered, through
        // those whose target is gone, too.
        loop {
            match &symbol.meaning {
                Meaning::Definition(definition) => return Some(definition.clone()),
                Meaning::Alias(library, name) => {
                    symbol = self.libraries.get(library)?.symbols.get(name)?;
                }
            }
        }
    }

    /// Whether a library's own definition of a name is weak.
    pub fn strength(&self, library: LibraryId, name: &str) -> Option<Strength> {
        Some(self.libraries.get(&library)?.symbols.get(name)?.strength)
    }

    /// Takes one name out of a library, and gives its definition if it was not an alias.
    ///
    /// # Errors
    /// If there is no such library or name.
    pub fn remove(&mut self, library: LibraryId, name: &str) -> Result<Option<T>, NamesError> {
        let gone = self.library_mut(library)?.symbols.remove(name);
        let symbol = gone.ok_or_else(|| NamesError::Unknown(name.into()))?;
        if let Some(of) = self.trackers.get_mut(&symbol.tracker) {
            of.names.remove(name);
        }
        Ok(match symbol.meaning {
            Meaning::Definition(definition) => Some(definition),
            Meaning::Alias(..) => None,
        })
    }

    /// Takes out what came in under a key, and the key; gives the definitions, by name. The main
    /// key of a library stays, for what comes next.
    ///
    /// # Errors
    /// If there is no such key.
    pub fn remove_tracker(&mut self, tracker: TrackerId) -> Result<Vec<(Box<str>, T)>, NamesError> {
        let library = self.tracker(tracker)?.library;
        let names = match self.library(library)?.main == tracker {
            true => self.trackers.get_mut(&tracker).map(|of| std::mem::take(&mut of.names)),
            false => self.trackers.remove(&tracker).map(|of| of.names),
        };
        let mut removed = Vec::new();
        let symbols = &mut self.library_mut(library)?.symbols;
        for name in names.unwrap_or_default() {
            if let Some(Symbol { meaning: Meaning::Definition(definition), .. }) =
                symbols.remove(&name)
            {
                removed.push((name, definition));
            }
        }
        Ok(removed)
    }

    /// Puts what came in under one key under another of the same library. The first is gone
    /// behind it, unless it is the library's main one.
    ///
    /// # Errors
    /// If there is no such key, or they are of two libraries.
    pub fn transfer(&mut self, from: TrackerId, to: TrackerId) -> Result<(), NamesError> {
        let library = self.tracker(from)?.library;
        if self.tracker(to)?.library != library {
            return Err(NamesError::ForeignTracker(to));
        }
        if from == to {
            return Ok(());
        }
        let is_main = self.library(library)?.main == from;
        let names = match self.trackers.get_mut(&from) {
            Some(of) => std::mem::take(&mut of.names),
            None => BTreeSet::new(),
        };
        let symbols = &mut self.library_mut(library)?.symbols;
        for name in &names {
            if let Some(symbol) = symbols.get_mut(name) {
                symbol.tracker = to;
            }
        }
        if let Some(of) = self.trackers.get_mut(&to) {
            of.names.extend(names);
        }
        if !is_main {
            self.trackers.remove(&from);
        }
        Ok(())
    }

    /// Takes everything out of a library, which stays, as do what it sees and its keys; gives
    /// the definitions, by name.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn clear(&mut self, library: LibraryId) -> Result<Vec<(Box<str>, T)>, NamesError> {
        let symbols = std::mem::take(&mut self.library_mut(library)?.symbols);
        for tracker in self.trackers.values_mut().filter(|tracker| tracker.library == library) {
            tracker.names.clear();
        }
        Ok(definitions(symbols))
    }

    /// Takes a library out; nobody sees it any more. Gives the definitions, by name.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn remove_library(&mut self, library: LibraryId) -> Result<Vec<(Box<str>, T)>, NamesError> {
        let gone = self.libraries.remove(&library).ok_or(NamesError::NoLibrary(library))?;
        self.trackers.retain(|_, tracker| tracker.library != library);
        for other in self.libraries.values_mut() {
            other.order.retain(|&(seen, _)| seen != library);
        }
        Ok(definitions(gone.symbols))
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
}

fn definitions<T>(symbols: BTreeMap<Box<str>, Symbol<T>>) -> Vec<(Box<str>, T)> {
    let those = symbols.into_iter().filter_map(|(name, symbol)| match symbol.meaning {
        Meaning::Definition(definition) => Some((name, definition)),
        Meaning::Alias(..) => None,
    });
    those.collect()
}
