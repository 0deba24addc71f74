//! The runner: the only place that runs, times and counts passes.

use std::time::{Duration, Instant};

use brolga_ir::body::Body;
use brolga_ir::entity::{FuncId, SecondaryMap};
use brolga_ir::module::Module;
use brolga_ir::observe::Remark;
use brolga_ir::report::frames_at;

use super::demand::{Demand, GivenUp};
use super::inspector::Glimpse;
use super::table::PASSES;
use super::{Duty, Inspector, Order, Pass, Stage, Switch};
use crate::analysis::{Analyses, Kept};
use crate::error::{CompileError, place_of};
use crate::legal_form::ValueForm;
use crate::options::LowerOptions;
use crate::pass::{
    Change, Entry, Inlined, Journal, LocalCalls, PassContext, PassError, Statistics,
    has_hidden_flow,
};
use crate::target::TargetFacts;

/// Whether passes are timed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Timing {
    /// No.
    #[default]
    Off,
    /// Those of a stage together: reading the clock twice for each pass takes 2 % of the time
    /// that small functions do.
    Stages,
    /// Each by itself.
    On,
}

/// How passes are run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions<'a> {
    /// What code is made for.
    pub target: &'a dyn TargetFacts,
    /// Whether they are timed.
    pub timing: Timing,
    /// How many parts the values of a function may come apart into: see
    /// [`LowerOptions::max_parts`](crate::options::LowerOptions::max_parts).
    pub max_parts: usize,
    /// Who inspects them, if anybody does.
    pub inspector: Option<&'a Inspector>,
    /// Who may give them up; nobody, if none.
    pub demand: Option<&'a dyn Demand>,
}

impl<'a> RunOptions<'a> {
    /// For that target, with nothing measured, and the limits of
    /// [`LowerOptions::default`].
    pub fn new(target: &'a dyn TargetFacts) -> RunOptions<'a> {
        let max_parts = LowerOptions::default().max_parts();
        RunOptions { target, timing: Timing::Off, max_parts, inspector: None, demand: None }
    }

    /// Whether to go on with a function.
    fn check_demand(&self, module: &Module, function: FuncId) -> Result<(), CompileError> {
        let Some(given_up) = self.demand.and_then(Demand::given_up) else { return Ok(()) };
        let function = name_of(module, function);
        Err(match given_up {
            GivenUp::Late => CompileError::Late { function },
            GivenUp::Unwanted => CompileError::Unwanted { function },
        })
    }

    fn is_timed(&self) -> bool {
        let is_asked = |it: &Inspector| it.inspection().time_passes == Switch::On;
        self.timing == Timing::On || self.inspector.is_some_and(is_asked)
    }

    fn has_timed_stages(&self) -> bool {
        self.timing == Timing::Stages
    }
}

/// What one pass did to one function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PassRun {
    /// The pass.
    pub pass: &'static str,
    /// Where it belongs.
    pub stage: Stage,
    /// The function.
    pub function: FuncId,
    /// Whether it changed anything.
    pub change: Change,
    /// Instructions before.
    pub before: usize,
    /// Instructions behind.
    pub behind: usize,
    /// How long it took; zero where nothing is timed.
    pub time: Duration,
}

/// What passes did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Each run, in order; only where passes are timed one by one.
    pub runs: Vec<PassRun>,
    /// How long stages took, by their order; only where these are timed.
    pub stages: [Duration; Stage::ALL.len()],
    /// What they counted.
    pub statistics: Statistics,
    /// What they remarked, in order; only where remarks are asked for.
    pub remarks: Vec<Remark>,
}

/// Runs passes over every function of a module, one pass after another.
///
/// # Errors
/// What a pass refuses; the module is then of no use any more.
pub fn run_passes(
    module: &mut Module,
    passes: &[&'static Pass],
    options: &RunOptions<'_>,
    report: &mut Report,
) -> Result<(), CompileError> {
    Runner::new(options, report).run(module, passes, Around::default())
}

/// The passes around those that are run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around<'a> {
    /// Those that have run on the module.
    pub(super) earlier: &'a [&'static Pass],
    /// Those that will.
    pub(super) later: &'a [&'static Pass],
}

/// What is known of the functions of a module between runs of passes.
#[derive(Clone, Debug, Default)]
pub(super) struct Books {
    /// Which functions take over the code of which.
    pub(super) inlined: Inlined,
    /// Whether edges show all flow of a function, as far as that was asked.
    flow: SecondaryMap<FuncId, Flow>,
    /// How many instructions functions have, where passes are timed.
    sizes: SecondaryMap<FuncId, Option<usize>>,
    /// What has been done to functions.
    pub(super) progress: SecondaryMap<FuncId, Progress>,
}

