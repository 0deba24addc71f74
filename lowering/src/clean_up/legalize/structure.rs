//! Building vectors, taking them apart and picking from them.

use brolga_ir::attribute::IntCond;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{Access, InstData, Payload, ZERO_LANE};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use super::Work;
use super::masks::{canonical_width, is_mask, mask_type};
use crate::pass::{PassResult, Pieces};

impl Work<'_, '_> {
    /// Ops that move lanes, and reductions.
    pub(super) fn restructure(&mut self, inst: Inst) -> PassResult<()> {
        let data = *self.editor.body.inst(inst);
        let args = self.editor.body.args(inst).to_vec();
        let pieces = match data.op {
            Op::Splat => self.splat(data.ty, args[0]),
            Op::MakeVector => {
                let lanes: Vec<Value> = args.iter().map(|&arg| self.piece(arg)).collect();
                self.pieces_from_lanes(data.ty, &lanes)
            }
            Op::ExtractLane => self.extract_lane(&data, &args)?,
            Op::InsertLane => self.insert_lane(&data, &args)?,
            Op::Shuffle => self.shuffle(&data, &args),
            _ => return self.reduce(inst, &data, &args),
        };
        self.define_result(inst, pieces);
        Ok(())
    }

    fn splat(&mut self, ty: Type, lane: Value) -> Pieces {
        let lane = self.piece(lane);
        let held = self.held_types(ty);
        let piece = match held[0].is_vector() {
            true => self.editor.op(Op::Splat, held[0], &[lane]),
            false => lane,
        };
        Pieces::from_elem(piece, held.len())
    }

    /// One value or the other, or one value untouched, register by register.
    pub(super) fn choose(&mut self, inst: Inst) -> PassResult<()> {
        let data = *self.editor.body.inst(inst);
        let args = self.editor.body.args(inst).to_vec();
        let mut held = self.held_types(data.ty);
        let mut operands: SmallVec<[Pieces; 3]> = SmallVec::new();
        let width = match is_mask(data.ty) {
            true => self.mask_width(args[args.len() - 1]),
            false => held[0].lanes(),
        };
        if is_mask(data.ty) {
            held = SmallVec::from_elem(mask_type(width), data.ty.lanes().div_ceil(width) as usize);
        }
        if data.op == Op::VecSelect && held.iter().any(|ty| !ty.is_vector()) {
            let pieces = self.lane_by_lane(data.ty, &args, |work, args| {
                Ok(work.editor.op(Op::Select, data.ty.lane_type(), args))
            })?;
            self.define_result(inst, pieces);
            return Ok(());
        }
        for &arg in &args {
            let ty = self.editor.body.value_type(arg);
            operands.push(match is_mask(ty) {
                true => self.mask(arg, width),
                false => self.pieces(arg),
            });
        }
        let piece = |(index, &ty): (usize, &Type)| {
            let pick = |list: &Pieces| list.get(index).or(list.first()).copied();
            let args: SmallVec<[Value; 3]> = operands.iter().filter_map(pick).collect();
            self.editor.op_like(&data, ty, &args)
        };
        let pieces = held.iter().enumerate().map(piece).collect();
        self.define_result(inst, pieces);
        Ok(())
    }

    /// The pieces of a vector, masks in their canonical width.
    fn placed(&mut self, value: Value) -> (Pieces, u32) {
        let ty = self.editor.body.value_type(value);
        let pieces = self.canonical(value);
        let width = match is_mask(ty) {
            true => canonical_width(ty),
            false => self.held_types(ty)[0].lanes(),
        };
        (pieces, width)
    }

    fn extract_lane(&mut self, data: &InstData, args: &[Value]) -> PassResult<Pieces> {
        let lanes = data.ty.lanes();
        let Some(index) = self.editor.body.as_scalar_constant(args[1]) else {
            return self.extract_any_lane(data.ty, args[0], args[1]);
        };
        let lane = match u32::try_from(index).ok().filter(|&index| index < lanes) {
            Some(index) => {
                let (pieces, width) = self.placed(args[0]);
                let piece = pieces[(index / width) as usize];
                match self.editor.body.value_type(piece).is_vector() {
                    true => self.editor.lane(piece, index % width),
                    false => piece,
                }
            }
            None => {
                self.refuse_lane();
                self.editor.zero(data.ty.lane_type())
            }
        };
        Ok(SmallVec::from_elem(lane, 1))
    }

