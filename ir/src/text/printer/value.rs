//! Values, constants and blocks.

use std::fmt;

use super::BodyPrinter;
use crate::constant::{Constant, ConstantBits};
use crate::entity::{Block, Value};
use crate::instruction::Target;
use crate::text::literal::{write_address, write_lanes, write_scalar};
use crate::text::quote::{canonical_number, write_name, write_quoted};
use crate::types::Type;

impl BodyPrinter<'_> {
    /// Writes a value by its name, or by its number where it has no name or
    /// another value had the name first.
    pub(crate) fn write_value(&self, f: &mut dyn fmt::Write, value: Value) -> fmt::Result {
        let name = self.body.value_name(value);
        match name.filter(|name| self.body.value_named(name) == Some(value)) {
            Some(name) if canonical_number(name).is_some() => {
                f.write_char('%')?;
                write_quoted(f, name)
            }
            Some(name) => {
                f.write_char('%')?;
                write_name(f, name)
            }
            None => write!(f, "{value}"),
        }
    }

    /// Writes the name of a block, or its number, as [`write_value`](Self::write_value) does.
    pub(crate) fn write_block_name(&self, f: &mut dyn fmt::Write, block: Block) -> fmt::Result {
        let name = self.body.block_name(block);
        match name.filter(|name| self.body.block_named(name) == Some(block)) {
            Some(name) if is_block_word(name) => f.write_str(name),
            Some(name) => write_quoted(f, name),
            None => write!(f, "{block}"),
        }
    }

    /// Writes an operand; a constant of type `expected` does not spell it.
    pub(super) fn write_operand(
        &self,
        f: &mut dyn fmt::Write,
        value: Value,
        expected: Option<Type>,
    ) -> fmt::Result {
        let Some(constant) = self.body.as_constant(value) else {
            return self.write_value(f, value);
        };
        if expected != Some(constant.ty()) {
            write!(f, "{}:", self.module.types.display(constant.ty()))?;
        }
        write_constant(f, constant)
    }

    /// Writes a block with its arguments.
    pub(super) fn write_target(&self, f: &mut dyn fmt::Write, target: &Target) -> fmt::Result {
        self.write_block_name(f, target.block)?;
        let params = self.body.params(target.block);
        let arguments = self.body.target_args(target);
        for (i, &argument) in arguments.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            let param = params.get(i).map(|&param| self.body.value_type(param));
            self.write_operand(f, argument, param)?;
        }
        if arguments.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// Whether a block's name stands without quotes: a word that is no number.
fn is_block_word(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let number = name.strip_prefix("block").and_then(canonical_number);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(word)
        && number.is_none()
}

/// Writes a constant without its type.
fn write_constant(f: &mut dyn fmt::Write, constant: &Constant) -> fmt::Result {
    match (constant.bits(), constant.ty().lane()) {
        (ConstantBits::Scalar(bits), Some(scalar)) => write_scalar(f, *bits, scalar),
        (ConstantBits::Scalar(bits), None) => write_address(f, *bits),
        (ConstantBits::Lanes(lanes), Some(lane)) if lanes.iter().any(|bits| *bits != 0) => {
            write_lanes(f, lanes, lane)
        }
        (ConstantBits::Lanes(_) | ConstantBits::Zero, _) => f.write_str("zero"),
    }
}
