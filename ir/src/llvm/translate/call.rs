//! Calls.

mod further;
mod throw;
mod variadic;

use super::Resolved;
use super::abi::Prototype;
use super::function::Translator;
use crate::constant::Constant;
use crate::entity::{FuncId, Inst, SigId, Value};
use crate::instruction::{Access, Payload};
use crate::llvm::syntax::{
    BlockId, Call, CallConvention, ConstantData, FunctionFlags, Instruction, Operand,
    ParamAttributes, Tail, TypeData, TypeId, Typed,
};
use crate::module::{Linkage, Symbol};
use crate::op::Op;
use crate::text::Parsed;
use crate::types::{Arity, Convention, Signature, Type};

/// What a call goes to.
#[derive(Clone, Copy)]
enum Callee {
    /// A function by its name, which takes and gives what the call does.
    Function(FuncId),
    /// A function by its address, called as that signature says.
    Address(Value, SigId),
}

impl<'a> Translator<'a, '_> {
    /// Translates a call, of whatever kind. A `musttail` call ends its block.
    pub(super) fn call(&mut self, inst: &Instruction, call: &Call) -> Parsed<()> {
        let value = match self.named_callee(call) {
            Named::Assembly => self.assembly(call)?,
            Named::Intrinsic => self.intrinsic(inst, call)?,
            Named::Thrower => return self.throw(inst, call),
            Named::Other => return self.function_call(inst, call),
        };
        if let Some(value) = value {
            self.define(inst.result, value);
        }
        Ok(())
    }

    /// Translates a call that goes on at `normal`: an edge as any other, see `jump_to`.
    pub(super) fn invoke(
        &mut self,
        inst: &Instruction,
        call: &Call,
        normal: BlockId,
    ) -> Parsed<()> {
        self.call(inst, call)?;
        self.jump_to(normal)
    }

    /// The arguments of a call.
    pub(super) fn call_args(&self, call: &Call) -> &'a [Typed] {
        let function = self.function;
        &function.operands[call.args.start as usize..call.args.end as usize]
    }

    /// What is said of each argument of a call.
    pub(super) fn arg_attributes(&self, call: &Call) -> &'a [ParamAttributes] {
        let function = self.function;
        let list = &call.arg_attributes;
        &function.arg_attributes[list.start as usize..list.end as usize]
    }

    /// The type of what a call gives.
    pub(super) fn call_result(&mut self, call: &Call) -> Parsed<TypeId> {
        match self.shared.syntax.types[call.ty.index()] {
            TypeData::Function { result, .. } => Ok(result),
            _ => Err(self.invalid("what is called is of no function type")),
        }
    }

    fn named_callee(&self, call: &Call) -> Named {
        let Operand::Constant(id) = call.callee else { return Named::Other };
        match &self.constant_of(id).data {
            ConstantData::Asm(_) => Named::Assembly,
            ConstantData::Global(global) => {
                let name = &self.shared.syntax.globals[global.index()].name;
                match self.shared.undefined_name(*global) {
                    _ if super::intrinsic::is_intrinsic(name) => Named::Intrinsic,
                    Some(name) if throw::is_throwing(name) => Named::Thrower,
                    _ => Named::Other,
                }
            }
            _ => Named::Other,
        }
    }
}

/// What kind of callee the text names.
enum Named {
    Assembly,
    Intrinsic,
    /// A function of the process that throws.
    Thrower,
    Other,
}

/// Calls of functions.
impl Translator<'_, '_> {
    fn function_call(&mut self, inst: &Instruction, call: &Call) -> Parsed<()> {
        self.check_call(call)?;
        let result = self.call_result(call)?;
        let results = match self.shared.is_void(result) {
            true => None,
            false => Some(self.ty(result)?),
        };
        let args = self.call_args(call).iter().map(|&arg| self.value(arg));
        let args: Vec<Value> = args.collect::<Parsed<_>>()?;
        let callee = self.callee(call, &args, results)?;
        self.check_second_return(call, callee)?;
        if call.tail == Tail::Must {
            return self.tail_call(callee, &args, results);
        }
        let inst_made = self.emit_call(callee, &args, results)?;
        if let Some(&value) = self.body.results(inst_made).first() {
            self.hint_result(inst, result, value)?;
            self.define(inst.result, value);
        }
        Ok(())
    }

