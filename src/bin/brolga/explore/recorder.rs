//! Writing down what passes do to functions.

use std::sync::{Mutex, MutexGuard, PoisonError};

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_ir::observe::Remark;
use brolga_lowering::pipeline::{self, Watcher};
use rustc_hash::FxHashMap;

use super::data::{Code, Flow, FunctionEntry, Index, Page, PassEntry, RemarkEntry, Size, Step};
use super::flow;
use super::lines::{Lines, place_of};
use crate::pass_options::Wanted;

/// Who writes down what passes do to some functions of a module.
#[derive(Debug)]
pub(super) struct Recorder(Mutex<Record>);

#[derive(Debug)]
struct Record {
    list: String,
    passes: Vec<PassEntry>,
    ids: Vec<FuncId>,
    functions: Vec<Followed>,
    lines: Lines,
    flows: Vec<Flow>,
    /// Which of them has that JSON.
    known_flows: FxHashMap<String, Index>,
}

/// A function so far.
#[derive(Debug, Default)]
struct Followed {
    name: String,
    lines: Vec<Index>,
    steps: Vec<Step>,
}

impl Recorder {
    /// One who begins with the functions as they are.
    pub(super) fn new(module: &Module, ids: &[FuncId], wanted: &Wanted) -> Recorder {
        let passes = wanted.passes.iter().map(|pass| PassEntry {
            name: pass.spelling().into_owned(),
            stage: pass.stage.name(),
            reason: pass.reason,
        });
        let mut record = Record {
            list: wanted.said.clone(),
            passes: passes.collect(),
            ids: ids.to_vec(),
            functions: Vec::new(),
            lines: Lines::default(),
            flows: Vec::new(),
            known_flows: FxHashMap::default(),
        };
        for &id in ids {
            let name = module.function(id).map_or("", |function| &function.name).to_owned();
            let mut function = Followed { name, ..Followed::default() };
            record.follow(&mut function, module, id, Step::default());
            record.functions.push(function);
        }
        Recorder(Mutex::new(record))
    }

    /// What was written down.
    pub(super) fn page(&self) -> Page {
        let record = self.record();
        let functions = record.functions.iter().map(|function| FunctionEntry {
            name: function.name.clone(),
            steps: function.steps.clone(),
            clif: Code::Missing(String::new()),
            assembly: Code::Missing(String::new()),
        });
        Page {
            list: record.list.clone(),
            passes: record.passes.clone(),
            functions: functions.collect(),
            lines: record.lines.lines.items().to_vec(),
            places: record.lines.places.items().to_vec(),
            flows: record.flows.clone(),
            ..Page::default()
        }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher for Recorder {
    fn passed(&self, step: &pipeline::Step<'_>) {
        let mut record = self.record();
        let Some(index) = record.ids.iter().position(|&id| id == step.function) else { return };
        let mut function = std::mem::take(&mut record.functions[index]);
        let entry = Step {
            remarks: step.remarks.iter().map(|remark| record.remark(remark)).collect(),
            counts: step.statistics.iter().map(|(_, what, count)| (what, count)).collect(),
            time: (!step.time.is_zero()).then(|| step.time.as_nanos() as f64 / 1e3),
            ..Step::default()
        };
        record.follow(&mut function, step.module, step.function, entry);
        record.functions[index] = function;
    }
}

impl Record {
    /// Adds a step to a function, which is there now.
    fn follow(&mut self, function: &mut Followed, module: &Module, id: FuncId, mut step: Step) {
        let lines = self.lines.of(module, id);
        (step.edits, step.moved) = self.lines.edits(&function.lines, &lines);
        if !step.edits.is_empty() {
            step.flow = self.flow(module, id);
            step.size = module.function(id).and_then(|it| it.body.as_deref()).map(|body| Size {
                blocks: body.layout.blocks().count(),
                instructions: body.layout.blocks().map(|it| body.layout.insts(it).count()).sum(),
            });
        }
        function.lines = lines;
        function.steps.push(step);
    }

    /// The picture of a function, which stands only once among all.
    fn flow(&mut self, module: &Module, id: FuncId) -> Option<Index> {
        let flow = flow::of(module, id)?;
        let text = serde_json::to_string(&flow).ok()?;
        let index = *self.known_flows.entry(text).or_insert(self.flows.len() as Index);
        if index as usize == self.flows.len() {
            self.flows.push(flow);
        }
        Some(index)
    }

    fn remark(&mut self, remark: &Remark) -> RemarkEntry {
        let frames: Vec<_> = remark.frames.iter().map(place_of).collect();
        let is_known = frames.iter().any(|frame| frame.line > 0);
        RemarkEntry {
            pass: remark.pass,
            kind: remark.kind.name(),
            message: remark.message.to_string(),
            place: is_known.then(|| self.lines.places.add(frames)),
        }
    }
}
