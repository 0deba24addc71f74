//! The printer. It prints whatever it is given, modules that no verifier
//! would accept included; what verifies reads back as the same module.

mod attributes;
mod data;
mod entities;
mod instruction;
mod value;

use std::fmt;

pub(crate) use data::write_class;
pub(crate) use entities::write_slot;

use super::quote::{write_name, write_quoted};
use super::words::{
    CONVENTIONS, INLININGS, LINKAGES, MEMORY_EFFECTS, RETURNS, default_convention, spelling,
};
use crate::body::Body;
use crate::entity::{Block, FuncId, Inst};
use crate::module::{Attributes, Function, Linkage, Module, Symbol, Temperature};
use crate::types::Signature;

/// The text of a module.
pub fn print_module(module: &Module) -> String {
    module.to_string()
}

/// The text of a function with its body; empty if `id` is not of the module.
pub fn print_function(module: &Module, id: FuncId) -> String {
    let mut text = String::new();
    if let Some(function) = module.function(id) {
        // Writing to a string cannot fail.
        let _ = write_function(&mut text, module, function);
    }
    text
}

/// The text of an instruction, without indentation and end of line.
pub fn print_inst(module: &Module, body: &Body, inst: Inst) -> String {
    BodyPrinter { module, body, signature: None }.inst(inst)
}

/// Prints pieces of a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyPrinter<'a> {
    /// The module that the body is of.
    pub module: &'a Module,
    /// The body.
    pub body: &'a Body,
    /// The signature of the function; without it, literals that are
    /// returned spell their type.
    pub signature: Option<&'a Signature>,
}

impl BodyPrinter<'_> {
    /// The text of an instruction, without indentation and end of line.
    pub fn inst(&self, inst: Inst) -> String {
        let mut text = String::new();
        let _ = self.write_inst(&mut text, inst);
        text
    }

    /// The text of a block: its head and its instructions, a line each.
    pub fn block(&self, block: Block) -> String {
        let mut text = String::new();
        let _ = self.write_block(&mut text, block);
        text
    }

    fn write_block(&self, f: &mut dyn fmt::Write, block: Block) -> fmt::Result {
        self.write_head(f, block)?;
        f.write_str("\n")?;
        for inst in self.body.layout.insts(block) {
            f.write_str("    ")?;
            self.write_inst(f, inst)?;
            f.write_str("\n")?;
        }
        Ok(())
    }

    /// Writes the line that a block begins with, without end of line.
    pub(crate) fn write_head(&self, f: &mut dyn fmt::Write, block: Block) -> fmt::Result {
        self.write_block_name(f, block)?;
        for (i, &param) in self.body.params(block).iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            self.write_value(f, param)?;
            write!(f, ": {}", self.module.types.display(self.body.value_type(param)))?;
        }
        f.write_str(if self.body.params(block).is_empty() { ":" } else { "):" })
    }
}

impl fmt::Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut written = Written::Nothing;
        if !self.name.is_empty() {
            written.next(f, Written::Line)?;
            f.write_str("module ")?;
            write_quoted(f, &self.name)?;
            f.write_str("\n")?;
        }
        if let Some(target) = &self.target {
            written.next(f, Written::Line)?;
            f.write_str("target ")?;
            write_quoted(f, target)?;
            f.write_str("\n")?;
        }
        for (class, _) in self.alias_classes() {
            written.next(f, Written::Class)?;
            write_class(f, self, class)?;
        }
        for &symbol in self.declarations() {
            let has_body = |id| self.function(id).is_some_and(|function| function.body.is_some());
            let kind = match symbol {
                Symbol::Function(id) if has_body(id) => Written::Body,
                Symbol::Function(_) | Symbol::Data(_) => Written::Declaration,
            };
            written.next(f, kind)?;
            write_declaration(f, self, symbol)?;
        }
        Ok(())
    }
}

/// What was written last: between pieces of another kind, and around
/// bodies, stands an empty line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Nothing,
    Line,
    Class,
    Declaration,
    Body,
}

impl Written {
    fn next(&mut self, f: &mut dyn fmt::Write, next: Written) -> fmt::Result {
        let apart = *self != next || next == Written::Body;
        if apart && *self != Written::Nothing {
            f.write_str("\n")?;
        }
        *self = next;
        Ok(())
    }
}

/// Writes what the module says of `symbol`; nothing if it is not of the module.
pub(crate) fn write_declaration(
    f: &mut dyn fmt::Write,
    module: &Module,
    symbol: Symbol,
) -> fmt::Result {
    match symbol {
        Symbol::Function(id) => {
            module.function(id).map_or(Ok(()), |function| write_function(f, module, function))
        }
        Symbol::Data(id) => {
            module.data(id).map_or(Ok(()), |object| data::write_data(f, module, object))
        }
    }
}

fn write_linkage(f: &mut dyn fmt::Write, linkage: Linkage) -> fmt::Result {
    match spelling(LINKAGES, linkage) {
        Some(word) if linkage != Linkage::Export => write!(f, "{word} "),
        _ => Ok(()),
    }
}

fn write_function(f: &mut dyn fmt::Write, module: &Module, function: &Function) -> fmt::Result {
    write_linkage(f, function.linkage)?;
    f.write_str("func @")?;
    write_name(f, &function.name)?;
    let signature = module.types.sig(function.sig);
    if signature.convention != default_convention(function.linkage, signature.arity)
        && let Some(word) = spelling(CONVENTIONS, signature.convention)
    {
        write!(f, " {word}")?;
    }
    module.types.write_signature(f, signature)?;
    write_attributes(f, &function.attributes)?;
    let Some(body) = &function.body else {
        return f.write_str("\n");
    };
    f.write_str(" {\n")?;
    let printer = BodyPrinter { module, body, signature: Some(signature) };
    printer.write_entities(f)?;
    for block in body.layout.blocks() {
        printer.write_block(f, block)?;
    }
    f.write_str("}\n")
}

fn write_attributes(f: &mut dyn fmt::Write, attributes: &Attributes) -> fmt::Result {
    if let Some(word) = spelling(INLININGS, attributes.inlining) {
        write!(f, " inline {word}")?;
    }
    if attributes.temperature == Temperature::Cold {
        f.write_str(" cold")?;
    }
    if let Some(word) = spelling(MEMORY_EFFECTS, attributes.memory) {
        write!(f, " memory {word}")?;
    }
    if let Some(word) = spelling(RETURNS, attributes.returns) {
        write!(f, " returns {word}")?;
    }
    if let Some(level) = attributes.opt_level {
        write!(f, " opt {level}")?;
    }
    for target in &attributes.targets {
        f.write_str(" target ")?;
        write_quoted(f, target)?;
    }
    Ok(())
}
