//! Ops on memory.

use super::{Body, Read};
use crate::attribute::Order;
use crate::llvm::lexer::{Kind as TokenKind, Word};
use crate::llvm::parse::rules::Class;
use crate::llvm::parse::{facts, ops};
use crate::llvm::syntax::{Flags, Kind, Operand, Reach, RmwKind, TypeData, TypeId, Typed};
use crate::text::{Code, Parsed};

impl Body<'_, '_> {
    pub(super) fn alloca(&mut self) -> Read {
        self.reader.cursor.bump();
        while self.reader.cursor.take_word(Word::Inalloca)
            || self.reader.cursor.take_word(Word::Swifterror)
        {}
        let ty = self.reader.sized_type("what is allocated")?;
        let (mut count, mut align, mut space) = (None, 0, 0);
        while self.comma() {
            match self.reader.cursor.word() {
                Some(Word::Align) => {
                    self.reader.cursor.bump();
                    align = self.reader.cursor.alignment()?;
                }
                Some(Word::Addrspace) => space = self.reader.address_space()?,
                _ => {
                    let token = self.reader.cursor.token;
                    let typed = self.typed()?;
                    let is_integer =
                        matches!(self.reader.module.types[typed.ty.index()], TypeData::Integer(_));
                    self.reader.require(token, is_integer, "a count is an integer", typed.ty)?;
                    count = Some(typed);
                }
            }
        }
        let result = self.reader.module.type_id(TypeData::Pointer(space));
        facts::extend(self.reader.module);
        Ok((Kind::Alloca { ty, count, align, space }, result))
    }

    pub(super) fn load(&mut self) -> Read {
        self.reader.cursor.bump();
        let (is_atomic, volatile) = self.access_words();
        let ty = self.reader.sized_type("what is loaded")?;
        self.reader.cursor.expect(b',')?;
        let address = self.address()?;
        let reach = self.reach(is_atomic, volatile)?;
        Ok((Kind::Load { ty, address, reach }, ty))
    }

    pub(super) fn store(&mut self) -> Read {
        self.reader.cursor.bump();
        let (is_atomic, volatile) = self.access_words();
        let ty = self.reader.sized_type("what is stored")?;
        let value = Typed { ty, value: self.value(ty)? };
        self.reader.cursor.expect(b',')?;
        let address = self.address()?;
        let reach = self.reach(is_atomic, volatile)?;
        Ok((Kind::Store { value, address, reach }, TypeId::VOID))
    }

    /// Reads `atomic` and `volatile`.
    fn access_words(&mut self) -> (bool, bool) {
        let is_atomic = self.reader.cursor.take_word(Word::Atomic);
        let volatile = self.reader.cursor.take_word(Word::Volatile);
        (is_atomic, volatile)
    }

    /// Reads what is said of an access behind its address.
    fn reach(&mut self, is_atomic: bool, volatile: bool) -> Parsed<Reach> {
        let order = match is_atomic {
            true => Some(self.scoped_order()?),
            false => None,
        };
        let align = self.comma_align()?;
        Ok(Reach { align, volatile, order })
    }

    /// Reads `, align 8`, if that is next.
    fn comma_align(&mut self) -> Parsed<u32> {
        if !self.comma() {
            return Ok(0);
        }
        self.reader.cursor.expect_word(Word::Align, "align")?;
        self.reader.cursor.alignment()
    }

    /// Reads the order of an atomic access. A narrower scope than the system is a licence.
    fn scoped_order(&mut self) -> Parsed<Order> {
        if self.reader.cursor.take_word(Word::Syncscope) {
            self.reader.cursor.expect(b'(')?;
            self.reader.cursor.byte_string()?;
            self.reader.cursor.expect(b')')?;
        }
        self.order()
    }

    fn order(&mut self) -> Parsed<Order> {
        match self.reader.cursor.word().and_then(ops::order) {
            Some(order) => {
                self.reader.cursor.bump();
                Ok(order)
            }
            None => Err(self.reader.cursor.unexpected("an order of atomic accesses")),
        }
    }

    pub(super) fn fence(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        let order = self.scoped_order()?;
        match order {
            Order::Unordered | Order::Relaxed => {
                let message = "a fence orders more than this";
                Err(self.reader.cursor.error_at(Code::LlvmInvalid, token, message))
            }
            _ => Ok((Kind::Fence(order), TypeId::VOID)),
        }
    }

