//! Going on in the middle of a function that runs already, with better code.
//!
//! A function is in a loop, in code whose frame has a home for every value. What is left of it,
//! from the start of a block on, is a function of its own: it takes the address of that frame,
//! reads there what is live at the block, and gives what the function would have given. The frame
//! stays below it meanwhile, as addresses of its slots may be anywhere.
//!
//! Before, with the frame `%x` at -8, `%i` at -16:
//! ```text
//! func @f(i64) -> i64 {
//! block0(%x: i64):
//!     jump block1(0)
//! block1(%i: i64):
//!     %y = mul.i64 %x, %i
//!     %more = icmp.i64 slt %y, 1000
//!     %next = add.i64 %i, 1
//!     branch %more, block1(%next), block2
//! block2:
//!     return %i
//! }
//! ```
//! After, from `block1` on:
//! ```text
//! func @"f from block1"(ptr) -> i64 {
//! block3(%0: ptr):
//!     %1 = load.i64 %0-8
//!     %2 = load.i64 %0-16
//!     jump block1(%2)
//! block1(%i: i64):
//!     %y = mul.i64 %1, %i
//!     …
//! ```
//! What is left of the rounds that loops around that one are in stands in copies of these, so that
//! the loops themselves are entered at their headers (`rounds`). Where they are too large for that,
//! both are entered at a block before the one: they stay two loops, with a header each.
//!
//! Such a continuation is what Fink and Qian, "Design, implementation and evaluation of adaptive
//! recompilation with on-stack replacement" (CGO 2003) specialise a method to.
//!
//! Does not try: slots that are read both by their address, which others may have, and by
//! checked offsets; values that no word or vector of the frame holds; so many values of rounds
//! around that to find where they meet takes long.

mod rounds;

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntityRef, FuncId, Inst, SecondaryMap, Slot, Value};
use brolga_ir::flow::{Edge, FlowGraph, IncomingEdges};
use brolga_ir::instruction::{Access, InstData, Payload};
use brolga_ir::module::{Attributes, Linkage, Module};
use brolga_ir::op::{Op, TypeClass};
use brolga_ir::types::{Aggregate, Arity, Convention, Param, Scalar, Signature, Type, TypePool};
use rustc_hash::FxHashMap;

use crate::analysis::addresses::Base;
use crate::analysis::escape::Escapes;
use crate::analysis::liveness::Liveness;
use crate::legal_form::leaf_types;
use crate::pass::variables::Variables;
use crate::pass::{drop_stale_marks, join_edges, remove_unreachable_blocks};
use rounds::Rounds;

/// Values that are defined anew times blocks, at most: each may meet in each, and what cannot go
/// over goes on as it is.
const MOST_CARRIED: usize = 1 << 19;

/// Where the frame of a function has everything, from the frame pointer, on the way back to any
/// block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameMap {
    /// Values, each with its home, which holds it from its definition on.
    pub values: Vec<(Value, i32)>,
    /// Values that were taken apart, each with what is known of its leaves, in their order.
    pub split: Vec<(Value, Vec<Leaf>)>,
    /// Slots in their order: each starts at the first multiple of the second number that is not
    /// below the place.
    pub slots: Vec<(i32, u32)>,
}

/// A leaf of a value that was taken apart: a scalar, a vector or a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// It has a home.
    Home(i32),
    /// It is the same always.
    Constant(Constant),
    /// Nobody uses it.
    Unused,
}

/// Adds what is left of a function from the start of a block on, as a function of the module that
/// takes the address of a frame. Nothing, if that cannot be told from the frame.
pub fn continuation(
    module: &mut Module,
    function: FuncId,
    block: Block,
    frame: &FrameMap,
) -> Option<FuncId> {
    let original = module.function(function)?;
    let body = original.body.as_deref()?.clone();
    let name = format!("{} from {block}", original.name);
    let attributes = Attributes {
        opt_level: original.attributes.opt_level,
        targets: original.attributes.targets.clone(),
        ..Attributes::default()
    };
    let results = module.signature_of(function).results.clone();
    let signature = Signature {
        convention: Convention::Internal,
        params: vec![Param::from(Type::PTR)],
        results,
        arity: Arity::Fixed,
    };
    let body = Departure::of(body, block, frame, &module.types)?.depart()?;
    let sig = module.types.signature(signature).ok()?;
    let id = module.declare_function(&name, sig, Linkage::Local).ok()?;
    let added = module.function_mut(id)?;
    added.attributes = attributes;
    added.body = Some(Box::new(body));
    Some(id)
}

