//! What a [`Payload`](crate::instruction::Payload) of
//! [`instruction`](FunctionBuilder::instruction) names.

use super::function::FunctionBuilder;
use super::handle::{Block, Value};
use crate::body::SwitchData;
use crate::entity::{AliasClass, Scope, ScopeSet, SwitchTable};
use crate::instruction::{ImmediateList, Target};

impl FunctionBuilder<'_> {
    /// An edge, for one instruction; nothing if a handle is none of this function.
    pub fn make_target(&mut self, block: Block, args: &[Value]) -> Option<Target> {
        self.own_target(block, args)
    }

    /// A switch, for one instruction: the numbers of its cases, and a target
    /// for each and for all others.
    pub fn make_switch(&mut self, cases: Vec<u128>, targets: Vec<Target>) -> SwitchTable {
        self.body.make_switch(SwitchData { cases, targets })
    }

    /// The indices of a path, or the lanes of a shuffle.
    pub fn make_immediates(&mut self, immediates: &[u32]) -> ImmediateList {
        self.body.immediate_list(immediates)
    }

    /// A no-alias scope; the name is for people.
    pub fn make_scope(&mut self, name: &str) -> Scope {
        self.body.make_scope(name)
    }

    /// The set of those scopes.
    pub fn make_scope_set(&mut self, scopes: &[Scope]) -> ScopeSet {
        self.body.scope_set(scopes)
    }

    /// The alias class of that name below `parent`, made at first use; a
    /// class keeps the parent that it was made with.
    pub fn alias_class(&mut self, name: &str, parent: Option<AliasClass>) -> AliasClass {
        self.module.alias_class(name, parent)
    }
}
