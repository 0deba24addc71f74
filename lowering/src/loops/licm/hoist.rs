//! What goes before a loop.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, EntityRef, EntitySet, Inst, Slot};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};
use rustc_hash::FxHashMap;

use crate::analysis::{Frequencies, Loop, Loops};
use crate::loops::form::{Reads, preheader_jump, steady_slots};
use crate::pass::{PassContext, effects_of};

/// How many loops an instruction is moved out of at once, if not out of all.
const MOST_STEPS: usize = 16;

/// Moves what is invariant before its loops; gives how many moves that were.
pub(super) fn hoist(body: &mut Body, context: &mut PassContext<'_>) -> usize {
    let analyses = &mut *context.analyses;
    let (flow, dominators) = (analyses.flow(body), analyses.dominators(body));
    let loops = analyses.loops(body);
    // What memory there is and how often blocks run costs more than all else here.
    let has_any = |id| loops.own_blocks(id).iter().any(|&at| has_invariant(body, &loops, id, at));
    if !loops.all().any(has_any) {
        return 0;
    }
    let accesses = analyses.accesses(body, context.module);
    let memory = analyses.memory_ssa(body, context.module);
    let frequencies = analyses.frequencies(body);
    let mut outermost: Vec<Loop> = Vec::new();
    for id in loops.all() {
        let above = loops.get(id).and_then(|data| data.parent.expand());
        outermost.push(above.and_then(|above| outermost.get(above.index()).copied()).unwrap_or(id));
    }
    let facts = Facts {
        flow: &flow,
        loops: &loops,
        reads: Reads {
            dominators: &dominators,
            loops: &loops,
            accesses: &accesses,
            memory: &memory,
        },
        frequencies: &frequencies,
        steady: steady_slots(body),
        jumps: loops.all().map(|id| preheader_jump(body, &flow, &loops, id)).collect(),
        outermost,
    };
    // Loops that stand in others have higher numbers.
    loops.all().rev().map(|id| hoist_out_of(body, context, &facts, id)).sum()
}

/// What is known of the body. Moving instructions changes none of it.
struct Facts<'a> {
    flow: &'a FlowGraph,
    loops: &'a Loops,
    reads: Reads<'a>,
    frequencies: &'a Frequencies,
    steady: EntitySet<Slot>,
    /// The ends of the preheaders, by the numbers of the loops.
    jumps: Vec<Option<Inst>>,
    /// The outermost loops around loops, by their numbers.
    outermost: Vec<Loop>,
}

/// What each entry of the loop has done when it comes to an instruction.
#[derive(Clone, Copy, Debug)]
struct Before {
    /// Whether it comes there at all, unless it has left.
    is_certain: bool,
    /// Whether something may have left the loop or the function.
    leaves: bool,
    /// Whether something may have happened that can be seen.
    acts: bool,
}

/// Whether anything in a block may be the same in each round of the loop.
fn has_invariant(body: &Body, loops: &Loops, id: Loop, block: Block) -> bool {
    let mut insts = body.layout.insts(block);
    insts.any(|inst| !stays(body.inst(inst).op) && is_invariant(body, loops, id, inst))
}

/// Whether the op never moves. What is thrown in a loop is the last exception then, also where a
/// callee does that touches no memory.
fn stays(op: Op) -> bool {
    op.is_terminator() || matches!(op, Op::LoopMark | Op::CurrentException)
}

/// Whether the operands of `inst` come from outside of the loop.
fn is_invariant(body: &Body, loops: &Loops, id: Loop, inst: Inst) -> bool {
    body.uses(inst).all(|value| {
        let defined = body.defining_block(value);
        defined.is_none_or(|block| !loops.contains(id, block))
    })
}

fn hoist_out_of(
    body: &mut Body,
    context: &mut PassContext<'_>,
    facts: &Facts<'_>,
    id: Loop,
) -> usize {
    let Some(jump) = facts.jump(id) else { return 0 };
    let own = facts.loops.own_blocks(id);
    let mut ways = Ways::default();
    let mut before = Before { is_certain: true, leaves: false, acts: false };
    let mut hoisted = 0;
    for &block in own {
        before.is_certain = ways.enter(facts, block);
        for inst in body.layout.insts(block).collect::<Vec<_>>() {
            if !facts.may_go(body, context.module, (id, jump), inst, before) {
                before.pass(effects_of(context.module, body, inst), body.inst(inst).op);
                continue;
            }
            context.trace(format_args!("hoists {inst} out of {block}"));
            if body.inst(inst).op.info().effects.intersects(Effects::READ | Effects::TRAP) {
                context.remark(inst, RemarkKind::Applied, "done once before the loop");
            }
            let to = facts.furthest(body, context.module, id, inst).unwrap_or(jump);
            body.layout.remove_inst(inst);
            body.layout.insert_inst_before(inst, to);
            hoisted += 1;
        }
    }
    hoisted
}

