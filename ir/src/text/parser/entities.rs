//! What a function declares before its first block: slots, exits, scopes and
//! locations.

use super::data::parse_alignment;
use super::function::{FunctionParser, Locations};
use super::suggest::one_of;
use super::types::parse_type_list;
use crate::body::{
    Body, ExitData, ExitKind, Initial, LocData, MAX_SLOT_ALIGN_LOG2, SlotData, TEXT_FILE,
};
use crate::entity::{EntityRef, Exit, Loc, PackedOption, Scope, Slot};
use crate::text::cursor::Cursor;
use crate::text::diagnostic::{Code, Parsed, Reported};
use crate::text::lexer::{Token, TokenKind};
use crate::text::literal::parse_count;
use crate::text::outline::Part;
use crate::text::quote::canonical_number;
use crate::trap::TrapCode;

/// The kinds of entities, by the prefix of their names.
const PREFIXES: &[&str] = &["ss", "exit", "loc", "scope"];

/// The number behind a prefix.
fn number_behind(prefix: &str, word: &str) -> Option<u32> {
    word.strip_prefix(prefix).and_then(canonical_number)
}

/// Reads a trap code.
pub(in crate::text) fn parse_trap_code(cursor: &mut Cursor<'_>) -> Parsed<TrapCode> {
    let token = cursor.expect_kind(TokenKind::Word, "a trap code")?;
    let word = cursor.text_of(token);
    if word == "user" {
        cursor.expect(b'(')?;
        let code = parse_count(cursor, "a code of 0 to 65535", u64::from(u16::MAX))?;
        cursor.expect(b')')?;
        return Ok(TrapCode::User(code as u16));
    }
    TrapCode::from_name(word).ok_or_else(|| {
        let message = format!("`{}` is no trap code", cursor.excerpt(token));
        let names = TrapCode::ALL.iter().map(|code| code.name()).chain(["user(7)"]);
        cursor.error_hint(Code::UnknownWord, token, message, one_of(names))
    })
}

impl FunctionParser<'_, '_> {
    /// Reads a declaration: `ss0 = slot 16`.
    pub(super) fn entity(&mut self) -> Parsed<Part> {
        let token = self.cursor.bump();
        self.cursor.bump();
        let word = self.text_of(token);
        let Some((prefix, number)) =
            PREFIXES.iter().find_map(|prefix| Some((*prefix, number_behind(prefix, word)?)))
        else {
            let message = format!("`{}` is nothing that `=` defines", self.cursor.excerpt(token));
            let hint = "a value is spelled `%name`; before the first block stand `ss0 =`, \
                        `exit0 =`, `scope0 =` and `loc0 =`";
            return Err(self.cursor.error_hint(Code::UnexpectedToken, token, message, hint));
        };
        let count = match prefix {
            "ss" => self.body.slots().len(),
            "exit" => self.body.exits().len(),
            "loc" => self.body.locs().len(),
            _ => self.body.scopes().len(),
        };
        let placed = self.out_of_place(token, prefix, number, count);
        let (part, read) = match prefix {
            "ss" => (Part::Slot, self.slot()),
            "exit" => (Part::Exit, self.exit()),
            "loc" => (Part::Location, self.location()),
            _ => (Part::Scope, self.scope()),
        };
        placed.and(read)?;
        self.end_of_line("the end of the line")?;
        Ok(part)
    }

    /// Asks for the end of a line.
    pub(super) fn end_of_line(&mut self, expected: &str) -> Parsed<()> {
        match self.cursor.kind() != TokenKind::End && self.on_line() {
            true => Err(self.cursor.unexpected(expected)),
            false => Ok(()),
        }
    }

    fn out_of_place(
        &mut self,
        token: Token,
        prefix: &str,
        number: u32,
        count: usize,
    ) -> Parsed<()> {
        if self.block.is_some() {
            let message = format!("`{prefix}{number}` is declared behind a block");
            let hint = "declarations stand before the first block";
            return Err(self.cursor.error_hint(Code::EntityOrder, token, message, hint));
        }
        if number as usize == count {
            return Ok(());
        }
        let message = format!("`{prefix}{number}` stands where `{prefix}{count}` should");
        let hint = "declarations of a kind are numbered from 0 without gaps";
        Err(self.cursor.error_hint(Code::EntityOrder, token, message, hint))
    }

    fn slot(&mut self) -> Parsed<()> {
        let mut slot = SlotData { size: 0, align_log2: 0, initial: Initial::Zeroed };
        let read = self.slot_data(&mut slot);
        // A wrong declaration still takes its number.
        self.body.make_slot(slot);
        read
    }

