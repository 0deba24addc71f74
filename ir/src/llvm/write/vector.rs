//! Vectors.

use super::code::FunctionWriter;
use super::constant::scalar_constant;
use super::float::{Extreme, computed_in};
use super::types::{Shape, scalar_suffix, scalar_text};
use crate::entity::Inst;
use crate::instruction::{Payload, ZERO_LANE};
use crate::trap::TrapCode;
use crate::types::Scalar;

impl FunctionWriter<'_, '_> {
    pub(super) fn write_splat(&mut self, inst: Inst) {
        let ty = self.data(inst).ty;
        let (text, lane) = (self.type_text(ty), self.typed_arg(inst, 0));
        if ty.lanes() == 1 {
            return self.give_operand(inst, &lane.text);
        }
        let one = self.temporary(format_args!("insertelement {text} poison, {lane}, i64 0"));
        let places = Shape::from_type(ty).of("i32");
        self.give(
            inst,
            format_args!("shufflevector {text} {one}, {text} poison, {places} zeroinitializer"),
        );
    }

    pub(super) fn write_make_vector(&mut self, inst: Inst) {
        if self.data(inst).ty.lanes() == 1 {
            let lane = self.arg(inst, 0);
            return self.give_operand(inst, &lane);
        }
        let text = self.type_text(self.data(inst).ty);
        self.write_parts(inst, "insertelement", &text, "i64 ");
    }

    /// A vector or an aggregate of the operands, put in one after the other.
    pub(super) fn write_parts(&mut self, inst: Inst, name: &str, text: &str, place: &str) {
        let Some((&last, first)) = self.body.args(inst).split_last() else {
            return self.give_operand(inst, "zeroinitializer");
        };
        let mut whole = "poison".to_owned();
        for (index, &part) in first.iter().enumerate() {
            let part = self.typed(part);
            whole = self.temporary(format_args!("{name} {text} {whole}, {part}, {place}{index}"));
        }
        let (index, last) = (first.len(), self.typed(last));
        self.give(inst, format_args!("{name} {text} {whole}, {last}, {place}{index}"));
    }

    /// Goes on only if the vector has a lane of the index that an operand says.
    fn require_lane(&mut self, inst: Inst, index: usize) -> String {
        let lanes = self.data(inst).ty.lanes();
        let text = self.arg(inst, index);
        let known = self.body.args(inst).get(index).copied();
        let known = known.and_then(|value| self.body.as_scalar_constant(value));
        if known.is_none_or(|lane| lane >= lanes.into()) {
            let fits = self.temporary(format_args!("icmp ult i64 {text}, {lanes}"));
            self.require(&fits, TrapCode::Bounds.number());
        }
        text
    }

    pub(super) fn write_extract_lane(&mut self, inst: Inst) {
        let (index, vector) = (self.require_lane(inst, 1), self.typed_arg(inst, 0));
        match self.data(inst).ty.lanes() {
            1 => self.give_operand(inst, &vector.text),
            _ => self.give(inst, format_args!("extractelement {vector}, i64 {index}")),
        }
    }

    pub(super) fn write_insert_lane(&mut self, inst: Inst) {
        let index = self.require_lane(inst, 2);
        let (vector, lane) = (self.typed_arg(inst, 0), self.typed_arg(inst, 1));
        match self.data(inst).ty.lanes() {
            1 => self.give_operand(inst, &lane.text),
            _ => self.give(inst, format_args!("insertelement {vector}, {lane}, i64 {index}")),
        }
    }

    pub(super) fn write_shuffle(&mut self, inst: Inst) {
        let body = self.body;
        let Payload::Immediates(list) = body.inst(inst).payload else { return };
        let lanes = body.immediates(list);
        let operand = self.arg_type(inst, 0);
        match (lanes, operand.lanes()) {
            (&[lane], _) => self.shuffle_to_lane(inst, lane),
            (_, 1) => self.shuffle_from_lanes(inst, lanes),
            _ => self.shuffle_vectors(inst, lanes),
        }
    }

    /// One lane of two vectors.
    fn shuffle_to_lane(&mut self, inst: Inst, lane: u32) {
        let own = self.arg_type(inst, 0).lanes();
        if lane == ZERO_LANE {
            let zero = self.data(inst).ty.lane().map(|lane| scalar_constant(lane, 0));
            return self.give_operand(inst, &zero.unwrap_or_default());
        }
        let vector = self.typed_arg(inst, (lane / own) as usize);
        match own {
            1 => self.give_operand(inst, &vector.text),
            _ => self.give(inst, format_args!("extractelement {vector}, i64 {}", lane % own)),
        }
    }

