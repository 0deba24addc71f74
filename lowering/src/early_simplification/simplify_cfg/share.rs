//! Code that both sides of a branch begin with, or that all ways to a block end with,
//! stands once: before the branch, or in the block.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntitySet, Inst, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::{Effects, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Counts;
use super::shape::count_edges;
use crate::pass::{
    IncomingEdges, PassContext, Renames, can_be_param, count_uses, effects_of, headers,
};

/// What is seen of where an instruction stood: a trap, a throw and a call tell it.
const TELLING: Effects = Effects::TRAP.union(Effects::THROW).union(Effects::SAFEPOINT);

/// Shares common code.
pub(super) fn share(
    body: &mut Body,
    graph: &FlowGraph,
    context: &PassContext<'_>,
    counts: &mut Counts,
) {
    let mut sharing = Sharing {
        edges: count_edges(body),
        headers: headers(graph),
        uses: None,
        renames: Renames::default(),
        context,
        body,
    };
    for &block in graph.postorder() {
        counts.hoisted += sharing.hoist(block);
    }
    let incoming = IncomingEdges::new(sharing.body);
    for block in graph.reverse_postorder() {
        counts.sunk += sharing.sink(block, &incoming);
    }
    sharing.renames.apply(body);
}

struct Sharing<'a, 'c> {
    body: &'a mut Body,
    context: &'a PassContext<'c>,
    edges: SecondaryMap<Block, u32>,
    headers: EntitySet<Block>,
    /// How often each value is used, asked before anything moves.
    uses: Option<SecondaryMap<Value, u32>>,
    renames: Renames,
}

/// What two ways hand to a block, while some of it is shared: parameters that are taken away
/// leave their place empty.
struct Join {
    block: Block,
    jumps: [Inst; 2],
    params: Vec<Option<Value>>,
    passed: [Vec<Value>; 2],
    /// Where each value is passed.
    positions: [FxHashMap<Value, usize>; 2],
}

impl Sharing<'_, '_> {
    /// Moves what both sides of the branch behind `block` begin with before it.
    fn hoist(&mut self, block: Block) -> usize {
        let Some(last) = self.body.layout.last_inst(block) else { return 0 };
        let &[yes, no] = self.body.targets(last) else { return 0 };
        let is_own = |side: Block| self.edges[side] == 1 && self.body.params(side).is_empty();
        let is_branch = self.body.inst(last).op == Op::Branch;
        if !is_branch || yes.block == no.block || !is_own(yes.block) || !is_own(no.block) {
            return 0;
        }
        let mut moved = 0;
        while let (Some(one), Some(other)) =
            (self.body.layout.first_inst(yes.block), self.body.layout.first_inst(no.block))
        {
            if !self.is_same_op(one, other) || !self.has_same_args(one, other) {
                break;
            }
            self.uses();
            let results: SmallVec<[Value; 2]> = SmallVec::from_slice(self.body.results(other));
            for (index, result) in results.into_iter().enumerate() {
                let stays = self.body.results(one)[index];
                let uses = self.uses();
                uses[stays] += uses[result];
                self.renames.rename(result, stays);
            }
            self.keep_common_flags(one, other);
            self.body.layout.remove_inst(one);
            self.body.layout.insert_inst_before(one, last);
            self.body.remove_inst(other);
            moved += 1;
        }
        moved
    }

    /// Moves what the two ways to `block` end with to its start.
    fn sink(&mut self, block: Block, incoming: &IncomingEdges) -> usize {
        let &[first, second] = incoming.of(block) else { return 0 };
        let is_jump = |inst: Inst| self.body.inst(inst).op == Op::Jump;
        if self.headers.contains(block) || !is_jump(first.inst) || !is_jump(second.inst) {
            return 0;
        }
        let mut join = self.join(block, [first.inst, second.inst]);
        let mut moved = 0;
        while self.sink_one(&mut join).is_some() {
            moved += 1;
        }
        if moved != 0 {
            self.write(&join);
        }
        moved
    }

    /// What the two ways hand to `block`.
    fn join(&mut self, block: Block, jumps: [Inst; 2]) -> Join {
        let passed = jumps.map(|jump| {
            let args = self.body.target_args(&self.body.targets(jump)[0]).iter();
            args.map(|&arg| self.renames.resolve(arg)).collect::<Vec<Value>>()
        });
        let positions = passed.each_ref().map(|values| values.iter().copied().zip(0..).collect());
        let params = self.body.params(block).iter().copied().map(Some).collect();
        Join { block, jumps, params, passed, positions }
    }

