//! Memory that becomes a variable of a loop.

use std::collections::BTreeMap;

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::{Body, Initial, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, Slot, Value};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;

use crate::analysis::access::{Location, Overlap, Variable as Place};
use crate::analysis::addresses::Base;
use crate::analysis::{Accesses, Kept, Loop, Loops};
use crate::loops::form::{preheader_jump, steady_slots};
use crate::pass::bytes::holds_bytes;
use crate::pass::{
    DedicatedExits, Graph, IncomingEdges, PassContext, Renames, Variable, effects_of,
};

/// The most blocks of a loop that is looked at, and the most accesses.
const MOST_BLOCKS: usize = 256;
const MOST_ACCESSES: usize = 1024;

/// The most variables that a loop gets: each takes a register.
const MOST_PLACES: usize = 8;

/// How many blocks that one edge leads on from are looked at.
const MOST_STRAIGHT: usize = 16;

/// What may end a round before its end.
const LEAVING: Effects = Effects::TRAP.union(Effects::THROW).union(Effects::NO_RETURN);

/// How often what is known of memory is computed anew, for loops around those that changed.
const MOST_ROUNDS: usize = 8;

/// Keeps in parameters what loops write again and again; gives how many places that were.
pub(super) fn promote(body: &mut Body, context: &mut PassContext<'_>) -> usize {
    let loops = context.analyses.loops(body);
    let depth_of = |id: Loop| loops.get(id).map_or(0, |data| data.depth);
    let is_written = |id: Loop| {
        let mut insts = loops.blocks(id).iter().flat_map(|&block| body.layout.insts(block));
        insts.any(|inst| body.inst(inst).op.info().effects.contains(Effects::WRITE))
    };
    let is_small = |id: Loop| loops.blocks(id).len() <= MOST_BLOCKS;
    let mut ids: Vec<Loop> = loops.all().filter(|&id| is_small(id) && is_written(id)).collect();
    if ids.is_empty() {
        return 0;
    }
    let (flow, dominators) = (context.analyses.flow(body), context.analyses.dominators(body));
    let edges = IncomingEdges::new(body);
    let graph = Graph { flow: &flow, dominators: &dominators, edges: &edges };
    ids.sort_by_key(|&id| std::cmp::Reverse(depth_of(id)));
    let (steady, dedicated) = (steady_slots(body), DedicatedExits::new(graph, &loops));
    let (mut promoted, mut rounds) = (0, 0);
    // Loops of one depth share no block: what changes in one is not in the others.
    for group in ids.chunk_by(|&one, &other| depth_of(one) == depth_of(other)) {
        if rounds == MOST_ROUNDS {
            break;
        }
        let accesses = context.analyses.accesses(body, context.module);
        let mut renames = Renames::default();
        let mut found = 0;
        for &id in group {
            let (loops, accesses, steady) = (&*loops, &*accesses, &steady);
            let candidate = Candidate { graph, loops, accesses, steady, id };
            let exits = dedicated.of(id).unwrap_or_default();
            found += candidate.promote(body, context, exits, &mut renames);
        }
        if found > 0 {
            renames.apply(body);
            context.analyses.keep(Kept::GRAPH);
            rounds += 1;
            promoted += found;
        }
    }
    promoted
}

/// A loop, and what is known.
struct Candidate<'a> {
    graph: Graph<'a>,
    loops: &'a Loops,
    accesses: &'a Accesses,
    steady: &'a EntitySet<Slot>,
    id: Loop,
}

/// A place in memory, and all that accesses it in the loop.
#[derive(Debug)]
struct Group {
    location: Location,
    ty: Type,
    insts: Vec<Inst>,
    /// Whether a store of it is on every way out.
    is_made: bool,
}

/// What stands in the loop.
#[derive(Debug, Default)]
struct Contents {
    /// What reads or writes memory.
    touching: Vec<Inst>,
    /// Whether something may trap, throw or collect.
    leaves: bool,
}

