//! Jumps, and what blocks hand each other.

use brolga_ir::body::ValueDef;
use brolga_ir::entity::{Block, Value};
use brolga_ir::instruction::Target;
use brolga_lowering::options::{Counting, LowerOptions, Polls};

use super::Emitter;
use crate::assembler::Word;

/// Whether there is anything to do on the way back in a loop.
pub(super) fn looks_around(options: &LowerOptions) -> bool {
    options.polls == Polls::LoopsAndEntries || options.counting == Counting::Emit
}

impl Emitter<'_> {
    /// Goes on at a target.
    pub(super) fn edge(&mut self, from: Block, target: &Target, next: Option<Block>) {
        self.hand_over(target);
        if looks_around(self.options) && self.goes_back(from, target.block) {
            self.count(Some(target.block));
            if self.options.polls == Polls::LoopsAndEntries {
                self.poll(Some(target.block));
            }
        }
        if next != Some(target.block) {
            let label = self.block_label(target.block);
            self.assembler().jump(label);
        }
    }

    /// Whether there is nothing to do on the way to a target.
    pub(super) fn is_bare(&self, from: Block, target: &Target) -> bool {
        target.args.is_empty()
            && !(looks_around(self.options) && self.goes_back(from, target.block))
    }

    /// An edge back in the order of the text is on every cycle.
    fn goes_back(&self, from: Block, to: Block) -> bool {
        let registers = &self.buffers.registers;
        registers.order(to) <= registers.order(from)
    }

    /// Brings the arguments of a target to the homes of its parameters.
    fn hand_over(&mut self, target: &Target) {
        let body = self.body;
        let (args, params) = (body.target_args(target), body.params(target.block));
        // A parameter of the target that is handed on to a later one has changed by then.
        let is_late = |(index, &arg): (u32, &Value)| matches!(body.value_def(arg), ValueDef::Param(block, at) if block == target.block && at < index);
        if args.len() < 2 || !(0..).zip(args).any(is_late) {
            for (&arg, &param) in args.iter().zip(params) {
                if arg != param && self.buffers.homes.uses(param) > 0 {
                    self.hand_to(arg, param);
                }
            }
            return;
        }
        for (index, &arg) in args.iter().enumerate() {
            let spare = self.buffers.homes.spare(index);
            self.put(arg, Word::Frame(spare));
        }
        for (index, &param) in params.iter().enumerate() {
            if self.buffers.homes.uses(param) > 0 {
                let spare = self.buffers.homes.spare(index);
                self.take_from(Word::Frame(spare), param);
            }
        }
    }
}
