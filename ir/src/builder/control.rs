//! Control flow.

use super::function::FunctionBuilder;
use super::handle::{Block, Exit, Value};
use crate::attribute::LoopFlags;
use crate::body::SwitchData;
use crate::constant::mask;
use crate::instruction::Payload;
use crate::op::Op;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};

impl FunctionBuilder<'_> {
    /// Appends [`Op::Jump`].
    pub fn jump(&mut self, block: Block, args: &[Value]) {
        if let Some(target) = self.own_target(block, args) {
            self.emit(Op::Jump, Type::NONE, &[], Payload::Jump(target));
        }
    }

    /// Appends [`Op::Branch`]: goes on at `then` if the condition holds.
    pub fn branch(
        &mut self,
        condition: Value,
        then: Block,
        then_args: &[Value],
        otherwise: Block,
        otherwise_args: &[Value],
    ) {
        let first = self.own_target(then, then_args);
        let second = self.own_target(otherwise, otherwise_args);
        if let (Some(first), Some(second)) = (first, second) {
            let payload = Payload::Branch([first, second]);
            self.emit(Op::Branch, Type::NONE, &[condition], payload);
        }
    }

    /// Appends [`Op::Switch`], at the type of `value`. The numbers of the
    /// cases are cut to its width.
    pub fn switch(
        &mut self,
        value: Value,
        cases: &[(i128, Block, &[Value])],
        default: Block,
        default_args: &[Value],
    ) {
        let ty = self.value_type(value);
        let width = mask(ty.as_scalar().map_or(0, Scalar::bits));
        let mut switch = SwitchData::default();
        for &(number, block, args) in cases {
            switch.cases.push(number as u128 & width);
            switch.targets.extend(self.own_target(block, args));
        }
        switch.targets.extend(self.own_target(default, default_args));
        if switch.targets.len() == cases.len() + 1 {
            let table = self.body.make_switch(switch);
            self.emit(Op::Switch, ty, &[value], Payload::Switch(table));
        }
    }

    /// Appends [`Op::Trap`].
    pub fn trap(&mut self, code: TrapCode) {
        self.emit(Op::Trap, Type::NONE, &[], Payload::Trap(code));
    }

    /// Appends [`Op::Check`]: leaves by the exit, which takes the values
    /// along, unless the condition holds.
    pub fn check(&mut self, condition: Value, exit: Exit, values: &[Value]) {
        if let Some(exit) = self.own(exit) {
            let all = [&[condition], values].concat();
            self.emit(Op::Check, Type::NONE, &all, Payload::Exit(exit));
        }
    }

    /// Appends [`Op::Enter`]: goes on at `body`, inside of a region whose
    /// throws go on at `handler` with the variables as they are here.
    pub fn enter(&mut self, body: Block, handler: Block) {
        let (first, second) = (self.own_target(body, &[]), self.own_target(handler, &[]));
        if let (Some(first), Some(second)) = (first, second) {
            self.emit(Op::Enter, Type::NONE, &[], Payload::Branch([first, second]));
        }
    }

    /// Appends [`Op::Leave`] of that many regions.
    pub fn leave(&mut self, regions: u32) {
        self.emit(Op::Leave, Type::NONE, &[], Payload::Count(regions));
    }

    /// Appends [`Op::LoopMark`]; 0 copies are no wish.
    pub fn loop_mark(&mut self, flags: LoopFlags, unroll: u32) {
        self.emit(Op::LoopMark, Type::NONE, &[], Payload::LoopMark { flags, unroll });
    }
}

#[cfg(test)]
pub(super) const IN_THIS_FILE: &[Op] =
    &[Op::Jump, Op::Branch, Op::Switch, Op::Trap, Op::Check, Op::Enter, Op::Leave, Op::LoopMark];
