//! Sums of which the parts are put together in narrow lanes (see `narrow`).

use brolga_ir::entity::Value;
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::super::narrow::{Doubling, Form, Lanes, Narrow};
use super::Builder;

impl Builder<'_, '_, '_> {
    /// Adds what the rounds of this copy add to what those before it do.
    pub(super) fn add_part(&mut self, index: usize, narrow: &Narrow) {
        let source = self.of(narrow.source);
        self.stand(self.vectors_end);
        let (first, summed) = (narrow.first(), narrow.summed(self.plan.copies));
        let Some(ty) = narrow.vector(self.plan.lanes, first.bits) else { return };
        let part = match narrow.form {
            Form::Number => source,
            // Minus one, where it holds: lanes of a mask are that already. No lane is too
            // narrow for as many as there are copies.
            Form::Truth => self.editor.op(Op::Sext, ty, &[source]),
            Form::Bits => {
                let bytes = self.reread(source, ty);
                self.editor.op(Op::Popcount, ty, &[bytes])
            }
        };
        let known = self.carried[index].part;
        let (op, known) = match (narrow.form, known) {
            (Form::Truth, Some(known)) => (Op::Sub, known),
            (Form::Truth, None) => (Op::Sub, self.editor.zero(ty)),
            (_, Some(known)) => (Op::Add, known),
            (_, None) => {
                self.carried[index].part = Some(self.widened(narrow, part, first, summed.bits));
                return;
            }
        };
        let part = self.widened(narrow, part, first, summed.bits);
        let ty = self.body().value_type(part);
        self.carried[index].part = Some(self.editor.op(op, ty, &[known, part]));
    }

    /// Adds what all copies have added to the sum.
    pub(super) fn add_parts(&mut self, index: usize, narrow: &Narrow) {
        self.stand(self.vectors_end);
        let Some(part) = self.carried[index].part.take() else { return };
        let Some(ty) = narrow.sum(self.plan.lanes) else { return };
        let lanes = narrow.summed(self.plan.copies);
        let bits = ty.lane().map_or(64, |lane| lane.bits());
        let part = self.widened(narrow, part, lanes, bits);
        let sum = self.carried[index].sums[0];
        let end = self.editor.op(Op::Add, ty, &[sum, part]);
        self.carried[index].ends.push(end);
    }

    /// Adds lanes to those next to them until they are that wide.
    fn widened(&mut self, narrow: &Narrow, value: Value, lanes: Lanes, bits: u32) -> Value {
        let (mut value, mut lanes) = (value, lanes);
        while lanes.bits < bits {
            if lanes.must_be_cut() {
                value = self.cut(value, lanes);
                lanes.known = lanes.bits;
            }
            let (doubling, next) = lanes.doubled();
            let Some(ty) = narrow.vector(self.plan.lanes, next.bits) else { return value };
            let wide = self.reread(value, ty);
            let by = self.editor.constant(ty, lanes.bits.into());
            let upper = self.editor.op(Op::Lshr, ty, &[wide, by]);
            let lower = match doubling {
                Doubling::Within => wide,
                Doubling::Apart => self.cut(wide, Lanes { known: lanes.bits, ..next }),
            };
            value = self.editor.op(Op::Add, ty, &[lower, upper]);
            lanes = next;
        }
        if lanes.known < lanes.bits { self.cut(value, lanes) } else { value }
    }

    /// Takes away what is above the numbers of lanes.
    fn cut(&mut self, value: Value, lanes: Lanes) -> Value {
        let ty = self.body().value_type(value);
        let mask = self.editor.constant(ty, (1 << lanes.known) - 1);
        self.editor.op(Op::And, ty, &[value, mask])
    }

    /// The same bits as other lanes.
    pub(super) fn reread(&mut self, value: Value, ty: Type) -> Value {
        if self.body().value_type(value) == ty {
            return value;
        }
        self.editor.op_with(Op::Bitcast, ty, &[value], Payload::None)
    }
}
