//! The code of a function: blocks, instructions, values and the entities
//! they name.
//!
//! Reading with a handle of another body gives an empty or default answer,
//! and changing with one changes nothing; the verifier reports such handles.
//! Only [`Body::inst`] and [`Body::inst_mut`] have no such answer.
//!
//! What passes ask of each instruction is marked `inline` here and in the modules around:
//! other crates compile it into their loops then, which takes a tenth off the time of all
//! passes.

mod debug;
mod entities;
mod translate;

use hashbrown::HashMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::constant::Constant;
use crate::entity::{
    Block, EntityRef, Exit, Inst, Loc, PackedOption, PrimaryMap, Scope, ScopeSet, Slot,
    SwitchTable, Value, ValueList, ValueListPool,
};
use crate::instruction::{ImmediateList, InstData, Payload, Target};
use crate::order::Layout;
use crate::prefetch::prefetch;
use crate::types::Type;

use debug::Names;
pub use entities::{
    ExitData, ExitKind, Initial, LocData, MAX_SLOT_ALIGN_LOG2, MAX_STACK_OBJECT_ALIGN,
    MIN_STACK_OBJECT_ALIGN, SlotData, SwitchData, TEXT_FILE, ValueRange, stack_object_align,
};
pub(crate) use translate::Translation;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// A number that no value has: what removal and text with gaps leave.
    Unused,
    /// A constant, by its index.
    Constant(u32),
    /// A parameter of a block.
    Param(Block, u32),
    /// A result of an instruction.
    Result(Inst, u32),
}

#[derive(Clone, Copy, Debug)]
struct ValueData {
    ty: Type,
    def: ValueDef,
}

/// The code of a function.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Where blocks and instructions stand.
    pub layout: Layout,
    insts: PrimaryMap<Inst, InstData>,
    results: PrimaryMap<Inst, ValueList>,
    params: PrimaryMap<Block, ValueList>,
    values: PrimaryMap<Value, ValueData>,
    constants: Vec<(Constant, Value)>,
    /// Of all constants but the first few.
    constant_values: HashMap<Constant, Value>,
    lists: ValueListPool,
    immediates: Vec<u32>,
    switches: PrimaryMap<SwitchTable, SwitchData>,
    slots: PrimaryMap<Slot, SlotData>,
    exits: PrimaryMap<Exit, ExitData>,
    locs: PrimaryMap<Loc, LocData>,
    has_source_locs: bool,
    scopes: PrimaryMap<Scope, Box<str>>,
    scope_sets: PrimaryMap<ScopeSet, Box<[Scope]>>,
    scope_set_ids: HashMap<Box<[Scope]>, ScopeSet>,
    weights: FxHashMap<Inst, Box<[u32]>>,
    ranges: FxHashMap<Inst, ValueRange>,
    value_names: Names<Value>,
    block_names: Names<Block>,
}

/// So many constants are looked for one by one, which takes less time and memory than a
/// table: most bodies have no more.
const FEW_CONSTANTS: usize = 16;

/// The whole.
impl Body {
    /// Gives back the memory that the code does not need as it is: worth it for code that is
    /// kept and not changed any more. One that a text was read into has a third of its size
    /// too much.
    pub fn shrink_to_fit(&mut self) {
        self.insts.shrink_to_fit();
        self.results.shrink_to_fit();
        self.params.shrink_to_fit();
        self.values.shrink_to_fit();
        self.constants.shrink_to_fit();
        self.lists.shrink_to_fit();
        self.immediates.shrink_to_fit();
        self.locs.shrink_to_fit();
        self.shrink_names();
    }
}

/// Reading many bodies, one after another.
impl Body {
    /// Asks the processor for the tables that every reader reads, which should be done some time
    /// before: it does not wait for them. Changes nothing.
    #[inline]
    pub fn prefetch(&self) {
        prefetch(self.insts.values().as_slice());
        prefetch(self.results.values().as_slice());
        prefetch(self.params.values().as_slice());
        prefetch(self.values.values().as_slice());
        prefetch(&self.constants);
        self.lists.prefetch();
        self.layout.prefetch();
    }
}

