//! Input that is almost right: modules with a part exchanged, texts with a
//! piece changed. What reads them must say what is wrong, or accept what is
//! right after all; it never panics and never hangs.

mod attribute;
mod declaration;
mod entity;
mod flow;
mod instruction;
mod llvm;
mod text;

use std::collections::BTreeSet;

use brolga_ir::body::Body;
use brolga_ir::entity::{FuncId, Inst};
use brolga_ir::interpret::{CallError, Interpreter, Limits};
use brolga_ir::module::Module;
use brolga_ir::op::{Dialect, Op};
use brolga_ir::text::{Limits as TextLimits, directives, parse_bytes, parse_module, print_module};
use brolga_ir::verify::{Options as Border, TargetRules, require_safe, verify_module};

use crate::generate::{Generated, Options, Size, generate};
use crate::random::Random;
use crate::soak::{Finding, Tally};

pub use llvm::judge_llvm;
pub(crate) use llvm::{CODES as READER_CODES, check_reader};

/// Inputs that are made of one program: making it costs more than mutating it.
const INPUTS_OF_PROGRAM: u64 = 16;

/// What input number `seed` is made of, and the numbers to change it by.
fn base(seed: u64) -> (Generated, Random) {
    let options = Options { size: Size::Small, ..Options::default() };
    (generate(seed / INPUTS_OF_PROGRAM, &options), Random::new(!seed))
}

/// A change of a module.
type Mutation = fn(&mut Random, &mut Module);

/// Changes parts of a valid module.
pub fn mutate_module(random: &mut Random, module: &mut Module) {
    let tables: [&[Mutation]; 5] = [
        instruction::MUTATIONS,
        attribute::MUTATIONS,
        flow::MUTATIONS,
        entity::MUTATIONS,
        declaration::MUTATIONS,
    ];
    for _ in 0..random.between(1, 3) {
        let table = random.pick(&tables);
        random.pick(table)(random, module);
    }
}

/// Changes pieces of a text.
pub fn mutate_text(random: &mut Random, text: &str) -> Vec<u8> {
    text::mutate(random, text)
}

/// A function of the module with a body.
fn some_function(random: &mut Random, module: &Module) -> FuncId {
    let defined: Vec<FuncId> =
        module.functions().filter(|(_, f)| f.body.is_some()).map(|(id, _)| id).collect();
    match defined.is_empty() {
        true => FuncId::from_u32(0),
        false => random.pick(&defined),
    }
}

/// Changes the body of some function.
fn in_body(random: &mut Random, module: &mut Module, change: impl FnOnce(&mut Random, &mut Body)) {
    let id = some_function(random, module);
    if let Some(function) = module.function_mut(id)
        && let Some(body) = &mut function.body
    {
        change(random, body);
    }
}

/// Changes some instruction of some function.
fn at_inst(
    random: &mut Random,
    module: &mut Module,
    change: impl FnOnce(&mut Random, &mut Body, Inst),
) {
    in_body(random, module, |random, body| {
        if let Some(inst) = some_inst(random, body, |_| true) {
            change(random, body, inst);
        }
    });
}

/// An instruction of an op that `wanted` says yes to.
fn some_inst(random: &mut Random, body: &Body, wanted: impl Fn(Op) -> bool) -> Option<Inst> {
    let insts: Vec<Inst> =
        body.layout.all_insts().filter(|&inst| wanted(body.inst(inst).op)).collect();
    (!insts.is_empty()).then(|| random.pick(&insts))
}

/// A target that can do little.
#[derive(Debug)]
struct PoorTarget;

impl TargetRules for PoorTarget {
    fn refusal(&self, _: &Module, body: &Body, inst: Inst) -> Option<String> {
        (body.inst(inst).op == Op::Fma).then(|| "it has no fused operations".to_owned())
    }
}

