//! Loads and stores of the lanes of a mask.

use super::Use;
use crate::entity::{Block, Value};
use crate::instruction::{Access, Payload};
use crate::llvm::syntax::TypeId;
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::memory::Place;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::Type;

/// Where the lanes of a vector are in memory.
#[derive(Clone, Copy)]
enum Lanes {
    /// Lane behind lane.
    Dense(Value),
    /// Each at an address of its own.
    Scattered(Value),
    /// Those of the mask behind each other.
    Packed(Value),
}

/// A vector in memory, of which a mask says which lanes are touched.
#[derive(Clone, Copy)]
struct Masked {
    lanes: Lanes,
    mask: Value,
    /// The type of the vector in the text, and of its lanes.
    ty: TypeId,
    element: TypeId,
    access: Access,
}

/// The operands of a masked access. Before LLVM 22, one said the alignment, which
/// stands at the address since.
struct Operands {
    address: usize,
    mask: usize,
    /// What the lanes outside of the mask are.
    other: usize,
}

impl Operands {
    fn of(call: &Use<'_>, address: usize, count: usize) -> Operands {
        let said = usize::from(call.args.len() > count);
        Operands { address, mask: address + 1 + said, other: address + 2 + said }
    }
}

impl Translator<'_, '_> {
    fn masked(
        &mut self,
        call: &Use<'_>,
        operands: &Operands,
        ty: TypeId,
        lanes: fn(Value) -> Lanes,
    ) -> Parsed<Masked> {
        let carrier = self.ty(ty)?;
        let address = self.value(call.args[operands.address])?;
        let lanes = lanes(address);
        let wanted = match lanes {
            Lanes::Scattered(_) => carrier.with_lane(crate::types::Scalar::Ptr),
            _ => Some(Type::PTR),
        };
        if !carrier.is_vector() || wanted != Some(self.body.value_type(address)) {
            return Err(self.unsupported("a masked access is of a vector at plain addresses"));
        }
        let mask = carrier.as_mask().unwrap_or(Type::I1);
        let mask = self.operand_of(call, operands.mask, mask)?;
        let (element, _) = self.part(ty, 0)?;
        let align = match operands.mask - operands.address {
            1 => call.attributes.get(operands.address).map_or(0, |said| said.align),
            _ => self.immediate(call, operands.address + 1)? as u32,
        };
        let mut access = self.access(call.inst)?;
        access.align_log2 = align.max(1).trailing_zeros().min(31) as u8;
        self.shared.charge(8 * u64::from(carrier.lanes()), self.at)?;
        Ok(Masked { lanes, mask, ty, element, access })
    }

    /// Whether one op does it: lanes of whole bytes that stand as they are carried.
    fn is_one_op(&mut self, masked: &Masked) -> Parsed<Option<Value>> {
        let carrier = self.shared.carrier(masked.ty, self.at)?;
        let room = self.shared.room(masked.ty, self.at)?;
        let Lanes::Dense(address) = masked.lanes else { return Ok(None) };
        let bits = carrier.ty.lane().map_or(0, |lane| lane.bits()) * carrier.ty.lanes();
        let stands =
            carrier.bits == 0 && carrier.ty.lane_type() != Type::I1 && room.bits == bits.into();
        Ok(stands.then_some(address))
    }

    /// The place of a lane. A dense one promises no more than a lane's alignment.
    fn lane_place(&mut self, masked: &Masked, index: u32, packed: Value) -> Parsed<Place> {
        let room = self.shared.room(masked.element, self.at)?;
        let mut access = masked.access;
        access.align_log2 = access.align_log2.min(room.size().trailing_zeros().min(31) as u8);
        Ok(match masked.lanes {
            Lanes::Dense(address) => {
                Place { address, access, offset: room.size() * u64::from(index) }
            }
            Lanes::Scattered(addresses) => {
                let address = self.lane(addresses, index);
                Place { address, access: masked.access, offset: 0 }
            }
            Lanes::Packed(_) => Place { address: packed, access, offset: 0 },
        })
    }

    fn first_packed(masked: &Masked) -> Value {
        match masked.lanes {
            Lanes::Dense(address) | Lanes::Scattered(address) | Lanes::Packed(address) => address,
        }
    }

