//! Code for aarch64 under an emulator: a program for Linux that makes some
//! calls and writes what they gave, without libraries and with a runtime of a
//! few hundred instructions.

mod answer;
mod assembler;
mod image;
mod runtime;

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};

use crate::compare::{Engine, Observation};
use crate::generate::{Call, Generated};
pub use image::{Image, Reset};

/// Runs programs of aarch64 on this machine, whatever it is.
#[derive(Clone, Debug)]
pub struct Emulated {
    emulator: PathBuf,
    isa: Isa,
}

impl Emulated {
    /// With the emulator that `BROLGA_QEMU` names, or one that is installed.
    ///
    /// # Errors
    /// If there is none.
    pub fn find() -> Result<Emulated, String> {
        let emulator = find_emulator().ok_or(
            "no emulator: install qemu-user-static, or name one in BROLGA_QEMU".to_owned(),
        )?;
        let spec = TargetSpec::parse("aarch64-unknown-linux-gnu");
        let spec = spec.map_err(|error| error.to_string())?;
        let isa = Isa::new(spec, IsaOptions::default()).map_err(|error| error.to_string())?;
        Ok(Emulated { emulator, isa })
    }

    /// The target.
    pub fn isa(&self) -> &Isa {
        &self.isa
    }

    /// Makes the calls; gives the answers, and the data objects that they leave.
    ///
    /// # Errors
    /// If the program cannot be run, or dies.
    pub fn run(&self, image: &mut Image<'_>, calls: &[Call]) -> Result<Observation, String> {
        let program = image.program(calls)?;
        let output = self.run_program(&program)?;
        image.observation(&output)
    }

    fn run_program(&self, program: &[u8]) -> Result<Vec<u8>, String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("brolga-aarch64-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, program).map_err(|error| error.to_string())?;
        let run = || {
            #[cfg(unix)]
            std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
            Command::new(&self.emulator).arg(&path).output()
        };
        let output = run().map_err(|error| error.to_string());
        std::fs::remove_file(&path).map_err(|error| error.to_string())?;
        let output = output?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
        }
    }
}

fn find_emulator() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("BROLGA_QEMU") {
        return Some(path.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|folder| ["qemu-aarch64-static", "qemu-aarch64"].map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

impl Engine for Emulated {
    fn name(&self) -> &'static str {
        "aarch64"
    }

    fn observe(&mut self, program: &Generated) -> Result<Observation, String> {
        let mut image = Image::new(&program.module, &self.isa, Reset::Never)?;
        if let Some((_, error)) = image.refused().next() {
            return Err(error.to_string());
        }
        self.run(&mut image, &program.calls)
    }
}
