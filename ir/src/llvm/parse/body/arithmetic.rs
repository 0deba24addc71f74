//! Ops on numbers: results from operands, and nothing else.

use super::{Body, Read};
use crate::llvm::lexer::Word;
use crate::llvm::parse::ops;
use crate::llvm::syntax::{BinaryOp, CastOp, Flags, Kind, TypeId};
use crate::text::{Code, Reported};

/// The flags that an op may have.
fn flags_of(op: BinaryOp) -> Flags {
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => Flags::NUW | Flags::NSW,
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::LShr | BinaryOp::AShr => Flags::EXACT,
        BinaryOp::Or => Flags::DISJOINT,
        BinaryOp::URem | BinaryOp::SRem | BinaryOp::And | BinaryOp::Xor => Flags::empty(),
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            ops::FAST
        }
    }
}

/// The flags that a conversion may have.
fn cast_flags(op: CastOp) -> Flags {
    match op {
        CastOp::Trunc => Flags::NUW | Flags::NSW,
        CastOp::ZExt => Flags::NON_NEGATIVE,
        CastOp::UiToFp => Flags::NON_NEGATIVE | ops::FAST,
        CastOp::FpTrunc | CastOp::FpExt | CastOp::SiToFp => ops::FAST,
        _ => Flags::empty(),
    }
}

impl Body<'_, '_> {
    /// Reads an op on two values or a conversion.
    pub(super) fn arithmetic(&mut self, word: Word) -> Read {
        if let Some(op) = ops::binary(word) {
            return self.binary(op);
        }
        if let Some(op) = ops::cast(word) {
            return self.cast(op);
        }
        Err(self.unknown_op())
    }

    /// The error of a word where an op is due.
    pub(super) fn unknown_op(&mut self) -> Reported {
        let token = self.reader.cursor.token;
        let message = format!("there is no op `{}`", self.reader.cursor.text_of(token));
        self.reader.cursor.error_at(Code::UnknownOp, token, message)
    }

    fn binary(&mut self, op: BinaryOp) -> Read {
        let token = self.reader.cursor.bump();
        self.number_flags();
        self.float_flags();
        self.refuse_flags(token, flags_of(op))?;
        let ty = self.reader.ty()?;
        if let Some(takes) = self.reader.refused_by_binary(op, ty) {
            return Err(self.reader.wrong_type(token, takes, ty));
        }
        let left = self.value(ty)?;
        self.reader.cursor.expect(b',')?;
        let right = self.value(ty)?;
        Ok((Kind::Binary { op, ty, left, right }, ty))
    }

    fn cast(&mut self, op: CastOp) -> Read {
        let token = self.reader.cursor.bump();
        self.number_flags();
        self.float_flags();
        self.refuse_flags(token, cast_flags(op))?;
        let value = self.typed()?;
        self.reader.cursor.expect_word(Word::To, "to")?;
        let to = self.reader.ty()?;
        match self.reader.casts(op, value.ty, to) {
            true => Ok((Kind::Cast { op, value, to }, to)),
            false => Err(self.reader.bad_cast(token, value.ty, to)),
        }
    }

    pub(super) fn fneg(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        self.float_flags();
        let value = self.typed()?;
        let is_float = self.reader.is_float(value.ty);
        self.reader.require(token, is_float, "this op takes floats", value.ty)?;
        Ok((Kind::FNeg(value), value.ty))
    }

    pub(super) fn icmp(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        self.number_flags();
        self.refuse_flags(token, Flags::SAMESIGN)?;
        let Some(condition) = ops::int_condition(self.reader.cursor.kind()) else {
            return Err(self.unknown_condition());
        };
        self.reader.cursor.bump();
        let ty = self.reader.ty()?;
        let takes = "this op takes integers and addresses";
        let fits = self.reader.is_integer(ty) || self.reader.is_pointer(ty);
        self.reader.require(token, fits, takes, ty)?;
        let left = self.value(ty)?;
        self.reader.cursor.expect(b',')?;
        let right = self.value(ty)?;
        let result = self.reader.in_lanes_of(ty, TypeId::I1);
        Ok((Kind::ICmp { condition, ty, left, right }, result))
    }

    pub(super) fn fcmp(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        self.float_flags();
        let Some(condition) = ops::float_condition(self.reader.cursor.kind()) else {
            return Err(self.unknown_condition());
        };
        self.reader.cursor.bump();
        let ty = self.reader.ty()?;
        let is_float = self.reader.is_float(ty);
        self.reader.require(token, is_float, "this op takes floats", ty)?;
        let left = self.value(ty)?;
        self.reader.cursor.expect(b',')?;
        let right = self.value(ty)?;
        let result = self.reader.in_lanes_of(ty, TypeId::I1);
        Ok((Kind::FCmp { condition, ty, left, right }, result))
    }

    fn unknown_condition(&mut self) -> Reported {
        let token = self.reader.cursor.token;
        let message = format!("`{}` is no condition", self.reader.cursor.text_of(token));
        self.reader.cursor.error_at(Code::UnknownWord, token, message)
    }

    pub(super) fn freeze(&mut self) -> Read {
        self.reader.cursor.bump();
        let value = self.first_class()?;
        Ok((Kind::Freeze(value), value.ty))
    }

    pub(super) fn select(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        self.float_flags();
        let condition = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let yes = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let no = self.typed()?;
        match self.reader.selected([condition.ty, yes.ty, no.ty]) {
            Some(ty) => Ok((Kind::Select { condition, yes, no: no.value }, ty)),
            None => Err(self.reader.wrong_type(token, "`select` takes other types", condition.ty)),
        }
    }
}
