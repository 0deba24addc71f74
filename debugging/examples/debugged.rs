//! A function that gdb can stop in and perf can name, without an engine.
//!
//! ```text
//! cargo build -p brolga-debugging --example debugged
//! gdb target/debug/examples/debugged      break churn, run, bt
//! perf record -k 1 target/debug/examples/debugged 100000000 /tmp
//! ```
//!
//! The first argument is how many rounds the function goes, the second a folder for a jitdump.
//! What an engine would do is in `host`; what debuggers are told, and when, is in `main`.

use std::error::Error;

// The test of debuggers is this program, too.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let rounds = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let jitdump = match arguments.next() {
        Some(directory) => Some(brolga_debugging::jitdump::Jitdump::create(directory.as_ref())?),
        None => None,
    };
    let program = host::Program::compile()?;
    let mut registrations = Vec::new();
    for placed in program.placed() {
        registrations.push(brolga_debugging::gdb::Registration::new(&placed)?);
        if let Some(jitdump) = &jitdump {
            jitdump.add(&placed)?;
        }
    }
    let result = call_compiled(&program, rounds, 1);
    std::io::Write::write_fmt(&mut std::io::stdout(), format_args!("churned to {result}\n"))?;
    // Withdrawn before the code is freed.
    drop(registrations);
    Ok(())
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() -> Result<(), Box<dyn Error>> {
    Err("compiled code runs on Linux x86-64 only".into())
}

/// The caller that a back-trace ends with.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[inline(never)]
fn call_compiled(program: &host::Program, rounds: u64, seed: u64) -> u64 {
    program.call(rounds, seed)
}

/// What an engine is for: memory, the thunk by which the host enters, and the thread record.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod host {
    use std::error::Error;

    use brolga_debugging::PlacedUnit;
    use brolga_ir::text::parse_module;
    use brolga_lowering::emit::Compiler;
    use brolga_lowering::level::Level;
    use brolga_lowering::options::LowerOptions;
    use brolga_lowering::runtime::{RECORD_SIZE, RecordField};
    use brolga_lowering::target::{Isa, IsaOptions};
    use brolga_lowering::unit::CompiledUnit;
    use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

    const TEXT: &str = include_str!("debugged.bir");
    /// Where a debugger finds the text.
    const TEXT_NAME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/debugged.bir");
    const FUNCTION: &str = "churn";
    /// Bytes of stack that compiled code may use.
    const STACK: u64 = 256 << 10;

    /// The function and the thunk that enters it.
    pub(super) struct Program {
        units: [CompiledUnit; 2],
        mappings: [Mapping; 2],
    }

    impl Program {
        pub(super) fn compile() -> Result<Program, Box<dyn Error>> {
            let module = parse_module(TEXT).map_err(|errors| format!("{errors:?}"))?;
            let id = module.function_named(FUNCTION).ok_or("the function is not there")?;
            let isa = Isa::host(IsaOptions::default())?;
            let options = LowerOptions { level: Level::O2, ..LowerOptions::default() };
            let mut compiler = Compiler::new();
            let function = compiler.lower_function(&module, id, &isa, &options)?;
            let thunk = compiler.entry_thunk(&module.types, module.signature_of(id), &isa)?;
            let units = [function, thunk];
            if units.iter().any(|unit| !unit.relocations.is_empty()) {
                return Err("the function is no leaf: it needs a linker".into());
            }
            let mappings = [Mapping::of(&units[0].code)?, Mapping::of(&units[1].code)?];
            Ok(Program { units, mappings })
        }

        /// What stands where.
        pub(super) fn placed(&self) -> impl Iterator<Item = PlacedUnit<'_>> {
            let pairs = self.units.iter().zip(&self.mappings);
            pairs.map(|(unit, mapping)| PlacedUnit::new(unit, mapping.start as u64, TEXT_NAME))
        }

        pub(super) fn call(&self, rounds: u64, seed: u64) -> u64 {
            let mut record = [0_u64; RECORD_SIZE as usize / 8];
            let here = 0_u8;
            let limit = RecordField::StackLimit.offset() as usize / 8;
            record[limit] = (&raw const here) as u64 - STACK;
            let mut buffer = [u128::from(rounds), u128::from(seed)];
            let [function, thunk] = &self.mappings;
            type Thunk = unsafe extern "C" fn(*const u8, *mut u64, *mut u128) -> u64;
            // SAFETY: the thunk is that of the function's signature, two words to one, for which
            // the buffer has room; the function is a leaf, which touches nothing else.
            unsafe {
                let thunk: Thunk = std::mem::transmute(thunk.start);
                thunk(function.start, record.as_mut_ptr(), buffer.as_mut_ptr());
            }
            buffer[0] as u64
        }
    }

    /// Memory with code.
    struct Mapping {
        start: *mut u8,
        size: usize,
    }

    impl Mapping {
        fn of(code: &[u8]) -> Result<Mapping, Box<dyn Error>> {
            let size = code.len().next_multiple_of(rustix::param::page_size());
            let (protection, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
            // SAFETY: a new mapping, of nothing that is in use, which the code fits into.
            let mapping = unsafe {
                let start = mmap_anonymous(std::ptr::null_mut(), size, protection, flags)?;
                start.cast::<u8>().copy_from_nonoverlapping(code.as_ptr(), code.len());
                Mapping { start: start.cast(), size }
            };
            let flags = MprotectFlags::READ | MprotectFlags::EXEC;
            // SAFETY: the pages are those of the mapping, and nobody holds a reference to them.
            unsafe { mprotect(mapping.start.cast(), size, flags) }?;
            Ok(mapping)
        }
    }

    impl Drop for Mapping {
        fn drop(&mut self) {
            // SAFETY: the mapping is ours, and nothing runs in it any more.
            let _ = unsafe { munmap(self.start.cast(), self.size) };
        }
    }
}
