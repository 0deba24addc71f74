//! Calls: by name, through references and addresses.
//!
//! A function calls only such as were finished before it, or itself with a
//! smaller depth: every program ends.

use brolga_ir::entity::{FuncId, Inst, PackedOption, SigId, Value};
use brolga_ir::instruction::{Payload, Target};
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::program::Program;
use super::writer::{Sort, Writer};

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub(super) id: FuncId,
    pub(super) sig: SigId,
    pub(super) params: Vec<Type>,
    pub(super) results: Vec<Type>,
    /// Instructions that a call executes at most.
    pub(super) cost: u64,
    /// Whether it throws other than hardly ever.
    pub(super) throws: bool,
    /// Whether its first parameter is how deep it may call itself.
    pub(super) is_recursive: bool,
}

/// How deep recursion goes at most, one below a power of two.
pub(super) const MOST_DEPTH: u64 = 3;

/// Where the addresses among the arguments may point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lifetime {
    /// The caller stays.
    Call,
    /// The caller's frame goes.
    Tail,
}

impl Writer<'_> {
    /// A function that may be called here, by its number.
    fn callee(&mut self, wanted: impl Fn(&Callable) -> bool) -> Option<usize> {
        self.callee_among(|program, index| wanted(&program.callables[index]))
    }

    /// The same, of what their numbers are asked for.
    pub(super) fn callee_among(
        &mut self,
        wanted: impl Fn(&Program, usize) -> bool,
    ) -> Option<usize> {
        let safe_to_throw = self.regions > 0 || self.has_hazard();
        let fits: Vec<usize> = (0..self.program.callables.len())
            .filter(|&index| {
                let callable = &self.program.callables[index];
                self.affords(callable.cost)
                    && (safe_to_throw || !callable.throws)
                    && wanted(self.program, index)
            })
            .collect();
        (!fits.is_empty()).then(|| self.random().pick(&fits))
    }

    /// Arguments for the function of that number. A function that it gets as
    /// an argument is older than itself, so that no circle arises.
    pub(super) fn arguments(&mut self, callee: usize, lifetime: Lifetime) -> Vec<Value> {
        let callable = self.program.callables[callee].clone();
        let mut args = Vec::with_capacity(callable.params.len());
        for (index, &ty) in callable.params.iter().enumerate() {
            let arg = if index == 0 && callable.is_recursive {
                self.small(Type::I32, MOST_DEPTH.into())
            } else if ty.signature().is_some() {
                self.reference_below(ty, callee)
            } else {
                self.argument(ty, lifetime)
            };
            args.push(arg);
        }
        args
    }

    pub(super) fn argument(&mut self, ty: Type, lifetime: Lifetime) -> Value {
        match ty.as_scalar() {
            Some(Scalar::Ptr) if lifetime == Lifetime::Tail => self.lasting_pointer(),
            Some(Scalar::Ptr) => self.pointer(),
            Some(Scalar::Ref) => self.object_reference(),
            Some(Scalar::Callee) => {
                let object = self.object_reference();
                self.compute(Op::AddressCast, Type::CALLEE, &[object])
            }
            _ => self.steady(ty),
        }
    }

    /// A reference to a function of the type with a number below `limit`. One that
    /// recurs needs an argument that says how deep, which only direct calls give.
    fn reference_below(&mut self, ty: Type, limit: usize) -> Value {
        let fits: Vec<FuncId> = self.program.callables[..limit]
            .iter()
            .filter(|callable| Some(callable.sig) == ty.signature() && !callable.is_recursive)
            .map(|callable| callable.id)
            .collect();
        if fits.is_empty() {
            return self.zero(ty);
        }
        let mut chosen = || {
            let id = self.program.random.pick(&fits);
            self.compute_with(Op::FunctionAddr, ty, &[], Payload::Function(id))
        };
        let (first, second) = (chosen(), chosen());
        if self.random().percent(60) {
            return first;
        }
        let condition = self.any(Type::I1);
        self.compute(Op::Select, ty, &[condition, first, second])
    }

    /// A reference to some function, with what a call of it costs at most.
    fn reference(&mut self) -> Option<(Value, usize)> {
        let callee = self.callee(|callable| !callable.is_recursive)?;
        let ty = Type::function(self.program.callables[callee].sig);
        if self.has_hazard() && self.random().percent(10) {
            return Some((self.zero(ty), callee));
        }
        if self.random().percent(50)
            && let Some(value) = self.at_hand(ty, Sort::Function)
        {
            return Some((value, callee));
        }
        let value = self.reference_below(ty, self.program.callables.len());
        Some((value, callee))
    }

    /// What a call through a reference of the callee's type costs at most.
    fn cost_of_type(&self, callee: usize) -> u64 {
        let sig = self.program.callables[callee].sig;
        let same = self.program.callables.iter().filter(|callable| callable.sig == sig);
        same.map(|callable| callable.cost).max().unwrap_or(0)
    }

    pub(super) fn spend(&mut self, cost: u64) {
        self.cost += cost * self.weight;
    }

    pub(super) fn emit_call(&mut self) -> Option<()> {
        if self.program.outside.calls_host() && self.random().percent(12) {
            return self.call_host();
        }
        if !self.program.entered.is_empty() && self.random().percent(15) {
            return self.call_entered();
        }
        let callee = self.callee(|_| true)?;
        let args = self.arguments(callee, Lifetime::Call);
        let callable = &self.program.callables[callee];
        let (id, cost) = (callable.id, callable.cost);
        let inst = self.push(Op::Call, Type::NONE, &args, Payload::Function(id));
        self.spend(cost);
        self.keep_results(inst);
        Some(())
    }

    pub(super) fn emit_call_indirect(&mut self, op: Op) -> Option<()> {
        let (function, callee) = self.reference()?;
        let cost = self.cost_of_type(callee);
        if !self.affords(cost) {
            return None;
        }
        let ty = self.body.value_type(function);
        let mut args = vec![function];
        if op == Op::CallPtr {
            args[0] = self.compute(Op::FunctionToPtr, ty, &[function]);
        }
        args.extend(self.arguments(callee, Lifetime::Call));
        let inst = self.push(op, ty, &args, Payload::None);
        self.spend(cost);
        self.keep_results(inst);
        Some(())
    }

    pub(super) fn emit_function_addr(&mut self) -> Option<()> {
        let (value, _) = self.reference()?;
        self.keep_as(value, Sort::Function);
        Some(())
    }

    pub(super) fn emit_function_to_ptr(&mut self) -> Option<()> {
        let (value, _) = self.reference()?;
        let ty = self.body.value_type(value);
        let address = self.compute(Op::FunctionToPtr, ty, &[value]);
        if self.random().percent(50) && self.program.raw {
            let back = self.compute(Op::PtrToFunction, ty, &[address]);
            self.keep_as(back, Sort::Function);
            return Some(());
        }
        let null = self.zero(Type::PTR);
        let payload = Payload::IntCond(brolga_ir::attribute::IntCond::Ne);
        let inst = self.push(Op::Icmp, Type::PTR, &[address, null], payload);
        self.keep(inst);
        Some(())
    }

    /// A call with an unwind edge. Its results go over the normal edge only;
    /// both ways meet again.
    pub(super) fn emit_try_call(&mut self, op: Op, nest: usize) -> Option<()> {
        let before = self.regions;
        // A throw is caught here: callees that throw are welcome.
        self.regions += 1;
        let callee = self.callee(|callable| callable.throws);
        let callee = callee.or_else(|| self.callee(|_| true));
        self.regions = before;
        let callee = callee?;
        let callable = self.program.callables[callee].clone();
        let mut args = self.arguments(callee, Lifetime::Call);
        let ty = match op {
            Op::TryCall => Type::NONE,
            Op::TryCallPtr => self.type_to_call(callee),
            _ => Type::function(callable.sig),
        };
        if op == Op::TryCallPtr {
            args.insert(0, self.address_of(callable.id, callable.sig));
        } else if op == Op::TryCallIndirect {
            let payload = Payload::Function(callable.id);
            let function = self.compute_with(Op::FunctionAddr, ty, &[], payload);
            args.insert(0, function);
        }
        self.spend(callable.cost);
        let shared = self.value_type();
        let (normal, unwind, join) =
            (self.body.make_block(), self.body.make_block(), self.body.make_block());
        let targets = [normal, unwind].map(|block| Target { block, args: Default::default() });
        let function: PackedOption<FuncId> = (op == Op::TryCall).then_some(callable.id).into();
        let payload = Payload::TryCall { function, roots: 0, targets };
        let handed = [self.any(shared), self.any(shared)];
        let inst = self.push(op, ty, &args, payload);
        self.set_edges(inst, handed);
        let scope = self.open_scope();
        self.start(normal);
        for &ty in &callable.results {
            self.param(normal, ty, Sort::of_result(ty));
        }
        self.param(normal, shared, Sort::Plain);
        self.region(2, nest + 1);
        self.jump_with(join, &[shared]);
        self.close_scope(scope);
        self.start(unwind);
        self.param(unwind, shared, Sort::Plain);
        self.region(1, nest + 1);
        self.jump_with(join, &[shared]);
        self.close_scope(scope);
        self.start(join);
        self.param(join, shared, Sort::Plain);
        Some(())
    }

    /// The results and the first value go over the normal edge, the other over the unwind edge.
    fn set_edges(&mut self, inst: Inst, handed: [Value; 2]) {
        let mut normal = self.body.results(inst).to_vec();
        normal.push(handed[0]);
        let (normal, unwind) = (self.body.list(&normal), self.body.list(&handed[1..]));
        if let [first, second] = self.body.targets_mut(inst) {
            first.args = normal;
            second.args = unwind;
        }
    }

    /// A function whose results are this one's, in whose place it is called.
    pub(super) fn successor(&mut self) -> Option<usize> {
        let results: Vec<Type> = self.signature.result_types().collect();
        self.callee(|callable| callable.results == results)
    }

    pub(super) fn tail_call(&mut self) -> Option<()> {
        let callee = self.successor()?;
        let callable = self.program.callables[callee].clone();
        let mut args = self.arguments(callee, Lifetime::Tail);
        self.spend(callable.cost);
        if self.random().percent(50) {
            self.push(Op::ReturnCall, Type::NONE, &args, Payload::Function(callable.id));
            return Some(());
        }
        let ty = Type::function(callable.sig);
        let payload = Payload::Function(callable.id);
        let function = match self.has_hazard() {
            true => self.zero(ty),
            false => self.compute_with(Op::FunctionAddr, ty, &[], payload),
        };
        args.insert(0, function);
        self.push(Op::ReturnCallIndirect, ty, &args, Payload::None);
        Some(())
    }
}