impl Candidate<'_> {
    fn promote(
        &self,
        body: &mut Body,
        context: &mut PassContext<'_>,
        exits: &[Block],
        renames: &mut Renames,
    ) -> usize {
        let Some(jump) = preheader_jump(body, self.graph.flow, self.loops, self.id) else {
            return 0;
        };
        let Some(contents) = self.contents(body, context).filter(|_| !exits.is_empty()) else {
            return 0;
        };
        let mut promoted = 0;
        for group in self.groups(body, context, &contents, exits) {
            let may = promoted < MOST_PLACES
                && self.is_alone(&contents, &group)
                && self.nobody_sees(body, &contents, &group);
            if may && self.rewrite(body, &contents, &group, jump, exits, renames).is_some() {
                promoted += 1;
                let message = "the loop keeps this in a register, and writes it when it is left";
                context.remark(group.insts[0], RemarkKind::Applied, message);
            }
        }
        promoted
    }

    fn contents(&self, body: &Body, context: &PassContext<'_>) -> Option<Contents> {
        let mut contents = Contents::default();
        for &block in self.loops.blocks(self.id) {
            for inst in body.layout.insts(block) {
                let effects = effects_of(context.module, body, inst);
                // Where the collector runs, an object may go that was alive where it was
                // written.
                let telling = Effects::TRAP | Effects::THROW | Effects::SAFEPOINT;
                contents.leaves |= effects.intersects(telling);
                let (reads, writes) = (self.accesses.reads(inst), self.accesses.writes(inst));
                if !reads.is_nothing() || !writes.is_nothing() {
                    contents.touching.push(inst);
                }
                if contents.touching.len() > MOST_ACCESSES {
                    return None;
                }
            }
        }
        Some(contents)
    }

    /// The places at addresses from outside that plain loads and stores access, with at
    /// least one store.
    fn groups(
        &self,
        body: &Body,
        context: &PassContext<'_>,
        contents: &Contents,
        exits: &[Block],
    ) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        for &inst in &contents.touching {
            let others = effects_of(context.module, body, inst) - (Effects::READ | Effects::WRITE);
            if !is_simple(body, inst) || !others.is_empty() {
                continue;
            }
            let reach = match is_store(body, inst) {
                true => self.accesses.writes(inst),
                false => self.accesses.reads(inst),
            };
            let Some(location) = reach.location().filter(|it| self.is_fixed(body, it)) else {
                continue;
            };
            let ty = body.inst(inst).ty;
            let is_same = |group: &&mut Group| {
                group.ty == ty
                    && group.location.base == location.base
                    && self.accesses.overlap(&group.location, location) == Overlap::Same
            };
            let is_full = groups.len() >= 2 * MOST_PLACES;
            match groups.iter_mut().find(is_same) {
                Some(group) => {
                    let promises = |it: &Location| (it.class, it.scopes, it.no_alias);
                    if promises(&group.location) != promises(location) {
                        group.location.class = None.into();
                        group.location.scopes = None.into();
                        group.location.no_alias = None.into();
                    }
                    group.insts.push(inst);
                }
                None if !is_full => {
                    groups.push(Group {
                        location: *location,
                        ty,
                        insts: vec![inst],
                        is_made: false,
                    });
                }
                None => {}
            }
        }
        groups.retain(|group| group.insts.iter().any(|&inst| is_store(body, inst)));
        for group in &mut groups {
            // What is promised of an access holds where it is made, and the exits store always.
            group.is_made = group
                .insts
                .iter()
                .any(|&inst| is_store(body, inst) && self.leads_to_all(body, inst, exits));
            if !group.is_made {
                group.location.class = None.into();
                group.location.scopes = None.into();
                group.location.no_alias = None.into();
            }
        }
        groups
    }

    /// Whether the place is the same in every round.
    fn is_fixed(&self, body: &Body, location: &Location) -> bool {
        location.size.is_some()
            && location.variable != Place::Anything
            && location.values().all(|value| self.is_outside(body, value))
    }

    fn is_outside(&self, body: &Body, value: Value) -> bool {
        let defined = body.defining_block(value);
        defined.is_none_or(|block| !self.loops.contains(self.id, block))
    }

    /// Whether nothing else in the loop touches the place.
    fn is_alone(&self, contents: &Contents, group: &Group) -> bool {
        contents.touching.iter().filter(|inst| !group.insts.contains(inst)).all(|&inst| {
            !self.accesses.may_read(inst, &group.location)
                && !self.accesses.may_write(inst, &group.location)
        })
    }

    /// Whether every way to each of those blocks is by an instruction.
    fn leads_to_all(&self, body: &Body, inst: Inst, blocks: &[Block]) -> bool {
        let dominators = self.graph.dominators;
        let own = body.layout.block_of(inst);
        own.is_some_and(|own| blocks.iter().all(|&block| dominators.dominates(own, block)))
    }

    /// Whether it makes no difference to anybody that stores happen at the exits alone.
    fn nobody_sees(&self, body: &Body, contents: &Contents, group: &Group) -> bool {
        let is_own = match group.location.base {
            Base::Slot(slot) => {
                !self.accesses.escapes().slot_escapes(slot) && self.steady.contains(slot)
            }
            _ => false,
        };
        // Where no store has come to it, the place may be outside of its object.
        let is_there = group.is_made;
        let is_seen_by_none = is_own || !contents.leaves;
        is_seen_by_none && (is_there || (is_own && is_inside(body, group)))
    }

    /// Whether the place may be read before the loop: it is there, and each of its bytes has
    /// been written or is read in the first round before anything else that matters.
    fn may_be_read(
        &self,
        body: &Body,
        contents: &Contents,
        group: &Group,
        exits: &[Block],
    ) -> bool {
        let Some(data) = self.loops.get(self.id) else { return false };
        let first = first_access(body, group, data.header);
        // A round that goes on or leaves has come to it, if it does one of the two.
        let ends: Vec<Block> = data.latches.iter().chain(exits).copied().collect();
        let ends_each_round = !contents.leaves
            && self.loops.is_innermost(self.id)
            && self.loops.is_reducible(self.id);
        let is_in_each_round = |inst: Inst| ends_each_round && self.leads_to_all(body, inst, &ends);
        if !is_written(body, group.location.base) {
            let is_first = |&inst: &Inst| {
                !is_store(body, inst)
                    && (first == Some(inst)
                        || (is_in_each_round(inst) && self.is_before_stores(body, group, inst)))
            };
            return group.insts.iter().any(is_first);
        }
        is_inside(body, group)
            || first.is_some()
            || group.insts.iter().any(|&inst| is_in_each_round(inst))
    }

    /// Whether every way through a round to a store of the place is by `load`.
    fn is_before_stores(&self, body: &Body, group: &Group, load: Inst) -> bool {
        let Some(own) = body.layout.block_of(load) else { return false };
        // Accesses of a block are in their order.
        let is_behind = |place: usize, store: Inst| match body.layout.block_of(store) {
            Some(block) if block == own => group.insts[..place].contains(&load),
            Some(block) => self.graph.dominators.dominates(own, block),
            None => false,
        };
        let mut insts = group.insts.iter().copied().enumerate();
        insts.all(|(place, inst)| !is_store(body, inst) || is_behind(place, inst))
    }

    /// How to access it as one of the group does whose address is there outside, with what
    /// all of them promise, if every way out is by one that does.
    fn memory(&self, body: &Body, group: &Group) -> Option<Memory> {
        let operand = |inst: Inst| {
            let operand = body.args(inst).get(usize::from(is_store(body, inst)))?;
            self.is_outside(body, *operand).then_some(*operand)
        };
        let (like, operand) = group.insts.iter().find_map(|&inst| Some((inst, operand(inst)?)))?;
        let data = body.inst(like);
        let ops = match data.op {
            Op::Load | Op::Store => [Op::Load, Op::Store],
            Op::SlotLoad | Op::SlotStore => [Op::SlotLoad, Op::SlotStore],
            _ => [Op::DataLoad, Op::DataStore],
        };
        let align = |&inst: &Inst| body.inst(inst).access().map_or(0, |access| access.align_log2);
        let payload = match data.payload {
            Payload::Access(access) => Payload::Access(Access {
                align_log2: group
                    .insts
                    .iter()
                    .map(align)
                    .min()
                    .filter(|_| group.is_made)
                    .unwrap_or(0),
                flags: AccessFlags::empty(),
                class: group.location.class,
                scopes: group.location.scopes,
                no_alias: group.location.no_alias,
                ..access
            }),
            other => other,
        };
        Some(Memory { ty: group.ty, operand, payload, ops, like })
    }

    /// Makes the place a variable.
    fn rewrite(
        &self,
        body: &mut Body,
        contents: &Contents,
        group: &Group,
        jump: Inst,
        exits: &[Block],
        renames: &mut Renames,
    ) -> Option<()> {
        let memory = self.memory(body, group)?;
        let preheader = body.layout.block_of(jump)?;
        let header = self.loops.get(self.id)?.header;
        let mut variable = Variable::new(group.ty);
        let mut local = Local::default();
        local.walk(body, group);
        for (&block, &value) in &local.ends {
            variable.set_end(block, value);
        }
        // Which value it has there is still to be seen.
        let unknown = *local.ends.values().next()?;
        variable.set_end(preheader, unknown);
        let wanted = local.loads.iter().map(|&(block, _)| block).chain(exits.iter().copied());
        let live = variable.live_blocks(self.graph, wanted, 2 * MOST_BLOCKS)?;
        if live.contains(&header) {
            // What is in the other bits of a byte with a truth value would be lost.
            if !holds_bytes(group.ty) || !self.may_be_read(body, contents, group, exits) {
                return None;
            }
            // What is promised of an access holds where that is made: the loop may trap, or never
            // end, before it comes to one.
            let is_certain = first_access(body, group, header).is_some();
            let memory = if is_certain { memory } else { memory.without_promises() };
            let first = memory.load(body, jump);
            variable.set_end(preheader, first);
        }
        variable.place(body, self.graph, &live);
        for &(block, result) in &local.loads {
            renames.rename(result, variable.at_start(block)?);
        }
        for &(result, value) in &local.known {
            renames.rename(result, value);
        }
        for &exit in exits {
            let (value, first) = (variable.at_start(exit)?, body.layout.first_inst(exit)?);
            memory.store(body, first, value);
        }
        for &inst in &group.insts {
            body.layout.remove_inst(inst);
        }
        Some(())
    }
}

