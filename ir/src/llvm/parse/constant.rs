//! Constants.

mod expression;

use super::number::{self, IntegerBits, NumberError};
use super::reader::{Reader, Stage};
use super::rules::Class;
use crate::llvm::lexer::{Kind, Token, Word};
use crate::llvm::syntax::{ConstantData, ConstantId, GlobalData, GlobalId, Name, TypeData, TypeId};
use crate::text::{Code, Parsed, Reported};

impl<'t> Reader<'t, '_> {
    /// Reads a type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> Parsed<ConstantId> {
        let ty = self.ty()?;
        self.constant_of(ty)
    }

    /// Reads a constant of type `ty`.
    pub(super) fn constant_of(&mut self, ty: TypeId) -> Parsed<ConstantId> {
        let token = self.cursor.token;
        let data = self.constant_data(ty)?;
        Ok(self.add_constant(ty, token.start, data))
    }

    fn constant_data(&mut self, ty: TypeId) -> Parsed<ConstantData<'t>> {
        match self.cursor.kind() {
            Kind::Integer | Kind::HexInteger => Ok(match self.integer(ty)? {
                IntegerBits::Word(value) => ConstantData::Integer(value),
                IntegerBits::Words(words) => ConstantData::WideInteger(words),
            }),
            Kind::Decimal | Kind::HexFloat => self.float(ty).map(ConstantData::Float),
            Kind::Global | Kind::GlobalNumber => self.address(ty),
            Kind::Word(word) => self.constant_word(word, ty),
            Kind::Bytes => self.bytes(ty),
            Kind::Mark(b'{' | b'[' | b'<') => self.nested(|reader| reader.aggregate(ty)),
            Kind::Local | Kind::LocalNumber => {
                let message = "a constant is due here, and no value of a function";
                Err(self.cursor.error(Code::UnexpectedToken, message))
            }
            _ => Err(self.cursor.unexpected("a value")),
        }
    }

    /// Reads an integer of type `ty`.
    fn integer(&mut self, ty: TypeId) -> Parsed<IntegerBits> {
        let token = self.cursor.token;
        let TypeData::Integer(bits) = self.module.types[ty.index()] else {
            return Err(self.wrong_type(token, "an integer is of an integer type", ty));
        };
        self.cursor.bump();
        let text = self.cursor.text_of(token);
        let value = match token.kind {
            Kind::HexInteger => number::hex_integer(text, bits),
            _ if token.number == u64::MAX || bits > 128 => number::decimal_integer(text, bits),
            _ => {
                let value = u128::from(token.number);
                let value = if text.starts_with('-') { value.wrapping_neg() } else { value };
                Ok(IntegerBits::Word(number::cut(value, bits)))
            }
        };
        value.map_err(|error| self.bad_number(token, error, ty))
    }

    /// Reads a float of type `ty`.
    fn float(&mut self, ty: TypeId) -> Parsed<u128> {
        let token = self.cursor.token;
        if !self.is_float(ty) || self.lanes(ty).is_some() {
            return Err(self.wrong_type(token, "a float is of a float type", ty));
        }
        self.cursor.bump();
        let text = self.cursor.text_of(token);
        let data = &self.module.types[ty.index()];
        let value = match token.kind {
            Kind::HexFloat => number::hex_float(text, data),
            _ => number::decimal_float(text, data),
        };
        value.map_err(|error| self.bad_number(token, error, ty))
    }

    fn bad_number(&mut self, token: Token, error: NumberError, ty: TypeId) -> Reported {
        let ty = self.module.show(ty);
        let message = match error {
            NumberError::Spelling => format!("this is no number of type `{ty}`"),
            NumberError::Inexact => format!("the type `{ty}` does not have this number exactly"),
            NumberError::Long => "a number has at most 1000 digits".to_owned(),
        };
        self.cursor.error_at(Code::BadNumber, token, message)
    }

    /// Reads the address of a global.
    fn address(&mut self, ty: TypeId) -> Parsed<ConstantData<'t>> {
        let token = self.cursor.token;
        let id = self.global(token)?;
        self.cursor.bump();
        match self.module.types[ty.index()] {
            TypeData::Pointer(space) if self.may_be_in(id, space) => Ok(ConstantData::Global(id)),
            _ => {
                let message = format!(
                    "`{}` is an address of another type than `{}`",
                    self.cursor.text_of(token),
                    self.module.show(ty)
                );
                Err(self.cursor.error_at(Code::LlvmType, token, message))
            }
        }
    }

    /// Whether a global is in that address space, as far as is known yet.
    fn may_be_in(&self, id: GlobalId, space: u32) -> bool {
        self.stage == Stage::Outline || self.space_of(id) == Some(space)
    }

    /// The address space of a global that is defined.
    pub(super) fn space_of(&self, id: GlobalId) -> Option<u32> {
        match &self.module.globals[id.index()].data {
            GlobalData::Undefined => None,
            GlobalData::Variable { space, .. } => Some(*space),
            GlobalData::Function(_) => Some(0),
            GlobalData::Alias { target, .. } => {
                match self.module.types[self.type_of(*target).index()] {
                    TypeData::Pointer(space) => Some(space),
                    _ => None,
                }
            }
        }
    }

    /// Whether a global is a function that is defined.
    pub(super) fn has_body(&self, id: GlobalId) -> bool {
        matches!(&self.module.globals[id.index()].data, GlobalData::Function(head) if head.body.is_some())
    }

    fn constant_word(&mut self, word: Word, ty: TypeId) -> Parsed<ConstantData<'t>> {
        let token = self.cursor.token;
        let data = match word {
            Word::True | Word::False => {
                self.require(token, ty == TypeId::I1, "`true` and `false` are of type `i1`", ty)?;
                ConstantData::Integer(u128::from(word == Word::True))
            }
            Word::Null => {
                let is_pointer = self.is_plain_pointer(ty);
                self.require(token, is_pointer, "`null` is an address", ty)?;
                ConstantData::Zero
            }
            Word::None => {
                self.require(token, ty == TypeId::TOKEN, "`none` is of type `token`", ty)?;
                ConstantData::Zero
            }
            Word::ZeroInitializer => {
                let is_sized = self.stage == Stage::Outline || self.module.names.facts.is_sized(ty);
                let is_value = is_sized && self.is_first_class(ty);
                self.require(token, is_value, "`zeroinitializer` is a value", ty)?;
                ConstantData::Zero
            }
            Word::Undef | Word::Poison => {
                let is_value = self.is_first_class(ty);
                self.require(token, is_value, "this is a value", ty)?;
                if word == Word::Undef { ConstantData::Undef } else { ConstantData::Poison }
            }
            Word::Splat => return self.splat(ty),
            Word::BlockAddress => return self.block_address(ty),
            Word::GlobalAlike => {
                self.cursor.bump();
                return self.address(ty);
            }
            Word::Ptrauth => {
                return Err(self
                    .cursor
                    .unsupported(token, "signed addresses, `ptrauth`, are not read"));
            }
            Word::Asm => {
                let message = "only the callee of a call is inline assembly";
                return Err(self.cursor.error(Code::UnexpectedToken, message));
            }
            _ => return self.nested(|reader| reader.expression(word, ty)),
        };
        self.cursor.bump();
        Ok(data)
    }

    /// Refuses a value of type `ty`, which is none of `takes`.
    pub(super) fn require(
        &mut self,
        token: Token,
        holds: bool,
        takes: &str,
        ty: TypeId,
    ) -> Parsed<()> {
        match holds {
            true => Ok(()),
            false => Err(self.wrong_type(token, takes, ty)),
        }
    }

    fn bytes(&mut self, ty: TypeId) -> Parsed<ConstantData<'t>> {
        let token = self.cursor.bump();
        let bytes = self.cursor.bytes_of(token);
        match *self.data(ty) {
            TypeData::Array { length, element: TypeId::I8 } if length == bytes.len() as u64 => {
                Ok(ConstantData::Bytes(bytes))
            }
            _ => {
                let takes = format!("these bytes are `[{} x i8]`", bytes.len());
                Err(self.wrong_type(token, &takes, ty))
            }
        }
    }

    fn splat(&mut self, ty: TypeId) -> Parsed<ConstantData<'t>> {
        let token = self.cursor.bump();
        self.cursor.expect(b'(')?;
        let value = self.nested(Self::typed_constant)?;
        self.cursor.expect(b')')?;
        let lane = self.type_of(value);
        match self.lanes(ty).is_some() && self.scalar(ty) == lane {
            true => Ok(ConstantData::Splat(value)),
            false => {
                let takes = format!("this is a vector of `{}`", self.module.show(lane));
                Err(self.wrong_type(token, &takes, ty))
            }
        }
    }

    fn block_address(&mut self, ty: TypeId) -> Parsed<ConstantData<'t>> {
        let token = self.cursor.bump();
        let is_pointer = self.is_plain_pointer(ty);
        self.require(token, is_pointer, "`blockaddress` is an address", ty)?;
        self.cursor.expect(b'(')?;
        let function = self.cursor.token;
        if !matches!(function.kind, Kind::Global | Kind::GlobalNumber) {
            return Err(self.cursor.unexpected("a function"));
        }
        let function = self.global(function)?;
        if self.stage == Stage::Body && !self.has_body(function) {
            let message = "only functions that are defined have blocks";
            return Err(self.cursor.error(Code::LlvmInvalid, message));
        }
        self.cursor.bump();
        self.cursor.expect(b',')?;
        let block = self.cursor.token;
        let block = match block.kind {
            Kind::Local => Name::Text(self.cursor.name_of(block, 1)?),
            Kind::LocalNumber => Name::Number(self.cursor.sigil_number(block)?),
            _ => return Err(self.cursor.unexpected("a block")),
        };
        self.cursor.bump();
        self.cursor.expect(b')')?;
        Ok(ConstantData::BlockAddress { function, block: Box::new(block) })
    }
}

