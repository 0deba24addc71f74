//! Which accesses do not overlap: the tree of types, and scopes.

use rustc_hash::FxHashMap;

use crate::entity::{AliasClass, Scope, ScopeSet};
use crate::llvm::syntax::{ConstantData, Instruction, Kind, MetadataId, MetadataItem, Operand};
use crate::llvm::translate::Shared;
use crate::llvm::translate::blocks::{instructions, visit_successors};
use crate::llvm::translate::function::Translator;

/// The deepest tree of types that is followed.
const MAX_DEPTH: u32 = 32;

/// The longest name of a type in the name of its class.
const MAX_NAME: usize = 128;

impl Shared<'_> {
    /// The alias class of an access tag: that of the type which is accessed. Of which
    /// struct it is a field has no place in a tree of classes.
    pub(super) fn class_of_tag(&mut self, tag: MetadataId) -> Option<AliasClass> {
        if let Some(&class) = self.says.tags.get(&tag) {
            return class;
        }
        let class = self.find_class(tag);
        self.says.tags.insert(tag, class);
        class
    }

    fn find_class(&mut self, tag: MetadataId) -> Option<AliasClass> {
        let items = self.tuple(tag)?;
        match items.as_slice() {
            // Before tags had structs, a tag was the type itself.
            [MetadataItem::String(_), ..] => self.class_of_type(tag, MAX_DEPTH),
            // A fourth item may say that the memory never changes; a size in its place
            // is of another kind of tree.
            [
                MetadataItem::Node(_),
                MetadataItem::Node(access),
                MetadataItem::Integer { .. },
                ..,
            ] => self.class_of_type(*access, MAX_DEPTH),
            _ => None,
        }
    }

    /// The class of a node `!{!"name", !parent, …}` of the tree of types. Its name is the
    /// path from the root, so that equal types of several modules have equal names.
    fn class_of_type(&mut self, ty: MetadataId, depth: u32) -> Option<AliasClass> {
        if let Some(&class) = self.says.types.get(&ty) {
            return class;
        }
        let class = self.find_type_class(ty, depth);
        self.says.types.insert(ty, class);
        class
    }

    fn find_type_class(&mut self, ty: MetadataId, depth: u32) -> Option<AliasClass> {
        let depth = depth.checked_sub(1)?;
        let items = self.tuple(ty)?;
        let [MetadataItem::String(name), rest @ ..] = items.as_slice() else { return None };
        let name = class_name(name);
        match rest {
            [] => Some(self.module.alias_class(&name, None)),
            [MetadataItem::Node(parent), ..] => {
                let parent = self.class_of_type(*parent, depth)?;
                let path = self.module.class(parent).map_or("", |data| &data.name);
                let path = format!("{path}/{name}");
                Some(self.module.alias_class(&path, Some(parent)))
            }
            _ => None,
        }
    }
}

/// A name without what separates names in a path.
fn class_name(name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    name.chars().take(MAX_NAME).map(|c| if c == '/' { '|' } else { c }).collect()
}

/// What is known of the scopes of a function.
#[derive(Default)]
pub(super) struct Scopes {
    of: FxHashMap<MetadataId, Scope>,
    /// By a list of scopes, and whether an access stands in nested loops: those that an
    /// access belongs to.
    belongs: FxHashMap<(MetadataId, bool), Option<ScopeSet>>,
    /// In the same way, those whose accesses an access does not overlap.
    avoids: FxHashMap<(MetadataId, bool), Option<ScopeSet>>,
    loops: Option<Loops>,
}

/// Where a function goes around. A scope of LLVM's begins anew wherever its declaration
/// is passed, and one of a loop wherever that is entered; ours holds as long as the
/// function runs.
struct Loops {
    /// For each block, in how many loops it stands, or more.
    depths: Vec<u32>,
    /// Whether each scope that is declared is so outside of all loops.
    declared: FxHashMap<MetadataId, bool>,
}

/// Scopes.
impl Translator<'_, '_> {
    /// The scopes of a list that an access belongs to. Where it belongs to several of one
    /// domain, only an access that avoids all of them avoids it: nothing is said then.
    pub(super) fn scopes_belonged_to(&mut self, list: MetadataId) -> Option<ScopeSet> {
        let key = (list, self.is_in_nested_loops());
        if let Some(&set) = self.says.scopes.belongs.get(&key) {
            return set;
        }
        let scopes = self.scopes_of(list, key.1);
        let alone = |&(scope, domain): &(Scope, MetadataId)| {
            let of_domain = scopes.iter().filter(|(_, other)| *other == domain).count();
            (of_domain == 1).then_some(scope)
        };
        let scopes: Vec<Scope> = scopes.iter().filter_map(alone).collect();
        let set = (!scopes.is_empty()).then(|| self.body.scope_set(&scopes));
        self.says.scopes.belongs.insert(key, set);
        set
    }

