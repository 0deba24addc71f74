//! Constant expressions.

use crate::llvm::lexer::{Kind, Token, Word};
use crate::llvm::parse::ops;
use crate::llvm::parse::reader::Reader;
use crate::llvm::parse::rules::Class;
use crate::llvm::syntax::{BinaryOp, CastOp, ConstantData, ConstantId, TypeData, TypeId};
use crate::text::{Code, Parsed, Reported};

impl<'t> Reader<'t, '_> {
    /// Reads an expression of type `ty`, which begins with `word`.
    pub(super) fn expression(&mut self, word: Word, ty: TypeId) -> Parsed<ConstantData<'t>> {
        let token = self.cursor.token;
        let (given, data) = match word {
            Word::Getelementptr => self.get_element_pointer()?,
            Word::Icmp | Word::Fcmp => self.comparison(word)?,
            Word::Select | Word::Extractelement | Word::Insertelement | Word::Shufflevector => {
                self.parts_expression(word)?
            }
            _ => match (ops::cast(word), ops::binary(word)) {
                (Some(op), _) => self.cast(op)?,
                (_, Some(op)) => self.binary(op)?,
                _ => return Err(self.cursor.unexpected("a value")),
            },
        };
        match given == ty {
            true => Ok(data),
            false => Err(self.mismatch(token, "this constant", given, ty)),
        }
    }

    /// Goes over an op and the words behind it, which are licences, and `(`.
    fn open(&mut self) -> Parsed<Token> {
        let token = self.cursor.bump();
        while let Kind::Word(
            Word::Nuw | Word::Nsw | Word::Nusw | Word::Exact | Word::Inbounds | Word::Inrange,
        ) = self.cursor.kind()
        {
            if self.cursor.bump().kind == Kind::Word(Word::Inrange) {
                self.range()?;
            }
        }
        self.cursor.expect(b'(')?;
        Ok(token)
    }

    /// Reads `(-8, 16)` behind `inrange`.
    fn range(&mut self) -> Parsed<()> {
        self.cursor.expect(b'(')?;
        self.cursor.expect_kind(Kind::Integer, "a number")?;
        self.cursor.expect(b',')?;
        self.cursor.expect_kind(Kind::Integer, "a number")?;
        self.cursor.expect(b')')?;
        Ok(())
    }

    fn cast(&mut self, op: CastOp) -> Parsed<(TypeId, ConstantData<'t>)> {
        let token = self.open()?;
        let value = self.typed_constant()?;
        self.cursor.expect_word(Word::To, "to")?;
        let to = self.ty()?;
        self.cursor.expect(b')')?;
        let from = self.type_of(value);
        match self.casts(op, from, to) {
            true => Ok((to, ConstantData::Cast { op, value })),
            false => Err(self.bad_cast(token, from, to)),
        }
    }

    fn binary(&mut self, op: BinaryOp) -> Parsed<(TypeId, ConstantData<'t>)> {
        let token = self.open()?;
        let (left, right) = self.pair()?;
        let ty = self.type_of(left);
        match self.refused_by_binary(op, ty) {
            Some(takes) => Err(self.wrong_type(token, takes, ty)),
            None => Ok((ty, ConstantData::Binary { op, left, right })),
        }
    }

    /// Reads two constants of one type, and `)`.
    fn pair(&mut self) -> Parsed<(ConstantId, ConstantId)> {
        let left = self.typed_constant()?;
        self.cursor.expect(b',')?;
        let token = self.cursor.token;
        let right = self.typed_constant()?;
        let (due, given) = (self.type_of(left), self.type_of(right));
        if due != given {
            return Err(self.mismatch(token, "this operand", given, due));
        }
        self.cursor.expect(b')')?;
        Ok((left, right))
    }

    fn comparison(&mut self, word: Word) -> Parsed<(TypeId, ConstantData<'t>)> {
        let token = self.cursor.bump();
        let condition = self.cursor.bump();
        let (integers, floats) =
            (ops::int_condition(condition.kind), ops::float_condition(condition.kind));
        self.cursor.expect(b'(')?;
        let (left, right) = self.pair()?;
        let ty = self.type_of(left);
        let result = self.in_lanes_of(ty, TypeId::I1);
        match (word, integers, floats) {
            (Word::Icmp, Some(condition), _) if self.is_integer(ty) || self.is_pointer(ty) => {
                Ok((result, ConstantData::ICmp { condition, left, right }))
            }
            (Word::Fcmp, _, Some(condition)) if self.is_float(ty) => {
                Ok((result, ConstantData::FCmp { condition, left, right }))
            }
            (Word::Icmp, None, _) | (Word::Fcmp, _, None) => {
                let message = format!("`{}` is no condition", self.cursor.text_of(condition));
                Err(self.cursor.error_at(Code::UnknownWord, condition, message))
            }
            _ => Err(self.wrong_type(token, "this compares other types", ty)),
        }
    }

    /// Reads `select`, `extractelement`, `insertelement` or `shufflevector`.
    fn parts_expression(&mut self, word: Word) -> Parsed<(TypeId, ConstantData<'t>)> {
        let token = self.open()?;
        let first = self.typed_constant()?;
        self.cursor.expect(b',')?;
        let second = self.typed_constant()?;
        let third = match word {
            Word::Extractelement => second,
            _ => {
                self.cursor.expect(b',')?;
                self.typed_constant()?
            }
        };
        self.cursor.expect(b')')?;
        let types = [first, second, third].map(|id| self.type_of(id));
        let result = match word {
            Word::Select => self.selected(types),
            Word::Extractelement => self.extracted(types[0], types[1]),
            Word::Insertelement => self.inserted(types),
            _ => self.shuffled(types),
        };
        let Some(result) = result else {
            return Err(self.wrong_type(token, "this op takes other types", types[0]));
        };
        Ok((
            result,
            match word {
                Word::Select => ConstantData::Select { condition: first, yes: second, no: third },
                Word::Extractelement => {
                    ConstantData::ExtractElement { vector: first, index: second }
                }
                Word::Insertelement => {
                    ConstantData::InsertElement { vector: first, value: second, index: third }
                }
                _ => ConstantData::Shuffle { left: first, right: second, mask: third },
            },
        ))
    }

    fn get_element_pointer(&mut self) -> Parsed<(TypeId, ConstantData<'t>)> {
        let token = self.open()?;
        let element = self.sized_type("what an address is counted in")?;
        self.cursor.expect(b',')?;
        let base = self.typed_constant()?;
        let mut indices = Vec::new();
        let mut result = self.type_of(base);
        self.require(token, self.is_pointer(result), "this op takes an address", result)?;
        let mut part = None;
        while self.cursor.take(b',') {
            // As LLVM prints it up to version 18.
            self.cursor.take_word(Word::Inrange);
            let at = self.cursor.token;
            let index = self.typed_constant()?;
            let ty = self.type_of(index);
            result = self.indexed(at, result, ty)?;
            part = Some(match part {
                None => element,
                Some(whole) => self.step(at, whole, ty, self.index_value(index))?,
            });
            indices.push(index);
        }
        self.cursor.expect(b')')?;
        Ok((result, ConstantData::GetElementPointer { element, base, indices: indices.into() }))
    }
}

