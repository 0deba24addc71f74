//! Puts values in the place of accesses.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::dominators::Dominators;
use brolga_ir::entity::{Block, EntitySet, Inst, SecondaryMap, Slot, Value};
use brolga_ir::flow::{FlowGraph, IncomingEdges};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::accesses::{Access, Deed, Uses};
use super::addresses::{Addresses, Place, Step};
use super::extents::Extents;
use super::partition::{Plan, piece_type};
use crate::pass::Editor;
use crate::pass::bytes::{extract, insert, splat};
use crate::pass::variables::{Variable, Variables};

/// What is known of the slots of a body.
#[derive(Debug)]
pub(super) struct Findings<'a> {
    pub(super) addresses: &'a Addresses,
    pub(super) uses: &'a Uses,
    pub(super) plan: &'a Plan,
    pub(super) extents: &'a Extents,
}

/// The walk over one body, each block behind those that dominate it.
pub(super) struct Rewriter<'a, 'm> {
    pub(super) editor: Editor<'a, 'm>,
    pub(super) found: Findings<'a>,
    variables: Variables,
    /// The variable of each part that becomes a value and is looked at.
    parts: Vec<Option<Variable>>,
    /// What the parts are that are set once before all reads.
    steady: Vec<Option<Value>>,
    renamed: SecondaryMap<Value, Option<Value>>,
    /// Whether an address in two places is in the second.
    selectors: SecondaryMap<Value, Option<Value>>,
    needed: EntitySet<Value>,
    pub(super) block: Block,
}

impl<'a, 'm> Rewriter<'a, 'm> {
    pub(super) fn new(editor: Editor<'a, 'm>, found: Findings<'a>) -> Rewriter<'a, 'm> {
        let count = found.plan.part_count();
        Rewriter {
            editor,
            found,
            variables: Variables::default(),
            parts: vec![None; count],
            steady: vec![None; count],
            renamed: SecondaryMap::new(),
            selectors: SecondaryMap::new(),
            needed: EntitySet::new(),
            block: Block::from_u32(0),
        }
    }

    /// Puts values in the place of all accesses that the plan has values for,
    /// and takes out what that leaves without use.
    pub(super) fn run(mut self, graph: &FlowGraph, dominators: &Dominators) {
        self.declare();
        self.find_needed();
        self.append_selectors();
        for &block in dominators.preorder() {
            self.block = block;
            let mut next = self.editor.body.layout.first_inst(block);
            while let Some(inst) = next {
                next = self.editor.body.layout.next_inst(inst);
                self.visit(inst);
            }
        }
        self.remove_addresses();
        self.pass_selectors();
        let Rewriter { editor, found, variables, renamed, .. } = self;
        let body = editor.body;
        let mut replacements = variables.finish(body, graph);
        for &block in dominators.preorder() {
            let mut next = body.layout.first_inst(block);
            while let Some(inst) = next {
                next = body.layout.next_inst(inst);
                body.map_uses(inst, |it| replacements.resolve(renamed[it].unwrap_or(it)));
            }
        }
        body.retain_slots(|slot| !found.plan.vanishes(slot));
    }

    fn declare(&mut self) {
        let plan = self.found.plan;
        let slots: Vec<Slot> = self.editor.body.slots().map(|(slot, _)| slot).collect();
        for slot in slots {
            for (index, part) in plan.parts(slot).iter().enumerate() {
                let number = plan.number(slot, index);
                if let Some(ty) = part.ty.filter(|_| self.found.extents.is_read(number)) {
                    let zero = self.editor.zero(ty);
                    self.parts[number] = Some(self.variables.declare(ty, zero));
                }
            }
        }
    }

    /// The part at a place: its number, its type, and where it begins; nothing
    /// if that stays in memory.
    fn part_at(&self, place: Place) -> Option<(usize, Type, u32)> {
        let index = self.found.plan.part_at(place)?;
        let part = self.found.plan.parts(place.slot)[index];
        Some((self.found.plan.number(place.slot, index), part.ty?, part.range.start))
    }

    /// What the part of that number is here.
    pub(super) fn get(&mut self, number: usize) -> Option<Value> {
        let variable = self.parts[number]?;
        match self.steady[number] {
            Some(value) => Some(value),
            None => Some(self.variables.get(self.editor.body, self.block, variable)),
        }
    }

    /// The part of that number is `value` from here on.
    pub(super) fn set(&mut self, number: usize, value: Value) {
        let Some(variable) = self.parts[number] else { return };
        match self.found.extents.is_steady(number) {
            true => self.steady[number] = Some(value),
            false => self.variables.set(self.block, variable, value),
        }
    }

    /// What `value` has become so far.
    pub(super) fn renamed(&self, value: Value) -> Value {
        self.renamed[value].unwrap_or(value)
    }

