//! Collects errors with their places.

use std::fmt;

use super::{Rule, SourcePlace, VerifyError, VerifyErrors};
use crate::body::{Body, TEXT_FILE};
use crate::entity::{Block, FuncId, Inst};
use crate::module::{Module, Symbol};
use crate::types::Signature;

/// Where an error is, down to as much as is known.
#[derive(Clone, Copy, Default)]
pub(super) struct Place<'a> {
    pub(super) symbol: Option<Symbol>,
    pub(super) body: Option<&'a Body>,
    pub(super) signature: Option<&'a Signature>,
    pub(super) block: Option<Block>,
    pub(super) inst: Option<Inst>,
}

/// The errors so far.
pub(super) struct Report<'a> {
    module: &'a Module,
    errors: Vec<VerifyError>,
    omitted: usize,
    max_errors: usize,
    /// Elementary steps taken, for tests of linearity.
    pub(super) work: u64,
}

impl<'a> Report<'a> {
    pub(super) fn new(module: &'a Module, max_errors: usize) -> Report<'a> {
        // An empty list could not say that there are errors at all.
        let max_errors = max_errors.max(1);
        Report { module, errors: Vec::new(), omitted: 0, max_errors, work: 0 }
    }

    /// Adds an error; the message is written only if it is kept.
    pub(super) fn push(&mut self, rule: Rule, place: Place<'_>, message: fmt::Arguments<'_>) {
        if self.errors.len() >= self.max_errors {
            self.omitted += 1;
            return;
        }
        let symbol_name = place.symbol.map_or("", |symbol| self.module.symbol_name(symbol));
        let mut error = VerifyError {
            rule,
            message: message.to_string(),
            symbol: place.symbol,
            symbol_name: symbol_name.into(),
            block: place.block,
            block_name: "".into(),
            inst: place.inst,
            line: String::new(),
            place: None,
        };
        if let Some(body) = place.body {
            if let Some(block) = place.block {
                error.block_name = block_name(body, block);
            }
            if let Some(inst) = place.inst.filter(|inst| body.contains_inst(*inst)) {
                error.line = super::line::cut_line(self.module, body, place.signature, inst);
                error.place = self.source_place(body, inst);
            }
        }
        self.errors.push(error);
    }

    /// How many errors there are, listed or not.
    pub(super) fn error_count(&self) -> usize {
        self.errors.len() + self.omitted
    }

    fn source_place(&self, body: &Body, inst: Inst) -> Option<SourcePlace> {
        let loc = body.loc_data(body.loc(inst).expand()?)?;
        let file = (loc.file != TEXT_FILE).then(|| self.module.string(loc.file).into());
        Some(SourcePlace { file, line: loc.line, column: loc.column })
    }

    pub(super) fn finish(self) -> Result<(), VerifyErrors> {
        match self.errors.is_empty() {
            true => Ok(()),
            false => Err(VerifyErrors { errors: self.errors, omitted: self.omitted }),
        }
    }
}

fn block_name(body: &Body, block: Block) -> Box<str> {
    body.block_name(block).map_or_else(|| block.to_string().into(), Into::into)
}

impl Place<'_> {
    pub(super) fn function(id: FuncId) -> Self {
        Place { symbol: Some(Symbol::Function(id)), ..Place::default() }
    }
}
