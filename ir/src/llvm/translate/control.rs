//! Where a block goes on.

use super::function::Translator;
use super::types::Carrier;
use super::wide::word_count;
use crate::attribute::IntCond;
use crate::body::SwitchData;
use crate::entity::Value;
use crate::instruction::{Payload, Target};
use crate::llvm::syntax::{BlockId, ConstantId, Instruction, Kind, List, Name, Typed};
use crate::op::Op;
use crate::text::Parsed;
use crate::trap::TrapCode;
use crate::types::{Scalar, Type};

impl Translator<'_, '_> {
    /// The end of a block, but for a return.
    pub(super) fn terminator(&mut self, inst: &Instruction) -> Parsed<()> {
        match &inst.kind {
            Kind::Branch(to) => {
                self.jump_to(*to)?;
                self.hint_branch(inst)
            }
            Kind::ConditionalBranch { condition, yes, no } => {
                let test = self.value(*condition)?;
                let targets = [self.edge(*yes)?, self.edge(*no)?];
                self.emit(Op::Branch, Type::NONE, &[test], Payload::Branch(targets), &[]);
                self.hint_branch(inst)
            }
            Kind::Switch { value, cases, other } => {
                self.switch(*value, cases, *other)?;
                self.hint_branch(inst)
            }
            Kind::IndirectBranch { address, targets } => self.indirect_branch(*address, targets),
            // Nobody else would catch it.
            Kind::Resume => {
                self.end_by_trap(TrapCode::UncaughtException);
                Ok(())
            }
            _ => {
                self.unreachable();
                Ok(())
            }
        }
    }

    /// Ends the current block where nothing goes on.
    pub(super) fn unreachable(&mut self) {
        self.emit(Op::Unreachable, Type::NONE, &[], Payload::None, &[]);
    }

    /// Ends the current block by leaving with that code.
    pub(super) fn end_by_trap(&mut self, code: TrapCode) {
        self.emit(Op::Trap, Type::NONE, &[], Payload::Trap(code), &[]);
    }

    fn switch(&mut self, operand: Typed, cases: &List, other: BlockId) -> Parsed<()> {
        let function = self.function;
        let value = self.value(operand)?;
        let list = &function.cases[cases.start as usize..cases.end as usize];
        let carrier = self.shared.carrier(operand.ty, self.at)?;
        if carrier.is_wide() {
            return self.wide_switch((carrier, value), list, other);
        }
        let mut numbers = Vec::with_capacity(list.len());
        let mut targets = Vec::with_capacity(list.len() + 1);
        for &(case, to) in list {
            numbers.push(self.number_of(case).unwrap_or(0));
            targets.push(self.edge(to)?);
        }
        targets.push(self.edge(other)?);
        self.emit_switch(value, numbers, targets);
        Ok(())
    }

    /// A switch on words: one case is asked for after the other.
    fn wide_switch(
        &mut self,
        (carrier, value): (Carrier, Value),
        cases: &[(ConstantId, BlockId)],
        other: BlockId,
    ) -> Parsed<()> {
        let words = word_count(carrier.bits) as u64;
        self.shared.charge(words * cases.len() as u64, self.at)?;
        for &(case, to) in cases {
            let case = self.constant(case)?;
            let test = self.wide_compare(IntCond::Eq, carrier, value, case);
            let (next, taken) = (self.new_block(), self.edge(to)?);
            let targets = [taken, self.body.target(next, &[])];
            self.emit(Op::Branch, Type::NONE, &[test], Payload::Branch(targets), &[]);
            self.switch_to(next);
        }
        self.jump_to(other)
    }

    /// Ends the current block with a switch; the last target is that of no case.
    fn emit_switch(&mut self, value: Value, cases: Vec<u128>, targets: Vec<Target>) {
        let value = match self.body.value_type(value).as_scalar() {
            Some(Scalar::I1) => self.op(Op::Zext, Type::I8, &[value]),
            _ => value,
        };
        let ty = self.body.value_type(value);
        let table = self.body.make_switch(SwitchData { cases, targets });
        self.emit(Op::Switch, ty, &[value], Payload::Switch(table), &[]);
    }

    /// The address of a block is its number.
    fn indirect_branch(&mut self, address: Typed, targets: &List) -> Parsed<()> {
        let function = self.function;
        let address = self.value(address)?;
        if self.body.value_type(address) != Type::PTR {
            return Err(self.unsupported("the address of a block is a plain pointer"));
        }
        let number = self.address_bits(address);
        let list = &function.targets[targets.start as usize..targets.end as usize];
        let (mut cases, mut edges) = (Vec::new(), Vec::new());
        let mut list = list.to_vec();
        list.sort_unstable();
        list.dedup();
        for to in list {
            let block = &function.blocks[to.index()];
            let name = match &block.name {
                Some(name) => Name::Text(name.clone()),
                None => Name::Number(block.number),
            };
            cases.push(u128::from(self.shared.block_number(self.id, name)));
            edges.push(self.edge(to)?);
        }
        let nowhere = self.new_block();
        edges.push(self.body.target(nowhere, &[]));
        self.emit_switch(number, cases, edges);
        let place = self.block;
        self.switch_to(nowhere);
        self.unreachable();
        // What is hinted of the end of the block concerns the switch.
        self.block = place;
        Ok(())
    }
}
