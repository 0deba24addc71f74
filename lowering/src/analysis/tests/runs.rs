//! Runs of generated functions in the interpreter, with the values that they compute.

use std::cell::RefCell;
use std::rc::Rc;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::datum::Datum;
use brolga_ir::entity::{EntityRef, FuncId, Inst, Value};
use brolga_ir::interpret::{Interpreter, Limits, Trace, Traced};
use brolga_ir::module::Module;
use brolga_ir::op::Op;

use super::bodies::on_many_bodies;
use super::graphs::Random;

type Steps = Rc<RefCell<Vec<(Inst, Vec<u128>)>>>;

struct Recorder {
    function: FuncId,
    steps: Steps,
}

impl Trace for Recorder {
    fn executed(&mut self, step: &Traced<'_>) {
        if step.function == self.function {
            let results = step.results.iter().map(Datum::bits).collect();
            self.steps.borrow_mut().push((step.inst, results));
        }
    }
}

/// The values that are known at a moment of a run.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Moment {
    values: Vec<Option<u128>>,
}

impl Moment {
    /// The bits of `value`, if it is a constant or was computed.
    pub(in crate::analysis) fn get(&self, body: &Body, value: Value) -> Option<u128> {
        let known = self.values.get(value.index()).copied().flatten();
        body.as_scalar_constant(value).or(known)
    }

    /// Notes a value. Blocks begin with copies of their parameters, by which these are known.
    pub(in crate::analysis) fn note(&mut self, body: &Body, inst: Inst, results: &[u128]) {
        self.values.resize(body.value_count(), None);
        for (result, &bits) in body.results(inst).iter().zip(results) {
            self.values[result.index()] = Some(bits);
            let copied = match (body.inst(inst).op, body.args(inst)) {
                (Op::Opaque, &[param]) => Some(param),
                (Op::PtrAdd, &[param, zero]) if body.as_scalar_constant(zero) == Some(0) => {
                    Some(param)
                }
                _ => None,
            };
            if let Some(param) = copied
                && matches!(body.value_def(param), ValueDef::Param(..))
            {
                self.values[param.index()] = Some(bits);
            }
        }
    }
}

/// Calls `look` behind each instruction of many runs, with the values of that moment.
pub(in crate::analysis) fn on_many_runs(
    mut begin: impl FnMut(&Module, &Body),
    mut look: impl FnMut(&Module, &Body, Inst, &Moment),
) {
    let mut random = Random::new(17);
    on_many_bodies(|module, body| {
        begin(module, body);
        for _ in 0..6 {
            let mut moment = Moment::default();
            for (inst, results) in steps(module, &mut random) {
                moment.note(body, inst, &results);
                look(module, body, inst, &moment);
            }
        }
    });
}

/// What `@f` does with some arguments, until it is stopped.
pub(in crate::analysis) fn steps(module: &Module, random: &mut Random) -> Vec<(Inst, Vec<u128>)> {
    let limits = Limits { steps: 400, ..Limits::default() };
    let setup = Interpreter::setup().module(module).limits(limits);
    let mut interpreter = setup.build().unwrap();
    let steps = Steps::default();
    let function = module.function_named("f").unwrap();
    interpreter.trace(Box::new(Recorder { function, steps: Rc::clone(&steps) }));
    let data = interpreter.data_objects().find(|data| &*data.name == "mutable").unwrap();
    let numbers = [0, 1, 3, 7, 8, 100, u64::MAX, 1 << 63, 12_345_678_901];
    let mut number = || u128::from(numbers[random.below(numbers.len())]);
    let args = [number(), number(), data.address.into()].map(Datum::Scalar);
    // How it ends is not of interest.
    let _ = interpreter.call("f", &args);
    steps.take()
}