/// What runs of passes need, and what they leave beside the code.
pub(super) struct Runner<'a> {
    options: &'a RunOptions<'a>,
    report: &'a mut Report,
    pub(super) books: Books,
    /// See [`PassContext::next_option`].
    next_option: Option<&'static str>,
    /// The stage that passes are in, and since when, where stages are timed.
    stage: Option<(Stage, Instant)>,
    /// The texts of functions, where they are inspected and the last pass has left them:
    /// printing takes most of the time then.
    texts: SecondaryMap<FuncId, Option<String>>,
    /// What is known of functions behind the last pass.
    pub(super) analyses: SecondaryMap<FuncId, Analyses>,
}

/// How far a function has come.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    /// How often it was changed.
    changes: u32,
    /// By the numbers of rows, one more than how often it had been when they were through with
    /// it; zero where they were not yet. A pass that looks at no other function finds nothing to
    /// do then.
    behind: Vec<u32>,
}

impl Progress {
    /// Whether nothing was changed since a pass was through, of those that may be left out.
    fn is_through(&self, pass: &Pass) -> bool {
        let number = pass.place.number.map(usize::from);
        number.and_then(|number| self.behind.get(number)) == Some(&(self.changes + 1))
    }

    /// Notes that a pass is through.
    fn note(&mut self, pass: &Pass, change: Change) {
        self.changes += u32::from(change == Change::Something);
        if pass.duty == Duty::Required || matches!(pass.order, Order::BottomUp(_)) {
            return;
        }
        let Some(number) = pass.place.number.map(usize::from) else { return };
        if self.behind.is_empty() {
            self.behind = vec![0; PASSES.len()];
        }
        self.behind[number] = self.changes + 1;
    }
}

/// Whether edges show all flow of a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Flow {
    /// Nobody has looked since a pass that may have changed it.
    #[default]
    Unknown,
    Shown,
    Hidden,
}

impl<'a> Runner<'a> {
    pub(super) fn new(options: &'a RunOptions<'a>, report: &'a mut Report) -> Runner<'a> {
        Runner::with_books(options, report, Books::default())
    }

    /// The same that goes on where others have been.
    pub(super) fn with_books(
        options: &'a RunOptions<'a>,
        report: &'a mut Report,
        books: Books,
    ) -> Runner<'a> {
        let (texts, analyses) = (SecondaryMap::new(), SecondaryMap::new());
        Runner { options, report, books, next_option: None, stage: None, texts, analyses }
    }

