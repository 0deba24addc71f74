//! Changes to the names of libraries, with what they meant.

use std::sync::Arc;

use brolga_lifecycle::names::{LibraryId, Reach, TrackerId};
use brolga_lifecycle::resolve;

use super::host::link_late;
use super::shared::Shared;
use crate::error::{LoadError, NamespaceError};
use crate::link::{DataSymbol, Home, LeftOver, Meaning, Replaced, Source, Symbols};

/// What a name has meant, on its way out.
#[derive(Debug)]
#[expect(dead_code, reason = "owned for their drop alone")]
enum Removed {
    Source(Source),
    Data(Arc<DataSymbol>),
}

/// Lets a library see another.
pub(super) fn link(
    shared: &Shared,
    library: LibraryId,
    other: LibraryId,
    reach: Reach,
) -> Result<(), NamespaceError> {
    let mut symbols = shared.symbols();
    symbols.names.libraries().link(library, other, reach)?;
    shared.look_again(&symbols, [], Replaced::Alias);
    Ok(())
}

/// Lets a library see another no more.
pub(super) fn unlink(
    shared: &Shared,
    library: LibraryId,
    other: LibraryId,
) -> Result<(), NamespaceError> {
    let mut symbols = shared.symbols();
    symbols.names.libraries().unlink(library, other)?;
    shared.look_again(&symbols, [], Replaced::Alias);
    Ok(())
}

/// Makes a name stand for another one.
pub(super) fn alias(
    shared: &Shared,
    home: Home,
    name: &str,
    target: (LibraryId, &str),
) -> Result<(), NamespaceError> {
    link_host(shared, target)?;
    take_names(shared, |symbols| {
        let own = symbols.names.own(home.library, name);
        if symbols.hosts.contains_key(name) || own.is_some_and(|own| is_loaded(symbols, own)) {
            return Err(NamespaceError::Loaded { name: name.into() });
        }
        let old = symbols.names.alias(home, name, target)?;
        Ok((home.library, old.into_iter().collect::<Vec<_>>()))
    })
}

/// Has a function of the host linked if that is what is meant: nothing that came in may have
/// imported it yet, so that nobody has given it a place.
fn link_host(shared: &Shared, (library, name): (LibraryId, &str)) -> Result<(), NamespaceError> {
    if shared.main.library != library || shared.symbols().own_definition(library, name).is_some() {
        return Ok(());
    }
    let failed = |error: LoadError| NamespaceError::NotLinked {
        name: name.into(),
        reason: error.to_string(),
    };
    link_late(shared, name).map_err(failed).map(|_| ())
}

fn is_loaded(symbols: &Symbols, meaning: Meaning) -> bool {
    match meaning {
        Meaning::Function(number) => symbols.is_loaded(number),
        Meaning::Data(place) => symbols.names.is_kept(place),
    }
}

/// Takes out what came in under a key.
pub(super) fn remove_tracker(shared: &Shared, tracker: TrackerId) -> Result<(), NamespaceError> {
    take_names(shared, |symbols| {
        let library = symbols.names.libraries().library_of(tracker)?;
        Ok((library, symbols.names.remove_tracker(tracker)?))
    })
}

/// Takes out all that a library has.
pub(super) fn clear(shared: &Shared, library: LibraryId) -> Result<(), NamespaceError> {
    take_names(shared, |symbols| {
        require_nothing_loaded(symbols, library)?;
        Ok((library, symbols.names.libraries().clear(library)?))
    })
}

/// Takes a library out.
pub(super) fn delete(shared: &Shared, library: LibraryId) -> Result<(), NamespaceError> {
    if library == shared.main.library {
        return Err(NamespaceError::Main);
    }
    take_names(shared, |symbols| {
        require_nothing_loaded(symbols, library)?;
        Ok((library, symbols.names.libraries().remove_library(library)?))
    })?;
    drop(shared.generators.remove_of(library));
    Ok(())
}

/// Takes names out of a library, with what they meant, which is dropped with nothing locked.
fn take_names<M: Into<Meaning>>(
    shared: &Shared,
    take: impl FnOnce(&mut Symbols) -> Result<(LibraryId, Vec<M>), NamespaceError>,
) -> Result<(), NamespaceError> {
    let removed = {
        let mut symbols = shared.symbols();
        let (library, all) = take(&mut symbols)?;
        let removed = shared.take_all(&mut symbols, library, all);
        shared.look_again(&symbols, [], Replaced::Alias);
        removed
    };
    drop(removed);
    shared.free_some();
    Ok(())
}

fn require_nothing_loaded(symbols: &mut Symbols, library: LibraryId) -> Result<(), NamespaceError> {
    // Those of the host's stay, whether or not anything has had them linked yet.
    let is_main = symbols.names.main().library == library;
    if let Some(name) = symbols.hosts.keys().filter(|_| is_main).min() {
        return Err(NamespaceError::Loaded { name: (**name).into() });
    }
    let all = symbols.names.libraries().definitions(library);
    let all: Vec<Meaning> = all.copied().map(Meaning::from).collect();
    match all.into_iter().find(|&meaning| is_loaded(symbols, meaning)) {
        Some(meaning) => Err(NamespaceError::Loaded { name: symbols.names.text(meaning) }),
        None => Ok(()),
    }
}

impl Shared {
    /// Takes out what names have meant that they mean no more; for the caller to drop.
    fn take_all(
        &self,
        symbols: &mut Symbols,
        library: LibraryId,
        all: impl IntoIterator<Item = impl Into<Meaning>>,
    ) -> Vec<Removed> {
        let mut removed = Vec::new();
        for meaning in all {
            let meaning = meaning.into();
            match meaning {
                Meaning::Function(number) => {
                    let name = symbols.names.text(meaning);
                    symbols.names.leave_unclaimed(library, &name, number);
                    let source = self.take_out(symbols, number, (library, &name));
                    removed.extend(source.map(Removed::Source));
                }
                Meaning::Data(place) => {
                    removed.extend(symbols.names.take_data(place).map(Removed::Data));
                }
            }
        }
        removed
    }

    /// Tells those that loading concerns what it has left over; gives what is to be dropped once
    /// nothing is locked.
    pub(super) fn settle_loaded(&self, symbols: &Symbols, left: LeftOver) -> Vec<Source> {
        let LeftOver { changes, names, replaced } = left;
        let sources = changes.into_iter().filter_map(|change| resolve::settle(self, change));
        let sources = sources.collect();
        self.look_again(symbols, names.iter().map(|name| &**name), replaced);
        sources
    }

    /// Has code that is led to other libraries by those names find its way anew, since they may
    /// mean something else by now; by whatever names, if aliases have changed.
    pub(super) fn look_again<'a>(
        &self,
        symbols: &Symbols,
        names: impl IntoIterator<Item = &'a str>,
        replaced: Replaced,
    ) {
        let numbers: Vec<u32> = match replaced {
            Replaced::Alias => symbols.names.all_unclaimed(None),
            Replaced::NoAlias if symbols.names.is_all_claimed() => return,
            Replaced::NoAlias => {
                let of = |name| symbols.names.all_unclaimed(Some(name));
                names.into_iter().flat_map(of).collect()
            }
        };
        for number in numbers.into_iter().filter(|&number| self.looks_elsewhere(number)) {
            let _nothing = resolve::define(self, number, Source::Elsewhere);
        }
    }
}
