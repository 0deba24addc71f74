//! What goes on by the same from round to round of a loop.

use std::ops::RangeInclusive;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::{Edge, FlowGraph};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

use crate::analysis::scalar_evolution::{Expr, Kind};
use crate::analysis::value_facts::sign_extended;
use crate::analysis::{Loop, Loops, ScalarEvolution};
use crate::loops::form::{back_edge, preheader_jump};

/// Where a loop is entered, and where it goes back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) of: Loop,
    pub(super) header: Block,
    pub(super) preheader: Block,
    /// The jump that ends the preheader.
    pub(super) entering: Inst,
    /// What leads back, and by which target.
    pub(super) back: (Inst, usize),
}

impl Shape {
    pub(super) fn of(body: &Body, graph: &FlowGraph, loops: &Loops, of: Loop) -> Option<Shape> {
        let header = loops.get(of).filter(|_| loops.is_reducible(of))?.header;
        let Edge { inst, index } = back_edge(body, loops, of)?;
        let entering = preheader_jump(body, graph, loops, of)?;
        let preheader = body.layout.block_of(entering)?;
        Some(Shape { of, header, preheader, entering, back: (inst, index as usize) })
    }

    /// What a parameter of the header is given by the round before.
    pub(super) fn handed(&self, body: &Body, param: Value) -> Option<Value> {
        let ValueDef::Param(_, index) = body.value_def(param) else { return None };
        let target = body.targets(self.back.0).get(self.back.1)?;
        body.target_args(target).get(index as usize).copied()
    }
}

/// What those have in common of which one is a power of two times the other, but for what is
/// the same all through the loop.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Family {
    pub(super) width: u32,
    /// What the steps are multiples of; none of constants.
    unit: Option<Expr>,
    odd: i128,
}

/// A number or address that is a recurrence of the loop with the same step in all rounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) value: Value,
    /// What computes it; none of a parameter of the header.
    pub(super) inst: Option<Inst>,
    pub(super) block: Block,
    pub(super) ty: Type,
    pub(super) start: Expr,
    pub(super) step: Expr,
    pub(super) family: Family,
    /// Which power of two its step is, times that of the family.
    pub(super) level: u32,
}

impl Moving {
    fn of(
        body: &Body,
        evolution: &ScalarEvolution,
        of: Loop,
        value: Value,
        block: Block,
    ) -> Option<Moving> {
        let ty = body.value_type(value);
        if !matches!(ty, Type::I32 | Type::I64 | Type::PTR) {
            return None;
        }
        let expr = evolution.of(value)?;
        let line = evolution.as_affine(expr, of)?;
        let inst = match body.value_def(value) {
            ValueDef::Result(inst, _) => Some(inst),
            _ => None,
        };
        let (family, level) = family(evolution, line.step);
        let (start, step) = (line.start, line.step);
        Some(Moving { value, inst, block, ty, start, step, family, level })
    }

    pub(super) fn is_address(&self) -> bool {
        self.ty == Type::PTR
    }
}

/// The family of a step, and which power of two it is.
fn family(evolution: &ScalarEvolution, step: Expr) -> (Family, u32) {
    let width = evolution.width(step);
    let (unit, factor) = match evolution.kind(step) {
        Kind::Constant(bits) => (None, *bits),
        Kind::Sum(0, terms) if terms.len() == 1 => (Some(terms[0].0), terms[0].1),
        _ => (Some(step), 1),
    };
    let factor = sign_extended(width, factor);
    let level = factor.trailing_zeros().min(width);
    (Family { width, unit, odd: factor >> level }, level)
}

/// What moves in a loop, in the order of its blocks.
pub(super) struct Rounds {
    pub(super) shape: Shape,
    pub(super) moving: Vec<Moving>,
    numbers: FxHashMap<Value, usize>,
    /// The first parameter of each family and level that is a number.
    params: FxHashMap<(Family, u32), usize>,
    handed: FxHashMap<Value, Handed>,
}

/// What the end of a round does with a value.
#[derive(Clone, Copy, Default)]
struct Handed {
    /// How often it uses it.
    uses: u32,
    /// To how many parameters of the header it hands it on, and to how many that move.
    params: u32,
    moving: u32,
}

impl Rounds {
    pub(super) fn new(
        body: &Body,
        loops: &Loops,
        evolution: &ScalarEvolution,
        shape: Shape,
    ) -> Rounds {
        let mut rounds = Rounds {
            shape,
            moving: Vec::new(),
            numbers: FxHashMap::default(),
            params: FxHashMap::default(),
            handed: FxHashMap::default(),
        };
        let of = shape.of;
        for &param in body.params(shape.header) {
            rounds.add(Moving::of(body, evolution, of, param, shape.header));
        }
        for &block in loops.blocks(of) {
            for inst in body.layout.insts(block).filter(|&inst| computes(body, inst)) {
                let result = body.result(inst);
                rounds.add(result.and_then(|value| Moving::of(body, evolution, of, value, block)));
            }
        }
        rounds.note_handed(body);
        rounds
    }

    fn note_handed(&mut self, body: &Body) {
        for used in body.uses(self.shape.back.0) {
            self.handed.entry(used).or_default().uses += 1;
        }
        for &param in body.params(self.shape.header) {
            let is_moving = self.numbers.contains_key(&param);
            if let Some(handed) = self.shape.handed(body, param) {
                let handed = self.handed.entry(handed).or_default();
                handed.params += 1;
                handed.moving += u32::from(is_moving);
            }
        }
    }

    fn add(&mut self, moving: Option<Moving>) {
        if let Some(moving) = moving {
            let number = self.moving.len();
            self.numbers.insert(moving.value, number);
            if moving.inst.is_none() && !moving.is_address() {
                self.params.entry((moving.family, moving.level)).or_insert(number);
            }
            self.moving.push(moving);
        }
    }

    /// The first number among the parameters of the header that is of a family, at one of those
    /// levels.
    pub(super) fn param_of(&self, family: Family, levels: RangeInclusive<u32>) -> Option<&Moving> {
        let first = levels.filter_map(|level| self.params.get(&(family, level))).min()?;
        Some(&self.moving[*first])
    }

    pub(super) fn get(&self, value: Value) -> Option<&Moving> {
        self.numbers.get(&value).map(|&number| &self.moving[number])
    }

    /// What an instruction computes that moves.
    pub(super) fn made_by(&self, body: &Body, inst: Inst) -> Option<&Moving> {
        self.get(body.result(inst)?)
    }

    /// Whether a value is what a parameter of the header goes on with.
    pub(super) fn is_handed(&self, value: Value) -> bool {
        self.handed.get(&value).is_some_and(|handed| handed.params > 0)
    }

    /// Whether all that the end of a round does with a value is to hand it on to one parameter.
    pub(super) fn is_handed_once(&self, value: Value) -> bool {
        self.handed.get(&value).is_some_and(|handed| (handed.uses, handed.params) == (1, 1))
    }

    /// Whether all that an instruction does with a value is to compute what moves, or to hand
    /// it on to a round as such.
    pub(super) fn keeps_moving(&self, body: &Body, inst: Inst, value: Value) -> bool {
        match inst == self.shape.back.0 {
            true => self.handed.get(&value).is_none_or(|handed| handed.uses == handed.moving),
            false => self.made_by(body, inst).is_some(),
        }
    }
}

/// Whether an instruction does nothing but compute a number or an address.
fn computes(body: &Body, inst: Inst) -> bool {
    let op: Op = body.inst(inst).op;
    ScalarEvolution::sees_through(op) && op.info().effects.is_empty()
}
