//! Symbols of the process, and of libraries that it is asked to link.

use std::sync::{Arc, PoisonError};

use super::shared::Shared;
use crate::error::{LibraryError, LoadError};
use crate::link::Absence;
use crate::memory::Slot;

/// A slot that holds the address of a symbol of a linked library or, where
/// modules may name it, of the process.
pub(super) fn resolve_symbol(
    shared: &Shared,
    name: &str,
) -> Result<Result<Arc<Slot>, Absence>, LoadError> {
    let given = shared.absolute.lock().unwrap_or_else(PoisonError::into_inner).get(name).copied();
    let libraries = shared.libraries.lock().unwrap_or_else(PoisonError::into_inner);
    let linked = || libraries.iter().find_map(|library| library.symbol(name));
    let address = match given.or_else(linked) {
        Some(address) => address,
        None if !shared.config.allows(name) => return Ok(Err(Absence::Forbidden)),
        None => match Library::process().and_then(|process| process.symbol(name)) {
            Some(address) => address,
            None => return Ok(Err(Absence::Missing)),
        },
    };
    Ok(Ok(Arc::new(shared.reservation.slot(address as u64)?)))
}

/// Gives a symbol an address: modules may name it from now on.
pub(super) fn define_symbol(shared: &Shared, name: &str, address: usize) -> Result<(), LoadError> {
    let mut absolute = shared.absolute.lock().unwrap_or_else(PoisonError::into_inner);
    if absolute.contains_key(name) {
        return Err(LoadError::Duplicate { name: name.into() });
    }
    absolute.insert(name.into(), address);
    Ok(())
}

/// Links a library: modules may name its symbols from now on.
///
/// # Safety
/// What the library runs when it is loaded is sound.
pub(super) unsafe fn link_library(shared: &Shared, name: &str) -> Result<(), LibraryError> {
    // SAFETY: by the caller's promise.
    let library = unsafe { Library::open(name) }?;
    let mut libraries = shared.libraries.lock().unwrap_or_else(PoisonError::into_inner);
    libraries.push(library);
    Ok(())
}

#[cfg(unix)]
mod system {
    use std::error::Error;

    use libloading::os::unix;

    use crate::error::LibraryError;

    /// A library of the system.
    #[derive(Debug)]
    pub(crate) struct Library {
        library: unix::Library,
        content: LibraryContent,
    }

    /// What a library has beside what its file says.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum LibraryContent {
        /// C's own: also what linkers put into each program instead.
        C,
        Other,
    }

    /// The address of what glibc has linkers put into each program: the file of its library
    /// does not have it.
    fn static_part(name: &str) -> Option<usize> {
        #[cfg(target_env = "gnu")]
        unsafe extern "C" {
            fn at_quick_exit(function: extern "C" fn()) -> libc::c_int;
        }
        match name {
            "atexit" => Some(libc::atexit as *const () as usize),
            #[cfg(target_env = "gnu")]
            "at_quick_exit" => Some(at_quick_exit as *const () as usize),
            #[cfg(target_env = "gnu")]
            "pthread_atfork" => Some(libc::pthread_atfork as *const () as usize),
            _ => None,
        }
    }

    /// What parts of C's library are called as files, by the names that programs
    /// know them by.
    const FILES: &[(&str, &str)] = &[
        ("libc", "libc.so.6"),
        ("libm", "libm.so.6"),
        ("libpthread", "libpthread.so.0"),
        ("libdl", "libdl.so.2"),
        ("librt", "librt.so.1"),
        ("libgcc_s", "libgcc_s.so.1"),
        ("libstdc++", "libstdc++.so.6"),
    ];

    impl Library {
        /// What is in the process already.
        pub(crate) fn process() -> Option<Library> {
            Some(Library { library: unix::Library::this(), content: LibraryContent::C })
        }

        /// # Safety
        /// What the library runs when it is loaded is sound.
        pub(crate) unsafe fn open(name: &str) -> Result<Library, LibraryError> {
            let mut files = file_names(name);
            let mut reason = String::new();
            let opened = files.find_map(|file| {
                // SAFETY: by the caller's promise.
                let library = unsafe { unix::Library::new(&file) };
                library.map_err(|error| reason = reason_of(&error)).ok()
            });
            match opened {
                Some(library) => Ok(Library { library, content: content_of(name) }),
                None => Err(LibraryError { name: name.into(), reason }),
            }
        }

        /// The address of a symbol.
        pub(crate) fn symbol(&self, name: &str) -> Option<usize> {
            // SAFETY: the symbol is only turned into its address; what is there
            // is vouched for by whoever loads the module that names it.
            let symbol = unsafe { self.library.get::<*mut ()>(name.as_bytes()) };
            let symbol = symbol.ok().map(|symbol| symbol.into_raw().addr());
            let symbol = symbol.filter(|&address| address != 0);
            symbol.or_else(|| static_part(name).filter(|_| self.content == LibraryContent::C))
        }
    }

    /// What the system says.
    fn reason_of(error: &libloading::Error) -> String {
        error.source().map_or_else(|| error.to_string(), ToString::to_string)
    }

    fn content_of(name: &str) -> LibraryContent {
        let file = name.rsplit('/').next().unwrap_or(name);
        match file == "libc" || file.starts_with("libc.") {
            true => LibraryContent::C,
            false => LibraryContent::Other,
        }
    }

    /// The files that a library may be: a file or path as it is spelled, a name
    /// with what its platform calls it.
    fn file_names(name: &str) -> impl Iterator<Item = String> + use<> {
        let is_file = name.contains('/') || name.contains(".so") || name.ends_with(".dylib");
        let known = FILES.iter().find(|(known, _)| *known == name && cfg!(target_os = "linux"));
        let known = known.map(|(_, file)| (*file).to_owned());
        let suffix = if cfg!(target_vendor = "apple") { ".dylib" } else { ".so" };
        let plain = if is_file { name.to_owned() } else { format!("{name}{suffix}") };
        known.into_iter().chain([plain])
    }
}

#[cfg(not(unix))]
mod system {
    use crate::error::LibraryError;

    /// A library of the system: there is none that could be opened.
    #[derive(Debug)]
    pub(crate) enum Library {}

    impl Library {
        pub(crate) fn process() -> Option<Library> {
            None
        }

        pub(crate) unsafe fn open(name: &str) -> Result<Library, LibraryError> {
            let reason = "libraries are linked on Linux and macOS only".to_owned();
            Err(LibraryError { name: name.into(), reason })
        }

        pub(crate) fn symbol(&self, _: &str) -> Option<usize> {
            match *self {}
        }
    }
}

pub(super) use system::Library;