/// Values.
impl Body {
    /// How many value numbers there are, used or not.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// The type of `value`; [`Type::NONE`] if it is none of this body.
    #[inline]
    pub fn value_type(&self, value: Value) -> Type {
        self.values.get(value).map_or(Type::NONE, |data| data.ty)
    }

    /// What defines `value`.
    #[inline]
    pub fn value_def(&self, value: Value) -> ValueDef {
        self.values.get(value).map_or(ValueDef::Unused, |data| data.def)
    }

    /// The types of all value numbers and what defines them, in their order.
    #[inline]
    pub fn values(&self) -> impl ExactSizeIterator<Item = (Type, ValueDef)> + '_ {
        self.values.values().map(|data| (data.ty, data.def))
    }

    /// Whether `value` is one of this body, used or not.
    pub fn contains_value(&self, value: Value) -> bool {
        self.values.is_valid(value)
    }

    /// The value of a constant, the same for equal ones.
    pub fn constant(&mut self, constant: Constant) -> Value {
        if let Some(value) = self.known_constant(&constant) {
            return value;
        }
        let def = ValueDef::Constant(self.constants.len() as u32);
        let value = self.values.push(ValueData { ty: constant.ty(), def });
        if self.constants.len() >= FEW_CONSTANTS {
            self.constant_values.insert(constant.clone(), value);
        }
        self.constants.push((constant, value));
        value
    }

    /// The value that a constant has already.
    fn known_constant(&self, constant: &Constant) -> Option<Value> {
        let mut few = self.constants.iter().take(FEW_CONSTANTS);
        let found = few.find(|(known, _)| known == constant).map(|&(_, value)| value);
        found.or_else(|| self.constant_values.get(constant).copied())
    }

    /// The constant that `value` is, if it is one.
    #[inline]
    pub fn as_constant(&self, value: Value) -> Option<&Constant> {
        match self.value_def(value) {
            ValueDef::Constant(index) => self.constants.get(index as usize).map(|(c, _)| c),
            _ => None,
        }
    }

    /// The bits of the scalar constant that `value` is, if it is one.
    #[inline]
    pub fn as_scalar_constant(&self, value: Value) -> Option<u128> {
        self.as_constant(value)?.as_scalar()
    }

    /// All constants and their values, in the order in which they were made.
    pub fn constants(&self) -> impl Iterator<Item = (&Constant, Value)> {
        self.constants.iter().map(|(constant, value)| (constant, *value))
    }

    /// Takes the numbers up to and with `last` that are still free, so that
    /// text keeps the numbers that it spells.
    pub(crate) fn reserve_values(&mut self, last: Value) {
        while self.values.len() <= last.index() {
            self.values.push(ValueData { ty: Type::NONE, def: ValueDef::Unused });
        }
    }

    /// A number for a value that is mentioned before its definition.
    pub(crate) fn reserve_value(&mut self) -> Value {
        self.values.push(ValueData { ty: Type::NONE, def: ValueDef::Unused })
    }

    /// Changes the type of `value`, which is no constant.
    pub fn set_value_type(&mut self, value: Value, ty: Type) {
        if let Some(data) = self.values.get_mut(value)
            && !matches!(data.def, ValueDef::Constant(_))
        {
            data.ty = ty;
        }
    }

    fn define(&mut self, value: Option<Value>, ty: Type, def: ValueDef) -> Value {
        let free =
            value.filter(|&v| self.value_def(v) == ValueDef::Unused && self.values.is_valid(v));
        match free {
            Some(value) => {
                self.values[value] = ValueData { ty, def };
                value
            }
            None => self.values.push(ValueData { ty, def }),
        }
    }

    /// Says of `value` that something else defines it now.
    fn redefine(&mut self, value: Value, def: ValueDef) {
        if let Some(data) = self.values.get_mut(value) {
            data.def = def;
        }
    }
}

/// Blocks.
impl Body {
    /// How many block numbers there are, placed or not.
    pub fn block_count(&self) -> usize {
        self.params.len()
    }

