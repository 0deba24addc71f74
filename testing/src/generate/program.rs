//! A module in the making: its data, its functions, and who may call whom.

use brolga_ir::body::{Initial, SlotData};
use brolga_ir::datum::Datum;
use brolga_ir::entity::{AliasClass, DataId, FuncId, SigId, Value};
use brolga_ir::instruction::{Access, Payload};
use brolga_ir::module::{
    Attributes, Inlining, Linkage, MemoryEffects, Module, Returns, Temperature,
};
use brolga_ir::op::{Op, Pattern, Safety, TypeClass};
use brolga_ir::types::{Arity, Scalar, Signature, Type};

use super::call::{Callable, MOST_DEPTH};
use super::callback::Outside;
use super::foreign::Foreign;
use super::jump::Jumps;
use super::memory::Wish;
use super::operand::lane_bits;
use super::parts::{Parts, Role};
use super::platform::Variadic;
use super::recipe::{Recipe, recipe_of};
use super::writer::{Repertoire, SlotFacts, Sort, Writer};
use super::{
    Access as RawAccess, Atomics, Call, Generated, Managed, Options, Size, Split, Surroundings,
    Types, needs_runtime,
};
use crate::random::Random;

/// A data object that instructions may name.
#[derive(Clone, Copy, Debug)]
pub(super) struct DataFacts {
    pub(super) id: DataId,
    pub(super) size: u64,
    pub(super) align_log2: u32,
    pub(super) is_constant: bool,
}

/// A module in the making.
pub(super) struct Program {
    pub(super) random: Random,
    pub(super) module: Module,
    /// What the names of all that is defined begin with.
    pub(super) prefix: String,
    /// Whether managed ops may be used.
    pub(super) managed: bool,
    /// Whether ops that trust an address may be used.
    pub(super) raw: bool,
    /// How often of a hundred times an instruction may trap.
    pub(super) hazard: usize,
    /// The file and the last line that instructions come from.
    pub(super) file: u32,
    pub(super) line: u32,
    /// The classes of accesses to slots and to data objects.
    pub(super) classes: [AliasClass; 2],
    pub(super) aggregates: Vec<Type>,
    pub(super) callables: Vec<Callable>,
    /// Functions for `atomic_modify`, and the type that they change.
    pub(super) modifiers: Vec<(FuncId, Type)>,
    pub(super) foreign: Vec<Foreign>,
    pub(super) surroundings: Surroundings,
    pub(super) outside: Outside,
    /// The numbers of those of `callables` that can be called as C does.
    pub(super) entered: Vec<usize>,
    pub(super) variadics: Vec<Variadic>,
    pub(super) jumps: Option<Jumps>,
    /// A data object of addresses: of two others, then of the first function.
    pub(super) addresses: Option<DataId>,
    /// A data object that functions called from outside leave their slots in.
    pub(super) remains: Option<DataId>,
    /// Data objects that shapes alone access, and two of small whole `f32` and `f64`.
    pub(super) fields: Vec<DataId>,
    pub(super) reals: [DataId; 2],
    /// Two large ones, if there are such.
    pub(super) matrices: Option<[DataId; 2]>,
    pub(super) data: Vec<DataFacts>,
    results: Vec<Vec<Type>>,
    ops: Vec<Op>,
    pure_ops: Vec<Op>,
    /// What reads memory and does nothing else.
    reads: Vec<Op>,
    size: Size,
    pub(super) types: Types,
    pub(super) atomics: Atomics,
}

impl Program {
    pub(super) fn new(seed: u64, options: &Options) -> Program {
        Program::inside(Module::new(&format!("seed{seed}")), "", seed, options)
    }

