//! Which accesses do not overlap: the tree of types, and scopes.

use crate::entity::{AliasClass, Scope, ScopeSet};
use crate::llvm::syntax::{MetadataId, MetadataItem};
use crate::llvm::translate::Shared;
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

/// Scopes.
impl Translator<'_, '_> {
    /// The scopes of a list that an access belongs to. Where it belongs to several of one
    /// domain, only an access that avoids all of them avoids it: nothing is said then.
    pub(super) fn scopes_belonged_to(&mut self, list: MetadataId) -> Option<ScopeSet> {
        if let Some(&set) = self.says.belongs.get(&list) {
            return set;
        }
        let scopes = self.scopes_of(list);
        let alone = |&(scope, domain): &(Scope, MetadataId)| {
            let of_domain = scopes.iter().filter(|(_, other)| *other == domain).count();
            (of_domain == 1).then_some(scope)
        };
        let scopes: Vec<Scope> = scopes.iter().filter_map(alone).collect();
        let set = (!scopes.is_empty()).then(|| self.body.scope_set(&scopes));
        self.says.belongs.insert(list, set);
        set
    }

    /// The scopes of a list whose accesses an access does not overlap.
    pub(super) fn scopes_avoided(&mut self, list: MetadataId) -> Option<ScopeSet> {
        if let Some(&set) = self.says.avoids.get(&list) {
            return set;
        }
        let scopes: Vec<Scope> = self.scopes_of(list).iter().map(|&(scope, _)| scope).collect();
        let set = (!scopes.is_empty()).then(|| self.body.scope_set(&scopes));
        self.says.avoids.insert(list, set);
        set
    }

    /// The scopes of a list that hold throughout the function, and the domain of each.
    fn scopes_of(&mut self, list: MetadataId) -> Vec<(Scope, MetadataId)> {
        /// More scopes than this say too little for what they cost.
        const MAX_SCOPES: usize = 64;
        let items = self.shared.tuple(list).unwrap_or_default();
        let mut scopes = Vec::new();
        for item in items.iter().take(MAX_SCOPES) {
            let MetadataItem::Node(id) = item else { continue };
            let Some(parts) = self.shared.tuple(*id) else { continue };
            let Some(MetadataItem::Node(domain)) = parts.get(1) else { continue };
            let scope = match self.says.scopes.get(id) {
                Some(&scope) => scope,
                None => {
                    let scope = self.body.make_scope(&scope_name(&parts));
                    self.says.scopes.insert(*id, scope);
                    scope
                }
            };
            scopes.push((scope, *domain));
        }
        scopes
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
