//! Modules made of choices: every op, attribute, entity and literal, without
//! any heed to what a verifier would say.

use crate::attribute::{AccessFlags, FloatCond, InstFlags, IntCond, LoopFlags, Order, RmwOp};
use crate::body::SwitchData;
use crate::body::{Body, ExitData, ExitKind, Initial, LocData, SlotData, TEXT_FILE, ValueRange};
use crate::constant::Constant;
use crate::entity::{Block, DataId, EntityRef, FuncId, PackedOption, Scope, ScopeSet, Value};
use crate::instruction::{Access, InstData, Payload, Target, ZERO_LANE};
use crate::module::{
    Attributes, Content, DataItem, DataObject, Inlining, Linkage, MemoryEffects, Module, Returns,
    Storage, Temperature,
};
use crate::op::{Field, Form, Op, TypeClass};
use crate::trap::TrapCode;
use crate::types::{Arity, Convention, Packing, Param, Passing, Scalar, Signature, Type, TypeKind};
use crate::typing::Typing;

/// A finite stream of choices; zeros behind its end.
pub(super) struct Choices<'a>(std::slice::Iter<'a, u32>);

impl<'a> Choices<'a> {
    pub(super) fn new(choices: &'a [u32]) -> Choices<'a> {
        Choices(choices.iter())
    }

    fn next(&mut self) -> u32 {
        self.0.next().copied().unwrap_or(0)
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count.max(1)
    }

    fn chance(&mut self, one_in: u32) -> bool {
        self.next() % one_in == 1
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn wide(&mut self) -> u128 {
        match self.below(4) {
            0 => self.below(5) as u128,
            1 => u128::MAX - self.below(5) as u128,
            2 => 1 << self.below(128),
            _ => (0..4).fold(0, |bits, _| bits << 32 | u128::from(self.next())),
        }
    }

    fn name(&mut self) -> &'static str {
        const NAMES: &[&str] = &[
            "x", "sum", "x", "12", "block3", "a b", "ü", "", "add", "zero", "i32", "q\"\\\n", "_",
            "a.b", "$1", "012", "func", "null", "a", "b", "c", "d", "e",
        ];
        self.one_of(NAMES)
    }
}

/// The types that choices are made from.
fn types(choices: &mut Choices<'_>, module: &mut Module) -> Vec<Type> {
    let mut types: Vec<Type> = Scalar::ALL.iter().map(|&scalar| Type::scalar(scalar)).collect();
    types.retain(|ty| *ty != Type::TOKEN);
    for &lane in Scalar::ALL {
        let lanes = 1 + choices.below(8) as u32;
        types.extend(Type::vector(lane, lanes));
    }
    for _ in 0..choices.below(8) {
        let parts: Vec<Type> = (0..choices.below(4)).map(|_| choices.one_of(&types)).collect();
        let pool = &mut module.types;
        let made = match choices.below(4) {
            0 => pool.structure(&parts, Packing::Natural),
            1 => pool.structure(&parts, Packing::Packed),
            2 => pool.array(choices.one_of(&types), choices.below(4) as u64),
            _ => {
                let mut sig = Signature::internal(&parts, &parts);
                sig.convention = choices.one_of(&[Convention::Internal, Convention::Platform]);
                pool.signature(sig).map(Type::function)
            }
        };
        types.extend(made.ok());
    }
    types
}

fn signature(choices: &mut Choices<'_>, types: &[Type]) -> Signature {
    let param = |choices: &mut Choices<'_>| {
        let ty = choices.one_of(types);
        // Behind a function type, an attribute would belong to that.
        let passing = choices.one_of(&[
            Passing::Plain,
            Passing::Plain,
            Passing::SignExtended,
            Passing::ZeroExtended,
            Passing::ByValue { size: 24, align_log2: 3 },
            Passing::StructReturn,
            Passing::PieceOf(8),
        ]);
        Param { ty, passing: if ty.signature().is_some() { Passing::Plain } else { passing } }
    };
    Signature {
        convention: choices.one_of(&[Convention::Internal, Convention::Platform]),
        params: (0..choices.below(3)).map(|_| param(choices)).collect(),
        results: (0..choices.below(3)).map(|_| param(choices)).collect(),
        arity: choices.one_of(&[Arity::Fixed, Arity::Variadic]),
    }
}

