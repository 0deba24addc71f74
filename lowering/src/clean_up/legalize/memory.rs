//! Vectors in memory: register by register, the last bytes of one that is not
//! full in smaller pieces, and of masks the bytes that their bits fill. No byte
//! outside of the vector is touched.

use brolga_ir::attribute::{AccessFlags, IntCond};
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Scalar, Type};
use smallvec::{SmallVec, smallvec};

use super::bitcast::register;
use super::masks::{canonical_width, is_mask, mask_type};
use super::{Work, not_of_vectors};
use crate::pass::{PassError, PassResult, Pieces};

/// Bytes of a register.
const REGISTER: u64 = 16;

/// The access `bytes` further on: none if the sum leaves the range of offsets.
fn further(access: Access, bytes: u64) -> Option<Access> {
    let offset = i32::try_from(i64::from(access.offset) + bytes as i64).ok()?;
    let align = if bytes == 0 { 63 } else { bytes.trailing_zeros() as u8 };
    Some(Access { offset, align_log2: access.align_log2.min(align), ..access })
}

impl Work<'_, '_> {
    pub(super) fn access(&mut self, inst: Inst) -> PassResult<()> {
        let data = *self.editor.body.inst(inst);
        let args = self.editor.body.args(inst).to_vec();
        // Addresses and offsets are scalars, which may go by another name now.
        let args: SmallVec<[Value; 3]> = args
            .into_iter()
            .map(|arg| match self.editor.body.value_type(arg).is_vector() {
                true => arg,
                false => self.piece(arg),
            })
            .collect();
        let access = data.access().copied().unwrap_or_default();
        self.refuse_far_reference(inst, &data, access)?;
        match data.op {
            Op::Load => {
                let pieces = self.load_value(data.ty, args[0], access)?;
                self.define_result(inst, pieces);
            }
            Op::Store => self.store_value(data.ty, args[0], args[1], access)?,
            Op::MaskedLoad => {
                let pieces = self.masked_load(inst, &data, &args)?;
                self.define_result(inst, pieces);
            }
            Op::MaskedStore => self.masked_store(inst, &data, &args)?,
            Op::SlotLoad | Op::DataLoad => {
                let address = self.checked_address(&data, args[0]);
                let pieces = self.load_value(data.ty, address, access)?;
                self.define_result(inst, pieces);
            }
            Op::SlotStore | Op::DataStore => {
                let address = self.checked_address(&data, args[1]);
                self.store_value(data.ty, args[0], address, access)?;
            }
            op => return Err(not_of_vectors(inst, op)),
        }
        Ok(())
    }

    /// A part of a vector may start where no offset of an access reaches, and
    /// references, other than addresses, cannot be moved along.
    fn refuse_far_reference(&self, inst: Inst, data: &InstData, access: Access) -> PassResult<()> {
        let body = &*self.editor.body;
        let is_reference = |&arg: &Value| {
            let ty = body.value_type(arg).as_scalar();
            ty.is_some_and(|scalar| scalar.is_address() && scalar != Scalar::Ptr)
        };
        let size = self.editor.context.module.types.layout(data.ty).size;
        match body.args(inst).iter().any(is_reference) && further(access, size).is_none() {
            true => Err(PassError::unsupported(inst, "a vector ends too far from its reference")),
            false => Ok(()),
        }
    }

    /// The address of a checked access, behind its check.
    fn checked_address(&mut self, data: &InstData, offset: Value) -> Value {
        let module = &self.editor.context.module;
        let (size, op) = match data.payload {
            Payload::Slot(slot) => {
                (self.editor.body.slot(slot).map_or(0, |slot| slot.size.into()), Op::SlotAddr)
            }
            Payload::Data(object) => {
                (module.data(object).map_or(0, |object| object.size), Op::DataAddr)
            }
            _ => (0, Op::SlotAddr),
        };
        let last = size.checked_sub(module.types.layout(data.ty).size);
        let inside = match last {
            Some(last) => {
                let last = self.editor.constant(Type::I64, last.into());
                self.editor.icmp(IntCond::Ule, Type::I64, offset, last)
            }
            None => self.editor.constant(Type::I1, 0),
        };
        self.editor.check(inside, TrapCode::Bounds);
        let args = self.editor.body.list(&[]);
        let base = InstData::new(op, Type::NONE, args, data.payload);
        let base = self.editor.insert(base, &[Type::PTR]);
        let base = self.editor.body.results(base)[0];
        self.editor.op(Op::PtrAdd, Type::NONE, &[base, offset])
    }

    /// An address and an access of a part that starts `bytes` further on.
    fn part(&mut self, address: Value, access: Access, bytes: u64) -> (Value, Access) {
        if let Some(access) = further(access, bytes) {
            return (address, access);
        }
        let bytes = self.editor.constant(Type::I64, bytes.into());
        let address = self.editor.op(Op::PtrAdd, Type::NONE, &[address, bytes]);
        (address, Access { align_log2: 0, ..access })
    }