    fn sink_one(&mut self, join: &mut Join) -> Option<()> {
        let [one, other] = join.jumps.map(|jump| self.body.layout.prev_inst(jump));
        let (one, other) = (one?, other?);
        if !self.is_same_op(one, other) {
            return None;
        }
        self.uses();
        let position = self.passed_at(join, [one, other])?;
        let different: SmallVec<[usize; 4]> = (0..self.body.args(one).len())
            .filter(|&index| self.arg(one, index) != self.arg(other, index))
            .collect();
        // One parameter goes, if there is a result: no more than one may come.
        let most = usize::from(position.is_some());
        if different.len() > most || !self.fit_as_params(one, other, &different) {
            return None;
        }
        let first = self.body.layout.first_inst(join.block)?;
        let passed = different.first().map(|&index| [self.arg(one, index), self.arg(other, index)]);
        self.keep_common_flags(one, other);
        self.body.layout.remove_inst(one);
        self.body.layout.insert_inst_before(one, first);
        if let Some(position) = position {
            self.take_param(join, position, one);
        }
        if let (Some(&operand), Some(values)) = (different.first(), passed) {
            self.add_param(join, values, one, operand);
        }
        self.body.remove_inst(other);
        Some(())
    }

    fn uses(&mut self) -> &mut SecondaryMap<Value, u32> {
        self.uses.get_or_insert_with(|| count_uses(self.body))
    }

    fn arg(&mut self, inst: Inst, index: usize) -> Value {
        let arg = self.body.args(inst)[index];
        self.renames.resolve(arg)
    }

    /// The index of the parameter that the results of both are passed for, and nothing
    /// else: none if there is no result. Nothing at all if they are used otherwise.
    fn passed_at(&mut self, join: &Join, insts: [Inst; 2]) -> Option<Option<usize>> {
        let mut positions = [None; 2];
        for (side, inst) in insts.into_iter().enumerate() {
            let result = match *self.body.results(inst) {
                [] => continue,
                [result] => self.renames.resolve(result),
                _ => return None,
            };
            let &at = join.positions[side].get(&result)?;
            if self.uses()[result] != 1 {
                return None;
            }
            positions[side] = Some(at);
        }
        (positions[0] == positions[1]).then_some(positions[0])
    }

    fn fit_as_params(&self, one: Inst, other: Inst, different: &[usize]) -> bool {
        different.iter().all(|&index| {
            let [a, b] = [one, other].map(|inst| self.body.value_type(self.body.args(inst)[index]));
            a == b && can_be_param(a)
        })
    }

    /// Takes the parameter away that stands for the result of what both ways shared.
    fn take_param(&mut self, join: &mut Join, position: usize, shared: Inst) {
        let param = join.params[position].take();
        if let (Some(param), Some(result)) = (param, self.body.result(shared)) {
            let uses = self.uses();
            uses[result] = uses[param];
            self.renames.rename(param, result);
        }
    }

    /// Adds a parameter for the operand that differs.
    fn add_param(&mut self, join: &mut Join, values: [Value; 2], shared: Inst, operand: usize) {
        let ty = self.body.value_type(values[0]);
        let added = self.body.append_param(join.block, ty);
        for (side, value) in values.into_iter().enumerate() {
            join.positions[side].insert(value, join.passed[side].len());
            join.passed[side].push(value);
        }
        join.params.push(Some(added));
        self.uses()[added] = 1;
        let mut args = self.body.args(shared).to_vec();
        args[operand] = added;
        self.body.inst_mut(shared).args = self.body.list(&args);
    }

    /// Hands over what is left, at once: parameter by parameter it would take the square of
    /// their number.
    fn write(&mut self, join: &Join) {
        for (jump, passed) in join.jumps.into_iter().zip(&join.passed) {
            let stays = passed.iter().zip(&join.params).filter(|(_, param)| param.is_some());
            let args: Vec<Value> = stays.map(|(&value, _)| value).collect();
            let list = self.body.list(&args);
            self.body.targets_mut(jump)[0].args = list;
        }
        let mut stays = join.params.iter().map(Option::is_some);
        self.body.retain_params(join.block, |_| stays.next().unwrap_or(true));
    }

    /// Whether two instructions do the same with their operands, and may stand once.
    fn is_same_op(&self, one: Inst, other: Inst) -> bool {
        let (a, b) = (self.body.inst(one), self.body.inst(other));
        let effects = [one, other]
            .map(|inst| effects_of(self.context.module, self.body, inst))
            .into_iter()
            .fold(Effects::empty(), Effects::union);
        let is_bound = effects.intersects(Effects::MARK | Effects::TERMINATE);
        // A volatile access of each way would still happen once; there is nothing to gain.
        let tells = effects.intersects(TELLING) && self.place(one) != self.place(other);
        // Calls of variadic functions differ in how many arguments they have.
        let is_as_long = self.body.args(one).len() == self.body.args(other).len();
        let is_same = a.op == b.op && a.ty == b.ty && a.payload == b.payload && is_as_long;
        is_same && !is_bound && !tells
    }

    fn place(&self, inst: Inst) -> Vec<brolga_ir::body::LocData> {
        self.body.loc_chain(self.body.loc(inst)).copied().collect()
    }

    fn has_same_args(&mut self, one: Inst, other: Inst) -> bool {
        let count = self.body.args(one).len();
        count == self.body.args(other).len()
            && (0..count).all(|index| self.arg(one, index) == self.arg(other, index))
    }

    /// Leaves `one` the hints and permissions that both have.
    fn keep_common_flags(&mut self, one: Inst, other: Inst) {
        let flags = self.body.inst(other).flags;
        self.body.inst_mut(one).flags &= flags;
    }
}
