//! gdb's JIT interface: compiled functions with names, lines and frames.
//!
//! [`image`] makes an ELF object of a unit, which holds no code, only what is known of it; a
//! [`Registration`] shows it to the debugger for as long as it lives. What is registered later
//! than a debugger attached it learns of at a breakpoint, what was registered before it finds in
//! a list. Without a debugger, registering costs the making of the object and a call of a
//! function that returns.
//!
//! Source: chapter *JIT Compilation Interface* of the manual of gdb. LLDB reads it, too.
//!
//! # The two symbols
//!
//! A debugger looks in each image (the program, each shared library) for two symbols by name:
//! `__jit_debug_descriptor`, which leads to the list, and `__jit_debug_register_code`, where its
//! breakpoint is. Other JITs bring these as well, and an image can have each only once.
//! LLVM, and so Julia with it, defines both as ordinary symbols: two such in one image are an
//! error of the linker. wasmtime defines both weakly, in C: of several the linker takes one, and
//! both JITs enter what they have in one list, each under a lock of its own.
//!
//! Here both are weak, too, so that linking never fails, and visible: versions of gdb later than 13
//! look for the descriptor only among symbols that are not local to a file. (So they do not find
//! the one of a `cdylib`, whose symbols rustc makes local.) They are written as assembly within
//! functions of this crate: so there is no C, and a program with two versions of the crate links.
//! As the interface has no lock that JITs have in common, entering what we have in the list of
//! another JIT would be a data race: [`Registration::new`] does not, but says
//! [`GdbError::ForeignDescriptor`]. Who knows that the other JIT is at rest has
//! [`Registration::new_beside`].
//!
//! What remains is a JIT that takes *our* list for its own: one in the same image whose symbols are
//! weak and come later, or a shared library that the program was linked to, for which the
//! program's symbols stand before its own. That it is not at work at the same time is for whoever
//! links both to see to.

mod descriptor;
mod dwarf;
mod frame;
mod image;
mod inlined;

use thiserror::Error;

use crate::PlacedUnit;
use descriptor::Entry;
pub use image::{ImageError, image};

/// Why nothing was registered.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GdbError {
    /// There is no object for the unit.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// Compiled code does not run here, or no debugger reads the interface.
    #[error("gdb is told of code on Linux x86-64 only; leave it out here")]
    Unsupported,
    /// The program has another JIT in the same image, whose list the debugger reads.
    #[error(
        "the debugger reads the list of another JIT that is linked into the same image; link it as a shared library, or register beside it"
    )]
    ForeignDescriptor,
}

/// Whether debuggers read the list that [`Registration::new`] enters units in.
///
/// # Errors
/// [`GdbError::Unsupported`] and [`GdbError::ForeignDescriptor`].
pub fn require_own_list() -> Result<(), GdbError> {
    match descriptor::is_own()? {
        true => Ok(()),
        false => Err(GdbError::ForeignDescriptor),
    }
}

/// A unit that debuggers know. Dropping it withdraws the unit: do so before its code is freed.
#[derive(Debug)]
#[must_use = "the unit is withdrawn when this is dropped"]
pub struct Registration {
    entry: Entry,
}

impl Registration {
    /// Registers a unit.
    ///
    /// # Errors
    /// Any [`GdbError`].
    pub fn new(placed: &PlacedUnit<'_>) -> Result<Registration, GdbError> {
        require_own_list()?;
        Registration::enter(placed)
    }

    /// Registers a unit, if need be in the list of another JIT that is linked into the same
    /// image.
    ///
    /// # Errors
    /// [`GdbError::Image`] and [`GdbError::Unsupported`].
    ///
    /// # Safety
    /// That JIT registers and withdraws nothing while this runs, nor while the registration is
    /// dropped.
    pub unsafe fn new_beside(placed: &PlacedUnit<'_>) -> Result<Registration, GdbError> {
        descriptor::is_own()?;
        Registration::enter(placed)
    }

    /// The list is ours, or its owner is at rest.
    fn enter(placed: &PlacedUnit<'_>) -> Result<Registration, GdbError> {
        Ok(Registration { entry: Entry::new(image(placed)?) })
    }

    /// The object that debuggers read.
    pub fn image(&self) -> &[u8] {
        self.entry.image()
    }
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests;
