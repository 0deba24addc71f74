//! The compilers themselves, as a user would call them: `rustc -O`, `clang -O2`.

use std::fs;
use std::path::{Path, PathBuf};

use libloading::Library;
use object::{Object, ObjectSection, SectionKind};

use super::{Backend, BackendError, Callable, Compiled, Input, Phases};
use crate::kernel::{KERNELS, Kernel, Language};
use crate::source::{Source, Suite};
use crate::toolchain::Toolchain;

/// A compiler in a process of its own, which writes a library that is then opened.
#[derive(Debug)]
pub struct Native {
    tools: Toolchain,
}

impl Native {
    /// The compilers of this machine.
    ///
    /// # Errors
    /// If one is missing.
    pub fn new() -> Result<Native, BackendError> {
        Ok(Native { tools: Toolchain::find()? })
    }
}

impl Backend for Native {
    /// Compiles what the text was made from: the file of the same name in the suite.
    fn read<'a>(&'a self, source: &'a Source) -> Result<Box<dyn Input + 'a>, BackendError> {
        let name = source.path.file_stem().unwrap_or_default();
        let kernel = KERNELS.iter().find(|kernel| name == kernel.name);
        let kernel = kernel.ok_or("native code is made of the kernels of the suite alone")?;
        let library = source.path.with_extension("so");
        let file = Suite::of_repository().file(kernel);
        Ok(Box::new(Compilable { tools: &self.tools, kernel, file, library }))
    }
}

struct Compilable<'a> {
    tools: &'a Toolchain,
    kernel: &'static Kernel,
    file: PathBuf,
    library: PathBuf,
}

impl Compilable<'_> {
    fn make_library(&self) -> Result<(), BackendError> {
        let arguments: &[&str] = match self.kernel.language {
            Language::C => &["-O2", "-march=native", "-shared", "-fPIC", "-o"],
            Language::Rust => &[
                "--edition=2024",
                "-O",
                "-Ctarget-cpu=native",
                "-Cpanic=abort",
                "-Ccodegen-units=1",
                "--crate-type=cdylib",
                "-o",
            ],
        };
        let tool = match self.kernel.language {
            Language::C => &self.tools.clang,
            Language::Rust => &self.tools.rustc,
        };
        let paths = [self.library.as_path(), &self.file].map(Path::as_os_str);
        Ok(tool.run(arguments.iter().map(AsRef::as_ref).chain(paths))?)
    }
}

impl Input for Compilable<'_> {
    fn compile(&self) -> Result<Compiled<'_>, BackendError> {
        let mut phases = Phases::default();
        phases.time("process", || self.make_library())?;
        // SAFETY: the library is of the suite, whose start-up code does nothing.
        let library = phases.time("link", || unsafe { Library::new(&self.library) })?;
        let code_bytes = code_size(&fs::read(&self.library)?)?;
        Ok(Compiled { phases, code_bytes, kernel: Box::new(Opened { library }) })
    }
}

struct Opened {
    library: Library,
}

impl Callable for Opened {
    fn call(&mut self, n: i64) -> Result<i64, BackendError> {
        // SAFETY: every file of the suite defines it so.
        let kernel = unsafe { self.library.get::<extern "C" fn(i64) -> i64>("kernel") }?;
        Ok(kernel(n))
    }
}

/// The machine code of an object file or library, section by section.
///
/// # Errors
/// If it is none.
pub fn machine_code(bytes: &[u8]) -> Result<Vec<Vec<u8>>, BackendError> {
    let file = object::File::parse(bytes)?;
    let texts = file.sections().filter(|section| section.kind() == SectionKind::Text);
    Ok(texts.map(|section| Ok(section.data()?.to_vec())).collect::<object::Result<_>>()?)
}

/// Bytes of machine code in an object file or library.
///
/// # Errors
/// If it is none.
pub fn code_size(bytes: &[u8]) -> Result<u64, BackendError> {
    Ok(machine_code(bytes)?.iter().map(|section| section.len() as u64).sum())
}