fn attributes(choices: &mut Choices<'_>) -> Attributes {
    let target = |choices: &mut Choices<'_>| choices.name().into();
    Attributes {
        inlining: choices.one_of(&[Inlining::Auto, Inlining::Always, Inlining::Never]),
        temperature: choices.one_of(&[Temperature::Normal, Temperature::Cold]),
        memory: choices.one_of(&[MemoryEffects::Any, MemoryEffects::ReadOnly, MemoryEffects::None]),
        returns: choices.one_of(&[Returns::Maybe, Returns::Always, Returns::Never, Returns::Twice]),
        opt_level: choices.one_of(&[None, Some(0), Some(3)]),
        targets: (0..choices.below(2)).map(|_| target(choices)).collect(),
    }
}

/// A module of those choices.
pub(super) fn module(choices: &mut Choices<'_>) -> Module {
    let mut module = Module::new(choices.name());
    module.target = choices.one_of(&[None, Some("x86_64-linux")]).map(str::to_owned);
    for _ in 0..choices.below(3) {
        let parents: Vec<_> = module.alias_classes().map(|(class, _)| class).collect();
        let parent = parents.get(choices.below(4)).copied();
        module.alias_class(choices.name(), parent);
    }
    let types = types(choices, &mut module);
    let mut defined = Vec::new();
    for i in 0..1 + choices.below(4) {
        let signature = signature(choices, &types);
        let sig = module.types.signature(signature).unwrap();
        let linkage = choices.one_of(Linkage::ALL);
        let name = format!("{}{i}", choices.name());
        let id = module.declare_function(&name, sig, linkage).unwrap();
        module.function_mut(id).unwrap().attributes = attributes(choices);
        if linkage.is_defined_here() {
            defined.push(id);
        }
        if choices.chance(2) {
            data(choices, &mut module, i);
        }
    }
    for id in defined {
        let body = Generator { choices, module: &mut module, types: &types }.body(id);
        module.function_mut(id).unwrap().body = Some(Box::new(body));
    }
    module
}

fn data(choices: &mut Choices<'_>, module: &mut Module, i: usize) {
    let name = format!("data {i}");
    let mut object = DataObject::new(&name, Vec::new());
    object.linkage = choices.one_of(Linkage::ALL);
    object.content = choices.one_of(&[Content::Mutable, Content::Constant]);
    object.storage = choices.one_of(&[Storage::Shared, Storage::ThreadLocal]);
    if object.linkage.is_defined_here() {
        object.items = (0..choices.below(4)).map(|_| item(choices, module)).collect();
        object.size = object.items.iter().map(DataItem::size).fold(0, u64::saturating_add);
    }
    object.align_log2 = DataObject::default_align_log2(object.size);
    if choices.chance(3) {
        object.size = u64::from(choices.next());
        object.align_log2 = choices.below(13) as u8;
    }
    module.declare_data(object).unwrap();
}

fn item(choices: &mut Choices<'_>, module: &Module) -> DataItem {
    let scalars = [Scalar::I8, Scalar::I64, Scalar::I128, Scalar::F16, Scalar::Bf16, Scalar::F32];
    match choices.below(4) {
        0 => {
            let scalar = choices.one_of(&scalars);
            let width = crate::constant::mask(scalar.bits());
            let count = choices.below(40);
            let values = (0..count).map(|_| choices.wide() & width).collect();
            DataItem::Numbers { scalar, values }
        }
        1 => DataItem::Bytes((0..choices.below(20)).map(|_| choices.next() as u8).collect()),
        2 => DataItem::Zero(u64::from(choices.next())),
        _ => {
            let symbols = module.declarations();
            let symbol = symbols[choices.below(symbols.len())];
            DataItem::Address { symbol, addend: choices.wide() as i64 }
        }
    }
}

struct Generator<'g, 'a> {
    choices: &'g mut Choices<'a>,
    module: &'g mut Module,
    types: &'g [Type],
}

/// What instructions choose from.
struct Surroundings<'b> {
    blocks: &'b [Block],
    values: Vec<Value>,
    function: FuncId,
}

impl Generator<'_, '_> {
    fn body(&mut self, function: FuncId) -> Body {
        let mut body = Body::default();
        self.entities(&mut body);
        let mut blocks = Vec::new();
        for _ in 0..1 + self.choices.below(4) {
            let block = body.make_block();
            // Some numbers stay unused.
            if !self.choices.chance(4) {
                blocks.push(block);
            }
        }
        let turn = self.choices.below(blocks.len());
        blocks.rotate_left(turn);
        for &block in &blocks {
            body.layout.append_block(block);
            if self.choices.chance(2) {
                body.set_block_name(block, self.choices.name());
            }
            for _ in 0..self.choices.below(3) {
                let param = body.append_param(block, self.choices.one_of(self.types));
                self.maybe_name(&mut body, param);
            }
        }
        let values = blocks.iter().flat_map(|&block| body.params(block).to_vec()).collect();
        let mut scope = Surroundings { blocks: &blocks, values, function };
        for &block in &blocks {
            for _ in 0..self.choices.below(8) {
                self.inst(&mut body, &mut scope, block);
            }
        }
        body
    }

