//! Branches, the compares that they go by, and switches.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::SwitchData;
use brolga_ir::entity::{Block, Inst, SwitchTable, Value};
use brolga_ir::instruction::{InstData, Payload, Target};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::operand::SCRATCH;
use super::{Emitted, Emitter};
use crate::assembler::{ARGUMENTS, Label, Place, Register, condition};
use crate::error::Unsupported;
use crate::key::{Class, Key, Variant};
use crate::stencil::Stencil;

/// So many cases are tried one after another.
const FEW_CASES: usize = 4;

/// The number that the bits of a class for integers are, by their sign.
pub(super) fn signed(bits: u64, class: Class) -> i64 {
    let unused = 64 - class.bits().clamp(1, 64);
    (bits << unused) as i64 >> unused
}

/// A condition on a constant as stencils have it: at most is less than the next, and at least is
/// more than the one before. Nothing where there is no next.
pub(super) fn nearby(condition: IntCond, bits: u64, class: Class) -> Option<(IntCond, i64)> {
    let number = signed(bits, class);
    let lowest = signed(1 << (class.bits().max(1) - 1), class);
    let highest = !lowest;
    Some(match condition {
        IntCond::Sle if number != highest => (IntCond::Slt, number + 1),
        IntCond::Sge if number != lowest => (IntCond::Sgt, number - 1),
        IntCond::Ule if number != -1 => (IntCond::Ult, signed(bits.wrapping_add(1), class)),
        IntCond::Uge if number != 0 => (IntCond::Ugt, signed(bits.wrapping_sub(1), class)),
        IntCond::Sle | IntCond::Sge | IntCond::Ule | IntCond::Uge => return None,
        _ => (condition, number),
    })
}

/// What a condition asks of values of a type: addresses have no sign.
pub(super) fn condition_on(ty: Type, condition: IntCond) -> IntCond {
    if ty.lane().is_some_and(|lane| lane.is_int() || lane == Scalar::I1) {
        return condition;
    }
    match condition {
        IntCond::Slt => IntCond::Ult,
        IntCond::Sle => IntCond::Ule,
        IntCond::Sgt => IntCond::Ugt,
        IntCond::Sge => IntCond::Uge,
        _ => condition,
    }
}

/// Whether a constant fits in the place that a stencil has for it.
pub(super) fn fits(stencil: &Stencil, number: i64) -> bool {
    match stencil.hole.map(|hole| hole.width) {
        Some(1) => i8::try_from(number).is_ok(),
        Some(2) => i16::try_from(number).is_ok(),
        Some(4) => i32::try_from(number).is_ok(),
        _ => false,
    }
}