/// What the types of operands make of the result; nothing if they do not fit.
impl Reader<'_, '_> {
    /// The error of a conversion that is none.
    pub(in crate::llvm::parse) fn bad_cast(
        &mut self,
        token: Token,
        from: TypeId,
        to: TypeId,
    ) -> Reported {
        let message = format!(
            "there is no such conversion of `{}` to `{}`",
            self.module.show(from),
            self.module.show(to)
        );
        self.cursor.error_at(Code::LlvmType, token, message)
    }

    /// The type of a `select`.
    pub(in crate::llvm::parse) fn selected(
        &self,
        [condition, yes, no]: [TypeId; 3],
    ) -> Option<TypeId> {
        let fits = yes == no
            && self.is_first_class(yes)
            && self.scalar(condition) == TypeId::I1
            && (self.lanes(condition).is_none() || self.lanes(condition) == self.lanes(yes));
        fits.then_some(yes)
    }

    /// The type of an `extractelement`.
    pub(in crate::llvm::parse) fn extracted(
        &self,
        vector: TypeId,
        index: TypeId,
    ) -> Option<TypeId> {
        let is_index = self.is_integer(index) && self.lanes(index).is_none();
        (self.lanes(vector).is_some() && is_index).then(|| self.scalar(vector))
    }

    /// The type of an `insertelement`.
    pub(in crate::llvm::parse) fn inserted(
        &self,
        [vector, value, index]: [TypeId; 3],
    ) -> Option<TypeId> {
        (self.extracted(vector, index)? == value).then_some(vector)
    }

    /// The type of a `shufflevector`.
    pub(in crate::llvm::parse) fn shuffled(
        &mut self,
        [left, right, mask]: [TypeId; 3],
    ) -> Option<TypeId> {
        self.lanes(left)?;
        let lanes = self.lanes(mask)?;
        if left != right || self.scalar(mask) != TypeId::I32 {
            return None;
        }
        let element = self.scalar(left);
        Some(self.vector(lanes, element))
    }

    /// The type of an address of type `base` behind an index of type `index`: in as many
    /// lanes as either has.
    pub(in crate::llvm::parse) fn indexed(
        &mut self,
        token: Token,
        base: TypeId,
        index: TypeId,
    ) -> Parsed<TypeId> {
        let is_integer = matches!(self.class(index), Class::Integer(_));
        self.require(token, is_integer, "an index is an integer", index)?;
        match (self.lanes(base), self.lanes(index)) {
            (_, None) => Ok(base),
            (None, Some(lanes)) => Ok(self.vector(lanes, base)),
            (Some(base_lanes), Some(lanes)) => {
                let takes = "an index has as many lanes as the address";
                self.require(token, base_lanes == lanes, takes, index)?;
                Ok(base)
            }
        }
    }

    /// The part of `whole` that an index leads to.
    pub(in crate::llvm::parse) fn step(
        &mut self,
        token: Token,
        whole: TypeId,
        index: TypeId,
        value: Option<u128>,
    ) -> Parsed<TypeId> {
        let part = match self.data(whole) {
            TypeData::Array { element, .. } | TypeData::Vector { element, .. } => Some(*element),
            TypeData::Struct { .. } if self.scalar(index) == TypeId::I32 => {
                value.and_then(|value| self.part(whole, value as u64))
            }
            _ => None,
        };
        part.ok_or_else(|| {
            let message = format!("this index leads nowhere in `{}`", self.module.show(whole));
            self.cursor.error_at(Code::BadPath, token, message)
        })
    }
}