    fn maybe_name(&mut self, body: &mut Body, value: Value) {
        if self.choices.chance(3) {
            body.set_value_name(value, self.choices.name());
        }
    }

    fn entities(&mut self, body: &mut Body) {
        for _ in 0..self.choices.below(3) {
            let mut slot = SlotData::new(self.choices.next());
            if self.choices.chance(2) {
                slot.align_log2 = self.choices.below(7) as u8;
                slot.initial = Initial::Uninit;
            }
            body.make_slot(slot);
        }
        let functions = self.module.functions().len();
        for _ in 0..self.choices.below(3) {
            let kind = match self.choices.below(3) {
                0 => ExitKind::Trap(self.choices.one_of(TrapCode::ALL)),
                1 => ExitKind::Side(self.choices.next()),
                _ => ExitKind::Deopt(FuncId::new(self.choices.below(functions))),
            };
            let count = self.choices.below(3);
            let types = (0..count).map(|_| self.choices.one_of(self.types)).collect();
            body.make_exit(ExitData { kind, types });
        }
        for _ in 0..self.choices.below(3) {
            body.make_scope(self.choices.name());
        }
        for i in 0..self.choices.below(4) {
            let inlined_at = (i > 0 && self.choices.chance(2)).then(|| i as u32 - 1);
            let file = match self.choices.chance(2) {
                true => TEXT_FILE,
                false => self.module.intern(self.choices.name()),
            };
            let function = self.choices.chance(2).then(|| self.module.intern(self.choices.name()));
            body.make_loc(LocData {
                file,
                line: self.choices.next(),
                column: self.choices.next(),
                function,
                inlined_at: inlined_at.map(crate::entity::Loc::from_u32).into(),
            });
        }
    }

    fn constant(&mut self, body: &mut Body, ty: Type) -> Option<Value> {
        let constant = match ty.kind() {
            TypeKind::Scalar(_) => Constant::scalar(ty, self.choices.wide()),
            TypeKind::Vector(_, lanes) if !self.choices.chance(3) => {
                Constant::vector(ty, (0..lanes).map(|_| self.choices.wide()))
            }
            _ => Constant::zero(ty),
        };
        constant.or_else(|| Constant::zero(ty)).map(|constant| body.constant(constant))
    }

    /// Any value at all, most often a constant of the type that fits.
    fn operand(&mut self, body: &mut Body, scope: &Surroundings<'_>, fits: Option<Type>) -> Value {
        if self.choices.chance(2) && !scope.values.is_empty() {
            return self.choices.one_of(&scope.values);
        }
        let any = self.choices.one_of(self.types);
        let ty = if self.choices.chance(4) { any } else { fits.unwrap_or(any) };
        self.constant(body, ty).unwrap_or_else(|| body.constant(Constant::zero(Type::I8).unwrap()))
    }

    fn target(&mut self, body: &mut Body, scope: &Surroundings<'_>) -> Target {
        let block = self.choices.one_of(scope.blocks);
        let types: Vec<Type> =
            body.params(block).iter().map(|&param| body.value_type(param)).collect();
        let extra = usize::from(self.choices.chance(5));
        let fits = types.into_iter().map(Some).chain(std::iter::repeat_n(None, extra));
        let args: Vec<Value> = fits.map(|ty| self.operand(body, scope, ty)).collect();
        body.target(block, &args)
    }

    fn inst(&mut self, body: &mut Body, scope: &mut Surroundings<'_>, block: Block) {
        let op = self.choices.one_of(Op::ALL);
        let info = op.info();
        let fitting: Vec<Type> =
            self.types.iter().copied().filter(|&ty| info.suffix.contains(ty)).collect();
        let ty = match info.suffix {
            TypeClass::None => Type::NONE,
            _ if fitting.is_empty() => return,
            _ => self.choices.one_of(&fitting),
        };
        let Some(payload) = self.payload(body, scope, op, ty) else { return };
        let mut data = InstData::new(op, ty, Default::default(), payload);
        let mut args = Vec::new();
        for index in 0..self.operand_count(body, &data) {
            let signature = self.module.function(scope.function).map(|f| f.sig);
            let signature = signature.map(|sig| self.module.types.sig(sig));
            let fits = Typing::of(self.module, body, signature, &data).operand(index);
            args.push(self.operand(body, scope, fits));
        }
        data.args = body.list(&args);
        data.flags = InstFlags::from_bits_truncate(self.choices.next() as u16);
        let locs = body.locs().len();
        if locs > 0 && body.has_source_locs() && self.choices.chance(2) {
            data.loc = crate::entity::Loc::new(self.choices.below(locs)).into();
        }
        let Some(types) = Typing::of(self.module, body, None, &data).results() else { return };
        let inst = body.append_inst(block, data, &types);
        for &result in &body.results(inst).to_vec() {
            self.maybe_name(body, result);
            scope.values.push(result);
        }
        if op.info().form.fields().contains(&Field::Weights) && self.choices.chance(2) {
            body.set_weights(inst, &[self.choices.next(), 7]);
        }
        if self.choices.chance(4) {
            let lane = types.first().and_then(|ty| ty.lane()).filter(|lane| lane.is_int());
            let width = crate::constant::mask(lane.map_or(128, Scalar::bits));
            let (low, high) = (self.choices.wide() & width, self.choices.wide() & width);
            body.set_range(inst, ValueRange { low, high });
        }
    }

