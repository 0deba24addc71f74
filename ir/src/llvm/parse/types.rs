//! Types.

use smallvec::SmallVec;

use super::facts;
use super::reader::{Reader, Stage};
use super::rules::Class;
use crate::llvm::lexer::{Kind, Token, Word};
use crate::llvm::syntax::{Name, NamedId, TypeData, TypeId};
use crate::text::{Code, Parsed};

/// The widest integer that LLVM has.
const MAX_BITS: u64 = 1 << 23;

impl<'t> Reader<'t, '_> {
    /// Reads a type that values, or what stands for them, can have.
    pub(super) fn ty(&mut self) -> Parsed<TypeId> {
        let token = self.cursor.token;
        let ty = self.type_or_void()?;
        match ty == TypeId::VOID {
            true => Err(self.cursor.error_at(Code::BadType, token, "nothing is of type `void`")),
            false => Ok(ty),
        }
    }

    /// Reads a type of values that memory can hold.
    pub(super) fn sized_type(&mut self, what: &str) -> Parsed<TypeId> {
        let token = self.cursor.token;
        let ty = self.ty()?;
        match self.stage == Stage::Outline || self.module.names.facts.is_sized(ty) {
            true => Ok(ty),
            false => {
                let message = format!("{what} has a size; `{}` has none", self.module.show(ty));
                Err(self.cursor.error_at(Code::BadType, token, message))
            }
        }
    }

    /// Reads any type.
    pub(super) fn type_or_void(&mut self) -> Parsed<TypeId> {
        let token = self.cursor.token;
        let known = self.module.types.len();
        let mut ty = self.simple_type()?;
        while let Kind::Mark(mark @ (b'(' | b'*')) = self.cursor.kind() {
            if mark == b'*' {
                let message = "pointers to a type are of LLVM before 15; now they are `ptr`";
                return Err(self.cursor.error(Code::LlvmUnsupported, message));
            }
            ty = self.nested(|reader| reader.function_type(ty))?;
        }
        let is_new = self.stage == Stage::Body && self.module.types.len() > known;
        if is_new && !facts::extend(self.module) {
            return Err(self.cursor.error_at(
                Code::BadType,
                token,
                "this type is nested too deeply",
            ));
        }
        Ok(ty)
    }

    fn simple_type(&mut self) -> Parsed<TypeId> {
        let token = self.cursor.token;
        let word = match token.kind {
            Kind::Word(word) => word,
            Kind::IntegerType => return self.integer_type(),
            Kind::Local | Kind::LocalNumber => return self.named_type(),
            Kind::Mark(b'[' | b'<' | b'{') => return self.nested(Self::bracketed_type),
            _ => return Err(self.cursor.unexpected("a type")),
        };
        let ty = match word {
            Word::Ptr => {
                self.cursor.bump();
                return self.pointer_type();
            }
            Word::Void => TypeId::VOID,
            Word::Float => TypeId::FLOAT,
            Word::Double => TypeId::DOUBLE,
            Word::Half => TypeId::HALF,
            Word::Bfloat => TypeId::BFLOAT,
            Word::X86Fp80 => TypeId::X86_FP80,
            Word::Fp128 => TypeId::FP128,
            Word::Label => TypeId::LABEL,
            Word::Metadata => TypeId::METADATA,
            Word::Token => TypeId::TOKEN,
            Word::UnsupportedType => {
                let message =
                    format!("values of type `{}` are not read", self.cursor.text_of(token));
                return Err(self.cursor.unsupported(token, message));
            }
            Word::Target => {
                let message = "types of one target, `target(…)`, are not read";
                return Err(self.cursor.unsupported(token, message));
            }
            _ => return Err(self.cursor.unexpected("a type")),
        };
        self.cursor.bump();
        Ok(ty)
    }

    fn integer_type(&mut self) -> Parsed<TypeId> {
        let token = self.cursor.bump();
        Ok(match token.number {
            1 => TypeId::I1,
            8 => TypeId::I8,
            16 => TypeId::I16,
            32 => TypeId::I32,
            64 => TypeId::I64,
            0 | MAX_BITS.. => {
                let message = "an integer has from 1 to 8388607 bits";
                return Err(self.cursor.error_at(Code::BadType, token, message));
            }
            bits => self.module.type_id(TypeData::Integer(bits as u32)),
        })
    }

    fn pointer_type(&mut self) -> Parsed<TypeId> {
        Ok(match self.cursor.is_word(Word::Addrspace) {
            false => TypeId::PTR,
            true => {
                let space = self.address_space()?;
                self.module.type_id(TypeData::Pointer(space))
            }
        })
    }

    /// Reads `addrspace(7)`, if that is next.
    pub(super) fn address_space(&mut self) -> Parsed<u32> {
        if !self.cursor.take_word(Word::Addrspace) {
            return Ok(0);
        }
        self.cursor.expect(b'(')?;
        if self.cursor.kind() == Kind::Text {
            let token = self.cursor.token;
            let message = "address spaces that the data layout numbers are not read";
            return Err(self.cursor.unsupported(token, message));
        }
        let space = self.cursor.number("an address space", (1 << 24) - 1)?;
        self.cursor.expect(b')')?;
        Ok(space as u32)
    }

    /// The type that a name stands for; it may be defined behind, at the module level.
    fn named_type(&mut self) -> Parsed<TypeId> {
        let token = self.cursor.bump();
        let name = self.type_name(token)?;
        if let Some(&ty) = self.module.names.types.get(&name) {
            return Ok(ty);
        }
        if self.stage == Stage::Body {
            let message = format!("the type `{}` is not defined", self.cursor.text_of(token));
            return Err(self.cursor.error_at(Code::UnknownType, token, message));
        }
        Ok(self.add_named_type(name, token))
    }

    /// The name of a type behind its `%`.
    pub(super) fn type_name(&mut self, token: Token) -> Parsed<Name<'t>> {
        Ok(match token.kind {
            Kind::LocalNumber => Name::Number(self.cursor.sigil_number(token)?),
            _ => Name::Text(self.cursor.name_of(token, 1)?),
        })
    }

    /// Adds a named type, which is opaque so far.
    pub(super) fn add_named_type(&mut self, name: Name<'t>, token: Token) -> TypeId {
        let named = NamedId(self.module.named.len() as u32);
        let ty = self.module.type_id(TypeData::Named(named));
        self.module.named.push((name.clone(), None));
        self.module.names.type_places.push(token.start);
        self.module.names.is_defined.push(false);
        self.module.names.types.insert(name, ty);
        ty
    }

    fn bracketed_type(&mut self) -> Parsed<TypeId> {
        let open = self.cursor.bump();
        match open.kind {
            Kind::Mark(b'[') => self.array_type(),
            Kind::Mark(b'{') => self.struct_type(false),
            _ if self.cursor.take(b'{') => {
                let ty = self.struct_type(true)?;
                self.cursor.expect(b'>')?;
                Ok(ty)
            }
            _ => self.vector_type(open),
        }
    }

    /// Reads an array type behind its `[`.
    fn array_type(&mut self) -> Parsed<TypeId> {
        let length = self.cursor.number("a number of elements", u64::MAX)?;
        self.cursor.expect_word(Word::X, "x")?;
        let token = self.cursor.token;
        let element = self.ty()?;
        self.cursor.expect(b']')?;
        self.refuse_part(token, element)?;
        Ok(self.module.type_id(TypeData::Array { length, element }))
    }

    /// Reads a struct type behind its `{`, up to its `}`.
    pub(super) fn struct_type(&mut self, packed: bool) -> Parsed<TypeId> {
        let mut fields = SmallVec::<[TypeId; 16]>::new();
        if !self.cursor.take(b'}') {
            loop {
                let token = self.cursor.token;
                let field = self.ty()?;
                self.refuse_part(token, field)?;
                fields.push(field);
                if !self.cursor.take(b',') {
                    break;
                }
            }
            self.cursor.expect(b'}')?;
        }
        Ok(self.module.struct_type(packed, &fields))
    }

    /// Refuses what no aggregate may have in it.
    fn refuse_part(&mut self, token: Token, part: TypeId) -> Parsed<()> {
        match self.module.types[part.index()] {
            TypeData::Label | TypeData::Metadata | TypeData::Token | TypeData::Function { .. } => {
                let message = format!("no aggregate holds `{}`", self.module.show(part));
                Err(self.cursor.error_at(Code::BadType, token, message))
            }
            _ => Ok(()),
        }
    }

    /// Reads a vector type behind its `<`.
    fn vector_type(&mut self, open: Token) -> Parsed<TypeId> {
        if self.cursor.is_word(Word::Vscale) {
            let message = "vectors of as many lanes as the machine has, `vscale`, are not read";
            return Err(self.cursor.unsupported(open, message));
        }
        let lanes = self.cursor.number("a number of lanes", u64::from(u32::MAX))? as u32;
        self.cursor.expect_word(Word::X, "x")?;
        let token = self.cursor.token;
        let element = self.ty()?;
        self.cursor.expect(b'>')?;
        let is_scalar = self.lanes(element).is_none() && self.class(element) != Class::Other;
        if !is_scalar || lanes == 0 {
            let message = "a vector has lanes, of integers, floats or addresses";
            return Err(self.cursor.error_at(Code::BadType, token, message));
        }
        Ok(self.module.type_id(TypeData::Vector { lanes, element }))
    }

    /// Reads the parameters of a function type, whose result is read.
    fn function_type(&mut self, result: TypeId) -> Parsed<TypeId> {
        let open = self.cursor.expect(b'(')?;
        let mut params = SmallVec::<[TypeId; 16]>::new();
        let mut variadic = false;
        if !self.cursor.take(b')') {
            loop {
                variadic = self.cursor.kind() == Kind::Ellipsis;
                if variadic {
                    self.cursor.bump();
                    break;
                }
                let token = self.cursor.token;
                let param = self.ty()?;
                self.refuse_param(token, param)?;
                params.push(param);
                if !self.cursor.take(b',') {
                    break;
                }
            }
            self.cursor.expect(b')')?;
        }
        self.refuse_result(open, result)?;
        Ok(self.module.function_type(result, &params, variadic))
    }

    /// Refuses what no function takes.
    pub(super) fn refuse_param(&mut self, token: Token, param: TypeId) -> Parsed<()> {
        match self.module.types[param.index()] {
            TypeData::Label | TypeData::Function { .. } => {
                let message = format!("no function takes `{}`", self.module.show(param));
                Err(self.cursor.error_at(Code::BadType, token, message))
            }
            _ => Ok(()),
        }
    }

    /// Refuses what no function returns.
    pub(super) fn refuse_result(&mut self, token: Token, result: TypeId) -> Parsed<()> {
        match self.module.types[result.index()] {
            TypeData::Label | TypeData::Metadata | TypeData::Function { .. } => {
                let message = format!("no function returns `{}`", self.module.show(result));
                Err(self.cursor.error_at(Code::BadType, token, message))
            }
            _ => Ok(()),
        }
    }
}
