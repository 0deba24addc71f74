//! What back ends are given: texts with a kernel in them, made from the suite.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use brolga::ir::body::Initial;
use brolga::ir::llvm::{self, ReadOptions};
use brolga::ir::module::Module;
use brolga::ir::text::{Diagnostic, parse_module};

use crate::kernel::{Example, Kernel, Language};
use crate::toolchain::{ToolError, Toolchain};

/// The language of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Our own, `.bir`.
    Brolga,
    /// LLVM's, `.ll`.
    Llvm,
}

/// A text with a function `i64 kernel(i64)`.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file that it came from.
    pub path: PathBuf,
    /// What it is written in.
    pub format: Format,
    /// The text.
    pub text: String,
    /// The name of the function.
    pub symbol: String,
}

/// Why there is no source or no module.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The ending says nothing of the language.
    #[error("{}: a module ends in .bir or .ll", path.display())]
    Ending {
        /// The file.
        path: PathBuf,
    },
    /// A compiler failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The text is none that we read.
    #[error("{}", faults(path, errors))]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        errors: Vec<Diagnostic>,
    },
}

fn faults(path: &Path, errors: &[Diagnostic]) -> String {
    let lines = errors.iter().take(3).map(|error| {
        format!("{}:{}:{}: {}", path.display(), error.line, error.column, error.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Source {
    /// The text of a file, whose ending says what it is written in.
    ///
    /// # Errors
    /// If it cannot be read, or has another ending.
    pub fn open(path: &Path, symbol: &str) -> Result<Source, SourceError> {
        let format = match path.extension().and_then(|ending| ending.to_str()) {
            Some("bir") => Format::Brolga,
            Some("ll") => Format::Llvm,
            _ => return Err(SourceError::Ending { path: path.to_owned() }),
        };
        let text = read(path)?;
        Ok(Source { path: path.to_owned(), format, text, symbol: symbol.to_owned() })
    }

    /// The module that the text is.
    ///
    /// # Errors
    /// If it is none that we read.
    pub fn module(&self) -> Result<Module, SourceError> {
        self.read(Initial::Uninit)
    }

    /// The same for who checks every access: Rust copies bytes that nobody wrote, and LLVM
    /// gives it leave to, so that all stack slots begin as zeros.
    ///
    /// # Errors
    /// If it is none that we read.
    pub fn module_for_checking(&self) -> Result<Module, SourceError> {
        self.read(Initial::Zeroed)
    }

    fn read(&self, slots: Initial) -> Result<Module, SourceError> {
        let read = match self.format {
            Format::Brolga => parse_module(&self.text),
            Format::Llvm => {
                llvm::read_module(&self.text, &ReadOptions { slots, ..ReadOptions::default() })
            }
        };
        read.map_err(|errors| SourceError::Text { path: self.path.clone(), errors })
    }
}

fn read(path: &Path) -> Result<String, SourceError> {
    fs::read_to_string(path).map_err(|error| SourceError::File { path: path.to_owned(), error })
}

/// How far LLVM has come with a text before it is handed over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// As the front end makes it at `-O2`, before any pass: everything in stack slots.
    Plain,
    /// After `sroa` alone: the SSA that a front end with its own variables hands over.
    Ssa,
    /// As `clang -O0` and `rustc` without `-O` leave it.
    Unoptimised,
    /// After all of LLVM's passes at `-O2`.
    Optimised,
}

impl Form {
    /// Every form.
    pub const ALL: [Form; 4] = [Form::Plain, Form::Ssa, Form::Unoptimised, Form::Optimised];

    /// The form as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Form::Plain => "plain",
            Form::Ssa => "ssa",
            Form::Unoptimised => "unoptimised",
            Form::Optimised => "optimised",
        }
    }

    /// What LLVM's passes do to the front end's text.
    const fn passes(self) -> Option<&'static str> {
        match self {
            Form::Plain | Form::Unoptimised => None,
            Form::Ssa => Some("sroa"),
            Form::Optimised => Some("default<O2>"),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where the suite stands, and where what is made from it goes.
#[derive(Clone, Debug)]
pub struct Suite {
    sources: PathBuf,
    examples: PathBuf,
    made: PathBuf,
}

impl Suite {
    /// The suite of this repository; texts go into its target folder.
    pub fn of_repository() -> Suite {
        let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = benches.parent().unwrap_or(benches);
        Suite {
            sources: benches.join("kernels"),
            examples: root.join("examples"),
            made: root.join("target/kernels"),
        }
    }

    /// The file that a kernel is written in.
    pub fn file(&self, kernel: &Kernel) -> PathBuf {
        let ending = match kernel.language {
            Language::C => "c",
            Language::Rust => "rs",
        };
        self.sources.join(kernel.name).with_extension(ending)
    }

    /// Makes the text of a kernel, and gives its path.
    ///
    /// # Errors
    /// If a compiler fails or a file cannot be written.
    pub fn kernel_text(
        &self,
        tools: &Toolchain,
        kernel: &Kernel,
        form: Form,
    ) -> Result<PathBuf, SourceError> {
        let path = self.place(form.name(), &format!("{}.ll", kernel.name))?;
        self.make_text(tools, kernel, form, &path, &[])?;
        Ok(path)
    }

    /// Makes the text of a kernel as [`Form::Ssa`] with the lines that instructions come
    /// from, and gives its path.
    ///
    /// # Errors
    /// As [`kernel_text`](Self::kernel_text).
    pub fn located_text(&self, tools: &Toolchain, kernel: &Kernel) -> Result<PathBuf, SourceError> {
        let path = self.place("located", &format!("{}.ll", kernel.name))?;
        let lines = match kernel.language {
            Language::C => "-gline-tables-only",
            Language::Rust => "-Cdebuginfo=line-tables-only",
        };
        self.make_text(tools, kernel, Form::Ssa, &path, &[lines])?;
        Ok(path)
    }

    fn make_text(
        &self,
        tools: &Toolchain,
        kernel: &Kernel,
        form: Form,
        path: &Path,
        options: &[&str],
    ) -> Result<(), SourceError> {
        let source = self.file(kernel);
        let options = options.iter().map(|&option| option.to_owned());
        match kernel.language {
            Language::C => tools.clang.run(options.chain(clang_arguments(form, &source, path)))?,
            Language::Rust => {
                tools.rustc.run(options.chain(rustc_arguments(form, &source, path)))?;
                write(path, &with_panics_that_trap(&read(path)?))?;
            }
        }
        if let Some(passes) = form.passes() {
            let path = path.to_string_lossy();
            tools.opt.run([&format!("-passes={passes}"), "-S", &path, "-o", &path])?;
        }
        Ok(())
    }

    /// Puts the kernel of an example behind its text, and gives the path.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn example_text(&self, example: &Example) -> Result<PathBuf, SourceError> {
        let name = format!("{}.bir", example.name);
        let path = self.place("examples", &name)?;
        let kernel = read(&self.sources.join("examples").join(&name))?;
        write(&path, &format!("{}\n{kernel}", read(&self.examples.join(&name))?))?;
        Ok(path)
    }

    /// Puts a generated text there, and gives its path.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn generated_text(&self, name: &str, text: &str) -> Result<PathBuf, SourceError> {
        let path = self.place("generated", name)?;
        write(&path, text)?;
        Ok(path)
    }

    fn place(&self, folder: &str, name: &str) -> Result<PathBuf, SourceError> {
        let folder = self.made.join(folder);
        fs::create_dir_all(&folder)
            .map_err(|error| SourceError::File { path: folder.clone(), error })?;
        Ok(folder.join(name))
    }
}

fn write(path: &Path, text: &str) -> Result<(), SourceError> {
    fs::write(path, text).map_err(|error| SourceError::File { path: path.to_owned(), error })
}

fn clang_arguments(form: Form, source: &Path, to: &Path) -> Vec<String> {
    let level: &[&str] = match form {
        Form::Unoptimised => &["-O0"],
        // Not `-O0`: that marks every function `optnone`.
        _ => &["-O2", "-Xclang", "-disable-llvm-passes"],
    };
    let common = ["-march=native", "-S", "-emit-llvm", "-o"];
    let mut arguments: Vec<String> =
        level.iter().chain(&common).map(|&argument| argument.to_owned()).collect();
    arguments.extend([to, source].map(|path| path.to_string_lossy().into_owned()));
    arguments
}

fn rustc_arguments(form: Form, source: &Path, to: &Path) -> Vec<String> {
    let level: &[&str] = match form {
        Form::Unoptimised => &["-Copt-level=0", "-Coverflow-checks=off", "-Cdebug-assertions=off"],
        _ => &["-Copt-level=3", "-Cno-prepopulate-passes"],
    };
    let common = [
        "--edition=2024",
        "--crate-type=lib",
        "--emit=llvm-ir",
        "-Ctarget-cpu=native",
        "-Cpanic=abort",
        "-Ccodegen-units=1",
        "-o",
    ];
    let mut arguments: Vec<String> =
        common.iter().chain(level).map(|&argument| argument.to_owned()).collect();
    // The option for the output takes the argument behind it.
    arguments.insert(common.len(), to.to_string_lossy().into_owned());
    arguments.push(source.to_string_lossy().into_owned());
    arguments
}

/// Gives the functions of Rust's library that a text names, all of which are about panics,
/// a body that traps. They stay functions of their own, as far from the hot code as those
/// of the library are.
fn with_panics_that_trap(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut declares_trap = false;
    for line in text.lines() {
        declares_trap |= line.starts_with("declare void @llvm.trap()");
        let of_rust = ["@_R", "@_ZN", "@rust_eh_personality"];
        match line.strip_prefix("declare ") {
            Some(rest) if of_rust.iter().any(|start| rest.contains(start)) => {
                lines.push(format!("define {rest} noinline cold {{"));
                lines.push("  call void @llvm.trap()\n  unreachable\n}".to_owned());
            }
            _ => lines.push(line.to_owned()),
        }
    }
    if !declares_trap {
        lines.push("declare void @llvm.trap()".to_owned());
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_get_bodies_and_other_declarations_stay() {
        let text =
            "declare void @_RNv4core5panic(ptr, i64) unnamed_addr #7\ndeclare ptr @malloc(i64)\n";
        let given = "define void @_RNv4core5panic(ptr, i64) unnamed_addr #7 noinline cold {
  call void @llvm.trap()
  unreachable
}
declare ptr @malloc(i64)
declare void @llvm.trap()
";
        assert_eq!(with_panics_that_trap(text), given);
    }
}
