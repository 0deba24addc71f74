//! Programs in several modules, in the order in which they are loaded.

use std::borrow::Cow;

use brolga_ir::module::{Linkage, Module};

use super::Generated;
use crate::random::Random;

/// How a program is divided.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Split {
    /// The number of modules; some may define nothing.
    pub parts: usize,
    /// What divides it, and shuffles the modules.
    pub seed: u64,
}

impl Split {
    /// One module.
    pub const WHOLE: Split = Split { parts: 1, seed: 0 };

    pub(super) fn draw(random: &mut Random) -> Split {
        let seed = random.bits();
        match random.below(100) {
            0..60 => Split::WHOLE,
            60..80 => Split { parts: 2, seed },
            _ => Split { parts: random.between(2, 4), seed },
        }
    }

    /// Whether the modules are loaded one after the other: then functions may
    /// be called before there are any, but data objects must be there.
    fn is_stepwise(self) -> bool {
        self.seed & 1 == 1
    }

    /// The part that defines the function or data object of that name. Names
    /// decide, so that a reduced program is divided as the large one was.
    fn owner(self, name: &str) -> usize {
        self.random(name).below(self.parts)
    }

    /// What is drawn for a name.
    fn random(self, name: &str) -> Random {
        let mut hash = self.seed;
        for byte in name.bytes() {
            hash = Random::new(hash ^ u64::from(byte)).bits();
        }
        Random::new(hash)
    }

    /// How a part has what a program defines: some of what is weak is in all parts.
    fn linkage(self, whole: Linkage, is_own: bool, name: &str) -> Linkage {
        match (whole, is_own) {
            (Linkage::Weak, true) => Linkage::Weak,
            (Linkage::Weak, false) if self.random(name).percent(50) => Linkage::Weak,
            (_, true) => Linkage::Export,
            (_, false) => Linkage::Import,
        }
    }
}

impl Generated {
    /// The modules of the program: what is in one list is loaded together, one
    /// list after the other.
    pub fn loads(&self) -> Vec<Cow<'_, [Module]>> {
        let split = self.split;
        if split.parts <= 1 {
            return vec![Cow::Borrowed(std::slice::from_ref(&self.module))];
        }
        let mut modules: Vec<Module> = (0..split.parts).map(|part| self.part(part)).collect();
        let first = if split.is_stepwise() { 1 } else { 0 };
        let mut random = Random::new(split.seed);
        for index in (first + 1..modules.len()).rev() {
            modules.swap(index, random.between(first, index));
        }
        match split.is_stepwise() {
            true => modules.into_iter().map(|module| Cow::Owned(vec![module])).collect(),
            false => vec![Cow::Owned(modules)],
        }
    }

    /// A module that defines what `part` owns, and imports the rest.
    fn part(&self, part: usize) -> Module {
        let (split, mut module) = (self.split, self.module.clone());
        let functions: Vec<_> = module.functions().map(|(id, _)| id).collect();
        for id in functions {
            let Some(function) = module.function_mut(id) else { continue };
            if function.body.is_none() {
                continue;
            }
            let is_own = split.owner(&function.name) == part;
            function.linkage = split.linkage(function.linkage, is_own, &function.name);
            if !function.linkage.is_defined_here() {
                function.body = None;
            }
        }
        let objects: Vec<_> = module.data_objects().map(|(id, _)| id).collect();
        for id in objects {
            let Some(object) = module.data_mut(id) else { continue };
            let owner = if split.is_stepwise() { 0 } else { split.owner(&object.name) };
            object.linkage = split.linkage(object.linkage, owner == part, &object.name);
            if !object.linkage.is_defined_here() {
                object.items.clear();
            }
        }
        module
    }
}
