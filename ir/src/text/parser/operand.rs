//! Operands, symbols and targets.

use hashbrown::HashSet;

use super::function::{Argument, FunctionParser};
use super::types::{begins_type, parse_type};
use crate::entity::{Block, DataId, FuncId, Value};
use crate::module::{Module, Symbol};
use crate::text::cursor::Cursor;
use crate::text::diagnostic::{Code, Parsed, Reported};
use crate::text::lexer::TokenKind;
use crate::text::literal::{begins_literal, skip_literal};
use crate::types::Type;

/// Reads a name and gives the symbol that it stands for.
pub(super) fn parse_symbol(
    cursor: &mut Cursor<'_>,
    module: &Module,
    faulty: &HashSet<String>,
    expected: &str,
) -> Parsed<Symbol> {
    let token = cursor.expect_kind(TokenKind::Global, expected)?;
    let name = cursor.name_of(token)?;
    if let Some(symbol) = module.symbol(&name) {
        return Ok(symbol);
    }
    if faulty.contains(name.as_ref()) {
        // Its declaration is what is wrong, and was reported.
        return if cursor.report.is_empty() {
            Err(cursor.unexpected(expected))
        } else {
            Err(Reported)
        };
    }
    let message = format!("`{}` is not declared in this module", cursor.excerpt(token));
    let hint = "declare it, as in `import func @name(i64) -> i64`";
    Err(cursor.error_hint(Code::UnknownSymbol, token, message, hint))
}

impl FunctionParser<'_, '_> {
    pub(super) fn begins_operand(&self) -> bool {
        self.cursor.kind() == TokenKind::Value
            || begins_literal(self.cursor)
            || begins_type(self.cursor)
    }

    /// Reads an operand; a literal is of type `ty`, or spells its type.
    pub(super) fn operand(&mut self, ty: Option<Type>) -> Parsed<Value> {
        if self.cursor.kind() == TokenKind::Value {
            let token = self.cursor.bump();
            return self.use_value(token);
        }
        if begins_literal(self.cursor) {
            return self.literal(ty);
        }
        if !begins_type(self.cursor) {
            return Err(self.cursor.unexpected("a value or a literal"));
        }
        let ty = parse_type(self.cursor, &mut self.module.types)?;
        self.cursor.expect(b':')?;
        self.literal(Some(ty))
    }

    pub(super) fn function_name(&mut self) -> Parsed<FuncId> {
        let token = self.cursor.token();
        match parse_symbol(self.cursor, self.module, self.faulty, "a function, `@name`")? {
            Symbol::Function(id) => Ok(id),
            Symbol::Data(_) => {
                let message = format!("`{}` is no function", self.cursor.excerpt(token));
                Err(self.cursor.error(Code::UnknownSymbol, token, message))
            }
        }
    }

    pub(super) fn data_name(&mut self) -> Parsed<DataId> {
        let token = self.cursor.token();
        match parse_symbol(self.cursor, self.module, self.faulty, "a data object, `@name`")? {
            Symbol::Data(id) => Ok(id),
            Symbol::Function(_) => {
                let message = format!("`{}` is no data object", self.cursor.excerpt(token));
                Err(self.cursor.error(Code::UnknownSymbol, token, message))
            }
        }
    }

    /// Reads `block(arguments)`.
    pub(super) fn target(&mut self) -> Parsed<(Block, Vec<Argument>)> {
        let block = self.use_block()?;
        let mut arguments = Vec::new();
        if !self.cursor.take(b'(') || self.cursor.take(b')') {
            return Ok((block, arguments));
        }
        loop {
            arguments.push(self.argument(block, arguments.len())?);
            if self.cursor.take(b')') {
                return Ok((block, arguments));
            }
            if !self.cursor.take(b',') {
                return Err(self.cursor.unexpected("`,` or `)`"));
            }
        }
    }

    fn argument(&mut self, block: Block, index: usize) -> Parsed<Argument> {
        if !begins_literal(self.cursor) {
            return Ok(Argument::Value(self.operand(None)?));
        }
        if self.body.layout.is_placed(block) {
            let param = self.body.params(block).get(index).copied();
            let ty = param.map(|param| self.body.value_type(param));
            return Ok(Argument::Value(self.literal(ty)?));
        }
        let bookmark = self.cursor.bookmark();
        skip_literal(self.cursor)?;
        Ok(Argument::Literal(bookmark))
    }
}
