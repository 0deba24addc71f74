//! Puts `mem_fill` in the place of loops that store one byte after the other.
//!
//! Before:
//! ```text
//! func @f(ptr, i64) {
//! block0(%0: ptr, %1: i64):
//!     jump block1(0)
//! block1(%2: i64):
//!     %3 = icmp.i64 ult %2, %1
//!     branch %3, block2, block3
//! block2:
//!     %4 = ptr_add %0, %2
//!     store.i8 7, %4
//!     %5 = add.i64 %2, 1
//!     jump block1(%5)
//! block3:
//!     return
//! }
//! ```
//! After:
//! ```text
//! func @f(ptr, i64) {
//! block0(%0: ptr, %1: i64):
//!     mem_fill %0, 7, %1
//!     jump block1(0)
//! block1(%2: i64):
//!     %3 = icmp.i64 ult %2, %1
//!     branch %3, block2, block3
//! block2:
//!     %4 = ptr_add %0, %2
//!     %5 = add.i64 %2, 1
//!     jump block1(%5)
//! block3:
//!     return
//! }
//! ```
//! The store is the only thing that the loop does; each round makes it once, of the same
//! byte, at an address that goes on by its size; and how often the loop goes round is known
//! before it (see `analysis/scalar_evolution`). What is left of the loop, `loop_deletion`
//! takes out. Stores of several equal bytes are filled in only where nobody else looks at
//! the object: elsewhere each of them is seen whole or not at all, which bytes are not.
//!
//! Needs: preheaders and single latches, as `loop_simplify` leaves them. Keeps: the flow
//! graph. Does not try: loops that do other things as well, addresses that go down, copies,
//! `popcount`.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Type;

use super::expansion::{Available, Expansion, NEVER, end_of};
use crate::analysis::scalar_evolution::Expr;
use crate::analysis::{Dominators, Kept, Loop, Loops, ScalarEvolution};
use crate::pass::{Change, Editor, PassContext, PassResult, effects_of};

/// The most instructions that address and length cost before the loop.
const MOST: u32 = 8;

/// A loop that fills memory.
#[derive(Debug)]
struct Fill {
    preheader: Block,
    store: Inst,
    access: Access,
    /// The address that is added to.
    address: Value,
    added: Expr,
    /// The byte.
    byte: Value,
    length: Expr,
}

/// Puts one op in the place of loops that fill memory.
///
/// # Errors
/// None.
pub fn loop_idiom(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let loops = context.analyses.loops(body);
    if loops.all().len() == 0 {
        return Ok(Change::Nothing);
    }
    let graph = context.analyses.flow(body);
    let dominators = context.analyses.dominators(body);
    let mut evolution =
        ScalarEvolution::clone(&context.analyses.scalar_evolution(body, context.module));
    let available = Available::new(body, &graph, &evolution);
    let mut count = 0;
    for of in loops.all() {
        let Some(store) = only_store(body, context, &loops, of) else { continue };
        let Some(preheader) = loops.preheader(of, &graph) else { continue };
        let mut expansion = Expansion {
            evolution: &mut evolution,
            available: &available,
            dominators: &dominators,
            block: preheader,
        };
        let fill = fill(body, context, &mut expansion, (of, &loops, &dominators), store);
        if let Some(fill) = fill
            && write(body, context, &mut expansion, &fill)
        {
            context.analyses.keep(Kept::GRAPH);
            count += 1;
        }
    }
    context.statistics.add("loop_idiom", "loops that fill memory", count);
    Ok(if count > 0 { Change::Something } else { Change::Nothing })
}

/// The store of a loop that does nothing else, and has no loop in it.
fn only_store(body: &Body, context: &PassContext<'_>, loops: &Loops, of: Loop) -> Option<Inst> {
    let blocks = loops.blocks(of);
    if blocks.last().is_none_or(|&last| loops.innermost(last) != Some(of)) {
        return None;
    }
    let mut busy = blocks
        .iter()
        .flat_map(|&block| body.layout.insts(block))
        .filter(|&inst| !(effects_of(context.module, body, inst) - Effects::TERMINATE).is_empty());
    let store = busy.next().filter(|_| busy.next().is_none())?;
    (body.inst(store).op == Op::Store).then_some(store)
}

