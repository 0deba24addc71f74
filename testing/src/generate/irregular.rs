//! Flow that does not nest: loops that are left or gone on with from their middle, and
//! blocks that lead to each other as it comes, most of them circles of several ways in.

use brolga_ir::attribute::IntCond;
use brolga_ir::entity::{Block, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::flow::MOST_NEST;
use super::writer::Writer;

/// What a tangle costs about, in instructions that it executes.
pub(super) const TANGLE_COST: u64 = 300;

/// A loop that stands around the present block.
#[derive(Clone, Debug)]
pub(super) struct Around {
    /// Where a round begins, and what it takes: first the number of the round.
    pub(super) header: Block,
    pub(super) types: Vec<Type>,
    /// The number of the present round.
    pub(super) round: Value,
    /// Where it goes on behind the loop, and what that takes.
    pub(super) behind: Block,
    pub(super) left_with: Vec<Type>,
    /// Handler regions that are open there.
    pub(super) regions: u32,
}

impl Writer<'_> {
    /// From the middle of a loop, not always the innermost, to behind it or to its next round.
    pub(super) fn leave_loop_sometimes(&mut self) {
        let around = self.loops[self.program.random.below(self.loops.len())].clone();
        let condition = match self.random().percent(70) {
            true => self.rare_condition(),
            false => self.any(Type::I1),
        };
        let (out, on) = (self.body.make_block(), self.body.make_block());
        self.branch(condition, (out, &[]), (on, &[]));
        self.start(out);
        let scope = self.open_scope();
        self.region(1, MOST_NEST);
        if self.regions > around.regions {
            let count = self.regions - around.regions;
            self.push(Op::Leave, Type::NONE, &[], Payload::Count(count));
        }
        if self.random().percent(40) {
            self.jump_with(around.behind, &around.left_with);
        } else {
            let counter = around.types[0];
            let one = self.number_of(counter, 1);
            let mut next = vec![self.compute(Op::Add, counter, &[around.round, one])];
            next.extend(self.anys(&around.types[1..]));
            self.jump(around.header, &next);
        }
        self.close_scope(scope);
        self.start(on);
    }

    /// Blocks each of which leads to two of them, until so many rounds are over as are
    /// counted down on all ways.
    pub(super) fn tangle(&mut self, nest: usize) {
        let most = self.random().between(2, if nest == 0 { 12 } else { 4 }) as u64;
        let count = self.random().between(2, 4);
        let mut types = self.value_types(2);
        types.insert(0, Type::I32);
        let left_with = self.value_types(2);
        let blocks: Vec<Block> = (0..count).map(|_| self.body.make_block()).collect();
        let behind = self.body.make_block();
        let rounds = self.number_of(Type::I32, most.into());
        let other = self.random().between(1, count - 1);
        self.fork([blocks[0], blocks[other]], rounds, &types[1..]);
        let weight = self.weight;
        self.weight *= most + 1;
        for (index, &block) in blocks.iter().enumerate() {
            let scope = self.open_scope();
            self.join(block, &types);
            let rounds = self.body.params(block)[0];
            self.poll_sometimes();
            let statements = self.inner(nest);
            self.region(statements, nest + 1);
            let [zero, one] = [0, 1].map(|number| self.number_of(Type::I32, number));
            let payload = Payload::IntCond(IntCond::Eq);
            let is_over = self.compute_with(Op::Icmp, Type::I32, &[rounds, zero], payload);
            let (on, args) = (self.body.make_block(), self.anys(&left_with));
            self.branch(is_over, (behind, &args), (on, &[]));
            self.start(on);
            let fewer = self.compute(Op::Sub, Type::I32, &[rounds, one]);
            // The next one is always among them, so that each is reached.
            let other = self.random().below(count);
            self.fork([blocks[(index + 1) % count], blocks[other]], fewer, &types[1..]);
            self.close_scope(scope);
        }
        self.weight = weight;
        self.join(behind, &left_with);
    }

    /// Ends the block on the way to one of two, which both take that number and values of
    /// those types.
    fn fork(&mut self, to: [Block; 2], number: Value, types: &[Type]) {
        let condition = self.any(Type::I1);
        let [yes, no] = [(); 2].map(|()| {
            let mut args = vec![number];
            args.extend(self.anys(types));
            args
        });
        self.branch(condition, (to[0], &yes), (to[1], &no));
    }
}
