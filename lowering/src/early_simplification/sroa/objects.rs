//! Objects that a function makes once, at its start, as slots.

use brolga_ir::body::{Body, Initial, SlotData, stack_object_align};
use brolga_ir::entity::Inst;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use crate::pass::{Change, PassContext};

/// The largest object that becomes a slot, and how many bytes the slots of a
/// function may have beside: more is for the side stack, which can grow.
const MOST_BYTES: u64 = 1 << 12;
const MOST_FRAME_BYTES: u64 = 1 << 16;

/// Whether there is a slot, or what could become one.
pub(super) fn has_objects(body: &Body) -> bool {
    body.slots().len() > 0
        || body.layout.all_insts().any(|inst| body.inst(inst).op == Op::StackAlloc)
}

/// Makes slots of the objects of constant size that the first block makes on
/// the stack.
pub(super) fn name_objects(body: &mut Body, context: &mut PassContext<'_>) -> Change {
    let Some(entry) = body.layout.entry() else { return Change::Nothing };
    let mut bytes: u64 = body.slots().map(|(_, slot)| u64::from(slot.size)).sum();
    let mut made = 0;
    for inst in body.layout.insts(entry).collect::<Vec<_>>() {
        let Some((size, align)) = constant_object(body, inst) else { continue };
        bytes += size.next_multiple_of(align);
        if bytes > MOST_FRAME_BYTES {
            break;
        }
        let align_log2 = align.trailing_zeros() as u8;
        let slot = SlotData { size: size as u32, align_log2, initial: Initial::Uninit };
        let payload = Payload::Slot(body.make_slot(slot));
        let args = body.list(&[]);
        let data = InstData { args, payload, op: Op::SlotAddr, ty: Type::NONE, ..*body.inst(inst) };
        let address = body.insert_inst(inst, data, &[]);
        body.move_results(inst, address);
        body.remove_inst(inst);
        made += 1;
    }
    context.statistics.add("sroa", "objects that became slots", made);
    if made > 0 { Change::Something } else { Change::Nothing }
}

/// The size and alignment of what an instruction makes, if these are known.
fn constant_object(body: &Body, inst: Inst) -> Option<(u64, u64)> {
    let &[size, align] = body.args(inst) else { return None };
    if body.inst(inst).op != Op::StackAlloc {
        return None;
    }
    let size = body.as_scalar_constant(size)? as u64;
    let align = stack_object_align(body.as_scalar_constant(align)? as u64);
    (size <= MOST_BYTES).then_some((size, align))
}
