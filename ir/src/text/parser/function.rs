//! Function bodies: what stays known from one line to the next.

use hashbrown::HashSet;

use super::scan::Braces;
use super::types::parse_type;
use super::{Parser, constant};
use crate::body::Body;
use crate::entity::{Block, EntitySet, FuncId, Inst, SigId, Value};
use crate::module::Module;
use crate::op::Op;
use crate::text::cursor::{Bookmark, Cursor};
use crate::text::diagnostic::{Code, Parsed, Reported};
use crate::text::lexer::{Token, TokenKind};
use crate::text::outline::Part;
use crate::text::quote::canonical_number;
use crate::types::Type;

/// Whether a function gives its locations itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Locations {
    /// It declares them.
    Declared,
    /// Its instructions belong to the lines of the text.
    OfText,
}

/// An argument of a target.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    Value(Value),
    /// A literal, whose type is that of a parameter that is not read yet.
    Literal(Bookmark),
}

/// A target with arguments that wait for the parameters of their block.
#[derive(Debug)]
pub(super) struct Deferred {
    pub(super) inst: Inst,
    pub(super) target: usize,
    pub(super) arguments: Vec<Argument>,
}

/// Reads one body.
#[derive(Debug)]
pub(super) struct FunctionParser<'p, 'a> {
    pub(super) cursor: &'p mut Cursor<'a>,
    pub(super) module: &'p mut Module,
    pub(super) faulty: &'p HashSet<String>,
    pub(super) sig: SigId,
    pub(super) body: Body,
    pub(super) block: Option<Block>,
    pub(super) locations: Locations,
    pub(super) deferred: Vec<Deferred>,
    pub(super) defined: EntitySet<Value>,
    /// Values and blocks at places before their definition.
    pub(super) early_values: Vec<(Value, Token)>,
    pub(super) early_blocks: Vec<(Block, Token)>,
    number_limit: u32,
}

/// Reads the body of a function and puts it there.
pub(super) fn parse_body(parser: &mut Parser<'_>, id: FuncId, braces: &Braces) {
    let Some(sig) = parser.module.function(id).map(|function| function.sig) else { return };
    parser.cursor.restore(braces.inside, braces.end);
    let mut body = Body::default();
    if let Some(last) = braces.values.checked_sub(1) {
        body.reserve_values(Value::from_u32(last));
    }
    if let Some(last) = braces.blocks.checked_sub(1) {
        body.reserve_blocks(Block::from_u32(last));
    }
    let mut function = FunctionParser {
        cursor: &mut parser.cursor,
        module: &mut parser.module,
        faulty: &parser.faulty,
        sig,
        body,
        block: None,
        locations: Locations::OfText,
        deferred: Vec::new(),
        defined: EntitySet::new(),
        early_values: Vec::new(),
        early_blocks: Vec::new(),
        number_limit: braces.number_limit,
    };
    function.lines();
    function.resolve_deferred();
    function.refuse_undefined();
    let mut body = function.body;
    body.shrink_to_fit();
    if let Some(function) = parser.module.function_mut(id) {
        function.body = Some(Box::new(body));
    }
}

