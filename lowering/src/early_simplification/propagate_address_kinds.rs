//! Lets accesses know that an interior address is one of plain memory.
//!
//! Before:
//! ```text
//! func @f(ptr, ptr, i1) -> i64 {
//! block0(%0: ptr, %1: ptr, %2: i1):
//!     %3 = address_cast.derived %0
//!     %4 = address_cast.derived %1
//!     branch %2, block1(%3), block1(%4)
//! block1(%5: derived):
//!     %6 = derived_add %5, 8
//!     %7 = load.i64 %6
//!     return %7
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, ptr, i1) -> i64 {
//! block0(%0: ptr, %1: ptr, %2: i1):
//!     %3 = address_cast.derived %0
//!     %4 = address_cast.derived %1
//!     branch %2, block1(%3, %0), block1(%4, %1)
//! block1(%5: derived, %9: ptr):
//!     %10 = ptr_add %9, 8
//!     %6 = derived_add %5, 8
//!     %7 = load.i64 %10
//!     return %7
//! }
//! ```
//! An address of the kind `derived` keeps an object alive; made from a `ptr` there is none to
//! keep. From the accesses, addresses are followed up through offsets, parameters and selects
//! to what they are made from. All are taken to be plain until something that is not leads
//! to one, and from that to all that are made of it: so a cycle of parameters is plain where
//! nothing else comes into it (LLVM's `InferAddressSpaces`, on Julia's kinds). Each plain one
//! gets a twin that is a `ptr`, by which it is accessed. The others die with their last use.
//!
//! Needs: nothing; `dce` behind it takes out what nobody uses any more. Keeps: the flow graph
//! and all that follows from it. Does not try: the kinds `callee` and `loaded`; compares,
//! calls and returns, which go on with what they had.

use std::collections::hash_map::Entry;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, EntitySet, Inst, SecondaryMap, Value};
use brolga_ir::flow::{FlowGraph, IncomingEdges};
use brolga_ir::instruction::InstData;
use brolga_ir::op::{Op, Pattern, TypeClass};
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::analysis::Kept;
use crate::pass::{Change, PassContext, PassResult};

/// Accesses interior addresses of plain memory as plain addresses.
///
/// # Errors
/// None.
pub fn propagate_address_kinds(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let accesses = accesses(body);
    if accesses.is_empty() {
        return Ok(Change::Nothing);
    }
    let unreachable = context.remove_unreachable_blocks(body);
    let graph = context.analyses.flow(body);
    let mut origins = Origins { edges: IncomingEdges::new(body), of: FxHashMap::default() };
    let wanted = accesses.iter().map(|&(inst, index)| body.args(inst)[index]);
    let wanted: Vec<Value> = wanted.collect();
    let met = origins.follow(body, &graph, wanted.clone());
    let tracked = origins.tracked(&met);
    let plain = origins.plain(&tracked, wanted);
    let twins = write_twins(body, &graph, &plain, &origins.edges);
    let mut rewritten = 0;
    for (inst, index) in accesses {
        let mut args: SmallVec<[Value; 4]> = SmallVec::from_slice(body.args(inst));
        if let Some(twin) = twins.of(body, args[index]) {
            args[index] = twin;
            let args = body.list(&args);
            body.inst_mut(inst).args = args;
            rewritten += 1;
        }
    }
    context.analyses.keep(Kept::GRAPH);
    let counts = [
        ("unreachable blocks", unreachable),
        ("accesses of plain memory", rewritten),
        ("plain addresses", twins.made),
    ];
    Ok(context.statistics.add_each("propagate_address_kinds", counts))
}

/// The operands of kind `derived` that may as well be of another kind.
fn accesses(body: &Body) -> Vec<(Inst, usize)> {
    let mut found = Vec::new();
    for inst in body.layout.all_insts() {
        let op = body.inst(inst).op;
        if op == Op::AddressCast {
            continue;
        }
        let operands = op.info().operands.iter().zip(body.args(inst)).enumerate();
        let is_any = |pattern: &Pattern| matches!(pattern, Pattern::Any(TypeClass::Address));
        let derived = operands.filter(|(_, (pattern, arg))| {
            is_any(pattern) && body.value_type(**arg) == Type::DERIVED
        });
        found.extend(derived.map(|(index, _)| (inst, index)));
    }
    found
}

/// What an interior address is made from.
#[derive(Debug)]
enum Origin {
    /// Other interior addresses: none of them, if it is made from a `ptr`.
    Plain(SmallVec<[Value; 2]>),
    /// An object, or nobody knows.
    Tracked,
}

/// The addresses that lead to some.
struct Origins {
    edges: IncomingEdges,
    of: FxHashMap<Value, Origin>,
}

impl Origins {
    /// Follows addresses up; gives all that were met, in order.
    fn follow(&mut self, body: &Body, graph: &FlowGraph, mut open: Vec<Value>) -> Vec<Value> {
        let mut met = Vec::new();
        while let Some(value) = open.pop() {
            let Entry::Vacant(entry) = self.of.entry(value) else { continue };
            let origin = origin(body, graph, &self.edges, value);
            if let Origin::Plain(from) = &origin {
                open.extend(from);
            }
            entry.insert(origin);
            met.push(value);
        }
        met
    }

