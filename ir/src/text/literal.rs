//! Literals: the bits of scalars and vectors, read and written for
//! constants, data objects and run-time values alike.

use std::fmt;

use super::cursor::Cursor;
use super::diagnostic::{Code, Parsed, Reported};
use super::lexer::{Token, TokenKind};
use super::number::{
    NumberError, Sign, infinity, parse_decimal, parse_integer, parse_magnitude, quiet_nan,
    write_float, write_integer,
};
use crate::types::Scalar;

/// Whether a token begins a literal without its type.
pub(super) fn begins_literal(cursor: &Cursor<'_>) -> bool {
    match cursor.kind() {
        TokenKind::Number | TokenKind::Mark(b'-') => true,
        TokenKind::Mark(b'<') => cursor.second().kind != TokenKind::Mark(b'{'),
        TokenKind::Word => matches!(cursor.word(), "null" | "zero" | "inf" | "nan" | "bits"),
        _ => false,
    }
}

/// Reads over a literal whose type is not known yet.
pub(super) fn skip_literal(cursor: &mut Cursor<'_>) -> Parsed<()> {
    if !cursor.take(b'<') {
        return skip_scalar(cursor);
    }
    cursor.comma_separated(b'>', skip_scalar)
}

fn skip_scalar(cursor: &mut Cursor<'_>) -> Parsed<()> {
    cursor.take(b'-');
    if cursor.take_word("bits") {
        cursor.expect(b':')?;
    }
    match cursor.kind() {
        TokenKind::Number => {}
        TokenKind::Word if begins_literal(cursor) => {}
        _ => return Err(cursor.unexpected("a literal")),
    }
    cursor.bump();
    Ok(())
}

/// Reads the bits of a scalar.
pub(super) fn parse_scalar(cursor: &mut Cursor<'_>, scalar: Scalar) -> Parsed<u128> {
    if scalar != Scalar::Token && cursor.take_word("zero") {
        return Ok(0);
    }
    match scalar {
        Scalar::Token => Err(bad_literal(cursor, scalar, "a token is made by an instruction")),
        Scalar::X86Fp80 | Scalar::F128 => match cursor.take_word("bits") {
            true => parse_bits(cursor, scalar),
            false => Err(bad_literal(cursor, scalar, "spell its bits, as in `bits:0x0`")),
        },
        scalar if scalar.is_float() => parse_float(cursor, scalar),
        scalar if scalar.is_address() && cursor.take_word("null") => Ok(0),
        scalar if scalar.is_managed() => {
            Err(bad_literal(cursor, scalar, "the only constant of a managed kind is `null`"))
        }
        scalar => parse_int(cursor, scalar),
    }
}

fn parse_int(cursor: &mut Cursor<'_>, scalar: Scalar) -> Parsed<u128> {
    let digits = match cursor.at(b'-') {
        true => cursor.second().kind,
        false => cursor.kind(),
    };
    if digits != TokenKind::Number {
        let hint = match scalar {
            Scalar::I1 => "write 0 or 1",
            Scalar::Ptr => "write `null`, or the bits as in `0x1000`",
            _ => "write a number as in `-5` or `0xff`",
        };
        return Err(bad_literal(cursor, scalar, hint));
    }
    parse_signed(cursor, scalar.bits(), "a number", scalar.name())
}

fn parse_float(cursor: &mut Cursor<'_>, scalar: Scalar) -> Parsed<u128> {
    if cursor.take_word("bits") {
        return parse_bits(cursor, scalar);
    }
    let first = cursor.token();
    let sign = match parse_sign(cursor) {
        Sign::Plus => 0,
        Sign::Minus => 1 << (scalar.bits() - 1),
    };
    let named = match cursor.word() {
        "inf" => infinity(scalar),
        "nan" if sign == 0 => quiet_nan(scalar),
        _ => None,
    };
    if let Some(bits) = named {
        cursor.bump();
        return Ok(sign | bits);
    }
    if cursor.kind() != TokenKind::Number {
        let hint = "write a decimal as in `1.5`, `inf`, `nan`, or the bits as in `bits:0x0`";
        return Err(bad_literal(cursor, scalar, hint));
    }
    let token = cursor.bump();
    let bits = parse_decimal(cursor.text_of(token), scalar);
    let number = bits.map(|bits| sign | bits);
    number.map_err(|error| bad_number(cursor, first, token, scalar.name(), error))
}

