//! A whole program in this process, as the system would run it.

use std::ffi::{CString, OsStr, c_char, c_int};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use brolga::{CallOptions, DynamicFunction, Engine};
use brolga_ir::datum::Datum;
use brolga_ir::entity::FuncId;
use brolga_ir::llvm;
use brolga_ir::module::Module;
use brolga_ir::report::Trap;

use crate::failure::Failure;
use crate::output;
use crate::run::{Times, failure, flush_foreign_output, stopped};
use crate::sources::Sources;

/// A program that is loaded.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) sources: Sources,
    pub(crate) engine: Engine,
    pub(crate) main: DynamicFunction,
    pub(crate) options: CallOptions,
    /// Where to tell how long the steps took, if anybody asked.
    pub(crate) times: Option<Arc<Times>>,
}

/// The program that runs, as long as the process does: functions that it has C call at its
/// end need it until then.
static RUNNING: OnceLock<Running> = OnceLock::new();

struct Running {
    program: Program,
    start: Instant,
    destructors: Vec<DynamicFunction>,
}

impl Program {
    /// Runs it with those words as its arguments, and ends the process as it does.
    pub(crate) fn run(self, words: &[&OsStr]) -> Result<(), Failure> {
        let constructors = self.functions(llvm::constructors)?;
        let mut destructors = self.functions(llvm::destructors)?;
        destructors.reverse();
        let vectors = Vectors::new(words)?;
        if RUNNING.get().is_some() {
            return Err(Failure::module("a program runs in this process already"));
        }
        let (program, start) = (self, Instant::now());
        let running = RUNNING.get_or_init(|| Running { program, start, destructors });
        prepare_process(&vectors);
        // SAFETY: the function is one, and lives as long as the process.
        if unsafe { libc::atexit(end) } != 0 {
            return Err(Failure::module("C's library has no memory for functions of the end"));
        }
        running.program.call_all(&constructors, &vectors.arguments());
        let status = running.program.call_main(&vectors);
        // SAFETY: nothing of the command waits for its end.
        unsafe { libc::exit(status) }
    }

    /// The functions that the modules list, by their priority.
    fn functions(
        &self,
        list: fn(&Module) -> Vec<(u32, FuncId)>,
    ) -> Result<Vec<DynamicFunction>, Failure> {
        let handles =
            self.sources.in_order(list).into_iter().map(|(name, _)| self.engine.function(name));
        handles.collect::<Result<_, _>>().map_err(Failure::module)
    }

    /// Calls each with as many of the arguments as it takes.
    fn call_all(&self, functions: &[DynamicFunction], arguments: &[Datum]) {
        for function in functions {
            let count = function.signature().params.len();
            self.call(function, &arguments[..count.min(arguments.len())]);
        }
    }

    /// The status that `main` gives; none is 0.
    fn call_main(&self, vectors: &Vectors) -> c_int {
        let arguments = vectors.arguments();
        let count = self.main.signature().params.len();
        let results = self.call(&self.main, &arguments[..count.min(arguments.len())]);
        results.first().map_or(0, |status| status.bits() as c_int)
    }

    /// Calls a function; if it is stopped, the process ends here.
    fn call(&self, function: &DynamicFunction, arguments: &[Datum]) -> Vec<Datum> {
        let outcome = function.call_with(&self.options, arguments);
        outcome.unwrap_or_else(|error| self.fail(|| failure(&error, &self.options, &self.sources)))
    }

    /// Ends the process by a failure.
    fn fail(&self, failure: impl FnOnce() -> Failure) -> ! {
        // What the program has printed comes before the message, and what it would have C
        // call at the end is not called any more.
        flush_foreign_output();
        let code = failure().report();
        // SAFETY: it ends the process, nothing else.
        unsafe { libc::_exit(code.into()) }
    }
}

/// Ends the program that runs by a trap that nobody else is told of.
pub(crate) fn end_by(trap: &Trap) {
    if let Some(Running { program, .. }) = RUNNING.get() {
        program.fail(|| stopped(trap, &program.options, &program.sources));
    }
}

/// What is last to run when the process ends.
extern "C" fn end() {
    let Some(running) = RUNNING.get() else { return };
    if let Some(trap) = running.program.engine.pending_trap() {
        end_by(&trap);
    }
    running.program.call_all(&running.destructors, &[]);
    if let Err(error) = running.program.engine.finish_records() {
        output::print_error(&error.to_string());
    }
    if let Some(times) = &running.program.times {
        times.add("run", running.start.elapsed());
        output::print_error(&times.table());
    }
}

/// Gives the process what programs expect that begin one: Rust has let writing to a pipe that
/// nobody reads be an error instead of a signal, and messages of C's library begin with the
/// name of the program.
#[cfg(unix)]
fn prepare_process(vectors: &Vectors) {
    let name = std::ptr::with_exposed_provenance::<c_char>(vectors.arguments[0]);
    // SAFETY: this is what the signal does by default; the name has an end and is never freed,
    // and the two variables, which glibc has, hold such names.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let slash = libc::strrchr(name, b'/'.into());
        let short = if slash.is_null() { name } else { slash.add(1).cast_const() };
        let variables =
            [(c"program_invocation_name", name), (c"program_invocation_short_name", short)];
        for (variable, name) in variables {
            let place = libc::dlsym(libc::RTLD_DEFAULT, variable.as_ptr());
            if !place.is_null() {
                place.cast::<*const c_char>().write(name);
            }
        }
    }
}

#[cfg(not(unix))]
fn prepare_process(_: &Vectors) {}

/// What `main` is called with, as long as the process lives.
struct Vectors {
    arguments: &'static [usize],
}

impl Vectors {
    fn new(words: &[&OsStr]) -> Result<Vectors, Failure> {
        let words: Result<Vec<usize>, Failure> = words.iter().map(|word| c_text(word)).collect();
        let mut words = words?;
        words.push(0);
        Ok(Vectors { arguments: Vec::leak(words) })
    }

    /// The count of the arguments, they, and the environment.
    fn arguments(&self) -> [Datum; 3] {
        let count = self.arguments.len() as u32 - 1;
        let address = |address: usize| Datum::from(address as u64);
        [Datum::from(count), address(self.arguments.as_ptr().addr()), address(environment().addr())]
    }
}

/// The address of a word as C spells it, which is never freed.
fn c_text(word: &OsStr) -> Result<usize, Failure> {
    let text = CString::new(word.as_encoded_bytes());
    let text = text.map_err(|_| Failure::usage("an argument of the program has a NUL in it"))?;
    Ok(text.into_raw().expose_provenance())
}

/// The environment as C's library has it, so that `setenv` and `main` see the same.
#[cfg(all(unix, not(target_vendor = "apple")))]
fn environment() -> *const *const c_char {
    unsafe extern "C" {
        static mut environ: *const *const c_char;
    }
    // SAFETY: C's library defines it. That no thread of the program changes the environment
    // while another one reads it is on the program, which is trusted.
    unsafe { (&raw const environ).read() }
}

/// No words: the engine runs on no other system yet.
#[cfg(not(all(unix, not(target_vendor = "apple"))))]
fn environment() -> *const *const c_char {
    const { &[std::ptr::null::<c_char>()] }.as_ptr()
}