fn fill(
    body: &mut Body,
    context: &mut PassContext<'_>,
    expansion: &mut Expansion<'_>,
    (of, loops, dominators): (Loop, &Loops, &Dominators),
    store: Inst,
) -> Option<Fill> {
    let accesses = context.analyses.accesses(body, context.module);
    let location = *accesses.writes(store).location()?;
    let Payload::Access(access) = body.inst(store).payload else { return None };
    let &[value, address] = body.args(store) else { return None };
    let block = body.layout.block_of(store)?;
    let data = loops.get(of)?;
    let is_in_every_round = data.latches.iter().all(|&latch| dominators.dominates(block, latch));
    if !is_in_every_round || access.flags != AccessFlags::empty() {
        return None;
    }
    let size = u128::from(location.size?);
    let byte = the_byte(body, value, loops, of)?;
    if size != 1 && !accesses.escapes().is_private(location.base) {
        return None;
    }
    let evolution = &mut *expansion.evolution;
    let moving = evolution.of_use(body, address, block)?;
    let recurrence = evolution.as_affine(moving, of)?;
    if evolution.as_constant(recurrence.step) != Some(size) {
        return None;
    }
    let trips = evolution.trips(of)?;
    let (again, &[(exit, _)]) = (trips.exact?, trips.exits.as_slice()) else { return None };
    let again = evolution.resized(64, again);
    // The last round leaves before the store, or behind it.
    let is_made = dominators.dominates(block, exit);
    let times = evolution.add_constant(again, u128::from(is_made));
    let length = evolution.scale(times, size);
    let (root, rest) = expansion.address_parts(body, recurrence.start, Type::PTR)?;
    let added = expansion.evolution.add_constant(rest, access.offset as u128);
    let bases = accesses.escapes().bases();
    let cost = expansion.cost(body, added, Type::I64) + expansion.cost(body, length, Type::I64);
    let is_fine = bases.of(root) == location.base && cost <= MOST && cost < NEVER;
    // Of a loop that stores nothing, nothing is said of the address.
    let access = Access { offset: 0, align_log2: 0, ..access };
    let preheader = expansion.block;
    is_fine.then_some(Fill { preheader, store, access, address: root, added, byte, length })
}

/// The byte of which a value consists, if it is the same in all rounds.
fn the_byte(body: &mut Body, value: Value, loops: &Loops, of: Loop) -> Option<Value> {
    let ty = body.value_type(value);
    let bits = ty.as_scalar()?.bits();
    if let Some(number) = body.as_scalar_constant(value) {
        let byte = number & 0xff;
        let is_same = bits % 8 == 0 && (0..bits / 8).all(|at| (number >> (8 * at)) & 0xff == byte);
        let constant = brolga_ir::constant::Constant::scalar(Type::I8, byte)?;
        return is_same.then(|| body.constant(constant));
    }
    let is_outside = match body.value_def(value) {
        ValueDef::Param(block, _) => !loops.contains(of, block),
        ValueDef::Result(inst, _) => {
            !body.layout.block_of(inst).is_some_and(|block| loops.contains(of, block))
        }
        _ => false,
    };
    (ty == Type::I8 && is_outside).then_some(value)
}

fn write(
    body: &mut Body,
    context: &mut PassContext<'_>,
    expansion: &mut Expansion<'_>,
    fill: &Fill,
) -> bool {
    let Some(end) = end_of(body, fill.preheader) else { return false };
    let mut editor = Editor::new(body, context);
    editor.stand_before(end);
    let address = match expansion.evolution.as_constant(fill.added) {
        Some(0) => Some(fill.address),
        _ => expansion
            .write(&mut editor, fill.added, Type::I64)
            .map(|added| editor.op(Op::PtrAdd, Type::NONE, &[fill.address, added])),
    };
    let length = expansion.write(&mut editor, fill.length, Type::I64);
    let (Some(address), Some(length)) = (address, length) else { return false };
    let args = editor.body.list(&[address, fill.byte, length]);
    let payload = Payload::Access(fill.access);
    editor.insert(InstData::new(Op::MemFill, Type::NONE, args, payload), &[]);
    context.remark(fill.store, RemarkKind::Applied, "the loop fills memory");
    body.layout.remove_inst(fill.store);
    true
}
