//! Handler regions: which one the code is inside of, and the block of LLVM's
//! that catches there.

use rustc_hash::FxHashMap;

use super::code::FunctionWriter;
use crate::body::Body;
use crate::entity::{Block, EntityRef, Inst};
use crate::flow::FlowGraph;
use crate::instruction::Payload;
use crate::op::Op;
use crate::regions::{OUTSIDE, Region, RegionTree};

/// The regions of a body.
pub(super) struct Handlers {
    regions: RegionTree,
    /// Where each block begins.
    inside: Vec<Region>,
    /// What each `enter` leads into.
    entered: FxHashMap<Inst, Region>,
    /// Where the code is that is being written.
    now: Region,
}

impl Handlers {
    pub(super) fn of(body: &Body, graph: &FlowGraph) -> Handlers {
        let mut handlers = Handlers {
            regions: RegionTree::default(),
            inside: vec![OUTSIDE; graph.block_capacity()],
            entered: FxHashMap::default(),
            now: OUTSIDE,
        };
        let enters = |inst| body.inst(inst).op == Op::Enter;
        if body.layout.blocks().filter_map(|block| body.layout.last_inst(block)).any(enters) {
            for block in graph.reverse_postorder() {
                handlers.walk(body, block);
            }
        }
        handlers
    }

    /// Hands on to the blocks behind `block` where it ends.
    fn walk(&mut self, body: &Body, block: Block) {
        self.arrive(block);
        for inst in body.layout.insts(block) {
            let data = body.inst(inst);
            if let (Op::Leave, Payload::Count(count)) = (data.op, data.payload) {
                self.leave(count);
            }
        }
        let Some(last) = body.layout.last_inst(block) else { return };
        let outer = self.now;
        if body.inst(last).op == Op::Enter {
            self.now = self.regions.enter(outer);
            self.entered.insert(last, self.now);
        }
        for (index, target) in body.targets(last).iter().enumerate() {
            if let Some(inside) = self.inside.get_mut(target.block.index()) {
                *inside = if index == 0 { self.now } else { outer };
            }
        }
    }

    /// Begins a block.
    pub(super) fn arrive(&mut self, block: Block) {
        self.now = self.inside.get(block.index()).copied().unwrap_or(OUTSIDE);
    }

    /// Goes that many regions out.
    pub(super) fn leave(&mut self, count: u32) {
        self.now = self.regions.leave(self.now, count);
    }

    /// The block where a throw goes on, if it is caught here.
    pub(super) fn handler(&self) -> Option<String> {
        (self.now != OUTSIDE).then(|| pad_of(self.now))
    }
}

fn pad_of(region: Region) -> String {
    format!("pad{region}")
}

impl FunctionWriter<'_, '_> {
    pub(super) fn write_enter(&mut self, inst: Inst) {
        let [inside, handler] = self.body.targets(inst) else { return };
        self.go(inside.block, self.body.target_args(inside));
        let region = self.regions.entered.get(&inst).copied().unwrap_or(OUTSIDE);
        let args = self.body.target_args(handler);
        self.write_aside(pad_of(region), |writer| {
            writer.write_catch();
            writer.go(handler.block, args);
        });
    }

    pub(super) fn write_leave(&mut self, inst: Inst) {
        if let Payload::Count(count) = self.data(inst).payload {
            self.regions.leave(count);
        }
    }

    /// The first instruction of a block that a throw leads to. What was thrown
    /// is known to the surroundings.
    pub(super) fn write_catch(&mut self) {
        self.require_personality();
        self.catches = true;
        self.temporary(format_args!("landingpad {{ ptr, i32 }} catch ptr null"));
    }

    pub(super) fn write_throw(&mut self, inst: Inst) {
        self.require_throw();
        let call = format!("void @brolga.throw({})", self.typed_arg(inst, 0));
        match self.regions.handler() {
            None => {
                self.line(format_args!("call {call}"));
                self.line(format_args!("unreachable"));
            }
            Some(pad) => {
                let never = self.new_label();
                self.line(format_args!("invoke {call} to label %{never} unwind label %{pad}"));
                self.start(never);
                self.line(format_args!("unreachable"));
            }
        }
    }

    pub(super) fn write_current_exception(&mut self, inst: Inst) {
        self.require_current_exception();
        self.give(inst, format_args!("call ptr addrspace(10) @brolga.current_exception()"));
    }
}
