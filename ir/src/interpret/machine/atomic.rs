//! Atomic accesses. One thread runs, so that each is one step by itself.

use super::access::size_of_value;
use super::{Flow, Machine, Stop};
use crate::attribute::RmwOp;
use crate::datum::Datum;
use crate::instruction::Payload;
use crate::interpret::code::{Code, Step};
use crate::interpret::eval::{Datums, bits, float, int};
use crate::trap::TrapCode;
use crate::types::Scalar;

type Done = Result<Flow, Stop>;

/// `atomic_load`.
pub(in crate::interpret) fn load<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let address = machine.atomic_address(code, step, 0)?;
    let value = machine.read_promised(code, step, address)?;
    machine.give(step, value)
}

/// `atomic_store`.
pub(in crate::interpret) fn store<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let address = machine.atomic_address(code, step, 1)?;
    let value = machine.operand(code, step, 0).clone();
    machine.write_promised(code, step, address, &value)?;
    Ok(Flow::Next)
}

/// `atomic_rmw`.
pub(in crate::interpret) fn read_modify_write<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let Payload::AtomicRmw { op, .. } = step.data.payload else {
        return Err(Stop::Broken("`atomic_rmw` has no kind".into()));
    };
    let address = machine.atomic_address(code, step, 0)?;
    let old = machine.read_promised(code, step, address)?;
    let lane = step.data.ty.lane().unwrap_or(Scalar::I64);
    let new = modified(op, lane, old.bits(), machine.bits(code, step, 1));
    machine.write_promised(code, step, address, &Datum::Scalar(new))?;
    machine.give(step, old)
}

/// What a read-modify-write of that kind puts in place of `old`.
pub(in crate::interpret) fn modified(op: RmwOp, lane: Scalar, old: u128, operand: u128) -> u128 {
    let width = lane.bits();
    match op {
        RmwOp::Exchange => operand,
        RmwOp::Add => int::add(width, old, operand),
        RmwOp::Sub => int::sub(width, old, operand),
        RmwOp::And => old & operand,
        RmwOp::Nand => bits::not(width, old & operand),
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
        RmwOp::Smin => int::smin(width, old, operand),
        RmwOp::Smax => int::smax(width, old, operand),
        RmwOp::Umin => int::umin(width, old, operand),
        RmwOp::Umax => int::umax(width, old, operand),
        RmwOp::Fadd => float::add(lane, old, operand),
        RmwOp::Fsub => float::sub(lane, old, operand),
        RmwOp::Fmin => float::min(lane, old, operand),
        RmwOp::Fmax => float::max(lane, old, operand),
    }
}

/// `atomic_cas`.
pub(in crate::interpret) fn compare_exchange<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let address = machine.atomic_address(code, step, 0)?;
    let old = machine.read_promised(code, step, address)?;
    let is_equal = old == *machine.operand(code, step, 1);
    if is_equal {
        let new = machine.operand(code, step, 2).clone();
        machine.write_promised(code, step, address, &new)?;
    }
    if let Some(&done) = step.results.get(1) {
        machine.set(done, is_equal.into());
    }
    machine.give(step, old)
}

/// `atomic_modify`: the call's results arrive in `finish_modify`.
pub(in crate::interpret) fn modify<'m>(
    machine: &mut Machine<'m>,
    code: &Code<'m>,
    step: &Step<'m>,
) -> Done {
    let function = step.data.function();
    let id = function.ok_or_else(|| Stop::Broken("`atomic_modify` has no function".into()))?;
    let address = machine.atomic_address(code, step, 0)?;
    let old = machine.read_promised(code, step, address)?;
    let operand = machine.operand(code, step, 1).clone();
    // The first result keeps the old value until the call is through.
    machine.give(step, old.clone())?;
    machine.enter_named(code, id, Datums::from_vec(vec![old, operand]))?;
    Ok(Flow::Activation)
}

impl<'m> Machine<'m> {
    fn atomic_address(&self, code: &Code<'m>, step: &Step<'m>, index: usize) -> Result<u64, Stop> {
        let offset = step.data.access().map_or(0, |access| access.offset);
        let address = (self.bits(code, step, index) as u64).wrapping_add_signed(offset.into());
        if !address.is_multiple_of(size_of_value(code, step.data.ty).max(1) as u64) {
            return Err(TrapCode::MisalignedAtomic.into());
        }
        self.address(code, step, index)
    }

    /// Puts the new value; executes the instruction `at` once more if the
    /// function itself has changed the old one.
    pub(super) fn finish_modify(
        &mut self,
        code: &Code<'m>,
        step: &Step<'m>,
        at: usize,
        results: Datums,
    ) -> Done {
        let [old_value, new_value] = *step.results else {
            return Err(Stop::Broken("`atomic_modify` lacks a result".into()));
        };
        let address = self.atomic_address(code, step, 0)?;
        let now = self.read(code, step.data.ty, address)?;
        if self.registers.get(self.base + old_value.as_u32() as usize) != Some(&now) {
            return Ok(Flow::At(at as u32));
        }
        let new = results.into_iter().next().unwrap_or(Datum::Scalar(0));
        self.write(code, step.data.ty, address, &new)?;
        self.set(new_value, new);
        self.tell(code, step);
        Ok(Flow::Next)
    }
}
