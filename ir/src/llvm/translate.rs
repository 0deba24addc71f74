//! From what a text says to a module of ours.

mod abi;
mod address;
mod aliases;
mod apart;
mod assembly;
mod atomic;
mod bits;
mod blocks;
mod call;
mod cast;
mod constant;
mod constructors;
mod control;
mod data;
mod debug;
mod fold;
mod function;
mod instruction;
mod integer;
mod intrinsic;
mod layout;
mod linkage;
mod memory;
mod metadata;
mod pieces;
mod relative;
mod shared_data;
mod soft_float;
mod stack;
mod symbols;
mod types;
mod vector;
mod wide;

use std::fmt;

use hashbrown::{HashMap, HashSet};

use super::ReadOptions;
use super::parse;
use super::report::Report;
use super::syntax::{self, GlobalData, GlobalId, Name, Offset, TypeId};
use crate::entity::{DataId, FuncId};
use crate::module::{Module, Symbol};
use crate::text::{Code, Diagnostic, Parsed, Reported};

use data::Initialisers;
use function::Translator;
pub(super) use linkage::{Comdat, Declared, Definition, Program, Room};
pub(super) use shared_data::SharedAlias;

/// What all functions of a module share while it is translated.
struct Shared<'t> {
    text: &'t str,
    options: &'t ReadOptions,
    /// What the text says.
    syntax: syntax::Module<'t>,
    /// What comes of it.
    module: Module,
    report: Report<'t>,
    /// What all texts of the program define.
    program: Option<&'t Program<'t>>,
    /// Sizes and carriers of the types of the text.
    types: types::Types,
    /// What the globals of the text have become.
    symbols: Vec<Option<Resolved>>,
    /// Those that this module declares alone, until something needs one: nobody has to
    /// define what nothing needs.
    unneeded: Vec<bool>,
    /// The functions whose address is taken.
    addressed: HashSet<FuncId>,
    /// The numbers of blocks whose address is taken, or that may be gone to by address.
    block_numbers: HashMap<(GlobalId, Name<'t>), u32>,
    /// Whether the functions of soft floats are there.
    has_soft_floats: bool,
    /// What metadata has been found to say.
    says: metadata::ModuleSays,
    /// The places of the source's functions.
    scopes: debug::Scopes,
    /// The places of the text itself.
    lines: debug::Lines,
    /// How many instructions more may come of single words of the text.
    budget: u64,
}

/// What a global of the text has become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Resolved {
    /// The address of a symbol, plus a number of bytes.
    Address { symbol: Symbol, offset: i64 },
    /// A table of distances from itself, which only `llvm.load.relative` reads.
    Relative(DataId),
    /// No address: what `extern_weak` has where nobody defines it.
    Null,
}

/// How many instructions may come of each byte of a text, beside
/// [`SPARE_INSTRUCTIONS`]: that one line can ask for an aggregate of thousands of parts
/// must not make a small text fill the memory.
const INSTRUCTIONS_PER_BYTE: u64 = 16;

/// How many instructions may come of whatever small text.
const SPARE_INSTRUCTIONS: u64 = 1 << 18;

/// Reads a module. What it imports has the signatures of the program's definitions, whatever
/// the text says of it: calls that say something else go through the address then.
pub(super) fn translate<'t>(
    text: &'t str,
    options: &'t ReadOptions,
    program: &'t Program<'t>,
) -> Result<Module, Vec<Diagnostic>> {
    let mut report = Report::new(text, options.limits.diagnostics);
    let syntax = parse::outline(text, &mut report);
    let mut shared = Shared::new(text, options, syntax, report);
    shared.program = Some(program);
    if shared.report.is_empty() {
        // What is wrong is in the report.
        let _ = shared.translate_module();
    }
    match shared.report.is_empty() {
        true => Ok(shared.module),
        false => Err(shared.report.into_diagnostics()),
    }
}

