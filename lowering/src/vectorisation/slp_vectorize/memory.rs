//! Whether instructions may move down to others.

use brolga_ir::body::Body;
use brolga_ir::entity::Inst;
use brolga_ir::module::Module;
use brolga_ir::op::Effects;
use rustc_hash::FxHashMap;

use super::tree::Tree;
use crate::analysis::Accesses;
use crate::pass::effects_of;

/// Some instructions of a block, one behind the other. Those that were moved since are known
/// by the scalars that they were made of, at the places where these are done now.
pub(super) struct Window {
    /// Those that do more than compute.
    events: Vec<(Inst, Effects)>,
    /// Where each is.
    places: FxHashMap<Inst, u32>,
}

impl Window {
    pub(super) fn new(body: &Body, module: &Module, insts: &[Inst]) -> Window {
        let mut window = Window { events: Vec::new(), places: FxHashMap::default() };
        for (&inst, place) in insts.iter().zip(1..) {
            // Loads are done before the store that they move to.
            window.places.insert(inst, 2 * place);
            let effects = effects_of(module, body, inst);
            if !effects.is_empty() {
                window.events.push((inst, effects));
            }
        }
        window
    }

    pub(super) fn contains(&self, inst: Inst) -> bool {
        self.places.contains_key(&inst)
    }

    /// The last one of several.
    pub(super) fn last(&self, insts: &[Inst]) -> Option<Inst> {
        insts.iter().copied().max_by_key(|&inst| self.place(inst))
    }

    /// Whether stores and all that they need may be done where the last one is.
    pub(super) fn may_move(&self, accesses: &Accesses, stores: &[Inst], tree: &Tree) -> bool {
        let Some(end) = self.last(stores).map(|last| self.place(last)) else { return false };
        self.may_load(accesses, stores, tree, end)
            && stores.iter().all(|&store| {
                self.between(store, end).all(|&(inst, effects)| {
                    stores.contains(&inst)
                        || tree.packs(inst)
                        || ((effects - (Effects::READ | Effects::WRITE)).is_empty()
                            && !accesses.conflict(inst, store))
                })
            })
            // Loads come before all of the stores.
            && stores.iter().all(|&store| {
                tree.loads().all(|load| {
                    self.place(load) < self.place(store) || !accesses.conflict(store, load)
                })
            })
    }

    /// Whether all loads may be done at a place behind them, but for what stores do.
    pub(super) fn may_load(
        &self,
        accesses: &Accesses,
        stores: &[Inst],
        tree: &Tree,
        end: u32,
    ) -> bool {
        let quiet = Effects::READ | Effects::WRITE | Effects::TRAP;
        tree.loads().all(|load| {
            self.between(load, end).all(|&(inst, effects)| {
                stores.contains(&inst)
                    || tree.packs(inst)
                    || ((effects - quiet).is_empty() && !accesses.conflict(inst, load))
            })
        })
    }

    /// Where an instruction is done.
    pub(super) fn place(&self, inst: Inst) -> u32 {
        self.places.get(&inst).copied().unwrap_or(0)
    }

    fn between(&self, inst: Inst, end: u32) -> impl Iterator<Item = &(Inst, Effects)> {
        let start = self.place(inst);
        self.events.iter().filter(move |&&(event, _)| {
            let place = self.place(event);
            event != inst && place >= start && place < end
        })
    }

    /// Notes that a tree, and stores of it, are done at `end` now.
    pub(super) fn moved(&mut self, stores: &[Inst], tree: &Tree, end: Inst) {
        let place = self.place(end);
        for &store in stores {
            self.places.insert(store, place);
        }
        for load in tree.loads() {
            self.places.insert(load, place - 1);
        }
    }
}
