//! Collects errors with their places.

use std::fmt::{self, Display};

use super::line::{cut_message, cut_name, cut_path, line_of};
use super::{Rule, SourcePlace, VerifyError, VerifyErrors};
use crate::body::{Body, TEXT_FILE};
use crate::entity::{AliasClass, Block, Exit, FuncId, Inst, Loc, SigId, Slot};
use crate::module::{Module, Symbol};
use crate::op::Safety;
use crate::text::BodyPrinter;

/// What an error is about, down to as much as is known.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// Nothing that the module has.
    Nowhere,
    Class(AliasClass),
    Signature(SigId),
    Symbol(Symbol),
    Body(FuncId, BodyPrinter<'a>, At),
}

/// What of a function with a body an error is about.
#[derive(Clone, Copy)]
pub(super) enum At {
    Function,
    Slot(Slot),
    Exit(Exit),
    Loc(Loc),
    Block(Block),
    Inst(Inst),
}

impl<'a> Place<'a> {
    fn symbol(self) -> Option<Symbol> {
        match self {
            Place::Nowhere | Place::Class(_) | Place::Signature(_) => None,
            Place::Symbol(symbol) => Some(symbol),
            Place::Body(id, ..) => Some(Symbol::Function(id)),
        }
    }

    fn inst(self) -> Option<(&'a Body, Inst)> {
        match self {
            Place::Body(_, printer, At::Inst(inst)) => Some((printer.body, inst)),
            _ => None,
        }
    }

    fn block(self) -> Option<(BodyPrinter<'a>, Block)> {
        let Place::Body(_, printer, at) = self else { return None };
        let block = match at {
            At::Block(block) => Some(block),
            At::Inst(inst) => printer.body.layout.block_of(inst),
            _ => None,
        };
        Some((printer, block?))
    }
}

/// The errors so far.
pub(super) struct Report<'a> {
    module: &'a Module,
    errors: Vec<VerifyError>,
    omitted: usize,
    max_errors: usize,
    /// Whether anything raw was seen: found on the way, since asking again takes a walk.
    safety: Safety,
    /// Elementary steps taken, for tests of linearity.
    pub(super) work: u64,
}

impl<'a> Report<'a> {
    pub(super) fn new(module: &'a Module, max_errors: usize) -> Report<'a> {
        // An empty list could not say that there are errors at all.
        let max_errors = max_errors.max(1);
        let (errors, safety) = (Vec::new(), Safety::Safe);
        Report { module, errors, omitted: 0, max_errors, safety, work: 0 }
    }

    /// Adds an error; the message is written only if it is kept.
    pub(super) fn push(&mut self, rule: Rule, place: Place<'_>, message: fmt::Arguments<'_>) {
        if self.errors.len() >= self.max_errors {
            self.omitted += 1;
            return;
        }
        let symbol = place.symbol();
        let block = place.block();
        let block_name = block.map(|(printer, block)| cut_name(shown_block(printer, block)));
        self.errors.push(VerifyError {
            rule,
            message: cut_message(message),
            symbol,
            symbol_name: cut_name(symbol.map_or("", |symbol| self.module.symbol_name(symbol)))
                .into(),
            block: block.map(|(_, block)| block),
            block_name: block_name.unwrap_or_default().into(),
            inst: place.inst().map(|(_, inst)| inst),
            line: line_of(self.module, place),
            place: place.inst().and_then(|(body, inst)| self.source_place(body, inst)),
        });
    }

    /// Notes whether something is raw.
    #[inline]
    pub(super) fn note(&mut self, safety: Safety) {
        if safety == Safety::Raw {
            self.safety = Safety::Raw;
        }
    }

    /// How many errors there are, listed or not.
    pub(super) fn error_count(&self) -> usize {
        self.errors.len() + self.omitted
    }

    fn source_place(&self, body: &Body, inst: Inst) -> Option<SourcePlace> {
        let loc = body.loc_data(body.loc(inst).expand()?)?;
        let file = (loc.file != TEXT_FILE).then(|| cut_path(self.module.string(loc.file)).into());
        Some(SourcePlace { file, line: loc.line, column: loc.column })
    }

    /// Whether anything raw was noted.
    ///
    /// # Errors
    /// Those that there are.
    pub(super) fn finish(self) -> Result<Safety, VerifyErrors> {
        match self.errors.is_empty() {
            true => Ok(self.safety),
            false => Err(VerifyErrors { errors: self.errors, omitted: self.omitted }),
        }
    }
}

/// A block as the text names it.
pub(crate) fn shown_block(printer: BodyPrinter<'_>, block: Block) -> impl Display {
    fmt::from_fn(move |f| printer.write_block_name(f, block))
}
