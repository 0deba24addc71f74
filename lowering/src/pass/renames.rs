//! Values that others stand for from now on.

use brolga_ir::body::Body;
use brolga_ir::entity::{Inst, PackedOption, SecondaryMap, Value};

/// Which value stands for which. Code that uses a renamed value is out of date until
/// [`apply`](Self::apply), so that renaming costs nothing for each use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renames {
    to: SecondaryMap<Value, PackedOption<Value>>,
    count: usize,
}

impl Renames {
    /// Lets `to` stand for `from`.
    pub(crate) fn rename(&mut self, from: Value, to: Value) {
        let to = self.resolve(to);
        if from != to {
            self.to[from] = to.into();
            self.count += 1;
        }
    }

    /// What stands for `value` in the end: itself, if nothing does.
    pub(crate) fn resolve(&mut self, mut value: Value) -> Value {
        if self.count == 0 {
            return value;
        }
        while let Some(next) = self.to[value].expand() {
            match self.to[next].expand() {
                // Half of the way is cut for whoever comes next.
                Some(further) => {
                    self.to[value] = further.into();
                    value = further;
                }
                None => value = next,
            }
        }
        value
    }

    /// Renames what `inst` uses.
    pub(crate) fn apply_to(&mut self, body: &mut Body, inst: Inst) {
        if self.count > 0 {
            body.map_uses(inst, |value| self.resolve(value));
        }
    }

    /// Renames what the body uses, and forgets all names.
    pub(crate) fn apply(&mut self, body: &mut Body) {
        if self.count == 0 {
            return;
        }
        let mut next = body.layout.entry();
        while let Some(block) = next {
            next = body.layout.next_block(block);
            let mut next = body.layout.first_inst(block);
            while let Some(inst) = next {
                next = body.layout.next_inst(inst);
                self.apply_to(body, inst);
            }
        }
        *self = Renames::default();
    }
}
