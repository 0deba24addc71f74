//! What must not verify and no text can say: broken handles, shapes, lists.

use super::*;
use crate::attribute::{AccessFlags, InstFlags};
use crate::body::{ExitData, ExitKind, LocData, SwitchData, ValueRange};
use crate::constant::Constant;
use crate::entity::{
    AliasClass, Block, DataId, EntityRef, Exit, Loc, ScopeSet, SigId, Slot, SwitchTable, Value,
};
use crate::instruction::{Access, ImmediateList, InstData, Payload, Target};
use crate::module::{DataItem, DataObject, Linkage, Storage, Symbol};
use crate::types::{Packing, Scalar, Signature, Type, TypePool};

/// The module that each case breaks: block 0 holds instructions 0 and 1,
/// block 1 holds 2 to 4.
const BASE: &str = "\
class !a
data @d = { zero 8 }
foreign data @e size 8
foreign func @c()
func @f(i64, ptr) -> i64 {
    ss0 = slot 8
    exit0 = trap bounds
block0(%0: i64, %1: ptr):
    %2 = add.i64 %0, 1
    jump block1(%2)
block1(%3: i64):
    %4 = load.i64 %1
    call_foreign @c()
    return %3
}";

/// `@f` and its body.
struct Function<'a>(&'a mut Module);

impl Function<'_> {
    fn id(&self) -> FuncId {
        self.0.function_named("f").unwrap()
    }

    fn entry(&mut self) -> &mut crate::module::Function {
        let id = self.id();
        self.0.function_mut(id).unwrap()
    }

    fn body(&mut self) -> &mut Body {
        self.entry().body.as_mut().unwrap()
    }

    fn data(&mut self) -> &mut DataObject {
        self.0.data_mut(DataId::new(0)).unwrap()
    }

    /// Puts an instruction before the return.
    fn insert(&mut self, op: Op, ty: Type, args: &[Value], payload: Payload, results: &[Type]) {
        let body = self.body();
        let data = InstData::new(op, ty, body.list(args), payload);
        body.insert_inst(Inst::new(4), data, results);
    }
}

const NOWHERE: usize = 99;

/// The first parameter of `@f`.
fn int() -> Value {
    Value::new(0)
}

/// The second parameter of `@f`.
fn pointer() -> Value {
    Value::new(1)
}

/// A type of another module.
fn other_type() -> Type {
    let mut others = TypePool::default();
    others.structure(&[], Packing::Natural).unwrap();
    others.structure(&[Type::I8], Packing::Natural).unwrap()
}

