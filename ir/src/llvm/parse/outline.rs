//! The module level of a text.

mod comdat;
mod ending;
mod function;
mod global;

use std::borrow::Cow;

use super::attributes::Attributes;
use super::cursor::Cursor;
use super::reader::{Reader, Stage};
use super::scan::{self, Scan};
use crate::llvm::lexer::{Kind, Token, Word};
use crate::llvm::report::Report;
use crate::llvm::syntax::{GlobalId, MetadataId, Module, Name, Offset, TypeData, TypeId};
use crate::text::{Code, Parsed, Reported};

/// Reads all but the bodies of functions.
pub(super) struct Outline<'t, 'a> {
    reader: Reader<'t, 'a>,
    /// Functions and the groups of attributes that they name.
    grouped: Vec<(GlobalId, u32)>,
    /// The least number that the next global without a name can have.
    next_number: u32,
}

/// Reads the module level of a text.
pub(super) fn read<'t>(text: &'t str, module: &mut Module<'t>, report: &mut Report<'t>) {
    let cursor = Cursor::new(text, 0..text.len() as Offset, report);
    let reader =
        Reader { cursor, module, stage: Stage::Outline, constants: Vec::new(), first_constant: 0 };
    let mut outline = Outline { reader, grouped: Vec::new(), next_number: 0 };
    while outline.reader.cursor.kind() != Kind::End && !outline.reader.cursor.report.is_full() {
        let start = outline.reader.cursor.token.start;
        if outline.line().is_err() {
            let cursor = &mut outline.reader.cursor;
            cursor.leave_all();
            let next = scan::next_line(cursor.bytes(), start as usize);
            cursor.go_to(next as Offset);
        }
    }
    outline.finish();
}

impl<'t> Outline<'t, '_> {
    /// Reads one line of the module level, which may be several of the text.
    fn line(&mut self) -> Parsed<()> {
        let cursor = &mut self.reader.cursor;
        match cursor.kind() {
            Kind::Word(Word::Define | Word::Declare) => self.function(),
            Kind::Global | Kind::GlobalNumber => self.global(),
            Kind::MetadataNumber => self.metadata(),
            Kind::Metadata => self.named_metadata(),
            Kind::Local | Kind::LocalNumber => self.type_definition(),
            Kind::Word(Word::Attributes) => self.group(),
            Kind::Word(Word::Target) => self.target(),
            Kind::Word(Word::SourceFilename) => {
                cursor.bump();
                cursor.expect(b'=')?;
                self.reader.module.source = cursor.string()?;
                Ok(())
            }
            Kind::Word(Word::Module) => {
                let token = cursor.bump();
                cursor.expect_word(Word::Asm, "asm")?;
                cursor.byte_string()?;
                self.reader.module.assembly.get_or_insert(token.start);
                Ok(())
            }
            Kind::Comdat => self.comdat_definition(),
            Kind::Word(Word::UseListOrder) => self.reader.use_list_order(),
            Kind::Summary => {
                cursor.bump();
                cursor.expect(b'=')?;
                self.summary()
            }
            _ => Err(cursor.unexpected("a definition or declaration")),
        }
    }

    /// Goes over an entry of a summary.
    fn summary(&mut self) -> Parsed<()> {
        let cursor = &mut self.reader.cursor;
        cursor.bump();
        cursor.expect(b':')?;
        match cursor.is(b'(') {
            true => self.reader.cursor.skip_brackets(),
            false => {
                cursor.bump();
                Ok(())
            }
        }
    }

    fn target(&mut self) -> Parsed<()> {
        let cursor = &mut self.reader.cursor;
        cursor.bump();
        let what = cursor.bump();
        cursor.expect(b'=')?;
        let place = match what.kind {
            Kind::Word(Word::Triple) => &mut self.reader.module.triple,
            Kind::Word(Word::Datalayout) => &mut self.reader.module.layout,
            _ => {
                let message = "expected `triple` or `datalayout`";
                return Err(cursor.error_at(Code::UnexpectedToken, what, message));
            }
        };
        *place = cursor.string()?;
        Ok(())
    }

    /// Reads `attributes #7 = {…}`.
    fn group(&mut self) -> Parsed<()> {
        let cursor = &mut self.reader.cursor;
        cursor.bump();
        let token = cursor.expect_kind(Kind::Group, "a group, `#0`")?;
        let number = cursor.sigil_number(token)?;
        cursor.expect(b'=')?;
        cursor.expect(b'{')?;
        let mut attributes = Attributes::default();
        self.reader.function_attributes(&mut attributes)?;
        while self.reader.cursor.take_word(Word::Align) {
            self.reader.cursor.expect(b'=')?;
            self.reader.cursor.alignment()?;
            self.reader.function_attributes(&mut attributes)?;
        }
        if !self.reader.cursor.is(b'}') {
            return Err(self.reader.cursor.unexpected("an attribute or `}`"));
        }
        self.reader.cursor.bump();
        let group = self.reader.group_of(attributes);
        self.reader.module.names.groups.insert(number, group);
        Ok(())
    }

    /// Reads `%name = type …`.
    fn type_definition(&mut self) -> Parsed<()> {
        let token = self.reader.cursor.bump();
        let name = self.reader.type_name(token)?;
        self.reader.cursor.expect(b'=')?;
        self.reader.cursor.expect_word(Word::Type, "type")?;
        let known = self.reader.module.names.types.get(&name).copied();
        // What is named before it is defined is opaque so far.
        let open = known.filter(|&ty| self.is_open(ty, &name));
        if known.is_some() && open.is_none() {
            return Err(self.duplicate(token, "type"));
        }
        if self.reader.cursor.take_word(Word::Opaque) {
            let ty = open.unwrap_or_else(|| self.reader.add_named_type(name, token));
            self.mark_defined(ty, token, None);
            return Ok(());
        }
        let is_struct = match self.reader.cursor.kind() {
            Kind::Mark(b'{') => true,
            Kind::Mark(b'<') => {
                let behind = self.reader.cursor.behind() as usize;
                let rest = &self.reader.cursor.bytes()[behind..];
                rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
            }
            _ => false,
        };
        if !is_struct {
            return self.type_alias(name, token, open.is_some());
        }
        // The name may stand in its own definition, to be refused there.
        let ty = open.unwrap_or_else(|| self.reader.add_named_type(name, token));
        // One that is wrong is opaque, rather than unknown as well.
        self.mark_defined(ty, token, None);
        let definition = self.reader.ty()?;
        self.mark_defined(ty, token, Some(definition));
        Ok(())
    }

    /// Reads the type that a name is another name for.
    fn type_alias(&mut self, name: Name<'t>, token: Token, is_used: bool) -> Parsed<()> {
        if is_used {
            let message = "this type is no struct, and used before it is defined";
            return Err(self.reader.cursor.error_at(Code::LlvmInvalid, token, message));
        }
        let ty = self.reader.ty()?;
        self.reader.module.names.types.insert(name, ty);
        Ok(())
    }

    /// Whether a type is the one of that name, and not defined yet.
    fn is_open(&self, ty: TypeId, name: &Name<'t>) -> bool {
        let module = &*self.reader.module;
        match module.types[ty.index()] {
            TypeData::Named(named) => {
                !module.names.is_defined[named.index()] && module.named[named.index()].0 == *name
            }
            _ => false,
        }
    }

    fn mark_defined(&mut self, ty: TypeId, token: Token, definition: Option<TypeId>) {
        if let TypeData::Named(named) = self.reader.module.types[ty.index()] {
            let module = &mut *self.reader.module;
            module.names.is_defined[named.index()] = true;
            module.names.type_places[named.index()] = token.start;
            module.named[named.index()].1 = definition;
        }
    }

    fn duplicate(&mut self, token: Token, what: &str) -> Reported {
        let cursor = &mut self.reader.cursor;
        let message = format!("the {what} `{}` is defined twice", cursor.text_of(token));
        cursor.error_at(Code::DuplicateSymbol, token, message)
    }
}

