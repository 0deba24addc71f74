//! Standard object files: a module's functions and data for a linker.
//!
//! What the engine's linker does in memory is spelled in symbols and sections,
//! so that any linker can do it and any runtime can find what it needs:
//!
//! | symbol | |
//! |---|---|
//! | `NAME` of a function | its stub: the entry by the platform's convention, and 8 bytes further the internal one |
//! | `NAME` of a data object | the object |
//! | `brolga_…` | the runtime's entries ([`RuntimeEntry::name`](crate::runtime::RuntimeEntry::name)), and `brolga_engine`, not defined here, nor by any module |
//!
//! | section | rows |
//! |---|---|
//! | `brolga_stubs` | stubs, so that one range tells them from other addresses |
//! | `brolga_sites` | return address, handler, frame offset (see [`Handler`](crate::unit::Handler)), 8 bytes each: what unwinding needs |
//! | `brolga_locals` | thread-local objects: the slot for its offset in the thread's table, its first content, size and alignment, 8 bytes each |
//!
//! A linker for ELF makes `__start_` and `__stop_` symbols of such names.

mod machine;
mod writer;

use brolga_ir::module::{Function, Linkage, Module};
use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::dependencies::Dependencies;
use crate::emit::Compiler;
use crate::error::CompileError;
use crate::options::LowerOptions;
use crate::target::{Isa, System};
use writer::ObjectWriter;

/// Why no object was written.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// A function does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// Objects for the system are not written.
    #[error("no objects for {triple}; write them for Linux or macOS")]
    System {
        /// The target's triple.
        triple: &'static str,
    },
    /// More data than one object may hold.
    #[error(
        "the data objects fill {size} bytes, and an object file holds {MAX_OBJECT_DATA} at most; split the module, or make large data when the program runs"
    )]
    TooLarge {
        /// Bytes.
        size: u64,
    },
    /// The format cannot hold what the module needs.
    #[error("the object cannot be written: {reason}")]
    Format {
        /// What it cannot hold.
        reason: Box<str>,
    },
}

/// The most bytes of data objects that one object file may hold. They stand in
/// memory several times while it is written, and a line of text can ask for
/// gigabytes.
pub const MAX_OBJECT_DATA: u64 = 1 << 30;

/// The object file of a module: every function that it defines, compiled, and
/// its data.
///
/// # Errors
/// Any [`ObjectError`].
pub fn write_object(
    compiler: &mut Compiler,
    module: &Module,
    isa: &Isa,
    options: &LowerOptions,
) -> Result<Vec<u8>, ObjectError> {
    if isa.spec().system() == System::Windows {
        return Err(ObjectError::System { triple: isa.spec().triple() });
    }
    let data = module.data_objects().filter(|(_, object)| !object.items.is_empty());
    let size = data.map(|(_, object)| object.size).fold(0, u64::saturating_add);
    if size > MAX_OBJECT_DATA {
        return Err(ObjectError::TooLarge { size });
    }
    require_names(module)?;
    let defined = |function: &Function| function.body.is_some();
    // One that is weak may be another object's in the end: it is called by its name.
    let is_ours = |function: &Function| defined(function) && function.linkage != Linkage::Weak;
    let functions = module.functions().filter(|(_, function)| is_ours(function));
    let names = functions.map(|(_, function)| function.name.clone());
    let mut writer = ObjectWriter::new(isa.spec(), names.collect());
    let mut contents = Contents { compiler, isa, options, dependencies: Dependencies::default() };
    for (_, object) in module.data_objects() {
        writer.data(module, object)?;
    }
    for (_, function) in module.functions() {
        if function.linkage == Linkage::ForeignWeak {
            writer.mark_weak(&function.name);
        }
    }
    for (id, unit) in contents.compiler.lower_module(module, isa, options)? {
        contents.dependencies.add(&unit);
        writer.unit(&machine::code_symbol(&unit.name), &unit)?;
        let function = module.function(id).filter(|function| defined(function));
        function.map_or(Ok(()), |function| contents.stub(&mut writer, module, function))?;
    }
    contents.dependencies(&mut writer)?;
    writer.finish()
}

/// Refuses names that are those of what an object holds beside functions and data, and those
/// that stand for the runtime: its own symbols would lead there.
fn require_names(module: &Module) -> Result<(), ObjectError> {
    let functions = module.functions().map(|(_, function)| ("function", &*function.name));
    let data = module.data_objects().map(|(_, object)| ("data object", &*object.name));
    let named: Vec<(&str, &str)> = functions.chain(data).collect();
    let own = named.iter().filter(|(_, name)| machine::is_runtimes_own(name));
    if let Some((kind, name)) = own.min() {
        let reason =
            format!("the {kind} `{name}` has a name of the runtime's own; name it otherwise");
        return Err(ObjectError::Format { reason: reason.into() });
    }
    let names: FxHashSet<&str> = named.iter().map(|&(_, name)| name).collect();
    let taken = |name: &&&str| machine::belongs_to(name).is_some_and(|of| names.contains(of));
    match names.iter().filter(taken).min() {
        None => Ok(()),
        Some(name) => {
            let reason = format!("`{name}` is the name of two things; name one of them otherwise");
            Err(ObjectError::Format { reason: reason.into() })
        }
    }
}

/// What is put into an object, and what that needs beside itself.
struct Contents<'a> {
    compiler: &'a mut Compiler,
    isa: &'a Isa,
    options: &'a LowerOptions,
    dependencies: Dependencies,
}

impl Contents<'_> {
    /// The stub of a function; its entry by the platform's convention stops
    /// where that convention cannot carry the signature.
    fn stub(
        &mut self,
        writer: &mut ObjectWriter,
        module: &Module,
        function: &Function,
    ) -> Result<(), ObjectError> {
        let name = &function.name;
        let thunk = self.compiler.callback_thunk(function, &module.types, self.isa);
        let callback = machine::callback_symbol(name);
        let platform = match thunk {
            Ok(unit) => {
                writer.unit(&callback, &unit)?;
                Some(callback.as_str())
            }
            Err(CompileError::Signature { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let scope = match function.linkage {
            Linkage::Local => writer::Scope::Object,
            Linkage::Weak => writer::Scope::Weak,
            _ => writer::Scope::Program,
        };
        writer.stub(name, scope, platform)
    }

    /// Thunks and functions of the prelude, and what those need in turn.
    fn dependencies(&mut self, writer: &mut ObjectWriter) -> Result<(), ObjectError> {
        while let Some((symbol, unit)) =
            self.dependencies.compile_next(self.compiler, self.isa, self.options)?
        {
            writer.unit(&machine::symbol(&symbol), &unit)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
