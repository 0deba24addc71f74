//! Functions as C knows them: called at their addresses by the platform's
//! convention, with parts of structs, structs by value, and variable arguments.

use brolga_ir::entity::{FuncId, SigId, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::op::Op;
use brolga_ir::types::{Arity, Convention, Packing, Param, Passing, Scalar, Signature, Type};

use super::call::{Callable, Lifetime};
use super::foreign::FORMATS;
use super::parts::Role;
use super::program::Program;
use super::writer::{LEAST_OBJECT, Sort, Writer};
use super::{Surroundings, Types};

/// The log2 of what the objects are aligned to that addresses lead to.
const OBJECT_ALIGN_LOG2: u8 = 4;

/// Parts of structs.
const PARTS: &[Type] = &[Type::I64, Type::F64, Type::I32, Type::F32, Type::I8, Type::I16];

/// What has no register of one machine word, or is converted on the way.
const RARE: &[(Scalar, u32)] = &[
    (Scalar::I128, 1),
    (Scalar::F16, 1),
    (Scalar::Bf16, 1),
    (Scalar::F32, 4),
    (Scalar::I32, 4),
    (Scalar::I8, 16),
    (Scalar::F64, 2),
    (Scalar::F32, 2),
    (Scalar::I16, 4),
];

/// A function of variable arguments.
#[derive(Clone, Debug)]
pub(super) struct Variadic {
    id: FuncId,
    sig: SigId,
    named: Vec<Type>,
    /// What follows the named arguments, and the format that says so.
    further: &'static [Type],
    cost: u64,
}

impl Program {
    /// Functions that some calls enter as C does.
    pub(super) fn declare_entered(&mut self) {
        if !self.raw || !self.random.percent(40) {
            return;
        }
        for _ in 0..self.random.between(1, 2) {
            self.entered();
        }
        if self.surroundings != Surroundings::Bare && self.random.percent(70) {
            self.variadic();
        }
    }

    fn entered(&mut self) {
        let most = if self.random.percent(20) { 14 } else { 6 };
        let count = self.random.between(1, most);
        let mut params: Vec<Param> = (0..count).map(|_| self.platform_param()).collect();
        let results = self.platform_results();
        if results.is_empty() && self.random.percent(40) {
            params.insert(0, Param { ty: Type::PTR, passing: Passing::StructReturn });
        }
        let types = params.iter().map(|param| param.ty).collect();
        let signature = Signature { params, ..Signature::internal(&[], &results) };
        let throws = self.random.percent(25);
        let role = if throws { Role::Thrower } else { Role::Ordinary };
        let id = self.declare_as(role, signature);
        let cost = self.define(id, role, |writer| {
            let statements = writer.random().between(3, 9);
            writer.region(statements, 1);
        });
        self.entered.push(self.callables.len());
        self.callables.push(Callable {
            id,
            sig: self.sig_of(id),
            params: types,
            results,
            cost,
            throws,
            is_recursive: false,
        });
    }

    fn variadic(&mut self) {
        let signature = Signature::platform(&[Type::PTR, Type::I64, Type::PTR, Type::PTR], &[]);
        let signature = Signature { results: [Type::I32.into()].into(), ..signature };
        let print = self.declare_outer("vsnprintf", brolga_ir::module::Linkage::Foreign, signature);
        let (text, further) = self.random.pick(FORMATS);
        let count = self.random.between(1, 10);
        let params: Vec<Param> = (0..count).map(|_| self.platform_param()).collect();
        let named = params.iter().map(|param| param.ty).collect();
        let results = self.platform_results();
        let signature =
            Signature { params, arity: Arity::Variadic, ..Signature::platform(&[], &results) };
        let id = self.declare_as(Role::Ordinary, signature);
        let cost = self.define(id, Role::Ordinary, |writer| {
            writer.region(1, 1);
            writer.print_list(print, text);
            writer.region(2, 1);
        });
        self.variadics.push(Variadic { id, sig: self.sig_of(id), named, further, cost });
    }

    fn platform_param(&mut self) -> Param {
        let passing = match self.random.below(100) {
            0..30 => {
                let ty = self.random.pick(&[Type::I64, Type::I32, Type::I16, Type::I8, Type::I1]);
                let passing = match self.random.below(3) {
                    0 if ty != Type::I64 => Passing::SignExtended,
                    1 if ty != Type::I64 => Passing::ZeroExtended,
                    _ => Passing::Plain,
                };
                return Param {
                    ty,
                    passing: if ty == Type::I1 { Passing::Plain } else { passing },
                };
            }
            30..55 => return self.random.pick(&[Type::F64, Type::F32]).into(),
            55..63 => return self.part_struct(4).into(),
            63..80 if self.types == Types::All => {
                let (lane, lanes) = self.random.pick(RARE);
                return Type::vector(lane, lanes)
                    .filter(|_| lanes > 1)
                    .unwrap_or(Type::scalar(lane))
                    .into();
            }
            63..90 => {
                let size = self.random.between(1, LEAST_OBJECT as usize) as u32;
                let whole = self.random.percent(30);
                let (size, least) = if whole { (LEAST_OBJECT as u32, 4) } else { (size, 0) };
                let align = self.random.between(least, OBJECT_ALIGN_LOG2.into());
                Passing::ByValue { size, align_log2: align as u8 }
            }
            _ => Passing::Plain,
        };
        Param { ty: Type::PTR, passing }
    }

    /// What two registers of each kind give back.
    fn platform_results(&mut self) -> Vec<Type> {
        match self.random.below(10) {
            0 | 1 => Vec::new(),
            2 | 3 => vec![self.part_struct(2)],
            4 if self.types == Types::All => vec![Type::I128],
            5 => vec![Type::I64, Type::F32],
            _ => vec![self.random.pick(PARTS)],
        }
    }

    /// A struct of so many parts at most, each of a register.
    fn part_struct(&mut self, most: usize) -> Type {
        let count = self.random.between(1, most);
        let parts: Vec<Type> = (0..count).map(|_| self.random.pick(PARTS)).collect();
        let made = self.module.types.structure(&parts, Packing::Natural);
        made.unwrap_or_else(|error| panic!("{error}"))
    }
}

impl Writer<'_> {
    /// Puts a parameter that is an address at hand, if it leads to as much as
    /// others do: else a few of the bytes that are passed.
    pub(super) fn open_address(&mut self, value: Value, passing: Passing) {
        let Passing::ByValue { size, align_log2 } = passing else {
            return self.keep_as(value, Sort::Pointer);
        };
        if u64::from(size) >= LEAST_OBJECT && align_log2 >= OBJECT_ALIGN_LOG2 {
            return self.keep_as(value, Sort::Pointer);
        }
        let at = |offset: u32| {
            let access = Access { offset: offset as i32, ..Access::default() };
            Payload::Access(access)
        };
        let (first, last) = (at(0), at(size - 1));
        let own = self.constant(Type::I8);
        let inst = self.push(Op::Load, Type::I8, &[value], last);
        self.keep(inst);
        self.push(Op::Store, Type::I8, &[own, value], first);
        let inst = self.push(Op::Load, Type::I8, &[value], last);
        self.keep(inst);
    }

    /// The type of the same function for who calls it as C does.
    fn as_c_calls(&mut self, sig: SigId) -> Type {
        let types = &mut self.program.module.types;
        let signature = Signature { convention: Convention::Platform, ..types.sig(sig).clone() };
        Type::function(types.signature(signature).unwrap_or(sig))
    }

    /// Whether a function can be called as C does, by its number among all.
    pub(super) fn can_be_entered(&self, callee: usize) -> bool {
        self.program.entered.contains(&callee)
    }

    /// The type by which a function is called at its address: now as C does,
    /// now as compiled code does.
    pub(super) fn type_to_call(&mut self, callee: usize) -> Type {
        let sig = self.program.callables[callee].sig;
        match self.can_be_entered(callee) && self.random().percent(70) {
            true => self.as_c_calls(sig),
            false => Type::function(sig),
        }
    }

    /// A call that enters a function as C does.
    pub(super) fn call_entered(&mut self) -> Option<()> {
        if self.random().percent(50) && self.call_variadic().is_some() {
            return Some(());
        }
        let callee = self.callee_among(|program, index| program.entered.contains(&index))?;
        let callable = &self.program.callables[callee];
        let (id, sig, cost) = (callable.id, callable.sig, callable.cost);
        let ty = self.as_c_calls(sig);
        let mut args = vec![self.address_of(id, sig)];
        args.extend(self.arguments(callee, Lifetime::Call));
        let inst = self.push(Op::CallPtr, ty, &args, Payload::None);
        self.spend(cost);
        self.keep(inst);
        Some(())
    }

    fn call_variadic(&mut self) -> Option<()> {
        if self.program.variadics.is_empty() {
            return None;
        }
        let index = self.program.random.below(self.program.variadics.len());
        let variadic = self.program.variadics[index].clone();
        if !self.affords(variadic.cost) {
            return None;
        }
        self.spend(variadic.cost);
        let mut args: Vec<Value> =
            variadic.named.iter().map(|&ty| self.argument(ty, Lifetime::Call)).collect();
        args.extend(self.printed(variadic.further));
        let inst = match self.random().percent(50) {
            true => self.push(Op::Call, Type::NONE, &args, Payload::Function(variadic.id)),
            false => {
                args.insert(0, self.address_of(variadic.id, variadic.sig));
                self.push(Op::CallPtr, Type::function(variadic.sig), &args, Payload::None)
            }
        };
        self.keep(inst);
        Some(())
    }

    /// Text of the arguments behind the named ones.
    fn print_list(&mut self, print: FuncId, text: &str) {
        let Some(list) = self.list else { return };
        let format = self.text(text);
        let to = self.pointer();
        let size = self.small(Type::I64, 63);
        let payload = Payload::ForeignCall { function: print, roots: 0 };
        let inst = self.push(Op::CallForeign, Type::NONE, &[to, size, format, list], payload);
        self.keep(inst);
    }
}