    /// There is no such lane: what follows is never reached.
    fn refuse_lane(&mut self) {
        let never = self.editor.constant(Type::I1, 0);
        self.editor.check(never, TrapCode::Bounds);
    }

    fn check_lane(&mut self, index: Value, lanes: u32) {
        let lanes = self.editor.constant(Type::I64, lanes.into());
        let inside = self.editor.icmp(IntCond::Ult, Type::I64, index, lanes);
        self.editor.check(inside, TrapCode::Bounds);
    }

    fn extract_any_lane(&mut self, ty: Type, vector: Value, index: Value) -> PassResult<Pieces> {
        let index = self.piece(index);
        self.check_lane(index, ty.lanes());
        let (stored, address) = self.store_lanes(ty, vector)?;
        let place = self.lane_address(stored, address, index);
        let lane = self.load_value(stored.lane_type(), place, Access::default())?;
        let lane = match is_mask(ty) {
            true => self.editor.op(Op::Trunc, Type::I1, &lane),
            false => lane[0],
        };
        Ok(SmallVec::from_elem(lane, 1))
    }

    fn insert_lane(&mut self, data: &InstData, args: &[Value]) -> PassResult<Pieces> {
        let lane = self.piece(args[1]);
        let Some(index) = self.editor.body.as_scalar_constant(args[2]) else {
            return self.insert_any_lane(data.ty, args[0], lane, args[2]);
        };
        let (mut pieces, width) = self.placed(args[0]);
        match u32::try_from(index).ok().filter(|&index| index < data.ty.lanes()) {
            Some(index) => {
                let place = &mut pieces[(index / width) as usize];
                let ty = self.editor.body.value_type(*place);
                *place = match ty.is_vector() {
                    true => {
                        let index = self.editor.constant(Type::I64, (index % width).into());
                        self.editor.op(Op::InsertLane, ty, &[*place, lane, index])
                    }
                    false => lane,
                };
            }
            None => self.refuse_lane(),
        }
        Ok(pieces)
    }

    fn insert_any_lane(
        &mut self,
        ty: Type,
        vector: Value,
        lane: Value,
        index: Value,
    ) -> PassResult<Pieces> {
        let index = self.piece(index);
        self.check_lane(index, ty.lanes());
        let (stored, address) = self.store_lanes(ty, vector)?;
        let place = self.lane_address(stored, address, index);
        let lane = match is_mask(ty) {
            true => self.editor.op(Op::Sext, Type::I8, &[lane]),
            false => lane,
        };
        self.store_value(stored.lane_type(), lane, place, Access::default())?;
        let pieces = self.load_value(stored, address, Access::default())?;
        if !is_mask(ty) {
            return Ok(pieces);
        }
        let held = self.held_types(stored)[0];
        let zero = self.editor.zero(held);
        let test = |&piece: &Value| self.editor.icmp(IntCond::Ne, held, piece, zero);
        Ok(pieces.iter().map(test).collect())
    }

    /// The lanes in memory, those of masks as bytes: the type that they are
    /// stored as, and where.
    fn store_lanes(&mut self, ty: Type, vector: Value) -> PassResult<(Type, Value)> {
        let stored = match is_mask(ty) {
            true => ty.with_lane(Scalar::I8).unwrap_or(ty),
            false => ty,
        };
        let size = self.editor.context.module.types.layout(stored).size;
        let slot = self.scratch_slot(size as u32);
        let address = self.slot_address(slot);
        if !is_mask(ty) {
            self.store_value(ty, vector, address, Access::default())?;
            return Ok((stored, address));
        }
        let held = self.held_types(stored);
        let masks = self.mask(vector, held[0].lanes());
        let widen = |(&ty, &mask): (&Type, &Value)| {
            let (set, unset) = (self.editor.constant(ty, u128::MAX), self.editor.zero(ty));
            self.editor.op(Op::VecSelect, ty, &[mask, set, unset])
        };
        let bytes: Pieces = held.iter().zip(&masks).map(widen).collect();
        self.store_pieces(stored, &bytes, address, Access::default());
        Ok((stored, address))
    }

    fn lane_address(&mut self, ty: Type, address: Value, index: Value) -> Value {
        let size = ty.lane().map_or(1, |lane| lane.layout().size);
        let size = self.editor.constant(Type::I64, size.into());
        let offset = self.editor.op(Op::Mul, Type::I64, &[index, size]);
        self.editor.op(Op::PtrAdd, Type::NONE, &[address, offset])
    }

