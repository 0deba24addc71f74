//! Parameters that are `noalias`: what is accessed through one, and stored to while the function
//! runs, is accessed through nothing that is not made from it.
//!
//! What an address is made from is told by what it is added to. Accesses through one such
//! parameter are a scope, and so are those to what other parameters and objects of the module
//! are added to; stores to the one say that they touch nothing of the other. Nothing is said of
//! addresses of which it takes more to tell where they come from, as those that are loaded.

use super::function::Translator;
use crate::body::{Body, ValueDef};
use crate::entity::{Inst, Scope, Value};
use crate::instruction::Payload;
use crate::llvm::syntax::{GlobalData, ParamFlags};
use crate::op::Op;

/// How many additions an address is followed through.
const MOST_STEPS: usize = 64;

/// What an address is made from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Root {
    /// The `noalias` parameter of that number.
    Alone(usize),
    /// Another parameter, or an object of the module.
    Other,
}

/// An access through an address of which that is known.
#[derive(Clone, Copy, Debug)]
struct Found {
    inst: Inst,
    root: Root,
    stores: bool,
}

impl Translator<'_, '_> {
    /// Says of loads and stores what the text says of parameters.
    pub(super) fn set_params_apart(&mut self) {
        let alone = self.params_alone();
        if alone.is_empty() {
            return;
        }
        let found = accesses(&self.body, &alone);
        let mut roots: Vec<Root> = found.iter().map(|it| it.root).collect();
        roots.sort_unstable();
        roots.dedup();
        // Only what something else stores beside is asked for.
        roots.retain(|&root| found.iter().any(|it| it.stores && it.root != root));
        let scopes: Vec<(Root, Scope)> = roots
            .into_iter()
            .map(|root| (root, self.body.make_scope(&self.name_of(root))))
            .collect();
        for Found { inst, root, stores } in found {
            let (own, others): (Vec<_>, Vec<_>) = scopes.iter().partition(|(of, _)| *of == root);
            self.join_scopes(inst, own, if stores { others } else { Vec::new() });
        }
    }

    /// The parameters that say it, and which values they are.
    fn params_alone(&self) -> Vec<(usize, Value)> {
        let GlobalData::Function(head) = &self.shared.syntax.globals[self.id.index()].data else {
            return Vec::new();
        };
        let Some(entry) = self.body.layout.entry() else { return Vec::new() };
        let params = self.body.params(entry).iter().copied();
        let said = head.param_attributes.iter().zip(params).enumerate();
        // What is passed by value is the function's own anyway.
        let alone = said.filter(|(_, (says, _))| {
            says.flags.contains(ParamFlags::NOALIAS) && says.by_value.is_none()
        });
        alone.map(|(number, (_, value))| (number, value)).collect()
    }

    fn name_of(&self, root: Root) -> String {
        let Root::Alone(number) = root else { return "other".to_owned() };
        let local = self.function.params.get(number);
        let local = local.map(|local| &self.function.locals[local.index()]);
        let name = local.and_then(|local| local.name.as_deref());
        name.map_or_else(|| number.to_string(), str::to_owned)
    }

    /// Puts an access into scopes, and sets it apart from others, beside what it says already.
    fn join_scopes(&mut self, inst: Inst, own: Vec<(Root, Scope)>, others: Vec<(Root, Scope)>) {
        let Payload::Access(mut access) = self.body.inst(inst).payload else { return };
        for (set, more) in [(&mut access.scopes, own), (&mut access.no_alias, others)] {
            if more.is_empty() {
                continue;
            }
            let known = set.expand().map(|set| self.body.scope_set_members(set).to_vec());
            let mut all = known.unwrap_or_default();
            all.extend(more.into_iter().map(|(_, scope)| scope));
            *set = self.body.scope_set(&all).into();
        }
        self.body.inst_mut(inst).payload = Payload::Access(access);
    }
}

/// The loads and stores of which it is known what their addresses are made from.
fn accesses(body: &Body, alone: &[(usize, Value)]) -> Vec<Found> {
    let mut found = Vec::new();
    for inst in body.layout.all_insts() {
        let args = body.args(inst);
        let (address, stores) = match body.inst(inst).op {
            Op::Load => (args.first(), false),
            Op::Store => (args.get(1), true),
            _ => continue,
        };
        if let Some(root) = address.and_then(|&address| root(body, alone, address)) {
            found.push(Found { inst, root, stores });
        }
    }
    found
}

fn root(body: &Body, alone: &[(usize, Value)], address: Value) -> Option<Root> {
    let mut address = address;
    for _ in 0..MOST_STEPS {
        match body.value_def(address) {
            ValueDef::Param(block, _) if Some(block) == body.layout.entry() => {
                let said = alone.iter().find(|(_, value)| *value == address);
                return Some(said.map_or(Root::Other, |&(number, _)| Root::Alone(number)));
            }
            ValueDef::Result(inst, _) if body.inst(inst).op == Op::PtrAdd => {
                address = *body.args(inst).first()?;
            }
            ValueDef::Result(inst, _) if body.inst(inst).op == Op::DataAddr => {
                return Some(Root::Other);
            }
            _ => return None,
        }
    }
    None
}
