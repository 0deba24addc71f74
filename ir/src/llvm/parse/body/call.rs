//! Calls.

use smallvec::SmallVec;

use super::{Body, Read};
use crate::llvm::lexer::{Kind as TokenKind, Token, Word};
use crate::llvm::parse::attributes::Attributes;
use crate::llvm::parse::facts;
use crate::llvm::syntax::Kind;
use crate::llvm::syntax::{
    Asm, Bundle, Call, CallAttributes, CallConvention, ConstantData, FunctionHead, GlobalData,
    List, Operand, ParamAttributes, Tail, TypeData, TypeId, Typed,
};
use crate::text::{Code, Parsed};

/// The arguments of a call.
struct Args {
    args: List,
    attributes: List,
    types: SmallVec<[TypeId; 16]>,
    forwards_rest: bool,
    /// Behind the `(`.
    start: Token,
}

impl<'t> Body<'t, '_> {
    pub(super) fn call(&mut self) -> Read {
        let tail = match self.reader.cursor.word() {
            Some(Word::Musttail) => Tail::Must,
            _ => Tail::Stays,
        };
        if !self.reader.cursor.is_word(Word::Call) {
            self.reader.cursor.bump();
        }
        self.reader.cursor.expect_word(Word::Call, "call")?;
        self.float_flags();
        let (call, result) = self.called(tail)?;
        Ok((Kind::Call(Box::new(call)), result))
    }

    pub(super) fn invoke(&mut self) -> Read {
        self.reader.cursor.bump();
        let (call, result) = self.called(Tail::Stays)?;
        self.reader.cursor.expect_word(Word::To, "to")?;
        let normal = self.label_operand()?;
        self.reader.cursor.expect_word(Word::Unwind, "unwind")?;
        self.label_operand()?;
        Ok((Kind::Invoke { call: Box::new(call), normal }, result))
    }

    /// Reads a call behind its op, and gives the type of its result.
    fn called(&mut self, tail: Tail) -> Parsed<(Call, TypeId)> {
        let convention = self.reader.convention()?;
        let result_attributes = self.reader.param_attributes()?;
        let space_token = self.reader.cursor.token;
        let space = self.reader.address_space()?;
        if space != 0 {
            let message = "calls into other address spaces than 0 are not read";
            return Err(self.reader.cursor.unsupported(space_token, message));
        }
        let spelled = self.reader.type_or_void()?;
        let callee = self.reader.cursor.token;
        // The global of an intrinsic that no line declares is made once its type is known.
        let known = self.callee()?;
        let args = self.args(tail)?;
        let (ty, result) = self.call_type(spelled, &args)?;
        let callee = match known {
            Some(operand) => operand,
            None => self.intrinsic(callee, ty)?,
        };
        let mut attributes = Attributes::default();
        self.reader.function_attributes(&mut attributes)?;
        let bundles = self.bundles()?;
        let call = Call {
            tail,
            ty,
            callee,
            args: args.args,
            forwards_rest: args.forwards_rest,
            arg_attributes: args.attributes,
            result_attributes,
            attributes: CallAttributes { flags: attributes.flags },
            convention,
            bundles,
        };
        Ok((call, result))
    }

    /// Reads what is called; nothing if that is an intrinsic that is not declared.
    fn callee(&mut self) -> Parsed<Option<Operand>> {
        let token = self.reader.cursor.token;
        match token.kind {
            TokenKind::Word(Word::Asm) => self.asm().map(Some),
            TokenKind::Global if self.is_undeclared_intrinsic(token)? => {
                self.reader.cursor.bump();
                Ok(None)
            }
            _ => self.value(TypeId::PTR).map(Some),
        }
    }

    fn is_undeclared_intrinsic(&mut self, token: Token) -> Parsed<bool> {
        let is_intrinsic = self.reader.cursor.text_of(token).starts_with("@llvm.");
        Ok(is_intrinsic && self.reader.find_global(token)?.0.is_none())
    }

    /// Declares an intrinsic by its call, as LLVM does since version 19.
    fn intrinsic(&mut self, token: Token, ty: TypeId) -> Parsed<Operand> {
        let params = match &self.reader.module.types[ty.index()] {
            TypeData::Function { params, .. } => params.len(),
            _ => 0,
        };
        let (_, name) = self.reader.find_global(token)?;
        let id = self.reader.add_global(token, name);
        let head = FunctionHead {
            ty,
            convention: CallConvention::C,
            param_attributes: vec![ParamAttributes::default(); params].into(),
            result_attributes: ParamAttributes::default(),
            attributes: CallAttributes::default(),
            target: None,
            param_names: vec![None; params].into(),
            body: None,
        };
        self.reader.module.globals[id.index()].data = GlobalData::Function(head);
        self.reader.module.order.push(id);
        let data = ConstantData::Global(id);
        Ok(Operand::Constant(self.reader.add_constant(TypeId::PTR, token.start, data)))
    }

    fn asm(&mut self) -> Parsed<Operand> {
        let token = self.reader.cursor.bump();
        let cursor = &mut self.reader.cursor;
        let mut side_effect = false;
        while let Some(Word::SideEffect | Word::Alignstack | Word::IntelDialect | Word::Unwind) =
            cursor.word()
        {
            side_effect |= cursor.bump().kind == TokenKind::Word(Word::SideEffect);
        }
        let template = cursor.byte_string()?;
        cursor.expect(b',')?;
        let constraints = cursor.byte_string()?;
        let data = ConstantData::Asm(Box::new(Asm { template, constraints, side_effect }));
        Ok(Operand::Constant(self.reader.add_constant(TypeId::PTR, token.start, data)))
    }

    fn args(&mut self, tail: Tail) -> Parsed<Args> {
        let start = self.reader.cursor.expect(b'(')?;
        let (first, first_attributes) =
            (self.function.operands.len() as u32, self.function.arg_attributes.len() as u32);
        let mut types = SmallVec::new();
        let mut forwards_rest = false;
        if !self.reader.cursor.take(b')') {
            loop {
                if self.reader.cursor.kind() == TokenKind::Ellipsis {
                    self.forwarded_rest(tail)?;
                    forwards_rest = true;
                    break;
                }
                types.push(self.arg()?);
                if !self.reader.cursor.take(b',') {
                    break;
                }
            }
            self.reader.cursor.expect(b')')?;
        }
        let args = first..self.function.operands.len() as u32;
        let attributes = first_attributes..self.function.arg_attributes.len() as u32;
        Ok(Args { args, attributes, types, forwards_rest, start })
    }

    /// Goes over the `...` behind the arguments.
    fn forwarded_rest(&mut self, tail: Tail) -> Parsed<()> {
        let token = self.reader.cursor.bump();
        match tail == Tail::Must && self.is_variadic {
            true => Ok(()),
            false => {
                let message = "only a `musttail` call hands the caller's own arguments on";
                Err(self.reader.cursor.error_at(Code::LlvmInvalid, token, message))
            }
        }
    }

    /// Reads an argument, and gives its type.
    fn arg(&mut self) -> Parsed<TypeId> {
        let token = self.reader.cursor.token;
        let ty = self.reader.ty()?;
        self.reader.refuse_param(token, ty)?;
        let attributes = match ty == TypeId::METADATA {
            true => ParamAttributes::default(),
            false => self.reader.param_attributes()?,
        };
        let value = self.value(ty)?;
        self.function.operands.push(Typed { ty, value });
        self.function.arg_attributes.push(attributes);
        Ok(ty)
    }

    /// The type of the function that is called, and of its result: as spelled, or as the
    /// arguments say.
    fn call_type(&mut self, spelled: TypeId, args: &Args) -> Parsed<(TypeId, TypeId)> {
        let TypeData::Function { result, params, variadic } =
            &self.reader.module.types[spelled.index()]
        else {
            self.reader.refuse_result(args.start, spelled)?;
            let ty = self.reader.module.function_type(spelled, &args.types, false);
            facts::extend(self.reader.module);
            return Ok((ty, spelled));
        };
        let given = &args.types;
        let (few, many) = (given.len() < params.len(), given.len() > params.len());
        if few || many && !variadic {
            let message = format!("{} arguments are given, {} are due", given.len(), params.len());
            return Err(self.reader.cursor.error_at(Code::LlvmType, args.start, message));
        }
        let result = *result;
        if let Some(index) = params.iter().zip(given).position(|(due, given)| due != given) {
            let (due, given) = (params[index], given[index]);
            let what = format!("argument {index}");
            return Err(self.reader.mismatch(args.start, what, given, due));
        }
        Ok((spelled, result))
    }

    fn bundles(&mut self) -> Parsed<List> {
        let start = self.function.bundles.len() as u32;
        if self.reader.cursor.take(b'[') {
            loop {
                let tag = self.reader.cursor.string()?;
                self.bundle_operands()?;
                self.function.bundles.push(Bundle { tag });
                if !self.reader.cursor.take(b',') {
                    break;
                }
            }
            self.reader.cursor.expect(b']')?;
        }
        Ok(start..self.function.bundles.len() as u32)
    }

    /// Goes over the operands of a bundle.
    fn bundle_operands(&mut self) -> Parsed<()> {
        self.reader.cursor.expect(b'(')?;
        if !self.reader.cursor.take(b')') {
            loop {
                self.typed()?;
                if !self.reader.cursor.take(b',') {
                    break;
                }
            }
            self.reader.cursor.expect(b')')?;
        }
        Ok(())
    }
}
