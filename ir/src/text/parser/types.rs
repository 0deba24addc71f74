//! Types and signatures.

use crate::text::cursor::Cursor;
use crate::text::diagnostic::{Code, Parsed, Reported};
use crate::text::lexer::{Token, TokenKind};
use crate::text::literal::parse_count;
use crate::text::quote::canonical_number;
use crate::types::{
    Arity, Convention, MAX_AGGREGATE_SIZE, MAX_BY_VALUE_ALIGN_LOG2, MAX_TYPE_DEPTH, Packing, Param,
    Passing, Scalar, Signature, Type, TypeError, TypePool,
};

use super::data::parse_alignment;
use super::suggest::closest;

/// Whether a type begins at the next token.
pub(super) fn begins_type(cursor: &Cursor<'_>) -> bool {
    match cursor.kind() {
        TokenKind::Word => {
            let word = cursor.word();
            matches!(word, "fn" | "cfn") || split_vector(word).is_some()
        }
        TokenKind::Mark(b'{' | b'[') => true,
        TokenKind::Mark(b'<') => cursor.second().kind == TokenKind::Mark(b'{'),
        _ => false,
    }
}

/// The scalar of a type word, and the number of lanes behind it.
fn split_vector(word: &str) -> Option<(Scalar, Option<u32>)> {
    if let Some(scalar) = Scalar::from_name(word) {
        return Some((scalar, None));
    }
    let (lane, lanes) = word.rsplit_once('x')?;
    Some((Scalar::from_name(lane)?, Some(canonical_number(lanes)?)))
}

/// Reads a type.
pub(in crate::text) fn parse_type(cursor: &mut Cursor<'_>, types: &mut TypePool) -> Parsed<Type> {
    TypeParser { cursor, types }.parse(0)
}

/// Reads a signature: `(i64, f64 …) -> i64`.
pub(super) fn parse_signature(
    cursor: &mut Cursor<'_>,
    types: &mut TypePool,
    convention: Convention,
) -> Parsed<Signature> {
    TypeParser { cursor, types }.signature(convention, 0)
}

/// Reads `(i64, f64)`, or nothing.
pub(super) fn parse_type_list(cursor: &mut Cursor<'_>, types: &mut TypePool) -> Parsed<Vec<Type>> {
    let mut list = Vec::new();
    if cursor.take(b'(') {
        cursor.comma_separated(b')', |cursor| {
            list.push(parse_type(cursor, types)?);
            Ok(())
        })?;
    }
    Ok(list)
}

/// Reports a type that cannot be made.
pub(super) fn bad_type(cursor: &mut Cursor<'_>, token: Token, error: &TypeError) -> Reported {
    cursor.error(Code::BadType, token, error.to_string())
}

struct TypeParser<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    types: &'c mut TypePool,
}

impl TypeParser<'_, '_> {
    fn parse(&mut self, depth: u32) -> Parsed<Type> {
        let start = self.cursor.token();
        if depth > MAX_TYPE_DEPTH {
            let message = format!("the type nests deeper than {MAX_TYPE_DEPTH}");
            return Err(self.cursor.error(Code::BadType, start, message));
        }
        match start.kind {
            TokenKind::Word => self.word(depth),
            TokenKind::Mark(b'[') => self.array(depth),
            TokenKind::Mark(b'{') => self.structure(Packing::Natural, depth),
            TokenKind::Mark(b'<') => {
                self.cursor.bump();
                let ty = self.structure(Packing::Packed, depth)?;
                self.cursor.expect(b'>')?;
                Ok(ty)
            }
            _ => Err(self.cursor.unexpected("a type")),
        }
    }

    fn word(&mut self, depth: u32) -> Parsed<Type> {
        let token = self.cursor.bump();
        let word = self.cursor.text_of(token);
        let convention = match word {
            "fn" => Convention::Internal,
            "cfn" => Convention::Platform,
            _ => return self.numeric(token, word),
        };
        let signature = self.signature(convention, depth + 1)?;
        let sig = self.types.signature(signature);
        sig.map(Type::function).map_err(|error| bad_type(self.cursor, token, &error))
    }

