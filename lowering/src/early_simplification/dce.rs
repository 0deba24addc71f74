//! Takes out what nobody needs: values, block parameters with the arguments of
//! their edges, stores to slots that nothing reads, blocks that no path leads to.
//!
//! Before:
//! ```text
//! func @f(i32) -> i32 {
//!     ss0 = slot 4
//! block0(%0: i32):
//!     slot_store.i32 %0, ss0, 0
//!     %1 = mul.i32 %0, 3
//!     jump block1(0, %1)
//! block1(%2: i32, %3: i32):
//!     %4 = add.i32 %2, 1
//!     %5 = xor.i32 %3, %2
//!     %6 = icmp.i32 slt %4, %0
//!     branch %6, block1(%4, %5), block2
//! block2:
//!     return %4
//! }
//! ```
//! After:
//! ```text
//! func @f(i32) -> i32 {
//!     ss0 = slot 4
//! block0(%0: i32):
//!     jump block1(0)
//! block1(%2: i32):
//!     %4 = add.i32 %2, 1
//!     %6 = icmp.i32 slt %4, %0
//!     branch %6, block1(%4), block2
//! block2:
//!     return %4
//! }
//! ```
//! Everything is dead until something needs it. The work list starts with what
//! has effects; what these use is live, then what that uses. A parameter is live
//! when it is used, and only then are the arguments of its edges: a cycle of
//! parameters that feed each other dies as a whole. In the same way a store to a
//! slot waits for the slot, which is live once a live instruction reads it or lets
//! its address out of sight.
//!
//! Needs: nothing. Keeps: what is known of the blocks, if none was unreachable.
//! Does not try: branches and loops stay, as they decide whether the function
//! comes to an end; stores that a later store overwrites (`dse`); addresses of
//! slots that go through parameters or `select`.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, EntitySet, Inst, PackedOption, SecondaryMap, Slot, Value};
use brolga_ir::flow::{FlowGraph, IncomingEdges};
use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::op::{Effects, Op};

use crate::pass::{
    PassContext, PassResult, effects_of, is_removable, remove_unreachable_blocks, retain_params,
};

/// Takes out dead values, parameters, stores and blocks.
///
/// # Errors
/// None.
pub fn dce(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let blocks = remove_unreachable_blocks(body);
    if blocks > 0 {
        context.analyses.drop_all();
    }
    let (graph, edges) = (context.analyses.flow(body), IncomingEdges::new(body));
    let live = Liveness::of(body, context.module, &graph, &edges);
    let (insts, stores) = remove_insts(body, &live);
    let params = remove_params(body, &edges, &live);
    let counts = [
        ("removed blocks", blocks),
        ("removed instructions", insts),
        ("removed parameters", params),
        ("removed stores", stores),
    ];
    Ok(context.statistics.add_each("dce", counts))
}

/// Takes out what is dead, and gives how many instructions and stores that were.
fn remove_insts(body: &mut Body, live: &Live) -> (usize, usize) {
    let dead: Vec<Inst> =
        body.layout.all_insts().filter(|&inst| !live.insts.contains(inst)).collect();
    let is_store = |inst: &&Inst| body.inst(**inst).op.info().effects.contains(Effects::WRITE);
    let stores = dead.iter().filter(is_store).count();
    for &inst in &dead {
        body.remove_inst(inst);
    }
    (dead.len() - stores, stores)
}

/// Takes out the dead parameters of all blocks but the entry, whose are those of
/// the function.
fn remove_params(body: &mut Body, edges: &IncomingEdges, live: &Live) -> usize {
    let blocks: Vec<Block> = body.layout.blocks().skip(1).collect();
    let mut removed = 0;
    for block in blocks {
        let dead = body.params(block).iter().filter(|&&param| !live.params.contains(param)).count();
        if dead > 0 {
            removed += dead;
            retain_params(body, block, edges.of(block), |param| live.params.contains(param));
        }
    }
    removed
}

/// What is needed.
#[derive(Debug)]
struct Live {
    insts: EntitySet<Inst>,
    params: EntitySet<Value>,
}

/// The search for what is needed.
struct Liveness<'a> {
    body: &'a Body,
    module: &'a Module,
    edges: &'a IncomingEdges,
    live: Live,
    slots: EntitySet<Slot>,
    /// The slot that an address points into, where that is plain to see.
    bases: SecondaryMap<Value, PackedOption<Slot>>,
    /// What writes to a slot and does nothing else.
    writers: SecondaryMap<Slot, Vec<Inst>>,
    /// Live, and what they use is not yet.
    insts_left: Vec<Inst>,
    params_left: Vec<Value>,
}