    /// A program in a module that holds others, by other names.
    pub(super) fn inside(
        mut module: Module,
        prefix: &str,
        seed: u64,
        options: &Options,
    ) -> Program {
        let mut random = Random::new(seed);
        let file = module.intern("generated");
        let memory = module.alias_class("memory", None);
        let classes = ["slots", "data"].map(|name| module.alias_class(name, Some(memory)));
        let managed = options.managed == Managed::Include && random.percent(35);
        let raw = options.access == RawAccess::Any && random.percent(85);
        let hazard = if random.percent(25) { random.between(1, 4) } else { 0 };
        let allowed = |op: &Op| {
            let info = op.info();
            recipe_of(*op) != Recipe::Flow
                && (managed || !needs_runtime(*op))
                && (raw || info.safety == Safety::Safe)
                && (options.types == Types::All || !needs_expansion(*op))
        };
        let ops: Vec<Op> = Op::ALL.iter().copied().filter(allowed).collect();
        let ops = ops.iter().flat_map(|&op| vec![op; share(op)]).collect();
        let is_pure = |op: &Op| {
            recipe_of(*op) == Recipe::Row
                && op.info().effects.is_empty()
                && (options.types == Types::All || !needs_expansion(*op))
        };
        Program {
            random,
            module,
            prefix: prefix.to_owned(),
            managed,
            raw,
            hazard,
            file,
            line: 0,
            classes,
            aggregates: Vec::new(),
            callables: Vec::new(),
            modifiers: Vec::new(),
            foreign: Vec::new(),
            surroundings: options.surroundings,
            outside: Outside::default(),
            entered: Vec::new(),
            variadics: Vec::new(),
            jumps: None,
            addresses: None,
            remains: None,
            fields: Vec::new(),
            reals: [DataId::from_u32(0); 2],
            matrices: None,
            data: Vec::new(),
            results: Vec::new(),
            ops,
            pure_ops: Op::ALL.iter().copied().filter(is_pure).collect(),
            reads: ops_that_read(options),
            size: options.size,
            types: options.types,
            atomics: options.atomics,
        }
    }

    /// Whether atomic accesses of 128 bits may be made.
    pub(super) fn has_wide_atomics(&self) -> bool {
        self.atomics == Atomics::All && self.types == Types::All
    }

    pub(super) fn some_data(&mut self, wish: Wish) -> DataFacts {
        let fits: Vec<DataFacts> = self
            .data
            .iter()
            .copied()
            .filter(|data| wish == Wish::Read || !data.is_constant)
            .collect();
        self.random.pick(&fits)
    }

    pub(super) fn write(mut self) -> Generated {
        self.make_aggregates();
        self.declare_data();
        self.declare_foreign();
        self.results = (0..2).map(|_| self.draw_results()).collect();
        for _ in 0..self.random.between(1, 2) {
            self.function(Role::Leaf);
        }
        if self.raw {
            self.declare_addresses();
            self.declare_fields();
            if self.random.percent(60) {
                self.function(Role::Reader);
            }
        }
        for _ in 0..if self.managed { 2 } else { 0 } {
            self.modifier();
        }
        self.declare_hosts();
        self.declare_sorting();
        self.declare_jumps();
        self.declare_entered();
        let parts = Parts::of(self.size);
        if self.has(parts.throwing) {
            self.function(Role::Thrower);
        }
        for _ in 0..self.some(parts.ordinary) {
            self.function(Role::Ordinary);
        }
        if self.has(parts.recursive) {
            self.recursion();
        }
        let mut calls = Vec::new();
        for _ in 0..self.some(parts.entries) {
            let (name, params) = self.function(Role::Entry);
            self.call_from_outside(&mut calls, &name, &params);
        }
        if self.raw && self.has(parts.shapes) {
            let (name, params) = self.function(Role::Shape);
            self.call_from_outside(&mut calls, &name, &params);
        }
        let split = Split::draw(&mut self.random);
        Generated { module: self.module, calls, split }
    }

    /// Whether a part is there that so many in a hundred programs have.
    fn has(&mut self, chance: usize) -> bool {
        chance > 0 && self.random.percent(chance)
    }

    fn some(&mut self, (least, most): (usize, usize)) -> usize {
        if least == most { least } else { self.random.between(least, most) }
    }

    fn call_from_outside(&mut self, calls: &mut Vec<Call>, name: &str, params: &[Type]) {
        for _ in 0..self.random.between(1, 3) {
            let args = params.iter().map(|&ty| self.argument(ty)).collect();
            calls.push(Call { function: name.into(), args });
        }
    }

