//! Metadata, one piece at a time.

use super::cursor::Cursor;
use super::number::{self, IntegerBits};
use crate::llvm::lexer::{Kind, Token, Word};
use crate::llvm::syntax::{MetadataId, MetadataItem, Module, Node, Offset};
use crate::text::{Code, Parsed};
use std::ops::Range;

impl Module<'_> {
    /// Where a piece of metadata stands.
    pub(super) fn metadata_range(&self, id: MetadataId) -> Option<Range<Offset>> {
        if let Some(index) = id.0.checked_sub(Self::INLINE_METADATA) {
            return self.inline_metadata.get(index as usize).cloned();
        }
        // Most texts number theirs without gaps.
        let index = match self.metadata.get(id.index()) {
            Some((found, _)) if *found == id => id.index(),
            _ => self.metadata.binary_search_by_key(&id, |(found, _)| *found).ok()?,
        };
        self.metadata.get(index).map(|(_, range)| range.clone())
    }
}

/// Reads a piece of metadata with nothing behind it.
pub(super) fn read<'t>(cursor: &mut Cursor<'t, '_>) -> Parsed<Node<'t>> {
    let node = node(cursor)?;
    match cursor.kind() {
        Kind::End => Ok(node),
        _ => Err(cursor.unexpected("the end")),
    }
}

fn node<'t>(cursor: &mut Cursor<'t, '_>) -> Parsed<Node<'t>> {
    cursor.enter()?;
    let distinct = cursor.take_word(Word::Distinct);
    let token = cursor.bump();
    let node = match token.kind {
        Kind::Exclamation => {
            cursor.expect(b'{')?;
            Node::Tuple { distinct, items: items(cursor)? }
        }
        Kind::Metadata => {
            let kind = cursor.slice(token.start + 1..token.end);
            Node::Record { distinct, kind, fields: fields(cursor)? }
        }
        _ => return Err(cursor.error_at(Code::UnexpectedToken, token, "expected metadata")),
    };
    cursor.leave();
    Ok(node)
}

/// Reads the items of a tuple, and `}`.
fn items<'t>(cursor: &mut Cursor<'t, '_>) -> Parsed<Vec<MetadataItem<'t>>> {
    let mut items = Vec::new();
    if !cursor.take(b'}') {
        loop {
            items.push(item(cursor)?);
            if !cursor.take(b',') {
                break;
            }
        }
        cursor.expect(b'}')?;
    }
    Ok(items)
}

/// Reads the fields of a record in their brackets. What has no name has an empty one.
fn fields<'t>(cursor: &mut Cursor<'t, '_>) -> Parsed<Vec<(&'t str, MetadataItem<'t>)>> {
    let mut fields = Vec::new();
    cursor.expect(b'(')?;
    if !cursor.take(b')') {
        loop {
            let token = cursor.token;
            let is_named = matches!(token.kind, Kind::Word(_) | Kind::Unknown)
                && cursor.bytes().get(token.end as usize) == Some(&b':');
            let name = match is_named {
                true => {
                    cursor.bump();
                    cursor.bump();
                    cursor.text_of(token)
                }
                false => "",
            };
            fields.push((name, item(cursor)?));
            if !cursor.take(b',') {
                break;
            }
        }
        cursor.expect(b')')?;
    }
    Ok(fields)
}

fn item<'t>(cursor: &mut Cursor<'t, '_>) -> Parsed<MetadataItem<'t>> {
    let token = cursor.token;
    Ok(match token.kind {
        Kind::MetadataNumber => {
            cursor.bump();
            MetadataItem::Node(MetadataId(cursor.sigil_number(token)?))
        }
        Kind::Exclamation if cursor.bytes().get(token.end as usize) == Some(&b'"') => {
            cursor.bump();
            MetadataItem::String(cursor.byte_string()?)
        }
        Kind::Text => MetadataItem::String(cursor.byte_string()?),
        Kind::Exclamation | Kind::Metadata | Kind::Word(Word::Distinct) => {
            MetadataItem::Inline(Box::new(node(cursor)?))
        }
        Kind::Word(Word::Null) => {
            cursor.bump();
            MetadataItem::Null
        }
        Kind::Integer => {
            cursor.bump();
            let number = cursor.text_of(token).parse().ok();
            let message = "this number is too large";
            let number = number.ok_or_else(|| cursor.error_at(Code::BadNumber, token, message))?;
            MetadataItem::Number(number)
        }
        Kind::IntegerType => integer(cursor)?,
        Kind::Word(
            Word::Ptr
            | Word::Half
            | Word::Bfloat
            | Word::Float
            | Word::Double
            | Word::X86Fp80
            | Word::Fp128,
        )
        | Kind::Local
        | Kind::LocalNumber
        | Kind::Mark(b'[' | b'<' | b'{') => MetadataItem::Value(value(cursor)?),
        Kind::Word(_) | Kind::Unknown => MetadataItem::Word(words(cursor, token)),
        _ => return Err(cursor.unexpected("metadata")),
    })
}

/// Reads words with `|` between them.
fn words<'t>(cursor: &mut Cursor<'t, '_>, first: Token) -> &'t str {
    let mut end = cursor.bump().end;
    while cursor.take(b'|') {
        end = cursor.bump().end;
    }
    cursor.slice(first.start..end)
}

/// Reads an integer constant, or another value of an integer type.
fn integer<'t>(cursor: &mut Cursor<'t, '_>) -> Parsed<MetadataItem<'t>> {
    let token = cursor.token;
    let bits = u32::try_from(token.number).unwrap_or(0);
    cursor.bump();
    let text = cursor.text_of(cursor.token);
    let value = match cursor.kind() {
        Kind::Integer => number::decimal_integer(text, bits).ok(),
        Kind::HexInteger => number::hex_integer(text, bits).ok(),
        Kind::Word(Word::True) => Some(IntegerBits::Word(1)),
        Kind::Word(Word::False) => Some(IntegerBits::Word(0)),
        _ => None,
    };
    if let Some(IntegerBits::Word(value)) = value {
        cursor.bump();
        return Ok(MetadataItem::Integer { bits, value });
    }
    let rest = value_from(cursor, token.start)?;
    Ok(MetadataItem::Value(rest))
}

/// Goes over a value and its type.
fn value(cursor: &mut Cursor<'_, '_>) -> Parsed<Range<Offset>> {
    let start = cursor.token.start;
    value_from(cursor, start)
}

/// Goes over what is up to a comma or closing bracket.
fn value_from(cursor: &mut Cursor<'_, '_>, start: Offset) -> Parsed<Range<Offset>> {
    let mut depth = 0_u32;
    let mut end = start;
    loop {
        match cursor.kind() {
            Kind::Mark(b',' | b')' | b'}' | b']' | b'>') if depth == 0 => return Ok(start..end),
            Kind::Mark(b'(' | b'{' | b'[' | b'<') => depth += 1,
            Kind::Mark(b')' | b'}' | b']' | b'>') => depth -= 1,
            Kind::End | Kind::Unclosed => return Err(cursor.unexpected("`}`")),
            _ => {}
        }
        end = cursor.bump().end;
    }
}
