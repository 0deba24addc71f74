//! What clang makes of a program: the text that Brolga reads, and what the program
//! answers when clang compiles it to the end.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::program::Program;
use crate::process::{Invocation, Limits, Outcome};

/// How much clang optimises.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Optimisation(&'static str);

impl Optimisation {
    /// All that clang can.
    const ALL: [Optimisation; 6] = [
        Optimisation("-O0"),
        Optimisation("-O1"),
        Optimisation("-O2"),
        Optimisation("-O3"),
        Optimisation("-Os"),
        Optimisation("-Oz"),
    ];

    /// Those that programs are held to.
    pub const USUAL: [Optimisation; 2] = [Optimisation("-O0"), Optimisation("-O2")];

    /// The one whose option ends so.
    pub fn named(name: &str) -> Option<Optimisation> {
        Optimisation::ALL.into_iter().find(|known| known.0.strip_prefix("-O") == Some(name))
    }

    /// The option of clang.
    pub const fn option(self) -> &'static str {
        self.0
    }
}

/// What a build of clang comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reference {
    /// Clang refuses the program.
    Refused,
    /// The program does not end with status 0.
    Fails,
    /// It does, and writes that to its standard output.
    Answers(Vec<u8>),
}

/// A program of clang, and where what it makes is kept.
#[derive(Debug)]
pub struct Compiler {
    /// Where clang is.
    pub clang: PathBuf,
    /// What tells its versions apart.
    pub version: String,
    /// Options for all programs.
    pub options: Vec<String>,
    /// The folder for what is made.
    pub folder: PathBuf,
}

/// A build: its texts, one for each file of the program, and what it comes to.
#[derive(Debug)]
pub struct Build {
    /// Where it stands.
    pub folder: PathBuf,
    /// The names of the texts in that folder.
    pub texts: Vec<String>,
    /// What the program does.
    pub reference: Reference,
}

/// For the compiler and for what it has made.
const LIMITS: Limits = Limits { time: Duration::from_secs(60), memory: 4096, output: 64 };

/// What the suite's dialect of C asks for: no complaints, whatever the age of the program.
const DIALECT: &[&str] = &["-std=gnu17", "-w", "-Wno-everything"];

/// The file that says how a build was made, so that it is not made again.
const RECIPE: &str = "recipe";

/// The file that says what it comes to.
const ANSWER: &str = "answer";

impl Compiler {
    /// Builds a program, or finds that it was built so before.
    ///
    /// # Errors
    /// If files cannot be read or written, or clang not run.
    pub fn build(&self, program: &Program, optimisation: Optimisation) -> std::io::Result<Build> {
        let options = self.options.concat().replace('/', "_");
        let folder = format!("{}{options}", optimisation.option());
        let folder = self.folder.join(&program.name).join(folder);
        let texts = (0..program.sources.len()).map(|index| format!("{index}.ll")).collect();
        let recipe = self.recipe(program);
        if std::fs::read_to_string(folder.join(RECIPE)).is_ok_and(|found| found == recipe) {
            let reference = Reference::decode(&std::fs::read(folder.join(ANSWER))?);
            return Ok(Build { folder, texts, reference });
        }
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        let build = Build { reference: Reference::Refused, folder, texts };
        let reference = self.make(program, optimisation, &build)?;
        std::fs::write(build.folder.join(ANSWER), reference.encode())?;
        std::fs::write(build.folder.join(RECIPE), recipe)?;
        Ok(Build { reference, ..build })
    }

    fn recipe(&self, program: &Program) -> String {
        let options = [&program.options[..], &self.options].concat().join(" ");
        format!("{} {} {options}\n", self.version, DIALECT.join(" "))
    }

    fn make(
        &self,
        program: &Program,
        optimisation: Optimisation,
        build: &Build,
    ) -> std::io::Result<Reference> {
        let run = |special: &[&str], sources: &[PathBuf]| {
            let plain = [optimisation.option()].into_iter().chain(DIALECT.iter().copied());
            let own = program.options.iter().chain(&self.options);
            let options = plain.chain(own.map(String::as_str));
            let words = options.chain(special.iter().copied()).map(OsString::from);
            let arguments = words.chain(sources.iter().map(OsString::from)).chain(["-lm".into()]);
            let ended = Invocation::new(&self.clang, arguments).run(&build.folder, &LIMITS)?;
            Ok::<bool, std::io::Error>(ended.outcome == Outcome::Exited(0))
        };
        if !run(&["-o", "program"], &program.sources)? {
            return Ok(Reference::Refused);
        }
        for (source, text) in program.sources.iter().zip(&build.texts) {
            if !run(&["-S", "-emit-llvm", "-o", text], std::slice::from_ref(source))? {
                return Ok(Reference::Refused);
            }
        }
        let file = build.folder.join("program");
        let ended = Invocation::new::<OsString>(&file, []).run(&build.folder, &LIMITS)?;
        std::fs::remove_file(file)?;
        Ok(match ended.outcome {
            Outcome::Exited(0) => Reference::Answers(ended.output),
            _ => Reference::Fails,
        })
    }
}

impl Reference {
    /// As a file keeps it: a letter, and the output.
    fn encode(&self) -> Vec<u8> {
        match self {
            Reference::Refused => b"r".to_vec(),
            Reference::Fails => b"f".to_vec(),
            Reference::Answers(output) => [b"a", output.as_slice()].concat(),
        }
    }

    fn decode(bytes: &[u8]) -> Reference {
        match bytes.split_first() {
            Some((b'a', output)) => Reference::Answers(output.to_vec()),
            Some((b'f', _)) => Reference::Fails,
            _ => Reference::Refused,
        }
    }
}

/// The clang of the version that texts are checked with, given these options, for builds
/// below `folder`.
///
/// # Errors
/// If it is missing; says what to install.
pub fn compiler(folder: &Path, options: &[String]) -> Result<Compiler, String> {
    let clang = crate::llvm::find_tool("clang")?;
    let said = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(said)?;
    let ended = Invocation::new(&clang, ["--version"]).run(folder, &LIMITS).map_err(said)?;
    let text = String::from_utf8_lossy(&ended.output);
    let version = text.lines().next().unwrap_or_default().to_owned();
    Ok(Compiler { clang, version, options: options.to_vec(), folder: folder.to_owned() })
}
