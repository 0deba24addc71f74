//! Global variables and aliases.

use super::Outline;
use crate::llvm::lexer::{Kind, Token, Word};
use crate::llvm::parse::attributes::Attributes;
use crate::llvm::syntax::{ConstantData, GlobalData, GlobalId, Linkage, TypeId};
use crate::text::{Code, Parsed};

/// What is said before `global`, `constant` or `alias`.
struct Prefix {
    linkage: Linkage,
    /// Whether the linkage is one of what is defined elsewhere.
    is_declaration: bool,
    thread_local: bool,
    space: u32,
}

impl<'t> Outline<'t, '_> {
    /// Reads `@name = …`.
    pub(super) fn global(&mut self) -> Parsed<()> {
        let token = self.reader.cursor.bump();
        self.reader.cursor.expect(b'=')?;
        let prefix = self.prefix()?;
        let kind = self.reader.cursor.token;
        match kind.kind {
            Kind::Word(Word::Global) => self.variable(token, &prefix, false),
            Kind::Word(Word::Constant) => self.variable(token, &prefix, true),
            Kind::Word(Word::Alias) => self.alias(token, &prefix),
            Kind::Word(Word::Ifunc) => {
                let message =
                    "functions that are chosen when a program starts, `ifunc`, are not read";
                Err(self.reader.cursor.unsupported(kind, message))
            }
            _ => Err(self.reader.cursor.unexpected("`global`, `constant` or `alias`")),
        }
    }

    /// Reads the linkage, if one is next, and says whether it is one of a declaration.
    pub(super) fn linkage(&mut self) -> Option<(Linkage, bool)> {
        let linkage = match self.reader.cursor.word()? {
            Word::LocalLinkage => (Linkage::Internal, false),
            Word::Weak | Word::MergedLinkage => (Linkage::Weak, false),
            Word::Appending => (Linkage::Appending, false),
            Word::Common => (Linkage::Common, false),
            Word::AvailableExternally => (Linkage::AvailableExternally, false),
            Word::ExternWeak => (Linkage::ExternWeak, true),
            Word::External => (Linkage::External, true),
            _ => return None,
        };
        self.reader.cursor.bump();
        Some(linkage)
    }

    fn prefix(&mut self) -> Parsed<Prefix> {
        let (linkage, is_declaration) = self.linkage().unwrap_or_default();
        let mut prefix = Prefix { linkage, is_declaration, thread_local: false, space: 0 };
        loop {
            match self.reader.cursor.word() {
                Some(Word::Visibility | Word::UnnamedAddr | Word::ExternallyInitialized) => {
                    self.reader.cursor.bump();
                }
                Some(Word::ThreadLocal) => {
                    self.reader.cursor.bump();
                    prefix.thread_local = true;
                    if self.reader.cursor.is(b'(') {
                        self.reader.cursor.skip_brackets()?;
                    }
                }
                Some(Word::Addrspace) => prefix.space = self.reader.address_space()?,
                _ => return Ok(prefix),
            }
        }
    }

    /// Defines the global of a token. What is between its first mention and this is the
    /// same one.
    pub(super) fn define(
        &mut self,
        token: Token,
        linkage: Linkage,
        data: GlobalData,
    ) -> Parsed<GlobalId> {
        if token.kind == Kind::GlobalNumber {
            let number = self.reader.cursor.sigil_number(token)?;
            if number < self.next_number {
                let message = format!("the next number is {} or more", self.next_number);
                return Err(self.reader.cursor.error_at(Code::LlvmInvalid, token, message));
            }
            self.next_number = number + 1;
        }
        let (known, name) = self.reader.find_global(token)?;
        let id = match known {
            Some(id) => id,
            None => self.reader.add_global(token, name),
        };
        let global = &mut self.reader.module.globals[id.index()];
        if !matches!(global.data, GlobalData::Undefined) {
            return Err(self.duplicate(token, "symbol"));
        }
        global.at = token.start;
        global.linkage = linkage;
        global.data = data;
        self.reader.module.order.push(id);
        Ok(id)
    }

    fn variable(&mut self, token: Token, prefix: &Prefix, constant: bool) -> Parsed<()> {
        self.reader.cursor.bump();
        let ty = self.reader.sized_type("a global variable")?;
        let initializer = match prefix.is_declaration {
            true => None,
            false => Some(self.reader.constant_of(ty)?),
        };
        let data = GlobalData::Variable {
            ty,
            initializer,
            constant,
            thread_local: prefix.thread_local,
            space: prefix.space,
            align: 0,
        };
        let id = self.define(token, prefix.linkage, data)?;
        while self.reader.cursor.take(b',') {
            self.property(id)?;
        }
        // Attributes of variables say what one target does with them.
        self.reader.function_attributes(&mut Attributes::default())?;
        while self.reader.cursor.take_word(Word::Align) {
            self.reader.cursor.alignment()?;
            self.reader.function_attributes(&mut Attributes::default())?;
        }
        Ok(())
    }

    /// Reads what is said of a variable behind a comma.
    fn property(&mut self, id: GlobalId) -> Parsed<()> {
        let cursor = &mut self.reader.cursor;
        match cursor.kind() {
            Kind::Word(Word::Section) => {
                let section = self.section()?;
                self.reader.module.globals[id.index()].section = Some(section);
            }
            Kind::Word(Word::Partition | Word::CodeModel) => {
                cursor.bump();
                cursor.byte_string()?;
            }
            Kind::Word(Word::Comdat) => {
                let comdat = self.comdat()?;
                self.join(id, comdat);
            }
            Kind::Word(Word::Align) => {
                cursor.bump();
                let bytes = cursor.alignment()?;
                if let GlobalData::Variable { align, .. } =
                    &mut self.reader.module.globals[id.index()].data
                {
                    *align = bytes;
                }
            }
            Kind::Word(Word::Sanitizer | Word::SanitizeMemtag) => {
                cursor.bump();
            }
            Kind::Metadata => {
                self.reader.attachment()?;
            }
            _ => return Err(cursor.unexpected("something that is said of variables")),
        }
        Ok(())
    }

    /// Reads `section "name"`.
    pub(super) fn section(&mut self) -> Parsed<&'t str> {
        let cursor = &mut self.reader.cursor;
        cursor.bump();
        let token = cursor.expect_kind(Kind::Text, "a string")?;
        Ok(cursor.slice(token.start + 1..token.end - 1))
    }

    fn alias(&mut self, token: Token, prefix: &Prefix) -> Parsed<()> {
        self.reader.cursor.bump();
        self.reader.type_or_void()?;
        self.reader.cursor.expect(b',')?;
        let target_token = self.reader.cursor.token;
        let is_expression = matches!(
            self.reader.cursor.word(),
            Some(Word::Getelementptr | Word::Bitcast | Word::Addrspacecast | Word::Inttoptr)
        );
        // The type of an expression may be left out.
        let target = match is_expression {
            true => self.reader.constant_of(TypeId::PTR)?,
            false => self.reader.typed_constant()?,
        };
        let given = self.reader.type_of(target);
        let is_pointer = self.reader.is_plain_pointer(given);
        self.reader.require(target_token, is_pointer, "an alias is of an address", given)?;
        let object = match self.reader.constant(target).data {
            ConstantData::Global(object) => Some(object),
            _ => None,
        };
        self.define(token, prefix.linkage, GlobalData::Alias { target, object })?;
        while self.reader.cursor.take(b',') {
            self.reader.cursor.expect_word(Word::Partition, "partition")?;
            self.reader.cursor.byte_string()?;
        }
        Ok(())
    }
}