    pub(super) fn compare_exchange(&mut self) -> Read {
        self.reader.cursor.bump();
        // A strong one is a weak one that never fails for nothing.
        self.reader.cursor.take_word(Word::Weak);
        let volatile = self.reader.cursor.take_word(Word::Volatile);
        let address = self.address()?;
        self.reader.cursor.expect(b',')?;
        let token = self.reader.cursor.token;
        let expected = self.typed()?;
        self.reader.cursor.expect(b',')?;
        let new_token = self.reader.cursor.token;
        let new = self.typed()?;
        if expected.ty != new.ty {
            return Err(self.reader.mismatch(new_token, "the new value", new.ty, expected.ty));
        }
        let fits = self.reader.lanes(new.ty).is_none()
            && matches!(self.reader.class(new.ty), Class::Integer(_) | Class::Pointer(_));
        self.reader.require(token, fits, "this op takes integers and addresses", new.ty)?;
        let order = Some(self.scoped_order()?);
        let failure_token = self.reader.cursor.token;
        let failure = self.order()?;
        let is_release = matches!(failure, Order::Release | Order::AcquireRelease);
        if is_release || failure == Order::Unordered || order == Some(Order::Unordered) {
            let message = "no `cmpxchg` has these orders";
            return Err(self.reader.cursor.error_at(Code::LlvmInvalid, failure_token, message));
        }
        let align = self.comma_align()?;
        let reach = Reach { align, volatile, order };
        let result = self.reader.module.struct_type(false, &[new.ty, TypeId::I1]);
        facts::extend(self.reader.module);
        Ok((Kind::CompareExchange { address, expected, new, reach, failure }, result))
    }

    pub(super) fn atomic_rmw(&mut self) -> Read {
        self.reader.cursor.bump();
        let volatile = self.reader.cursor.take_word(Word::Volatile);
        let op_token = self.reader.cursor.token;
        let Some(op) = self.reader.cursor.word().and_then(ops::rmw) else {
            return Err(match op_token.kind {
                TokenKind::Unknown | TokenKind::Word(_) => {
                    let name = self.reader.cursor.text_of(op_token);
                    let message = format!("`atomicrmw {name}` is not read");
                    self.reader.cursor.unsupported(op_token, message)
                }
                _ => self.reader.cursor.unexpected("what is done"),
            });
        };
        self.reader.cursor.bump();
        let address = self.address()?;
        self.reader.cursor.expect(b',')?;
        let token = self.reader.cursor.token;
        let value = self.typed()?;
        let fits = match (op, self.reader.class(value.ty)) {
            (RmwKind::Exchange, class) => {
                class != Class::Other && self.reader.lanes(value.ty).is_none()
            }
            (
                RmwKind::FAdd
                | RmwKind::FSub
                | RmwKind::FMax
                | RmwKind::FMin
                | RmwKind::FMaximum
                | RmwKind::FMinimum,
                class,
            ) => matches!(class, Class::Float(_)),
            (_, class) => {
                matches!(class, Class::Integer(_)) && self.reader.lanes(value.ty).is_none()
            }
        };
        self.reader.require(token, fits, "this op takes other types", value.ty)?;
        let order_token = self.reader.cursor.token;
        let order = self.scoped_order()?;
        if order == Order::Unordered {
            let message = "no `atomicrmw` is unordered";
            return Err(self.reader.cursor.error_at(Code::LlvmInvalid, order_token, message));
        }
        let align = self.comma_align()?;
        let reach = Reach { align, volatile, order: Some(order) };
        Ok((Kind::AtomicRmw { op, address, value, reach }, value.ty))
    }

    pub(super) fn get_element_pointer(&mut self) -> Read {
        let token = self.reader.cursor.bump();
        self.number_flags();
        self.refuse_flags(token, Flags::INBOUNDS | Flags::NUSW | Flags::NUW)?;
        let element = self.reader.sized_type("what an address is counted in")?;
        self.reader.cursor.expect(b',')?;
        let base = self.typed()?;
        let is_pointer = self.reader.is_pointer(base.ty);
        self.reader.require(token, is_pointer, "this op takes an address", base.ty)?;
        let start = self.function.operands.len() as u32;
        let (mut result, mut part) = (base.ty, None);
        while self.comma() {
            let at = self.reader.cursor.token;
            let index = self.typed()?;
            result = self.reader.indexed(at, result, index.ty)?;
            part = Some(match part {
                None => element,
                Some(whole) => {
                    let value = match index.value {
                        Operand::Constant(id) => self.reader.index_value(id),
                        Operand::Local(_) => None,
                    };
                    self.reader.step(at, whole, index.ty, value)?
                }
            });
            self.function.operands.push(index);
        }
        let indices = start..self.function.operands.len() as u32;
        Ok((Kind::GetElementPointer { element, base, indices }, result))
    }
}
