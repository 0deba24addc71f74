//! The smallest program that still shows what a large one has shown.

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, FuncId, Inst, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload, Target};
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::text::{parse_module, print_module};
use brolga_ir::types::Type;
use brolga_ir::verify::{Options, verify_module};

use crate::generate::{Generated, Split};

/// Takes away from `program` whatever is not needed for `shows` to say yes, as
/// long as the verifier accepts what is left. `shows` may run it.
pub fn reduce(program: &Generated, shows: &mut dyn FnMut(&Generated) -> bool) -> Generated {
    let mut reducer = Reducer { best: program.clone(), shows };
    reducer.accept(Generated { split: Split::WHOLE, ..program.clone() });
    reducer.drop_calls();
    reducer.try_change(forget_places);
    loop {
        let before = reducer.size();
        for id in reducer.defined() {
            reducer.try_change(|module| with_body(module, id, gut));
        }
        for id in reducer.defined() {
            reducer.straighten(id);
            reducer.drop_insts(id);
            reducer.try_change(|module| with_body(module, id, |body, _| merge(body)));
        }
        reducer.drop_lines();
        if reducer.size() >= before {
            return reducer.best;
        }
    }
}

struct Reducer<'a> {
    best: Generated,
    shows: &'a mut dyn FnMut(&Generated) -> bool,
}

impl Reducer<'_> {
    fn size(&self) -> usize {
        let bodies = self.best.module.functions().filter_map(|(_, f)| f.body.as_ref());
        bodies.map(|body| placed(body).len()).sum::<usize>()
            + print_module(&self.best.module).lines().count()
    }

    fn defined(&self) -> Vec<FuncId> {
        let functions = self.best.module.functions();
        functions.filter(|(_, f)| f.body.is_some()).map(|(id, _)| id).collect()
    }

    fn accept(&mut self, candidate: Generated) -> bool {
        let is_valid = verify_module(&candidate.module, &Options::default()).is_ok();
        let is_better = is_valid && (self.shows)(&candidate);
        if is_better {
            self.best = candidate;
        }
        is_better
    }

    fn try_change(&mut self, change: impl FnOnce(&mut Module)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate.module);
        self.accept(candidate)
    }

    fn drop_calls(&mut self) {
        let mut index = self.best.calls.len();
        while index > 0 && self.best.calls.len() > 1 {
            index -= 1;
            let mut candidate = self.best.clone();
            candidate.calls.remove(index);
            self.accept(candidate);
        }
    }

    /// Leaves one way where there are several, or ends the function there.
    fn straighten(&mut self, id: FuncId) {
        let Some(body) = self.body(id) else { return };
        let ends: Vec<Inst> =
            placed(body).into_iter().filter(|&i| body.inst(i).op.is_terminator()).collect();
        for inst in ends {
            let ways = self.body(id).map_or(0, |body| body.targets(inst).len());
            let ended = self.try_change(|module| {
                with_body(module, id, |body, results| {
                    end_with_zeros(body, inst, results);
                    sweep(body);
                });
            });
            if ended || ways < 2 {
                continue;
            }
            for way in 0..ways {
                let straight = self.try_change(|module| {
                    with_body(module, id, |body, _| {
                        go_one_way(body, inst, way);
                        sweep(body);
                    });
                });
                if straight {
                    break;
                }
            }
        }
    }

    /// Takes instructions away, many at a time first; zeros stand for their results.
    fn drop_insts(&mut self, id: FuncId) {
        let Some(body) = self.body(id) else { return };
        let mut step = placed(body).len().div_ceil(2).max(1);
        loop {
            let mut from = 0;
            while let Some(body) = self.body(id) {
                let insts: Vec<Inst> = placed(body)
                    .into_iter()
                    .filter(|&inst| !body.inst(inst).op.is_terminator() && !must_stay(body, inst))
                    .collect();
                if from >= insts.len() {
                    break;
                }
                let chunk = insts[from..(from + step).min(insts.len())].to_vec();
                let dropped = self.try_change(|module| {
                    with_body(module, id, |body, _| chunk.iter().for_each(|&i| take_out(body, i)));
                });
                from += if dropped { 0 } else { step };
            }
            if step == 1 {
                return;
            }
            step /= 2;
        }
    }

    /// Takes away declarations that nothing names, by way of the text.
    fn drop_lines(&mut self) {
        let text = print_module(&self.best.module);
        let Ok(module) = parse_module(&text) else { return };
        let same = Generated { module, ..self.best.clone() };
        if !self.accept(same) {
            return;
        }
        let mut pieces = declarations(&text);
        let mut index = pieces.len();
        while index > 0 {
            index -= 1;
            let mut fewer = pieces.clone();
            fewer.remove(index);
            if self.accept_text(&fewer.concat()) {
                pieces = fewer;
            }
        }
        let mut lines: Vec<String> = pieces.concat().lines().map(str::to_owned).collect();
        let is_place = |line: &&String| line.trim_start().starts_with("loc");
        let without: Vec<String> = lines.iter().filter(|line| !is_place(line)).cloned().collect();
        if self.accept_text(&without.join("\n")) {
            lines = without;
        }
        let mut index = lines.len();
        while index > 0 {
            index -= 1;
            let is_declaration = |line: &str| {
                [" = slot", " = \"", " = trap", " = side", " = deopt"]
                    .iter()
                    .any(|part| line.contains(part))
            };
            if is_declaration(&lines[index]) {
                let mut fewer = lines.clone();
                fewer.remove(index);
                if self.accept_text(&fewer.join("\n")) {
                    lines = fewer;
                }
            }
        }
    }

    fn accept_text(&mut self, text: &str) -> bool {
        let (calls, split) = (self.best.calls.clone(), self.best.split);
        parse_module(text).is_ok_and(|module| {
            let is_whole = calls.iter().all(|call| module.function_named(&call.function).is_some());
            is_whole && self.accept(Generated { module, calls, split })
        })
    }

    fn body(&self, id: FuncId) -> Option<&Body> {
        self.best.module.function(id)?.body.as_ref()
    }
}

