//! Atomic accesses that read and write. One thread runs, so that each is one
//! step by itself.

use super::{Flow, Machine, Site, Stop};
use crate::attribute::RmwOp;
use crate::datum::Datum;
use crate::instruction::Payload;
use crate::interpret::eval::{Datums, bits, float, int};
use crate::types::Scalar;

type Done = Result<Flow, Stop>;

/// `atomic_rmw`.
pub(in crate::interpret) fn read_modify_write<'m>(
    machine: &mut Machine<'m>,
    site: Site<'_, 'm>,
) -> Done {
    let Payload::AtomicRmw { op, .. } = site.step.data.payload else {
        return Err(Stop::Broken("`atomic_rmw` has no kind".into()));
    };
    let address = machine.address(site, 0)?;
    let old = machine.read_promised(site, address)?;
    let lane = site.step.data.ty.lane().unwrap_or(Scalar::I64);
    let new = modified(op, lane, old.bits(), machine.bits(site, 1));
    machine.write_promised(site, address, &Datum::Scalar(new))?;
    machine.give(site, old)
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
    site: Site<'_, 'm>,
) -> Done {
    let address = machine.address(site, 0)?;
    let old = machine.read_promised(site, address)?;
    let is_equal = old == *machine.operand(site, 1);
    if is_equal {
        let new = machine.operand(site, 2).clone();
        machine.write_promised(site, address, &new)?;
    }
    if let Some(&done) = site.step.results.get(1) {
        machine.set(done, is_equal.into());
    }
    machine.give(site, old)
}

/// `atomic_modify`: the call's results arrive in `finish_modify`.
pub(in crate::interpret) fn modify<'m>(machine: &mut Machine<'m>, site: Site<'_, 'm>) -> Done {
    let function = site.step.data.function();
    let id = function.ok_or_else(|| Stop::Broken("`atomic_modify` has no function".into()))?;
    let address = machine.address(site, 0)?;
    let old = machine.read_promised(site, address)?;
    let operand = machine.operand(site, 1).clone();
    // The first result keeps the old value until the call is through.
    machine.give(site, old.clone())?;
    let function = machine.function_of(site.code, id)?;
    machine.enter(function, Datums::from_vec(vec![old, operand]))
}

impl<'m> Machine<'m> {
    /// Puts the new value; executes the instruction `at` once more if the
    /// function itself has changed the old one.
    pub(super) fn finish_modify(&mut self, site: Site<'_, 'm>, at: usize, results: Datums) -> Done {
        let [old_value, new_value] = *site.step.results else {
            return Err(Stop::Broken("`atomic_modify` lacks a result".into()));
        };
        let address = self.address(site, 0)?;
        let now = self.read(site.code, site.step.data.ty, address)?;
        if self.registers.get(self.base + old_value.as_u32() as usize) != Some(&now) {
            return Ok(Flow::At(at as u32));
        }
        let new = results.into_iter().next().unwrap_or(Datum::Scalar(0));
        self.write(site.code, site.step.data.ty, address, &new)?;
        self.set(new_value, new);
        self.tell(site);
        Ok(Flow::Next)
    }
}
