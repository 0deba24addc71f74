//! Jumps, branches and returns.

use brolga_ir::body::SwitchData;
use brolga_ir::entity::SwitchTable;
use brolga_ir::instruction::{Payload, Target};
use brolga_ir::op::Op;
use cranelift_codegen::ir::{self as machine, BlockArg, InstBuilder};
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
        let selector = self.arg(instruction, 0)?;
        let mut switch = Switch::new();
        let mut ways = Vec::new();
        for (&case, target) in cases.iter().zip(targets) {
            if switch.entries().contains_key(&case) {
                return Err(Fault::illegal(format!("it has case {case} twice")));
            }
            let way = self.way(target, &mut ways)?;
            switch.set_entry(case, way);
        }
        let otherwise = self.way(default, &mut ways)?;
        switch.emit(&mut self.builder, selector, otherwise);
        for (way, target) in ways {
            self.continue_in(way);
            let (block, args) = self.edge(&target)?;
            self.builder.ins().jump(block, &args);
        }
        Ok(())
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