/// Reads `:` and the bits behind it.
fn parse_bits(cursor: &mut Cursor<'_>, scalar: Scalar) -> Parsed<u128> {
    cursor.expect(b':')?;
    let token = cursor.expect_kind(TokenKind::Number, "the bits as a number")?;
    let bits = parse_integer(cursor.text_of(token), Sign::Plus, scalar.bits());
    bits.map_err(|error| bad_number(cursor, token, token, scalar.name(), error))
}

/// Reads `-` if it stands there.
pub(super) fn parse_sign(cursor: &mut Cursor<'_>) -> Sign {
    if cursor.take(b'-') { Sign::Minus } else { Sign::Plus }
}

/// Reads the lanes of a vector: `<…>` or `zero`.
pub(super) fn parse_lanes(cursor: &mut Cursor<'_>, lane: Scalar, count: u32) -> Parsed<Vec<u128>> {
    if cursor.take_word("zero") {
        return Ok(vec![0; count as usize]);
    }
    let open = cursor.token();
    if !cursor.take(b'<') {
        let message = format!("a vector of {count} lanes is spelled `<…>` or `zero`");
        return Err(cursor.error(Code::BadLiteral, open, message));
    }
    let mut lanes = Vec::new();
    cursor.comma_separated(b'>', |cursor| {
        lanes.push(parse_scalar(cursor, lane)?);
        Ok(())
    })?;
    if lanes.len() == count as usize {
        return Ok(lanes);
    }
    let message = format!("the literal has {} lanes and its type has {count}", lanes.len());
    Err(cursor.error(Code::BadLiteral, open, message))
}

fn bad_literal(cursor: &mut Cursor<'_>, scalar: Scalar, hint: &str) -> Reported {
    let token = cursor.token();
    let found = cursor.excerpt(token);
    let message = format!("`{found}` is no literal of type {}", scalar.name());
    cursor.error_hint(Code::BadLiteral, token, message, hint)
}

/// Reports a number from its sign or first digit to its last that is none for `kind`.
pub(super) fn bad_number(
    cursor: &mut Cursor<'_>,
    first: Token,
    last: Token,
    kind: &str,
    error: NumberError,
) -> Reported {
    let whole = Token { end: last.end, ..first };
    let found = cursor.excerpt(whole);
    match error {
        NumberError::Spelling => {
            let message = format!("`{found}` is no number for {kind}");
            cursor.error(Code::BadNumber, whole, message)
        }
        NumberError::Range => {
            let message = format!("`{found}` is out of range for {kind}");
            cursor.error(Code::LiteralRange, whole, message)
        }
    }
}

/// Reads an integer with its sign that fits `bits` as signed or as unsigned.
pub(super) fn parse_signed(
    cursor: &mut Cursor<'_>,
    bits: u32,
    expected: &str,
    kind: &str,
) -> Parsed<u128> {
    let first = cursor.token();
    let sign = parse_sign(cursor);
    let token = cursor.expect_kind(TokenKind::Number, expected)?;
    let number = parse_integer(cursor.text_of(token), sign, bits);
    number.map_err(|error| bad_number(cursor, first, token, kind, error))
}

/// Reads a count of at most `largest`.
pub(super) fn parse_count(cursor: &mut Cursor<'_>, kind: &str, largest: u64) -> Parsed<u64> {
    let token = cursor.expect_kind(TokenKind::Number, kind)?;
    let number = parse_magnitude(cursor.text_of(token));
    let fits = number.and_then(|number| {
        let number = u64::try_from(number).map_err(|_| NumberError::Range)?;
        if number > largest { Err(NumberError::Range) } else { Ok(number) }
    });
    fits.map_err(|error| bad_number(cursor, token, token, kind, error))
}

/// Writes the bits of a scalar.
pub(super) fn write_scalar(f: &mut dyn fmt::Write, bits: u128, scalar: Scalar) -> fmt::Result {
    match scalar {
        Scalar::Token => f.write_str("token"),
        Scalar::X86Fp80 | Scalar::F128 => write!(f, "bits:{bits:#x}"),
        scalar if scalar.is_float() => write_float(f, bits, scalar),
        scalar if scalar.is_address() => write_address(f, bits),
        scalar => write_integer(f, bits, scalar.bits()),
    }
}

/// Writes an address: `null` or its bits.
pub(super) fn write_address(f: &mut dyn fmt::Write, bits: u128) -> fmt::Result {
    if bits == 0 { f.write_str("null") } else { write!(f, "{bits:#x}") }
}

/// Writes the lanes of a vector.
pub(super) fn write_lanes(f: &mut dyn fmt::Write, lanes: &[u128], lane: Scalar) -> fmt::Result {
    f.write_char('<')?;
    for (i, &bits) in lanes.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write_scalar(f, bits, lane)?;
    }
    f.write_char('>')
}