/// Metadata.
impl<'t> Outline<'t, '_> {
    /// Notes where a piece of metadata stands.
    fn metadata(&mut self) -> Parsed<()> {
        let cursor = &mut self.reader.cursor;
        let token = cursor.bump();
        let number = cursor.sigil_number(token)?;
        cursor.expect(b'=')?;
        let start = cursor.token.start;
        if !matches!(cursor.kind(), Kind::Exclamation | Kind::Metadata | Kind::Word(Word::Distinct))
        {
            return Err(cursor.unexpected("metadata"));
        }
        let Scan::Closed(end) = scan::brackets(cursor.bytes(), start as usize) else {
            return Err(cursor.error(Code::UnclosedBody, "the brackets of this are not closed"));
        };
        cursor.go_to(end as Offset);
        self.reader.module.metadata.push((MetadataId(number), start..end as Offset));
        Ok(())
    }

    /// Reads `!name = !{!1, …}`.
    fn named_metadata(&mut self) -> Parsed<()> {
        let cursor = &mut self.reader.cursor;
        let token = cursor.bump();
        let name = cursor.slice(token.start + 1..token.end);
        cursor.expect(b'=')?;
        cursor.expect_kind(Kind::Exclamation, "`!{`")?;
        cursor.expect(b'{')?;
        let mut items = Vec::new();
        while !cursor.is(b'}') {
            match cursor.kind() {
                Kind::MetadataNumber => {
                    let token = cursor.bump();
                    items.push(MetadataId(cursor.sigil_number(token)?));
                }
                // What is spelled out is of no use to a reader of these.
                Kind::Metadata => {
                    cursor.bump();
                    cursor.skip_brackets()?;
                }
                _ => return Err(cursor.unexpected("metadata or `}`")),
            }
            if !cursor.take(b',') {
                break;
            }
        }
        cursor.expect(b'}')?;
        self.reader.module.named_metadata.push((Cow::Borrowed(name), items));
        Ok(())
    }
}

impl Reader<'_, '_> {
    /// Goes over `uselistorder`, of which nothing depends here.
    pub(super) fn use_list_order(&mut self) -> Parsed<()> {
        self.cursor.bump();
        loop {
            match self.cursor.kind() {
                Kind::Mark(b'{') => {
                    let is_type = self.is_type_brace();
                    self.cursor.skip_brackets()?;
                    if !is_type {
                        return Ok(());
                    }
                }
                Kind::Mark(b'(' | b'[') => self.cursor.skip_brackets()?,
                Kind::End | Kind::Unclosed => return Err(self.cursor.unexpected("`{`")),
                _ => drop(self.cursor.bump()),
            }
        }
    }

    /// Whether the brace that is next opens a struct, and no list of numbers.
    fn is_type_brace(&self) -> bool {
        let rest = &self.cursor.bytes()[self.cursor.behind() as usize..];
        !rest.iter().find(|byte| !byte.is_ascii_whitespace()).is_some_and(u8::is_ascii_digit)
    }
}
