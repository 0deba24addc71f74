//! Symbols, signatures, attributes, classes and data of a module.

use brolga_ir::body::Body;
use brolga_ir::entity::{AliasClass, DataId, EntityRef, FuncId, SigId};
use brolga_ir::module::{Content, DataItem, DataObject, Linkage, Module, Storage, Symbol};
use brolga_ir::types::{Arity, Convention, Param, Passing, Signature, Type};

use super::instruction::some_type;
use super::{Mutation, some_function};
use crate::random::Random;

pub(super) const MUTATIONS: &[Mutation] = &[
    rename,
    other_signature,
    odd_signature,
    other_linkage,
    drop_body,
    empty_body,
    swap_bodies,
    other_attributes,
    other_class,
    change_data,
    change_data,
    other_item,
    freeze_data,
    huge_value,
];

fn any_function(random: &mut Random, module: &Module) -> FuncId {
    FuncId::new(random.below(module.functions().len()))
}

fn any_data(random: &mut Random, module: &Module) -> DataId {
    DataId::new(random.below(module.data_objects().len()))
}

fn rename(random: &mut Random, module: &mut Module) {
    let name = random.pick(&["", "a\0b", "f0", "bytes", "new"]);
    if random.percent(50) {
        let id = any_function(random, module);
        if let Some(function) = module.function_mut(id) {
            function.name = name.into();
        }
    } else {
        let sig = SigId::from_u32(0);
        // A name that is taken is refused, which is right.
        let _ = module.declare_function(name, sig, Linkage::Import);
    }
}

fn other_signature(random: &mut Random, module: &mut Module) {
    let known: Vec<SigId> = module.types.signatures().map(|(id, _)| id).collect();
    let sig = match random.percent(80) {
        true => random.pick(&known),
        false => SigId::from_u32(random.below(1 << 16) as u32),
    };
    let id = any_function(random, module);
    if let Some(function) = module.function_mut(id) {
        function.sig = sig;
    }
}

/// A signature that no convention has.
fn odd_signature(random: &mut Random, module: &mut Module) {
    let ty = some_type(random, module);
    let (size, small) = (random.below(1 << 16) as u32, random.below(256) as u8);
    let passing = random.pick(&[
        Passing::Plain,
        Passing::SignExtended,
        Passing::ZeroExtended,
        Passing::ByValue { size, align_log2: small / 8 },
        Passing::StructReturn,
        Passing::PieceOf(small),
    ]);
    let signature = Signature {
        convention: random.pick(&[Convention::Internal, Convention::Platform]),
        params: vec![Param { ty, passing }],
        results: vec![Type::I64.into(); random.below(3)],
        arity: random.pick(&[Arity::Fixed, Arity::Variadic]),
    };
    if let Ok(sig) = module.types.signature(signature) {
        let id = any_function(random, module);
        if let Some(function) = module.function_mut(id) {
            function.sig = sig;
        }
    }
}

fn other_linkage(random: &mut Random, module: &mut Module) {
    let linkage = random.pick(Linkage::ALL);
    if random.percent(50) {
        let id = any_function(random, module);
        if let Some(function) = module.function_mut(id) {
            function.linkage = linkage;
        }
    } else {
        let id = any_data(random, module);
        if let Some(data) = module.data_mut(id) {
            data.linkage = linkage;
        }
    }
}

fn drop_body(random: &mut Random, module: &mut Module) {
    let id = some_function(random, module);
    if let Some(function) = module.function_mut(id) {
        function.body = None;
    }
}

fn empty_body(random: &mut Random, module: &mut Module) {
    let id = any_function(random, module);
    if let Some(function) = module.function_mut(id) {
        function.body = Some(Box::new(Body::default()));
    }
}

fn swap_bodies(random: &mut Random, module: &mut Module) {
    let (first, second) = (some_function(random, module), any_function(random, module));
    let taken = module.function_mut(first).and_then(|function| function.body.take());
    let Some(other) = module.function_mut(second) else { return };
    let other = std::mem::replace(&mut other.body, taken);
    if let Some(function) = module.function_mut(first) {
        function.body = other;
    }
}

fn other_attributes(random: &mut Random, module: &mut Module) {
    let id = any_function(random, module);
    if let Some(function) = module.function_mut(id) {
        function.attributes.opt_level = Some(random.below(6) as u8);
        if random.percent(50) {
            function.attributes.targets.push("".into());
        }
    }
}

fn other_class(random: &mut Random, module: &mut Module) {
    let parent = AliasClass::new(random.below(12));
    module.alias_class(&format!("class{}", random.below(4)), Some(parent));
}

fn change_data(random: &mut Random, module: &mut Module) {
    let id = any_data(random, module);
    if let Some(data) = module.data_mut(id) {
        match random.below(5) {
            0 => data.size = random.bits() >> random.below(64),
            1 => data.align_log2 = random.below(40) as u8,
            2 => data.items.clear(),
            3 => data.storage = Storage::ThreadLocal,
            _ => data.items.push(DataItem::Zero(random.bits() >> random.below(64))),
        }
    }
}

fn other_item(random: &mut Random, module: &mut Module) {
    let symbol = match random.percent(50) {
        true => Symbol::Data(DataId::new(random.below(6))),
        false => Symbol::Function(FuncId::new(random.below(40))),
    };
    let scalar = random.pick(brolga_ir::types::Scalar::ALL);
    let item = match random.below(3) {
        0 => DataItem::Numbers { scalar, values: vec![random.wide_bits()] },
        1 => DataItem::Bytes(vec![1; random.below(9)]),
        _ => DataItem::Address { symbol, addend: random.bits() as i64 },
    };
    let mut object = DataObject::new(&format!("more{}", random.below(3)), vec![item]);
    if random.percent(20) {
        object.content = Content::Constant;
    }
    // A name that is taken is refused, which is right.
    let _ = module.declare_data(object);
}

/// What is stored to is constant now.
fn freeze_data(random: &mut Random, module: &mut Module) {
    let id = any_data(random, module);
    if let Some(data) = module.data_mut(id) {
        data.content = Content::Constant;
    }
}

/// A value of more parts than one may have.
fn huge_value(random: &mut Random, module: &mut Module) {
    let Ok(ty) = module.types.array(Type::I8, (1 << 16) + 1) else { return };
    super::in_body(random, module, |random, body| {
        if random.percent(50) {
            let value = brolga_ir::entity::Value::new(random.below(body.value_count()));
            body.set_value_type(value, ty);
        } else if let Some(block) = body.layout.last_block() {
            body.append_param(block, ty);
        }
    });
}
