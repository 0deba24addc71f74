//! Ops that do to each lane what they do to a scalar.

use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::InstData;
use brolga_ir::op::{Op, Theme};
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::legality::is_supported;
use super::masks::{is_mask, mask_type};
use super::{Work, shift};
use crate::pass::{Editor, PassResult, Pieces};

impl Work<'_, '_> {
    /// Arithmetic and logic, register by register.
    pub(super) fn elementwise(&mut self, inst: Inst) -> PassResult<()> {
        let data = *self.editor.body.inst(inst);
        let args = self.editor.body.args(inst).to_vec();
        let pieces = match is_mask(data.ty) {
            true => self.mask_logic(&data, &args),
            false => self.by_register(&data, &args)?,
        };
        self.define_result(inst, pieces);
        Ok(())
    }

    fn by_register(&mut self, data: &InstData, args: &[Value]) -> PassResult<Pieces> {
        let held = self.held_types(data.ty);
        if held.iter().any(|&ty| ty.is_vector() && goes_by_lanes(&self.editor, data, ty, args)) {
            return self.lane_by_lane(data.ty, args, |work, args| {
                work.editor.legal_op(data, data.ty.lane_type(), args)
            });
        }
        let operands: SmallVec<[Pieces; 3]> = args.iter().map(|&arg| self.pieces(arg)).collect();
        let mut pieces = Pieces::new();
        for (index, &ty) in held.iter().enumerate() {
            let args: SmallVec<[Value; 3]> =
                operands.iter().filter_map(|list| list.get(index).copied()).collect();
            pieces.push(self.editor.legal_op(data, ty, &args)?);
        }
        Ok(pieces)
    }

    fn mask_logic(&mut self, data: &InstData, args: &[Value]) -> Pieces {
        let width = self.mask_width(args[0]);
        let operands: SmallVec<[Pieces; 2]> =
            args.iter().map(|&arg| self.mask(arg, width)).collect();
        (0..operands[0].len())
            .map(|index| {
                let args: SmallVec<[Value; 2]> = operands.iter().map(|list| list[index]).collect();
                self.editor.op_like(data, mask_type(width), &args)
            })
            .collect()
    }

    /// Compares, register by register: the mask that comes out is as wide as
    /// the registers have lanes.
    pub(super) fn compare(&mut self, inst: Inst) -> PassResult<()> {
        let data = *self.editor.body.inst(inst);
        let args = self.editor.body.args(inst).to_vec();
        let held = self.held_types(data.ty);
        let pieces = if is_mask(data.ty) {
            self.mask_logic(&data, &args)
        } else if held.iter().all(|ty| ty.is_vector()) {
            let (x, y) = (self.pieces(args[0]), self.pieces(args[1]));
            let compare = |(index, &ty): (usize, &Type)| {
                self.editor.op_like(&data, ty, &[x[index], y[index]])
            };
            held.iter().enumerate().map(compare).collect()
        } else {
            let mask = data.ty.as_mask().unwrap_or(Type::I1);
            self.lane_by_lane(mask, &args, |work, args| {
                Ok(work.editor.op_like(&data, data.ty.lane_type(), args))
            })?
        };
        self.define_result(inst, pieces);
        Ok(())
    }
}

/// Whether no sequence of ops on registers does what is asked for, so that
/// lanes must be taken apart: better of the whole vector at once than of each
/// register, where some lanes do not count.
fn goes_by_lanes(editor: &Editor<'_, '_>, data: &InstData, ty: Type, args: &[Value]) -> bool {
    if editor.supports(data, ty) {
        return false;
    }
    match data.op {
        Op::Shl | Op::Lshr | Op::Ashr | Op::Rotl | Op::Rotr | Op::Fshl | Op::Fshr => {
            !args.last().is_some_and(|&amount| shift::is_uniform(editor, amount))
        }
        Op::Smulhi | Op::Umulhi | Op::Frem | Op::Fma => true,
        _ => false,
    }
}

impl Editor<'_, '_> {
    /// Whether emission takes the op at `ty`.
    pub(super) fn supports(&self, data: &InstData, ty: Type) -> bool {
        match data.op {
            Op::Frem | Op::Fround => false,
            Op::Shl | Op::Lshr | Op::Ashr | Op::Fshl | Op::Fshr => !ty.is_vector(),
            op => is_supported(self.context.target, op, ty, ty),
        }
    }

    /// The op at a legal type: as it is, or what does the same.
    pub(super) fn legal_op(
        &mut self,
        data: &InstData,
        ty: Type,
        args: &[Value],
    ) -> PassResult<Value> {
        if self.supports(data, ty) {
            return Ok(self.op_like(data, ty, args));
        }
        match data.op.info().theme {
            _ if !ty.is_vector() => self.prelude(data.op, ty, ty, args),
            Theme::Float => Ok(self.float_lanes(data.op, ty, args[0])),
            _ => Ok(self.integer_lanes(data, ty, args)),
        }
    }
}