    /// Refuses what a call says that has no meaning here.
    fn check_call(&mut self, call: &Call) -> Parsed<()> {
        let function = self.function;
        let bundles = &function.bundles[call.bundles.start as usize..call.bundles.end as usize];
        for bundle in bundles {
            // What these say is nothing that a call without them does not do.
            let harmless = ["funclet", "align", "nonnull", "dereferenceable", "kcfi", "cold"];
            if !harmless.contains(&&*bundle.tag) {
                let message = format!("the operand bundle `{}` has no meaning here", bundle.tag);
                return Err(self.unsupported(message));
            }
        }
        if call.forwards_rest {
            return Err(self.unsupported("`musttail` cannot pass a variable number on"));
        }
        Ok(())
    }

    /// A call returns twice only if its callee is known to.
    fn check_second_return(&mut self, call: &Call, callee: Callee) -> Parsed<()> {
        if !call.attributes.flags.contains(FunctionFlags::RETURNS_TWICE) {
            return Ok(());
        }
        match callee {
            Callee::Function(id) if self.is_foreign(id) => self.shared.returns_twice(id, self.at),
            _ => Err(self.unsupported(
                "a call returns twice that is none of a function of the process by its name",
            )),
        }
    }

    fn is_foreign(&self, id: FuncId) -> bool {
        let function = self.shared.module.function(id);
        function.is_some_and(|function| function.linkage.is_foreign())
    }

    /// What a call goes to: the function that it names, if that takes and gives what the
    /// call says, or else its address.
    fn callee(&mut self, call: &Call, args: &[Value], result: Option<Type>) -> Parsed<Callee> {
        let named = match call.callee {
            Operand::Constant(id) => match self.constant_of(id).data {
                ConstantData::Global(global) => Some(self.shared.resolve(global, self.at)?),
                _ => None,
            },
            Operand::Local(_) => None,
        };
        if let Some(Resolved::Address { symbol: Symbol::Function(id), offset: 0 }) = named
            && self.fits(self.shared.module.signature_of(id), args, result)
            && !self.has_further_by_value(call, self.shared.module.signature_of(id))
        {
            return Ok(Callee::Function(id));
        }
        // Who is called by name, its own line says how.
        if let CallConvention::Other(number) = call.convention {
            let message = format_args!(
                "the calling convention {number} of this call is none of the platform's"
            );
            return Err(self.unsupported(message));
        }
        let address = self.operand(call.callee)?;
        if self.body.value_type(address) != Type::PTR {
            return Err(self.invalid("what is called is no plain pointer"));
        }
        // Where C's rules are bent, its own convention forgives most: a function that is
        // called with more than it takes, or that gives what nobody asks for.
        let convention = match named {
            Some(_) => Convention::Platform,
            None => Convention::Internal,
        };
        let prototype = Prototype {
            ty: call.ty,
            params: self.arg_attributes(call),
            result: &call.result_attributes,
        };
        let mut sig = self.shared.signature_of(&prototype, convention, self.at)?;
        if self.has_further_by_value(call, self.shared.module.types.sig(sig)) {
            sig = self.name_all(call, sig, args)?;
        }
        match self.fits(self.shared.module.types.sig(sig), args, result) {
            true => Ok(Callee::Address(address, sig)),
            false => Err(self.invalid("the arguments are not of the types that the call says")),
        }
    }

    /// Whether an argument behind the named ones is passed by value.
    fn has_further_by_value(&self, call: &Call, signature: &Signature) -> bool {
        let attributes = self.arg_attributes(call);
        let further = attributes.get(signature.params.len()..).unwrap_or(&[]);
        further.iter().any(|attributes| attributes.by_value.is_some())
    }

    /// The signature with a parameter for each argument of a call, which says of each
    /// how it is passed: for C, that is the same call.
    fn name_all(&mut self, call: &Call, sig: SigId, args: &[Value]) -> Parsed<SigId> {
        let mut signature = self.shared.module.types.sig(sig).clone();
        let attributes = self.arg_attributes(call);
        let further = args.iter().zip(attributes).skip(signature.params.len());
        for (&arg, attributes) in further {
            let ty = self.body.value_type(arg);
            signature.params.push(self.shared.param(ty, attributes, self.at)?);
        }
        let types = &mut self.shared.module.types;
        types.signature(signature).map_err(|error| {
            let error = error.to_string();
            self.unsupported(error)
        })
    }

    fn fits(&self, signature: &Signature, args: &[Value], result: Option<Type>) -> bool {
        let count = signature.params.len();
        let enough = match signature.arity {
            Arity::Fixed => args.len() == count,
            Arity::Variadic => args.len() >= count,
        };
        let named = args.iter().take(count).map(|&arg| self.body.value_type(arg));
        enough && signature.param_types().eq(named) && signature.result_types().eq(result)
    }

