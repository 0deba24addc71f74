//! Everything that a module holds, spelled without the printer: equal
//! descriptions are equal modules, up to the numbers of what has none in text.

use std::fmt::Write;

use crate::body::{Body, ExitKind, LocData, TEXT_FILE};
use crate::entity::{Block, EntityRef, Inst, PackedOption, ScopeSet, Value};
use crate::instruction::{Access, Payload, Target};
use crate::module::{Module, Symbol};
use crate::types::Type;

pub(super) fn describe(module: &Module) -> String {
    let mut text = format!("{:?} {:?}\n", module.name, module.target);
    for (class, data) in module.alias_classes() {
        writeln!(text, "{class} {data:?}").unwrap();
    }
    for &symbol in module.declarations() {
        let Symbol::Function(id) = symbol else {
            let Symbol::Data(id) = symbol else { unreachable!() };
            writeln!(text, "{symbol:?} {:?}", module.data(id)).unwrap();
            continue;
        };
        let function = module.function(id).unwrap();
        let sig = module.types.sig(function.sig);
        writeln!(text, "{symbol:?} {:?} {:?}", function.name, function.linkage).unwrap();
        writeln!(text, "{:?} {:?} {:?}", sig.convention, sig.arity, function.attributes).unwrap();
        for param in sig.params.iter().chain(&sig.results) {
            writeln!(text, "{} {:?}", module.types.display(param.ty), param.passing).unwrap();
        }
        if let Some(body) = &function.body {
            Describer { module, body }.body(&mut text);
        }
    }
    text
}

struct Describer<'a> {
    module: &'a Module,
    body: &'a Body,
}

impl Describer<'_> {
    fn body(&self, text: &mut String) {
        for (slot, data) in self.body.slots() {
            writeln!(text, "{slot} {data:?}").unwrap();
        }
        for (exit, data) in self.body.exits() {
            let types: Vec<String> = data.types.iter().map(|&ty| self.ty(ty)).collect();
            let kind: ExitKind = data.kind;
            writeln!(text, "{exit} {kind:?} {types:?}").unwrap();
        }
        writeln!(text, "{:?}", self.body.scopes().collect::<Vec<_>>()).unwrap();
        for block in self.body.layout.blocks() {
            let params = self.body.params(block).iter();
            let params: Vec<String> = params.map(|&param| self.definition(param)).collect();
            writeln!(text, "{}{params:?}", self.block(block)).unwrap();
            for inst in self.body.layout.insts(block) {
                self.inst(text, inst);
            }
        }
    }

    fn inst(&self, text: &mut String, inst: Inst) {
        let data = self.body.inst(inst);
        let results = self.body.results(inst).iter();
        let results: Vec<String> = results.map(|&result| self.definition(result)).collect();
        let args: Vec<String> = self.body.args(inst).iter().map(|&arg| self.value(arg)).collect();
        let (op, ty) = (data.op, self.ty(data.ty));
        writeln!(text, "{results:?} {op:?} {ty} {:?} {args:?}", data.flags).unwrap();
        writeln!(text, "  {}", self.payload(&data.payload)).unwrap();
        let targets: Vec<String> =
            self.body.targets(inst).iter().map(|target| self.target(target)).collect();
        writeln!(text, "  {targets:?}").unwrap();
        writeln!(text, "  {:?} {:?}", self.body.weights(inst), self.body.range(inst)).unwrap();
        // Lines of the text itself: printing moves them.
        if self.body.has_source_locs() {
            for loc in self.body.loc_chain(data.loc) {
                writeln!(text, "  {}", self.loc(loc)).unwrap();
            }
        }
    }

    fn loc(&self, loc: &LocData) -> String {
        let file = match loc.file {
            TEXT_FILE => None,
            file => Some(self.module.string(file)),
        };
        let function = loc.function.map(|function| self.module.string(function));
        format!("{file:?} {} {} {function:?}", loc.line, loc.column)
    }

    fn payload(&self, payload: &Payload) -> String {
        match *payload {
            Payload::Access(access) => self.access(&access),
            Payload::Atomic { order, access } => format!("{order} {}", self.access(&access)),
            Payload::AtomicRmw { op, order, access } => {
                format!("{op} {order} {}", self.access(&access))
            }
            Payload::AtomicCas { order, failure, access } => {
                format!("{order} {failure} {}", self.access(&access))
            }
            Payload::AtomicModify { function, order, access } => {
                format!("{function} {order} {}", self.access(&access))
            }
            Payload::TryCall { function, roots, .. } => format!("{function:?} {roots}"),
            Payload::Immediates(list) => format!("{:?}", self.body.immediates(list)),
            Payload::Jump(_) | Payload::Branch(_) => "targets".to_owned(),
            Payload::Switch(table) => format!("{:?}", self.body.switch(table).unwrap().cases),
            Payload::Feature(index) => self.module.string(index).to_owned(),
            other => format!("{other:?}"),
        }
    }

    fn access(&self, access: &Access) -> String {
        let scopes = |set: PackedOption<ScopeSet>| {
            set.expand().map(|set| self.body.scope_set_members(set).to_vec())
        };
        let Access { offset, align_log2, flags, class, .. } = access;
        let (member, no_alias) = (scopes(access.scopes), scopes(access.no_alias));
        format!("{offset} {align_log2} {flags:?} {class:?} {member:?} {no_alias:?}")
    }

    fn target(&self, target: &Target) -> String {
        let args = self.body.target_args(target).iter();
        let args: Vec<String> = args.map(|&arg| self.value(arg)).collect();
        format!("{}{args:?}", self.block(target.block))
    }

    fn block(&self, block: Block) -> String {
        match self.body.block_name(block).filter(|n| self.body.block_named(n) == Some(block)) {
            Some(name) => format!("{name:?}"),
            None => block.index().to_string(),
        }
    }

    fn value(&self, value: Value) -> String {
        if let Some(constant) = self.body.as_constant(value) {
            return format!("{} {:?}", self.ty(constant.ty()), constant.bits());
        }
        match self.body.value_name(value).filter(|n| self.body.value_named(n) == Some(value)) {
            Some(name) => format!("{name:?}"),
            None => value.index().to_string(),
        }
    }

    fn definition(&self, value: Value) -> String {
        format!("{}: {}", self.value(value), self.ty(self.body.value_type(value)))
    }

    fn ty(&self, ty: Type) -> String {
        self.module.types.display(ty).to_string()
    }
}