    /// Takes the numbers up to and with `last` that are still free, as
    /// [`reserve_values`](Self::reserve_values) does.
    pub(crate) fn reserve_blocks(&mut self, last: Block) {
        while self.params.len() <= last.index() {
            self.make_block();
        }
    }

    /// Whether `block` is one of this body, placed or not.
    #[inline]
    pub fn contains_block(&self, block: Block) -> bool {
        self.params.is_valid(block)
    }

    /// A new block, which stands nowhere yet.
    pub fn make_block(&mut self) -> Block {
        let block = self.params.push(ValueList::default());
        self.layout.admit_block(block);
        block
    }

    /// The parameters of `block`.
    #[inline]
    pub fn params(&self, block: Block) -> &[Value] {
        self.params.get(block).map_or(&[], |list| list.as_slice(&self.lists))
    }

    /// A new parameter of `block`, behind the others; a value that nothing
    /// defines if the block is of another body.
    pub fn append_param(&mut self, block: Block, ty: Type) -> Value {
        self.append_param_as(block, ty, None)
    }

    pub(crate) fn append_param_as(
        &mut self,
        block: Block,
        ty: Type,
        value: Option<Value>,
    ) -> Value {
        let index = self.params(block).len() as u32;
        let def = match self.contains_block(block) {
            true => ValueDef::Param(block, index),
            false => ValueDef::Unused,
        };
        let value = self.define(value, ty, def);
        if let Some(list) = self.params.get_mut(block) {
            list.push(value, &mut self.lists);
        }
        value
    }

    /// Puts the parameters of `block` into that order; those that are not
    /// among them go. The edges to the block are the caller's to change.
    pub fn arrange_params(&mut self, block: Block, order: &[Value]) {
        let old = self.params(block).to_vec();
        if !self.contains_block(block) {
            return;
        }
        for value in old {
            self.redefine(value, ValueDef::Unused);
        }
        for (index, &value) in order.iter().enumerate() {
            self.redefine(value, ValueDef::Param(block, index as u32));
        }
        self.params[block] = self.list(order);
    }

    /// Removes the parameters of `block` for which `keep` says no; the edges
    /// to the block are the caller's to change.
    pub fn retain_params(&mut self, block: Block, mut keep: impl FnMut(Value) -> bool) {
        let old = self.params(block).to_vec();
        let mut kept = ValueList::default();
        for value in old {
            if keep(value) {
                let index = kept.len(&self.lists) as u32;
                self.redefine(value, ValueDef::Param(block, index));
                kept.push(value, &mut self.lists);
            } else {
                self.redefine(value, ValueDef::Unused);
            }
        }
        if let Some(list) = self.params.get_mut(block) {
            *list = kept;
        }
    }
}

/// Instructions.
impl Body {
    /// How many instruction numbers there are, placed or not.
    pub fn inst_count(&self) -> usize {
        self.insts.len()
    }

    /// Whether `inst` is one of this body, placed or not.
    #[inline]
    pub fn contains_inst(&self, inst: Inst) -> bool {
        self.insts.is_valid(inst)
    }

    /// The instruction `inst`.
    ///
    /// # Panics
    /// If `inst` is of another body: handles come from [`Layout`] or
    /// [`make_inst`](Self::make_inst) of the same one.
    #[inline]
    pub fn inst(&self, inst: Inst) -> &InstData {
        &self.insts[inst]
    }

    /// The instruction `inst`, to be changed.
    ///
    /// # Panics
    /// As [`inst`](Self::inst).
    pub fn inst_mut(&mut self, inst: Inst) -> &mut InstData {
        &mut self.insts[inst]
    }

    /// A new instruction, which stands nowhere yet, with results of those types.
    pub fn make_inst(&mut self, data: InstData, results: &[Type]) -> Inst {
        let inst = self.insts.push(data);
        let mut values: SmallVec<[Value; 2]> = SmallVec::new();
        for (index, &ty) in (0..).zip(results) {
            values.push(self.values.push(ValueData { ty, def: ValueDef::Result(inst, index) }));
        }
        self.results.push(ValueList::from_slice(&values, &mut self.lists));
        self.layout.admit_inst(inst);
        inst
    }