/// The text in pieces that each begin with a declaration.
fn declarations(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        let continues = line.starts_with([' ', '}', '\n', 'b']) && !pieces.is_empty();
        match pieces.last_mut() {
            Some(last) if continues => last.push_str(line),
            _ => pieces.push(line.to_owned()),
        }
    }
    pieces
}

fn placed(body: &Body) -> Vec<Inst> {
    body.layout.blocks().flat_map(|block| body.layout.insts(block)).collect()
}

/// Changes a body, given the types of the function's results.
fn with_body(module: &mut Module, id: FuncId, change: impl FnOnce(&mut Body, &[Type])) {
    let results: Vec<Type> = module.signature_of(id).result_types().collect();
    if let Some(function) = module.function_mut(id)
        && let Some(body) = &mut function.body
    {
        change(body, &results);
    }
}

fn zeros(body: &mut Body, types: &[Type]) -> Option<Vec<Value>> {
    types.iter().map(|&ty| Some(body.constant(Constant::zero(ty)?))).collect()
}

/// Makes the function return zeros at once.
fn gut(body: &mut Body, results: &[Type]) {
    let first = body.layout.entry().and_then(|entry| body.layout.first_inst(entry));
    if let Some(first) = first {
        end_with_zeros(body, first, results);
        sweep(body);
    }
}

/// Returns zeros in the place of `inst` and all behind it in its block.
fn end_with_zeros(body: &mut Body, inst: Inst, results: &[Type]) {
    let Some(values) = zeros(body, results) else { return };
    let args = body.list(&values);
    let data = InstData::new(Op::Return, Type::NONE, args, Payload::None);
    body.insert_inst(inst, data, &[]);
    let mut next = Some(inst);
    while let Some(inst) = next {
        next = body.layout.next_inst(inst);
        take_out(body, inst);
    }
}

