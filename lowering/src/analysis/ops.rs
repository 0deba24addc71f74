//! Which ops stand in a body: most passes are there for a few, and most bodies have none of
//! them. One walk over the instructions answers all of these passes, up to the next change.
//!
//! Does not try: how often an op stands there, or where.

use brolga_ir::body::Body;
use brolga_ir::op::Op;

const WORDS: usize = Op::ALL.len().div_ceil(64);

/// The ops of the instructions that stand in a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ops([u64; WORDS]);

impl Ops {
    /// Those of a body.
    pub fn new(body: &Body) -> Ops {
        let mut words = [0; WORDS];
        for inst in body.layout.all_insts() {
            let number = body.inst(inst).op as usize;
            words[number / 64] |= 1 << (number % 64);
        }
        Ops(words)
    }

    /// Whether one of `ops` is among them.
    pub fn has_any(&self, ops: &[Op]) -> bool {
        ops.iter().any(|&op| self.0[op as usize / 64] >> (op as usize % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use brolga_ir::entity::Inst;

    use super::super::tests::bodies::on_many_bodies;
    use super::*;

    fn insts(body: &Body) -> Vec<Inst> {
        body.layout.all_insts().collect()
    }

    #[test]
    fn an_op_is_there_if_an_instruction_that_stands_has_it() {
        on_many_bodies(|_, body| {
            let mut body = body.clone();
            while let Some(&last) = insts(&body).last() {
                let ops = Ops::new(&body);
                for &op in Op::ALL {
                    let is_there = insts(&body).iter().any(|&inst| body.inst(inst).op == op);
                    assert_eq!(ops.has_any(&[op]), is_there, "{op:?}");
                }
                body.layout.remove_inst(last);
            }
            assert!(!Ops::new(&body).has_any(Op::ALL));
        });
    }
}
