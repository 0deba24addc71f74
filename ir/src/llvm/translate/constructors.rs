//! What a text has to be run before and after the program: one function for each priority,
//! that others can call.

use super::Shared;
use super::data::Initialisers;
use super::fold::Folded;
use crate::body::Body;
use crate::entity::{FuncId, Value};
use crate::instruction::{InstData, Payload};
use crate::llvm::startup::{CONSTRUCTORS, DESTRUCTORS, LAST, List, MAIN_PARAMS, takes_main_params};
use crate::llvm::syntax::{ConstantData, ConstantId, GlobalData, GlobalId, Offset};
use crate::module::{Linkage, Symbol};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Signature, Type};

/// A function and its priority; the lowest come first.
type Call = (u32, FuncId);

impl Shared<'_> {
    /// Refuses a function that would be taken for one of a list by its name alone.
    pub(super) fn refuse_list_name(
        &mut self,
        name: &str,
        linkage: Linkage,
        at: Offset,
    ) -> Parsed<()> {
        let lists = [&CONSTRUCTORS, &DESTRUCTORS];
        match linkage.is_shared() && lists.iter().any(|list| list.priority_in(name).is_some()) {
            true => {
                let message = format!(
                    "`@{name}` is a name for what runs before `main` or at the end; make it internal, and list it"
                );
                Err(self.unsupported(at, message))
            }
            false => Ok(()),
        }
    }
}

impl Initialisers<'_, '_> {
    /// Declares a function for each list that calls its functions by their priority.
    pub(super) fn define_constructors(&mut self) {
        // What is wrong is in the report.
        let _ = self.define_caller(&CONSTRUCTORS);
        let _ = self.define_caller(&DESTRUCTORS);
    }

    fn define_caller(&mut self, list: &List) -> Parsed<()> {
        let (mut calls, mut place) = (Vec::new(), None);
        for index in 0..self.shared.syntax.order.len() {
            let id = self.shared.syntax.order[index];
            if let Some((at, found)) = self.calls_of(id, list)? {
                place = place.or(Some(at));
                calls.extend(found);
            }
        }
        let Some(at) = place else { return Ok(()) };
        calls.sort_by_key(|&(priority, _)| priority);
        for group in calls.chunk_by_mut(|(one, _), (other, _)| one == other) {
            if list.name == DESTRUCTORS.name {
                group.reverse();
            }
            self.define_group(list, group, at)?;
        }
        Ok(())
    }

    /// Declares the function that calls those of one priority.
    fn define_group(&mut self, list: &List, group: &[Call], at: Offset) -> Parsed<()> {
        let priority = group.first().map_or(LAST, |&(priority, _)| priority);
        let mut name = match self.shared.options.number {
            0 => format!("{}.{priority}", list.name),
            number => format!("{}.{priority}.{number}", list.name),
        };
        if let &[(_, id)] = group
            && let Some(function) = self.shared.module.function_mut(id)
            && (function.linkage, &*function.name) == (Linkage::Local, &*name)
        {
            // It has been made of such a list before.
            function.linkage = Linkage::Export;
            return Ok(());
        }
        while self.shared.module.symbol(&name).is_some() {
            name.push_str(".of");
        }
        let count = group.iter().map(|&(_, id)| self.param_count(id)).max().unwrap_or(0);
        let signature = Signature::internal(&MAIN_PARAMS[..count], &[]);
        let sig = self.shared.module.types.signature(signature);
        let sig = sig.map_err(|error| self.shared.unsupported(at, error))?;
        let declared = self.shared.module.declare_function(&name, sig, Linkage::Export);
        let id = declared.map_err(|error| self.shared.invalid(at, error))?;
        let body = self.caller_body(group, count);
        if let Some(function) = self.shared.module.function_mut(id) {
            function.body = Some(Box::new(body));
        }
        Ok(())
    }

