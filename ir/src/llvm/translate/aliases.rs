//! Aliases: what they stand for, and functions that stand in for exported ones.

use super::Resolved;
use super::data::Initialisers;
use super::fold::Folded;
use crate::body::Body;
use crate::entity::{FuncId, Value};
use crate::instruction::{InstData, Payload};
use crate::llvm::syntax::{self, GlobalData, GlobalId, Offset};
use crate::module::{Linkage, Symbol};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Arity, Signature, Type};

/// How many aliases may be aliases of each other.
const MAX_CHAIN: usize = 100;

impl Initialisers<'_, '_> {
    /// Finds out what every alias stands for.
    pub(super) fn resolve_aliases(&mut self) {
        for index in 0..self.shared.syntax.order.len() {
            let id = self.shared.syntax.order[index];
            let global = &self.shared.syntax.globals[id.index()];
            if matches!(global.data, GlobalData::Alias { .. }) {
                let at = global.at;
                // What is wrong with one leaves the others to be looked at.
                let _ = self.resolve(id, at).and_then(|resolved| self.export(id, resolved));
            }
        }
    }

    /// What a global stands for; an alias is looked through.
    pub(super) fn resolve(&mut self, id: GlobalId, at: Offset) -> Parsed<Resolved> {
        let GlobalData::Alias { target, .. } = self.shared.syntax.globals[id.index()].data else {
            return self.shared.resolve(id, at);
        };
        if let Some(resolved) = self.shared.symbols[id.index()] {
            return Ok(resolved);
        }
        if self.pending.len() >= MAX_CHAIN || self.pending.contains(&id) {
            let message = "the alias stands for itself, or for too many others";
            return Err(self.shared.invalid(at, message));
        }
        if let Some(import) = self.shared.import_for_alias(id, at)? {
            self.shared.symbols[id.index()] = Some(import);
            return Ok(import);
        }
        self.pending.push(id);
        let folded = self.fold(target);
        self.pending.pop();
        let resolved = match folded? {
            Folded { base: Some(symbol), bits } => {
                Resolved::Address { symbol, offset: bits as i64 }
            }
            Folded { base: None, bits: 0 } => Resolved::Null,
            Folded { base: None, .. } => {
                return Err(self.shared.unsupported(at, "the alias stands for a number"));
            }
        };
        self.shared.symbols[id.index()] = Some(resolved);
        Ok(resolved)
    }

    /// Gives an alias of a function that others see a function of its name; of data, and of
    /// a function with further arguments, which nothing could hand on, the other files of
    /// the program see what it stands for.
    fn export(&mut self, id: GlobalId, resolved: Resolved) -> Parsed<()> {
        let global = &self.shared.syntax.globals[id.index()];
        let (at, linkage) = (global.at, global.linkage);
        let Resolved::Address { symbol, offset } = resolved else { return Ok(()) };
        if self.shared.gives_way(id) {
            return Ok(());
        }
        let name = self.shared.claim(id, at)?;
        if linkage == syntax::Linkage::Internal {
            return Ok(());
        }
        let (Symbol::Function(target), 0) = (symbol, offset) else {
            return self.shared.share(id, symbol);
        };
        let Some(function) = self.shared.module.function(target) else { return Ok(()) };
        let (sig, foreign) = (function.sig, function.linkage.is_foreign());
        let signature = self.shared.module.types.sig(sig).clone();
        if signature.arity == Arity::Variadic {
            return self.shared.share(id, symbol);
        }
        let types = &mut self.shared.module.types;
        let own = Signature { convention: Default::default(), ..signature.clone() };
        let own = types.signature(own).map_err(|error| self.shared.unsupported(at, error))?;
        let linkage = match self.shared.is_merged(id) && !self.shared.is_duplicate(id) {
            true => Linkage::Weak,
            false => Linkage::Export,
        };
        self.shared.refuse_list_name(&name, linkage, at)?;
        let declared = self.shared.module.declare_function(&name, own, linkage);
        let alias = declared.map_err(|error| self.shared.invalid(at, error))?;
        let body = forwarding_body(&signature, target, foreign);
        if let Some(function) = self.shared.module.function_mut(alias) {
            function.body = Some(Box::new(body));
        }
        Ok(())
    }
}

/// The body of a function that does nothing but what `target` does.
fn forwarding_body(signature: &Signature, target: FuncId, foreign: bool) -> Body {
    let mut body = Body::default();
    let block = body.make_block();
    body.layout.append_block(block);
    let params: Vec<Value> =
        signature.param_types().map(|ty| body.append_param(block, ty)).collect();
    let args = body.list(&params);
    let mut append = |op, args, payload, results: &[Type]| {
        let inst = body.append_inst(block, InstData::new(op, Type::NONE, args, payload), results);
        let results = body.results(inst).to_vec();
        body.list(&results)
    };
    if foreign {
        let results: Vec<Type> = signature.result_types().collect();
        let payload = Payload::ForeignCall { function: target, roots: 0 };
        let results = append(Op::CallForeign, args, payload, &results);
        append(Op::Return, results, Payload::None, &[]);
    } else {
        append(Op::ReturnCall, args, Payload::Function(target), &[]);
    }
    body
}
