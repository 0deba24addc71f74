//! Lanes of vectors, by way of memory.

use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::InstData;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;

use super::{Emitted, Emitter, Last};
use crate::assembler::{ARGUMENTS, Counts, Place, Register, Word, condition};
use crate::error::Unsupported;
use crate::key::{Bank, Class, Key, Variant};
use crate::stencil::Stencil;

/// Where a vector is that lanes are taken from, beside its home.
const SPARE: usize = 0;

/// What is done with a lane.
#[derive(Clone, Copy)]
struct Lanes {
    /// The class of one, as memory has it.
    class: Class,
    count: u32,
    /// Bytes of each.
    size: u32,
}

impl Emitter<'_> {
    /// Ops on lanes.
    pub(super) fn lane(&mut self, inst: Inst, data: &InstData) -> Emitted {
        let unsupported = Unsupported::Op(data.op);
        let class = Class::of(data.ty).ok_or(unsupported)?;
        let count = class.lanes();
        if class.bank() != Bank::Vector || count == 0 {
            return Err(unsupported);
        }
        let lanes = Lanes { class: class.lane(), count, size: 16 / count };
        // What memory has of a truth value is all of its lane.
        let is_written = data.op != Op::ExtractLane;
        if is_written && lanes.class == Class::I1 {
            return Err(unsupported);
        }
        let body = self.body;
        self.keep();
        match (data.op, body.args(inst)) {
            (Op::ExtractLane, &[vector, index]) => self.extract(inst, lanes, vector, index),
            (Op::InsertLane, &[vector, lane, index]) => {
                let result = body.result(inst).ok_or(unsupported)?;
                let home = self.buffers.homes.word(result);
                self.put(vector, Word::Frame(home));
                let offset = self.lane_address(lanes, home, index, Register::Rsi)?;
                self.write_lane(lanes, lane, offset)?;
                self.take_vector(result, home);
                Ok(())
            }
            (Op::MakeVector, all) if all.len() == count as usize => {
                let result = body.result(inst).ok_or(unsupported)?;
                let home = self.buffers.homes.word(result);
                for (&lane, index) in all.iter().zip(0..) {
                    self.assembler().address(Register::Rsi, Word::Frame(home));
                    self.write_lane(lanes, lane, (index * lanes.size) as i32)?;
                }
                self.take_vector(result, home);
                Ok(())
            }
            _ => Err(unsupported),
        }
    }

    fn extract(&mut self, inst: Inst, lanes: Lanes, vector: Value, index: Value) -> Emitted {
        let stencil = self.access(Op::Load, lanes.class)?;
        let home = match self.body.as_constant(vector) {
            Some(_) => {
                let spare = self.buffers.homes.spare(SPARE);
                self.put(vector, Word::Frame(spare));
                spare
            }
            None => self.buffers.homes.word(vector),
        };
        let offset = self.lane_address(lanes, home, index, Register::Rdi)?;
        self.paste(stencil, Some(offset.into()));
        self.define_results(inst)
    }

    fn access(&self, op: Op, class: Class) -> Emitted<&'static Stencil> {
        self.stencils.find(Key::new(op, class, Variant::Plain)).ok_or(Unsupported::Op(op))
    }

    /// Brings the address of a lane to a register, but for a constant, which it gives; stops
    /// where there is no such lane. Changes no register of results.
    fn lane_address(
        &mut self,
        lanes: Lanes,
        home: i32,
        index: Value,
        into: Register,
    ) -> Emitted<i32> {
        if let Some(constant) = self.constant(index) {
            if constant >= u64::from(lanes.count) {
                self.stop(TrapCode::Bounds);
            }
            self.assembler().address(into, Word::Frame(home));
            return Ok(((constant % u64::from(lanes.count)) * u64::from(lanes.size)) as i32);
        }
        self.fetch(&[(index, Place::Integer(Register::Rdx))]);
        self.assembler().compare_number(Class::I64, Register::Rdx, lanes.count as i32 - 1);
        self.stop_if(condition::ABOVE, TrapCode::Bounds);
        self.assembler().scale_index(lanes.size.trailing_zeros() as u8);
        self.assembler().address(into, Word::Frame(home));
        self.assembler().add_index(into);
        Ok(0)
    }

    /// Stores a lane so many bytes behind what `rsi` leads to.
    fn write_lane(&mut self, lanes: Lanes, lane: Value, offset: i32) -> Emitted {
        let unsupported = Unsupported::Op(Op::Store);
        let stencil = self.access(Op::Store, lanes.class)?;
        let mut counts = Counts::default();
        let place = counts.next(lanes.class.bank(), &ARGUMENTS).ok_or(unsupported)?;
        let Some(Place::Integer(address)) = counts.next(Bank::Integer, &ARGUMENTS) else {
            return Err(unsupported);
        };
        self.assembler().transfer(Place::Integer(address), Place::Integer(Register::Rsi));
        self.fetch(&[(lane, place)]);
        self.paste(stencil, Some(offset.into()));
        self.last = None;
        Ok(())
    }

    /// A vector that was made at its home.
    fn take_vector(&mut self, value: Value, home: i32) {
        let place = Place::Vector(0);
        self.assembler().load(place, Word::Frame(home));
        self.last = Some(Last { value, place, is_stored: true });
    }
}
