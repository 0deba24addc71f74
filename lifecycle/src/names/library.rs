//! The names of one library, by their hash. A name is kept nowhere: each definition knows its
//! own, and is asked for it.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::{LibraryId, Reach, Strength, Texts, TrackerId, Visibility};

/// A definition and how it came in.
#[derive(Clone, Debug)]
pub(super) struct Entry<T> {
    pub(super) definition: T,
    pub(super) tracker: TrackerId,
    pub(super) visibility: Visibility,
    pub(super) strength: Strength,
}

/// What stands for another name.
#[derive(Clone, Debug)]
pub(super) struct Alias {
    pub(super) target: (LibraryId, Box<str>),
    pub(super) visibility: Visibility,
    pub(super) tracker: TrackerId,
}

/// What a library's own name is.
pub(super) enum Own<'a, T> {
    Definition(&'a Entry<T>),
    Alias(&'a Alias),
}

/// A namespace.
#[derive(Debug)]
pub(super) struct Library<T> {
    pub(super) name: Box<str>,
    /// The places of entries, by the hashes of their names.
    index: HashTable<u32>,
    entries: Vec<Option<Entry<T>>>,
    free: Vec<u32>,
    /// Few have any: by name. No definition has the name of one.
    pub(super) aliases: BTreeMap<Box<str>, Alias>,
    pub(super) order: Vec<(LibraryId, Reach)>,
    pub(super) main: TrackerId,
}

impl<T> Library<T> {
    pub(super) fn new(name: &str, main: TrackerId) -> Library<T> {
        Library {
            name: name.into(),
            index: HashTable::new(),
            entries: Vec::new(),
            free: Vec::new(),
            aliases: BTreeMap::new(),
            order: Vec::new(),
            main,
        }
    }

    fn entry(&self, place: u32) -> Option<&Entry<T>> {
        self.entries.get(place as usize)?.as_ref()
    }

    /// The entry at a place, if it came in under that key.
    pub(super) fn entry_of(&mut self, place: u32, tracker: TrackerId) -> Option<&mut Entry<T>> {
        let entry = self.entries.get_mut(place as usize)?.as_mut()?;
        (entry.tracker == tracker).then_some(entry)
    }

    /// The place of a definition.
    pub(super) fn place(&self, hash: u64, name: &str, texts: &impl Texts<T>) -> Option<u32> {
        let is_named = |&place: &u32| {
            self.entry(place)
                .is_some_and(|entry| texts.with_text(&entry.definition, |text| text == name))
        };
        self.index.find(hash, is_named).copied()
    }

    /// The place of a definition whose name has that hash.
    pub(super) fn place_of(&self, hash: u64, definition: &T) -> Option<u32>
    where
        T: PartialEq,
    {
        let is_it =
            |&place: &u32| self.entry(place).is_some_and(|entry| entry.definition == *definition);
        self.index.find(hash, is_it).copied()
    }

    /// All definitions.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &T> {
        self.entries.iter().flatten().map(|entry| &entry.definition)
    }

    /// Whether it has no name itself.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.len() == self.free.len() && self.aliases.is_empty()
    }

    /// What a name of the library's own is.
    pub(super) fn own(&self, hash: u64, name: &str, texts: &impl Texts<T>) -> Option<Own<'_, T>> {
        match self.place(hash, name, texts) {
            Some(place) => self.entry(place).map(Own::Definition),
            None => self.aliases.get(name).map(Own::Alias),
        }
    }

    /// Puts an entry in the place of another one of the same name.
    pub(super) fn replace(&mut self, place: u32, entry: Entry<T>) -> Option<Entry<T>> {
        self.entries.get_mut(place as usize)?.replace(entry)
    }

    /// Puts an entry of a new name somewhere; gives its place.
    pub(super) fn insert(
        &mut self,
        hasher: &DefaultHashBuilder,
        hash: u64,
        entry: Entry<T>,
        texts: &impl Texts<T>,
    ) -> u32 {
        let place = match self.free.pop() {
            Some(place) => {
                self.entries[place as usize] = Some(entry);
                place
            }
            None => {
                self.entries.push(Some(entry));
                self.entries.len() as u32 - 1
            }
        };
        let entries = &self.entries;
        self.index.insert_unique(hash, place, |&place| {
            let entry = entries[place as usize].as_ref();
            entry
                .map_or(0, |entry| texts.with_text(&entry.definition, |text| hasher.hash_one(text)))
        });
        place
    }

    /// Makes room for so many more.
    pub(super) fn reserve(
        &mut self,
        hasher: &DefaultHashBuilder,
        count: usize,
        texts: &impl Texts<T>,
    ) {
        self.entries.reserve(count.saturating_sub(self.free.len()));
        let entries = &self.entries;
        self.index.reserve(count, |&place| {
            entries[place as usize]
                .as_ref()
                .map_or(0, |entry| texts.with_text(&entry.definition, |text| hasher.hash_one(text)))
        });
    }

    /// The places that came in under that key.
    pub(super) fn places_of(&self, tracker: TrackerId) -> Vec<u32> {
        let all = (0..).zip(&self.entries);
        let is_its =
            |entry: &Option<Entry<T>>| entry.as_ref().is_some_and(|entry| entry.tracker == tracker);
        all.filter(|(_, entry)| is_its(entry)).map(|(place, _)| place).collect()
    }

    /// Takes out the entry at a place, whose name has that hash.
    pub(super) fn take(&mut self, hash: u64, place: u32) -> Option<Entry<T>> {
        let found = self.index.find_entry(hash, |&other| other == place).ok()?;
        found.remove();
        let taken = self.entries.get_mut(place as usize)?.take();
        self.free.push(place);
        taken
    }

    /// Takes out all that the library names; gives the definitions in the order of their places.
    pub(super) fn clear(&mut self) -> Vec<T> {
        self.index = HashTable::new();
        self.free.clear();
        self.aliases.clear();
        let entries = std::mem::take(&mut self.entries);
        entries.into_iter().flatten().map(|entry| entry.definition).collect()
    }

    /// Bytes of the heap for each name, about.
    #[cfg(all(test, not(any(loom, shuttle))))]
    pub(super) fn bytes(&self) -> usize {
        self.index.allocation_size() + self.entries.capacity() * size_of::<Option<Entry<T>>>()
    }
}
