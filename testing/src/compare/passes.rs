//! By way of passes: whatever list of them runs, the interpreter must make the same of what
//! they leave, and of two runs the same must come.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use brolga_ir::body::{Body, ExitKind};
use brolga_ir::datum::Datum;
use brolga_ir::entity::FuncId;
use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::op::Dialect;
use brolga_ir::text::print_module;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Scalar, Signature, Type};
use brolga_lowering::error::CompileError;
use brolga_lowering::legal_form::ValueForm;
use brolga_lowering::pass::Change;
use brolga_lowering::pipeline::{
    Inspection, Inspector, Pass, Report, RunOptions, Switch, Timing, run_passes,
};
use brolga_lowering::prelude;
use brolga_lowering::target::TargetSpec;

use super::{Answer, Engine, Observation, difference, interpret, reference};
use crate::generate::{Call, Generated};
use crate::pass_list::spelled;

/// The targets that passes run for: they differ in what the last ones do.
pub const TARGETS: &[&str] = &[
    "x86_64-unknown-linux-gnu/x86-64",
    "x86_64-unknown-linux-gnu/x86-64-v3",
    "aarch64-unknown-linux-gnu/generic",
];

/// Runs a list of passes for some targets, has each verified, and interprets what they
/// leave. Where that differs, it finds out which pass is the first to differ.
#[derive(Clone, Debug)]
pub struct Passes {
    list: Vec<&'static Pass>,
    targets: Vec<String>,
    /// Behind how many passes it looks at what they leave, too.
    border: Option<usize>,
    /// Of each pass, how many functions it ran on and how many it changed.
    changes: BTreeMap<&'static str, (u64, u64)>,
}

/// Why passes were not run to their end.
enum Fault {
    /// They do not know managed code yet.
    Managed,
    /// Something is wrong.
    Found(String),
}

impl Passes {
    /// That list, for those targets.
    pub fn new(list: Vec<&'static Pass>, targets: &[&str]) -> Passes {
        let targets = targets.iter().map(|&target| target.to_owned()).collect();
        Passes { list, targets, border: None, changes: BTreeMap::new() }
    }

    /// The same, which also looks at what so many of the passes leave, even where all of them
    /// leave nothing wrong.
    #[must_use]
    pub fn looked_at(self, border: usize) -> Passes {
        Passes { border: Some(border), ..self }
    }

    /// How many passes there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Of each pass, how many functions it ran on and how many of those it changed, in all
    /// that was observed.
    pub fn changes(&self) -> &BTreeMap<&'static str, (u64, u64)> {
        &self.changes
    }

    fn observe_for(
        &mut self,
        target: &str,
        program: &Generated,
        expected: &Observation,
    ) -> Result<Observation, String> {
        let target = TargetSpec::parse(target).map_err(|error| error.to_string())?;
        let mut count = self.list.len();
        let fault = loop {
            let inside = self.border.filter(|&border| border < count);
            let early = inside.map_or(Ok(()), |border| {
                self.observe_prefix(border, &target, program, expected).map(drop)
            });
            match early.and_then(|()| self.observe_prefix(count, &target, program, expected)) {
                Ok(observation) => return Ok(observation),
                Err(Fault::Managed) if count > 0 => count -= 1,
                Err(Fault::Managed) => return Ok(expected.clone()),
                Err(Fault::Found(fault)) => break fault,
            }
        };
        let first = (1..count).find_map(|count| {
            match self.observe_prefix(count, &target, program, expected) {
                Err(Fault::Found(fault)) => Some((count, fault)),
                _ => None,
            }
        });
        let (count, fault) = first.unwrap_or((count, fault));
        let pass = count.checked_sub(1).map_or("no pass".into(), |last| self.list[last].spelling());
        let list = spelled(&self.list);
        Err(format!("`{pass}` for {target}: {fault}\nthe passes were {list}"))
    }

    /// What the program does behind the first `count` passes.
    fn observe_prefix(
        &mut self,
        count: usize,
        target: &TargetSpec,
        program: &Generated,
        expected: &Observation,
    ) -> Result<Observation, Fault> {
        let list = &self.list[..count];
        let mut report = Report::default();
        let run = AssertUnwindSafe(|| {
            let once = lowered(program, list, target, Switch::On, &mut report)?;
            let again = lowered(program, list, target, Switch::Off, &mut Report::default())?;
            Ok((once, again))
        });
        let (module, again) = catch_unwind(run).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(Fault::Found(format!("panicked: {}", text.unwrap_or("with no message"))))
        })?;
        if print_module(&module) != print_module(&again) {
            return Err(Fault::Found("two runs give two modules".to_owned()));
        }
        for run in &report.runs {
            let (runs, changes) = self.changes.entry(run.pass).or_default();
            *runs += 1;
            *changes += u64::from(run.change == Change::Something);
        }
        let form = self.list[..count].iter().map(|pass| pass.form).max();
        let form = form.unwrap_or(ValueForm::Declared);
        let calls = calls_in(program, form);
        let interpreted = interpret(&[&module, prelude::module()], &module, &calls);
        let (mut found, _) = interpreted.map_err(Fault::Found)?;
        declare(program, form, expected, &mut found);
        match difference(program, expected, &found) {
            Some(difference) => Err(Fault::Found(difference)),
            None => Ok(found),
        }
    }
}