    pub(crate) fn append_result_as(&mut self, inst: Inst, ty: Type, value: Option<Value>) -> Value {
        let index = self.results(inst).len() as u32;
        let value = self.define(value, ty, ValueDef::Result(inst, index));
        if let Some(list) = self.results.get_mut(inst) {
            list.push(value, &mut self.lists);
        }
        value
    }

    /// A new instruction at the end of `block`.
    pub fn append_inst(&mut self, block: Block, data: InstData, results: &[Type]) -> Inst {
        let inst = self.make_inst(data, results);
        self.layout.append_inst(inst, block);
        inst
    }

    /// A new instruction directly before `before`.
    pub fn insert_inst(&mut self, before: Inst, data: InstData, results: &[Type]) -> Inst {
        let inst = self.make_inst(data, results);
        self.layout.insert_inst_before(inst, before);
        inst
    }

    /// Takes `inst` out of its block; its results must have no use left.
    pub fn remove_inst(&mut self, inst: Inst) {
        self.layout.remove_inst(inst);
        let Some(mut list) = self.results.get_mut(inst).map(std::mem::take) else { return };
        for i in 0..list.len(&self.lists) {
            self.redefine(list.as_slice(&self.lists)[i], ValueDef::Unused);
        }
        list.clear(&mut self.lists);
        self.weights.remove(&inst);
        self.ranges.remove(&inst);
    }

    /// Gives the results of `from` to `to`, which has none, so that uses need
    /// no change when one instruction replaces another.
    pub fn move_results(&mut self, from: Inst, to: Inst) {
        if !self.contains_inst(from) || !self.contains_inst(to) {
            return;
        }
        let list = std::mem::take(&mut self.results[from]);
        for i in 0..list.len(&self.lists) {
            self.redefine(list.as_slice(&self.lists)[i], ValueDef::Result(to, i as u32));
        }
        self.results[to] = list;
    }

    /// The operands of `inst`, without the arguments of its targets.
    #[inline]
    pub fn args(&self, inst: Inst) -> &[Value] {
        self.insts.get(inst).map_or(&[], |data| data.args.as_slice(&self.lists))
    }

    /// The results of `inst`.
    #[inline]
    pub fn results(&self, inst: Inst) -> &[Value] {
        self.results.get(inst).map_or(&[], |list| list.as_slice(&self.lists))
    }

    /// The only result of `inst`, if it has exactly one.
    #[inline]
    pub fn result(&self, inst: Inst) -> Option<Value> {
        match self.results(inst) {
            [value] => Some(*value),
            _ => None,
        }
    }

    /// A list of those values.
    pub fn list(&mut self, values: &[Value]) -> ValueList {
        ValueList::from_slice(values, &mut self.lists)
    }

    /// Stores the values of a list of this body once more.
    pub fn copy_list(&mut self, list: ValueList) -> ValueList {
        list.copy(&mut self.lists)
    }

    /// The values of a list of this body.
    #[inline]
    pub fn list_values(&self, list: ValueList) -> &[Value] {
        list.as_slice(&self.lists)
    }

    /// A target with those arguments.
    pub fn target(&mut self, block: Block, args: &[Value]) -> Target {
        Target { block, args: self.list(args) }
    }

    /// The arguments of a target.
    #[inline]
    pub fn target_args(&self, target: &Target) -> &[Value] {
        target.args.as_slice(&self.lists)
    }

    /// The blocks where execution may go on behind `inst`, with their arguments.
    #[inline]
    pub fn targets(&self, inst: Inst) -> &[Target] {
        self.insts.get(inst).map_or(&[], |data| targets_of(&data.payload, &self.switches))
    }

