//! Names that go, with what they meant: one by one, by key, by library.

use std::hash::BuildHasher;

use super::{LibraryId, Names, NamesError, Texts, Tracker, TrackerId};

impl<T: Clone + PartialEq> Names<T> {
    /// Takes one name out of a library, and gives its definition if it was not an alias.
    ///
    /// # Errors
    /// If there is no such library or name.
    pub fn remove(
        &mut self,
        library: LibraryId,
        name: &str,
        texts: &impl Texts<T>,
    ) -> Result<Option<T>, NamesError> {
        let hash = self.hash(name);
        let of = self.library_mut(library)?;
        if let Some(place) = of.place(hash, name, texts) {
            return Ok(of.take(hash, place).map(|entry| entry.definition));
        }
        let alias = of.aliases.remove(name).ok_or_else(|| NamesError::Unknown(name.into()))?;
        if let Some(of) = self.trackers.get_mut(&alias.tracker) {
            of.aliases.remove(name);
        }
        Ok(None)
    }

    /// Takes a definition out of a library whose name means that one still; tells whether it did.
    /// It need not know its name any more.
    pub fn take(&mut self, library: LibraryId, name: &str, definition: &T) -> bool {
        let hash = self.hash(name);
        let Some(of) = self.libraries.get_mut(&library) else { return false };
        let place = of.place_of(hash, definition);
        place.and_then(|place| of.take(hash, place)).is_some()
    }

    /// Takes out what came in under a key, and the key; gives the definitions, by the places
    /// that they had. The main key of a library stays, for what comes next.
    ///
    /// # Errors
    /// If there is no such key.
    pub fn remove_tracker(
        &mut self,
        tracker: TrackerId,
        texts: &impl Texts<T>,
    ) -> Result<Vec<T>, NamesError> {
        let Tracker { library, places, aliases, .. } = self.take_tracker(tracker)?;
        let hasher = self.hasher.clone();
        let library = self.library_mut(library)?;
        for name in aliases {
            library.aliases.remove(&name);
        }
        let mut removed = Vec::new();
        for place in places {
            let Some(entry) = library.entry_of(place, tracker) else { continue };
            let hash = texts.with_text(&entry.definition, |text| hasher.hash_one(text));
            removed.extend(library.take(hash, place).map(|entry| entry.definition));
        }
        Ok(removed)
    }

    /// What is listed under a key, each place once. The key goes, unless it is a library's main
    /// one.
    fn take_tracker(&mut self, tracker: TrackerId) -> Result<Tracker, NamesError> {
        let id = self.tracker(tracker)?.library;
        let is_main = self.library(id)?.main == tracker;
        let taken = self.trackers.remove(&tracker);
        let mut taken = taken.ok_or(NamesError::NoTracker(tracker))?;
        if is_main {
            taken.places = self.library(id)?.places_of(tracker);
            self.trackers.insert(tracker, Tracker::new(id));
        }
        taken.places.sort_unstable();
        taken.places.dedup();
        Ok(taken)
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
        let Tracker { places, aliases, .. } = self.take_tracker(from)?;
        let is_main = self.library(library)?.main == to;
        let library = self.library_mut(library)?;
        for name in &aliases {
            if let Some(alias) = library.aliases.get_mut(name) {
                alias.tracker = to;
            }
        }
        let mut moved = Vec::with_capacity(places.len());
        for place in places {
            if let Some(entry) = library.entry_of(place, from) {
                entry.tracker = to;
                moved.push(place);
            }
        }
        if let Some(of) = self.trackers.get_mut(&to) {
            of.aliases.extend(aliases);
            if !is_main {
                of.places.extend(moved);
            }
        }
        Ok(())
    }

    /// Takes everything out of a library, which stays, as do what it sees and its keys; gives
    /// the definitions, by the places that they had.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn clear(&mut self, library: LibraryId) -> Result<Vec<T>, NamesError> {
        let removed = self.library_mut(library)?.clear();
        for tracker in self.trackers.values_mut().filter(|tracker| tracker.library == library) {
            *tracker = Tracker::new(library);
        }
        Ok(removed)
    }

    /// Takes a library out; nobody sees it any more. Gives the definitions, by the places that
    /// they had.
    ///
    /// # Errors
    /// If there is no such library.
    pub fn remove_library(&mut self, library: LibraryId) -> Result<Vec<T>, NamesError> {
        let mut gone = self.libraries.remove(&library).ok_or(NamesError::NoLibrary(library))?;
        self.trackers.retain(|_, tracker| tracker.library != library);
        for other in self.libraries.values_mut() {
            other.order.retain(|&(seen, _)| seen != library);
        }
        Ok(gone.clear())
    }
}
