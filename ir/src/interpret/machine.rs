//! The machine: activations on a stack of its own, and the loop that executes.

pub(super) mod access;
mod activation;
mod alias;
pub(super) mod atomic;
pub(super) mod bulk;
pub(super) mod call;
pub(super) mod control;
pub(super) mod entity;
pub(super) mod exception;
pub(super) mod exit;
mod invariant;
mod jump;
pub(super) mod managed;
pub(super) mod stack;
mod stop;
mod variadic;

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use smallvec::SmallVec;

use super::code::{Code, Edge, Operand, Step};
use super::eval::{self, Datums, Rule};
use super::host::HostError;
use super::libc::CState;
use super::meaning::Meaning;
use super::memory::Memory;
use super::program::Program;
use super::{Limits, OpCounts, Trace, Traced};
use crate::datum::Datum;
use crate::entity::{FuncId, Value};
use crate::trap::TrapCode;

use activation::Activation;
use alias::ByteClasses;
use invariant::Promised;

pub(super) use jump::{Jump, PLACE_WORDS};
pub(super) use stop::Stop;

/// Where execution goes on.
pub(super) enum Flow {
    /// At the next instruction.
    Next,
    /// At that instruction of the same activation.
    At(u32),
    /// Where the innermost activation says.
    Activation,
}

/// An instruction, and the body that it is of.
#[derive(Clone, Copy)]
pub(super) struct Site<'a, 'm> {
    code: &'a Code<'m>,
    step: &'a Step<'m>,
}

/// How the machine executes an op.
pub(super) type Handler = for<'m> fn(&mut Machine<'m>, Site<'_, 'm>) -> Result<Flow, Stop>;

/// A handler region that was entered and not left.
#[derive(Clone, Debug)]
struct Region {
    /// Which of the instruction's edges leads to the handler.
    enter: usize,
    /// The values for the handler's parameters, of the moment of the entry.
    values: SmallVec<[Datum; 4]>,
}

/// The state of an execution.
pub(super) struct Machine<'m> {
    pub(super) program: Program<'m>,
    pub(super) memory: Box<dyn Memory>,
    pub(super) limits: Limits,
    pub(super) fuel: u64,
    pub(super) counts: Box<OpCounts>,
    pub(super) interrupt: Arc<AtomicBool>,
    pub(super) trace: Option<Box<dyn Trace>>,
    pub(super) output: Vec<u8>,
    pub(super) c_state: CState,
    /// Why a callback did not return, until the call out has returned.
    pub(super) pending: Option<Stop>,
    pub(super) exception: u64,
    classes: ByteClasses,
    promised: Promised,
    decoded: Vec<Option<Rc<Code<'m>>>>,
    activations: Vec<Activation<'m>>,
    /// The number of the last activation.
    serial: u64,
    registers: Vec<Datum>,
    slots: Vec<u64>,
    regions: Vec<Region>,
    /// The first register of the innermost activation.
    base: usize,
    /// Bytes that the activations' values may take.
    stack_bytes: u64,
    /// Bytes that the parts of the constants of decoded bodies take.
    constant_bytes: u64,
    /// How many activations stay when the present run is through.
    floor: usize,
    /// How many runs there are, each called back by the host.
    runs: u32,
    returned: Datums,
}

impl std::fmt::Debug for Machine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Machine({} activations)", self.activations.len())
    }
}

/// Each run takes a piece of the host's own stack.
const MAX_RUNS: u32 = 100;

impl<'m> Machine<'m> {
    pub(super) fn new(program: Program<'m>, memory: Box<dyn Memory>, limits: Limits) -> Self {
        let decoded = program.functions.iter().map(|_| None).collect();
        Machine {
            program,
            memory,
            limits,
            fuel: limits.steps,
            counts: Box::default(),
            interrupt: Arc::default(),
            trace: None,
            output: Vec::new(),
            c_state: CState::default(),
            pending: None,
            exception: 0,
            classes: ByteClasses::default(),
            promised: Promised::default(),
            decoded,
            activations: Vec::new(),
            serial: 0,
            registers: Vec::new(),
            slots: Vec::new(),
            regions: Vec::new(),
            base: 0,
            stack_bytes: 0,
            constant_bytes: 0,
            floor: 0,
            runs: 0,
            returned: Datums::new(),
        }
    }