    /// The name of what is defined here.
    pub(super) fn own(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn argument(&mut self, ty: Type) -> Datum {
        let lane = ty.lane().unwrap_or(Scalar::I64);
        match ty.is_vector() {
            true => {
                Datum::Lanes((0..ty.lanes()).map(|_| lane_bits(&mut self.random, lane)).collect())
            }
            false => Datum::Scalar(lane_bits(&mut self.random, lane)),
        }
    }

    pub(super) fn with_writer<T>(&mut self, work: impl FnOnce(&mut Writer<'_>) -> T) -> T {
        work(&mut Writer::new(self, Signature::default()))
    }

    fn draw_results(&mut self) -> Vec<Type> {
        let count = self.random.between(0, 3);
        (0..count).map(|_| self.with_writer(|writer| writer.value_type())).collect()
    }

    fn param_type(&mut self, role: Role) -> Type {
        let roll = self.random.below(100);
        match role {
            Role::Entry | Role::Shape => self.with_writer(|writer| writer.number_type()),
            Role::Reader if roll < 45 => Type::PTR,
            Role::Leaf | Role::Reader => self.with_writer(|writer| writer.value_type()),
            _ if self.raw && roll < 15 => Type::PTR,
            _ if !self.callables.is_empty() && roll < 25 => {
                let index = self.random.below(self.callables.len());
                match self.callables[index].is_recursive {
                    true => Type::I32,
                    false => Type::function(self.callables[index].sig),
                }
            }
            _ if self.managed && roll < 35 => Type::REF,
            _ if self.managed && self.raw && roll < 40 => Type::CALLEE,
            _ => self.with_writer(|writer| writer.value_type()),
        }
    }

    fn function(&mut self, role: Role) -> (Box<str>, Vec<Type>) {
        let count = self.random.between(1, 5);
        let params: Vec<Type> = (0..count).map(|_| self.param_type(role)).collect();
        let results = match role {
            Role::Entry | Role::Shape => {
                let count = self.random.between(1, 3);
                (0..count).map(|_| self.with_writer(|writer| writer.number_type())).collect()
            }
            _ => {
                let index = self.random.below(self.results.len());
                let mut results = self.results[index].clone();
                if role == Role::Reader && self.random.percent(50) {
                    results.push(Type::PTR);
                }
                results
            }
        };
        let id = self.declare(role, &params, &results);
        let (least, most) = Parts::of(self.size).statements;
        let cost = self.define(id, role, |writer| {
            let statements = match role {
                Role::Leaf | Role::Reader => writer.random().between(2, 8),
                Role::Entry => writer.random().between(least, most),
                Role::Shape => writer.random().between(0, 3),
                _ => writer.random().between(5, 18),
            };
            writer.region(statements, 0);
            for _ in 0..if role == Role::Shape { writer.random().between(1, 2) } else { 0 } {
                writer.shape();
            }
        });
        let throws = role == Role::Thrower;
        let sig = self.sig_of(id);
        let name = self.module.function(id).map_or("".into(), |function| (*function.name).into());
        if !role.is_entry() {
            let is_recursive = false;
            let params = params.clone();
            self.callables.push(Callable { id, sig, params, results, cost, throws, is_recursive });
        }
        (name, params)
    }

    pub(super) fn sig_of(&self, id: FuncId) -> SigId {
        self.module.function(id).map_or(SigId::from_u32(0), |function| function.sig)
    }

    pub(super) fn declare(&mut self, role: Role, params: &[Type], results: &[Type]) -> FuncId {
        self.declare_as(role, Signature::internal(params, results))
    }

    pub(super) fn declare_as(&mut self, role: Role, signature: Signature) -> FuncId {
        let sig = self.module.types.signature(signature).unwrap_or_else(|e| panic!("{e}"));
        let name = self.own(&format!("f{}", self.module.functions().len()));
        let linkage = match self.random.below(100) {
            _ if role.is_entry() => Linkage::Export,
            0..30 => Linkage::Export,
            30..45 => Linkage::Weak,
            _ => Linkage::Local,
        };
        let id = self.module.declare_function(&name, sig, linkage);
        let id = id.unwrap_or_else(|error| panic!("{error}"));
        let inlining =
            self.random.pick(&[Inlining::Auto, Inlining::Auto, Inlining::Always, Inlining::Never]);
        let temperature = self.random.pick(&[Temperature::Normal, Temperature::Cold]);
        let mut attributes = Attributes { inlining, temperature, ..Attributes::default() };
        let promise = match role {
            Role::Leaf if self.raw => Some(MemoryEffects::None),
            Role::Reader => Some(MemoryEffects::ReadOnly),
            _ => None,
        };
        if let Some(promise) = promise {
            attributes.memory = promise;
            attributes.returns = Returns::Always;
        }
        if let Some(function) = self.module.function_mut(id) {
            function.attributes = attributes;
        }
        id
    }

    /// Writes the body of a function; says what a call costs at most.
    pub(super) fn define(
        &mut self,
        id: FuncId,
        role: Role,
        work: impl FnOnce(&mut Writer<'_>),
    ) -> u64 {
        let signature = self.module.signature_of(id).clone();
        let mut writer = Writer::new(self, signature);
        writer.repertoire = match role {
            Role::Leaf => Repertoire::Pure,
            Role::Reader => Repertoire::Reading,
            _ => Repertoire::All,
        };
        writer.is_entry = role.is_entry();
        writer.limit = match role {
            Role::Entry | Role::Shape => 6000,
            _ => 500,
        };
        writer.open();
        work(&mut writer);
        if role == Role::Thrower {
            writer.throw_sometimes();
        }
        writer.end_function();
        let cost = writer.cost;
        let body = std::mem::take(&mut writer.body);
        if let Some(function) = self.module.function_mut(id) {
            function.body = Some(Box::new(body));
        }
        cost
    }

    fn modifier(&mut self) {
        let types = [Type::I8, Type::I16, Type::I32, Type::I64, Type::F64, Type::I128];
        let count = types.len() - usize::from(!self.has_wide_atomics());
        let ty = self.random.pick(&types[..count]);
        let id = self.declare(Role::Leaf, &[ty, ty], &[ty]);
        self.define(id, Role::Leaf, |writer| writer.region(2, 0));
        self.modifiers.push((id, ty));
    }

    /// One function that calls itself, or two that call each other.
    fn recursion(&mut self) {
        let mut params = vec![Type::I32];
        params.push(self.with_writer(|writer| writer.value_type()));
        params.push(self.with_writer(|writer| writer.value_type()));
        let results = self.results[0].clone();
        let count = self.random.between(1, 2);
        let ids: Vec<FuncId> =
            (0..count).map(|_| self.declare(Role::Ordinary, &params, &results)).collect();
        let mut most = 0;
        for (index, &id) in ids.iter().enumerate() {
            let peer = ids[(index + 1) % ids.len()];
            let types = params.clone();
            let cost = self.define(id, Role::Ordinary, |writer| {
                writer.limit = 100;
                writer.region(3, 1);
                for _ in 0..writer.random().between(1, 2) {
                    writer.call_again(peer, &types);
                }
                writer.region(2, 1);
            });
            most = most.max(cost);
        }
        let cost = most * (2 << MOST_DEPTH);
        for id in ids {
            let sig = self.sig_of(id);
            let (params, results) = (params.clone(), results.clone());
            let (throws, is_recursive) = (false, true);
            self.callables.push(Callable { id, sig, params, results, cost, throws, is_recursive });
        }
    }
}

/// Ops that read memory and do nothing else.
fn ops_that_read(options: &Options) -> Vec<Op> {
    let all = [Op::Load, Op::DataLoad, Op::MemCompare, Op::MemFind, Op::MaskedLoad];
    let allowed = |op: &Op| options.types == Types::All || !needs_expansion(*op);
    all.into_iter().filter(allowed).collect()
}

/// Whether an op is one on vectors, or one that no machine has.
fn needs_expansion(op: Op) -> bool {
    let is_wide = |class: TypeClass| {
        matches!(
            class,
            TypeClass::Vector
                | TypeClass::WideInt
                | TypeClass::WideFloat
                | TypeClass::WideBits
                | TypeClass::WideNumber
        )
    };
    let info = op.info();
    let is_wide_operand = |pattern: &Pattern| matches!(pattern, Pattern::Any(c) if is_wide(*c));
    let is_rare = matches!(op, Op::Frem | Op::Fround);
    is_rare || is_wide(info.suffix) || info.operands.iter().any(is_wide_operand)
}

/// How often an op is drawn, beside the others.
fn share(op: Op) -> usize {
    match recipe_of(op) {
        // Most programs have none: it ends them.
        Recipe::BoxedCall => 12,
        Recipe::Call | Recipe::CallIndirect | Recipe::TryCall => 6,
        Recipe::Load | Recipe::Store | Recipe::SlotStore | Recipe::DataStore => 6,
        Recipe::SlotLoad | Recipe::DataLoad | Recipe::Check | Recipe::CallForeign => 4,
        Recipe::Poll | Recipe::Feature | Recipe::Prefetch | Recipe::Fence => 1,
        _ => 2,
    }
}

impl Writer<'_> {
    /// The beginning of a function: its parameters and slots.
    fn open(&mut self) {
        let params = self.signature.params.clone();
        let values: Vec<_> =
            params.iter().map(|param| self.body.append_param(self.block, param.ty)).collect();
        if self.signature.arity == Arity::Variadic {
            self.list = Some(self.body.append_param(self.block, Type::PTR));
        }
        for (param, value) in params.iter().zip(values) {
            let ty = param.ty;
            match ty.as_scalar() {
                Some(Scalar::Ptr) => self.open_address(value, param.passing),
                Some(Scalar::Ref) => self.keep_as(value, Sort::Object),
                Some(Scalar::Callee) => {}
                _ if ty.signature().is_some() => self.keep_as(value, Sort::Function),
                _ => self.keep_as(value, Sort::Plain),
            }
        }
        if self.repertoire != Repertoire::All {
            return;
        }
        for number in 0..self.random().between(1, 3) {
            let size = self.random().pick(&[64, 72, 96, 100, 128, 200]);
            let mut slot = SlotData::new(size);
            slot.align_log2 = self.random().pick(&[4, 4, 5, 6, 9]);
            let is_uninit = number > 0 && self.program.raw && self.random().percent(15);
            slot.initial = if is_uninit { Initial::Uninit } else { Initial::Zeroed };
            let slot = self.body.make_slot(slot);
            let size = u64::from(size);
            self.slots.push(SlotFacts { slot, size, is_reset: !is_uninit });
            self.body.make_scope(&format!("slot{number}"));
            if is_uninit {
                self.fill(slot, size);
            }
        }
        if self.program.raw {
            self.address_slot = Some(self.body.make_slot(SlotData::new(64)));
            self.array_slot = self.open_array();
            self.jump_slots = self.open_jumps();
        }
    }

    /// Stores to every byte of a slot, as its promise wants it.
    fn fill(&mut self, slot: brolga_ir::entity::Slot, size: u64) {
        let base = self.compute_with(Op::SlotAddr, Type::NONE, &[], Payload::Slot(slot));
        let args = [base, self.constant(Type::I8), self.index(size)];
        self.push(Op::MemFill, Type::NONE, &args, Payload::Access(Access::default()));
    }

    /// Calls a function of this one's signature, a step less deep.
    fn call_again(&mut self, peer: FuncId, types: &[Type]) {
        let Some(entry) = self.body.layout.entry() else { return };
        let depth = self.body.params(entry)[0];
        let zero = self.zero(Type::I32);
        let payload = Payload::IntCond(brolga_ir::attribute::IntCond::Sgt);
        let goes_on = self.compute_with(Op::Icmp, Type::I32, &[depth, zero], payload);
        let one = self.number_of(Type::I32, 1);
        let (inside, join) = (self.body.make_block(), self.body.make_block());
        self.branch(goes_on, (inside, &[]), (join, &[]));
        let scope = self.open_scope();
        self.start(inside);
        let mut args = vec![self.compute(Op::Sub, Type::I32, &[depth, one])];
        args.extend(types[1..].iter().map(|&ty| self.steady(ty)).collect::<Vec<Value>>());
        self.push(Op::Call, Type::NONE, &args, Payload::Function(peer));
        self.jump_with(join, &[]);
        self.close_scope(scope);
        self.start(join);
    }

    /// One instruction, with what it needs.
    pub(super) fn statement(&mut self, nest: usize) {
        for _ in 0..4 {
            let repertoire = self.repertoire;
            let ops = match repertoire {
                Repertoire::All => &self.program.ops,
                Repertoire::Pure => &self.program.pure_ops,
                Repertoire::Reading if self.random().percent(50) => &self.program.reads,
                Repertoire::Reading => &self.program.pure_ops,
            };
            let op = ops[self.program.random.below(ops.len())];
            if self.emit(op, nest).is_some() {
                return;
            }
        }
    }
}
