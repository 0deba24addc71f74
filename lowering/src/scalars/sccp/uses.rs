//! Where values are used.

use brolga_ir::body::Body;
use brolga_ir::entity::{EntityRef, Inst, Value};

/// Where a value is used: by an instruction, or as an argument of one of its edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) inst: Inst,
    /// The edge and the index of the parameter.
    pub(super) edge: Option<(u32, u32)>,
}

/// The uses of each value, one behind the other.
#[derive(Debug)]
pub(super) struct Uses {
    starts: Vec<u32>,
    pub(super) uses: Vec<Use>,
}

impl Uses {
    pub(super) fn new(body: &Body) -> Uses {
        let mut found: Vec<(Value, Use)> = Vec::with_capacity(2 * body.inst_count());
        for inst in body.layout.all_insts() {
            found.extend(body.args(inst).iter().map(|&arg| (arg, Use { inst, edge: None })));
            for (index, target) in (0..).zip(body.targets(inst)) {
                let args = (0..).zip(body.target_args(target));
                let edge = |position| Use { inst, edge: Some((index, position)) };
                found.extend(args.map(|(position, &arg)| (arg, edge(position))));
            }
        }
        let mut starts = vec![0_u32; body.value_count() + 1];
        for (value, _) in &found {
            starts[value.index() + 1] += 1;
        }
        for index in 0..body.value_count() {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut uses = vec![Use { inst: Inst::new(0), edge: None }; found.len()];
        for (value, used) in found {
            uses[next[value.index()] as usize] = used;
            next[value.index()] += 1;
        }
        Uses { starts, uses }
    }

    pub(super) fn range(&self, value: Value) -> std::ops::Range<usize> {
        let at = |index: usize| self.starts.get(index).map_or(0, |&start| start as usize);
        at(value.index())..at(value.index() + 1)
    }

    pub(super) fn is_used(&self, value: Value) -> bool {
        !self.range(value).is_empty()
    }
}