    /// Calls a function and runs until it has returned.
    pub(super) fn run(&mut self, function: usize, args: Datums) -> Result<Datums, Stop> {
        if self.runs >= MAX_RUNS {
            return Err(TrapCode::StackOverflow.into());
        }
        let outer = std::mem::replace(&mut self.floor, self.activations.len());
        self.runs += 1;
        let mut result = self.enter(function, args).map(|_| ());
        loop {
            if let Err(Stop::Throw(exception)) = result {
                result = self.unwind(exception);
            }
            if let Err(Stop::Jump(jump)) = result {
                result = self.land(jump);
            }
            if result.is_err() || self.activations.len() <= self.floor {
                break;
            }
            result = self.run_activation();
        }
        let result = result.map_err(|stop| self.locate(stop));
        while self.activations.len() > self.floor {
            self.pop();
        }
        self.runs -= 1;
        self.floor = outer;
        result.map(|()| std::mem::take(&mut self.returned))
    }

    /// Executes the innermost activation until it calls, returns or is left.
    fn run_activation(&mut self) -> Result<(), Stop> {
        let Some(activation) = self.activations.last() else { return Ok(()) };
        let index = self.activations.len() - 1;
        let code = Rc::clone(&activation.code);
        let mut at = activation.at;
        loop {
            let Some(step) = code.steps.get(at) else {
                return Err(Stop::Broken("a block has no terminator".into()));
            };
            self.activations[index].at = at;
            self.charge(1 + step.weight)?;
            self.counts.count(step.data.op);
            let site = Site { code: &code, step };
            let flow = match step.meaning {
                Meaning::Pure(rule) => {
                    self.compute(site, rule)?;
                    Flow::Next
                }
                Meaning::State(handler) => handler(self, site)?,
            };
            match flow {
                Flow::Next => {
                    if self.trace.is_some() {
                        self.tell(site);
                    }
                    at += 1;
                }
                Flow::At(next) => at = next as usize,
                Flow::Activation => return Ok(()),
            }
        }
    }

    /// Executes a pure op.
    fn compute(&mut self, site: Site<'_, 'm>, rule: Rule) -> Result<(), TrapCode> {
        if let Rule::Lanes(rule) = rule
            && let Some(lanes) = self.scalars(site.code, site.code.operands(site.step))
        {
            let result = rule.apply(&site.step.shape, lanes)?;
            if let Some(&value) = site.step.results.first() {
                self.set_bits(value, result);
            }
            return Ok(());
        }
        let Site { code, step } = site;
        let results = {
            let operands = code.operands(step).iter().map(|&operand| self.value(code, operand));
            let operands: SmallVec<[&Datum; 4]> = operands.collect();
            eval::evaluate(rule, &step.operation(), &step.shape, &operands)?
        };
        self.set_results(step.results, results);
        Ok(())
    }

    /// The operands, if all are scalars and there are at most `N`: as mostly.
    /// Zeros fill up what is missing.
    fn scalars<const N: usize>(&self, code: &Code<'m>, operands: &[Operand]) -> Option<[u128; N]> {
        let mut scalars = [0; N];
        for (index, &operand) in operands.iter().enumerate() {
            let Datum::Scalar(bits) = self.value(code, operand) else { return None };
            *scalars.get_mut(index)? = *bits;
        }
        Some(scalars)
    }

    /// Tells the trace what an instruction has given.
    fn tell(&mut self, Site { code, step }: Site<'_, 'm>) {
        let Some(mut trace) = self.trace.take() else { return };
        let results = step.results.iter().map(|&value| self.base + value.as_u32() as usize);
        let results = results.filter_map(|register| self.registers.get(register).cloned());
        let results: Vec<Datum> = results.collect();
        let (module, depth) = (self.program.modules[code.module].module, self.activations.len());
        let (function, inst, results) = (code.id, step.inst, results.as_slice());
        trace.executed(&Traced { module, function, inst, depth, results });
        self.trace = Some(trace);
    }