    /// The same, to be changed.
    pub fn targets_mut(&mut self, inst: Inst) -> &mut [Target] {
        match self.insts.get_mut(inst).map(|data| &mut data.payload) {
            Some(Payload::Jump(target)) => std::slice::from_mut(target),
            Some(Payload::Branch(targets) | Payload::TryCall { targets, .. }) => targets,
            Some(Payload::Switch(table)) => match self.switches.get_mut(*table) {
                Some(switch) => &mut switch.targets,
                None => &mut [],
            },
            _ => &mut [],
        }
    }

    /// Adds an argument to a target of `inst`; does nothing if there is none of that index.
    pub fn push_target_arg(&mut self, inst: Inst, index: usize, value: Value) {
        if let Some(target) = self.targets(inst).get(index) {
            let mut args = target.args;
            args.push(value, &mut self.lists);
            self.targets_mut(inst)[index].args = args;
        }
    }

    /// The blocks behind `block`, one for each edge.
    #[inline]
    pub fn successors(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let last = self.layout.last_inst(block);
        last.into_iter().flat_map(|inst| self.targets(inst)).map(|target| target.block)
    }

    /// Every value that `inst` uses: its operands, then the arguments of its targets.
    #[inline]
    pub fn uses(&self, inst: Inst) -> impl Iterator<Item = Value> + '_ {
        let edges = self.targets(inst).iter().flat_map(|target| self.target_args(target));
        self.args(inst).iter().chain(edges).copied()
    }

    /// Replaces every value that `inst` uses by what `map` gives for it.
    pub fn map_uses(&mut self, inst: Inst, mut map: impl FnMut(Value) -> Value) {
        let Some(data) = self.insts.get(inst) else { return };
        let mut map_list = |list: ValueList| {
            for value in list.as_mut_slice(&mut self.lists) {
                *value = map(*value);
            }
        };
        map_list(data.args);
        for target in targets_of(&data.payload, &self.switches) {
            map_list(target.args);
        }
    }

    /// The storage of the lists, of which each part belongs to one list.
    pub(crate) fn list_pool(&self) -> &ValueListPool {
        &self.lists
    }

    /// The list of the parameters of `block`.
    pub(crate) fn params_list(&self, block: Block) -> ValueList {
        self.params.get(block).copied().unwrap_or_default()
    }

    /// The list of the results of `inst`.
    pub(crate) fn results_list(&self, inst: Inst) -> ValueList {
        self.results.get(inst).copied().unwrap_or_default()
    }

    /// A list of immediates: the indices of a path, the lanes of a shuffle.
    pub fn immediate_list(&mut self, values: &[u32]) -> ImmediateList {
        let start = self.immediates.len() as u32;
        self.immediates.extend_from_slice(values);
        ImmediateList { start, len: values.len() as u32 }
    }

    /// The immediates of a list of this body.
    pub fn immediates(&self, list: ImmediateList) -> &[u32] {
        let start = list.start as usize;
        self.immediates.get(start..start + list.len as usize).unwrap_or(&[])
    }
}

/// Where an instruction comes from; none for values without a place.
impl Body {
    /// The block that defines `value`; nothing for constants.
    pub fn defining_block(&self, value: Value) -> Option<Block> {
        match self.value_def(value) {
            ValueDef::Param(block, _) => Some(block),
            ValueDef::Result(inst, _) => self.layout.block_of(inst),
            ValueDef::Constant(_) | ValueDef::Unused => None,
        }
    }

    /// The location of `inst`.
    pub fn loc(&self, inst: Inst) -> PackedOption<Loc> {
        self.insts.get(inst).map_or(None.into(), |data| data.loc)
    }
}

#[inline]
fn targets_of<'a>(
    payload: &'a Payload,
    switches: &'a PrimaryMap<SwitchTable, SwitchData>,
) -> &'a [Target] {
    match payload {
        Payload::Jump(target) => std::slice::from_ref(target),
        Payload::Branch(targets) | Payload::TryCall { targets, .. } => targets,
        Payload::Switch(table) => switches.get(*table).map_or(&[], |switch| &switch.targets),
        _ => &[],
    }
}

#[cfg(test)]
mod tests;
