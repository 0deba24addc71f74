//! What functions take and give: their signatures, and where a parameter comes from.

use super::Shared;
use super::function::Translator;
use crate::entity::{SigId, Value};
use crate::instruction::Payload;
use crate::llvm::syntax::{
    CallConvention, FunctionFlags, FunctionHead, Offset, ParamAttributes, ParamFlags, TypeData,
    TypeId, Typed,
};
use crate::module::{Linkage, Symbol};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{
    Arity, Convention, MAX_BY_VALUE_ALIGN_LOG2, Param, Passing, Scalar, Signature, Type,
};
use crate::verify::signature_fault;

use super::Resolved;

/// What a function takes and gives, as the text says it of a definition, a declaration
/// or a call.
pub(super) struct Prototype<'a> {
    /// A function type.
    pub(super) ty: TypeId,
    pub(super) params: &'a [ParamAttributes],
    pub(super) result: &'a ParamAttributes,
}

impl Shared<'_> {
    /// The signature that a function of the text is declared with.
    pub(super) fn signature(
        &mut self,
        head: &FunctionHead,
        linkage: Linkage,
        at: Offset,
    ) -> Parsed<SigId> {
        let refused = match head.convention {
            CallConvention::C => None,
            CallConvention::Internal if !linkage.is_foreign() => None,
            CallConvention::Internal => Some("of a function of the process is LLVM's own".into()),
            CallConvention::Other(number) => Some(format!("{number} is none of the platform's")),
        };
        if let Some(reason) = refused {
            return Err(self.unsupported(at, format_args!("the calling convention {reason}")));
        }
        if head.attributes.flags.contains(FunctionFlags::NAKED) {
            return Err(self.unsupported(at, "a `naked` function is assembly alone"));
        }
        let convention = match linkage.is_foreign() {
            true => Convention::Platform,
            false => Convention::Internal,
        };
        let prototype = Prototype {
            ty: head.ty,
            params: &head.param_attributes,
            result: &head.result_attributes,
        };
        self.signature_of(&prototype, convention, at)
    }

    /// The signature of a function. One with a variable number of arguments is the
    /// platform's.
    pub(super) fn signature_of(
        &mut self,
        prototype: &Prototype<'_>,
        convention: Convention,
        at: Offset,
    ) -> Parsed<SigId> {
        let TypeData::Function { result, params, variadic } =
            self.syntax.types[prototype.ty.index()].clone()
        else {
            return Err(self.invalid(at, "a function has a function type"));
        };
        let (convention, arity) = match variadic {
            true => (Convention::Platform, Arity::Variadic),
            false => (convention, Arity::Fixed),
        };
        let results = match self.is_void(result) {
            true => vec![],
            false => vec![self.param_of(result, prototype.result, at)?],
        };
        let plain = ParamAttributes::default();
        let attributes = prototype.params.iter().chain(std::iter::repeat(&plain));
        let params: Parsed<Vec<Param>> = params
            .iter()
            .zip(attributes)
            .map(|(&ty, attributes)| self.param_of(ty, attributes, at))
            .collect();
        let signature = Signature { convention, params: params?, results, arity };
        if let Some(fault) = signature_fault(&self.module.types, &signature) {
            return Err(self.unsupported(at, fault));
        }
        self.module
            .types
            .signature(signature)
            .map_err(|error| self.unsupported(at, format_args!("{error}")))
    }

    /// Whether functions of that result type give nothing.
    pub(super) fn is_void(&self, result: TypeId) -> bool {
        matches!(self.syntax.types[result.index()], TypeData::Void)
    }

    fn param_of(&mut self, ty: TypeId, attributes: &ParamAttributes, at: Offset) -> Parsed<Param> {
        let ty = self.carrier(ty, at)?.ty;
        self.param(ty, attributes, at)
    }

    /// How a value of that type is passed.
    pub(super) fn param(
        &mut self,
        ty: Type,
        attributes: &ParamAttributes,
        at: Offset,
    ) -> Parsed<Param> {
        if let Some(("inalloca" | "preallocated", _)) = attributes.other_type {
            let message = "arguments that the caller places on the stack are of Windows";
            return Err(self.unsupported(at, message));
        }
        if attributes.flags.intersects(ParamFlags::NEST | ParamFlags::SWIFT) {
            let message = "an argument is passed in a register of its own: `nest`, or Swift's";
            return Err(self.unsupported(at, message));
        }
        let is_narrow = ty.as_scalar().is_some_and(|scalar| {
            scalar == Scalar::I1 || scalar.is_int() && scalar.bits() < Scalar::I64.bits()
        });
        let says = |flag| is_narrow && attributes.flags.contains(flag);
        let passing = match attributes.by_value {
            Some(pointee) if ty == Type::PTR => self.by_value(pointee, attributes.align, at)?,
            Some(_) => return Err(self.invalid(at, "what is passed `byval` is no plain pointer")),
            _ if says(ParamFlags::SIGNEXT) => Passing::SignExtended,
            _ if says(ParamFlags::ZEROEXT) => Passing::ZeroExtended,
            _ if ty == Type::PTR && attributes.struct_return.is_some() => Passing::StructReturn,
            _ => Passing::Plain,
        };
        Ok(Param { ty, passing })
    }

    fn by_value(&mut self, pointee: TypeId, align: u32, at: Offset) -> Parsed<Passing> {
        let room = self.room(pointee, at)?;
        let align_log2 = room.align.max(align.into()).trailing_zeros() as u8;
        match u32::try_from(room.stride()) {
            Ok(size) if align_log2 <= MAX_BY_VALUE_ALIGN_LOG2 => {
                Ok(Passing::ByValue { size, align_log2 })
            }
            _ => Err(self.unsupported(at, "`byval` of such a size or alignment")),
        }
    }
}

impl Translator<'_, '_> {
    /// Defines the parameters of the function from those of its entry block.
    pub(super) fn define_params(&mut self, params: &[Value]) -> Parsed<()> {
        let function = self.function;
        for (&local, &param) in function.params.iter().zip(params) {
            self.define(Some(local), param);
        }
        // Behind them, the body finds where further arguments are.
        self.rest = params.get(function.params.len()).copied();
        Ok(())
    }

    /// Leaves the function.
    pub(super) fn return_value(&mut self, value: Option<Typed>) -> Parsed<()> {
        let value = value.map(|value| self.value(value)).transpose()?;
        self.leave(value)
    }

    /// Leaves the function with a value, which must be what it gives.
    pub(super) fn leave(&mut self, value: Option<Value>) -> Parsed<()> {
        let given = value.map(|value| self.body.value_type(value));
        if !self.own_signature().result_types().eq(given) {
            return Err(self.invalid("the function gives a value of another type"));
        }
        self.emit(Op::Return, Type::NONE, value.as_slice(), Payload::None, &[]);
        Ok(())
    }

    /// The signature of the function that is being translated.
    pub(super) fn own_signature(&self) -> &Signature {
        let module = &self.shared.module;
        match self.shared.symbols.get(self.id.index()) {
            Some(&Some(Resolved::Address { symbol: Symbol::Function(id), .. })) => {
                module.signature_of(id)
            }
            _ => module.types.sig(SigId::from_u32(u32::MAX - 1)),
        }
    }
}