impl Emitter<'_> {
    /// `branch`.
    pub(super) fn branch(
        &mut self,
        from: Block,
        condition: Value,
        targets: &[Target; 2],
        next: Option<Block>,
    ) -> Emitted {
        self.truth(condition)?;
        self.two_ways(from, condition::NOT_EQUAL, targets, next);
        Ok(())
    }

    /// Sets the flags by a truth value: zero if it is false.
    pub(super) fn truth(&mut self, condition: Value) -> Emitted {
        let register = match self.last {
            Some(last) if last.value == condition => match last.place {
                Place::Integer(register) => register,
                _ => return Err(Unsupported::Op(Op::Branch)),
            },
            _ => {
                self.fetch(&[(condition, SCRATCH)]);
                Register::R11
            }
        };
        self.assembler().test_truth(register);
        Ok(())
    }

    /// Goes to the first target if the flags have the condition, else to the second.
    fn two_ways(
        &mut self,
        from: Block,
        condition: u8,
        [then, other]: &[Target; 2],
        next: Option<Block>,
    ) {
        if self.is_bare(from, then) && next != Some(then.block) {
            let label = self.block_label(then.block);
            self.assembler().jump_if(condition, label);
            return self.edge(from, other, next);
        }
        if self.is_bare(from, other) {
            let label = self.block_label(other.block);
            self.assembler().jump_if(condition ^ 1, label);
            return self.edge(from, then, next);
        }
        let label = self.assembler().label();
        self.assembler().jump_if(condition ^ 1, label);
        let last = self.last;
        self.edge(from, then, None);
        self.assembler().bind(label);
        self.last = last;
        self.edge(from, other, next);
    }

    /// A compare whose answer the next instruction alone wants, to go by: both in one. Gives
    /// that instruction if so.
    pub(super) fn fused(
        &mut self,
        inst: Inst,
        data: &InstData,
        block: Block,
        next: Option<Block>,
    ) -> Emitted<Option<Inst>> {
        let body = self.body;
        let (Some(answer), Some(user)) = (body.result(inst), body.layout.next_inst(inst)) else {
            return Ok(None);
        };
        let by = body.inst(user);
        let goes_by =
            matches!(by.payload, Payload::Branch(_) if by.op == Op::Branch) || by.op == Op::Check;
        let taken = body.list_values(by.args);
        let is_used_there = taken.first() == Some(&answer);
        if !goes_by || !is_used_there || self.buffers.homes.uses(answer) != 1 {
            return Ok(None);
        }
        let Some(condition) = self.compare(data) else { return Ok(None) };
        match &by.payload {
            Payload::Branch(targets) => {
                // Polls on the way are the branch's.
                self.loc = by.loc;
                self.two_ways(block, condition, targets, next);
            }
            &Payload::Exit(exit) => {
                let offset = self.assembler().offset();
                self.loc = by.loc;
                self.buffers.sites.enter(self.module, body, by.loc, offset);
                self.leave_unless(condition, exit, taken.get(1..).unwrap_or(&[]))?;
            }
            _ => return Err(Unsupported::Op(by.op)),
        }
        Ok(Some(user))
    }

    /// Compares; gives the condition that the flags have if it holds. Nothing, and nothing is
    /// emitted, if there is no such stencil.
    fn compare(&mut self, data: &InstData) -> Option<u8> {
        let [first, second] = *self.body.list_values(data.args) else { return None };
        let class = Class::of(data.ty)?;
        let find = |variant| self.stencils.find(Key::new(data.op, class, variant));
        let (plain, constant) = match data.payload {
            Payload::IntCond(condition) => {
                let condition = condition_on(data.ty, condition);
                let constant = self.constant(second);
                let constant = constant.and_then(|bits| nearby(condition, bits, class));
                (Variant::Branch(condition), constant)
            }
            Payload::FloatCond(condition) => (Variant::FloatBranch(condition), None),
            _ => return None,
        };
        let constant = constant.and_then(|(condition, number)| {
            let stencil = find(Variant::BranchConstant(condition))?;
            fits(stencil, number).then_some((stencil, number))
        });
        if let Some((stencil, number)) = constant {
            self.fetch_one(first, Place::Integer(ARGUMENTS[0]));
            self.paste(stencil, Some(number));
            self.last = None;
            return Some(stencil.condition);
        }
        let stencil = find(plain)?;
        self.bring_operands(&[first, second]).ok()?;
        self.paste(stencil, None);
        self.last = None;
        Some(stencil.condition)
    }

    /// `switch`: by halves, then one case after another.
    pub(super) fn switch(&mut self, from: Block, selector: Value, table: SwitchTable) -> Emitted {
        let unsupported = Unsupported::Op(Op::Switch);
        let body = self.body;
        let SwitchData { cases, targets } = body.switch(table).ok_or(unsupported)?;
        let class = self.class_of(selector)?;
        let (default, ways) = targets.split_last().ok_or(unsupported)?;
        self.keep();
        self.fetch(&[(selector, Place::Integer(Register::Rax))]);
        self.last = None;
        let mut known: Vec<(u64, Label)> = Vec::with_capacity(cases.len());
        let mut stubs = Vec::new();
        for (&case, target) in cases.iter().zip(ways) {
            let label = self.way(from, target, &mut stubs);
            known.push((case as u64, label));
        }
        let otherwise = self.way(from, default, &mut stubs);
        known.sort_unstable_by_key(|&(case, _)| case);
        self.select_case(class, &known, otherwise);
        for (label, target) in stubs {
            self.assembler().bind(label);
            self.edge(from, &target, None);
        }
        Ok(())
    }

    fn way(&mut self, from: Block, target: &Target, stubs: &mut Vec<(Label, Target)>) -> Label {
        if self.is_bare(from, target) {
            return self.block_label(target.block);
        }
        let label = self.assembler().label();
        stubs.push((label, *target));
        label
    }

    fn select_case(&mut self, class: Class, cases: &[(u64, Label)], otherwise: Label) {
        if cases.len() <= FEW_CASES {
            for &(case, label) in cases {
                self.compare_case(class, case);
                self.assembler().jump_if(condition::EQUAL, label);
            }
            return self.assembler().jump(otherwise);
        }
        let (lower, upper) = cases.split_at(cases.len() / 2);
        let label = self.assembler().label();
        if let Some(&(highest, _)) = lower.last() {
            self.compare_case(class, highest);
        }
        self.assembler().jump_if(condition::ABOVE, label);
        self.select_case(class, lower, otherwise);
        self.assembler().bind(label);
        self.select_case(class, upper, otherwise);
    }

    fn compare_case(&mut self, class: Class, case: u64) {
        match i32::try_from(signed(case, class)) {
            Ok(number) => self.assembler().compare_number(class, Register::Rax, number),
            Err(_) => {
                self.assembler().number(Register::R11, case);
                self.assembler().compare_scratch();
            }
        }
    }
}