    fn load_part(&mut self, ty: Type, address: Value, access: Access, bytes: u64) -> Value {
        let (address, access) = self.part(address, access, bytes);
        self.editor.op_with(Op::Load, ty, &[address], Payload::Access(access))
    }

    fn store_part(&mut self, ty: Type, value: Value, address: Value, access: Access, bytes: u64) {
        let (address, access) = self.part(address, access, bytes);
        let args = self.editor.body.list(&[value, address]);
        let data = InstData::new(Op::Store, ty, args, Payload::Access(access));
        self.editor.insert(data, &[]);
    }

    /// The pieces of a value of `ty` in memory.
    pub(super) fn load_value(
        &mut self,
        ty: Type,
        address: Value,
        access: Access,
    ) -> PassResult<Pieces> {
        if is_mask(ty) {
            return Ok(self.load_mask(ty, address, access));
        }
        let held = self.held_types(ty);
        let size = self.editor.context.module.types.layout(ty).size;
        let mut pieces = Pieces::new();
        for (index, &ty) in held.iter().enumerate() {
            let start = index as u64 * REGISTER;
            let rest = size - start.min(size);
            pieces.push(match ty.is_vector() && rest < REGISTER {
                true => self.load_rest(ty, address, access, (start, rest)),
                false => self.load_part(ty, address, access, start),
            });
        }
        Ok(pieces)
    }

    /// A register that is not full, as two numbers of 64 bits.
    fn load_rest(
        &mut self,
        ty: Type,
        address: Value,
        access: Access,
        (start, rest): (u64, u64),
    ) -> Value {
        let words = [(start, rest.min(8)), (start + 8, rest.saturating_sub(8))];
        let words = words.map(|(start, bytes)| self.load_bytes(address, access, start, bytes));
        let held = register(Scalar::I64);
        let vector = self.editor.vector_of(held, &words);
        match ty == held {
            true => vector,
            false => self.editor.op(Op::Bitcast, ty, &[vector]),
        }
    }

    /// Up to 8 bytes as a number.
    fn load_bytes(&mut self, address: Value, access: Access, start: u64, bytes: u64) -> Value {
        let mut whole = self.editor.constant(Type::I64, 0);
        for (offset, ty) in chunks(bytes) {
            let part = self.load_part(ty, address, access, start + offset);
            let wide = match ty == Type::I64 {
                true => part,
                false => self.editor.op(Op::Zext, Type::I64, &[part]),
            };
            if offset == 0 {
                whole = wide;
                continue;
            }
            let placed = self.editor.shift_all(Op::Shl, Type::I64, wide, 8 * offset as u32);
            whole = self.editor.op(Op::Or, Type::I64, &[whole, placed]);
        }
        whole
    }

    fn load_mask(&mut self, ty: Type, address: Value, access: Access) -> Pieces {
        let (width, lanes) = (canonical_width(ty), ty.lanes());
        let pieces = lanes.div_ceil(width);
        let load = |index: u32| {
            // The bytes of the last piece may be fewer than its bits.
            let bits = (lanes - index * width).min(width).next_power_of_two().clamp(2, 16);
            let stored = mask_type(if bits <= 8 { bits.min(width) } else { width });
            let piece = self.load_part(stored, address, access, u64::from(index * width / 8));
            match stored.lanes() == width {
                true => piece,
                false => {
                    let zero = self.editor.zero(stored);
                    let order: Vec<u32> =
                        (0..width).map(|lane| lane.min(2 * stored.lanes() - 1)).collect();
                    self.editor.shuffle(mask_type(width), piece, zero, &order)
                }
            }
        };
        (0..pieces).map(load).collect()
    }

    /// Puts a value of `ty` into memory.
    pub(super) fn store_value(
        &mut self,
        ty: Type,
        value: Value,
        address: Value,
        access: Access,
    ) -> PassResult<()> {
        if is_mask(ty) {
            self.store_mask(ty, value, address, access);
            return Ok(());
        }
        let pieces = self.pieces(value);
        self.store_pieces(ty, &pieces, address, access);
        Ok(())
    }

    /// Puts the pieces of a value of `ty`, which is no mask, into memory.
    pub(super) fn store_pieces(
        &mut self,
        ty: Type,
        pieces: &[Value],
        address: Value,
        access: Access,
    ) {
        let held = self.held_types(ty);
        let size = self.editor.context.module.types.layout(ty).size;
        for (index, (&ty, &piece)) in held.iter().zip(pieces).enumerate() {
            let start = index as u64 * REGISTER;
            let rest = size - start.min(size);
            if !ty.is_vector() || rest >= REGISTER {
                self.store_part(ty, piece, address, access, start);
                continue;
            }
            let words = register(Scalar::I64);
            let vector = match ty == words {
                true => piece,
                false => self.editor.op(Op::Bitcast, words, &[piece]),
            };
            for (word, bytes) in [(0, rest.min(8)), (1, rest.saturating_sub(8))] {
                if bytes > 0 {
                    let number = self.editor.lane(vector, word);
                    let start = start + 8 * u64::from(word);
                    self.store_bytes(number, address, access, (start, bytes));
                }
            }
        }
    }

