//! Writing what goes on from round to round, and what is made of it.

use brolga_ir::body::Body;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::IncomingEdges;
use brolga_ir::observe::RemarkKind;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

use super::plan::{Carrier, Item, Plan, Steady};
use crate::analysis::ScalarEvolution;
use crate::loops::expansion::{Available, Expansion};
use crate::loops::form::after_marks;
use crate::pass::{Editor, PassContext, Renames, remove_unused, retain_params};

/// What was written so far. Names change at the end: till then, code says what it did.
pub(super) struct Writer<'a, 'm> {
    editor: Editor<'a, 'm>,
    evolution: &'a mut ScalarEvolution,
    available: &'a Available,
    dominators: &'a Dominators,
    renames: Renames,
    /// What the headers began with.
    starts: FxHashMap<Block, Inst>,
    /// Powers of two times carriers, and sums of bases and such, that stand there.
    multiples: FxHashMap<(Value, u32), Value>,
    addresses: FxHashMap<(Value, Value), Value>,
    /// What may be needed no more.
    idle: Vec<Inst>,
    dropped: Vec<(Block, Value)>,
}

impl<'a, 'm> Writer<'a, 'm> {
    pub(super) fn new(
        body: &'a mut Body,
        context: &'a mut PassContext<'m>,
        evolution: &'a mut ScalarEvolution,
        available: &'a Available,
        dominators: &'a Dominators,
    ) -> Writer<'a, 'm> {
        Writer {
            editor: Editor::new(body, context),
            evolution,
            available,
            dominators,
            renames: Renames::default(),
            starts: FxHashMap::default(),
            multiples: FxHashMap::default(),
            addresses: FxHashMap::default(),
            idle: Vec::new(),
            dropped: Vec::new(),
        }
    }

    /// Writes one plan; nothing if it asks for what cannot be computed.
    pub(super) fn write(&mut self, plan: &Plan) -> Option<()> {
        let shape = &plan.shape;
        let mut bases: FxHashMap<Steady, Value> = FxHashMap::default();
        for item in &plan.items {
            if let Some(base) = item.base.filter(|base| !bases.contains_key(base)) {
                let number = self.number_of(item.moving.ty);
                let value = self.steady(plan, base, number)?;
                bases.insert(base, value);
            }
        }
        let carrier = match plan.carrier {
            Carrier::Known(param) => param,
            Carrier::New(ty, start, step) => {
                let number = self.number_of(ty);
                let start = self.steady(plan, start, number)?;
                let step = self.steady(plan, Steady::Number(step), number)?;
                let param = self.editor.body.append_param(shape.header, ty);
                self.editor.body.push_target_arg(shape.entering, 0, start);
                self.editor.stand_before(shape.back.0);
                let next = self.sum(ty, param, step);
                self.editor.body.push_target_arg(shape.back.0, shape.back.1, next);
                param
            }
        };
        for item in &plan.items {
            let base = item.base.and_then(|base| bases.get(&base).copied());
            let value = self.made(plan, item, carrier, base)?;
            self.renames.rename(item.moving.value, value);
        }
        self.idle.extend(&plan.saved.order);
        self.dropped.extend(plan.dropped.map(|param| (shape.header, param)));
        self.tell(plan);
        Some(())
    }

    fn tell(&mut self, plan: &Plan) {
        let what = match plan.dropped {
            Some(_) => "a pointer follows from the counter of the loop",
            None => "a product is a sum from round to round",
        };
        self.editor.context.remark(plan.shape.entering, RemarkKind::Applied, what);
        let (header, count) = (plan.shape.header, plan.items.len());
        let text = format_args!("{header}: {:?} makes {count} values", plan.carrier);
        self.editor.context.trace(text);
    }

    /// What stays the same all through the loop, computed before it.
    fn steady(&mut self, plan: &Plan, what: Steady, ty: Type) -> Option<Value> {
        self.editor.stand_before(plan.shape.entering);
        let mut expansion = Expansion {
            evolution: self.evolution,
            available: self.available,
            dominators: self.dominators,
            block: plan.shape.preheader,
        };
        match what {
            Steady::Number(number) => expansion.write(&mut self.editor, number, ty),
            Steady::Address(root, number) => {
                if expansion.evolution.as_constant(number) == Some(0) {
                    return Some(root);
                }
                let number = expansion.write(&mut self.editor, number, ty)?;
                Some(self.sum(Type::PTR, root, number))
            }
        }
    }

    fn sum(&mut self, ty: Type, one: Value, number: Value) -> Value {
        match ty == Type::PTR {
            true => self.editor.op(Op::PtrAdd, Type::NONE, &[one, number]),
            false => self.editor.op(Op::Add, ty, &[one, number]),
        }
    }

    /// An item, computed where it was: what accesses do themselves, once for all.
    fn made(
        &mut self,
        plan: &Plan,
        item: &Item,
        carrier: Value,
        base: Option<Value>,
    ) -> Option<Value> {
        let start = self.start_of(plan.shape.header)?;
        let place = item.moving.inst.unwrap_or(start);
        let ty = item.moving.ty;
        let (is_address, number) = (ty == Type::PTR, self.number_of(ty));
        self.editor.stand_before(if is_address { start } else { place });
        let multiple = self.multiple(number, carrier, item.form.scale, is_address);
        let part = match base {
            Some(base) if is_address => self.address(base, multiple),
            Some(base) => self.sum(ty, multiple, base),
            None => multiple,
        };
        if item.form.more == 0 {
            return Some(part);
        }
        self.editor.stand_before(place);
        let more = self.editor.constant(number, item.form.more as u128);
        Some(self.sum(ty, part, more))
    }

    /// The type of what is added to a value.
    fn number_of(&self, ty: Type) -> Type {
        if ty == Type::PTR { Type::I64 } else { ty }
    }

    /// A power of two times a carrier; one that stands where a header begins is kept.
    fn multiple(&mut self, ty: Type, carrier: Value, scale: u32, is_kept: bool) -> Value {
        let known = self.multiples.get(&(carrier, scale)).copied();
        match known {
            _ if scale == 0 => carrier,
            Some(known) => known,
            None => {
                let by = self.editor.constant(ty, scale.into());
                let value = self.editor.op(Op::Shl, ty, &[carrier, by]);
                if is_kept {
                    self.multiples.insert((carrier, scale), value);
                }
                value
            }
        }
    }

    /// The sum of what stays the same and what goes on, where a header begins; of a pointer
    /// that goes on, the former is the number.
    fn address(&mut self, base: Value, multiple: Value) -> Value {
        if let Some(&known) = self.addresses.get(&(base, multiple)) {
            return known;
        }
        let value = match self.editor.body.value_type(base) == Type::PTR {
            true => self.sum(Type::PTR, base, multiple),
            false => self.sum(Type::PTR, multiple, base),
        };
        self.addresses.insert((base, multiple), value);
        value
    }

    /// The first instruction that a header had behind its marks.
    fn start_of(&mut self, header: Block) -> Option<Inst> {
        if let Some(&known) = self.starts.get(&header) {
            return Some(known);
        }
        let start = after_marks(self.editor.body, header)?;
        self.starts.insert(header, start);
        Some(start)
    }

    /// Gives all their new names, and takes out what nobody wants any more.
    pub(super) fn finish(mut self) {
        let body = self.editor.body;
        self.renames.apply(body);
        let edges = IncomingEdges::new(body);
        for &(header, gone) in &self.dropped {
            retain_params(body, header, edges.of(header), |param| param != gone);
        }
        remove_unused(body, self.editor.context.module, &self.idle);
    }
}
