//! Operands and metadata of instructions.

use super::Body;
use crate::llvm::lexer::{Kind, Token, Word};
use crate::llvm::parse::ops;
use crate::llvm::parse::reader::Reader;
use crate::llvm::parse::scan::{self, Scan};
use crate::llvm::syntax::{
    Attachment, ConstantData, Flags, List, MetadataId, Module, Offset, Operand, TypeId, Typed,
};
use crate::text::{Code, Parsed};

impl Body<'_, '_> {
    /// Reads a value of type `ty`.
    pub(super) fn value(&mut self, ty: TypeId) -> Parsed<Operand> {
        let token = self.reader.cursor.token;
        if matches!(token.kind, Kind::Local | Kind::LocalNumber) {
            self.reader.cursor.bump();
            return self.local(token, ty).map(Operand::Local);
        }
        match ty == TypeId::METADATA {
            false => self.reader.constant_of(ty).map(Operand::Constant),
            true => self.metadata_value(),
        }
    }

    /// Reads a type and a value of it.
    pub(super) fn typed(&mut self) -> Parsed<Typed> {
        let ty = self.reader.ty()?;
        let value = self.value(ty)?;
        Ok(Typed { ty, value })
    }

    /// Reads a type that results can have, and a value of it.
    pub(super) fn first_class(&mut self) -> Parsed<Typed> {
        let token = self.reader.cursor.token;
        let typed = self.typed()?;
        let is_value = self.reader.is_first_class(typed.ty);
        self.reader.require(token, is_value, "a value is due here", typed.ty)?;
        Ok(typed)
    }

    /// Reads a type that is an address, and a value of it.
    pub(super) fn address(&mut self) -> Parsed<Typed> {
        let token = self.reader.cursor.token;
        let typed = self.typed()?;
        let is_address = self.reader.is_plain_pointer(typed.ty);
        self.reader.require(token, is_address, "an address is due here", typed.ty)?;
        Ok(typed)
    }

    /// Reads what stands behind the type `metadata`.
    fn metadata_value(&mut self) -> Parsed<Operand> {
        let start = self.reader.cursor.token.start;
        let cursor = &mut self.reader.cursor;
        let end = match cursor.kind() {
            Kind::MetadataNumber => cursor.bump().end,
            Kind::Exclamation if cursor.bytes().get(start as usize + 1) == Some(&b'"') => {
                cursor.bump();
                cursor.bump().end
            }
            Kind::Exclamation | Kind::Metadata | Kind::Word(Word::Distinct) => {
                self.reader.skip_node()?
            }
            _ => {
                let token = self.reader.cursor.token;
                let ty = self.reader.ty()?;
                let is_value = self.reader.is_first_class(ty);
                self.reader.require(token, is_value, "metadata is of a value", ty)?;
                self.value(ty)?;
                self.reader.cursor.previous_end()
            }
        };
        let data = ConstantData::Metadata(start..end);
        Ok(Operand::Constant(self.reader.add_constant(TypeId::METADATA, start, data)))
    }

    /// Reads flags of whole numbers and addresses.
    pub(super) fn number_flags(&mut self) {
        while let Some(flag) = self.reader.cursor.word().and_then(ops::number_flag) {
            self.reader.cursor.bump();
            self.flags |= flag;
        }
    }

    /// Reads flags of floats.
    pub(super) fn float_flags(&mut self) {
        while let Some(flag) = self.reader.cursor.word().and_then(ops::float_flag) {
            self.reader.cursor.bump();
            self.flags |= flag;
        }
    }

    /// Refuses flags that are not about the operands.
    pub(super) fn refuse_flags(&mut self, token: Token, allowed: Flags) -> Parsed<()> {
        match allowed.contains(self.flags) {
            true => Ok(()),
            false => {
                let message = "a word behind this op says something that does not concern it";
                Err(self.reader.cursor.error_at(Code::UnknownWord, token, message))
            }
        }
    }

    /// Goes over a comma, unless it stands before metadata; says whether it does not.
    pub(super) fn comma(&mut self) -> bool {
        if self.at_attachments || !self.reader.cursor.take(b',') {
            return false;
        }
        self.at_attachments = self.reader.cursor.kind() == Kind::Metadata;
        !self.at_attachments
    }

    /// Reads the metadata of an instruction.
    pub(super) fn attachments(&mut self) -> Parsed<List> {
        let start = self.function.attachments.len() as u32;
        while self.at_attachments || self.reader.cursor.take(b',') {
            self.at_attachments = false;
            let attachment = self.reader.attachment()?;
            self.function.attachments.extend(attachment);
        }
        Ok(start..self.function.attachments.len() as u32)
    }
}

impl Module<'_> {
    /// The least number of metadata that the text spells out in place.
    pub(in crate::llvm) const INLINE_METADATA: u32 = 1 << 31;
}

impl Reader<'_, '_> {
    /// Reads `!kind !7`. Kinds that we have no place for are none.
    pub(in crate::llvm::parse) fn attachment(
        &mut self,
    ) -> Parsed<Option<(Attachment, MetadataId)>> {
        let kind = self.cursor.expect_kind(Kind::Metadata, "metadata, `!name`")?;
        let id = match self.cursor.kind() {
            Kind::MetadataNumber => {
                let token = self.cursor.bump();
                MetadataId(self.cursor.sigil_number(token)?)
            }
            Kind::Exclamation | Kind::Metadata | Kind::Word(Word::Distinct) => {
                let start = self.cursor.token.start;
                let end = self.skip_node()?;
                let number = Module::INLINE_METADATA + self.module.inline_metadata.len() as u32;
                self.module.inline_metadata.push(start..end);
                MetadataId(number)
            }
            _ => return Err(self.cursor.unexpected("metadata, `!7`")),
        };
        let attachment = match self.cursor.text_of(kind) {
            "!dbg" => Attachment::Debug,
            "!tbaa" => Attachment::Tbaa,
            "!alias.scope" => Attachment::AliasScope,
            "!noalias" => Attachment::NoAlias,
            "!range" => Attachment::Range,
            "!nonnull" => Attachment::NonNull,
            "!noundef" => Attachment::NoUndef,
            "!invariant.load" => Attachment::InvariantLoad,
            "!nontemporal" => Attachment::NonTemporal,
            "!llvm.loop" => Attachment::Loop,
            "!prof" => Attachment::Profile,
            "!llvm.access.group" => Attachment::AccessGroup,
            _ => return Ok(None),
        };
        Ok(Some((attachment, id)))
    }

    /// Goes over metadata in brackets, and gives the place behind it.
    pub(in crate::llvm::parse) fn skip_node(&mut self) -> Parsed<Offset> {
        let start = self.cursor.token.start as usize;
        match scan::brackets(self.cursor.bytes(), start) {
            Scan::Closed(end) => {
                self.cursor.go_to(end as Offset);
                Ok(end as Offset)
            }
            Scan::Open => {
                Err(self.cursor.error(Code::UnclosedBody, "the brackets of this are not closed"))
            }
        }
    }
}
