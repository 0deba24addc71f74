//! Copies of which one side or both become values.

use brolga_ir::attribute::AccessFlags;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::accesses::Range;
use super::addresses::Place;
use super::partition::{Side, passed_type};
use super::rewrite::Rewriter;
use crate::pass::bytes::extract;

/// Some bytes of a copy.
#[derive(Clone, Copy, Debug)]
struct Cut {
    range: Range,
    to: Option<Side>,
    from: Option<Side>,
}

impl Rewriter<'_, '_> {
    /// Replaces a copy to and from these places by what it does to values, and
    /// by copies of the rest.
    pub(super) fn copy(&mut self, inst: Inst, [to, from]: [Option<Place>; 2], size: u32) {
        let plan = self.found.plan;
        let cut = |range| Cut { range, to: plan.side(to, range), from: plan.side(from, range) };
        let cuts: Vec<Cut> = plan.cuts(to, from, size).into_iter().map(cut).collect();
        let vanishes = to.is_some_and(|to| plan.vanishes(to.slot));
        if !vanishes && cuts.iter().all(|cut| cut.to.is_none() && cut.from.is_none()) {
            return;
        }
        // All is read before anything is written.
        let values: Vec<Option<Value>> = cuts.iter().map(|cut| self.read_cut(inst, cut)).collect();
        for (cut, value) in cuts.iter().zip(&values) {
            let Some(value) = *value else { continue };
            match cut.to {
                Some(side) => {
                    let number = self.found.plan.number(side.slot, side.index);
                    let offset = u64::from(side.range.start - side.part.range.start);
                    let changed = self.changed(number, offset, value);
                    self.set(number, changed);
                }
                None if vanishes => {}
                None => self.write_cut(inst, cut, value),
            }
        }
        if !vanishes {
            self.copy_rest(inst, &cuts);
        }
        self.editor.body.remove_inst(inst);
    }

    /// The bytes of a cut as a value, if one of the sides is one.
    fn read_cut(&mut self, inst: Inst, cut: &Cut) -> Option<Value> {
        let ty = passed_type(&[cut.to, cut.from])?;
        if let Some(side) = cut.from {
            let whole = self.get(self.found.plan.number(side.slot, side.index))?;
            let offset = u64::from(side.range.start - side.part.range.start);
            return Some(extract(&mut self.editor, whole, offset, ty));
        }
        let side = cut.to?;
        if !self.found.extents.is_read(self.found.plan.number(side.slot, side.index)) {
            return None;
        }
        let address = self.editor.body.args(inst)[1];
        let payload = Payload::Access(self.access_at(inst, cut.range.start));
        Some(self.editor.op_with(Op::Load, ty, &[address], payload))
    }

    fn write_cut(&mut self, inst: Inst, cut: &Cut, value: Value) {
        let address = self.editor.body.args(inst)[0];
        let payload = Payload::Access(self.access_at(inst, cut.range.start));
        let ty = self.editor.body.value_type(value);
        self.editor.op_without_result(Op::Store, ty, &[value, address], payload);
    }

    /// What an access so many bytes behind the addresses of a copy may promise.
    fn access_at(&self, inst: Inst, offset: u32) -> Access {
        let access = self.editor.body.inst(inst).access().copied().unwrap_or_default();
        let align_log2 = match offset {
            0 => access.align_log2,
            _ => access.align_log2.min(offset.trailing_zeros() as u8),
        };
        let flags = access.flags & AccessFlags::NON_TEMPORAL;
        Access { offset: offset as i32, align_log2, flags, ..access }
    }

    /// Copies what is in memory on both sides, neighbours together.
    fn copy_rest(&mut self, inst: Inst, cuts: &[Cut]) {
        let mut rest: Vec<Range> = Vec::new();
        for cut in cuts.iter().filter(|cut| cut.to.is_none() && cut.from.is_none()) {
            match rest.last_mut() {
                Some(last) if last.end == cut.range.start => last.end = cut.range.end,
                _ => rest.push(cut.range),
            }
        }
        for range in rest {
            let args: [Value; 2] = [self.editor.body.args(inst)[0], self.editor.body.args(inst)[1]];
            let [to, from] = args.map(|base| self.behind(base, range.start));
            let size = self.editor.constant(Type::I64, (range.end - range.start).into());
            let access = Access { offset: 0, ..self.access_at(inst, range.start) };
            let payload = Payload::Access(access);
            self.editor.op_without_result(Op::MemCopy, Type::NONE, &[to, from, size], payload);
        }
    }

    fn behind(&mut self, base: Value, offset: u32) -> Value {
        if offset == 0 {
            return base;
        }
        let offset = self.editor.constant(Type::I64, offset.into());
        self.editor.op(Op::PtrAdd, Type::NONE, &[base, offset])
    }
}