    fn numeric(&mut self, token: Token, word: &str) -> Parsed<Type> {
        match split_vector(word) {
            Some((scalar, None)) => Ok(Type::scalar(scalar)),
            Some((lane, Some(lanes))) => Type::vector(lane, lanes).ok_or_else(|| {
                let message = format!("there is no vector type `{word}`");
                let hint = "a vector has lanes of numbers, `i1`, `ptr` or `ref`, and at most 512 \
                            bits (64 lanes of `i1`)";
                self.cursor.error_hint(Code::BadType, token, message, hint)
            }),
            None => {
                let message = format!("there is no type `{}`", self.cursor.excerpt(token));
                let known = Scalar::ALL.iter().map(|scalar| scalar.name()).chain(["fn", "cfn"]);
                let hint = closest(word, known).map(|name| format!("did you mean `{name}`?"));
                Err(self.cursor.report.add(Code::UnknownType, token, message, hint))
            }
        }
    }

    fn array(&mut self, depth: u32) -> Parsed<Type> {
        let start = self.cursor.bump();
        let length = parse_count(self.cursor, "a number of elements", u64::MAX)?;
        self.cursor.expect_word("x")?;
        let element = self.parse(depth + 1)?;
        self.cursor.expect(b']')?;
        let array = self.types.array(element, length);
        array.map_err(|error| bad_type(self.cursor, start, &error))
    }

    fn structure(&mut self, packing: Packing, depth: u32) -> Parsed<Type> {
        let start = self.cursor.expect(b'{')?;
        let mut fields = Vec::new();
        let Self { cursor, types } = self;
        cursor.comma_separated(b'}', |cursor| {
            fields.push(TypeParser { cursor, types }.parse(depth + 1)?);
            Ok(())
        })?;
        let structure = self.types.structure(&fields, packing);
        structure.map_err(|error| bad_type(self.cursor, start, &error))
    }

    fn signature(&mut self, convention: Convention, depth: u32) -> Parsed<Signature> {
        self.cursor.expect(b'(')?;
        let mut signature = Signature { convention, ..Signature::default() };
        let Self { cursor, types } = self;
        cursor.comma_separated(b')', |cursor| {
            if signature.arity == Arity::Variadic {
                return Err(cursor.unexpected("`)` behind `...`"));
            }
            if cursor.kind() == TokenKind::Ellipsis {
                cursor.bump();
                signature.arity = Arity::Variadic;
            } else {
                signature.params.push(TypeParser { cursor, types }.param(depth)?);
            }
            Ok(())
        })?;
        if self.cursor.kind() != TokenKind::Arrow {
            return Ok(signature);
        }
        self.cursor.bump();
        let Self { cursor, types } = self;
        if cursor.take(b'(') {
            cursor.comma_separated(b')', |cursor| {
                signature.results.push(TypeParser { cursor, types }.param(depth)?);
                Ok(())
            })?;
        } else {
            signature.results.push(self.param(depth)?);
        }
        Ok(signature)
    }

    fn param(&mut self, depth: u32) -> Parsed<Param> {
        let ty = self.parse(depth)?;
        let passing = match self.cursor.word() {
            "sext" => Passing::SignExtended,
            "zext" => Passing::ZeroExtended,
            "sret" => Passing::StructReturn,
            "byval" => return Ok(Param { ty, passing: self.by_value()? }),
            "of" => return Ok(Param { ty, passing: self.piece_of()? }),
            _ => return Ok(ty.into()),
        };
        self.cursor.bump();
        Ok(Param { ty, passing })
    }

    /// Reads `byval(24 align 8)`.
    fn by_value(&mut self) -> Parsed<Passing> {
        self.cursor.bump();
        self.cursor.expect(b'(')?;
        let size = parse_count(self.cursor, "a size in bytes", MAX_AGGREGATE_SIZE)? as u32;
        self.cursor.expect_word("align")?;
        let align_log2 = parse_alignment(self.cursor, MAX_BY_VALUE_ALIGN_LOG2)?;
        self.cursor.expect(b')')?;
        Ok(Passing::ByValue { size, align_log2 })
    }

    /// Reads `of(8)`.
    fn piece_of(&mut self) -> Parsed<Passing> {
        self.cursor.bump();
        self.cursor.expect(b'(')?;
        let bytes = parse_count(self.cursor, "a number of bytes", u64::from(u8::MAX))?;
        self.cursor.expect(b')')?;
        Ok(Passing::PieceOf(bytes as u8))
    }
}