    fn shuffle(&mut self, data: &InstData, args: &[Value]) -> Pieces {
        let order: Vec<u32> = match data.payload {
            Payload::Immediates(list) => self.editor.body.immediates(list).to_vec(),
            _ => Vec::new(),
        };
        let count = self.editor.body.value_type(args[0]).lanes();
        let (first, width) = self.placed(args[0]);
        let (second, _) = self.placed(args[1]);
        // Where a lane of the operands is: in which piece, at which place.
        let source = |lane: u32| {
            let (list, lane) = if lane < count { (&first, lane) } else { (&second, lane - count) };
            Some((list.get((lane / width) as usize).copied()?, lane % width))
        };
        let sources: Vec<Option<(Value, u32)>> =
            order.iter().map(|&lane| if lane == ZERO_LANE { None } else { source(lane) }).collect();
        let held = self.held_types(data.ty);
        let wide = held[0].lanes() as usize;
        let chunks: Vec<&[Option<(Value, u32)>]> = sources.chunks(wide).collect();
        held.iter().zip(chunks).map(|(&ty, lanes)| self.gather(ty, lanes)).collect()
    }

    /// A register of lanes from any registers of as many lanes, or for masks
    /// of any number of lanes.
    fn gather(&mut self, ty: Type, lanes: &[Option<(Value, u32)>]) -> Value {
        if !ty.is_vector() {
            let lane = lanes.first().copied().flatten();
            return lane.map_or_else(|| self.editor.zero(ty), |(value, _)| value);
        }
        let mut pieces: SmallVec<[Value; 8]> = SmallVec::new();
        for &(piece, _) in lanes.iter().flatten() {
            if !pieces.contains(&piece) {
                pieces.push(piece);
            }
        }
        let same_width = pieces.iter().all(|&piece| self.editor.body.value_type(piece) == ty);
        let stays = |(place, lane): (usize, &Option<(Value, u32)>)| {
            lane.is_some_and(|(_, lane)| lane as usize == place)
        };
        if same_width && pieces.len() == 1 && lanes.iter().enumerate().all(stays) {
            return pieces[0];
        }
        match pieces.as_slice() {
            [] => self.editor.zero(ty),
            _ if !same_width && pieces.len() > 2 => {
                let taken: Vec<Value> = lanes.iter().map(|lane| self.taken(ty, *lane)).collect();
                self.editor.vector_of(ty, &taken)
            }
            _ => self.merge(ty, &pieces, lanes),
        }
    }

    fn taken(&mut self, ty: Type, lane: Option<(Value, u32)>) -> Value {
        match lane {
            Some((piece, lane)) => self.editor.lane(piece, lane),
            None => self.editor.zero(ty.lane_type()),
        }
    }

    /// Shuffles two pieces, then the result with each further one.
    fn merge(&mut self, ty: Type, pieces: &[Value], lanes: &[Option<(Value, u32)>]) -> Value {
        let width = self.editor.body.value_type(pieces[0]).lanes();
        let second = *pieces.get(1).unwrap_or(&pieces[0]);
        let place = |(index, lane): (usize, &Option<(Value, u32)>)| match *lane {
            Some((piece, lane)) if piece == pieces[0] => lane,
            Some((piece, lane)) if piece == second => width + lane,
            // What is put there later may have been anything.
            Some(_) => index as u32,
            None => ZERO_LANE,
        };
        let filled = |order: Vec<u32>, count: u32| -> Vec<u32> {
            let missing = (order.len() as u32..count).map(|_| ZERO_LANE);
            order.iter().copied().chain(missing).collect()
        };
        let order = filled(lanes.iter().enumerate().map(place).collect(), ty.lanes());
        let mut merged = self.editor.shuffle(ty, pieces[0], second, &order);
        for &piece in pieces.get(2..).unwrap_or(&[]) {
            let place = |(index, lane): (usize, &Option<(Value, u32)>)| match *lane {
                Some((from, lane)) if from == piece => ty.lanes() + lane,
                _ => index as u32,
            };
            let order = filled(lanes.iter().enumerate().map(place).collect(), ty.lanes());
            merged = self.editor.shuffle(ty, merged, piece, &order);
        }
        merged
    }
}
