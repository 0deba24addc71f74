//! Ways to fail.

use brolga_ir::datum::Datum;
use brolga_ir::interpret::{CallError, Interpreter, Limits};
use brolga_ir::module::Module;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::emit::{Compiler, Listing};
use brolga_lowering::error::CompileError;
use brolga_lowering::legal_form::ValueForm;
use brolga_lowering::level::BackEnd;
use brolga_lowering::options::LowerOptions;
use brolga_lowering::pipeline::{
    Inspection, Inspector, Report, RunOptions, Switch, border_behind, run_passes,
};
use brolga_lowering::prelude;
use brolga_lowering::target::{Isa, IsaOptions, TargetSpec};
use clap::ValueEnum;

use super::calls::calls;
use super::search::Case;

/// What a call may use up.
const LIMITS: Limits = Limits { steps: 5_000_000, memory: 64 << 20, depth: 5_000, output: 1 << 20 };

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Check {
    /// A pass or the back end panics, or hangs
    Crash,
    /// What the passes leave does something else than the module does, in the interpreter: for
    /// the `run:` lines of the file, or for a few arguments of each function if there are none
    Differs,
    /// A pass leaves what does not verify, or changes what it says it has not
    Verifier,
}

/// How a call ended.
#[derive(Clone, PartialEq, Debug)]
enum Answer {
    Returned(Vec<Datum>),
    Trapped(TrapCode),
    /// In a way that says nothing: it was stopped, or broke a promise.
    Astray,
}

impl Check {
    /// The spelling on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Check::Crash => "crash",
            Check::Differs => "differs",
            Check::Verifier => "verifier",
        }
    }

    /// What else may be meant by whoever looked for such a failure and found none.
    pub(super) fn other_ways(self) -> &'static str {
        match self {
            Check::Crash => {
                "`-O0` to `-O3` and `--passes` say what runs; an answer that is wrong is `--check=differs`"
            }
            Check::Differs => {
                "only calls that end are compared: write `; run: @f(1) == 2` lines for others; a panic is `--check=crash`"
            }
            Check::Verifier => {
                "`-O0` to `-O3` and `--passes` say what runs; a panic is `--check=crash`"
            }
        }
    }

    /// How a case fails, if it does. A panic of a pass is not caught.
    pub(super) fn failure(self, case: &Case, target: &TargetSpec) -> Option<String> {
        match self {
            Check::Crash => crash(case, target),
            Check::Differs => differs(case, target),
            Check::Verifier => verifier(case, target),
        }
    }
}

/// The module behind the passes.
fn lowered(case: &Case, target: &TargetSpec, verify_each: Switch) -> Result<Module, CompileError> {
    let mut module = case.module.clone();
    let inspection = Inspection { verify_each, ..Inspection::default() };
    let inspector = Inspector::new(inspection, None);
    let options = RunOptions { inspector: Some(&inspector), ..RunOptions::new(target) };
    run_passes(&mut module, &case.passes, &options, &mut Report::default())?;
    Ok(module)
}

fn crash(case: &Case, target: &TargetSpec) -> Option<String> {
    // What passes refuse, and how, is no crash.
    lowered(case, target, Switch::Off).ok()?;
    let isa = Isa::new(*target, IsaOptions::default()).ok()?;
    let mut compiler = Compiler::new();
    let bodies = case.module.functions().filter(|(_, function)| function.body.is_some());
    for (id, _) in bodies {
        for &back_end in BackEnd::ALL {
            let options = LowerOptions { back_end: Some(back_end), ..LowerOptions::default() };
            let (module, passes, listing) = (&case.module, &case.passes, Listing::Assembly);
            let code = compiler.list_behind(module, id, passes, &isa, &options, listing);
            if let Some(failure) = code.err().as_ref().and_then(failure_of_back_end) {
                return Some(failure);
            }
        }
    }
    None
}

/// How the back end has failed. What is refused before it gets there is no failure of it.
fn failure_of_back_end(error: &CompileError) -> Option<String> {
    let is_failure = matches!(error, CompileError::BackEnd { .. } | CompileError::Panicked { .. });
    is_failure.then(|| format!("the back end: {error}"))
}

fn verifier(case: &Case, target: &TargetSpec) -> Option<String> {
    match lowered(case, target, Switch::On) {
        Err(error @ CompileError::Defect { .. }) => Some(error.to_string()),
        Err(_) => None,
        Ok(module) => {
            let options = Options { border: border_behind(&case.passes), ..Options::default() };
            let errors = verify_module(&module, &options).err()?;
            Some(format!("what the passes leave does not verify: {errors}"))
        }
    }
}

fn differs(case: &Case, target: &TargetSpec) -> Option<String> {
    let calls = calls(&case.module, &case.runs);
    let expected = answers(&[&case.module], &calls)?;
    let module = lowered(case, target, Switch::Off).ok()?;
    let form = case.passes.iter().map(|pass| pass.form).max().unwrap_or(ValueForm::Declared);
    let types = &case.module.types;
    let signature = |name: &str| {
        let id = case.module.function_named(name);
        id.map(|id| case.module.signature_of(id).clone()).unwrap_or_default()
    };
    let split = |(name, arguments): &(String, Vec<Datum>)| {
        let params = signature(name).params;
        let pairs = params.iter().zip(arguments);
        let arguments = pairs.flat_map(|(param, it)| form.split(types, param.ty, it)).collect();
        (name.clone(), arguments)
    };
    let lowered_calls: Vec<_> = calls.iter().map(split).collect();
    let found = answers(&[&module, prelude::module()], &lowered_calls)?;
    for (((name, _), expected), found) in calls.iter().zip(&expected).zip(found) {
        let results: Vec<Type> = signature(name).result_types().collect();
        let found = match found {
            Answer::Returned(values) => {
                let mut pieces = values.into_iter();
                let join = |&ty: &Type| form.join(types, ty, &mut pieces);
                Answer::Returned(results.iter().map(join).collect())
            }
            other => other,
        };
        if *expected != Answer::Astray && *expected != found {
            return Some(format!(
                "@{name} gives another answer: {expected:?} before, {found:?} behind"
            ));
        }
    }
    None
}

/// How calls end; nothing if the modules do not link.
fn answers(modules: &[&Module], calls: &[(String, Vec<Datum>)]) -> Option<Vec<Answer>> {
    let setup = modules.iter().fold(Interpreter::setup(), |setup, module| setup.module(module));
    let mut interpreter = setup.limits(LIMITS).build().ok()?;
    let answers = calls.iter().map(|(name, arguments)| match interpreter.call(name, arguments) {
        Ok(results) => Answer::Returned(results),
        Err(CallError::Trap(trap)) => match trap.code {
            TrapCode::BrokenPromise
            | TrapCode::InvalidAccess
            | TrapCode::OutOfFuel
            | TrapCode::OutOfMemory
            | TrapCode::StackOverflow => Answer::Astray,
            code => Answer::Trapped(code),
        },
        Err(_) => Answer::Astray,
    });
    Some(answers.collect())
}
