//! Which object an address points into.
//!
//! Every value of an address type gets a [`Base`]: the object that it was made from,
//! through offsets, casts, `select` and block parameters. Values start out as pointing
//! nowhere, and what flows together is joined, until nothing changes; each value
//! changes twice at most, so that it takes O(values + uses). Constants that are null
//! point nowhere and are joined with anything.
//!
//! This stands on a promise of every raw access: an address that was made from one
//! object by adding to it is used for accesses to that object only. It is also what
//! lets two objects be told apart at all.
//!
//! Does not try: what is stored in memory and loaded again, which comes from
//! [`Outside`](Base::Outside); which of several objects a value points into.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{Block, DataId, EntityRef, EntitySet, Inst, Slot, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;

/// How many bytes from null on no object stands in.
const FIRST_PAGE: u128 = 4096;

/// What an address was made from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Base {
    /// Nothing: null, or a value that is never computed.
    #[default]
    Nowhere,
    /// A slot of the function.
    Slot(Slot),
    /// A data object of the module.
    Data(DataId),
    /// An object that this instruction has made: the value is the address of its start.
    /// In a loop, one of those.
    Fresh(Value),
    /// An address that the function was given.
    Argument,
    /// Anything that code outside of this function can point to: an argument, a data
    /// object, or what it was told of by this function.
    Outside,
    /// Some object: inside, outside, or now one and now another.
    Unknown,
}

impl Base {
    /// What a value points to that is one or the other.
    fn joined(self, other: Base) -> Base {
        let is_outside = |base| matches!(base, Base::Data(_) | Base::Argument | Base::Outside);
        match (self, other) {
            (Base::Nowhere, base) | (base, Base::Nowhere) => base,
            (one, other) if one == other => one,
            (one, other) if is_outside(one) && is_outside(other) => Base::Outside,
            _ => Base::Unknown,
        }
    }
}

/// Which addresses are made from which others: pairs, found by either side.
#[derive(Debug)]
pub(super) struct Derivations {
    /// Where those of each value begin, and the values.
    made_from: (Vec<u32>, Vec<Value>),
    made_of: (Vec<u32>, Vec<Value>),
}

impl Derivations {
    pub(super) fn new(body: &Body) -> Derivations {
        let mut pairs: Vec<(Value, Value)> = Vec::new();
        for inst in body.layout.all_insts() {
            if let Some(result) = body.result(inst) {
                pairs.extend(sources(body, inst).iter().map(|&source| (source, result)));
            }
            for target in body.targets(inst) {
                let params = body.params(target.block).iter();
                let handed = body.target_args(target).iter().copied().zip(params.copied());
                pairs.extend(handed.filter(|&(_, param)| is_address(body, param)));
            }
        }
        let count = body.value_count();
        let made_of = grouped(count, pairs.iter().copied());
        let made_from = grouped(count, pairs.iter().map(|&(source, made)| (made, source)));
        Derivations { made_from, made_of }
    }

    /// The values that `value` is made from.
    pub(super) fn sources(&self, value: Value) -> &[Value] {
        of_group(&self.made_from, value)
    }

    /// The values that are made from `value`.
    pub(super) fn made_of(&self, value: Value) -> &[Value] {
        of_group(&self.made_of, value)
    }
}

fn grouped(
    count: usize,
    pairs: impl Iterator<Item = (Value, Value)> + Clone,
) -> (Vec<u32>, Vec<Value>) {
    let pairs = pairs.filter(|(key, _)| key.index() < count);
    if pairs.clone().next().is_none() {
        return (Vec::new(), Vec::new());
    }
    let mut starts = vec![0_u32; count + 1];
    pairs.clone().for_each(|(key, _)| starts[key.index() + 1] += 1);
    (1..starts.len()).for_each(|index| starts[index] += starts[index - 1]);
    let mut next = starts.clone();
    let mut values = vec![Value::new(0); starts[count] as usize];
    for (key, value) in pairs {
        values[next[key.index()] as usize] = value;
        next[key.index()] += 1;
    }
    (starts, values)
}

fn of_group((starts, values): &(Vec<u32>, Vec<Value>), key: Value) -> &[Value] {
    let ends = starts.get(key.index()..key.index() + 2);
    ends.map_or(&[], |ends| &values[ends[0] as usize..ends[1] as usize])
}

/// Whether `value` is an address.
pub(crate) fn is_address(body: &Body, value: Value) -> bool {
    body.value_type(value).as_scalar().is_some_and(|scalar| scalar.is_address())
}

