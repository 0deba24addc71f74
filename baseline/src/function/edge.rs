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
        if target.args.is_empty() {
            return;
        }
        let body = self.body;
        let (args, params) = (body.target_args(target), body.params(target.block));
        if args.len() > 1 && self.is_late(target.block, args) {
            return self.hand_over_by_spares(args, params);
        }
        for (&arg, &param) in args.iter().zip(params) {
            if arg != param && self.buffers.homes.uses(param) > 0 {
                self.hand_to(arg, param);
            }
        }
    }

    /// Whether a parameter of the target is handed on to a later one: it has changed by then.
    fn is_late(&self, target: Block, args: &[Value]) -> bool {
        for (index, &arg) in (0..).zip(args) {
            if let ValueDef::Param(block, at) = self.body.value_def(arg)
                && block == target
                && at < index
            {
                return true;
            }
        }
        false
    }

    /// The same, where every argument is taken before any parameter is given its own.
    #[cold]
    fn hand_over_by_spares(&mut self, args: &[Value], params: &[Value]) {
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
