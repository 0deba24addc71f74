//! Which values are addresses in slots, and in which.
//!
//! An address is followed from `slot_addr` through constant offsets, selects
//! and block parameters, as long as it is in one of two places at most. Cycles
//! of parameters are taken to lead nowhere until something comes in.

use std::collections::VecDeque;

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, SecondaryMap, Slot, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// A byte of a slot, or the first behind it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) slot: Slot,
    pub(super) offset: u32,
}

/// The places where an address may be, in ascending order; one or two.
pub(super) type Places = SmallVec<[Place; 2]>;

/// The most places that an address may be in.
const MOST_PLACES: usize = 2;

/// Where a value leads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum Lead {
    /// No way has been found yet.
    #[default]
    Nowhere,
    /// To one of these places.
    To(Places),
    /// Anywhere else as well.
    Elsewhere,
}

impl Lead {
    fn join(self, other: &Lead) -> Lead {
        match (self, other) {
            (Lead::Nowhere, other) => other.clone(),
            (one, Lead::Nowhere) => one,
            (Lead::To(mut places), Lead::To(more)) => {
                places.extend(more.iter().copied());
                places.sort_unstable();
                places.dedup();
                match places.len() {
                    0..=MOST_PLACES => Lead::To(places),
                    _ => Lead::Elsewhere,
                }
            }
            _ => Lead::Elsewhere,
        }
    }
}

/// How a value follows from others.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// It is the address of a slot.
    Start(Slot),
    /// It stands so many bytes behind another one.
    Offset(Value, i64),
    /// It is the second or the third, as the first says.
    Select(Value, Value, Value),
    /// It is what the edges to the block give for a parameter.
    Param(Block),
}

/// The addresses in slots of a body.
#[derive(Debug)]
pub(super) struct Addresses {
    steps: SecondaryMap<Value, Option<Step>>,
    /// The values with a step, in the order of the blocks.
    nodes: Vec<Value>,
    leads: SecondaryMap<Value, Lead>,
    /// What the edges give for each parameter that is followed.
    given: FxHashMap<Value, SmallVec<[Value; 4]>>,
}

impl Addresses {
    pub(super) fn new(body: &Body) -> Addresses {
        let mut addresses = Addresses {
            steps: SecondaryMap::new(),
            nodes: Vec::new(),
            leads: SecondaryMap::new(),
            given: FxHashMap::default(),
        };
        for block in body.layout.blocks() {
            addresses.add_block(body, block);
        }
        for block in body.layout.blocks() {
            let Some(last) = body.layout.last_inst(block) else { continue };
            for target in body.targets(last) {
                let params = body.params(target.block).iter();
                for (&param, &arg) in params.zip(body.target_args(target)) {
                    if addresses.steps[param].is_some() {
                        addresses.given.entry(param).or_default().push(arg);
                    }
                }
            }
        }
        addresses.resolve(body);
        addresses
    }

    fn add_block(&mut self, body: &Body, block: Block) {
        if body.layout.entry() != Some(block) {
            for &param in body.params(block) {
                if body.value_type(param) == Type::PTR {
                    self.add(param, Step::Param(block));
                }
            }
        }
        for inst in body.layout.insts(block) {
            let data = body.inst(inst);
            let (Some(result), args) = (body.result(inst), body.args(inst)) else { continue };
            let step = match (data.op, data.payload, args) {
                (Op::SlotAddr, Payload::Slot(slot), _) => Step::Start(slot),
                (Op::PtrAdd, _, &[base, offset]) => match body.as_scalar_constant(offset) {
                    Some(offset) => Step::Offset(base, offset as i64),
                    None => continue,
                },
                (Op::Select, _, &[condition, one, other]) if data.ty == Type::PTR => {
                    Step::Select(condition, one, other)
                }
                _ => continue,
            };
            self.add(result, step);
        }
    }

    fn add(&mut self, value: Value, step: Step) {
        self.steps[value] = Some(step);
        self.nodes.push(value);
    }

    /// Follows all steps until nothing new is found: each value leads further
    /// three times at most, and hands that on.
    fn resolve(&mut self, body: &Body) {
        let mut followers: FxHashMap<Value, SmallVec<[Value; 2]>> = FxHashMap::default();
        for index in 0..self.nodes.len() {
            let node = self.nodes[index];
            for source in self.sources(node) {
                followers.entry(source).or_default().push(node);
            }
            self.leads[node] = self.first_lead(body, node);
        }
        let mut left: VecDeque<Value> = self.nodes.iter().copied().collect();
        while let Some(source) = left.pop_front() {
            for &node in followers.get(&source).into_iter().flatten() {
                let lead = match self.steps[node] {
                    Some(Step::Offset(_, offset)) => shift(body, self.lead(source), offset),
                    _ => self.leads[node].clone().join(&self.leads[source]),
                };
                if lead != self.leads[node] {
                    self.leads[node] = lead;
                    left.push_back(node);
                }
            }
        }
    }

    fn sources(&self, node: Value) -> SmallVec<[Value; 4]> {
        match self.steps[node] {
            Some(Step::Offset(base, _)) => smallvec![base],
            Some(Step::Select(_, one, other)) => smallvec![one, other],
            Some(Step::Param(..)) => self.given.get(&node).cloned().unwrap_or_default(),
            Some(Step::Start(_)) | None => smallvec![],
        }
    }

    /// Where a node leads as far as that is known without any other.
    fn first_lead(&self, body: &Body, node: Value) -> Lead {
        match self.steps[node] {
            Some(Step::Start(slot)) if body.slot(slot).is_some() => {
                Lead::To(smallvec![Place { slot, offset: 0 }])
            }
            Some(Step::Offset(..) | Step::Select(..) | Step::Param(..)) => {
                match self.sources(node).iter().all(|&source| self.steps[source].is_some()) {
                    true => Lead::Nowhere,
                    false => Lead::Elsewhere,
                }
            }
            _ => Lead::Elsewhere,
        }
    }

    fn lead(&self, value: Value) -> Lead {
        match self.steps[value] {
            Some(_) => self.leads[value].clone(),
            None => Lead::Elsewhere,
        }
    }

    /// The places where `value` is, if it is an address in slots and nothing else.
    pub(super) fn places(&self, value: Value) -> Option<&Places> {
        match &self.leads[value] {
            Lead::To(places) => Some(places),
            Lead::Nowhere | Lead::Elsewhere => None,
        }
    }

    /// How `value` follows from others, if it can be an address in a slot.
    pub(super) fn step(&self, value: Value) -> Option<Step> {
        self.steps[value]
    }

    /// What the edges give for a parameter, in the order of the blocks.
    pub(super) fn given(&self, param: Value) -> &[Value] {
        self.given.get(&param).map_or(&[], SmallVec::as_slice)
    }

    /// The values that can be addresses in slots, in the order of the blocks.
    pub(super) fn nodes(&self) -> &[Value] {
        &self.nodes
    }
}

/// The places so many bytes further, if they are in their slots or directly behind.
fn shift(body: &Body, lead: Lead, offset: i64) -> Lead {
    let Lead::To(mut places) = lead else { return lead };
    for place in &mut places {
        let size = body.slot(place.slot).map_or(0, |slot| slot.size);
        let moved = i64::from(place.offset).checked_add(offset);
        match moved.and_then(|moved| u32::try_from(moved).ok()).filter(|&moved| moved <= size) {
            Some(moved) => place.offset = moved,
            None => return Lead::Elsewhere,
        }
    }
    Lead::To(places)
}