    /// Those that something tracked leads to.
    fn tracked(&self, met: &[Value]) -> EntitySet<Value> {
        let mut users: FxHashMap<Value, SmallVec<[Value; 2]>> = FxHashMap::default();
        let (mut tracked, mut open) = (EntitySet::new(), Vec::new());
        for &value in met {
            match &self.of[&value] {
                Origin::Plain(from) => {
                    from.iter().for_each(|&from| users.entry(from).or_default().push(value));
                }
                Origin::Tracked => open.push(value),
            }
        }
        while let Some(value) = open.pop() {
            if tracked.insert(value) {
                open.extend(users.get(&value).into_iter().flatten());
            }
        }
        tracked
    }

    /// The plain ones that plain ones among `open` are made from, each once.
    fn plain(&self, tracked: &EntitySet<Value>, mut open: Vec<Value>) -> Vec<Value> {
        let (mut seen, mut plain) = (EntitySet::new(), Vec::new());
        while let Some(value) = open.pop() {
            if tracked.contains(value) || !seen.insert(value) {
                continue;
            }
            if let Some(Origin::Plain(from)) = self.of.get(&value) {
                open.extend(from);
            }
            plain.push(value);
        }
        plain
    }
}

fn origin(body: &Body, graph: &FlowGraph, edges: &IncomingEdges, value: Value) -> Origin {
    let from = match body.value_def(value) {
        ValueDef::Constant(_) => Some(SmallVec::new()),
        ValueDef::Unused => None,
        ValueDef::Param(block, index) => {
            let is_entry = body.layout.entry() == Some(block);
            let args = edges.of(block).iter().map(|edge| edge.arg(body, index as usize));
            args.collect::<Option<_>>().filter(|_| !is_entry && graph.is_reachable(block))
        }
        ValueDef::Result(inst, _) => match (body.inst(inst).op, body.args(inst)) {
            (Op::AddressCast, &[of]) if body.value_type(of) == Type::PTR => Some(SmallVec::new()),
            (Op::DerivedAdd, &[base, _]) => Some(SmallVec::from_slice(&[base])),
            (Op::Select, &[_, yes, no]) => Some(SmallVec::from_slice(&[yes, no])),
            _ => None,
        },
    };
    from.map_or(Origin::Tracked, Origin::Plain)
}

/// The plain addresses that stand for interior ones.
#[derive(Default)]
struct Twins {
    of: FxHashMap<Value, Value>,
    made: usize,
}

impl Twins {
    fn of(&self, body: &mut Body, value: Value) -> Option<Value> {
        match body.as_scalar_constant(value) {
            Some(bits) => Some(body.constant(Constant::scalar(Type::PTR, bits)?)),
            None => self.of.get(&value).copied(),
        }
    }
}

/// Writes a twin of each: parameters first, which others are made from before their edges
/// are written, then the rest in the order in which it is computed.
fn write_twins(
    body: &mut Body,
    graph: &FlowGraph,
    plain: &[Value],
    edges: &IncomingEdges,
) -> Twins {
    let mut twins = Twins::default();
    let mut params: Vec<(Block, usize)> = Vec::new();
    for &value in plain {
        if let ValueDef::Param(block, index) = body.value_def(value) {
            let twin = body.append_param(block, Type::PTR);
            twins.of.insert(value, twin);
            params.push((block, index as usize));
        }
    }
    let mut is_plain: SecondaryMap<Value, bool> = SecondaryMap::new();
    plain.iter().for_each(|&value| is_plain[value] = true);
    for block in graph.reverse_postorder() {
        for inst in body.layout.insts(block).collect::<Vec<_>>() {
            if let Some(result) = body.result(inst).filter(|&result| is_plain[result])
                && let Some(twin) = write_twin(body, &twins, inst)
            {
                twins.of.insert(result, twin);
            }
        }
    }
    twins.made = twins.of.len();
    for (block, index) in params {
        for &edge in edges.of(block) {
            let arg = edge.arg(body, index);
            if let Some(twin) = arg.and_then(|arg| twins.of(body, arg)) {
                body.push_target_arg(edge.inst, edge.index as usize, twin);
            }
        }
    }
    twins
}

/// The twin of what an instruction gives, computed beside it.
fn write_twin(body: &mut Body, twins: &Twins, inst: Inst) -> Option<Value> {
    let data = *body.inst(inst);
    let args: SmallVec<[Value; 3]> = SmallVec::from_slice(body.args(inst));
    let (op, ty, args) = match (data.op, args.as_slice()) {
        (Op::AddressCast, &[of]) => return Some(of),
        (Op::DerivedAdd, &[base, added]) => {
            (Op::PtrAdd, data.ty, [twins.of(body, base)?, added].to_vec())
        }
        (Op::Select, &[condition, yes, no]) => {
            let arms = [twins.of(body, yes)?, twins.of(body, no)?];
            (Op::Select, Type::PTR, [condition, arms[0], arms[1]].to_vec())
        }
        _ => return None,
    };
    let args = body.list(&args);
    let twin = body.insert_inst(inst, InstData { op, ty, args, ..data }, &[Type::PTR]);
    body.result(twin)
}