    fn operand_count(&mut self, body: &Body, data: &InstData) -> usize {
        let fixed = data.op.info().operands.len();
        let more = match data.payload {
            Payload::ForeignCall { .. } | Payload::TryCall { .. } => data.roots(),
            Payload::Exit(exit) => body.exit(exit).map_or(0, |exit| exit.types.len()),
            _ if data.op.info().form == Form::Variadic && fixed > 0 => 1,
            _ => 0,
        };
        match data.op.info().form.has_more_operands() {
            true => fixed + more + self.choices.below(3),
            false => fixed,
        }
    }

    fn access(&mut self, body: &mut Body) -> Access {
        let classes: Vec<_> = self.module.alias_classes().map(|(class, _)| class).collect();
        Access {
            offset: self.choices.one_of(&[0, 8, -8, i32::MIN, i32::MAX]),
            align_log2: self.choices.below(8) as u8,
            flags: AccessFlags::from_bits_truncate(self.choices.next() as u8),
            class: classes.get(self.choices.below(4)).copied().into(),
            scopes: self.scopes(body),
            no_alias: self.scopes(body),
        }
    }

    fn scopes(&mut self, body: &mut Body) -> PackedOption<ScopeSet> {
        let all: Vec<Scope> = body.scopes().map(|(scope, _)| scope).collect();
        match self.choices.below(3) {
            0 => Some(body.scope_set(&all[..self.choices.below(all.len() + 1)])).into(),
            _ => None.into(),
        }
    }

    fn payload(
        &mut self,
        body: &mut Body,
        scope: &Surroundings<'_>,
        op: Op,
        ty: Type,
    ) -> Option<Payload> {
        let form = op.info().form;
        let [order, failure] = [(); 2].map(|()| self.choices.one_of(Order::ALL));
        let access = self.access(body);
        let functions = self.module.functions().len();
        let function = FuncId::new(self.choices.below(functions));
        let (slots, exits) = (body.slots().len(), body.exits().len());
        let data_count = self.module.data_objects().len();
        Some(match form {
            Form::Values | Form::Variadic | Form::IndirectCall => Payload::None,
            Form::IntCompare => Payload::IntCond(self.choices.one_of(IntCond::ALL)),
            Form::FloatCompare => Payload::FloatCond(self.choices.one_of(FloatCond::ALL)),
            Form::Load | Form::Store | Form::MaskedLoad | Form::MaskedStore => {
                Payload::Access(access)
            }
            // Without an address among its fields there is no offset to print.
            Form::Bulk => Payload::Access(Access { offset: 0, ..access }),
            Form::AtomicLoad | Form::AtomicStore => Payload::Atomic { order, access },
            Form::AtomicRmw => {
                Payload::AtomicRmw { op: self.choices.one_of(RmwOp::ALL), order, access }
            }
            Form::AtomicCas => Payload::AtomicCas { order, failure, access },
            Form::AtomicModify => Payload::AtomicModify { function, order, access },
            Form::Fence => Payload::Order(order),
            Form::Slot | Form::SlotLoad | Form::SlotStore if slots > 0 => {
                Payload::Slot(crate::entity::Slot::new(self.choices.below(slots)))
            }
            Form::Data | Form::DataLoad | Form::DataStore if data_count > 0 => {
                Payload::Data(DataId::new(self.choices.below(data_count)))
            }
            Form::Slot | Form::SlotLoad | Form::SlotStore => return None,
            Form::Data | Form::DataLoad | Form::DataStore => return None,
            Form::Function | Form::Call => Payload::Function(function),
            Form::ForeignCall => {
                Payload::ForeignCall { function, roots: self.choices.below(3) as u32 }
            }
            Form::TryCall => {
                let targets = [self.target(body, scope), self.target(body, scope)];
                let roots = self.choices.below(3) as u32;
                Payload::TryCall { function: function.into(), roots, targets }
            }
            Form::TryIndirectCall => {
                let targets = [self.target(body, scope), self.target(body, scope)];
                Payload::TryCall { function: None.into(), roots: 0, targets }
            }
            Form::Extract | Form::Insert => {
                let fields = self.module.types.field_count(ty).min(4) as usize;
                let path = [self.choices.below(fields) as u32];
                let length = self.choices.below(2);
                Payload::Immediates(body.immediate_list(&path[..length]))
            }
            Form::Shuffle => {
                let lanes = [self.choices.next(), ZERO_LANE, 3];
                let length = self.choices.below(4);
                Payload::Immediates(body.immediate_list(&lanes[..length]))
            }
            Form::Jump => Payload::Jump(self.target(body, scope)),
            Form::Branch | Form::Enter => {
                Payload::Branch([self.target(body, scope), self.target(body, scope)])
            }
            Form::Switch => {
                let width = crate::constant::mask(ty.as_scalar().map_or(0, Scalar::bits));
                let count = self.choices.below(3);
                let cases = (0..count).map(|_| self.choices.wide() & width).collect();
                let targets = (0..=count).map(|_| self.target(body, scope)).collect();
                Payload::Switch(body.make_switch(SwitchData { cases, targets }))
            }
            Form::Trap => Payload::Trap(TrapCode::User(self.choices.next() as u16)),
            Form::Check if exits > 0 => {
                Payload::Exit(crate::entity::Exit::new(self.choices.below(exits)))
            }
            Form::Check => return None,
            Form::Count => Payload::Count(self.choices.next()),
            Form::LoopMark => Payload::LoopMark {
                flags: LoopFlags::from_bits_truncate(self.choices.next() as u8),
                unroll: self.choices.next(),
            },
            Form::Feature => Payload::Feature(self.module.intern(self.choices.name())),
        })
    }
}