    fn rename_result(&mut self, inst: Inst, value: Value) {
        if let Some(result) = self.editor.body.result(inst) {
            self.renamed[result] = Some(value);
        }
        self.editor.body.remove_inst(inst);
    }

    fn visit(&mut self, inst: Inst) {
        self.editor.stand_before(inst);
        if let Some(result) = self.editor.body.result(inst).filter(|it| self.needed.contains(*it)) {
            self.select_place(result);
        }
        let uses = self.found.uses;
        let Some(access) = uses.of[inst].and_then(|index| uses.accesses.get(index as usize)) else {
            return;
        };
        match access.deed {
            Deed::Load(ty) => self.load(access, ty),
            Deed::Store(_) => self.store(access),
            Deed::Fill(size) => self.fill(access, size),
            Deed::Clear => self.clear(access),
            Deed::Copy { to, from, size } => self.copy(inst, [to, from], size),
            Deed::CompareNull { differ } => {
                let value = self.editor.constant(Type::I1, differ.into());
                self.rename_result(inst, value);
            }
            Deed::Nothing => self.editor.body.remove_inst(inst),
        }
    }

    fn load(&mut self, access: &Access, ty: Type) {
        let mut values = Vec::new();
        for &place in &access.places {
            let Some((number, _, start)) = self.part_at(place) else { return };
            let Some(whole) = self.get(number) else { return };
            values.push(extract(&mut self.editor, whole, (place.offset - start).into(), ty));
        }
        let value = match *values.as_slice() {
            [value] => value,
            [first, second] => {
                let Some(selector) = self.selector_of(access) else { return };
                self.editor.op(Op::Select, ty, &[selector, second, first])
            }
            _ => return,
        };
        self.rename_result(access.inst, value);
    }

    fn store(&mut self, access: &Access) {
        let value = self.renamed(self.editor.body.args(access.inst)[0]);
        if access.places.iter().any(|&place| self.part_at(place).is_none()) {
            return;
        }
        let selector = self.selector_of(access);
        for (index, &place) in access.places.iter().enumerate() {
            let Some((number, ty, start)) = self.part_at(place) else { continue };
            if self.parts[number].is_none() {
                continue;
            }
            let offset = u64::from(place.offset - start);
            let mut changed = self.changed(number, offset, value);
            if let Some(selector) = selector
                && let Some(old) = self.get(number)
            {
                let (then, otherwise) = if index == 0 { (old, changed) } else { (changed, old) };
                changed = self.editor.op(Op::Select, ty, &[selector, then, otherwise]);
            }
            self.set(number, changed);
        }
        self.editor.body.remove_inst(access.inst);
    }

    /// What a part becomes when some of its bytes are replaced by those of `value`.
    pub(super) fn changed(&mut self, number: usize, offset: u64, value: Value) -> Value {
        let Some(variable) = self.parts[number] else { return value };
        let types = &self.editor.context.module.types;
        let size = |ty: Type| types.layout(ty).size;
        let is_whole =
            size(self.variables.ty(variable)) == size(self.editor.body.value_type(value));
        let whole = match is_whole {
            // It is not looked at.
            true => Some(self.editor.zero(self.variables.ty(variable))),
            false => self.get(number),
        };
        whole.map_or(value, |whole| insert(&mut self.editor, whole, offset, value))
    }

    fn clear(&mut self, access: &Access) {
        let (plan, slot) = (self.found.plan, access.places[0].slot);
        for (index, part) in plan.parts(slot).iter().enumerate() {
            if let Some(ty) = part.ty {
                let zero = self.editor.zero(ty);
                self.set(plan.number(slot, index), zero);
            }
        }
        self.remove_with_slot(access.inst, slot);
    }

    fn fill(&mut self, access: &Access, size: u32) {
        let byte = self.renamed(self.editor.body.args(access.inst)[1]);
        let (plan, place) = (self.found.plan, access.places[0]);
        for piece in plan.pieces(place, size) {
            let Some(index) = piece.part else { continue };
            let part = plan.parts(place.slot)[index];
            let number = plan.number(place.slot, index);
            let Some(ty) = part.ty.and_then(|_| piece_type(part, piece.range)) else { continue };
            if self.parts[number].is_some() {
                let value = splat(&mut self.editor, ty, byte);
                let offset = u64::from(piece.range.start - part.range.start);
                let changed = self.changed(number, offset, value);
                self.set(number, changed);
            }
        }
        self.remove_with_slot(access.inst, place.slot);
    }

    /// Removes what is needed only as long as some of the slot is in memory.
    fn remove_with_slot(&mut self, inst: Inst, slot: Slot) {
        if self.found.plan.vanishes(slot) {
            self.editor.body.remove_inst(inst);
        }
    }
}