/// Feeds a mutated module to the verifier, and what it accepts to the interpreter.
///
/// # Errors
/// What is wrong with the verifier.
pub(crate) fn check_verifier(seed: u64, tally: &mut Tally) -> Result<(), Finding> {
    let (mut program, mut random) = base(seed);
    mutate_module(&mut random, &mut program.module);
    let border = random.pick(&[Dialect::Front, Dialect::Front, Dialect::Managed, Dialect::Machine]);
    let target: Option<&dyn TargetRules> =
        if random.percent(10) { Some(&PoorTarget) } else { None };
    let options = Border { border, target, max_errors: 1000 };
    let mut reached = BTreeSet::new();
    let verdict = verify_module(&program.module, &options);
    if random.percent(10)
        && let Err(errors) = require_safe(&program.module)
    {
        reached.extend(errors.errors.iter().map(|error| error.rule));
    }
    if let Err(errors) = &verdict {
        reached.extend(errors.errors.iter().map(|error| error.rule));
        // Messages are made of what is broken: they must be printable.
        std::hint::black_box(errors.to_string());
    }
    for rule in reached {
        tally.add(rule.code(), 1);
    }
    tally.add(if verdict.is_ok() { "(accepted)" } else { "(refused)" }, 1);
    match verdict {
        Ok(()) => execute(&program, random.percent(20)),
        Err(_) => Ok(()),
    }
}

/// What the verifier accepts can be executed, and its text is itself.
fn execute(program: &Generated, prints: bool) -> Result<(), Finding> {
    let failed =
        |message: String| Err(Finding { message, reproducer: print_module(&program.module) });
    let limits = Limits { steps: 3000, memory: 8 << 20, depth: 200, output: 1 << 12 };
    let setup = Interpreter::setup().module(&program.module).limits(limits);
    // A module that names what nobody defines does not link: no fault of the verifier.
    if let Ok(mut interpreter) = setup.build() {
        for call in &program.calls {
            if let Err(CallError::BrokenModule { reason }) =
                interpreter.call(&call.function, &call.args)
            {
                return failed(format!("verified, but broken for the interpreter: {reason}"));
            }
        }
    }
    if !prints {
        return Ok(());
    }
    let text = print_module(&program.module);
    match parse_module(&text) {
        Err(errors) => failed(format!("verified, but its text is refused: {}", errors[0])),
        Ok(parsed) if print_module(&parsed) != text => {
            failed("verified, but printing what its text gives is another text".to_owned())
        }
        Ok(parsed) => match verify_module(&parsed, &Border::default()) {
            Ok(()) => Ok(()),
            Err(errors) => failed(format!("verified, but not what its text gives: {errors}")),
        },
    }
}

/// Feeds a mutated text to the parser.
///
/// # Errors
/// What is wrong with the parser or printer.
pub(crate) fn check_parser(seed: u64, tally: &mut Tally) -> Result<(), Finding> {
    let (program, mut random) = base(seed);
    let bytes = mutate_text(&mut random, &print_module(&program.module));
    for word in judge_text(&bytes)? {
        tally.add(word, 1);
    }
    Ok(())
}

/// Feeds bytes to the parser, and what it accepts to printer and verifier; gives
/// the codes of the errors, or words in parentheses for what was accepted.
///
/// # Errors
/// What is wrong with the parser or printer.
pub fn judge_text(bytes: &[u8]) -> Result<BTreeSet<&'static str>, Finding> {
    let limits = TextLimits { diagnostics: 100, ..TextLimits::default() };
    let failed = |message: String| {
        let reproducer = String::from_utf8_lossy(bytes).into_owned();
        Err(Finding { message, reproducer })
    };
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = std::hint::black_box(directives(text));
    }
    let module = match parse_bytes(bytes, &limits) {
        Ok(module) => module,
        Err(errors) => {
            let is_inside =
                errors.iter().all(|error| error.span.end <= bytes.len() && error.line > 0);
            if !is_inside {
                return failed("an error lies outside".to_owned());
            }
            let codes = errors.iter().map(|error| error.code.name());
            return Ok(codes.chain(["(refused)"]).collect());
        }
    };
    let printed = print_module(&module);
    match parse_module(&printed) {
        Err(errors) => failed(format!("what was printed does not parse: {}", errors[0])),
        Ok(again) if print_module(&again) != printed => {
            failed("printing is no fixed point".to_owned())
        }
        Ok(_) => {
            let verified = verify_module(&module, &Border::default()).is_ok();
            let words = ["(accepted)"].into_iter().chain(verified.then_some("(verified)"));
            Ok(words.collect())
        }
    }
}

#[cfg(test)]
mod tests;
