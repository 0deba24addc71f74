//! Takes accesses of slots and data objects in loops apart: into a check of the place and an
//! access by address.
//!
//! Before:
//! ```text
//! data @table = { zero 4096 }
//!
//! func @f(i64) -> i32 {
//! block0(%0: i64):
//!     jump block1(0, 0)
//! block1(%1: i64, %2: i32):
//!     %3 = shl.i64 %1, 2
//!     %4 = data_load.i32 @table, %3
//!     %5 = add.i32 %2, %4
//!     %6 = add.i64 %1, 1
//!     %7 = icmp.i64 slt %6, %0
//!     branch %7, block1(%6, %5), block2
//! block2:
//!     return %5
//! }
//! ```
//! After:
//! ```text
//! data @table = { zero 4096 }
//!
//! func @f(i64) -> i32 {
//!     exit0 = trap bounds
//! block0(%0: i64):
//!     jump block1(0, 0)
//! block1(%1: i64, %2: i32):
//!     %3 = shl.i64 %1, 2
//!     %13 = icmp.i64 ule %3, 4092
//!     check %13, exit0
//!     %14 = data_addr @table
//!     %15 = ptr_add %14, %3
//!     %4 = load.i32 %15
//!     %5 = add.i32 %2, %4
//!     %6 = add.i64 %1, 1
//!     %7 = icmp.i64 slt %6, %0
//!     branch %7, block1(%6, %5), block2
//! block2:
//!     return %5
//! }
//! ```
//! Whoever writes a loop over an object that the module knows has no check to write: the access
//! is one. As code of its own that check is proved away or made once before the loop, as that
//! of any array is, and what is left is an access that loops are vectorised by, and become
//! fills and copies of memory by.
//!
//! Needs: nothing. Keeps: the flow graph. Does not try: what stands in no loop, where nothing
//! takes the check out but what knows it as it is; places that are constants, of which it is
//! known whether they lie inside; objects of which each thread has its own, whose address is work
//! to find.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::module::{Module, Storage};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;

use crate::pass::{Change, Editor, PassContext, PassResult, checked_place};

/// Writes checks and accesses by address in the place of checked accesses.
///
/// # Errors
/// None.
pub fn expand_accesses(body: &mut Body, context: &mut PassContext<'_>) -> PassResult {
    let places = body.layout.all_insts().filter_map(|inst| Place::of(context.module, body, inst));
    let mut places: Vec<Place> = places.collect();
    if places.is_empty() {
        return Ok(Change::Nothing);
    }
    let loops = context.analyses.loops(body);
    let is_in_loop = |block: Block| loops.innermost(block).is_some();
    places.retain(|place| body.layout.block_of(place.inst).is_some_and(is_in_loop));
    let mut editor = Editor::new(body, context);
    for place in &places {
        place.expand(&mut editor);
    }
    let count = [("checks of their own", places.len())];
    Ok(context.statistics.add_each("expand_accesses", count))
}

/// A checked access at a place that is computed.
struct Place {
    inst: Inst,
    /// How many bytes behind the start of the object.
    offset: Value,
    /// The last place that lies inside.
    last: u64,
    /// What gives the start.
    address: Op,
    /// What does the rest.
    access: Op,
}

impl Place {
    fn of(module: &Module, body: &Body, inst: Inst) -> Option<Place> {
        let data = body.inst(inst);
        let (address, access) = match data.op {
            Op::SlotLoad => (Op::SlotAddr, Op::Load),
            Op::SlotStore => (Op::SlotAddr, Op::Store),
            Op::DataLoad => (Op::DataAddr, Op::Load),
            Op::DataStore => (Op::DataAddr, Op::Store),
            _ => return None,
        };
        let (offset, last) = checked_place(module, body, inst)?;
        let is_shared = match data.payload {
            Payload::Data(object) => module.data(object)?.storage == Storage::Shared,
            _ => true,
        };
        let is_computed = body.as_scalar_constant(offset).is_none();
        (is_shared && is_computed).then_some(Place { inst, offset, last, address, access })
    }

    fn expand(&self, editor: &mut Editor<'_, '_>) {
        editor.stand_before(self.inst);
        let last = editor.constant(Type::I64, self.last.into());
        let is_inside = editor.icmp(IntCond::Ule, Type::I64, self.offset, last);
        editor.check(is_inside, TrapCode::Bounds);
        let payload = editor.body.inst(self.inst).payload;
        let start = editor.op_with(self.address, Type::NONE, &[], payload);
        let address = editor.op(Op::PtrAdd, Type::NONE, &[start, self.offset]);
        let mut args = editor.body.args(self.inst).to_vec();
        if let Some(place) = args.last_mut() {
            *place = address;
        }
        let args = editor.body.list(&args);
        let data = editor.body.inst_mut(self.inst);
        (data.op, data.args, data.payload) =
            (self.access, args, Payload::Access(Access::default()));
    }
}
