//! Texts of LLVM IR that are almost right: what reads them says what is wrong, or gives a
//! module that the verifier accepts; in bounded time and memory.

mod change;
mod seeds;
mod words;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use brolga_ir::llvm::{ReadOptions, read_module, write_module};
use brolga_ir::module::Module;
use brolga_ir::text::{Diagnostic, parse_module};
use brolga_ir::verify::{Options as Border, verify_module};

use super::INPUTS_OF_PROGRAM;
use crate::allocation;
use crate::generate::{Managed, Options, Size, generate};
use crate::random::Random;
use crate::soak::{Finding, Tally};

/// A text of [`change::MOST_BYTES`] that takes longer is not read in linear time.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reading may take so many bytes of memory, beside [`MEMORY_OF_BYTE`] for each of the text:
/// the budget that any text has for what single words ask for.
const SPARE_MEMORY: usize = 192 << 20;

/// A text of this many bytes in memory takes no more than as many times that.
const MEMORY_OF_BYTE: usize = 64;

/// The codes that the reader gives to texts of bounded size.
pub(crate) const CODES: &[&str] = &[
    "bad-alignment",
    "bad-character",
    "bad-escape",
    "bad-number",
    "bad-path",
    "bad-type",
    "duplicate-block",
    "duplicate-symbol",
    "duplicate-value",
    "llvm-assembly",
    "llvm-invalid",
    "llvm-type",
    "llvm-unsupported",
    "number-too-large",
    "result-count",
    "unclosed-body",
    "unclosed-string",
    "undefined-block",
    "undefined-value",
    "unexpected-token",
    "unknown-op",
    "unknown-symbol",
    "unknown-type",
    "unknown-word",
];

/// Feeds a mutated text to the reader.
///
/// # Errors
/// What is wrong with the reader.
pub(crate) fn check_reader(seed: u64, tally: &mut Tally) -> Result<(), Finding> {
    let mut random = Random::new(!seed);
    let bytes = match random.below(4) {
        0 => with_written(seed / INPUTS_OF_PROGRAM, |text| change::mutate(&mut random, text)),
        _ => {
            let text = random.pick(seeds::all());
            change::mutate(&mut random, text)
        }
    };
    for word in judge_llvm(&bytes)? {
        tally.add(word, 1);
    }
    Ok(())
}

thread_local! {
    /// The text that was written last, and the number of its program.
    static WRITTEN: RefCell<Option<(u64, String)>> = const { RefCell::new(None) };
}

/// Looks at what the writer makes of a program, which costs more than to change it.
fn with_written(number: u64, look: impl FnOnce(&str) -> Vec<u8>) -> Vec<u8> {
    WRITTEN.with_borrow_mut(|known| {
        if known.as_ref().is_none_or(|(of, _)| *of != number) {
            let options =
                Options { size: Size::Small, managed: Managed::Exclude, ..Options::default() };
            let module = generate(number, &options).module;
            // What has no place in LLVM IR is another soak's business.
            *known = Some((number, write_module(&module).unwrap_or_default()));
        }
        look(known.as_ref().map_or("", |(_, text)| text))
    })
}

/// Feeds bytes to the reader of LLVM IR, and what it accepts to the verifier; gives the codes
/// of the errors, or words in parentheses for what was accepted.
///
/// # Errors
/// What is wrong with the reader.
pub fn judge_llvm(bytes: &[u8]) -> Result<BTreeSet<&'static str>, Finding> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(BTreeSet::from(["(no text)"])) };
    let failed = |message: String| Err(Finding { message, reproducer: text.to_owned() });
    let options = ReadOptions::default();
    let (read, took, memory) = measured(text, &options);
    if took > PATIENCE {
        // A process that had to wait is not slow twice.
        let (_, again, _) = measured(text, &options);
        if again > PATIENCE {
            return failed(format!("reading takes {again:?}"));
        }
    }
    if memory > SPARE_MEMORY + MEMORY_OF_BYTE * text.len() {
        return failed(format!("reading {} bytes takes {memory} bytes of memory", text.len()));
    }
    match read {
        Err(errors) => match errors.is_empty() || errors.iter().any(|it| !is_inside(it, text)) {
            true => failed("an error lies outside, or there is none".to_owned()),
            false => {
                let codes = errors.iter().map(|error| error.code.name());
                Ok(codes.chain(["(refused)"]).collect())
            }
        },
        Ok(module) => match verify_module(&module, &Border::default()) {
            Err(errors) => failed(format!("read, but not verified: {errors}")),
            Ok(()) => match fault_of_print(&module) {
                Some(fault) => failed(fault),
                None => Ok(BTreeSet::from(["(accepted)"])),
            },
        },
    }
}

fn is_inside(error: &Diagnostic, text: &str) -> bool {
    error.span.start <= error.span.end && error.span.end <= text.len() && error.line > 0
}

/// The largest module whose text is read again, in instructions of all functions: some
/// words of a text stand for thousands.
const MOST_PRINTED: usize = 2000;

/// What is wrong with the text of ours that a module has.
fn fault_of_print(module: &Module) -> Option<String> {
    let bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
    if bodies.map(|body| body.inst_count()).sum::<usize>() > MOST_PRINTED {
        return None;
    }
    let errors = parse_module(&module.to_string()).err()?;
    Some(format!("read, but its text is refused: {}", errors[0]))
}

/// Reads a text; how long it took, and how much more memory there was in use at once.
fn measured(
    text: &str,
    options: &ReadOptions,
) -> (Result<Module, Vec<Diagnostic>>, Duration, usize) {
    let (before, began) = (allocation::begin(), Instant::now());
    let read = read_module(text, options);
    (read, began.elapsed(), allocation::most_since(before))
}