/// What happens to a place within blocks.
#[derive(Debug, Default)]
struct Local {
    /// What the last store of a block puts there.
    ends: BTreeMap<Block, Value>,
    /// What loads give that find what was there when their block began.
    loads: Vec<(Block, Value)>,
    /// What loads give that find what a store in their block has put there.
    known: Vec<(Value, Value)>,
}

impl Local {
    /// Goes through the accesses, which are in the order of their blocks.
    fn walk(&mut self, body: &Body, group: &Group) {
        for &inst in &group.insts {
            let Some(block) = body.layout.block_of(inst) else { continue };
            if let (true, Some(&value)) = (is_store(body, inst), body.args(inst).first()) {
                self.ends.insert(block, value);
            } else if let Some(result) = body.result(inst) {
                match self.ends.get(&block) {
                    Some(&value) => self.known.push((result, value)),
                    None => self.loads.push((block, result)),
                }
            }
        }
    }
}

/// How a place is accessed outside of the loop.
#[derive(Clone, Copy, Debug)]
struct Memory {
    ty: Type,
    /// The address or index.
    operand: Value,
    payload: Payload,
    ops: [Op; 2],
    like: Inst,
}

impl Memory {
    /// The same, with nothing promised.
    fn without_promises(self) -> Memory {
        let payload = match self.payload {
            Payload::Access(access) => {
                Payload::Access(Access { offset: access.offset, ..Access::default() })
            }
            other => other,
        };
        Memory { payload, ..self }
    }