    /// The scopes of a list whose accesses an access does not overlap.
    pub(super) fn scopes_avoided(&mut self, list: MetadataId) -> Option<ScopeSet> {
        let key = (list, self.is_in_nested_loops());
        if let Some(&set) = self.says.scopes.avoids.get(&key) {
            return set;
        }
        let scopes = self.scopes_of(list, key.1);
        let scopes: Vec<Scope> = scopes.iter().map(|&(scope, _)| scope).collect();
        let set = (!scopes.is_empty()).then(|| self.body.scope_set(&scopes));
        self.says.scopes.avoids.insert(key, set);
        set
    }

    fn is_in_nested_loops(&mut self) -> bool {
        let current = self.current;
        self.loops().depths[current.index()] > 1
    }

    /// The scopes of a list that hold throughout the function, and the domain of each.
    /// Of a domain of which one does not, none is told: what belongs to several scopes
    /// would look as if it belonged to fewer.
    fn scopes_of(&mut self, list: MetadataId, is_nested: bool) -> Vec<(Scope, MetadataId)> {
        /// More scopes than this say too little for what they cost.
        const MAX_SCOPES: usize = 64;
        let items = self.shared.tuple(list).unwrap_or_default();
        let mut scopes = Vec::new();
        let mut passing = Vec::new();
        for item in items.iter().take(MAX_SCOPES) {
            let MetadataItem::Node(id) = item else { continue };
            let Some(parts) = self.shared.tuple(*id) else { continue };
            let Some(&MetadataItem::Node(domain)) = parts.get(1) else { continue };
            match self.loops().declared.get(id) {
                Some(true) => {}
                None if !is_nested => {}
                _ => {
                    passing.push(domain);
                    continue;
                }
            }
            let body = &mut self.body;
            let known = &mut self.says.scopes.of;
            let scope = known.entry(*id).or_insert_with(|| body.make_scope(&scope_name(&parts)));
            scopes.push((*scope, domain));
        }
        scopes.retain(|(_, domain)| !passing.contains(domain));
        scopes
    }

    fn loops(&mut self) -> &Loops {
        let loops = match self.says.scopes.loops.take() {
            Some(loops) => loops,
            None => self.find_loops(),
        };
        self.says.scopes.loops.insert(loops)
    }

    fn find_loops(&self) -> Loops {
        let depths = self.loop_depths();
        let function = self.function;
        let mut declared = FxHashMap::default();
        for &block in &self.graph.order {
            let is_outside = depths[block.index()] == 0;
            for inst in instructions(function, block) {
                for scope in self.declared_scopes(inst) {
                    *declared.entry(scope).or_insert(true) &= is_outside;
                }
            }
        }
        Loops { depths, declared }
    }

    /// For each block, how many blocks that are gone back to stand before it, and are
    /// gone back to from behind it, in the order of translation: at least the number of
    /// the loops that it is in.
    fn loop_depths(&self) -> Vec<u32> {
        let function = self.function;
        let order = &self.graph.order;
        let mut rank = vec![0; function.blocks.len()];
        order.iter().enumerate().for_each(|(index, block)| rank[block.index()] = index);
        let mut ends = vec![None; order.len()];
        for (index, &block) in order.iter().enumerate() {
            visit_successors(function, block, |to| {
                let to = rank[to.index()];
                if to <= index {
                    ends[to] = Some(index);
                }
            });
        }
        let mut closing = vec![0; order.len()];
        ends.iter().flatten().for_each(|&end: &usize| closing[end] += 1);
        let mut depths = vec![0; function.blocks.len()];
        let mut depth: u32 = 0;
        for (index, block) in order.iter().enumerate() {
            depth += u32::from(ends[index].is_some());
            depths[block.index()] = depth;
            depth -= closing[index];
        }
        depths
    }

    /// The scopes that an instruction declares.
    fn declared_scopes(&self, inst: &Instruction) -> Vec<MetadataId> {
        const DECLARATION: &str = "llvm.experimental.noalias.scope.decl";
        let Kind::Call(call) = &inst.kind else { return Vec::new() };
        let Operand::Constant(callee) = call.callee else { return Vec::new() };
        let ConstantData::Global(global) = self.constant_of(callee).data else {
            return Vec::new();
        };
        if self.shared.syntax.globals[global.index()].name != DECLARATION {
            return Vec::new();
        }
        let list = self.call_args(call).first().and_then(|arg| match arg.value {
            Operand::Constant(id) => match &self.constant_of(id).data {
                ConstantData::Metadata(range) => {
                    let text = &self.shared.text[range.start as usize..range.end as usize];
                    text.trim().strip_prefix('!')?.parse().ok().map(MetadataId)
                }
                _ => None,
            },
            Operand::Local(_) => None,
        });
        let items = list.and_then(|list| self.shared.tuple(list)).unwrap_or_default();
        let node = |item: &MetadataItem<'_>| match item {
            &MetadataItem::Node(id) => Some(id),
            _ => None,
        };
        items.iter().filter_map(node).collect()
    }
}

fn scope_name(parts: &[MetadataItem<'_>]) -> String {
    let name = parts.iter().find_map(|part| match part {
        MetadataItem::String(name) => Some(name),
        _ => None,
    });
    let name = name.map_or_else(String::new, |name| String::from_utf8_lossy(name).into_owned());
    name.chars().take(MAX_NAME).collect()
}
