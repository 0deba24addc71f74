//! What stands behind `%` in a function: values and blocks, which share their names.

use std::borrow::Cow;

use super::Body;
use crate::llvm::lexer::{self, Kind, Token};
use crate::llvm::syntax::{BlockData, BlockId, Local, LocalId, Name, Offset, TypeId};
use crate::text::{Code, Parsed, Reported};

/// What a name or number stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    Local(LocalId),
    Block(BlockId),
}

/// How far a number may be ahead of what a text of that size can have numbered.
const SPARE_NUMBERS: usize = 1024;

impl<'t> Body<'t, '_> {
    /// The symbol that a token behind `%` stands for, if it is known, and its name.
    fn symbol(&mut self, token: Token) -> Parsed<(Option<Symbol>, Name<'t>)> {
        if token.kind == Kind::LocalNumber {
            let number = self.number_of(token)?;
            let known = self.numbered.get(number as usize).copied().flatten();
            return Ok((known, Name::Number(number)));
        }
        let name = self.reader.cursor.name_of(token, 1)?;
        Ok((self.symbols.get(&name).copied(), Name::Text(name)))
    }

    fn number_of(&mut self, token: Token) -> Parsed<u32> {
        let number = self.reader.cursor.sigil_number(token)?;
        let largest = self.reader.cursor.bytes().len() + SPARE_NUMBERS;
        self.check_number(token, number, largest)
    }

    /// Refuses numbers that leave more unused than the text has bytes: there is a place
    /// for each.
    fn check_number(&mut self, token: Token, number: u32, largest: usize) -> Parsed<u32> {
        match number as usize <= largest {
            true => Ok(number),
            false => {
                let message = format!("the number {number} leaves too many unused");
                Err(self.reader.cursor.error_at(Code::NumberTooLarge, token, message))
            }
        }
    }

    fn bind(&mut self, name: Name<'t>, symbol: Symbol) -> (Option<Cow<'t, str>>, u32) {
        match name {
            Name::Text(name) => {
                self.symbols.insert(name.clone(), symbol);
                (Some(name), 0)
            }
            Name::Number(number) => {
                let index = number as usize;
                if self.numbered.len() <= index {
                    self.numbered.resize(index + 1, None);
                }
                self.numbered[index] = Some(symbol);
                (None, number)
            }
        }
    }

    fn add_local(&mut self, name: Name<'t>, ty: TypeId, at: Offset, defined: bool) -> LocalId {
        let id = LocalId(self.function.locals.len() as u32);
        let (name, number) = self.bind(name, Symbol::Local(id));
        self.function.locals.push(Local { name, number, ty, at, defined });
        id
    }

    fn add_block(&mut self, name: Name<'t>, at: Offset) -> BlockId {
        let id = BlockId(self.function.blocks.len() as u32);
        let (name, number) = self.bind(name, Symbol::Block(id));
        let block = BlockData { name, number, at, defined: false, instructions: 0..0 };
        self.function.blocks.push(block);
        id
    }

    /// The value that a token names, which is used as one of type `ty`.
    pub(super) fn local(&mut self, token: Token, ty: TypeId) -> Parsed<LocalId> {
        match self.symbol(token)? {
            (Some(Symbol::Local(id)), _) => {
                let given = self.function.locals[id.index()].ty;
                match given == ty {
                    true => Ok(id),
                    false => {
                        let what = format!("`{}`", self.reader.cursor.text_of(token));
                        Err(self.reader.mismatch(token, what, given, ty))
                    }
                }
            }
            (Some(Symbol::Block(_)), _) => Err(self.wrong_kind(token, "block", "value")),
            (None, _) if !self.reader.is_first_class(ty) => {
                Err(self.reader.wrong_type(token, "a value is of another type", ty))
            }
            (None, name) => Ok(self.add_local(name, ty, token.start, false)),
        }
    }

    /// The block that a token names.
    fn block(&mut self, token: Token) -> Parsed<BlockId> {
        match self.symbol(token)? {
            (Some(Symbol::Block(id)), _) => Ok(id),
            (Some(Symbol::Local(_)), _) => Err(self.wrong_kind(token, "value", "block")),
            (None, name) => Ok(self.add_block(name, token.start)),
        }
    }

    fn wrong_kind(&mut self, token: Token, is: &str, due: &str) -> Reported {
        let message =
            format!("`{}` is a {is}, and a {due} is due here", self.reader.cursor.text_of(token));
        self.reader.cursor.error_at(Code::LlvmInvalid, token, message)
    }

    /// Reads `label %name`.
    pub(super) fn label_operand(&mut self) -> Parsed<BlockId> {
        self.reader.cursor.expect_word(lexer::Word::Label, "label")?;
        self.block_operand()
    }

    /// Reads the `%name` of a block.
    pub(super) fn block_operand(&mut self) -> Parsed<BlockId> {
        let token = self.reader.cursor.token;
        if !matches!(token.kind, Kind::Local | Kind::LocalNumber) {
            return Err(self.reader.cursor.unexpected("a block, `%name`"));
        }
        self.reader.cursor.bump();
        self.block(token)
    }

    /// The name that a definition has: what the token says, or else the next number.
    fn next_name(&mut self, token: Option<Token>) -> Parsed<(Option<Symbol>, Name<'t>)> {
        let Some(token) = token else {
            let number = self.next_number;
            self.next_number += 1;
            let known = self.numbered.get(number as usize).copied().flatten();
            return Ok((known, Name::Number(number)));
        };
        let (known, name) = self.symbol(token)?;
        if let Name::Number(number) = name {
            self.take_number(token, number)?;
        }
        Ok((known, name))
    }

    fn take_number(&mut self, token: Token, number: u32) -> Parsed<()> {
        if number < self.next_number {
            let message = format!("the next number is {} or more", self.next_number);
            return Err(self.reader.cursor.error_at(Code::LlvmInvalid, token, message));
        }
        self.next_number = number + 1;
        Ok(())
    }

    /// Defines a value of type `ty`, with the name of a token or else the next number.
    pub(super) fn define_local(
        &mut self,
        token: Option<Token>,
        ty: TypeId,
        at: Offset,
    ) -> Parsed<LocalId> {
        let (known, name) = self.next_name(token)?;
        let at_token = token.unwrap_or(Token { start: at, end: at, ..self.reader.cursor.token });
        let id = match known {
            None => return Ok(self.add_local(name, ty, at, true)),
            Some(Symbol::Block(_)) => return Err(self.wrong_kind(at_token, "block", "value")),
            Some(Symbol::Local(id)) => id,
        };
        let local = &mut self.function.locals[id.index()];
        if local.defined {
            let message = format!("`{}` is defined twice", self.reader.cursor.text_of(at_token));
            return Err(self.reader.cursor.error_at(Code::DuplicateValue, at_token, message));
        }
        local.defined = true;
        let (used, used_at) = (local.ty, local.at);
        if used != ty {
            let place = Token { start: used_at, end: used_at + 1, ..at_token };
            return Err(self.reader.mismatch(place, "the value that is used here", ty, used));
        }
        Ok(id)
    }

    /// The end of the label that begins with a token, before its colon, if it is one.
    pub(super) fn label_end(&self, token: Token) -> Option<Offset> {
        let bytes = self.reader.cursor.bytes();
        let end = match token.kind {
            Kind::Text => token.end as usize,
            _ => {
                let rest = &bytes[token.start as usize..];
                let length = rest.iter().position(|&byte| !lexer::is_name(byte))?;
                token.start as usize + length
            }
        };
        let is_label = end > token.start as usize && bytes.get(end) == Some(&b':');
        is_label.then_some(end as Offset)
    }

    /// Begins the block whose label begins with `token` and ends at `end`.
    pub(super) fn label(&mut self, token: Token, end: Offset) -> Parsed<()> {
        let token = Token { end, ..token };
        if self.block.is_some() {
            let message = "the block before this label does not end with a terminator";
            return Err(self.reader.cursor.error_at(Code::LlvmInvalid, token, message));
        }
        let text = self.reader.cursor.text_of(token);
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        // A label is spelled as a name is, without its sigil.
        let name = match is_number.then(|| text.parse().ok()).flatten() {
            Some(number) => {
                let largest = self.reader.cursor.bytes().len() + SPARE_NUMBERS;
                Name::Number(self.check_number(token, number, largest)?)
            }
            None => Name::Text(self.reader.cursor.name_of(token, 0)?),
        };
        self.open_block(Some((token, name)), token.start)?;
        self.reader.cursor.go_to(end + 1);
        Ok(())
    }

    /// Begins a block with that label, or else the next number.
    pub(super) fn open_block(
        &mut self,
        label: Option<(Token, Name<'t>)>,
        at: Offset,
    ) -> Parsed<BlockId> {
        let token = label.as_ref().map(|(token, _)| *token);
        let (known, name) = match label {
            None => self.next_name(None)?,
            Some((token, Name::Number(number))) => {
                self.take_number(token, number)?;
                (self.numbered.get(number as usize).copied().flatten(), Name::Number(number))
            }
            Some((_, Name::Text(name))) => (self.symbols.get(&name).copied(), Name::Text(name)),
        };
        let token = token.unwrap_or(Token { start: at, end: at, ..self.reader.cursor.token });
        let id = match known {
            None => self.add_block(name, at),
            Some(Symbol::Local(_)) => return Err(self.wrong_kind(token, "value", "block")),
            Some(Symbol::Block(id)) => id,
        };
        let start = self.function.instructions.len() as u32;
        let block = &mut self.function.blocks[id.index()];
        if block.defined {
            let message = "this block is defined twice";
            return Err(self.reader.cursor.error_at(Code::DuplicateBlock, token, message));
        }
        block.defined = true;
        block.at = at;
        block.instructions = start..start;
        self.function.order.push(id);
        self.block = Some(id);
        Ok(id)
    }

    /// Refuses values and blocks that are used and not defined.
    pub(super) fn refuse_undefined(&mut self) -> Parsed<()> {
        let mut result = Ok(());
        let report = &mut *self.reader.cursor.report;
        let named = |name: &Option<Cow<'_, str>>, number: u32| match name {
            Some(name) => format!("%{name}"),
            None => format!("%{number}"),
        };
        for local in self.function.locals.iter().filter(|local| !local.defined) {
            let message = format!("`{}` is not defined", named(&local.name, local.number));
            result = Err(report.add(Code::UndefinedValue, local.at, message));
        }
        for block in self.function.blocks.iter().filter(|block| !block.defined) {
            let message = format!("the block `{}` is not there", named(&block.name, block.number));
            result = Err(report.add(Code::UndefinedBlock, block.at, message));
        }
        result
    }
}