/// Aggregates.
impl<'t> Reader<'t, '_> {
    fn aggregate(&mut self, ty: TypeId) -> Parsed<ConstantData<'t>> {
        let open = self.cursor.bump();
        match (open.kind, self.data(ty)) {
            (Kind::Mark(b'{'), &TypeData::Struct { packed: false, .. }) => self.fields(open, ty),
            (Kind::Mark(b'['), &TypeData::Array { length, element }) => {
                self.elements(open, b']', length, element)
            }
            (Kind::Mark(b'<'), &TypeData::Vector { lanes, element }) => {
                self.elements(open, b'>', u64::from(lanes), element)
            }
            (Kind::Mark(b'<'), &TypeData::Struct { packed: true, .. }) if self.cursor.is(b'{') => {
                self.cursor.bump();
                let data = self.fields(open, ty)?;
                self.cursor.expect(b'>')?;
                Ok(data)
            }
            _ => Err(self.wrong_type(open, "this constant is of another kind", ty)),
        }
    }

    /// Reads the fields of a struct of type `ty`, up to its `}`.
    fn fields(&mut self, open: Token, ty: TypeId) -> Parsed<ConstantData<'t>> {
        let mut fields = Vec::new();
        if !self.cursor.take(b'}') {
            loop {
                let token = self.cursor.token;
                let given = self.ty()?;
                match self.part(ty, fields.len() as u64) {
                    Some(due) if due == given => {}
                    Some(due) => return Err(self.mismatch(token, "this field", given, due)),
                    None => return Err(self.wrong_count(open, fields.len() as u64 + 1, ty)),
                }
                fields.push(self.constant_of(given)?);
                if !self.cursor.take(b',') {
                    break;
                }
            }
            self.cursor.expect(b'}')?;
        }
        match self.part(ty, fields.len() as u64) {
            None => Ok(ConstantData::Aggregate(fields.into())),
            Some(_) => Err(self.wrong_count(open, fields.len() as u64, ty)),
        }
    }

    fn wrong_count(&mut self, open: Token, given: u64, ty: TypeId) -> Reported {
        let message =
            format!("`{}` does not have {given} parts as this constant", self.module.show(ty));
        self.cursor.error_at(Code::LlvmType, open, message)
    }

    /// Reads the elements of an array or vector up to `close`.
    fn elements(
        &mut self,
        open: Token,
        close: u8,
        count: u64,
        element: TypeId,
    ) -> Parsed<ConstantData<'t>> {
        let mut elements = Elements { element, numbers: Vec::new(), ids: Vec::new() };
        if !self.cursor.take(close) {
            loop {
                let token = self.cursor.token;
                let given = self.ty()?;
                if given != element {
                    return Err(self.mismatch(token, "this element", given, element));
                }
                self.element(&mut elements)?;
                if !self.cursor.take(b',') {
                    break;
                }
            }
            self.cursor.expect(close)?;
        }
        let given = (elements.ids.len() + elements.numbers.len()) as u64;
        if given != count {
            let message = format!("{given} elements are given, and {count} are due");
            return Err(self.cursor.error_at(Code::LlvmType, open, message));
        }
        Ok(match elements.numbers.is_empty() {
            true => ConstantData::Aggregate(elements.ids.into()),
            false => ConstantData::Numbers(elements.numbers.into()),
        })
    }

    /// Reads one element: a bare number as long as there is nothing else, since tables of
    /// numbers are what large texts are made of.
    fn element(&mut self, elements: &mut Elements) -> Parsed<()> {
        let ty = elements.element;
        let number = match (self.cursor.kind(), self.class(ty)) {
            _ if !elements.ids.is_empty() => None,
            (Kind::Integer | Kind::HexInteger, Class::Integer(..=64)) => match self.integer(ty)? {
                IntegerBits::Word(value) => Some(value as u64),
                IntegerBits::Words(_) => None,
            },
            (Kind::Decimal | Kind::HexFloat, Class::Float(..=64)) => Some(self.float(ty)? as u64),
            _ => None,
        };
        if let Some(number) = number {
            elements.numbers.push(number);
            return Ok(());
        }
        let is_float = self.is_float(ty);
        for number in std::mem::take(&mut elements.numbers) {
            let data = match is_float {
                true => ConstantData::Float(u128::from(number)),
                false => ConstantData::Integer(u128::from(number)),
            };
            let id = self.add_constant(ty, self.cursor.token.start, data);
            elements.ids.push(id);
        }
        elements.ids.push(self.constant_of(ty)?);
        Ok(())
    }
}

/// Elements that are read: numbers, or else constants.
struct Elements {
    element: TypeId,
    numbers: Vec<u64>,
    ids: Vec<ConstantId>,
}
