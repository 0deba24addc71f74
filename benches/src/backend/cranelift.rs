//! `cranelift-jit`, given what our own back end is given at `O0`, to the letter: what lies
//! between this column and that level of ours is the engine alone, and between this one and
//! higher levels what our passes are worth.
//!
//! Two things are ours and not in that text: the entry guard of functions, which is put in
//! front of the machine code, and the thunks to functions of the platform, which stand for
//! themselves. There is no guard here, and simpler thunks.

mod listing;
mod program;

use brolga::lowering::runtime::{RECORD_SIZE, RecordField};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable};

use self::listing::Listed;
use self::program::Program;
use super::{Backend, BackendError, Callable, Compiled, Input, Phases};
use crate::source::Source;

/// `cranelift-jit` at an optimisation level of Cranelift's.
pub struct Cranelift {
    machine: OwnedTargetIsa,
}

impl std::fmt::Debug for Cranelift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cranelift").finish_non_exhaustive()
    }
}

impl Cranelift {
    /// With that `opt_level`.
    ///
    /// # Errors
    /// If Cranelift knows no such level, or nothing of this machine.
    pub fn new(level: &str) -> Result<Cranelift, BackendError> {
        let mut flags = settings::builder();
        let chosen = [
            ("opt_level", level),
            // Without these it does not take our text.
            ("preserve_frame_pointers", "true"),
            ("enable_pinned_reg", "true"),
            ("enable_llvm_abi_extensions", "true"),
            ("enable_multi_ret_implicit_sret", "true"),
            // And without these its own linker does not take the code.
            ("use_colocated_libcalls", "false"),
            ("is_pic", "false"),
        ];
        for (name, value) in chosen {
            flags.set(name, value)?;
        }
        let machine = cranelift_native::builder()?.finish(settings::Flags::new(flags))?;
        Ok(Cranelift { machine })
    }
}

impl Backend for Cranelift {
    fn read<'a>(&'a self, source: &'a Source) -> Result<Box<dyn Input + 'a>, BackendError> {
        let listed = Listed::of(source.module()?)?;
        Ok(Box::new(Definable { machine: self.machine.clone(), listed, symbol: &source.symbol }))
    }
}

struct Definable<'a> {
    machine: OwnedTargetIsa,
    listed: Listed,
    symbol: &'a str,
}

impl Input for Definable<'_> {
    fn compile(&self) -> Result<Compiled<'_>, BackendError> {
        let mut phases = Phases::default();
        let mut program = Program::new(self.machine.clone())?;
        let entry = phases.time("emit", || program.define(&self.listed, self.symbol))?;
        let address = phases.time("link", || program.finish(entry))?;
        // SAFETY: the entry was made with that signature, and lives as long as the program.
        let entry = unsafe {
            std::mem::transmute::<*const u8, extern "C" fn(i64, *mut u64) -> i64>(address)
        };
        let code_bytes = program.code_bytes();
        let kernel = Box::new(Entered { entry, record: record(), _program: program });
        Ok(Compiled { phases, code_bytes, kernel })
    }
}

struct Entered {
    entry: extern "C" fn(i64, *mut u64) -> i64,
    record: Vec<u64>,
    _program: Program,
}

impl Callable for Entered {
    fn call(&mut self, n: i64) -> Result<i64, BackendError> {
        Ok((self.entry)(n, self.record.as_mut_ptr()))
    }
}

/// A thread record that lets code run: nothing is asked of it, the stack has no end, and
/// every function that a pointer may name is of ours.
fn record() -> Vec<u64> {
    let mut record = vec![0; RECORD_SIZE as usize / 8];
    record[RecordField::StubBytes.offset() as usize / 8] = u64::MAX;
    record
}