/// A body that is left at the start of a block.
struct Departure<'a> {
    body: Body,
    block: Block,
    frame: &'a FrameMap,
    types: &'a TypePool,
    homes: SecondaryMap<Value, Option<i32>>,
    split: FxHashMap<Value, &'a [Leaf]>,
    /// The values that what is left uses and does not define on every way to the use, in
    /// ascending order.
    needed: Vec<Value>,
    dominators: Dominators,
    rounds: Rounds,
    /// Blocks that the block leads to, itself among them.
    left: SecondaryMap<Block, bool>,
    /// The block that is entered.
    entry: Block,
    /// The address of the frame.
    base: Value,
}

/// What becomes of a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// Nobody has its address: its bytes are copied.
    Copied,
    /// It stays where it is.
    Shared,
}

impl<'a> Departure<'a> {
    fn of(
        mut body: Body,
        block: Block,
        frame: &'a FrameMap,
        types: &'a TypePool,
    ) -> Option<Departure<'a>> {
        let first = body.layout.entry()?;
        let graph = FlowGraph::new(&body);
        if !graph.is_reachable(block) {
            return None;
        }
        let mut left = SecondaryMap::new();
        let mut pending = vec![block];
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut left[block], true) {
                pending.extend(graph.successors(block));
            }
        }
        let dominators = Dominators::new(&graph);
        let rounds = Rounds::around(&body, &graph, &dominators, block);
        let needed = Liveness::new(&body, &graph).live_in(block).to_vec();
        let mut homes = SecondaryMap::new();
        frame.values.iter().for_each(|&(value, home)| homes[value] = Some(home));
        let split = frame.split.iter().map(|(value, leaves)| (*value, &**leaves)).collect();
        let entry = body.make_block();
        let base = body.append_param(entry, Type::PTR);
        body.layout.insert_block_after(entry, first);
        body.layout.remove_block(first);
        body.layout.insert_block_after(first, entry);
        Some(Departure {
            body,
            block,
            frame,
            types,
            homes,
            split,
            needed,
            dominators,
            rounds,
            left,
            entry,
            base,
        })
    }

    fn depart(mut self) -> Option<Body> {
        let fates = self.fates();
        let slots = self.place_slots(&fates)?;
        let mut replaced: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
        let mut carried = Vec::new();
        for value in std::mem::take(&mut self.needed) {
            let found = match self.slot_of(value) {
                Some(slot) => slots.get(slot.index()).copied()?,
                None => self.read(value)?,
            };
            match self.body.defining_block(value) {
                // It is defined anew where the function comes by there again.
                Some(home) if self.left[home] => carried.push((value, found)),
                _ => replaced[value] = Some(found),
            }
        }
        let params = self.body.params(self.block).to_vec();
        let given = params.into_iter().map(|param| self.read_param(param));
        let given: Vec<Value> = given.collect::<Option<_>>()?;
        let target = self.body.target(self.block, &given);
        let jump = self.append(Op::Jump, Type::NONE, &[], Payload::Jump(target));
        self.move_slots(&fates, &slots)?;
        let defined = self.rounds.values(&self.body);
        let entered = self.rounds.copy(&mut self.body, self.block, self.entry);
        self.body.targets_mut(jump).iter_mut().for_each(|target| target.block = entered);
        self.enter_apart();
        remove_unreachable_blocks(&mut self.body);
        // A loop around that is entered at another block has a header less.
        drop_stale_marks(&mut self.body);
        self.rename(|value| replaced[value].unwrap_or(value));
        let count = carried.len() + defined.len();
        if count.saturating_mul(self.body.layout.blocks().count()) > MOST_CARRIED {
            return None;
        }
        self.carry(&carried, defined);
        Some(self.body)
    }

    /// Leads what does not come from the block's own loop there through a block before it: a loop
    /// around that one is entered there as well, and both would be one with one header.
    fn enter_apart(&mut self) {
        let edges = IncomingEdges::new(&self.body);
        let is_from_around = |edge: &Edge| {
            let from = self.body.layout.block_of(edge.inst);
            let is_there = |from: Block| from == self.entry || self.left[from];
            from.is_some_and(|from| is_there(from) && !self.dominators.dominates(self.block, from))
        };
        let around = edges.of(self.block).iter().copied().filter(is_from_around);
        let around: Vec<Edge> = around.collect();
        if around.len() > 1 {
            join_edges(&mut self.body, self.block, &around, self.entry);
        }
    }

    fn append(&mut self, op: Op, ty: Type, args: &[Value], payload: Payload) -> Inst {
        let args = self.body.list(args);
        let results: &[Type] = match op {
            Op::Jump | Op::MemCopy | Op::MemFill => &[],
            Op::SlotAddr | Op::PtrAdd => &[Type::PTR],
            Op::PtrToInt => &[Type::I64],
            _ => &[ty],
        };
        self.body.append_inst(self.entry, InstData::new(op, ty, args, payload), results)
    }

    fn value(&mut self, op: Op, ty: Type, args: &[Value], payload: Payload) -> Option<Value> {
        let inst = self.append(op, ty, args, payload);
        self.body.result(inst)
    }

    fn integer(&mut self, value: i64) -> Option<Value> {
        Some(self.body.constant(Constant::scalar(Type::I64, u128::from(value.cast_unsigned()))?))
    }

    /// The slot whose address a value is.
    fn slot_of(&self, value: Value) -> Option<Slot> {
        let ValueDef::Result(inst, _) = self.body.value_def(value) else { return None };
        match self.body.inst(inst) {
            InstData { op: Op::SlotAddr, payload: Payload::Slot(slot), .. } => Some(*slot),
            _ => None,
        }
    }

    /// Which slots can be copied: nobody else has their address, and neither has a value that
    /// the frame holds.
    fn fates(&self) -> Vec<Fate> {
        let body = &self.body;
        let escapes = Escapes::new(body);
        let mut fates: Vec<Fate> = (0..body.slots().len())
            .map(|index| match escapes.slot_escapes(Slot::new(index)) {
                true => Fate::Shared,
                false => Fate::Copied,
            })
            .collect();
        let held = self.needed.iter().chain(body.params(self.block));
        for &value in held.filter(|&&value| self.slot_of(value).is_none()) {
            match escapes.bases().of(value) {
                Base::Slot(slot) => {
                    fates.get_mut(slot.index()).into_iter().for_each(|it| *it = Fate::Shared);
                }
                Base::Unknown => fates.fill(Fate::Shared),
                _ => {}
            }
        }
        fates
    }

    /// The addresses of the slots, with the bytes of those that are copied.
    fn place_slots(&mut self, fates: &[Fate]) -> Option<Vec<Value>> {
        let mut placed = Vec::new();
        for (index, &(place, align)) in self.frame.slots.iter().enumerate() {
            let slot = Slot::new(index);
            let there = self.address(place, align)?;
            if fates.get(index)? == &Fate::Shared {
                placed.push(there);
                continue;
            }
            let own = self.value(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot))?;
            let size = self.body.slot(slot)?.size;
            let size = self.integer(size.into())?;
            let access = Payload::Access(Access::default());
            self.append(Op::MemCopy, Type::NONE, &[own, there, size], access);
            placed.push(own);
        }
        Some(placed)
    }

    /// A place of the frame, or the next multiple of `align` behind it: frames are aligned to 16
    /// bytes themselves.
    fn address(&mut self, place: i32, align: u32) -> Option<Value> {
        let base = self.base;
        if align <= 16 {
            let place = self.integer(place.into())?;
            return self.value(Op::PtrAdd, Type::NONE, &[base, place], Payload::None);
        }
        let place = self.integer(i64::from(place) + i64::from(align) - 1)?;
        let above = self.value(Op::PtrAdd, Type::NONE, &[base, place], Payload::None)?;
        let number = self.value(Op::PtrToInt, Type::NONE, &[above], Payload::None)?;
        let mask = self.integer(i64::from(align) - 1)?;
        let over = self.value(Op::And, Type::I64, &[number, mask], Payload::None)?;
        let zero = self.integer(0)?;
        let back = self.value(Op::Sub, Type::I64, &[zero, over], Payload::None)?;
        self.value(Op::PtrAdd, Type::NONE, &[above, back], Payload::None)
    }

    /// What the frame has of a value.
    fn read(&mut self, value: Value) -> Option<Value> {
        let ty = self.body.value_type(value);
        match self.split.get(&value) {
            Some(&leaves) => self.assemble(ty, &mut leaves.iter()),
            None => self.read_at(ty, self.homes[value]?),
        }
    }

    /// A value of the next ones of those leaves.
    fn assemble(&mut self, ty: Type, leaves: &mut std::slice::Iter<'_, Leaf>) -> Option<Value> {
        let types = self.types;
        if leaf_types(types, ty).is_empty() {
            return Some(self.body.constant(Constant::zero(ty)?));
        }
        let fields = match types.aggregate(ty) {
            None => {
                return match leaves.next()? {
                    &Leaf::Home(home) => self.read_at(ty, home),
                    Leaf::Constant(constant) => Some(self.body.constant(constant.clone())),
                    Leaf::Unused => Some(self.body.constant(Constant::zero(ty)?)),
                };
            }
            Some(Aggregate::Struct { fields, .. }) => fields.to_vec(),
            Some(Aggregate::Array { element, length }) => vec![*element; *length as usize],
        };
        let fields: Option<Vec<Value>> =
            fields.into_iter().map(|field| self.assemble(field, leaves)).collect();
        self.value(Op::MakeAggregate, ty, &fields?, Payload::None)
    }

    /// What the frame has in a home of a value of a type.
    fn read_at(&mut self, ty: Type, offset: i32) -> Option<Value> {
        let base = self.base;
        let access = Payload::Access(Access { offset, ..Access::default() });
        if ty == Type::I1 {
            // Of a truth value, the lowest bit counts.
            let byte = self.value(Op::Load, Type::I8, &[base], access)?;
            return self.value(Op::Trunc, Type::I1, &[byte], Payload::None);
        }
        let has_plain_bytes = TypeClass::Memory.contains(ty) && ty.lane().is_none_or(is_held);
        if !has_plain_bytes {
            return None;
        }
        self.value(Op::Load, ty, &[base], access)
    }

    /// The same of a parameter of the block; of one that nobody uses the frame has nothing.
    fn read_param(&mut self, param: Value) -> Option<Value> {
        if self.homes[param].is_some() || self.split.contains_key(&param) {
            return self.read(param);
        }
        Some(self.body.constant(Constant::zero(self.body.value_type(param))?))
    }

    /// Lets what is left find the slots that stay in the frame.
    fn move_slots(&mut self, fates: &[Fate], slots: &[Value]) -> Option<()> {
        let blocks = self.body.layout.blocks().filter(|&block| self.left[block]);
        let insts: Vec<Inst> = blocks.flat_map(|block| self.body.layout.insts(block)).collect();
        let mut moved: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
        for inst in insts {
            let InstData { op, ref payload, .. } = *self.body.inst(inst);
            let Payload::Slot(slot) = *payload else { continue };
            if fates.get(slot.index()) != Some(&Fate::Shared) {
                continue;
            }
            let &address = slots.get(slot.index())?;
            match op {
                Op::SlotAddr => {
                    moved[self.body.result(inst)?] = Some(address);
                    self.body.remove_inst(inst);
                }
                Op::SlotStart | Op::SlotEnd => {
                    let size = self.integer(self.body.slot(slot)?.size.into())?;
                    let zero = self.body.constant(Constant::zero(Type::I8)?);
                    let args = self.body.list(&[address, zero, size]);
                    let access = Payload::Access(Access::default());
                    let fill = InstData::new(Op::MemFill, Type::NONE, args, access);
                    self.body.insert_inst(inst, fill, &[]);
                    self.body.remove_inst(inst);
                }
                _ => return None,
            }
        }
        self.rename(|value| moved[value].unwrap_or(value));
        Some(())
    }

    fn rename(&mut self, mut rename: impl FnMut(Value) -> Value) {
        let blocks: Vec<Block> = self.body.layout.blocks().collect();
        for block in blocks {
            let mut next = self.body.layout.first_inst(block);
            while let Some(inst) = next {
                next = self.body.layout.next_inst(inst);
                self.body.map_uses(inst, &mut rename);
            }
        }
    }

    /// Values that have come from the frame at first and are defined again, and those that are
    /// defined in copies, too: parameters where both meet.
    fn carry(&mut self, carried: &[(Value, Value)], defined: Vec<Value>) {
        if carried.is_empty() && defined.is_empty() {
            return;
        }
        let graph = FlowGraph::new(&self.body);
        let (mut variables, mut numbers) = (Variables::default(), SecondaryMap::new());
        let mut known = SecondaryMap::<Value, bool>::new();
        let defined = defined.into_iter().map(|value| (value, self.base));
        for (value, initial) in carried.iter().copied().chain(defined) {
            if std::mem::replace(&mut known[value], true) {
                continue;
            }
            // One that comes from no frame is nowhere used before it is defined.
            let variable = variables.declare(self.body.value_type(value), initial);
            for version in self.rounds.copies_of(value).chain([value]) {
                if let Some(home) = self.body.defining_block(version) {
                    variables.set(home, variable, version);
                    numbers[version] = Some((variable, home));
                }
            }
        }
        let blocks: Vec<Block> = self.body.layout.blocks().collect();
        for &block in &blocks {
            let mut next = self.body.layout.first_inst(block);
            while let Some(inst) = next {
                next = self.body.layout.next_inst(inst);
                let mut found = FxHashMap::default();
                for value in self.body.uses(inst).collect::<Vec<_>>() {
                    match numbers[value] {
                        Some((variable, home)) if home != block => {
                            let now = variables.get(&mut self.body, block, variable);
                            found.insert(value, now);
                        }
                        _ => {}
                    }
                }
                self.body.map_uses(inst, |value| found.get(&value).copied().unwrap_or(value));
            }
        }
        let mut replacements = variables.finish(&mut self.body, &graph);
        self.rename(|value| replacements.resolve(value));
    }
}

/// Whether a home has the lanes as memory does.
fn is_held(lane: Scalar) -> bool {
    lane != Scalar::I1
}

#[cfg(test)]
mod tests;