    fn value<'a>(&'a self, code: &'a Code<'m>, operand: Operand) -> &'a Datum {
        match operand {
            Operand::Register(register) => &self.registers[self.base + register as usize],
            Operand::Constant(index) => &code.constants[index as usize],
        }
    }

    /// The operand of that index; zero if there is none.
    fn operand<'a>(&'a self, site: Site<'a, 'm>, index: usize) -> &'a Datum {
        static NONE: Datum = Datum::Scalar(0);
        let operands = site.code.operands(site.step);
        operands.get(index).map_or(&NONE, |&operand| self.value(site.code, operand))
    }

    /// The bits of the operand of that index.
    fn bits(&self, site: Site<'_, 'm>, index: usize) -> u128 {
        self.operand(site, index).bits()
    }

    /// Whether the first operand, a condition, is true.
    fn holds(&self, site: Site<'_, 'm>) -> bool {
        self.bits(site, 0) & 1 == 1
    }

    /// The operands from that index on.
    fn operands_from(&self, site: Site<'_, 'm>, from: usize) -> Datums {
        let operands = site.code.operands(site.step).iter().skip(from);
        operands.map(|&operand| self.value(site.code, operand).clone()).collect()
    }

    fn set(&mut self, value: Value, datum: Datum) {
        if let Datum::Scalar(bits) = datum {
            self.set_bits(value, bits);
        } else if let Some(register) = self.register(value) {
            *register = datum;
        }
    }

    /// Sets a value to a scalar: in place, which is quicker than to move one.
    fn set_bits(&mut self, value: Value, bits: u128) {
        match self.register(value) {
            Some(Datum::Scalar(old)) => *old = bits,
            Some(register) => *register = Datum::Scalar(bits),
            None => {}
        }
    }

    fn register(&mut self, value: Value) -> Option<&mut Datum> {
        self.registers.get_mut(self.base + value.as_u32() as usize)
    }

    fn set_results(&mut self, results: &[Value], values: Datums) {
        for (&result, value) in results.iter().zip(values) {
            self.set(result, value);
        }
    }

    /// Gives the first result of an instruction, mostly the only one.
    fn give(&mut self, site: Site<'_, 'm>, datum: impl Into<Datum>) -> Result<Flow, Stop> {
        if let Some(&result) = site.step.results.first() {
            self.set(result, datum.into());
        }
        Ok(Flow::Next)
    }

    /// The values that an edge hands over.
    fn edge_values(&self, code: &Code<'m>, edge: &Edge<'m>) -> SmallVec<[Datum; 4]> {
        let operands = code.edge_operands(edge).iter();
        operands.map(|&operand| self.value(code, operand).clone()).collect()
    }

    /// Goes over an edge: all its values are read before the first is put.
    fn take_edge(&mut self, code: &Code<'m>, edge: &Edge<'m>) -> Flow {
        if let Some(values) = self.scalars::<4>(code, code.edge_operands(edge)) {
            for (&param, bits) in edge.params.iter().zip(values) {
                self.set_bits(param, bits);
            }
            return Flow::At(edge.to);
        }
        let values = self.edge_values(code, edge);
        for (&param, value) in edge.params.iter().zip(values) {
            self.set(param, value);
        }
        Flow::At(edge.to)
    }

    /// The edge of that index.
    fn edge<'a>(site: Site<'a, 'm>, index: usize) -> Result<&'a Edge<'m>, Stop> {
        let edge = site.code.edges(site.step).get(index);
        edge.ok_or_else(|| Stop::Broken("an edge is missing".into()))
    }

    /// The number in the program of a function of the code's module.
    fn function_of(&self, code: &Code<'m>, id: FuncId) -> Result<usize, Stop> {
        let functions = &self.program.modules[code.module].functions;
        let function = functions.get(id.as_u32() as usize).copied();
        function.ok_or_else(|| Stop::Broken(format!("{id} is no function of the module").into()))
    }

    fn top(&mut self) -> Result<&mut Activation<'m>, Stop> {
        self.activations.last_mut().ok_or_else(|| Stop::Broken("nothing is being executed".into()))
    }

    /// Appends to the output, up to its limit.
    pub(super) fn print(&mut self, bytes: &[u8]) -> Result<(), HostError> {
        self.check_output(bytes.len() as u64).map_err(HostError::Trap)?;
        self.output.extend_from_slice(bytes);
        Ok(())
    }

    /// Whether so many bytes more can be printed.
    pub(super) fn check_output(&self, bytes: u64) -> Result<(), TrapCode> {
        if bytes > self.output_room() { Err(TrapCode::OutOfMemory) } else { Ok(()) }
    }

    /// How many bytes more can be printed.
    pub(super) fn output_room(&self) -> u64 {
        self.limits.output.saturating_sub(self.output.len()) as u64
    }

    /// Uses up steps beside those of the instructions.
    pub(super) fn charge(&mut self, steps: u64) -> Result<(), TrapCode> {
        let left = self.fuel.checked_sub(steps);
        self.fuel = left.unwrap_or(0);
        left.map(|_| ()).ok_or(TrapCode::OutOfFuel)
    }

    /// Counts work on many bytes at once as more than one step.
    pub(super) fn charge_bytes(&mut self, bytes: u64) -> Result<(), TrapCode> {
        const BYTES_A_STEP: u64 = 64;
        self.charge(bytes / BYTES_A_STEP)
    }

    fn check_interrupt(&self) -> Result<(), TrapCode> {
        if self.interrupt.load(Ordering::Relaxed) { Err(TrapCode::Interrupted) } else { Ok(()) }
    }
}
