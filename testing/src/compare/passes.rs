//! By way of the passes that take a program down: verified and interpreted at
//! every border.

use brolga_ir::body::{Body, ExitKind};
use brolga_ir::datum::Datum;
use brolga_ir::entity::FuncId;
use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::op::Dialect;
use brolga_ir::types::{Signature, Type};
use brolga_ir::verify::{Options as Border, verify_module};
use brolga_lowering::error::CompileError;
use brolga_lowering::legal_form::ValueForm;
use brolga_lowering::pipeline::{Level, Report, RunOptions, passes_at, run_passes};
use brolga_lowering::prelude;
use brolga_lowering::target::TargetSpec;

use super::{Answer, Engine, Observation, difference, interpret, reference};
use crate::generate::{Call, Generated};

/// The targets that passes run for: they differ in what the last ones do.
const TARGETS: &[&str] = &[
    "x86_64-unknown-linux-gnu/x86-64",
    "x86_64-unknown-linux-gnu/x86-64-v3",
    "aarch64-unknown-linux-gnu/generic",
];

/// Runs the passes of a level one by one, for several targets, and interprets
/// what each leaves.
#[derive(Clone, Debug)]
pub struct Passes {
    level: Level,
}

impl Passes {
    /// The passes of `level`.
    pub fn new(level: Level) -> Passes {
        Passes { level }
    }

    fn observe_for(
        &self,
        target: &str,
        program: &Generated,
        expected: &Observation,
    ) -> Result<Observation, String> {
        let target = TargetSpec::parse(target).map_err(|error| error.to_string())?;
        let mut module = program.module.clone();
        let mut last = expected.clone();
        for pass in passes_at(self.level) {
            let failed = |reason: String| format!("`{}` for {target}: {reason}", pass.name);
            let options = RunOptions::new(&target);
            match run_passes(&mut module, &[pass], &options, &mut Report::default()) {
                Ok(()) => {}
                // Managed code is not compiled yet.
                Err(CompileError::Unsupported { .. }) if is_managed(&program.module) => break,
                Err(error) => return Err(failed(error.to_string())),
            }
            let border = Border { border: pass.border, ..Border::default() };
            verify_module(&module, &border).map_err(|errors| failed(errors.to_string()))?;
            let calls = calls_in(program, pass.form);
            (last, _) =
                interpret(&[&module, prelude::module()], &module, &calls).map_err(failed)?;
            declare(program, pass.form, expected, &mut last);
            if let Some(found) = difference(program, expected, &last) {
                return Err(failed(found));
            }
        }
        Ok(last)
    }
}

impl Engine for Passes {
    fn name(&self) -> &'static str {
        "passes"
    }

    fn observe(&mut self, program: &Generated) -> Result<Observation, String> {
        let (expected, _) = reference(program)?;
        let mut last = expected.clone();
        for target in TARGETS {
            last = self.observe_for(target, program, &expected)?;
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
    let body = function.and_then(|function| function.body.as_ref());
    let mut exits = body.into_iter().flat_map(Body::exits);
    let found = exits.find(|(_, exit)| {
        let mut pairs = values.iter().zip(&exit.types);
        exit.kind == kind
            && exit.types.len() == values.len()
            && pairs.all(|(value, &ty)| value.fits(&module.types, ty))
    });
    found.map(|(_, exit)| &*exit.types)
}

/// Whether a managed op stands somewhere.
fn is_managed(module: &Module) -> bool {
    module.functions().filter_map(|(_, function)| function.body.as_ref()).any(|body| {
        let mut insts = body.layout.blocks().flat_map(|block| body.layout.insts(block));
        insts.any(|inst| {
            let data = body.inst(inst);
            let has_roots = matches!(data.payload, Payload::ForeignCall { roots: 1.., .. });
            data.op.info().dialect == Dialect::Managed || has_roots
        })
    })
}
