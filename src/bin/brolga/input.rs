//! The text that a subcommand is given.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use brolga_ir::llvm::{self, ReadOptions};
use brolga_ir::module::Module;
use brolga_ir::text::{self, Diagnostic, Limits};
use brolga_ir::verify::{self, VerifyErrors};

use clap::{Args, ValueEnum};

use crate::failure::Failure;
use crate::output;
use crate::render::{Problem, Source, render, render_all};

/// How many errors of a text are listed.
const MOST_ERRORS: usize = 100;

/// How bitcode of LLVM begins.
const BITCODE: &[u8] = b"BC\xC0\xDE";

/// In what language a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Form {
    /// Our own text
    Bir,
    /// LLVM IR
    Ll,
}

/// What somebody says of the language of texts.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct TextForm {
    /// What the text is, whatever its name
    #[arg(long, value_enum, value_name = "FORM")]
    from: Option<Form>,
}

impl TextForm {
    /// It is what its name says.
    pub(crate) const BY_NAME: TextForm = TextForm { from: None };
    /// It is LLVM IR.
    pub(crate) const LLVM: TextForm = TextForm { from: Some(Form::Ll) };

    /// What the text of that name is.
    fn of(self, path: &Path) -> Form {
        let is_llvm = path.extension().is_some_and(|extension| extension == "ll");
        self.from.unwrap_or(if is_llvm { Form::Ll } else { Form::Bir })
    }
}

/// What a text may ask for.
pub(crate) fn limits() -> Limits {
    Limits { diagnostics: MOST_ERRORS, ..Limits::default() }
}

/// A text, which may be any bytes.
#[derive(Debug)]
pub(crate) struct Input {
    name: String,
    form: Form,
    bytes: Vec<u8>,
}

impl Input {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path, form: TextForm) -> Result<Input, Failure> {
        let (name, bytes) = if path == Path::new("-") {
            ("<stdin>".to_owned(), read_limited(io::stdin().lock()))
        } else {
            (output::path_text(path), File::open(path).and_then(read_limited))
        };
        let bytes = bytes.map_err(|error| Failure::file(path, &error))?;
        if bytes.starts_with(BITCODE) {
            let mut problem = Problem::new(format_args!("{name} is bitcode of LLVM, not its text"));
            problem.help = Some("make text of it with `llvm-dis`, or with `clang -S`".to_owned());
            return Err(Failure::Module(render(None, &problem)));
        }
        Ok(Input { name, form: form.of(path), bytes })
    }

    /// What messages call it: text that a terminal shows as one line.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The language of the text.
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// The text, with a mark for each byte that is no UTF-8.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// The bytes as they came.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The module that it is.
    pub(crate) fn parse(&self) -> Result<Module, Failure> {
        let module = match self.form {
            Form::Ll => {
                let options = ReadOptions { limits: limits(), ..ReadOptions::default() };
                llvm::read_module(&self.text(), &options)
            }
            Form::Bir => text::parse_bytes(&self.bytes, &limits()),
        };
        module.map_err(|errors| self.faults(&errors))
    }

    /// The canonical text of the module that it is.
    pub(crate) fn formatted(&self) -> Result<String, Failure> {
        text::format_bytes(&self.bytes, &limits()).map_err(|errors| self.faults(&errors))
    }

    /// The failure of a text that is no module.
    fn faults(&self, errors: &[Diagnostic]) -> Failure {
        Failure::Module(self.fault_text(errors))
    }

    /// What is wrong with a text that is no module.
    pub(crate) fn fault_text(&self, errors: &[Diagnostic]) -> String {
        let problems: Vec<Problem> = errors.iter().map(Problem::from).collect();
        self.render(&problems, 0)
    }

    /// The module that it is, verified.
    pub(crate) fn verified(&self) -> Result<Module, Failure> {
        let module = self.parse()?;
        self.verify(&module)?;
        Ok(module)
    }

    /// Refuses the module that it is if that breaks rules.
    pub(crate) fn verify(&self, module: &Module) -> Result<(), Failure> {
        let options = verify::Options { max_errors: MOST_ERRORS, ..verify::Options::default() };
        verify::verify_module(module, &options).map_err(|errors| self.breaches(&errors, None))
    }

    /// The failure of a module that breaks rules, and what to do about all of them.
    pub(crate) fn breaches(&self, errors: &VerifyErrors, help: Option<&str>) -> Failure {
        let mut problems: Vec<Problem> = errors.errors.iter().map(Problem::from).collect();
        if let Some(problem) = problems.last_mut() {
            problem.help = help.map(str::to_owned);
        }
        Failure::Module(self.render(&problems, errors.omitted))
    }

    /// The failure that something is wrong with the module.
    pub(crate) fn problem(&self, problem: &Problem) -> Failure {
        let text = self.text();
        Failure::Module(render(Some(&Source::new(&self.name, &text)), problem))
    }

    fn render(&self, problems: &[Problem], omitted: usize) -> String {
        let text = self.text();
        render_all(&Source::new(&self.name, &text), problems, omitted)
    }
}

/// All bytes, but for those behind the largest text that is read: a device
/// may have no end.
fn read_limited(mut reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = Limits::default().bytes as u64 + 1;
    reader.by_ref().take(limit).read_to_end(&mut bytes)?;
    bytes.shrink_to_fit();
    Ok(bytes)
}
