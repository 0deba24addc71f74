//! Loads and stores of the lanes of a mask.

mod pieces;

use super::Use;
use crate::entity::{Block, Value};
use crate::instruction::{Access, Payload};
use crate::llvm::syntax::{TypeData, TypeId};
use crate::llvm::translate::function::Translator;
use crate::llvm::translate::memory::Place;
use crate::llvm::translate::pieces::{Pieces, vector_type};
use crate::llvm::translate::types::Carrier;
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Scalar, Type};

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
    /// How many lanes there are, and how they are carried.
    count: u32,
    lane: Carrier,
    /// The type of a lane in the text.
    element: TypeId,
    form: Form,
    access: Access,
}

/// What lanes look like in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Whole bytes, as they are carried: one op does it if they are dense.
    Carried,
    /// Something else.
    Other,
}

impl Masked {
    /// The type of values with such lanes.
    fn ty(&self) -> Type {
        self.lane.ty.lane().and_then(|lane| Type::vector(lane, self.count)).unwrap_or(self.lane.ty)
    }

    /// The first address.
    fn address(&self) -> Value {
        match self.lanes {
            Lanes::Dense(address) | Lanes::Scattered(address) | Lanes::Packed(address) => address,
        }
    }
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
        let carrier = self.shared.carrier(ty, self.at)?;
        let lane = self.pieced(ty)?.map_or(carrier, |pieced| pieced.piece);
        let (&TypeData::Vector { lanes: count, .. }, Some(scalar)) =
            (self.shared.type_data(ty), lane.ty.lane())
        else {
            return Err(self.unsupported("a masked access is of a vector"));
        };
        let address = self.value(call.args[operands.address])?;
        let lanes = lanes(address);
        let wanted = match lanes {
            Lanes::Scattered(_) => self.lanes_type(Scalar::Ptr, count)?,
            _ => Type::PTR,
        };
        if wanted != self.body.value_type(address) {
            return Err(self.unsupported("a masked access is of a vector at plain addresses"));
        }
        let mask = self.lanes_type(Scalar::I1, count)?;
        let mask = self.operand_of(call, operands.mask, mask)?;
        let (element, _) = self.part(ty, 0)?;
        let align = match operands.mask - operands.address {
            1 => call.attributes.get(operands.address).map_or(0, |said| said.align),
            _ => self.immediate(call, operands.address + 1)? as u32,
        };
        let mut access = self.access(call.inst)?;
        access.align_log2 = align.max(1).trailing_zeros().min(31) as u8;
        self.shared.charge(8 * u64::from(count), self.at)?;
        let bits = u64::from(scalar.bits()) * u64::from(count);
        let stands = lane.bits == 0 && scalar != Scalar::I1;
        let stands = stands && self.shared.room(ty, self.at)?.bits == bits;
        let form = if stands { Form::Carried } else { Form::Other };
        let lane = Carrier { ty: lane.ty.lane_type(), ..lane };
        Ok(Masked { lanes, mask, count, lane, element, form, access })
    }

    fn lanes_type(&mut self, lane: Scalar, count: u32) -> Parsed<Type> {
        let ty = vector_type(&mut self.shared.module.types, lane, count);
        ty.map_err(|reason| self.unsupported(reason))
    }

    /// The address of an access that one op does.
    fn as_one_op(masked: &Masked) -> Option<Value> {
        match (masked.form, masked.lanes) {
            (Form::Carried, Lanes::Dense(address)) => Some(address),
            _ => None,
        }
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

    /// The lanes of the mask, and those of `other`; and the address behind packed ones.
    fn load_masked(&mut self, masked: &Masked, other: Value) -> Parsed<(Value, Value)> {
        let ty = masked.ty();
        if let Some(address) = Self::as_one_op(masked) {
            let args = [masked.mask, address, other];
            let payload = Payload::Access(masked.access);
            return Ok((self.emit_one(Op::MaskedLoad, ty, &args, payload, ty), address));
        }
        let (mut all, mut packed) = (other, masked.address());
        for index in 0..masked.count {
            let behind = self.begin_lane(masked, index, &[all, packed]);
            let place = self.lane_place(masked, index, packed)?;
            let lane = self.load(masked.element, place)?;
            let number = self.number(Type::I64, index.into());
            let with = self.op(Op::InsertLane, ty, &[all, lane, number]);
            let next = self.behind_lane(masked, packed)?;
            self.jump(behind, &[with, next]);
            self.switch_to(behind);
            let params = self.body.params(behind);
            (all, packed) = (params[0], params[1]);
        }
        Ok((all, packed))
    }

    /// Puts the lanes of the mask to memory; gives the address behind packed ones.
    fn store_masked(&mut self, masked: &Masked, value: Value) -> Parsed<Value> {
        if let Some(address) = Self::as_one_op(masked) {
            let args = [masked.mask, value, address];
            let payload = Payload::Access(masked.access);
            self.emit(Op::MaskedStore, masked.ty(), &args, payload, &[]);
            return Ok(address);
        }
        let mut packed = masked.address();
        for index in 0..masked.count {
            let behind = self.begin_lane(masked, index, &[packed]);
            let place = self.lane_place(masked, index, packed)?;
            let lane = self.lane(value, index);
            self.store(masked.element, lane, place)?;
            let next = self.behind_lane(masked, packed)?;
            self.jump(behind, &[next]);
            self.switch_to(behind);
            packed = self.body.params(behind)[0];
        }
        Ok(packed)
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
    let Some(parts) = t.in_pieces(&masked)? else {
        return Ok(t.load_masked(&masked, other)?.0);
    };
    let mut pieces = Pieces::new();
    t.each_piece(&masked, parts, other, |t, part, other| {
        let (piece, packed) = t.load_masked(part, other)?;
        pieces.push(piece);
        Ok(packed)
    })?;
    t.join(&pieces, masked.count)
}

fn store_to(t: &mut Translator<'_, '_>, call: &Use<'_>, lanes: fn(Value) -> Lanes) -> Parsed<()> {
    let operands = Operands::of(call, 1, 3);
    let masked = t.masked(call, &operands, call.args[0].ty, lanes)?;
    let value = t.value(call.args[0])?;
    match t.in_pieces(&masked)? {
        None => t.store_masked(&masked, value).map(|_| ()),
        Some(parts) => t.each_piece(&masked, parts, value, Translator::store_masked),
    }
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
