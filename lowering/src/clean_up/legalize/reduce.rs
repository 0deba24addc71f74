//! Reductions: whole registers with each other first, then the lanes of one.

use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::InstData;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use smallvec::SmallVec;

use super::Work;
use super::masks::{is_mask, mask_type};
use crate::pass::{PassResult, Pieces};

/// The op that a reduction, as all that come here are, repeats.
fn step(reduction: Op) -> Op {
    reduction.repeated().unwrap_or(reduction)
}

impl Work<'_, '_> {
    pub(super) fn reduce(&mut self, inst: Inst, data: &InstData, args: &[Value]) -> PassResult<()> {
        let vector = args[args.len() - 1];
        let ty = self.editor.body.value_type(vector);
        let value = if is_mask(ty) {
            self.reduce_mask(data, vector)
        } else if ty.lane().is_some_and(Scalar::is_float) {
            self.reduce_in_order(data, args)?
        } else {
            self.reduce_integers(data, vector)?
        };
        self.define_result(inst, SmallVec::from_elem(value, 1));
        Ok(())
    }

    /// Lanes that do not count are set to what changes nothing.
    fn reduce_mask(&mut self, data: &InstData, mask: Value) -> Value {
        let width = self.mask_width(mask);
        let pieces = self.filled_mask(mask, width, data.op == Op::ReduceAnd);
        let ty = mask_type(width);
        let whole = self.fold(step(data.op), ty, &pieces);
        self.editor.op_like(data, data.ty, &[whole])
    }

    fn fold(&mut self, op: Op, ty: Type, pieces: &[Value]) -> Value {
        let mut whole = pieces[0];
        for &piece in &pieces[1..] {
            whole = self.editor.op(op, ty, &[whole, piece]);
        }
        whole
    }

    /// Floats, one after the other, as the op says.
    fn reduce_in_order(&mut self, data: &InstData, args: &[Value]) -> PassResult<Value> {
        let start = (args.len() > 1).then(|| self.piece(args[0]));
        let lanes = self.lanes_of(args[args.len() - 1]);
        let mut values = start.into_iter().chain(lanes);
        let mut whole = values.next().unwrap_or(args[0]);
        for value in values {
            whole = self.editor.op(step(data.op), data.ty, &[whole, value]);
        }
        Ok(whole)
    }

    /// Integers, in any order: full registers first, then what is left over.
    fn reduce_integers(&mut self, data: &InstData, vector: Value) -> PassResult<Value> {
        let ty = self.editor.body.value_type(vector);
        let pieces = self.pieces(vector);
        let held = self.editor.body.value_type(pieces[0]);
        let op = step(data.op);
        if !held.is_vector() {
            return Ok(self.fold(op, data.ty, &pieces));
        }
        let full = (ty.lanes() / held.lanes()) as usize;
        let mut values = Pieces::new();
        if full > 0 {
            let like = InstData { op, ..*data };
            let mut whole = pieces[0];
            for &piece in &pieces[1..full] {
                whole = self.editor.legal_op(&like, held, &[whole, piece])?;
            }
            values.push(self.editor.op_like(data, data.ty, &[whole]));
        }
        for lane in 0..ty.lanes() % held.lanes() {
            values.push(self.editor.lane(pieces[full], lane));
        }
        Ok(self.fold(op, data.ty, &values))
    }
}