    /// The functions that a global adds to a list; none if it is no part of it.
    fn calls_of(&mut self, id: GlobalId, list: &List) -> Parsed<Option<(Offset, Vec<Call>)>> {
        let global = &self.shared.syntax.globals[id.index()];
        let GlobalData::Variable { initializer: Some(initializer), .. } = global.data else {
            return Ok(None);
        };
        let at = global.at;
        let section = global.section.unwrap_or_default();
        let priority = list.sections.iter().find_map(|&named| priority_of(section, named));
        let mut calls = Vec::new();
        if global.name == list.variable {
            for entry in self.parts(initializer) {
                calls.extend(self.entry(entry, at)?);
            }
        } else if let Some(priority) = priority {
            for function in self.parts(initializer) {
                calls.extend(self.call(priority, function, at)?);
            }
        } else {
            return Ok(None);
        }
        Ok(Some((at, calls)))
    }

    /// The parts of an aggregate; what is none is its only part.
    fn parts(&self, id: ConstantId) -> Vec<ConstantId> {
        match &self.constants[id.index()].data {
            ConstantData::Aggregate(parts) => parts.to_vec(),
            ConstantData::Zero => Vec::new(),
            _ => vec![id],
        }
    }

    /// A priority, a function, and what it is for: nothing, if that is another text's.
    fn entry(&mut self, entry: ConstantId, at: Offset) -> Parsed<Option<Call>> {
        let [priority, function, ref purpose @ ..] = self.parts(entry)[..] else {
            return Err(self.shared.invalid(at, "an entry is a priority and a function"));
        };
        if let Some(purpose) = purpose.first()
            && let ConstantData::Global(id) = self.constants[purpose.index()].data
            && self.shared.goes_with_comdat(id)
        {
            return Ok(None);
        }
        let priority = self.fold(priority)?.bits.min(LAST.into()) as u32;
        self.call(priority, function, at)
    }

    /// A call of the function that a constant is; none of null.
    fn call(&mut self, priority: u32, function: ConstantId, at: Offset) -> Parsed<Option<Call>> {
        let id = match self.fold(function)? {
            Folded { base: None, bits: 0 } => return Ok(None),
            Folded { base: Some(Symbol::Function(id)), bits: 0 } => id,
            _ => return Err(self.shared.unsupported(at, "a constructor is no function")),
        };
        match takes_main_params(self.shared.module.signature_of(id)) {
            true => Ok(Some((priority, id))),
            false => {
                let message = "a constructor takes other parameters than `main`";
                Err(self.shared.unsupported(at, message))
            }
        }
    }

    fn param_count(&self, id: FuncId) -> usize {
        self.shared.module.signature_of(id).params.len()
    }

    /// Calls one function behind the other, with those of so many parameters that it takes.
    fn caller_body(&self, calls: &[Call], count: usize) -> Body {
        let mut body = Body::default();
        let block = body.make_block();
        body.layout.append_block(block);
        let params = MAIN_PARAMS[..count].iter();
        let params: Vec<Value> = params.map(|&ty| body.append_param(block, ty)).collect();
        let module = &self.shared.module;
        for &(_, id) in calls {
            let foreign = module.function(id).is_some_and(|f| f.linkage.is_foreign());
            let (op, payload) = match foreign {
                true => (Op::CallForeign, Payload::ForeignCall { function: id, roots: 0 }),
                false => (Op::Call, Payload::Function(id)),
            };
            let results: Vec<Type> = module.signature_of(id).result_types().collect();
            let args = body.list(&params[..self.param_count(id)]);
            body.append_inst(block, InstData::new(op, Type::NONE, args, payload), &results);
        }
        let data = InstData::new(Op::Return, Type::NONE, Default::default(), Payload::None);
        body.append_inst(block, data, &[]);
        body
    }
}

/// The priority that the name of a section says, if it is that one: `.init_array.100`.
fn priority_of(section: &str, (name, unsaid): (&str, u32)) -> Option<u32> {
    let rest = section.strip_prefix(name)?;
    match rest.strip_prefix('.') {
        Some(number) => number.parse().ok(),
        None => rest.is_empty().then_some(unsaid),
    }
}