/// Addresses in two places.
impl Rewriter<'_, '_> {
    /// Finds the addresses of which must be known in which place they are.
    fn find_needed(&mut self) {
        let mut left: Vec<Value> = Vec::new();
        let uses = self.found.uses;
        for access in &uses.accesses {
            let is_gone = access.places.iter().all(|&place| self.part_at(place).is_some());
            if access.places.len() == 2 && is_gone {
                left.extend(access.address);
            }
        }
        while let Some(value) = left.pop() {
            let addresses = self.found.addresses;
            let is_twofold = addresses.places(value).is_some_and(|places| places.len() == 2);
            if !is_twofold || !self.needed.insert(value) {
                continue;
            }
            match addresses.step(value) {
                Some(Step::Offset(base, _)) => left.push(base),
                Some(Step::Select(_, one, other)) => left.extend([one, other]),
                Some(Step::Param(..)) => left.extend(addresses.given(value)),
                Some(Step::Start(_)) | None => {}
            }
        }
    }

    fn append_selectors(&mut self) {
        let addresses = self.found.addresses;
        for &node in addresses.nodes() {
            if let Some(Step::Param(block)) = addresses.step(node)
                && self.needed.contains(node)
            {
                self.selectors[node] = Some(self.editor.body.append_param(block, Type::I1));
            }
        }
    }

    /// Finds out before the instruction that gives an address where it is.
    fn select_place(&mut self, address: Value) {
        self.selectors[address] = match self.found.addresses.step(address) {
            Some(Step::Offset(base, _)) => self.selectors[base],
            Some(Step::Select(condition, one, other)) => {
                let one = self.selector(one, address);
                let other = self.selector(other, address);
                Some(self.editor.op(Op::Select, Type::I1, &[condition, one, other]))
            }
            _ => return,
        };
    }

    /// Whether `value` is in the second of the two places of `address`.
    fn selector(&mut self, value: Value, address: Value) -> Value {
        if let Some(known) = self.selectors[value] {
            return known;
        }
        let addresses = self.found.addresses;
        let own = addresses.places(value).and_then(|places| places.first());
        let last = addresses.places(address).and_then(|places| places.last());
        self.editor.constant(Type::I1, (own == last).into())
    }

    fn selector_of(&self, access: &Access) -> Option<Value> {
        let address = access.address.filter(|_| access.places.len() == 2)?;
        self.selectors[address]
    }

    /// Gives the parameters that say where an address is their arguments.
    fn pass_selectors(&mut self) {
        let (addresses, edges) = (self.found.addresses, IncomingEdges::new(self.editor.body));
        for &node in addresses.nodes() {
            let Some(Step::Param(block)) = addresses.step(node) else { continue };
            if !self.needed.contains(node) {
                continue;
            }
            for (edge, &given) in edges.of(block).iter().zip(addresses.given(node)) {
                let selector = self.selector(given, node);
                self.editor.body.push_target_arg(edge.inst, edge.index as usize, selector);
            }
        }
    }

    /// Takes out the addresses in slots that are gone, which nothing uses but
    /// each other.
    fn remove_addresses(&mut self) {
        let (mut gone, mut blocks) = (EntitySet::new(), EntitySet::new());
        for &node in self.found.addresses.nodes() {
            let places = self.found.addresses.places(node);
            let mut places = places.into_iter().flatten();
            if !places.any(|place| self.found.plan.vanishes(place.slot)) {
                continue;
            }
            match self.found.addresses.step(node) {
                Some(Step::Param(block)) => {
                    gone.insert(node);
                    blocks.insert(block);
                }
                _ => remove_definition(self.editor.body, node),
            }
        }
        if !gone.is_empty() {
            remove_params(self.editor.body, &gone, &blocks);
        }
    }
}

/// Takes out parameters, and what the edges give for them. Parameters behind
/// those that edges give something for have got no arguments yet.
fn remove_params(body: &mut Body, gone: &EntitySet<Value>, blocks: &EntitySet<Block>) {
    let all: Vec<Block> = body.layout.blocks().collect();
    for last in all.iter().filter_map(|&block| body.layout.last_inst(block)).collect::<Vec<_>>() {
        for index in 0..body.targets(last).len() {
            let target = body.targets(last)[index];
            if blocks.contains(target.block) {
                let args = body.target_args(&target).iter().zip(body.params(target.block));
                let kept = args.filter(|(_, param)| !gone.contains(**param)).map(|(&arg, _)| arg);
                let kept: Vec<Value> = kept.collect();
                let target = body.target(target.block, &kept);
                body.targets_mut(last)[index] = target;
            }
        }
    }
    for block in all.into_iter().filter(|&block| blocks.contains(block)) {
        body.retain_params(block, |param| !gone.contains(param));
    }
}

fn remove_definition(body: &mut Body, value: Value) {
    if let ValueDef::Result(inst, _) = body.value_def(value) {
        body.remove_inst(inst);
    }
}
