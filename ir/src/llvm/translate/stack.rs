//! Objects on the stack: slots where their size is known and the function has each once,
//! and room that is taken while it runs.

use super::function::Translator;
use super::types::Carrier;
use crate::body::{Initial, MAX_SLOT_ALIGN_LOG2, SlotData};
use crate::entity::Value;
use crate::instruction::{Access, Payload};
use crate::llvm::syntax::{BlockId, Instruction, TypeId, Typed};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Layout, Type};

/// What slots and `stack_alloc` align to at most.
const MOST_ALIGNED: u64 = 1 << MAX_SLOT_ALIGN_LOG2;

/// More bytes than any stack has.
const TOO_MANY_BYTES: u64 = 1 << 62;

impl Translator<'_, '_> {
    /// Room for a value of `ty`, or so many of them, for as long as the function runs.
    pub(super) fn alloca(
        &mut self,
        inst: &Instruction,
        ty: TypeId,
        count: Option<Typed>,
        (align, space): (u32, u32),
    ) -> Parsed<()> {
        if space != 0 {
            return Err(self.unsupported(format_args!("`alloca` in address space {space}")));
        }
        let room = self.shared.room(ty, self.at)?;
        let align = room.align.max(align.into());
        let address = match self.fixed_bytes(room.stride(), count) {
            Some(bytes) => self.slot(bytes, align),
            None => None,
        };
        let address = match address {
            Some(address) => address,
            None => self.taken_room(Layout { size: room.stride(), align }, count)?,
        };
        self.define(inst.result, address);
        Ok(())
    }

    /// How large the object is, if that is known and the function makes it once.
    fn fixed_bytes(&self, stride: u64, count: Option<Typed>) -> Option<u32> {
        let count = match count {
            None => 1,
            Some(count) => self.as_number(count.value)?,
        };
        let bytes = u128::from(stride).checked_mul(count)?;
        u32::try_from(bytes).ok().filter(|_| self.is_entry(self.current))
    }

    /// The address of a new slot; none if it is larger than any.
    fn slot(&mut self, bytes: u32, align: u64) -> Option<Value> {
        let spare = align.saturating_sub(MOST_ALIGNED);
        let size = u32::try_from(u64::from(bytes.max(1)) + spare).ok()?;
        let align_log2 = align.min(MOST_ALIGNED).trailing_zeros() as u8;
        let all = self.slot_bytes + u64::from(size).next_multiple_of(1 << align_log2);
        if all > crate::verify::MAX_FRAME_SIZE {
            return None;
        }
        self.slot_bytes = all;
        let initial = self.shared.options.slots;
        let slot = self.body.make_slot(SlotData { size, align_log2, initial });
        let payload = Payload::Slot(slot);
        let address = self.emit_one(Op::SlotAddr, Type::NONE, &[], payload, Type::PTR);
        Some(self.aligned_from(address, align))
    }

    /// The address of a new slot, for what the translation itself keeps in memory.
    pub(super) fn own_slot(&mut self, bytes: u64, align: u64) -> Parsed<Value> {
        let bytes = u32::try_from(bytes).ok();
        match bytes.and_then(|bytes| self.slot(bytes, align)) {
            Some(address) => Ok(address),
            None => Err(self.unsupported("the slots of a function have at most 16 MiB")),
        }
    }

    /// Room for so many objects of that size, taken when the function comes here.
    fn taken_room(&mut self, object: Layout, count: Option<Typed>) -> Parsed<Value> {
        let spare = object.align.saturating_sub(MOST_ALIGNED);
        let mut bytes = self.room_bytes(object.size, count)?;
        if spare != 0 {
            let more = self.number(Type::I64, spare.into());
            bytes = self.op(Op::Add, Type::I64, &[bytes, more]);
        }
        let align = self.number(Type::I64, object.align.min(MOST_ALIGNED).into());
        let address =
            self.emit_one(Op::StackAlloc, Type::NONE, &[bytes, align], Payload::None, Type::PTR);
        if self.shared.options.slots == Initial::Zeroed {
            let zero = self.number(Type::I8, 0);
            let payload = Payload::Access(Access::default());
            self.emit(Op::MemFill, Type::NONE, &[address, zero, bytes], payload, &[]);
        }
        Ok(self.aligned_from(address, object.align))
    }

    /// How many bytes so many objects have. A number that no stack has room for stays
    /// one, so that there is no room for it.
    fn room_bytes(&mut self, stride: u64, count: Option<Typed>) -> Parsed<Value> {
        let count = match count {
            Some(count) => self.value(count)?,
            None => self.number(Type::I64, 1),
        };
        if !self.is_integer_value(count) {
            return Err(self.invalid("the number of objects is no integer"));
        }
        let count = self.resized(count, Carrier { ty: Type::I64, bits: 0 });
        let most = self.number(Type::I64, (TOO_MANY_BYTES / stride.max(1)).into());
        let count = self.op(Op::Umin, Type::I64, &[count, most]);
        let stride = self.number(Type::I64, stride.into());
        Ok(self.op(Op::Mul, Type::I64, &[count, stride]))
    }

    /// The first address from `address` on that is aligned so, where that is more than
    /// objects on the stack are anyway.
    fn aligned_from(&mut self, address: Value, align: u64) -> Value {
        if align <= MOST_ALIGNED {
            return address;
        }
        let bits = self.address_bits(address);
        let most = self.number(Type::I64, u128::from(align - 1));
        let above = self.op(Op::Add, Type::I64, &[bits, most]);
        let mask = self.number(Type::I64, u128::from(!(align - 1)));
        let aligned = self.op(Op::And, Type::I64, &[above, mask]);
        self.address_of_bits(aligned)
    }

    /// A mark of the room that is taken so far.
    pub(super) fn stack_mark(&mut self) -> Value {
        self.emit_one(Op::StackSave, Type::NONE, &[], Payload::None, Type::PTR)
    }

    /// Gives the room back that was taken since a mark.
    pub(super) fn restore_stack(&mut self, mark: Typed) -> Parsed<()> {
        let mark = self.process_address(mark)?;
        self.emit(Op::StackRestore, Type::NONE, &[mark], Payload::None, &[]);
        Ok(())
    }

    /// Whether `block` is where the function begins.
    pub(super) fn is_entry(&self, block: BlockId) -> bool {
        self.function.order.first() == Some(&block)
    }
}