    fn load(&self, body: &mut Body, before: Inst) -> Value {
        let args = body.list(&[self.operand]);
        let data = InstData::new(self.ops[0], self.ty, args, self.payload);
        let data = InstData { loc: body.loc(self.like), ..data };
        let inst = body.insert_inst(before, data, &[self.ty]);
        body.result(inst).unwrap_or(self.operand)
    }

    fn store(&self, body: &mut Body, before: Inst, value: Value) {
        let args = body.list(&[value, self.operand]);
        let data = InstData::new(self.ops[1], self.ty, args, self.payload);
        body.insert_inst(before, InstData { loc: body.loc(self.like), ..data }, &[]);
    }
}

fn is_store(body: &Body, inst: Inst) -> bool {
    matches!(body.inst(inst).op, Op::Store | Op::SlotStore | Op::DataStore)
}

/// Whether `inst` loads or stores one value and makes no promise that speaks of time.
fn is_simple(body: &Body, inst: Inst) -> bool {
    let data = body.inst(inst);
    let is_access =
        is_store(body, inst) || matches!(data.op, Op::Load | Op::SlotLoad | Op::DataLoad);
    let is_invariant = data.access().is_some_and(|it| it.flags.contains(AccessFlags::INVARIANT));
    let is_managed = data.ty.lane().is_some_and(|lane| lane.is_address() && data.ty != Type::PTR);
    is_access && !is_invariant && !is_managed
}