    fn slot_data(&mut self, slot: &mut SlotData) -> Parsed<()> {
        self.cursor.expect_word("slot")?;
        let size = parse_count(self.cursor, "a size in bytes", u64::from(u32::MAX))?;
        slot.size = size as u32;
        slot.align_log2 = SlotData::default_align_log2(slot.size);
        if self.on_line() && self.cursor.take_word("align") {
            slot.align_log2 = parse_alignment(self.cursor, MAX_SLOT_ALIGN_LOG2)?;
        }
        if self.on_line() && self.cursor.take_word("uninit") {
            slot.initial = Initial::Uninit;
        }
        Ok(())
    }

    fn exit(&mut self) -> Parsed<()> {
        let mut exit = ExitData { kind: ExitKind::Side(0), types: Vec::new() };
        let read = self.exit_data(&mut exit);
        self.body.make_exit(exit);
        read
    }

    fn exit_data(&mut self, exit: &mut ExitData) -> Parsed<()> {
        exit.kind = match self.cursor.word() {
            "trap" => {
                self.cursor.bump();
                ExitKind::Trap(parse_trap_code(self.cursor)?)
            }
            "side" => {
                self.cursor.bump();
                let number = parse_count(self.cursor, "a number", u64::from(u32::MAX))?;
                ExitKind::Side(number as u32)
            }
            "deopt" => {
                self.cursor.bump();
                ExitKind::Deopt(self.function_name()?)
            }
            _ => return Err(self.cursor.unexpected("`trap`, `side` or `deopt`")),
        };
        exit.types = parse_type_list(self.cursor, &mut self.module.types)?;
        Ok(())
    }

    fn scope(&mut self) -> Parsed<()> {
        let name = self.cursor.string("the name of the scope in quotes");
        self.body.make_scope(name.as_deref().unwrap_or_default());
        name.map(|_| ())
    }

    fn location(&mut self) -> Parsed<()> {
        self.locations = Locations::Declared;
        let unknown = LocData {
            file: TEXT_FILE,
            line: 1,
            column: 0,
            function: None,
            inlined_at: PackedOption::default(),
        };
        let loc = self.location_data();
        self.body.make_loc(loc.as_ref().copied().unwrap_or(unknown));
        loc.map(|_| ())
    }

    fn location_data(&mut self) -> Parsed<LocData> {
        let file = match self.cursor.take_word("text") {
            true => TEXT_FILE,
            false => {
                let name = self.cursor.string("a file in quotes, or `text`")?;
                self.module.intern(&name)
            }
        };
        self.cursor.expect(b':')?;
        let line = parse_count(self.cursor, "a line", u64::from(u32::MAX))? as u32;
        self.cursor.expect(b':')?;
        let column = parse_count(self.cursor, "a column", u64::from(u32::MAX))? as u32;
        let mut loc =
            LocData { file, line, column, function: None, inlined_at: PackedOption::default() };
        if self.on_line() && self.cursor.take_word("in") {
            let name = self.cursor.string("the name of a function in quotes")?;
            loc.function = Some(self.module.intern(&name));
        }
        if self.on_line() && self.cursor.take_word("at") {
            loc.inlined_at = self.loc_reference()?.into();
        }
        Ok(loc)
    }

    /// The location that a token `!loc0` names.
    pub(super) fn loc_attribute(&mut self, token: Token) -> Parsed<Loc> {
        let number = self.text_of(token).get(1..).and_then(|word| number_behind("loc", word));
        let count = self.body.locs().len();
        self.known(token, number, count)
    }

    fn loc_reference(&mut self) -> Parsed<Loc> {
        self.reference("a location, `loc0`", "loc", |body| body.locs().len())
    }

    pub(super) fn slot_reference(&mut self) -> Parsed<Slot> {
        self.reference("a slot, `ss0`", "ss", |body| body.slots().len())
    }

    pub(super) fn exit_reference(&mut self) -> Parsed<Exit> {
        self.reference("an exit, `exit0`", "exit", |body| body.exits().len())
    }

    pub(super) fn scope_reference(&mut self) -> Parsed<Scope> {
        self.reference("a scope, `scope0`", "scope", |body| body.scopes().len())
    }

    /// Reads the name of one of the entities that are declared so far.
    fn reference<T: EntityRef>(
        &mut self,
        expected: &str,
        prefix: &str,
        count: fn(&Body) -> usize,
    ) -> Parsed<T> {
        let token = self.cursor.expect_kind(TokenKind::Word, expected)?;
        let (number, count) = (number_behind(prefix, self.text_of(token)), count(&self.body));
        self.known(token, number, count)
    }

    fn known<T: EntityRef>(
        &mut self,
        token: Token,
        number: Option<u32>,
        count: usize,
    ) -> Parsed<T> {
        let known = number.map(|number| number as usize).filter(|&number| number < count);
        known.map(T::new).ok_or_else(|| self.unknown_entity(token))
    }

    fn unknown_entity(&mut self, token: Token) -> Reported {
        let message = format!("`{}` is not declared in this function", self.cursor.excerpt(token));
        let hint = "slots, exits, scopes and locations are declared before the first block";
        self.cursor.error_hint(Code::UnknownEntity, token, message, hint)
    }
}