    /// Copies so many bytes.
    pub(super) fn copy(&mut self, to: Value, from: Value, bytes: u64) {
        let bytes = self.number(Type::I64, bytes.into());
        let payload = Payload::Access(Access::default());
        self.emit(Op::MemCopy, Type::NONE, &[to, from, bytes], payload, &[]);
    }

    fn emit_call(&mut self, callee: Callee, args: &[Value], result: Option<Type>) -> Parsed<Inst> {
        let args: &[Value] = &self.promoted(callee, args)?;
        let (op, ty, payload) = match callee {
            Callee::Function(function) if self.is_foreign(function) => {
                (Op::CallForeign, Type::NONE, Payload::ForeignCall { function, roots: 0 })
            }
            Callee::Function(function) => (Op::Call, Type::NONE, Payload::Function(function)),
            Callee::Address(address, sig) => {
                let args: Vec<Value> =
                    std::iter::once(address).chain(args.iter().copied()).collect();
                let ty = Type::function(sig);
                return Ok(self.emit(Op::CallPtr, ty, &args, Payload::None, result.as_slice()));
            }
        };
        Ok(self.emit(op, ty, args, payload, result.as_slice()))
    }

    /// Leaves the function by a call: with no frame kept where the other is ours.
    fn tail_call(&mut self, callee: Callee, args: &[Value], result: Option<Type>) -> Parsed<()> {
        if !self.own_signature().result_types().eq(result) {
            return Err(self.invalid("a `musttail` call gives another type than its caller"));
        }
        let is_platform = self.own_signature().convention == Convention::Platform;
        match callee {
            Callee::Function(id)
                if !is_platform
                    && self.shared.module.signature_of(id).convention == Convention::Internal =>
            {
                self.emit(Op::ReturnCall, Type::NONE, args, Payload::Function(id), &[]);
            }
            Callee::Address(address, sig)
                if !is_platform
                    && self.shared.module.types.sig(sig).convention == Convention::Internal =>
            {
                let ty = Type::function(sig);
                let function = self.emit_one(Op::PtrToFunction, ty, &[address], Payload::None, ty);
                let args: Vec<Value> =
                    std::iter::once(function).chain(args.iter().copied()).collect();
                self.emit(Op::ReturnCallIndirect, ty, &args, Payload::None, &[]);
            }
            _ => {
                let inst = self.emit_call(callee, args, result)?;
                let value = self.body.results(inst).first().copied();
                self.leave(value)?;
            }
        }
        Ok(())
    }
}

/// Functions of C's libraries.
impl Translator<'_, '_> {
    /// Calls the function of that name, which takes and gives what C says it does.
    pub(super) fn call_c(
        &mut self,
        name: &str,
        args: &[Value],
        result: Option<Type>,
    ) -> Parsed<Option<Value>> {
        let params: Vec<Type> = args.iter().map(|&arg| self.body.value_type(arg)).collect();
        if let Some(global) = self.shared.syntax.names.globals.get(name).copied() {
            self.shared.resolve(global, self.at)?;
        }
        let function = match self.shared.module.symbol(name) {
            Some(Symbol::Function(id)) => Some(id),
            Some(Symbol::Data(_)) => None,
            None => Some(self.declare_c(name, &params, result)?),
        };
        let fits = |id: &FuncId| self.fits(self.shared.module.signature_of(*id), args, result);
        let Some(function) = function.filter(fits) else {
            let message = format!("`@{name}` is not the function of that name in C's libraries");
            return Err(self.unsupported(message));
        };
        let inst = self.emit_call(Callee::Function(function), args, result)?;
        Ok(self.body.results(inst).first().copied())
    }

    fn declare_c(&mut self, name: &str, params: &[Type], result: Option<Type>) -> Parsed<FuncId> {
        let imported = self.shared.options.defined.contains(name);
        let (linkage, signature) = match imported {
            true => (Linkage::Import, Signature::internal(params, result.as_slice())),
            false => (Linkage::Foreign, Signature::platform(params, result.as_slice())),
        };
        let module = &mut self.shared.module;
        let sig = module.types.signature(signature).map_err(|error| error.to_string());
        let declared = sig.and_then(|sig| {
            module.declare_function(name, sig, linkage).map_err(|error| error.to_string())
        });
        declared.map_err(|error| self.unsupported(error))
    }

    /// A zero of any of our types.
    pub(super) fn zero_of(&mut self, ty: Type) -> Parsed<Value> {
        match Constant::zero(ty) {
            Some(constant) => Ok(self.body.constant(constant)),
            None => Err(self.unsupported("such a type has no zero")),
        }
    }
}