/// The operands that the address which `inst` gives is made from.
pub(super) fn sources(body: &Body, inst: Inst) -> &[Value] {
    let args = body.args(inst);
    let made_of = match body.inst(inst).op {
        Op::PtrAdd | Op::DerivedAdd | Op::AddressCast | Op::PointerFromRef => 0..1,
        Op::Select => 1..3,
        _ => 0..0,
    };
    let sources = args.get(made_of).unwrap_or(&[]);
    if sources.iter().all(|&source| is_address(body, source)) { sources } else { &[] }
}

/// The base of every address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bases {
    bases: Vec<Base>,
}

impl Bases {
    /// Of all addresses of a body.
    pub fn new(body: &Body) -> Bases {
        Bases::by(body, &Derivations::new(body))
    }

    pub(super) fn by(body: &Body, derivations: &Derivations) -> Bases {
        let mut bases = Bases { bases: vec![Base::Nowhere; body.value_count()] };
        let mut changed: Vec<Value> = Vec::new();
        let from_numbers = from_numbers(body, derivations);
        for value in (0..body.value_count()).map(Value::new) {
            let base = match from_numbers.contains(value) {
                true => Base::Outside,
                false => root(body, value),
            };
            if base != Base::Nowhere {
                bases.bases[value.index()] = base;
                changed.push(value);
            }
        }
        while let Some(value) = changed.pop() {
            let base = bases.bases[value.index()];
            for &made in derivations.made_of(value) {
                let known = &mut bases.bases[made.index()];
                let joined = known.joined(base);
                if std::mem::replace(known, joined) != joined {
                    changed.push(made);
                }
            }
        }
        bases
    }

    /// What `value` was made from.
    pub fn of(&self, value: Value) -> Base {
        self.bases.get(value.index()).copied().unwrap_or(Base::Unknown)
    }
}

/// What an address points to that is made from no other.
fn root(body: &Body, value: Value) -> Base {
    if !is_address(body, value) {
        return Base::Nowhere;
    }
    match body.value_def(value) {
        ValueDef::Unused => Base::Nowhere,
        ValueDef::Constant(_) if body.as_scalar_constant(value) == Some(0) => Base::Nowhere,
        ValueDef::Constant(_) => Base::Outside,
        ValueDef::Param(block, _) if is_entry(body, block) => Base::Argument,
        ValueDef::Param(..) => Base::Nowhere,
        ValueDef::Result(inst, _) => result_root(body, inst, value),
    }
}

fn is_entry(body: &Body, block: Block) -> bool {
    body.layout.entry() == Some(block)
}

fn result_root(body: &Body, inst: Inst, value: Value) -> Base {
    let data = body.inst(inst);
    match (data.op, data.payload) {
        (Op::SlotAddr, Payload::Slot(slot)) => Base::Slot(slot),
        (Op::DataAddr, Payload::Data(data)) => Base::Data(data),
        (Op::StackAlloc | Op::AllocObject | Op::ArrayNew, _) => Base::Fresh(value),
        _ if !sources(body, inst).is_empty() => Base::Nowhere,
        _ => Base::Outside,
    }
}

/// What adds a number to an address that may be null itself: an address that is made from who
/// knows what. Nothing stands so near to null that a field of an object might.
fn from_numbers(body: &Body, derivations: &Derivations) -> EntitySet<Value> {
    let mut found: EntitySet<Value> = EntitySet::new();
    let mut nullable: EntitySet<Value> = EntitySet::new();
    let is_null =
        |&value: &Value| is_address(body, value) && body.as_scalar_constant(value) == Some(0);
    let mut open: Vec<Value> = (0..body.value_count()).map(Value::new).filter(is_null).collect();
    while let Some(value) = open.pop() {
        for &made in derivations.made_of(value) {
            let ValueDef::Result(inst, _) = body.value_def(made) else {
                open.extend(nullable.insert(made).then_some(made));
                continue;
            };
            match (body.inst(inst).op, body.args(inst)) {
                (Op::PtrAdd | Op::DerivedAdd, &[of, added]) => {
                    let nearest = if body.as_constant(of).is_some() { 1 } else { FIRST_PAGE };
                    match body.as_scalar_constant(added) {
                        Some(bytes) if bytes < nearest => {
                            open.extend(nullable.insert(made).then_some(made));
                        }
                        _ => {
                            found.insert(made);
                        }
                    }
                }
                _ => open.extend(nullable.insert(made).then_some(made)),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