    /// Runs passes behind earlier ones and before later ones.
    pub(super) fn run(
        &mut self,
        module: &mut Module,
        passes: &[&'static Pass],
        around: Around<'_>,
    ) -> Result<(), CompileError> {
        let bodies = module.functions().filter(|(_, function)| function.body.is_some());
        let functions: Vec<FuncId> = bodies.map(|(id, _)| id).collect();
        let mut analyses = std::mem::take(&mut self.analyses);
        let mut done = Vec::with_capacity(around.earlier.len() + passes.len());
        done.extend_from_slice(around.earlier);
        // Of the calls as they were declared: see `Stream`, which comes to functions in this order.
        let orders: Vec<Option<Vec<FuncId>>> =
            passes.iter().map(|pass| pass.order.functions(module)).collect();
        if !self.books.inlined.knows_calls() {
            self.books.inlined.set_calls(LocalCalls::of(module));
        }
        for (index, (&pass, order)) in passes.iter().zip(orders).enumerate() {
            self.next_option = next_option(passes, index, around.later);
            self.books.inlined.begin();
            let mut glimpses = Vec::new();
            for &function in order.as_ref().unwrap_or(&functions) {
                let known = &mut analyses[function];
                glimpses.extend(self.inspect_pass(module, function, pass, known)?);
            }
            let is_other_form = done.last().is_none_or(|earlier| earlier.form != pass.form);
            if is_other_form {
                change_signatures(module, pass.form)?;
            }
            done.push(pass);
            if let Some(inspector) = self.options.inspector {
                inspector.show_behind(&glimpses, module, pass, self.report);
                inspector.verify(module, &done)?;
            }
            self.texts = SecondaryMap::new();
            for glimpse in glimpses.into_iter().filter(|_| !is_other_form) {
                let (function, text) = glimpse.into_text();
                self.texts[function] = text;
            }
        }
        self.enter_stage(None);
        self.analyses = analyses;
        Ok(())
    }

    /// Runs passes over one function of a module, before later ones; the module as it is.
    pub(super) fn run_on(
        &mut self,
        module: &mut Module,
        function: FuncId,
        passes: &[&'static Pass],
        later: &[&'static Pass],
        mut behind: impl FnMut(&mut Module, &Pass) -> Result<(), CompileError>,
    ) -> Result<(), CompileError> {
        let mut analyses = Analyses::default();
        for (index, &pass) in passes.iter().enumerate() {
            self.next_option = next_option(passes, index, later);
            self.run_pass(module, function, pass, &mut analyses)?;
            behind(module, pass)?;
        }
        self.enter_stage(None);
        Ok(())
    }

    /// Reads the clock where another stage begins, or none does any more.
    fn enter_stage(&mut self, stage: Option<Stage>) {
        if !self.options.has_timed_stages() || self.stage.map(|(known, _)| known) == stage {
            return;
        }
        let now = Instant::now();
        if let Some((stage, start)) = self.stage {
            self.report.stages[stage as usize] += now - start;
        }
        self.stage = stage.map(|stage| (stage, now));
    }

    /// Runs a pass on a function as inspection has it: looked at before and behind, or not
    /// at all.
    fn inspect_pass(
        &mut self,
        module: &mut Module,
        function: FuncId,
        pass: &'static Pass,
        analyses: &mut Analyses,
    ) -> Result<Option<Glimpse>, CompileError> {
        let Some(inspector) = self.options.inspector else {
            self.run_pass(module, function, pass, analyses)?;
            return Ok(None);
        };
        let text = self.texts[function].take();
        let before = inspector.before(module, function, pass, self.report, text);
        let Some(mut glimpse) = before else { return Ok(None) };
        glimpse.change = self.run_pass(module, function, pass, analyses)?;
        inspector.behind(&mut glimpse, module, pass, self.report)?;
        Ok(Some(glimpse))
    }

    /// Whether a pass comes to the function: see [`Duty::Optional`].
    fn is_open(&mut self, module: &Module, function: FuncId, pass: &Pass) -> bool {
        let known = &mut self.books.flow[function];
        if pass.duty == Duty::Required {
            *known = Flow::Unknown;
            return true;
        }
        if *known == Flow::Unknown {
            let body = module.function(function).and_then(|function| function.body.as_deref());
            let is_hidden = body.is_some_and(|body| has_hidden_flow(body, module));
            *known = if is_hidden { Flow::Hidden } else { Flow::Shown };
        }
        *known == Flow::Shown
    }

    fn run_pass(
        &mut self,
        module: &mut Module,
        function: FuncId,
        pass: &'static Pass,
        analyses: &mut Analyses,
    ) -> Result<Change, CompileError> {
        if !self.is_open(module, function, pass) || self.books.progress[function].is_through(pass) {
            return Ok(Change::Nothing);
        }
        self.options.check_demand(module, function)?;
        self.enter_stage(Some(pass.stage));
        let Runner { options, report, books, next_option, .. } = self;
        let Books { inlined, sizes, progress, .. } = books;
        let taken = module.function_mut(function).and_then(|function| function.body.take());
        let Some(mut body) = taken else { return Ok(Change::Nothing) };
        let size = &mut sizes[function];
        let start = options.is_timed().then(|| {
            let before = size.unwrap_or_else(|| count(&body));
            (before, Instant::now())
        });
        let mut context = PassContext {
            module,
            function,
            target: options.target,
            max_parts: options.max_parts,
            analyses,
            inlined,
            option: pass.option,
            next_option: *next_option,
            statistics: &mut report.statistics,
            journal: options.inspector.map_or_else(Journal::default, |it| it.journal(pass)),
        };
        let values = body.value_count();
        let result = (pass.run)(&mut body, &mut context);
        let entries = context.journal.into_entries();
        if let (Some((before, start)), &Ok(change)) = (start, &result) {
            let time = start.elapsed();
            let behind = if change == Change::Nothing { before } else { count(&body) };
            *size = Some(behind);
            let (pass, stage) = (pass.name, pass.stage);
            report.runs.push(PassRun { pass, stage, function, change, before, behind, time });
        }
        if let Ok(change) = result {
            progress[function].note(pass, change);
        }
        // A constant that nothing uses is no change, but analyses that list values lack it.
        if body.value_count() != values {
            analyses.keep(Kept::GRAPH);
        }
        let result = match result {
            Ok(change) => {
                // Constants that nothing uses are no change, but analyses have room for each value.
                let is_same = change == Change::Nothing && body.value_count() == values;
                let change_of_all = if is_same { Change::Nothing } else { Change::Something };
                let is_checked = cfg!(debug_assertions)
                    || options.inspector.is_some_and(|inspector| inspector.verifies_each());
                let known = (&mut *analyses, is_checked);
                settle(module, function, pass, &body, known, change_of_all).map(|()| change)
            }
            Err(error) => Err(compile_error(module, function, &body, error)),
        };
        if let Some(function) = module.function_mut(function) {
            function.body = Some(body);
        }
        let entries = entries.into_iter().map(|it| remark(module, function, pass.name, it));
        report.remarks.extend(entries);
        result
    }
}

/// The option of the next row of the same pass, where rows of it have any.
fn next_option(
    passes: &[&'static Pass],
    index: usize,
    later: &[&'static Pass],
) -> Option<&'static str> {
    let Pass { name, place, .. } = *passes[index];
    if !place.has_options {
        return None;
    }
    let mut to_come = passes[index + 1..].iter().chain(later);
    // Rows that say nothing are most of them, and told without their names.
    to_come.find(|it| it.place.has_options && it.name == name).map(|it| it.option)
}

/// A remark with the place where its instruction stands or stood.
fn remark(module: &Module, function: FuncId, pass: &'static str, entry: Entry) -> Remark {
    let Entry { inst, kind, message } = entry;
    let body = module.function(function).and_then(|function| function.body.as_deref());
    let known = body.filter(|body| body.contains_inst(inst));
    let loc = known.map_or_else(|| None.into(), |body| body.inst(inst).loc);
    let frames = frames_at(module, function, loc).collect();
    Remark { pass, kind, frames, message }
}

/// Drops the analyses that do not hold behind a pass; where debug assertions are
/// on, the others must be what they would be now.
fn settle(
    module: &Module,
    function: FuncId,
    pass: &Pass,
    body: &Body,
    (analyses, is_checked): (&mut Analyses, bool),
    change: Change,
) -> Result<(), CompileError> {
    if change == Change::Something {
        analyses.keep(pass.keeps);
    }
    let stale = if is_checked { analyses.stale(body, module) } else { None };
    match stale {
        None => Ok(()),
        Some(analysis) => Err(CompileError::Defect {
            function: name_of(module, function),
            pass: pass.name,
            reason: format!("leaves `{analysis}` behind that is not what it was").into(),
        }),
    }
}

fn name_of(module: &Module, function: FuncId) -> Box<str> {
    module.function(function).map_or_else(Box::default, |function| (*function.name).into())
}

fn count(body: &Body) -> usize {
    body.layout.all_insts().count()
}

pub(super) fn compile_error(
    module: &Module,
    function: FuncId,
    body: &Body,
    error: PassError,
) -> CompileError {
    let name = || name_of(module, function);
    match error {
        PassError::TooManyParts { count, limit } => {
            CompileError::TooManyParts { function: name(), count, limit }
        }
        PassError::ReservedName { name } => CompileError::ReservedName { name },
        PassError::Signature { callable, reason } => CompileError::Signature { callable, reason },
        PassError::Unsupported { inst, reason } => {
            CompileError::Unsupported { function: name(), place: place_of(body, inst), reason }
        }
        PassError::Illegal { inst, reason } => {
            CompileError::Illegal { function: name(), place: place_of(body, inst), reason }
        }
    }
}

/// Brings the signatures of all functions into the form that values are in.
pub(super) fn change_signatures(module: &mut Module, form: ValueForm) -> Result<(), CompileError> {
    if form == ValueForm::Declared {
        return Ok(());
    }
    let functions: Vec<FuncId> = module.functions().map(|(id, _)| id).collect();
    functions.into_iter().try_for_each(|id| change_signature(module, id, form))
}

/// Brings the signature of a function into a form.
pub(super) fn change_signature(
    module: &mut Module,
    function: FuncId,
    form: ValueForm,
) -> Result<(), CompileError> {
    let declared = module.signature_of(function);
    if form.keeps(declared) {
        return Ok(());
    }
    let signature = form.signature(&module.types, declared);
    let sig = module.types.signature(signature).map_err(|error| CompileError::Signature {
        callable: format!("@{}", name_of(module, function)).into(),
        reason: error.to_string().into(),
    })?;
    if let Some(function) = module.function_mut(function) {
        function.sig = sig;
    }
    Ok(())
}