impl<'a> Liveness<'a> {
    fn of(body: &'a Body, module: &'a Module, graph: &FlowGraph, edges: &'a IncomingEdges) -> Live {
        let mut search = Liveness {
            body,
            module,
            edges,
            live: Live { insts: EntitySet::new(), params: EntitySet::new() },
            slots: EntitySet::new(),
            bases: SecondaryMap::new(),
            writers: SecondaryMap::new(),
            insts_left: Vec::new(),
            params_left: Vec::new(),
        };
        search.plant(graph);
        search.spread();
        search.live
    }

    /// Finds what is live for its effects. Definitions are met before uses.
    fn plant(&mut self, graph: &FlowGraph) {
        for block in graph.reverse_postorder() {
            for inst in self.body.layout.insts(block) {
                self.note_base(inst);
                match self.slot_written(inst) {
                    Some(slot) => self.writers[slot].push(inst),
                    None if is_removable(self.module, self.body, inst) => {}
                    None => self.need_inst(inst),
                }
            }
        }
    }

    fn spread(&mut self) {
        loop {
            if let Some(inst) = self.insts_left.pop() {
                self.need_operands(inst);
            } else if let Some(param) = self.params_left.pop() {
                self.need_arguments(param);
            } else {
                return;
            }
        }
    }

    fn note_base(&mut self, inst: Inst) {
        let base = match (self.body.inst(inst).op, self.body.inst(inst).payload) {
            (Op::SlotAddr, Payload::Slot(slot)) => slot.into(),
            (Op::PtrAdd, _) => self.body.args(inst).first().map_or(None.into(), |&p| self.bases[p]),
            _ => return,
        };
        if let Some(result) = self.body.result(inst) {
            self.bases[result] = base;
        }
    }

    /// The slot that `inst` writes to, if it does nothing else.
    fn slot_written(&self, inst: Inst) -> Option<Slot> {
        let data = self.body.inst(inst);
        match (data.op, data.payload) {
            (Op::SlotStart | Op::SlotEnd, Payload::Slot(slot)) => Some(slot),
            (Op::SlotStore, Payload::Slot(slot)) => {
                let effects = effects_of(self.module, self.body, inst);
                (!effects.contains(Effects::TRAP)).then_some(slot)
            }
            _ => {
                let is_volatile =
                    data.access().is_some_and(|a| a.flags.contains(AccessFlags::VOLATILE));
                let address = written_address(data.op).filter(|_| !is_volatile)?;
                self.bases[*self.body.args(inst).get(address)?].expand()
            }
        }
    }

    fn need_inst(&mut self, inst: Inst) {
        if self.live.insts.insert(inst) {
            self.insts_left.push(inst);
        }
    }

    fn need_value(&mut self, value: Value) {
        match self.body.value_def(value) {
            ValueDef::Result(inst, _) => self.need_inst(inst),
            ValueDef::Param(..) if self.live.params.insert(value) => self.params_left.push(value),
            _ => {}
        }
    }

    fn need_slot(&mut self, slot: Slot) {
        if self.slots.insert(slot) {
            for inst in std::mem::take(&mut self.writers[slot]) {
                self.need_inst(inst);
            }
        }
    }

    /// Somebody may read what the address points to.
    fn let_out(&mut self, address: Value) {
        if let Some(slot) = self.bases[address].expand() {
            self.need_slot(slot);
        }
    }

    fn need_operands(&mut self, inst: Inst) {
        let data = self.body.inst(inst);
        if let (Op::SlotLoad, Payload::Slot(slot)) = (data.op, data.payload) {
            self.need_slot(slot);
        }
        let held = match data.op {
            Op::PtrAdd => Some(0),
            op => written_address(op).filter(|_| self.slot_written(inst).is_some()),
        };
        for (index, &arg) in self.body.args(inst).iter().enumerate() {
            self.need_value(arg);
            if held != Some(index) {
                self.let_out(arg);
            }
        }
    }

    fn need_arguments(&mut self, param: Value) {
        let ValueDef::Param(block, index) = self.body.value_def(param) else { return };
        for edge in self.edges.of(block) {
            if let Some(arg) = edge.arg(self.body, index as usize) {
                self.need_value(arg);
                self.let_out(arg);
            }
        }
    }
}

/// The operand by which an op that does nothing but write names the place.
fn written_address(op: Op) -> Option<usize> {
    match op {
        Op::Store => Some(1),
        Op::MaskedStore => Some(2),
        Op::MemFill | Op::MemCopy => Some(0),
        _ => None,
    }
}
