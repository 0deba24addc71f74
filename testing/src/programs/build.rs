//! A program built in two ways: as clang builds it, and as texts of LLVM IR.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::clang::{Clang, Step};
use super::packages::Packages;
use super::table::Program;
use crate::parallel;

/// What was built.
#[derive(Debug)]
pub(super) struct Built {
    /// How much clang optimised.
    pub(super) optimisation: &'static str,
    /// LLVM IR, a text for each source.
    pub(super) texts: Vec<PathBuf>,
    /// What clang made of the same sources.
    pub(super) executable: PathBuf,
    /// The lines of C that the packages brought: of the sources, and of each header once.
    pub(super) lines: usize,
    /// How long clang took for the executable, on one thread.
    pub(super) took: Duration,
}

/// A source, and what it is compiled with beside what all are.
struct Source {
    file: PathBuf,
    options: Vec<String>,
}

impl Built {
    /// Builds a program into a folder; what is there and would come out the same, stays.
    pub(super) fn new(
        program: &Program,
        optimisation: &'static str,
        clang: &Clang,
        packages: &Packages,
        folder: &Path,
    ) -> Result<Built, String> {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}\n", folder.display()))?;
        let sources = sources(program, packages)?;
        let mut common = vec![format!("-O{optimisation}"), "-w".to_owned()];
        for option in program.options {
            common.push(packages.word(option)?);
        }
        let compiler = Compiler { clang, common, folder };
        let compile = |index: usize, source: &Source| compiler.compile(source, index);
        let done = parallel::map(parallel::threads(), &sources, compile);
        let done = done.into_iter().collect::<Result<Vec<_>, String>>()?;
        let mut took: Duration = done.iter().map(|one| one.took).sum();
        let executable = folder.join("program");
        let mut link = clang.command();
        link.args(done.iter().map(|one| &one.object)).args(["-lm", "-o"]).arg(&executable);
        let objects = done.iter().map(|one| one.object.clone()).collect();
        took += clang.run(link, &Step { output: executable.clone(), inputs: objects })?;
        let ours = packages.path("corpus")?;
        let files = done.iter().flat_map(|one| &one.files);
        let files: BTreeSet<&PathBuf> = files.filter(|file| !file.starts_with(&ours)).collect();
        let lines = files.into_iter().map(|file| lines_of(file)).sum();
        let texts = done.into_iter().map(|one| one.text).collect();
        Ok(Built { optimisation, texts, executable, lines, took })
    }
}

fn sources(program: &Program, packages: &Packages) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for pattern in program.sources {
        let files = packages.files(pattern)?.into_iter();
        sources.extend(files.map(|file| Source { file, options: Vec::new() }));
    }
    for pattern in program.tests {
        for file in packages.files(pattern)? {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let options = vec![format!("-Dmain={stem}_main")];
            sources.push(Source { file, options });
        }
    }
    Ok(sources)
}

/// What all sources of a program are compiled with.
struct Compiler<'a> {
    clang: &'a Clang,
    common: Vec<String>,
    folder: &'a Path,
}

/// What one source became.
struct Compiled {
    text: PathBuf,
    object: PathBuf,
    files: Vec<PathBuf>,
    took: Duration,
}

impl Compiler<'_> {
    fn compile(&self, source: &Source, index: usize) -> Result<Compiled, String> {
        let stem = source.file.file_stem().unwrap_or_default().to_string_lossy();
        // Two packages may have files of one name.
        let output = |ending: &str| self.folder.join(format!("{index:03}-{stem}.{ending}"));
        let (text, object, listed) = (output("ll"), output("o"), output("d"));
        let command = |ending: &[&str], output: &Path| {
            let mut command = self.clang.command();
            command.args(&self.common).args(&source.options).args(ending);
            command.arg(&source.file).arg("-o").arg(output);
            command
        };
        let mut list = command(&["-S", "-emit-llvm", "-MMD"], &text);
        list.arg("-MF").arg(&listed);
        let inputs = vec![source.file.clone()];
        self.clang.run(list, &Step { output: text.clone(), inputs: inputs.clone() })?;
        let step = Step { output: object.clone(), inputs };
        let took = self.clang.run(command(&["-c"], &object), &step)?;
        let files = fs::read_to_string(&listed).map(|text| dependencies(&text));
        let files = files.map_err(|error| format!("{}: {error}\n", listed.display()))?;
        Ok(Compiled { text, object, files, took })
    }
}

/// The files in a rule for `make`, behind its target.
fn dependencies(rule: &str) -> Vec<PathBuf> {
    let files = rule.split_whitespace().skip(1).filter(|&word| word != "\\");
    files.map(|file| fs::canonicalize(file).unwrap_or_else(|_| file.into())).collect()
}

fn lines_of(file: &Path) -> usize {
    // A file that clang has read is there.
    let bytes = fs::read(file).unwrap_or_default();
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_rule_stand_behind_its_target() {
        let rule = "x.ll: /nowhere/x.c \\\n  /nowhere/x.h /nowhere/y.h\n";
        let files = dependencies(rule);
        assert_eq!(files, ["/nowhere/x.c", "/nowhere/x.h", "/nowhere/y.h"].map(PathBuf::from));
    }
}