/// A rule and a change that breaks it first of all.
type Case = (Rule, fn(&mut Function<'_>));

const DECLARATIONS: &[Case] = &[
    (Rule::SymbolName, |f| f.entry().name = "other".into()),
    (Rule::FunctionBody, |f| f.entry().body = None),
    (Rule::FunctionBody, |f| f.entry().body = Some(Box::new(Body::default()))),
    (Rule::FunctionBody, |f| f.entry().linkage = Linkage::Import),
    (Rule::Convention, |f| {
        f.entry().linkage = Linkage::Foreign;
        f.entry().body = None;
    }),
    (Rule::Convention, |f| {
        let mut signature = f.0.types.sig(f.0.function(f.id()).unwrap().sig).clone();
        signature.convention = crate::types::Convention::Platform;
        f.entry().sig = f.0.types.signature(signature).unwrap();
    }),
    (Rule::Signature, |f| {
        let mut signature = Signature::internal(&[], &[]);
        signature.arity = crate::types::Arity::Variadic;
        f.0.types.signature(signature).unwrap();
    }),
    (Rule::Attribute, |f| f.entry().attributes.opt_level = Some(4)),
    (Rule::Attribute, |f| f.entry().attributes.targets.push("".into())),
    (Rule::UnknownHandle, |f| f.entry().sig = SigId::new(NOWHERE)),
    (Rule::AliasClass, |f| {
        f.0.alias_class("late", Some(AliasClass::new(NOWHERE)));
    }),
    (Rule::DataLayout, |f| f.data().size = 9),
    (Rule::DataLayout, |f| f.data().align_log2 = 13),
    (Rule::DataLayout, |f| f.data().linkage = Linkage::Import),
    (Rule::DataLayout, |f| {
        f.data().items = vec![DataItem::Zero(u64::MAX), DataItem::Zero(8)];
        f.data().size = u64::MAX;
    }),
    (Rule::DataLayout, |f| f.0.data_mut(DataId::new(1)).unwrap().storage = Storage::ThreadLocal),
    (Rule::DataItem, |f| {
        f.data().items = vec![DataItem::Numbers { scalar: Scalar::I32, values: vec![1, 1 << 32] }];
    }),
    (Rule::DataItem, |f| {
        f.data().items = vec![DataItem::Numbers { scalar: Scalar::Ref, values: vec![0] }];
    }),
    (Rule::UnknownHandle, |f| {
        let symbol = Symbol::Data(DataId::new(NOWHERE));
        f.data().items = vec![DataItem::Address { symbol, addend: 0 }];
    }),
    (Rule::UnknownHandle, |f| {
        let symbol = Symbol::Function(FuncId::new(NOWHERE));
        f.data().items = vec![DataItem::Address { symbol, addend: 0 }];
    }),
];

fn loc(line: u32, at: Option<Loc>) -> LocData {
    LocData { file: 0, line, column: 0, function: None, inlined_at: at.into() }
}

const ENTITIES: &[Case] = &[
    (Rule::SlotLimit, |f| f.body().slot_mut(Slot::new(0)).unwrap().align_log2 = 13),
    (Rule::ExitKind, |f| {
        f.body().make_exit(ExitData { kind: ExitKind::Side(0), types: vec![Type::TOKEN] });
    }),
    (Rule::ExitKind, |f| {
        f.body().make_exit(ExitData { kind: ExitKind::Side(0), types: vec![Type::NONE] });
    }),
    (Rule::UnknownHandle, |f| {
        let kind = ExitKind::Deopt(FuncId::new(NOWHERE));
        f.body().make_exit(ExitData { kind, types: vec![] });
    }),
    (Rule::UnknownHandle, |f| {
        f.body().make_loc(loc(1, None));
    }),
    (Rule::Location, |f| {
        f.0.intern("a.jl");
        f.body().make_loc(loc(0, None));
    }),
    (Rule::Location, |f| {
        f.0.intern("a.jl");
        f.body().make_loc(loc(1, Some(Loc::new(20))));
    }),
    (Rule::UnknownHandle, |f| {
        f.body().scope_set(&[crate::entity::Scope::new(NOWHERE)]);
    }),
];

fn access_of<'f>(f: &'f mut Function<'_>) -> &'f mut Access {
    f.body().inst_mut(Inst::new(2)).access_mut().unwrap()
}

const HANDLES: &[Case] = &[
    (Rule::UnknownHandle, |f| {
        let mut other = f.body().clone();
        let block = other.make_block();
        other.layout.append_block(block);
        f.body().layout = other.layout;
    }),
    (Rule::UnknownHandle, |f| {
        let mut other = f.body().clone();
        let data = InstData::new(Op::Poll, Type::NONE, Default::default(), Payload::None);
        other.insert_inst(Inst::new(0), data, &[]);
        f.body().layout = other.layout;
    }),
    (Rule::UnknownHandle, |f| f.body().map_uses(Inst::new(0), |_| Value::new(NOWHERE))),
    (Rule::UnknownHandle, |f| {
        f.insert(Op::SlotAddr, Type::NONE, &[], Payload::Slot(Slot::new(NOWHERE)), &[Type::PTR]);
    }),
    (Rule::UnknownHandle, |f| {
        let payload = Payload::Data(DataId::new(NOWHERE));
        f.insert(Op::DataAddr, Type::NONE, &[], payload, &[Type::PTR]);
    }),
    (Rule::UnknownHandle, |f| {
        let payload = Payload::Function(FuncId::new(NOWHERE));
        f.insert(Op::Call, Type::NONE, &[], payload, &[]);
    }),
    (Rule::UnknownHandle, |f| {
        let yes = f.body().constant(Constant::scalar(Type::I1, 1).unwrap());
        f.insert(Op::Check, Type::NONE, &[yes], Payload::Exit(Exit::new(NOWHERE)), &[]);
    }),
    (Rule::UnknownHandle, |f| {
        let payload = Payload::Feature(99);
        f.insert(Op::CpuHas, Type::NONE, &[], payload, &[Type::I1]);
    }),
    (Rule::UnknownHandle, |f| {
        let list = ImmediateList { start: 7, len: 2 };
        let pair = f.0.types.structure(&[Type::I8], Packing::Natural).unwrap();
        let zero = f.body().constant(Constant::zero(pair).unwrap());
        f.insert(Op::ExtractValue, pair, &[zero], Payload::Immediates(list), &[Type::I8]);
    }),
    (Rule::UnknownHandle, |f| access_of(f).class = AliasClass::new(NOWHERE).into()),
    (Rule::UnknownHandle, |f| access_of(f).scopes = ScopeSet::new(NOWHERE).into()),
    (Rule::UnknownHandle, |f| access_of(f).no_alias = ScopeSet::new(NOWHERE).into()),
    (Rule::UnknownHandle, |f| f.body().inst_mut(Inst::new(0)).loc = Loc::new(NOWHERE).into()),
    (Rule::UnknownHandle, |f| {
        let target = f.body().target(Block::new(NOWHERE), &[]);
        f.body().inst_mut(Inst::new(1)).payload = Payload::Jump(target);
    }),
    (Rule::UnknownHandle, |f| {
        let body = f.body();
        let args = body.list(&[int()]);
        let payload = Payload::Switch(SwitchTable::new(NOWHERE));
        *body.inst_mut(Inst::new(1)) = InstData::new(Op::Switch, Type::I64, args, payload);
    }),
    (Rule::UnknownHandle, |f| {
        let mut other = Body::default();
        let values: Vec<Value> = (0..100).map(Value::new).collect();
        other.list(&values);
        f.body().inst_mut(Inst::new(0)).args = other.list(&[int(), int()]);
    }),
    (Rule::UnknownHandle, |f| {
        let ty = other_type();
        let zero = f.body().constant(Constant::zero(ty).unwrap());
        f.insert(Op::Opaque, ty, &[zero], Payload::None, &[ty]);
    }),
    (Rule::UnknownHandle, |f| {
        f.insert(Op::Opaque, other_type(), &[int()], Payload::None, &[Type::I64]);
    }),
    (Rule::UnknownHandle, |f| {
        let body = f.body();
        let block = body.make_block();
        body.append_param(block, other_type());
        body.layout.append_block(block);
        let target = body.target(block, &[]);
        let data = InstData::new(Op::Jump, Type::NONE, Default::default(), Payload::Jump(target));
        body.append_inst(block, data, &[]);
    }),
    (Rule::UndefinedValue, |f| {
        f.body().remove_inst(Inst::new(0));
    }),
    (Rule::UndefinedValue, |f| {
        f.body().arrange_params(Block::new(1), &[Value::new(3), pointer()]);
    }),
    (Rule::UndefinedValue, |f| {
        let body = f.body();
        let block = body.make_block();
        let param = body.append_param(block, Type::I64);
        body.map_uses(Inst::new(0), |_| param);
    }),
    (Rule::UndefinedValue, |f| {
        // The result that the second instruction had is nobody's any more.
        let neg = |value| {
            move |body: &mut Body| {
                let args = body.list(&[value]);
                let data = InstData::new(Op::Neg, Type::I64, args, Payload::None);
                body.insert_inst(Inst::new(2), data, &[Type::I64])
            }
        };
        let body = f.body();
        let (first, second) = (neg(int())(body), neg(int())(body));
        let orphan = body.result(second).unwrap();
        body.move_results(first, second);
        body.remove_inst(first);
        neg(orphan)(body);
    }),
    (Rule::UnplacedBlock, |f| f.body().layout.remove_block(Block::new(1))),
    (Rule::SharedList, |f| {
        let args = f.body().inst(Inst::new(0)).args;
        let data = InstData::new(Op::Sub, Type::I64, args, Payload::None);
        f.body().insert_inst(Inst::new(2), data, &[Type::I64]);
    }),
    (Rule::SharedList, |f| {
        let body = f.body();
        let target = body.target(Block::new(1), &[int()]);
        let table = body.make_switch(SwitchData { cases: vec![], targets: vec![target] });
        for inst in [1, 4].map(Inst::new) {
            let args = body.list(&[int()]);
            let data = InstData::new(Op::Switch, Type::I64, args, Payload::Switch(table));
            *body.inst_mut(inst) = data;
        }
    }),
];

const SHAPES: &[Case] = &[
    (Rule::Payload, |f| f.body().inst_mut(Inst::new(0)).payload = Payload::Count(1)),
    (Rule::Payload, |f| f.body().inst_mut(Inst::new(1)).op = Op::Branch),
    (Rule::OperandCount, |f| f.body().inst_mut(Inst::new(0)).op = Op::Neg),
    (Rule::OperandCount, |f| f.body().inst_mut(Inst::new(0)).op = Op::Fshl),
    (Rule::OperandCount, |f| {
        let pair = Type::vector(Scalar::I64, 2).unwrap();
        f.insert(Op::MakeVector, pair, &[int()], Payload::None, &[pair]);
    }),
    (Rule::OperandCount, |f| {
        f.insert(Op::BoxedCall, Type::NONE, &[], Payload::None, &[Type::REF]);
    }),
    (Rule::ResultType, |f| f.body().set_value_type(Value::new(4), Type::I32)),
    (Rule::ResultType, |f| f.insert(Op::Neg, Type::I64, &[int()], Payload::None, &[])),
    (Rule::ResultType, |f| {
        f.insert(Op::Poll, Type::NONE, &[], Payload::None, &[Type::I64]);
    }),
    (Rule::Immediates, |f| {
        let pair = f.0.types.structure(&[Type::I8], Packing::Natural).unwrap();
        let zero = f.body().constant(Constant::zero(pair).unwrap());
        for path in [&[][..], &[1], &[0, 0]] {
            let list = f.body().immediate_list(path);
            f.insert(Op::ExtractValue, pair, &[zero], Payload::Immediates(list), &[Type::I8]);
        }
    }),
    (Rule::Immediates, |f| {
        let pair = Type::vector(Scalar::I64, 2).unwrap();
        let zero = f.body().constant(Constant::zero(pair).unwrap());
        let list = f.body().immediate_list(&[0, 1, 2]);
        f.insert(Op::Shuffle, pair, &[zero, zero], Payload::Immediates(list), &[pair]);
    }),
    (Rule::Roots, |f| {
        let payload = f.body().inst(Inst::new(3)).payload;
        let Payload::ForeignCall { function, .. } = payload else { unreachable!() };
        f.body().inst_mut(Inst::new(3)).payload =
            Payload::ForeignCall { function, roots: u32::MAX };
    }),
    (Rule::Payload, |f| {
        let sig = f.0.types.signature(Signature::internal(&[], &[])).unwrap();
        let (ty, body) = (Type::function(sig), f.body());
        let callee = body.constant(Constant::zero(ty).unwrap());
        let kept = body.constant(Constant::zero(Type::REF).unwrap());
        let targets = [int(), int()].map(|value| body.target(Block::new(1), &[value]));
        let payload = Payload::TryCall { function: None.into(), roots: 1, targets };
        let args = body.list(&[callee, kept]);
        *body.inst_mut(Inst::new(4)) = InstData::new(Op::TryCallIndirect, ty, args, payload);
    }),
    (Rule::Flag, |f| f.body().inst_mut(Inst::new(0)).flags = InstFlags::INBOUNDS),
    (Rule::Flag, |f| access_of(f).flags = AccessFlags::NON_NULL),
    (Rule::Access, |f| access_of(f).align_log2 = 32),
    (Rule::Access, |f| {
        let payload = Payload::Access(Access { offset: 8, ..Access::default() });
        let args = [pointer(), pointer(), int()];
        f.insert(Op::MemCopy, Type::NONE, &args, payload, &[]);
    }),
    (Rule::Weights, |f| f.body().set_weights(Inst::new(0), &[1])),
    (Rule::Range, |f| f.body().set_range(Inst::new(4), ValueRange { low: 0, high: 1 })),
    (Rule::Range, |f| f.body().set_range(Inst::new(0), ValueRange { low: 0, high: 1 << 64 })),
    (Rule::LoopMark, |f| {
        // A loop, in which a mark would be right.
        let target = f.body().target(Block::new(1), &[int()]);
        let body = f.body();
        *body.inst_mut(Inst::new(4)) =
            InstData::new(Op::Jump, Type::NONE, Default::default(), Payload::Jump(target));
        let flags = crate::attribute::LoopFlags::SIMD;
        let mark = Payload::LoopMark { flags, unroll: 1025 };
        f.insert(Op::LoopMark, Type::NONE, &[], mark, &[]);
    }),
    (Rule::SwitchCase, |f| {
        let body = f.body();
        let table = body.make_switch(SwitchData { cases: vec![1], targets: vec![] });
        let args = body.list(&[int()]);
        let data = InstData::new(Op::Switch, Type::I64, args, Payload::Switch(table));
        *body.inst_mut(Inst::new(1)) = data;
    }),
    (Rule::SwitchCase, |f| {
        let body = f.body();
        let targets: Vec<Target> = (0..2).map(|_| body.target(Block::new(1), &[int()])).collect();
        let table = body.make_switch(SwitchData { cases: vec![1 << 64], targets });
        let args = body.list(&[int()]);
        let data = InstData::new(Op::Switch, Type::I64, args, Payload::Switch(table));
        *body.inst_mut(Inst::new(1)) = data;
    }),
    (Rule::MissingTerminator, |f| f.body().remove_inst(Inst::new(4))),
    (Rule::MissingTerminator, |f| {
        let block = f.body().make_block();
        f.body().layout.append_block(block);
    }),
    (Rule::EarlyTerminator, |f| {
        f.insert(Op::Unreachable, Type::NONE, &[], Payload::None, &[]);
    }),
    (Rule::ParameterType, |f| {
        let body = f.body();
        let block = body.make_block();
        body.append_param(block, Type::NONE);
        body.layout.append_block(block);
    }),
];

/// The rules that the changes break.
pub(super) fn rules() -> impl Iterator<Item = Rule> {
    all().map(|&(rule, _)| rule)
}

#[test]
fn each_change_breaks_its_rule_first() {
    let mut wrong = Vec::new();
    for (i, (rule, change)) in all().enumerate() {
        let mut module = parse(BASE);
        assert_eq!(broken_rules(&module, &Options::default()), []);
        change(&mut Function(&mut module));
        let found = broken_rules(&module, &Options::default());
        if found.first() != Some(rule) {
            wrong.push(format!("change {i} should break {rule}, found {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every change.
fn all() -> impl Iterator<Item = &'static Case> {
    [DECLARATIONS, ENTITIES, HANDLES, SHAPES].into_iter().flatten()
}