    /// The low bytes of a number.
    fn store_bytes(
        &mut self,
        number: Value,
        address: Value,
        access: Access,
        (start, bytes): (u64, u64),
    ) {
        for (offset, ty) in chunks(bytes) {
            let part = match offset {
                0 => number,
                _ => self.editor.shift_all(Op::Lshr, Type::I64, number, 8 * offset as u32),
            };
            let part = match ty == Type::I64 {
                true => part,
                false => self.editor.op(Op::Trunc, ty, &[part]),
            };
            self.store_part(ty, part, address, access, start + offset);
        }
    }

    fn store_mask(&mut self, ty: Type, mask: Value, address: Value, access: Access) {
        let (width, lanes) = (canonical_width(ty), ty.lanes());
        // Bits that do not count stand in memory as zeros.
        let pieces = self.filled_mask(mask, width, false);
        for (index, &piece) in pieces.iter().enumerate() {
            let start = index as u32 * width;
            let stored = if width == 16 && lanes - start <= 8 { 8 } else { width };
            let part = match stored == width {
                true => piece,
                false => {
                    let order: Vec<u32> = (0..stored).collect();
                    self.editor.shuffle(mask_type(stored), piece, piece, &order)
                }
            };
            self.store_part(mask_type(stored), part, address, access, u64::from(start / 8));
        }
    }

    /// The address of the place that stands for those of lanes that are not accessed.
    fn nowhere(&mut self, inst: Inst, data: &InstData, address: Value) -> PassResult<Value> {
        if self.editor.body.value_type(address) != Type::PTR {
            let reason = "masked accesses through references of the managed dialect are not \
                          compiled yet, only through `ptr`";
            return Err(PassError::unsupported(inst, reason));
        }
        let lane = data.ty.lane().unwrap_or(Scalar::I8);
        let slot = self.scratch_slot(lane.layout().size as u32);
        Ok(self.slot_address(slot))
    }

    /// Where a lane of a masked access is, or a place that nobody looks at.
    fn masked_lane(
        &mut self,
        data: &InstData,
        [condition, address, nowhere]: [Value; 3],
        index: usize,
    ) -> Value {
        let size = data.ty.lane().unwrap_or(Scalar::I8).layout().size;
        let access = data.access().copied().unwrap_or_default();
        let offset = i64::from(access.offset) + index as i64 * size as i64;
        let offset = self.editor.constant(Type::I64, offset as u128);
        let place = self.editor.op(Op::PtrAdd, Type::NONE, &[address, offset]);
        self.editor.op(Op::Select, Type::PTR, &[condition, place, nowhere])
    }

    /// The access of one lane of a masked one.
    fn lane_access(data: &InstData) -> Payload {
        let access = data.access().copied().unwrap_or_default();
        // A place that nobody looks at keeps no promise.
        Payload::Access(Access {
            offset: 0,
            align_log2: 0,
            flags: access.flags - AccessFlags::INVARIANT,
            class: None.into(),
            scopes: None.into(),
            no_alias: None.into(),
        })
    }

    fn masked_load(&mut self, inst: Inst, data: &InstData, args: &[Value]) -> PassResult<Pieces> {
        let nowhere = self.nowhere(inst, data, args[1])?;
        let conditions = self.lanes_of(args[0]);
        let others = self.lanes_of(args[2]);
        let ty = data.ty.lane_type();
        let mut lanes = Vec::with_capacity(conditions.len());
        for (index, (condition, other)) in conditions.into_iter().zip(others).enumerate() {
            let place = self.masked_lane(data, [condition, args[1], nowhere], index);
            let loaded = self.editor.op_with(Op::Load, ty, &[place], Self::lane_access(data));
            lanes.push(self.editor.op(Op::Select, ty, &[condition, loaded, other]));
        }
        Ok(self.pieces_from_lanes(data.ty, &lanes))
    }

    /// One lane is done with before the next one, so that few registers are in use.
    fn masked_store(&mut self, inst: Inst, data: &InstData, args: &[Value]) -> PassResult<()> {
        let nowhere = self.nowhere(inst, data, args[2])?;
        let [masks, values] = [args[0], args[1]].map(|vector| self.pieces(vector));
        for index in 0..data.ty.lanes() {
            let [condition, value] = [&masks, &values].map(|pieces| self.lane_of(pieces, index));
            let place = self.masked_lane(data, [condition, args[2], nowhere], index as usize);
            let args = self.editor.body.list(&[value, place]);
            let payload = Self::lane_access(data);
            let store = InstData::new(Op::Store, data.ty.lane_type(), args, payload);
            self.editor.insert(store, &[]);
        }
        Ok(())
    }
}

/// Up to 8 bytes as integers of falling size, with their offsets.
fn chunks(bytes: u64) -> SmallVec<[(u64, Type); 3]> {
    let mut chunks = smallvec![];
    let mut offset = 0;
    for (size, ty) in [(8, Type::I64), (4, Type::I32), (2, Type::I16), (1, Type::I8)] {
        if bytes - offset >= size {
            chunks.push((offset, ty));
            offset += size;
        }
    }
    chunks
}