/// Whether each byte of an object is known to have been written.
fn is_written(body: &Body, base: Base) -> bool {
    match base {
        Base::Slot(slot) => body.slot(slot).is_some_and(|data| data.initial == Initial::Zeroed),
        Base::Data(_) => true,
        // Managed objects begin as zeros, and what `stack_alloc` gives as nothing.
        Base::Fresh(made) => match body.value_def(made) {
            ValueDef::Result(inst, _) => {
                matches!(body.inst(inst).op, Op::AllocObject | Op::ArrayNew)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether the place is in its object wherever execution goes: checked accesses that cannot
/// trap say so, and constant distances.
fn is_inside(body: &Body, group: &Group) -> bool {
    let is_checked =
        |&inst: &Inst| matches!(body.inst(inst).payload, Payload::Slot(_) | Payload::Data(_));
    let Location { base, variable, offset, size, .. } = group.location;
    let end =
        u64::try_from(offset).ok().zip(size).and_then(|(start, size)| start.checked_add(size));
    let is_in_slot = match (base, variable) {
        (Base::Slot(slot), Place::Start) => {
            body.slot(slot).is_some_and(|data| end.is_some_and(|end| end <= u64::from(data.size)))
        }
        _ => false,
    };
    is_in_slot || group.insts.iter().any(is_checked)
}

/// The access of the group that the first round comes to before anything that may leave.
fn first_access(body: &Body, group: &Group, header: Block) -> Option<Inst> {
    let next = |&block: &Block| {
        let last = body.layout.last_inst(block)?;
        let is_only = body.inst(last).op == Op::Jump;
        body.targets(last).first().filter(|_| is_only).map(|target| target.block)
    };
    let line = std::iter::successors(Some(header), next).take(MOST_STRAIGHT);
    let goes_on = |inst: &Inst| !body.inst(*inst).op.info().effects.intersects(LEAVING);
    let mut first = line.flat_map(|block| body.layout.insts(block)).take_while(goes_on);
    first.find(|inst| group.insts.contains(inst))
}