/// Handles and payloads that belong to nothing, all over a module.
pub(super) fn corrupt(choices: &mut Choices<'_>, module: &mut Module) {
    let ids: Vec<FuncId> = module.functions().map(|(id, _)| id).collect();
    for id in ids {
        let sig = crate::entity::SigId::from_u32(choices.below(20) as u32);
        let Some(function) = module.function_mut(id) else { continue };
        if choices.chance(3) {
            function.sig = sig;
        }
        let Some(body) = &mut function.body else { continue };
        let insts: Vec<_> = body.layout.all_insts().collect();
        for inst in insts {
            let value = Value::from_u32(choices.next() % 1_000_000);
            let args = body.list(&[value; 3][..choices.below(4)]);
            let target = Target { block: Block::from_u32(choices.next() % 1_000_000), args };
            let payload = wild_payload(choices, target);
            let locs = choices.next() % 1_000_000;
            let data = body.inst_mut(inst);
            match choices.below(6) {
                0 => data.args = args,
                1 => data.payload = payload,
                2 => data.op = choices.one_of(Op::ALL),
                3 => data.ty = Type::function(crate::entity::SigId::from_u32(77)),
                4 => data.ty = choices.one_of(&[Type::NONE, Type::TOKEN, Type::I128, Type::F16]),
                _ => data.loc = crate::entity::Loc::from_u32(locs).into(),
            }
        }
    }
}

/// A payload of handles that are most likely nobody's.
fn wild_payload(choices: &mut Choices<'_>, target: Target) -> Payload {
    let number = choices.next() % 1_000_000;
    let function = FuncId::from_u32(number);
    let access = Access {
        align_log2: 255,
        class: crate::entity::AliasClass::from_u32(number).into(),
        scopes: ScopeSet::from_u32(number).into(),
        ..Access::default()
    };
    match choices.below(12) {
        0 => Payload::None,
        1 => Payload::Access(access),
        2 => Payload::AtomicModify { function, order: Order::Relaxed, access },
        3 => Payload::Slot(crate::entity::Slot::from_u32(number)),
        4 => Payload::Data(DataId::from_u32(number)),
        5 => Payload::Function(function),
        6 => Payload::ForeignCall { function, roots: number },
        7 => Payload::TryCall { function: function.into(), roots: number, targets: [target; 2] },
        8 => Payload::Jump(target),
        9 => Payload::Switch(crate::entity::SwitchTable::from_u32(number)),
        10 => Payload::Exit(crate::entity::Exit::from_u32(number)),
        _ => Payload::Feature(number),
    }
}
