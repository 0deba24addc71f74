//! Constants.

use crate::constant::Constant;
use crate::text::cursor::Cursor;
use crate::text::diagnostic::{Code, Parsed};
use crate::text::literal::{parse_lanes, parse_scalar};
use crate::types::{Scalar, Type, TypeKind, TypePool};

/// Reads a constant of type `ty`.
pub(super) fn parse_constant(
    cursor: &mut Cursor<'_>,
    types: &TypePool,
    ty: Type,
) -> Parsed<Constant> {
    let token = cursor.token();
    let constant = match ty.kind() {
        TypeKind::Scalar(scalar) => Constant::scalar(ty, parse_scalar(cursor, scalar)?),
        TypeKind::Vector(lane, lanes) => {
            let bits = parse_lanes(cursor, lane, u32::from(lanes))?;
            Constant::vector(ty, bits)
        }
        TypeKind::Function(_) if matches!(cursor.word(), "null" | "zero") => {
            cursor.bump();
            Constant::zero(ty)
        }
        TypeKind::Aggregate(_) if cursor.take_word("zero") => Constant::zero(ty),
        _ => None,
    };
    constant.ok_or_else(|| {
        let message =
            format!("`{}` is no literal of type {}", cursor.excerpt(token), Shown(types, ty));
        let hint = match ty.kind() {
            TypeKind::Function(_) => "write `null`, or take the reference with `function_addr`",
            TypeKind::Scalar(Scalar::Token) => "a token is made by an instruction",
            _ => "write `zero`, or build it with `make_aggregate`",
        };
        cursor.error_hint(Code::BadLiteral, token, message, hint)
    })
}

/// A type in a message, cut where it is long.
pub(super) struct Shown<'t>(pub(super) &'t TypePool, pub(super) Type);

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN: usize = 60;
        let text = self.0.display(self.1).to_string();
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => write!(f, "`{}…`", &text[..end]),
            None => write!(f, "`{text}`"),
        }
    }
}
