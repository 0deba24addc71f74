//! Calls of functions of C.

use brolga_ir::entity::{FuncId, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::module::{Content, DataItem, DataObject, Linkage, MemoryEffects, Returns};
use brolga_ir::op::Op;
use brolga_ir::types::{Arity, Convention, Scalar, Signature, Type};

use super::Surroundings;
use super::memory::Wish;
use super::program::Program;
use super::writer::{Sort, Writer};

impl Program {
    pub(super) fn declare_foreign(&mut self) {
        if !self.raw {
            return;
        }
        // What compilers of C say of such functions, some of them.
        let is_promised = self.random.percent(60);
        for (name, params, result) in FOREIGN {
            let types: Vec<Type> = params.iter().map(|param: &ForeignParam| param.ty()).collect();
            let results: Vec<Type> = result.iter().copied().collect();
            let linkage =
                if self.random.percent(15) { Linkage::ForeignWeak } else { Linkage::Foreign };
            let id = self.declare_outer(name, linkage, Signature::platform(&types, &results));
            self.foreign.push(Foreign { id, params });
            if is_promised && let Some(function) = self.module.function_mut(id) {
                function.attributes.returns = Returns::Always;
                if *result != Some(Type::PTR) {
                    function.attributes.memory = MemoryEffects::None;
                }
            }
        }
        if self.surroundings == Surroundings::Bare || !self.random.percent(40) {
            return;
        }
        if self.surroundings != Surroundings::Portable {
            let signature = Signature::platform(&[], &[]);
            let name = "defined_by_nobody";
            self.outside.nobody = Some(self.declare_outer(name, Linkage::ForeignWeak, signature));
        }
        let mut signature = Signature::platform(&[Type::PTR, Type::I64, Type::PTR], &[Type::I32]);
        signature.arity = Arity::Variadic;
        self.outside.print = Some(self.declare_outer("snprintf", Linkage::Foreign, signature));
        let signature = Signature::platform(&[Type::I64, Type::I64], &[Type::PTR]);
        self.outside.calloc = Some(self.declare_outer("calloc", Linkage::Foreign, signature));
    }

    /// A function that others define; another program of the module may have
    /// declared it.
    pub(super) fn declare_outer(
        &mut self,
        name: &str,
        linkage: Linkage,
        signature: Signature,
    ) -> FuncId {
        if let Some(known) = self.module.function_named(name) {
            return known;
        }
        let sig = self.module.types.signature(signature).unwrap_or_else(|e| panic!("{e}"));
        let id = self.module.declare_function(name, sig, linkage);
        id.unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Writer<'_> {
    pub(super) fn emit_call_foreign(&mut self) -> Option<()> {
        match self.random().below(100) {
            0..20 if !self.program.outside.comparators.is_empty() => return self.sort(),
            20..40 if self.program.outside.print.is_some() => return self.print(),
            40..50 if self.program.outside.calloc.is_some() => return self.allocate(),
            50..65 if self.calls_addresses() => return self.call_address(),
            65..70 if self.program.outside.nobody.is_some() => return self.ask_for_nobody(),
            _ => {}
        }
        let count = self.program.foreign.len();
        let index = self.random().below(count);
        let foreign = self.program.foreign[index].clone();
        let mut args = self.foreign_arguments(foreign.params);
        let mut roots = 0;
        if self.program.managed && self.random().percent(50) {
            args.push(self.object_reference());
            roots = 1;
        }
        let payload = Payload::ForeignCall { function: foreign.id, roots };
        let inst = self.push(Op::CallForeign, Type::NONE, &args, payload);
        self.keep_foreign(inst);
        Some(())
    }

    fn foreign_arguments(&mut self, params: &[ForeignParam]) -> Vec<Value> {
        let one = |&param: &ForeignParam| match param {
            ForeignParam::Character => self.small(Type::I32, 127),
            ForeignParam::Value(ty) => self.steady(ty),
            ForeignParam::To => self.place_address(Wish::Write),
            ForeignParam::From => self.place_address(Wish::Read),
            ForeignParam::Size => self.small(Type::I64, 31),
        };
        params.iter().map(one).collect()
    }

    fn keep_foreign(&mut self, inst: Inst) {
        if let Some(result) = self.body.result(inst)
            && self.body.value_type(result) != Type::PTR
        {
            // C says as little of the bits of a NaN as we do.
            if self.body.value_type(result).lane().is_some_and(Scalar::is_float) {
                self.taint(result);
            }
            self.keep_as(result, Sort::Plain);
        }
    }

    /// Whether functions of C may be called at their addresses.
    fn calls_addresses(&self) -> bool {
        self.program.surroundings != Surroundings::Bare
    }

    /// A call of a function of C at its address, as one of ours would be called.
    fn call_address(&mut self) -> Option<()> {
        let index = self.program.random.below(self.program.foreign.len());
        let foreign = self.program.foreign[index].clone();
        let signature = self.program.module.signature_of(foreign.id);
        let own = Signature { convention: Convention::Internal, ..signature.clone() };
        let own = Type::function(self.program.module.types.signature(own).ok()?);
        let theirs = Type::function(self.program.sig_of(foreign.id));
        let payload = Payload::Function(foreign.id);
        let function = self.compute_with(Op::FunctionAddr, theirs, &[], payload);
        let mut args = vec![self.compute(Op::FunctionToPtr, theirs, &[function])];
        args.extend(self.foreign_arguments(foreign.params));
        let inst = self.push(Op::CallPtr, own, &args, Payload::None);
        self.keep_foreign(inst);
        Some(())
    }

    /// Whether there is a function that need not be there, and is not.
    fn ask_for_nobody(&mut self) -> Option<()> {
        let nobody = self.program.outside.nobody?;
        let sig = self.program.sig_of(nobody);
        let (address, null) = (self.address_of(nobody, sig), self.zero(Type::PTR));
        let payload = Payload::IntCond(brolga_ir::attribute::IntCond::Ne);
        let inst = self.push(Op::Icmp, Type::PTR, &[address, null], payload);
        self.keep(inst);
        Some(())
    }

    /// Text into an object: integers, floats and texts behind the named arguments.
    fn print(&mut self) -> Option<()> {
        let print = self.program.outside.print?;
        let (text, types) = self.program.random.pick(FORMATS);
        let format = self.text(text);
        let to = self.place_address(Wish::Write);
        let size = self.small(Type::I64, 63);
        let mut args = vec![to, size, format];
        args.extend(self.printed(types));
        let payload = Payload::ForeignCall { function: print, roots: 0 };
        let inst = self.push(Op::CallForeign, Type::NONE, &args, payload);
        self.keep(inst);
        Some(())
    }

    /// Values of those types to be printed.
    pub(super) fn printed(&mut self, types: &[Type]) -> Vec<Value> {
        let one = |&ty: &Type| match ty {
            Type::PTR => self.text("what %% is\0"),
            _ => self.printable(ty),
        };
        types.iter().map(one).collect()
    }

    /// A value that is printed alike everywhere: libraries differ in whether
    /// they show the sign of a NaN.
    fn printable(&mut self, ty: Type) -> Value {
        let value = self.any(ty);
        if ty.lane().is_some_and(Scalar::is_float) {
            self.taint(value);
        }
        self.steadied(value)
    }

    /// The address of a text that stays as it is.
    pub(super) fn text(&mut self, text: &str) -> Value {
        let texts = &self.program.outside.texts;
        let known = texts.iter().find(|(known, _)| **known == *text).map(|&(_, id)| id);
        let id = known.unwrap_or_else(|| {
            let name = self.program.own(&format!("text{}", self.program.outside.texts.len()));
            let items = vec![DataItem::Bytes(text.as_bytes().to_vec())];
            let object = DataObject { content: Content::Constant, ..DataObject::new(&name, items) };
            let id = self.program.module.declare_data(object);
            let id = id.unwrap_or_else(|error| panic!("{error}"));
            self.program.outside.texts.push((text.into(), id));
            id
        });
        self.compute_with(Op::DataAddr, Type::NONE, &[], Payload::Data(id))
    }

    /// An object on the heap, which is never given back: whatever function is
    /// handed its address may keep it.
    fn allocate(&mut self) -> Option<()> {
        let calloc = self.program.outside.calloc?;
        let args = [self.index(8), self.index(8)];
        let payload = Payload::ForeignCall { function: calloc, roots: 0 };
        let address = self.compute_with(Op::CallForeign, Type::NONE, &args, payload);
        self.keep_as(address, Sort::Lasting);
        Some(())
    }

    fn place_address(&mut self, wish: Wish) -> Value {
        let object = match self.random().percent(60) || wish == Wish::Write {
            true => return self.pointer(),
            false => self.object(wish),
        };
        match self.body.value_type(object.base) {
            Type::PTR => object.base,
            _ => self.pointer(),
        }
    }
}

/// What a foreign function takes.
#[derive(Clone, Copy, Debug)]
pub(super) enum ForeignParam {
    /// A character, as `int`.
    Character,
    /// Any value of the type.
    Value(Type),
    /// An address to write to.
    To,
    /// An address to read from.
    From,
    /// A number of bytes.
    Size,
}

impl ForeignParam {
    pub(super) fn ty(self) -> Type {
        match self {
            ForeignParam::Character => Type::I32,
            ForeignParam::Value(ty) => ty,
            ForeignParam::To | ForeignParam::From => Type::PTR,
            ForeignParam::Size => Type::I64,
        }
    }
}

/// A foreign function of a program.
#[derive(Clone, Debug)]
pub(super) struct Foreign {
    pub(super) id: FuncId,
    pub(super) params: &'static [ForeignParam],
}

/// C functions that give the same on every platform, and of which the
/// interpreter has models.
pub(super) const FOREIGN: &[(&str, &[ForeignParam], Option<Type>)] = {
    use ForeignParam::{Character, From, Size, To, Value};
    &[
        ("abs", &[Value(Type::I32)], Some(Type::I32)),
        ("labs", &[Value(Type::I64)], Some(Type::I64)),
        ("toupper", &[Character], Some(Type::I32)),
        ("tolower", &[Character], Some(Type::I32)),
        ("sqrt", &[Value(Type::F64)], Some(Type::F64)),
        ("fabs", &[Value(Type::F64)], Some(Type::F64)),
        ("floor", &[Value(Type::F64)], Some(Type::F64)),
        ("memmove", &[To, From, Size], Some(Type::PTR)),
        ("memset", &[To, Character, Size], Some(Type::PTR)),
    ]
};

/// Formats, and what they take.
pub(super) const FORMATS: &[(&str, &[Type])] = &[
    ("%d\0", &[Type::I32]),
    ("%s: %ld, %lx\0", &[Type::PTR, Type::I64, Type::I64]),
    ("%.3f %+08.1e|\0", &[Type::F64, Type::F64]),
    ("%u%%%c%-6d%#o\0", &[Type::I32, Type::I32, Type::I32, Type::I32]),
    // More than the registers of any platform hold, of both kinds.
    (
        "%d %f %ld %g %x %d %f %ld %s %e %f %f %f %f %f %5.2f %d\0",
        &[
            Type::I32,
            Type::F64,
            Type::I64,
            Type::F64,
            Type::I32,
            Type::I32,
            Type::F64,
            Type::I64,
            Type::PTR,
            Type::F64,
            Type::F64,
            Type::F64,
            Type::F64,
            Type::F64,
            Type::F64,
            Type::F64,
            Type::I32,
        ],
    ),
];
