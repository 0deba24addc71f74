//! Data objects.

use super::scan::{Braces, skip_braces};
use super::{Parser, Pending};
use crate::entity::DataId;
use crate::module::{Content, DataItem, DataObject, Linkage, MAX_DATA_ALIGN_LOG2, Storage};
use crate::text::cursor::Cursor;
use crate::text::diagnostic::{Code, Parsed, Reported};
use crate::text::lexer::{Token, TokenKind};
use crate::text::literal::{bad_number, parse_count, parse_scalar, parse_sign};
use crate::text::number::{Sign, parse_integer, sign_extended};
use crate::text::outline::Part;
use crate::types::Scalar;

/// What the head of a data object says.
#[derive(Debug, Default)]
pub(super) struct Head {
    align_log2: Option<u8>,
    size: Option<u64>,
    content: Option<Content>,
    storage: Option<Storage>,
}

/// Reads an alignment in bytes as its logarithm, which is at most `largest`.
pub(super) fn parse_alignment(cursor: &mut Cursor<'_>, largest: u8) -> Parsed<u8> {
    let largest = 1u64 << largest;
    let token = cursor.token();
    let align = parse_count(cursor, "an alignment in bytes", u64::MAX)?;
    if align.is_power_of_two() && align <= largest {
        return Ok(align.trailing_zeros() as u8);
    }
    let message = format!("an alignment of {align} bytes cannot be");
    let hint = format!("it is a power of two of at most {largest}");
    Err(cursor.error_hint(Code::BadAlignment, token, message, hint))
}

