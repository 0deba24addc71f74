//! Constants that loops need, made once before them.
//!
//! A vector or float that is a constant takes a load, or two instructions, wherever it is
//! made, and the back end makes it anew in every round if it does not rewrite. So those of
//! an innermost loop without calls are made in the block that it is entered from, as long
//! as they leave registers to what the loop computes; what else they are used for does not
//! wait for that. Being one value, they are also known to be equal where ops are told by it.

use brolga_ir::body::Body;
use brolga_ir::constant::ConstantBits;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, SecondaryMap, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::op::Theme;
use brolga_ir::types::{Scalar, Type};
use cranelift_codegen::ir as machine;

use super::fault::Emitted;
use super::function::{Emitter, is_loop_header};
use crate::analysis::{Loop, Loops};

/// The most constants that a loop holds in registers.
const MOST: usize = 7;

/// The constants of loops.
#[derive(Debug, Default)]
pub(super) struct Steady {
    /// Which a block makes at its end, for which loop.
    made: SecondaryMap<Block, Vec<(u32, Value)>>,
    /// The loop that a block stands in, if it is one of these.
    of: SecondaryMap<Block, Option<u32>>,
    /// What is there for a loop.
    there: Vec<Vec<(Value, machine::Value)>>,
}

impl Steady {
    /// Of a body whose loops are worth it.
    pub(super) fn new(body: &Body, graph: &FlowGraph) -> Steady {
        let mut steady = Steady::default();
        if !graph.reverse_postorder().any(|block| is_loop_header(graph, block)) {
            return steady;
        }
        let dominators = Dominators::new(graph);
        let loops = Loops::new(graph, &dominators);
        for of in loops.all() {
            let Some(data) = loops.get(of) else { continue };
            let constants = constants(body, &loops, of);
            // What leads there from another loop would make them in each of its rounds.
            let is_outside = |&block: &Block| loops.innermost(block) == data.parent.expand();
            let entered = dominators.immediate_dominator(data.header).filter(is_outside);
            let Some(entered) = entered.filter(|_| !constants.is_empty()) else { continue };
            let number = steady.there.len() as u32;
            steady.there.push(Vec::with_capacity(constants.len()));
            steady.made[entered].extend(constants.into_iter().map(|value| (number, value)));
            loops.blocks(of).iter().for_each(|&block| steady.of[block] = Some(number));
        }
        steady
    }
}

/// The constants of an innermost loop, those first that it uses first.
fn constants(body: &Body, loops: &Loops, of: Loop) -> Vec<Value> {
    let mut found = Vec::new();
    for &block in loops.blocks(of) {
        if loops.innermost(block) != Some(of) {
            return Vec::new();
        }
        for inst in body.layout.insts(block) {
            if body.inst(inst).op.info().theme == Theme::Call {
                return Vec::new();
            }
            for &value in body.args(inst) {
                if found.len() < MOST && is_costly(body, value) && !found.contains(&value) {
                    found.push(value);
                }
            }
        }
    }
    found
}

/// Whether making a constant is more than naming a number.
fn is_costly(body: &Body, value: Value) -> bool {
    let Some(constant) = body.as_constant(value) else { return false };
    match (constant.ty().lane(), constant.bits()) {
        (Some(Scalar::I1), _) => false,
        _ if constant.ty().is_vector() => true,
        (_, ConstantBits::Scalar(bits)) => {
            matches!(constant.ty(), Type::F32 | Type::F64) && *bits != 0
        }
        _ => false,
    }
}

impl Emitter<'_> {
    /// Makes, at the end of a block, what the loops need that are entered from it.
    pub(super) fn make_steady(&mut self, block: Block) -> Emitted {
        for (of, value) in std::mem::take(&mut self.steady.made[block]) {
            let made = self.value(value)?;
            self.steady.there[of as usize].push((value, made));
        }
        Ok(())
    }

    /// Lets the constants of the loop that a block stands in be what was made before it, or
    /// no longer.
    pub(super) fn use_steady(&mut self, block: Block, is_inside: Inside) {
        let Some(of) = self.steady.of[block] else { return };
        for &(value, made) in &self.steady.there[of as usize] {
            self.values[value] = match is_inside {
                Inside::Yes => made.into(),
                Inside::NoLonger => None.into(),
            };
        }
    }
}

/// Whether a block is being emitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inside {
    Yes,
    NoLonger,
}
