//! Where the programs come from: the tests of GCC, in the package of its sources.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::Program;

/// The package of Debian and Ubuntu that has the suite.
const PACKAGE: &str = "gcc-12-source";

/// Where that package puts its archive when it is installed.
const INSTALLED: &str = "usr/src/gcc-12";

/// Where the programs stand in the archive.
const INSIDE: &str = "gcc/testsuite/gcc.c-torture/execute";

/// The programs, unpacked.
#[derive(Debug)]
pub struct Suite {
    /// The folder of the programs.
    programs: PathBuf,
}

impl Suite {
    /// The suite at `given`, which is a folder of programs or an archive of GCC's sources;
    /// else that of the package, installed or fetched. What is unpacked stays in `folder`.
    ///
    /// # Errors
    /// If there is none; says how to get it.
    pub fn find(given: Option<&Path>, folder: &Path) -> Result<Suite, String> {
        if let Some(programs) = given.filter(|path| path.is_dir()) {
            let programs = programs.canonicalize().map_err(|error| error.to_string())?;
            return Ok(Suite { programs });
        }
        if given.is_some_and(|path| !path.is_file()) {
            return Err("--suite names no file and no folder".to_owned());
        }
        let programs = folder.join("suite");
        if given.is_none() && programs.is_dir() {
            return Ok(Suite { programs });
        }
        let archive = match given {
            Some(archive) => archive.to_owned(),
            None => installed(Path::new("/")).map_or_else(|| fetch(folder), Ok)?,
        };
        unpack(&archive, folder, &programs)?;
        Ok(Suite { programs })
    }

    /// Its programs, by name.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn programs(&self) -> Result<Vec<Program>, String> {
        let mut names = Vec::new();
        for folder in ["", "ieee/", "builtins/"] {
            let Ok(entries) = std::fs::read_dir(self.programs.join(folder)) else { continue };
            for entry in entries {
                let name = entry.map_err(|error| error.to_string())?.file_name();
                let name = name.to_string_lossy();
                let stem = name.strip_suffix(".c").filter(|stem| !stem.ends_with("-lib"));
                names.extend(stem.map(|stem| format!("{folder}{stem}")));
            }
        }
        names.sort();
        let program = |name: &String| {
            Program::new(&self.programs, name).map_err(|error| format!("{name}: {error}"))
        };
        names.iter().map(program).collect()
    }
}

/// The archive that the package has put below `root`.
fn installed(root: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(root.join(INSTALLED)).ok()?;
    let mut archives: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("gcc-") && name.contains(".tar")
        })
        .collect();
    archives.sort();
    archives.pop()
}

/// The archive of the package, fetched without installing it.
fn fetch(folder: &Path) -> Result<PathBuf, String> {
    let remedy = |error: String| {
        format!(
            "{error}\nthe suite is in the package {PACKAGE} of Debian and Ubuntu: install it, \
             or name with --suite an archive of GCC's sources or its folder {INSIDE}"
        )
    };
    let package = folder.join("package");
    let make = || {
        std::fs::create_dir_all(&package).map_err(|error| error.to_string())?;
        run(Command::new("apt-get").args(["download", PACKAGE]).current_dir(&package))?;
        let entries = std::fs::read_dir(&package).map_err(|error| error.to_string())?;
        let mut files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let archive = files.find(|path| path.extension().is_some_and(|ending| ending == "deb"));
        let archive = archive.ok_or("apt-get has fetched nothing")?;
        run(Command::new("dpkg-deb").arg("-x").arg(archive).arg(&package))?;
        installed(&package).ok_or_else(|| format!("there is no archive in {PACKAGE}"))
    };
    make().map_err(remedy)
}

/// Puts the programs of an archive to `programs`.
fn unpack(archive: &Path, folder: &Path, programs: &Path) -> Result<(), String> {
    let said = |error: std::io::Error| format!("{}: {error}", folder.display());
    let fresh = folder.join("unpacked");
    if fresh.exists() {
        std::fs::remove_dir_all(&fresh).map_err(said)?;
    }
    std::fs::create_dir_all(&fresh).map_err(said)?;
    let archive = archive.canonicalize().map_err(said)?;
    // The first part of a path is the version.
    let pattern = format!("*/{INSIDE}");
    let mut tar = Command::new("tar");
    tar.arg("-xf").arg(archive).args(["--strip-components=1", "--wildcards", &pattern]);
    run(tar.current_dir(&fresh))?;
    if programs.exists() {
        std::fs::remove_dir_all(programs).map_err(said)?;
    }
    std::fs::rename(fresh.join(INSIDE), programs).map_err(said)?;
    std::fs::remove_dir_all(fresh).map_err(said)
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).trim_end()))
}
