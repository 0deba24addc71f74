//! Run-time values as text: what directives of tests and the command take
//! and show.

use std::fmt;

use super::cursor::Cursor;
use super::diagnostic::{Code, Diagnostic, Parsed};
use super::lexer::TokenKind;
use super::literal::{parse_lanes, parse_scalar, write_address, write_lanes, write_scalar};
use crate::datum::Datum;
use crate::types::{Aggregate, MAX_LEAVES, Type, TypeKind, TypePool};

/// Reads a value of type `ty`: a literal, `{…}` for a struct, `[…]` for an
/// array. Addresses are their bits; a function reference is `null`.
///
/// # Errors
/// What is no such value, at its line and column of `text`.
pub fn parse_datum(types: &TypePool, ty: Type, text: &str) -> Result<Datum, Diagnostic> {
    if text.len() > super::MAX_BYTES {
        return Err(super::diagnostic::too_large(text.len(), super::MAX_BYTES));
    }
    let mut cursor = Cursor::new(text, 1);
    let datum = parse(&mut cursor, types, ty);
    if datum.is_ok() && cursor.kind() != TokenKind::End {
        cursor.unexpected("the end of the value");
    }
    match (cursor.report.into_diagnostics().pop(), datum) {
        (None, Ok(datum)) => Ok(datum),
        (Some(diagnostic), _) => Err(diagnostic),
        (None, Err(_)) => Err(super::diagnostic::too_large(text.len(), 0)),
    }
}

fn parse(cursor: &mut Cursor<'_>, types: &TypePool, ty: Type) -> Parsed<Datum> {
    let token = cursor.token();
    match ty.kind() {
        TypeKind::Scalar(scalar) => Ok(Datum::Scalar(parse_scalar(cursor, scalar)?)),
        TypeKind::Vector(lane, lanes) => {
            Ok(Datum::Lanes(parse_lanes(cursor, lane, u32::from(lanes))?.into()))
        }
        TypeKind::Function(_) if matches!(cursor.word(), "null" | "zero") => {
            cursor.bump();
            Ok(Datum::Scalar(0))
        }
        TypeKind::Aggregate(_) if cursor.word() == "zero" => {
            if types.leaf_count(ty) > MAX_LEAVES {
                let message = format!("a value of `{}` has too many parts", types.display(ty));
                return Err(cursor.error(Code::BadLiteral, token, message));
            }
            cursor.bump();
            Ok(Datum::zero(types, ty))
        }
        TypeKind::Aggregate(_) => parse_fields(cursor, types, ty),
        _ => {
            let message =
                format!("`{}` is no value of type `{}`", cursor.excerpt(token), types.display(ty));
            Err(cursor.error(Code::BadLiteral, token, message))
        }
    }
}

fn parse_fields(cursor: &mut Cursor<'_>, types: &TypePool, ty: Type) -> Parsed<Datum> {
    let token = cursor.token();
    let close = match types.aggregate(ty) {
        Some(Aggregate::Array { .. }) => {
            cursor.expect(b'[')?;
            b']'
        }
        _ => {
            cursor.expect(b'{')?;
            b'}'
        }
    };
    let mut fields = Vec::new();
    let wrong_count = |cursor: &mut Cursor<'_>| {
        let message = format!("the type has {} fields or elements", types.field_count(ty));
        cursor.error(Code::BadLiteral, token, message)
    };
    cursor.comma_separated(close, |cursor| match types.field(ty, fields.len() as u64) {
        Some(field) => {
            fields.push(parse(cursor, types, field)?);
            Ok(())
        }
        None => Err(wrong_count(cursor)),
    })?;
    if fields.len() as u64 != types.field_count(ty) {
        return Err(wrong_count(cursor));
    }
    Ok(Datum::Fields(fields.into()))
}

/// The text of a value of type `ty`, as [`parse_datum`] reads it.
pub fn display_datum<'a>(types: &'a TypePool, ty: Type, datum: &'a Datum) -> DatumDisplay<'a> {
    DatumDisplay { types, ty, datum }
}

/// Prints a run-time value.
#[derive(Clone, Copy, Debug)]
pub struct DatumDisplay<'a> {
    types: &'a TypePool,
    ty: Type,
    datum: &'a Datum,
}

impl fmt::Display for DatumDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DatumDisplay { types, ty, datum } = *self;
        match (ty.kind(), datum) {
            (TypeKind::Scalar(scalar), Datum::Scalar(bits)) => write_scalar(f, *bits, scalar),
            (TypeKind::Vector(lane, _), Datum::Lanes(lanes)) => write_lanes(f, lanes, lane),
            (TypeKind::Aggregate(_), Datum::Fields(fields)) => {
                let (open, close) = match types.aggregate(ty) {
                    Some(Aggregate::Array { .. }) => ('[', ']'),
                    _ => ('{', '}'),
                };
                write!(f, "{open}")?;
                for (i, field) in fields.iter().enumerate() {
                    let ty = types.field(ty, i as u64).unwrap_or(Type::NONE);
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{}", display_datum(types, ty, field))?;
                }
                write!(f, "{close}")
            }
            // A function reference, or a value of another type than it is said to be.
            (_, Datum::Scalar(bits)) => write_address(f, *bits),
            (_, other) => write!(f, "{other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Packing, Scalar};

    fn shown(types: &TypePool, ty: Type, text: &str) -> Result<String, String> {
        let datum = parse_datum(types, ty, text).map_err(|error| error.to_string())?;
        Ok(display_datum(types, ty, &datum).to_string())
    }

    #[test]
    fn values_of_every_shape_read_back() {
        let mut types = TypePool::default();
        let lanes = Type::vector(Scalar::F32, 2).unwrap();
        let array = types.array(Type::I8, 3).unwrap();
        let pair = types.structure(&[array, lanes], Packing::Natural).unwrap();
        for (ty, text) in [
            (Type::I64, "-5"),
            (Type::I1, "1"),
            (Type::PTR, "0x1000"),
            (Type::REF, "null"),
            (lanes, "<1.5, -inf>"),
            (array, "[1, -2, 3]"),
            (pair, "{[1, -2, 3], <nan, 0.0>}"),
        ] {
            assert_eq!(shown(&types, ty, text).as_deref(), Ok(text));
        }
        assert_eq!(shown(&types, array, " zero ; all").as_deref(), Ok("[0, 0, 0]"));
    }

    #[test]
    fn what_is_no_value_is_refused_at_its_place() {
        let mut types = TypePool::default();
        let array = types.array(Type::I8, 2).unwrap();
        let large = types.array(Type::I8, 1 << 30).unwrap();
        let nothing = types.structure(&[], Packing::Natural).unwrap();
        let nothings = types.array(nothing, u64::MAX).unwrap();
        let code = |ty, text: &str| {
            let error = parse_datum(&types, ty, text).unwrap_err();
            (error.code, error.column)
        };
        assert_eq!(code(array, "[1, 300]"), (Code::LiteralRange, 5));
        assert_eq!(code(array, "[1]"), (Code::BadLiteral, 1));
        assert_eq!(code(array, "[1, 2, 3]"), (Code::BadLiteral, 1));
        assert_eq!(code(large, "zero"), (Code::BadLiteral, 1));
        assert_eq!(code(nothings, "zero"), (Code::BadLiteral, 1));
        assert_eq!(code(Type::I8, "1 2"), (Code::UnexpectedToken, 3));
        assert_eq!(code(Type::TOKEN, "zero"), (Code::BadLiteral, 1));
        assert_eq!(code(Type::I8, ""), (Code::BadLiteral, 1));
    }
}
