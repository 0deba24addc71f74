//! Parts of vectors, structs and arrays.

use super::{Body, Read};
use crate::llvm::lexer::Token;
use crate::llvm::syntax::{Kind, List, Operand, TypeId};
use crate::text::{Code, Parsed};

impl Body<'_, '_> {
    pub(super) fn extract_element(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        let vector = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let index = self.typed()?;
        match self.reader.extracted(vector.ty, index.ty) {
            Some(ty) => Ok((Kind::ExtractElement { vector, index }, ty)),
            None => Err(self.reader.wrong_type(token, "this op takes a vector", vector.ty)),
        }
    }

    pub(super) fn insert_element(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        let vector = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let value = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let index = self.typed()?;
        match self.reader.inserted([vector.ty, value.ty, index.ty]) {
            Some(ty) => Ok((Kind::InsertElement { vector, value, index }, ty)),
            None => {
                let takes = "this op takes a vector and a value of its lanes";
                Err(self.reader.wrong_type(token, takes, vector.ty))
            }
        }
    }

    pub(super) fn shuffle(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        let left = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let right = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let mask = self.typed()?;
        if matches!(mask.value, Operand::Local(_)) {
            let message = "the mask of a `shufflevector` is a constant";
            return Err(self.reader.cursor.error_at(Code::LlvmInvalid, token, message));
        }
        match self.reader.shuffled([left.ty, right.ty, mask.ty]) {
            Some(ty) => Ok((Kind::Shuffle { left, right: right.value, mask }, ty)),
            None => {
                let takes = "this op takes two equal vectors and lanes of `i32`";
                Err(self.reader.wrong_type(token, takes, left.ty))
            }
        }
    }

    pub(super) fn extract_value(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        let aggregate = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let (path, part) = self.path(token, aggregate.ty)?;
        Ok((Kind::ExtractValue { aggregate, path }, part))
    }

    pub(super) fn insert_value(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        let aggregate = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let value_token = self.reader.cursor.token;
        let value = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let (path, part) = self.path(token, aggregate.ty)?;
        if part != value.ty {
            return Err(self.reader.mismatch(value_token, "this value", value.ty, part));
        }
        Ok((Kind::InsertValue { aggregate, value, path }, aggregate.ty))
    }

    /// Reads the numbers that lead into an aggregate, and gives the type of the part.
    fn path(&mut self, token: Token, aggregate: TypeId) -> Parsed<(List, TypeId)> {
        let start = self.function.indices.len() as u32;
        let mut part = aggregate;
        loop {
            let at = self.reader.cursor.token;
            let index = self.reader.cursor.number("a number of a part", u64::from(u32::MAX))?;
            part = match self.reader.part(part, index) {
                Some(part) => part,
                None => {
                    let message =
                        format!("`{}` has no part {index}", self.reader.module.show(part));
                    return Err(self.reader.cursor.error_at(Code::BadPath, at, message));
                }
            };
            self.function.indices.push(index as u32);
            if !self.comma() {
                break;
            }
        }
        self.reader.require(token, part != aggregate, "this op takes an aggregate", aggregate)?;
        Ok((start..self.function.indices.len() as u32, part))
    }
}