/// What a text defines for others.
pub(super) fn declared(text: &str, options: &ReadOptions) -> Declared {
    let mut report = Report::new(text, 1);
    let syntax = parse::outline(text, &mut report);
    let mut shared = Shared::new(text, options, syntax, report);
    if let Ok(layout) = layout::DataLayout::parse(&shared.syntax.layout) {
        shared.types.layout = layout;
        shared.declare_symbols();
        let constants = std::mem::take(&mut shared.syntax.constants);
        Initialisers::new(&mut shared, &constants).resolve_aliases();
    }
    shared.into_declared()
}

impl<'t> Shared<'t> {
    fn new(
        text: &'t str,
        options: &'t ReadOptions,
        syntax: syntax::Module<'t>,
        report: Report<'t>,
    ) -> Shared<'t> {
        let module = Module::new(&syntax.source);
        let budget = SPARE_INSTRUCTIONS + INSTRUCTIONS_PER_BYTE * text.len() as u64;
        Shared {
            text,
            options,
            syntax,
            module,
            report,
            program: None,
            types: types::Types::default(),
            symbols: Vec::new(),
            unneeded: Vec::new(),
            addressed: HashSet::new(),
            block_numbers: HashMap::new(),
            has_soft_floats: false,
            says: metadata::ModuleSays::default(),
            scopes: debug::Scopes::default(),
            lines: debug::Lines::default(),
            budget,
        }
    }

    fn translate_module(&mut self) -> Parsed<()> {
        if let Some(at) = self.syntax.assembly {
            self.unsupported(at, "there is assembly beside the functions");
        }
        self.types.layout = match layout::DataLayout::parse(&self.syntax.layout) {
            Ok(layout) => layout,
            Err(reason) => return Err(self.unsupported(0, reason)),
        };
        self.check_comdats();
        self.check_aliases();
        self.declare_symbols();
        let constants = std::mem::take(&mut self.syntax.constants);
        let mut initialisers = Initialisers::new(self, &constants);
        initialisers.resolve_aliases();
        initialisers.define_data();
        initialisers.define_constructors();
        self.syntax.constants = constants;
        for index in 0..self.syntax.order.len() {
            if self.report.is_full() {
                break;
            }
            // What is wrong with one function leaves the others to be looked at.
            let _ = self.translate_function(self.syntax.order[index]);
        }
        Ok(())
    }

    fn translate_function(&mut self, id: GlobalId) -> Parsed<()> {
        let GlobalData::Function(head) = &self.syntax.globals[id.index()].data else {
            return Ok(());
        };
        let Some(&Some(Resolved::Address { symbol: Symbol::Function(ours), .. })) =
            self.symbols.get(id.index())
        else {
            return Ok(());
        };
        if head.body.is_none() || !self.is_defined_here(ours) {
            return Ok(());
        }
        let function = parse::body(self.text, &mut self.syntax, id, &mut self.report)?;
        let mut body = Translator::translate(self, &function, id)?;
        body.shrink_to_fit();
        if let Some(function) = self.module.function_mut(ours) {
            function.body = Some(Box::new(body));
        }
        Ok(())
    }

    /// Takes the cost of so many instructions that one word of the text asks for.
    fn charge(&mut self, instructions: u64, at: Offset) -> Parsed<()> {
        match self.budget.checked_sub(instructions) {
            Some(rest) => {
                self.budget = rest;
                Ok(())
            }
            None => {
                let message = "the text has too many values of many parts; keep them in memory";
                Err(self.unsupported(at, message))
            }
        }
    }

    /// The number that stands for the address of a block: from 1, since no address is null.
    fn block_number(&mut self, function: GlobalId, block: Name<'t>) -> u32 {
        let next = self.block_numbers.len() as u32 + 1;
        *self.block_numbers.entry((function, block)).or_insert(next)
    }

    /// Reports what has no meaning here.
    fn unsupported(&mut self, at: Offset, what: impl fmt::Display) -> Reported {
        self.report.add(Code::LlvmUnsupported, at, what)
    }

    /// Reports a breach of LLVM's own rules.
    fn invalid(&mut self, at: Offset, what: impl fmt::Display) -> Reported {
        self.report.add(Code::LlvmInvalid, at, what)
    }

    /// The text of a type, for messages.
    fn show_type(&self, ty: TypeId) -> String {
        self.syntax.show(ty).to_string()
    }
}