fn go_one_way(body: &mut Body, inst: Inst, way: usize) {
    let Some(target) = body.targets(inst).get(way).copied() else { return };
    let args = body.target_args(&target).to_vec();
    let target = Target { block: target.block, args: body.list(&args) };
    let data = InstData::new(Op::Jump, Type::NONE, Default::default(), Payload::Jump(target));
    body.insert_inst(inst, data, &[]);
    take_out(body, inst);
}

/// Whether zeros cannot stand for the results of an instruction that others
/// use: a function of C that calls null takes the process along.
fn must_stay(body: &Body, inst: Inst) -> bool {
    matches!(body.inst(inst).op, Op::FunctionAddr | Op::FunctionToPtr)
        && placed(body).iter().any(|&user| uses(body, user, inst))
}

/// Removes an instruction; zeros stand for its results.
fn take_out(body: &mut Body, inst: Inst) {
    let results = body.results(inst).to_vec();
    let types: Vec<Type> = results.iter().map(|&result| body.value_type(result)).collect();
    let Some(values) = zeros(body, &types) else { return };
    for user in placed(body) {
        body.map_uses(user, |value| {
            let index = results.iter().position(|&result| result == value);
            index.map_or(value, |index| values[index])
        });
    }
    body.remove_inst(inst);
}

/// Whether an instruction uses a result of another.
fn uses(body: &Body, user: Inst, other: Inst) -> bool {
    let results = body.results(other);
    let mut args = body.args(user).to_vec();
    for target in body.targets(user) {
        args.extend(body.target_args(target));
    }
    args.iter().any(|arg| results.contains(arg))
}

/// Lets the instructions come from the lines of the text.
fn forget_places(module: &mut Module) {
    let ids: Vec<FuncId> = module.functions().map(|(id, _)| id).collect();
    for id in ids {
        with_body(module, id, |body, _| {
            for inst in placed(body) {
                body.inst_mut(inst).loc = None.into();
            }
        });
    }
}

/// Joins blocks that follow each other without a choice.
fn merge(body: &mut Body) {
    let blocks: Vec<Block> = body.layout.blocks().collect();
    for block in blocks.into_iter().rev() {
        let flow = FlowGraph::new(body);
        let &[before] = flow.predecessors(block) else { continue };
        let Some(end) = body.layout.last_inst(before) else { continue };
        let Payload::Jump(target) = body.inst(end).payload else { continue };
        if before == block || body.inst(end).op != Op::Jump {
            continue;
        }
        let (params, args) = (body.params(block).to_vec(), body.target_args(&target).to_vec());
        for user in placed(body) {
            body.map_uses(user, |value| {
                let index = params.iter().position(|&param| param == value);
                index.map_or(value, |index| args[index])
            });
        }
        body.remove_inst(end);
        if let Some(first) = body.layout.first_inst(block) {
            body.layout.move_tail(first, before);
        }
        body.layout.remove_block(block);
    }
}

/// Removes the blocks that nothing leads to.
fn sweep(body: &mut Body) {
    let flow = FlowGraph::new(body);
    let gone: Vec<Block> =
        body.layout.blocks().filter(|&block| !flow.is_reachable(block)).collect();
    for block in gone {
        body.layout.remove_block(block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::reference;
    use crate::generate::{Options as Wanted, generate};

    #[test]
    fn what_is_not_needed_goes() {
        let executes = |program: &Generated| {
            reference(program).is_ok_and(|(_, counts)| counts.of(Op::Fence) > 0)
        };
        let program = (0..200)
            .map(|seed| generate(seed, &Wanted::default()))
            .find(|program| executes(program))
            .expect("some program has a fence");
        let small = reduce(&program, &mut |candidate| executes(candidate));
        assert!(executes(&small));
        let text = print_module(&small.module);
        assert!(text.lines().count() < 40, "{text}");
    }
}