    /// A vector of lanes that are no vectors themselves.
    fn shuffle_from_lanes(&mut self, inst: Inst, lanes: &[u32]) {
        let text = self.type_text(self.data(inst).ty);
        let operands = [0, 1].map(|index| self.typed_arg(inst, index));
        let mut whole = "zeroinitializer".to_owned();
        for (index, lane) in lanes.iter().enumerate() {
            if let Some(lane) = operands.get(*lane as usize) {
                whole = self
                    .temporary(format_args!("insertelement {text} {whole}, {lane}, i64 {index}"));
            }
        }
        self.give_operand(inst, &whole);
    }

    /// Lanes that are zero come of no operand.
    fn shuffle_vectors(&mut self, inst: Inst, lanes: &[u32]) {
        let ty = self.data(inst).ty;
        let (text, shape) = (self.type_text(ty), Shape::from_type(ty));
        let (a, b) = (self.typed_arg(inst, 0), self.typed_arg(inst, 1));
        let places: Vec<String> = lanes
            .iter()
            .map(|&lane| match lane {
                ZERO_LANE => "i32 poison".to_owned(),
                lane => format!("i32 {lane}"),
            })
            .collect();
        let shuffle =
            format!("shufflevector {a}, {b}, {} <{}>", shape.of("i32"), places.join(", "));
        if !lanes.contains(&ZERO_LANE) {
            return self.give(inst, format_args!("{shuffle}"));
        }
        let shuffled = self.temporary(format_args!("{shuffle}"));
        let mask: Vec<String> =
            lanes.iter().map(|&lane| format!("i1 {}", lane != ZERO_LANE)).collect();
        let (mask_text, mask) = (shape.of("i1"), mask.join(", "));
        self.give(
            inst,
            format_args!("select {mask_text} <{mask}>, {text} {shuffled}, {text} zeroinitializer"),
        );
    }

    /// The name of a reduction of the vector that is the operand of that index.
    fn reduction(&self, inst: Inst, name: &str, index: usize) -> String {
        let ty = self.arg_type(inst, index);
        let suffix = Shape::from_type(ty).suffix(ty.lane().map_or("i64", scalar_suffix));
        format!("llvm.vector.reduce.{name}.{suffix}")
    }

    pub(super) fn write_reduce(&mut self, inst: Inst, name: &str) {
        if self.arg_type(inst, 0).lanes() == 1 {
            let lane = self.arg(inst, 0);
            return self.give_operand(inst, &lane);
        }
        let (vector, lane) = (self.typed_arg(inst, 0), self.type_text(self.data(inst).ty));
        let name = self.reduction(inst, name, 0);
        let call = self.intrinsic(&name, &lane, &[vector.pair()]);
        self.give(inst, format_args!("{call}"));
    }

    /// A sum or product of floats. It is in order unless it may be in any;
    /// floats of 16 bits are rounded after each step, which back ends do not do.
    pub(super) fn write_reduce_float(&mut self, inst: Inst, name: &str) {
        let (start, vector) = (self.typed_arg(inst, 0), self.typed_arg(inst, 1));
        let permissions = self.permissions(inst);
        let lane = self.data(inst).ty.as_scalar().unwrap_or(Scalar::F64);
        let is_one = self.arg_type(inst, 1).lanes() == 1;
        if is_one || matches!(lane, Scalar::F16 | Scalar::Bf16) {
            return self.fold_lanes(inst, Some(start.text), 1, |writer, a, b| {
                let (a, b) =
                    (writer.open(Shape::SCALAR, lane, a), writer.open(Shape::SCALAR, lane, b));
                let text = scalar_text(computed_in(lane));
                let result = writer.temporary(format_args!("{name} {permissions}{text} {a}, {b}"));
                writer.close(Shape::SCALAR, lane, &result)
            });
        }
        let name = self.reduction(inst, name, 1);
        let call = self.intrinsic(&name, &start.ty, &[start.pair(), vector.pair()]);
        let call = call.replacen("call ", &format!("call {permissions}"), 1);
        self.give(inst, format_args!("{call}"));
    }

    pub(super) fn write_reduce_extreme(&mut self, inst: Inst, which: Extreme) {
        let lane = self.data(inst).ty.as_scalar().unwrap_or(Scalar::F64);
        self.fold_lanes(inst, None, 0, |writer, a, b| {
            writer.extreme(which, Shape::SCALAR, lane, a, b)
        });
    }

    /// All lanes of the operand of that index, one after the other.
    fn fold_lanes(
        &mut self,
        inst: Inst,
        start: Option<String>,
        index: usize,
        step: impl Fn(&mut Self, &str, &str) -> String,
    ) {
        let vector = self.typed_arg(inst, index);
        let mut result = start;
        let lanes = self.arg_type(inst, index).lanes();
        for lane in 0..lanes {
            let next = match lanes {
                1 => vector.text.clone(),
                _ => self.temporary(format_args!("extractelement {vector}, i64 {lane}")),
            };
            result = Some(match result {
                None => next,
                Some(before) => step(self, &before, &next),
            });
        }
        self.give_operand(inst, &result.unwrap_or_default());
    }
}
