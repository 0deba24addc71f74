//! Writes the check of a place.

use brolga_ir::attribute::IntCond;
use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;

use super::extent::{Finding, Object, Place, Size, Start};
use crate::pass::Editor;

const WORD: Type = Type::I64;

/// Traps where the editor stands unless the place is in the object.
pub(super) fn write_check(
    editor: &mut Editor<'_, '_>,
    place: &Place,
    object: &Object,
    finding: Finding,
) {
    let is_inside = match finding {
        Finding::Inside | Finding::Open => inside(editor, place, object),
        Finding::Outside | Finding::Gone => editor.constant(Type::I1, 0),
    };
    let is_good = excused(editor, place, is_inside);
    editor.check(is_good, TrapCode::InvalidAccess);
}

/// Whether the place is in the object.
fn inside(editor: &mut Editor<'_, '_>, place: &Place, object: &Object) -> Value {
    let start = match object.start {
        Start::Slot(slot) => editor.op_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot)),
        Start::Data(data) => editor.op_with(Op::DataAddr, Type::NONE, &[], Payload::Data(data)),
        Start::At(value) => value,
    };
    let at = number(editor, place);
    let start = editor.op(Op::PtrToInt, Type::NONE, &[start]);
    let distance = editor.op(Op::Sub, WORD, &[at, start]);
    if let (Size::Known(room), Size::Known(size)) = (object.size, place.size) {
        let most = editor.constant(WORD, room.saturating_sub(size).into());
        return editor.icmp(IntCond::Ule, WORD, distance, most);
    }
    let [room, size] = [object.size, place.size].map(|size| value_of(editor, size));
    let has_room = editor.icmp(IntCond::Ule, WORD, size, room);
    let most = editor.op(Op::Sub, WORD, &[room, size]);
    let is_near = editor.icmp(IntCond::Ule, WORD, distance, most);
    editor.op(Op::And, Type::I1, &[has_room, is_near])
}

/// The address of the place, as a number.
fn number(editor: &mut Editor<'_, '_>, place: &Place) -> Value {
    let at = editor.op(Op::PtrToInt, Type::NONE, &[place.address]);
    if place.offset == 0 {
        return at;
    }
    let offset = editor.constant(WORD, (place.offset as u64).into());
    editor.op(Op::Add, WORD, &[at, offset])
}

fn value_of(editor: &mut Editor<'_, '_>, size: Size) -> Value {
    match size {
        Size::Known(bytes) => editor.constant(WORD, bytes.into()),
        Size::Value(value) => value,
    }
}

/// The same, or whether the op does nothing, or traps for another reason.
fn excused(editor: &mut Editor<'_, '_>, place: &Place, is_inside: Value) -> Value {
    let zero = editor.constant(WORD, 0);
    let excuse = match (place.size, place.align) {
        (Size::Value(count), _) => editor.icmp(IntCond::Eq, WORD, count, zero),
        (_, Some(align)) if align > 1 => {
            let at = number(editor, place);
            let low = editor.constant(WORD, u128::from(align - 1));
            let rest = editor.op(Op::And, WORD, &[at, low]);
            editor.icmp(IntCond::Ne, WORD, rest, zero)
        }
        _ => return is_inside,
    };
    editor.op(Op::Or, Type::I1, &[is_inside, excuse])
}