/// The module behind passes, each verified or not.
fn lowered(
    program: &Generated,
    list: &[&'static Pass],
    target: &TargetSpec,
    verify_each: Switch,
    report: &mut Report,
) -> Result<Module, Fault> {
    let mut module = program.module.clone();
    let inspector = Inspector::new(Inspection { verify_each, ..Inspection::default() }, None);
    let options = RunOptions::new(target);
    let options = RunOptions { inspector: Some(&inspector), timing: Timing::On, ..options };
    match run_passes(&mut module, list, &options, report) {
        Ok(()) => Ok(module),
        Err(CompileError::Unsupported { .. }) if is_managed(&program.module) => Err(Fault::Managed),
        Err(error) => Err(Fault::Found(error.to_string())),
    }
}

impl Engine for Passes {
    fn name(&self) -> &'static str {
        "passes"
    }

    fn observe(&mut self, program: &Generated) -> Result<Observation, String> {
        let (expected, _) = reference(program)?;
        let mut last = expected.clone();
        for target in self.targets.clone() {
            last = self.observe_for(&target, program, &expected)?;
        }
        Ok(last)
    }
}

/// The calls of the program with their arguments as they cross borders now.
fn calls_in(program: &Generated, form: ValueForm) -> Vec<Call> {
    let types = &program.module.types;
    let split = |call: &Call| {
        let signature = signature(program, &call.function);
        let args = signature.param_types().zip(&call.args);
        let args = args.flat_map(|(ty, arg)| form.split(types, ty, arg)).collect();
        Call { function: call.function.clone(), args }
    };
    program.calls.iter().map(split).collect()
}

fn signature<'a>(program: &'a Generated, function: &str) -> &'a Signature {
    let id = program.module.function_named(function);
    program.module.signature_of(id.unwrap_or(FuncId::from_u32(u32::MAX - 1)))
}

/// Puts what was observed back into the types that the program declares.
fn declare(
    program: &Generated,
    form: ValueForm,
    expected: &Observation,
    observation: &mut Observation,
) {
    let types = &program.module.types;
    let join = |wanted: &mut dyn Iterator<Item = Type>, values: &mut Vec<Datum>| {
        let mut pieces = std::mem::take(values).into_iter();
        values.extend(wanted.map(|ty| form.join(types, ty, &mut pieces)));
    };
    let expected = program.calls.iter().zip(&expected.answers);
    for ((call, expected), answer) in expected.zip(&mut observation.answers) {
        match (answer, expected) {
            (Answer::Returned(values), _) => {
                join(&mut signature(program, &call.function).result_types(), values);
            }
            (
                Answer::Trapped { code: TrapCode::UncaughtException, values, .. },
                Answer::Trapped { code: TrapCode::UncaughtException, values: declared, .. },
            ) => {
                // Where an object stands follows from which others were made.
                let pairs = values.iter_mut().zip(declared);
                let objects = pairs.filter(|(a, b)| a.bits() != 0 && b.bits() != 0);
                objects.for_each(|(value, declared)| value.clone_from(declared));
            }
            (
                Answer::Trapped { code, frames, side_exit, values, .. },
                Answer::Trapped { values: declared, .. },
            ) => {
                let kind = side_exit.map_or(ExitKind::Trap(*code), ExitKind::Side);
                // Code that was inlined has another name than who has the exit.
                let mut names = frames.iter().map(|frame| &*frame.function);
                if let Some(wanted) =
                    names.find_map(|name| exit_types(&program.module, name, kind, declared))
                {
                    join(&mut wanted.iter().copied(), values);
                }
            }
            _ => {}
        }
    }
}

/// The types that the first exit of that kind takes along that could have
/// taken those values.
fn exit_types<'a>(
    module: &'a Module,
    function: &str,
    kind: ExitKind,
    values: &[Datum],
) -> Option<&'a [Type]> {
    let function = module.function_named(function).and_then(|id| module.function(id));
    let body = function.and_then(|function| function.body.as_deref());
    let mut exits = body.into_iter().flat_map(Body::exits);
    let found = exits.find(|(_, exit)| {
        let mut pairs = values.iter().zip(&exit.types);
        exit.kind == kind
            && exit.types.len() == values.len()
            && pairs.all(|(value, &ty)| value.fits(&module.types, ty))
    });
    found.map(|(_, exit)| &*exit.types)
}

/// Whether a managed op stands somewhere, or an access to a managed object.
fn is_managed(module: &Module) -> bool {
    module.functions().filter_map(|(_, function)| function.body.as_deref()).any(|body| {
        let mut insts = body.layout.all_insts();
        insts.any(|inst| {
            let data = body.inst(inst);
            let has_roots = matches!(data.payload, Payload::ForeignCall { roots: 1.., .. });
            let is_reference =
                |&arg: &Value| body.value_type(arg).lane().is_some_and(Scalar::is_managed);
            let is_access = matches!(data.payload, Payload::Access(_));
            let accesses_object = is_access && body.args(inst).iter().any(is_reference);
            data.op.info().dialect == Dialect::Managed || has_roots || accesses_object
        })
    })
}

#[cfg(test)]
mod tests;