impl Parser<'_> {
    pub(super) fn data(&mut self, linkage: Linkage) -> Parsed<()> {
        let token = self.cursor.expect_kind(TokenKind::Global, "the name of an object, `@name`")?;
        let name = self.cursor.name_of(token)?;
        let head = self.data_head();
        let elsewhere = !linkage.is_defined_here();
        let mut object = DataObject::new(&name, Vec::new());
        object.linkage = linkage;
        if let Ok(head) = &head {
            object.size = head.size.unwrap_or(0);
            let align_log2 = DataObject::default_align_log2(object.size);
            object.align_log2 = head.align_log2.unwrap_or(align_log2);
            object.content = head.content.unwrap_or_default();
            object.storage = head.storage.unwrap_or_default();
        }
        // A head that is wrong still declares its name.
        let id = self.module.declare_data(object);
        let id = id.map_err(|_| self.duplicate_symbol(token));
        let head = head?;
        let open = self.cursor.token();
        if self.cursor.take(b'=') {
            if !self.cursor.at(b'{') {
                return Err(self.cursor.unexpected("`{` and the items"));
            }
            let braces = skip_braces(&mut self.cursor, 0);
            if elsewhere {
                return Err(self.unexpected_body(open, "data object"));
            }
            self.pending.push(Pending::Data(id?, head, braces));
            return Ok(());
        }
        if elsewhere {
            return id.map(|_| ());
        }
        let message = format!("the data object `{}` has no items", self.cursor.excerpt(token));
        let hint = "write `= { … }`, or `import data` if another module or the host defines it";
        Err(self.cursor.error_hint(Code::MissingBody, token, message, hint))
    }

    fn data_head(&mut self) -> Parsed<Head> {
        let mut head = Head::default();
        while self.cursor.kind() == TokenKind::Word && !self.cursor.token().first_on_line {
            let token = self.cursor.bump();
            let word = self.cursor.text_of(token);
            let repeated = match word {
                "align" => {
                    let align = parse_alignment(&mut self.cursor, MAX_DATA_ALIGN_LOG2)?;
                    head.align_log2.replace(align).is_some()
                }
                "size" => {
                    let size = parse_count(&mut self.cursor, "a size in bytes", u64::MAX)?;
                    head.size.replace(size).is_some()
                }
                "const" => head.content.replace(Content::Constant).is_some(),
                "thread_local" => head.storage.replace(Storage::ThreadLocal).is_some(),
                _ => {
                    let message = format!("`{word}` says nothing of a data object");
                    let hint = "one of `align`, `size`, `const`, `thread_local`";
                    return Err(self.cursor.error_hint(Code::UnknownWord, token, message, hint));
                }
            };
            if repeated {
                let message = format!("`{word}` is given twice");
                return Err(self.cursor.error(Code::DuplicateAttribute, token, message));
            }
        }
        Ok(head)
    }

    pub(super) fn data_items(&mut self, id: DataId, head: &Head, braces: &Braces) {
        self.cursor.restore(braces.inside, braces.end);
        let mut items = Vec::new();
        while self.cursor.kind() != TokenKind::End {
            let first = self.cursor.token();
            let Ok(item) = self.data_item() else { return };
            self.cursor.note(Part::Line, first);
            items.push(item);
            if self.cursor.kind() != TokenKind::End && !self.cursor.take(b',') {
                self.cursor.unexpected("`,` or `}`");
                return;
            }
        }
        let Some(object) = self.module.data_mut(id) else { return };
        let whole = DataObject::new("", items);
        object.size = head.size.unwrap_or(whole.size);
        let align_log2 = DataObject::default_align_log2(object.size);
        object.align_log2 = head.align_log2.unwrap_or(align_log2);
        object.items = whole.items;
    }

    fn data_item(&mut self) -> Parsed<DataItem> {
        let token = self.cursor.expect_kind(TokenKind::Word, "a type, `bytes`, `zero` or `ptr`")?;
        match self.cursor.text_of(token) {
            "bytes" => Ok(DataItem::Bytes(self.cursor.byte_string()?)),
            "zero" => {
                let count = parse_count(&mut self.cursor, "a number of bytes", u64::MAX)?;
                Ok(DataItem::Zero(count))
            }
            "ptr" => {
                let symbol = self.symbol("a function or data object, `@name`")?;
                Ok(DataItem::Address { symbol, addend: self.addend()? })
            }
            word => {
                let scalar = Scalar::from_name(word).filter(|&scalar| is_data_scalar(scalar));
                match scalar {
                    Some(scalar) => self.numbers(scalar),
                    None => Err(self.unknown_item(token)),
                }
            }
        }
    }

    fn unknown_item(&mut self, token: Token) -> Reported {
        let message = format!("`{}` begins no item of data", self.cursor.excerpt(token));
        let hint = "an item is numbers as `i32 [1, 2]`, `bytes \"…\"`, `zero 8` or `ptr @name+8`";
        self.cursor.error_hint(Code::UnknownType, token, message, hint)
    }

    fn numbers(&mut self, scalar: Scalar) -> Parsed<DataItem> {
        let mut values = Vec::new();
        if self.cursor.take(b'[') {
            self.cursor.comma_separated(b']', |cursor| {
                values.push(parse_scalar(cursor, scalar)?);
                Ok(())
            })?;
        } else {
            values.push(parse_scalar(&mut self.cursor, scalar)?);
        }
        Ok(DataItem::Numbers { scalar, values })
    }

    fn addend(&mut self) -> Parsed<i64> {
        if !self.cursor.at(b'+') && !self.cursor.at(b'-') {
            return Ok(0);
        }
        parse_offset(&mut self.cursor, 64, "an offset").map(|offset| offset as i64)
    }
}

/// Reads `+8` or `-8`, a number that fits `bits` as signed.
pub(super) fn parse_offset(cursor: &mut Cursor<'_>, bits: u32, kind: &str) -> Parsed<i128> {
    let first = cursor.token();
    let sign = if cursor.take(b'+') { Sign::Plus } else { parse_sign(cursor) };
    let token = cursor.expect_kind(TokenKind::Number, kind)?;
    let width = if sign == Sign::Plus { bits - 1 } else { bits };
    let number = parse_integer(cursor.text_of(token), sign, width);
    let number = number.map_err(|error| bad_number(cursor, first, token, kind, error))?;
    Ok(sign_extended(number, bits))
}

/// Whether numbers of the type stand in data objects.
fn is_data_scalar(scalar: Scalar) -> bool {
    scalar.is_int() || scalar.is_float() || matches!(scalar, Scalar::X86Fp80 | Scalar::F128)
}
