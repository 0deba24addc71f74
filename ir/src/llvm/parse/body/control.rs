//! Edges between blocks, and what comes over them.

use super::{Body, Read};
use crate::llvm::lexer::{Token, Word};
use crate::llvm::syntax::{ConstantData, ConstantId, Kind, TypeData, TypeId, Typed};
use crate::text::{Code, Parsed};

impl Body<'_, '_> {
    pub(super) fn phi(&mut self) -> Read {
        self.reader.cursor.bump();
        self.float_flags();
        let token = self.reader.cursor.token;
        let ty = self.reader.ty()?;
        let is_value = self.reader.is_first_class(ty) && ty != TypeId::TOKEN;
        self.reader.require(token, is_value, "a `phi` is a value", ty)?;
        let start = self.function.incoming.len() as u32;
        if self.reader.cursor.is(b'[') {
            loop {
                self.reader.cursor.expect(b'[')?;
                let value = self.value(ty)?;
                self.reader.cursor.expect(b',')?;
                let block = self.block_operand()?;
                self.reader.cursor.expect(b']')?;
                self.function.incoming.push((value, block));
                if !self.comma() {
                    break;
                }
            }
        }
        let incoming = start..self.function.incoming.len() as u32;
        Ok((Kind::Phi { ty, incoming }, ty))
    }

    pub(super) fn return_(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        let ty = self.reader.type_or_void()?;
        if ty != self.result {
            return Err(self.reader.mismatch(token, "what is returned", ty, self.result));
        }
        let value = match ty == TypeId::VOID {
            true => None,
            false => Some(Typed { ty, value: self.value(ty)? }),
        };
        Ok((Kind::Return(value), TypeId::VOID))
    }

    pub(super) fn branch(&mut self) -> Read {
        self.reader.cursor.bump();
        if self.reader.cursor.is_word(Word::Label) {
            return Ok((Kind::Branch(self.label_operand()?), TypeId::VOID));
        }
        let token = self.reader.cursor.token;
        let condition = self.typed()?;
        let takes = "the condition of a branch is `i1`";
        self.reader.require(token, condition.ty == TypeId::I1, takes, condition.ty)?;
        self.reader.cursor.expect(b',')?;
        let yes = self.label_operand()?;
        self.reader.cursor.expect(b',')?;
        let no = self.label_operand()?;
        Ok((Kind::ConditionalBranch { condition, yes, no }, TypeId::VOID))
    }

    pub(super) fn switch(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        let value = self.typed()?;
        let is_integer = matches!(self.reader.module.types[value.ty.index()], TypeData::Integer(_));
        self.reader.require(token, is_integer, "this op takes an integer", value.ty)?;
        self.reader.cursor.expect(b',')?;
        let other = self.label_operand()?;
        self.reader.cursor.expect(b'[')?;
        let start = self.function.cases.len() as u32;
        while !self.reader.cursor.take(b']') {
            let at = self.reader.cursor.token;
            let ty = self.reader.ty()?;
            if ty != value.ty {
                return Err(self.reader.mismatch(at, "this case", ty, value.ty));
            }
            let case = self.case(ty)?;
            self.reader.cursor.expect(b',')?;
            let block = self.label_operand()?;
            self.function.cases.push((case, block));
        }
        let cases = start..self.function.cases.len() as u32;
        self.refuse_equal_cases(token, start as usize)?;
        Ok((Kind::Switch { value, cases, other }, TypeId::VOID))
    }

    /// Reads the number of a case.
    fn case(&mut self, ty: TypeId) -> Parsed<ConstantId> {
        let token = self.reader.cursor.token;
        let id = self.reader.constant_of(ty)?;
        match self.reader.constant(id).data {
            ConstantData::Integer(_) | ConstantData::WideInteger(_) => Ok(id),
            _ => {
                let message = "a case is a number";
                Err(self.reader.cursor.error_at(Code::LlvmInvalid, token, message))
            }
        }
    }

    fn refuse_equal_cases(&mut self, token: Token, start: usize) -> Parsed<()> {
        let number = |id: ConstantId| match self.reader.constant(id).data {
            ConstantData::Integer(value) => Some(value),
            _ => None,
        };
        let cases = self.function.cases[start..].iter();
        let mut numbers: Vec<u128> = cases.filter_map(|&(id, _)| number(id)).collect();
        numbers.sort_unstable();
        match numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            None => Ok(()),
            Some(pair) => {
                let message = format!("two cases of this `switch` have the number {}", pair[0]);
                Err(self.reader.cursor.error_at(Code::LlvmInvalid, token, message))
            }
        }
    }

    pub(super) fn indirect_branch(&mut self) -> Read {
        self.reader.cursor.bump();
        let address = self.address()?;
        self.reader.cursor.expect(b',')?;
        self.reader.cursor.expect(b'[')?;
        let start = self.function.targets.len() as u32;
        if !self.reader.cursor.take(b']') {
            loop {
                let block = self.label_operand()?;
                self.function.targets.push(block);
                if !self.reader.cursor.take(b',') {
                    break;
                }
            }
            self.reader.cursor.expect(b']')?;
        }
        let targets = start..self.function.targets.len() as u32;
        Ok((Kind::IndirectBranch { address, targets }, TypeId::VOID))
    }

    pub(super) fn landing_pad(&mut self) -> Read {
        self.reader.cursor.bump();
        let ty = self.reader.sized_type("what a landing pad gives")?;
        loop {
            match self.reader.cursor.word() {
                Some(Word::Cleanup) => {
                    self.reader.cursor.bump();
                }
                Some(Word::Catch | Word::Filter) => {
                    self.reader.cursor.bump();
                    self.typed()?;
                }
                _ => return Ok((Kind::LandingPad, ty)),
            }
        }
    }

    pub(super) fn resume(&mut self) -> Read {
        self.reader.cursor.bump();
        self.first_class()?;
        Ok((Kind::Resume, TypeId::VOID))
    }

    pub(super) fn va_arg(&mut self) -> Read {
        self.reader.cursor.bump();
        let list = self.address()?;
        self.reader.cursor.expect(b',')?;
        let ty = self.reader.sized_type("what `va_arg` gives")?;
        Ok((Kind::VaArg { list, ty }, ty))
    }
}