impl Before {
    /// Goes past an instruction that stays.
    fn pass(&mut self, effects: Effects, op: Op) {
        // A mark of the loop is no deed.
        if op == Op::LoopMark {
            return;
        }
        let leaving = Effects::TRAP | Effects::THROW | Effects::NO_RETURN;
        let acting = Effects::WRITE | Effects::SYNCHRONISE | Effects::MARK | Effects::SAFEPOINT;
        // A poll stops the call for reasons that no address depends on.
        self.leaves |= effects.intersects(leaving) && op != Op::Poll;
        self.acts |= effects.intersects(leaving | acting);
    }
}

/// The ways through the blocks of a loop, in reverse postorder: where all that have begun
/// lead to one block, each entry of the loop comes there. Edges out of the loop, back, and
/// into inner loops lead to none of them.
#[derive(Debug, Default)]
struct Ways {
    /// How many edges from the blocks so far lead to each.
    to: FxHashMap<Block, usize>,
    open: usize,
}

impl Ways {
    /// Goes on to `block`; says whether all ways lead there.
    fn enter(&mut self, facts: &Facts<'_>, block: Block) -> bool {
        self.open -= self.to.remove(&block).unwrap_or(0);
        let is_certain = self.open == 0;
        for &next in facts.flow.successors(block) {
            *self.to.entry(next).or_default() += 1;
            self.open += 1;
        }
        is_certain
    }
}

impl Facts<'_> {
    /// Whether `inst` may go before the loop that `jump` leads to.
    fn may_go(
        &self,
        body: &Body,
        module: &Module,
        (id, jump): (Loop, Inst),
        inst: Inst,
        before: Before,
    ) -> bool {
        let op = body.inst(inst).op;
        if stays(op) || !is_invariant(body, self.loops, id, inst) {
            return false;
        }
        let effects = effects_of(module, body, inst);
        if effects.is_empty() {
            return self.pays(body, inst, jump);
        }
        let may_trap = effects.contains(Effects::TRAP);
        let reads = effects.contains(Effects::READ);
        if reads && !self.reads.finds_the_same(body, id, inst) {
            return false;
        }
        let others = effects - (Effects::READ | Effects::TRAP);
        if may_trap {
            return others.is_empty() && before.is_certain && !before.acts;
        }
        // A call that is declared to touch nothing and to return may reach a safepoint.
        let is_harmless = others.is_empty() || (!reads && others == Effects::SAFEPOINT);
        let may_be_read_in_vain = match body.inst(inst).payload {
            Payload::Slot(slot) => self.steady.contains(slot),
            Payload::Data(_) => true,
            _ => false,
        };
        match others.is_empty() && may_be_read_in_vain {
            true => self.pays(body, inst, jump),
            false => is_harmless && before.is_certain && !before.leaves,
        }
    }

    fn jump(&self, id: Loop) -> Option<Inst> {
        self.jumps.get(id.index()).copied().flatten()
    }

    /// Where `inst`, which may go before the loop, goes at once if it only computes: before
    /// the outermost loop that it is the same in, so that it moves once.
    fn furthest(&self, body: &Body, module: &Module, id: Loop, inst: Inst) -> Option<Inst> {
        if !effects_of(module, body, inst).is_empty() {
            return None;
        }
        let end = |id: Loop| {
            let is_invariant = is_invariant(body, self.loops, id, inst);
            self.jump(id).filter(|&jump| is_invariant && self.pays(body, inst, jump))
        };
        // Most comes from outside of all loops; other steps up are few, so that the sum
        // stays linear, and where they end, the next loop takes it on.
        let above = |&id: &Loop| self.loops.get(id)?.parent.expand();
        let around = std::iter::successors(above(&id), above).take(MOST_STEPS);
        let outermost = self.outermost.get(id.index()).copied();
        outermost.and_then(end).or_else(|| around.map_while(end).last())
    }

    /// Whether the block of `inst` runs at least as often as that of `jump`.
    fn pays(&self, body: &Body, inst: Inst, jump: Inst) -> bool {
        let often =
            |inst: Inst| body.layout.block_of(inst).map_or(0, |block| self.frequencies.of(block));
        often(inst) >= often(jump)
    }
}
