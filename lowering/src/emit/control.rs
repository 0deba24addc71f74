//! Jumps, branches and returns.

use std::collections::BTreeMap;

use brolga_ir::body::SwitchData;
use brolga_ir::entity::SwitchTable;
use brolga_ir::instruction::{Payload, Target};
use brolga_ir::op::Op;
use cranelift_codegen::ir::{self as machine, BlockArg, InstBuilder, types};
use cranelift_frontend::Switch;

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};

impl<'a> Emitter<'a> {
    /// Terminators that call nothing.
    pub(super) fn control(&mut self, instruction: Instruction<'a>) -> Emitted {
        match (instruction.data.op, instruction.data.payload) {
            (Op::Jump, Payload::Jump(target)) => {
                let (block, args) = self.edge(&target)?;
                self.builder.ins().jump(block, &args);
                Ok(())
            }
            (Op::Branch, Payload::Branch([then, other])) => {
                let condition = self.arg(instruction, 0)?;
                let (then, then_args) = self.edge(&then)?;
                let (other, other_args) = self.edge(&other)?;
                self.builder.ins().brif(condition, then, &then_args, other, &other_args);
                Ok(())
            }
            (Op::Switch, Payload::Switch(table)) => self.switch(instruction, table),
            (Op::Return, _) => {
                let values = self.values_of(instruction.args)?;
                let wanted = self.builder.func.signature.returns.iter().map(|r| r.value_type);
                let dfg = &self.builder.func.dfg;
                if !wanted.eq(values.iter().map(|&value| dfg.value_type(value))) {
                    return Err(Fault::illegal("its operands are not the function's results"));
                }
                self.leave_side_stack();
                self.builder.ins().return_(&values);
                Ok(())
            }
            _ => Err(self.misplaced(instruction)),
        }
    }

    /// A target as the back end wants it.
    pub(super) fn edge(&mut self, target: &Target) -> Emitted<(machine::Block, Vec<BlockArg>)> {
        let block = self.blocks[target.block].expand();
        let block = block.ok_or_else(|| Fault::illegal(format!("there is no {}", target.block)))?;
        let body = self.body;
        let values = self.values_of(body.target_args(target))?;
        let dfg = &self.builder.func.dfg;
        let wanted = dfg.block_params(block).iter().map(|&param| dfg.value_type(param));
        if !wanted.eq(values.iter().map(|&value| dfg.value_type(value))) {
            let block = target.block;
            return Err(Fault::illegal(format!("the arguments of {block} are not its parameters")));
        }
        Ok((block, values.into_iter().map(BlockArg::Value).collect()))
    }

    fn switch(&mut self, instruction: Instruction<'a>, table: SwitchTable) -> Emitted {
        let body = self.body;
        let found = body.switch(table);
        let SwitchData { cases, targets } =
            found.ok_or_else(|| Fault::illegal(format!("there is no {table}")))?;
        let Some((default, targets)) = targets.split_last() else {
            return Err(Fault::illegal("it has no default"));
        };
        let mut ways = Vec::new();
        let mut known = BTreeMap::new();
        for (&case, target) in cases.iter().zip(targets) {
            let way = self.way(target, &mut ways)?;
            if known.insert(case, way).is_some() {
                return Err(Fault::illegal(format!("it has case {case} twice")));
            }
        }
        let otherwise = self.way(default, &mut ways)?;
        let selector = self.arg(instruction, 0)?;
        match self.builder.func.dfg.value_type(selector) {
            types::I128 => self.switch_by_halves(selector, &known, otherwise),
            _ => self.switch_on(selector, known, otherwise),
        }
        for (way, target) in ways {
            self.continue_in(way);
            let (block, args) = self.edge(&target)?;
            self.builder.ins().jump(block, &args);
        }
        Ok(())
    }

    fn switch_on(
        &mut self,
        selector: machine::Value,
        cases: impl IntoIterator<Item = (u128, machine::Block)>,
        otherwise: machine::Block,
    ) {
        let mut switch = Switch::new();
        cases.into_iter().for_each(|(case, way)| switch.set_entry(case, way));
        switch.emit(&mut self.builder, selector, otherwise);
    }

    /// By the upper half of 128 bits, then by the lower one: given all of them,
    /// the front end's switch subtracts cases from 2^63 on as if they were
    /// negative numbers of 64 bits.
    fn switch_by_halves(
        &mut self,
        selector: machine::Value,
        cases: &BTreeMap<u128, machine::Block>,
        otherwise: machine::Block,
    ) {
        let (low, high) = self.builder.ins().isplit(selector);
        let mut halves: BTreeMap<u128, Vec<(u128, machine::Block)>> = BTreeMap::new();
        for (&case, &way) in cases {
            halves.entry(case >> 64).or_default().push((case & u128::from(u64::MAX), way));
        }
        let (uppers, lowers): (Vec<_>, Vec<_>) = halves
            .into_iter()
            .map(|(upper, lower)| {
                let block = self.builder.create_block();
                ((upper, block), (block, lower))
            })
            .unzip();
        self.switch_on(high, uppers, otherwise);
        for (block, lower) in lowers {
            self.continue_in(block);
            self.switch_on(low, lower, otherwise);
        }
    }

    /// The block that a case leads to: of its own if the target takes arguments.
    fn way(
        &mut self,
        target: &Target,
        ways: &mut Vec<(machine::Block, Target)>,
    ) -> Emitted<machine::Block> {
        if target.args.is_empty() {
            return Ok(self.edge(target)?.0);
        }
        let way = self.builder.create_block();
        ways.push((way, *target));
        Ok(way)
    }
}