    /// Goes on at a new block where the lane is touched, and gives the block behind both.
    fn begin_lane(&mut self, masked: &Masked, index: u32, skipped: &[Value]) -> Block {
        let test = self.lane(masked.mask, index);
        let (touched, behind) = (self.new_block(), self.new_block());
        for &value in skipped {
            let ty = self.body.value_type(value);
            self.body.append_param(behind, ty);
        }
        self.branch(test, (touched, &[]), (behind, skipped));
        self.switch_to(touched);
        behind
    }

    /// The address behind a lane of which one has been touched.
    fn behind_lane(&mut self, masked: &Masked, packed: Value) -> Parsed<Value> {
        let Lanes::Packed(_) = masked.lanes else { return Ok(packed) };
        let size = self.shared.room(masked.element, self.at)?.size();
        let size = self.number(Type::I64, size.into());
        Ok(self.address_behind(packed, size))
    }

    fn load_masked(&mut self, masked: &Masked, other: Value) -> Parsed<Value> {
        let carrier = self.ty(masked.ty)?;
        if let Some(address) = self.is_one_op(masked)? {
            let args = [masked.mask, address, other];
            let payload = Payload::Access(masked.access);
            return Ok(self.emit_one(Op::MaskedLoad, carrier, &args, payload, carrier));
        }
        let (mut all, mut packed) = (other, Self::first_packed(masked));
        for index in 0..carrier.lanes() {
            let behind = self.begin_lane(masked, index, &[all, packed]);
            let place = self.lane_place(masked, index, packed)?;
            let lane = self.load(masked.element, place)?;
            let number = self.number(Type::I64, index.into());
            let with = self.op(Op::InsertLane, carrier, &[all, lane, number]);
            let next = self.behind_lane(masked, packed)?;
            self.jump(behind, &[with, next]);
            self.switch_to(behind);
            let params = self.body.params(behind);
            (all, packed) = (params[0], params[1]);
        }
        Ok(all)
    }

    fn store_masked(&mut self, masked: &Masked, value: Value) -> Parsed<()> {
        let carrier = self.ty(masked.ty)?;
        if let Some(address) = self.is_one_op(masked)? {
            let args = [masked.mask, value, address];
            let payload = Payload::Access(masked.access);
            self.emit(Op::MaskedStore, carrier, &args, payload, &[]);
            return Ok(());
        }
        let mut packed = Self::first_packed(masked);
        for index in 0..carrier.lanes() {
            let behind = self.begin_lane(masked, index, &[packed]);
            let place = self.lane_place(masked, index, packed)?;
            let lane = self.lane(value, index);
            self.store(masked.element, lane, place)?;
            let next = self.behind_lane(masked, packed)?;
            self.jump(behind, &[next]);
            self.switch_to(behind);
            packed = self.body.params(behind)[0];
        }
        Ok(())
    }
}

fn load_from(
    t: &mut Translator<'_, '_>,
    call: &Use<'_>,
    lanes: fn(Value) -> Lanes,
) -> Parsed<Value> {
    let operands = Operands::of(call, 0, 3);
    let masked = t.masked(call, &operands, call.result, lanes)?;
    let carrier = t.ty(call.result)?;
    let other = t.operand_of(call, operands.other, carrier)?;
    t.load_masked(&masked, other)
}

fn store_to(t: &mut Translator<'_, '_>, call: &Use<'_>, lanes: fn(Value) -> Lanes) -> Parsed<()> {
    let operands = Operands::of(call, 1, 3);
    let masked = t.masked(call, &operands, call.args[0].ty, lanes)?;
    let value = t.value(call.args[0])?;
    t.store_masked(&masked, value)
}

pub(super) fn load(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    load_from(t, call, Lanes::Dense)
}

pub(super) fn gather(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    load_from(t, call, Lanes::Scattered)
}

pub(super) fn expand(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<Value> {
    load_from(t, call, Lanes::Packed)
}

pub(super) fn store(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    store_to(t, call, Lanes::Dense)
}

pub(super) fn scatter(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    store_to(t, call, Lanes::Scattered)
}

pub(super) fn compress(t: &mut Translator<'_, '_>, call: &Use<'_>) -> Parsed<()> {
    store_to(t, call, Lanes::Packed)
}