impl<'a> FunctionParser<'_, 'a> {
    fn lines(&mut self) {
        while self.cursor.kind() != TokenKind::End {
            let (start, first) = (self.cursor.bookmark(), self.cursor.token());
            match self.line() {
                Ok(part) => self.cursor.note(part, first),
                Err(Reported) => self.recover(start),
            }
        }
    }

    fn line(&mut self) -> Parsed<Part> {
        let behind = match self.cursor.kind() {
            TokenKind::Value => return self.instruction().map(|()| Part::Line),
            TokenKind::Text => return self.label().map(|()| Part::Line),
            TokenKind::Word => self.cursor.second().kind,
            _ => return Err(self.cursor.unexpected_line("an instruction or a block")),
        };
        match behind {
            TokenKind::Mark(b':' | b'(') => self.label().map(|()| Part::Line),
            TokenKind::Mark(b'=') => self.entity(),
            _ => self.instruction().map(|()| Part::Line),
        }
    }

    /// Goes on at the next line that looks like the beginning of something.
    /// Inside brackets of the line that is wrong only an instruction does.
    fn recover(&mut self, start: Bookmark) {
        let reached = self.cursor.token().start;
        let limit = self.cursor.limit();
        self.cursor.restore(start, limit);
        let mut depth = 0_i64;
        let mut is_first = true;
        loop {
            let token = self.cursor.token();
            let begins = !is_first && token.start >= reached && token.first_on_line;
            match token.kind {
                TokenKind::End => return,
                TokenKind::Mark(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Mark(b')' | b']' | b'}') => depth -= 1,
                TokenKind::Value if begins => return,
                TokenKind::Word | TokenKind::Text
                    if begins
                        && (depth <= 0 || Op::from_mnemonic(self.cursor.word()).is_some()) =>
                {
                    return;
                }
                _ => {}
            }
            is_first = false;
            match token.start < reached {
                true => self.cursor.bump_quietly(),
                false => self.cursor.bump(),
            };
        }
    }

    /// Whether something may still stand on this line.
    pub(super) fn on_line(&self) -> bool {
        !self.cursor.token().first_on_line
    }

    /// The value that a token names.
    fn value_of(&mut self, token: Token) -> Parsed<Value> {
        let digits = self.cursor.text_of(token).get(1..).and_then(canonical_number);
        if let Some(number) = digits {
            return match number < self.number_limit {
                true => Ok(Value::from_u32(number)),
                false => Err(self.number_too_large(token)),
            };
        }
        let name = self.cursor.name_of(token)?;
        if let Some(value) = self.body.value_named(&name) {
            return Ok(value);
        }
        let value = self.body.reserve_value();
        self.body.set_value_name(value, &name);
        Ok(value)
    }

    fn number_too_large(&mut self, token: Token) -> Reported {
        let message = format!(
            "the number of `{}` is too large for a text of this size",
            self.cursor.excerpt(token)
        );
        let hint = "count from 0, or use a name";
        self.cursor.error_hint(Code::NumberTooLarge, token, message, hint)
    }

    /// The value that a token uses.
    pub(super) fn use_value(&mut self, token: Token) -> Parsed<Value> {
        let value = self.value_of(token)?;
        if !self.defined.contains(value) {
            self.early_values.push((value, token));
        }
        Ok(value)
    }

    /// The value that a token defines.
    pub(super) fn define_value(&mut self, token: Token) -> Parsed<Value> {
        let value = self.value_of(token)?;
        if self.defined.insert(value) {
            return Ok(value);
        }
        let message = format!("`{}` is defined twice", self.cursor.excerpt(token));
        let hint = "every value has one definition; a block parameter joins several values";
        Err(self.cursor.error_hint(Code::DuplicateValue, token, message, hint))
    }

    /// The block that a token names.
    fn block_of(&mut self, token: Token) -> Parsed<Block> {
        let text = self.cursor.text_of(token);
        let name = match token.kind {
            TokenKind::Text => self.cursor.unquoted(token, text)?,
            _ => match text.strip_prefix("block").and_then(canonical_number) {
                Some(number) if number < self.number_limit => return Ok(Block::from_u32(number)),
                Some(_) => return Err(self.number_too_large(token)),
                None => text.to_owned(),
            },
        };
        if let Some(block) = self.body.block_named(&name) {
            return Ok(block);
        }
        let block = self.body.make_block();
        self.body.set_block_name(block, &name);
        Ok(block)
    }

    /// The block that stands next as a target.
    pub(super) fn use_block(&mut self) -> Parsed<Block> {
        if !matches!(self.cursor.kind(), TokenKind::Word | TokenKind::Text) {
            return Err(self.cursor.unexpected("a block"));
        }
        let token = self.cursor.bump();
        let block = self.block_of(token)?;
        if !self.body.layout.is_placed(block) {
            self.early_blocks.push((block, token));
        }
        Ok(block)
    }

    /// Reads `name(%param: type, …):`.
    fn label(&mut self) -> Parsed<()> {
        let token = self.cursor.bump();
        let block = self.block_of(token)?;
        if self.body.layout.is_placed(block) {
            let message = format!("the block `{}` stands twice", self.cursor.excerpt(token));
            return Err(self.cursor.error(Code::DuplicateBlock, token, message));
        }
        self.body.layout.append_block(block);
        self.block = Some(block);
        if self.cursor.take(b'(') {
            self.params(block)?;
        }
        self.cursor.expect(b':')?;
        Ok(())
    }

    fn params(&mut self, block: Block) -> Parsed<()> {
        if self.cursor.take(b')') {
            return Ok(());
        }
        loop {
            let token = self.cursor.expect_kind(TokenKind::Value, "a parameter, `%name: type`")?;
            self.cursor.expect(b':')?;
            let value = self.define_value(token)?;
            let ty = parse_type(self.cursor, &mut self.module.types)?;
            self.body.append_param_as(block, ty, Some(value));
            if self.cursor.take(b')') {
                return Ok(());
            }
            if !self.cursor.take(b',') {
                return Err(self.cursor.unexpected("`,` or `)`"));
            }
        }
    }

    /// Reads a literal of a type that is known, or not.
    pub(super) fn literal(&mut self, ty: Option<Type>) -> Parsed<Value> {
        let Some(ty) = ty else {
            let token = self.cursor.token();
            let message = "nothing says which type this literal has".to_owned();
            let hint = "spell it, as in `i32:5`";
            return Err(self.cursor.error_hint(Code::UntypedLiteral, token, message, hint));
        };
        let constant = constant::parse_constant(self.cursor, &self.module.types, ty)?;
        Ok(self.body.constant(constant))
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        self.cursor.text_of(token)
    }
}
