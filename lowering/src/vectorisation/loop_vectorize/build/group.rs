//! Accesses that are made together (see `groups`): as vectors of what memory has, whose lanes
//! are brought to their places.

use brolga_ir::entity::Value;
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::super::groups::Group;
use super::super::memory::Way;
use super::super::network::Network;
use super::Builder;

impl Builder<'_, '_, '_> {
    /// Loads or stores all of a group.
    pub(super) fn write_group(&mut self, group: &Group, copy: u32) {
        match (group.op, self.plan.parts) {
            (Op::Store, 1) => self.store_group(group, copy),
            (_, 1) => self.load_group(group, copy),
            _ => self.access_whole(group, copy),
        }
    }

    /// The same, with all elements in their rounds: the first one stands for all.
    fn access_whole(&mut self, group: &Group, copy: u32) {
        let ty = self.vector(Type::scalar(group.lane));
        let address = self.first_of(group.address);
        let payload = self.access_of(group, copy, 0);
        if group.op == Op::Store {
            let Some(&first) = group.by_place().first() else { return };
            let value = match self.plan.rows.get(&(first, 0)) {
                Some(row) => self.row(row),
                None => self.of(self.body().args(first)[0]),
            };
            self.stand(self.vectors_end);
            self.editor.take_location(group.at);
            self.editor.op_without_result(Op::Store, ty, &[value, address], payload);
            return;
        }
        let loaded = self.editor.op_with(Op::Load, ty, &[address], payload);
        for &(inst, _) in &group.members {
            let result = self.body().result(inst);
            let Some(result) = result.filter(|it| self.plan.vectors.contains(it)) else { continue };
            let made = match self.plan.order_of(result, self.plan.lanes) {
                Some(order) => self.editor.shuffle(ty, loaded, loaded, &order),
                None => loaded,
            };
            self.made.insert(result, made);
        }
    }

    fn load_group(&mut self, group: &Group, copy: u32) {
        let ty = self.vector(Type::scalar(group.lane));
        let address = self.first_of(group.address);
        let places = self.plan.places(self.body(), group);
        let network = self.network(group);
        let mut vectors: Vec<Value> = Vec::new();
        for part in 0..group.stride {
            // What no lane comes from only keeps the count.
            vectors.push(match network.needs(part) {
                true => {
                    let payload = self.access_of(group, copy, part);
                    self.editor.op_with(Op::Load, ty, &[address], payload)
                }
                false => address,
            });
        }
        for (&place, vector) in places.iter().zip(self.reordered(ty, vectors, &network)) {
            let vector = self.turned(group, ty, vector);
            for &(inst, _) in group.members.iter().filter(|member| member.1 == place) {
                let Some(result) = self.body().result(inst) else { continue };
                let own = self.vector(self.body().value_type(result));
                let own = self.reread(vector, own);
                self.made.insert(result, own);
            }
        }
    }

    fn store_group(&mut self, group: &Group, copy: u32) {
        let ty = self.vector(Type::scalar(group.lane));
        let mut vectors = Vec::with_capacity(group.members.len());
        for store in group.by_place() {
            let value = self.of(self.body().args(store)[0]);
            self.editor.take_location(group.at);
            let value = self.reread(value, ty);
            vectors.push(self.turned(group, ty, value));
        }
        let network = self.network(group);
        let address = self.first_of(group.address);
        for (part, vector) in (0..).zip(self.reordered(ty, vectors, &network)) {
            let payload = self.access_of(group, copy, part);
            self.editor.op_without_result(Op::Store, ty, &[vector, address], payload);
        }
    }

    /// How its lanes get to their places.
    fn network(&self, group: &Group) -> Network {
        let part = self.plan.memory.find(group.at).and_then(|moved| moved.part);
        part.and_then(|part| self.networks.get(part.group)).cloned().unwrap_or_default()
    }

    /// The access of one of the vectors that a group is of in memory.
    fn access_of(&self, group: &Group, copy: u32, part: u32) -> Payload {
        let (lanes, copy, size) = (self.plan.lanes, copy as i32, (group.lane.bits() / 8) as i32);
        let first = match group.way {
            Way::Up => copy * lanes as i32,
            // The lowest of these rounds is the last one.
            Way::Down => 1 - (copy + 1) * lanes as i32,
        };
        let elements = first * group.stride as i32 + (part * lanes) as i32;
        let offset = group.access.offset.wrapping_add(elements * size);
        Payload::Access(Access { offset, ..group.access })
    }

    /// What comes out of a network of shuffles.
    fn reordered(&mut self, ty: Type, mut vectors: Vec<Value>, network: &Network) -> Vec<Value> {
        for shuffle in &network.shuffles {
            let [one, other] = shuffle.of.map(|of| vectors[of]);
            vectors.push(self.editor.shuffle(ty, one, other, &shuffle.order));
        }
        network.outputs.iter().map(|&output| vectors[output]).collect()
    }

    /// The lanes the other way round, where rounds go down in memory and up elsewhere.
    fn turned(&mut self, group: &Group, ty: Type, vector: Value) -> Value {
        if group.way == Way::Up || !self.plan.turns {
            return vector;
        }
        let order: Vec<u32> = (0..self.plan.lanes).rev().collect();
        self.editor.shuffle(ty, vector, vector, &order)
    }
}
