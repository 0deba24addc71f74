//! Functions that do not verify: each is an error with its place.

use brolga_ir::body::Body;
use brolga_ir::entity::{Block, FuncId, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::Type;

use super::*;
use crate::error::CompileError;
use crate::level::Level;
use crate::options::Verification;

const TEXT: &str = "func @f(i64, i64) -> i64 {
block0(%x: i64, %y: i64):
    %sum = add.i64 %x, %y
    %less = icmp.i64 slt %sum, %y
    branch %less, block1(%sum), block2
block1(%z: i64):
    return %z
block2:
    %w = call @f(%sum, %x)
    return %w
}
";

/// An instruction of the text, by its op.
fn find(body: &Body, op: Op) -> Inst {
    let mut insts = body.layout.all_insts();
    insts.find(|&inst| body.inst(inst).op == op).unwrap()
}

fn replace_uses(body: &mut Body, op: Op, by: Value) {
    let inst = find(body, op);
    body.map_uses(inst, |_| by);
}

type Damage = (&'static str, fn(&mut Body));

const DAMAGE: &[Damage] = &[
    ("a value of another type", |body| {
        let value = body.result(find(body, Op::Icmp)).unwrap();
        replace_uses(body, Op::Call, value);
    }),
    ("a result of another type", |body| {
        let value = body.result(find(body, Op::Add)).unwrap();
        body.set_value_type(value, Type::F32);
    }),
    ("a value that there is none of", |body| {
        replace_uses(body, Op::Add, Value::from_u32(1 << 20));
    }),
    ("a value that comes later", |body| {
        let value = body.result(find(body, Op::Call)).unwrap();
        replace_uses(body, Op::Add, value);
    }),
    ("a block that there is none of", |body| {
        let inst = find(body, Op::Branch);
        body.targets_mut(inst)[1].block = Block::from_u32(1 << 20);
    }),
    ("arguments of another number", |body| {
        let inst = find(body, Op::Branch);
        let then = body.targets(inst)[0].block;
        body.targets_mut(inst)[1].block = then;
    }),
    ("a block without terminator", |body| {
        let inst = find(body, Op::Branch);
        body.remove_inst(inst);
    }),
    ("a block without instruction", |body| {
        let block = body.make_block();
        body.layout.append_block(block);
    }),
    ("a function that there is none of", |body| {
        let inst = find(body, Op::Call);
        body.inst_mut(inst).payload = Payload::Function(FuncId::from_u32(1 << 20));
    }),
    ("a payload of another op", |body| {
        let inst = find(body, Op::Icmp);
        body.inst_mut(inst).payload = Payload::Function(FuncId::from_u32(0));
    }),
    ("another op", |body| {
        let inst = find(body, Op::Branch);
        body.inst_mut(inst).op = Op::Switch;
    }),
    ("no block at all", |body| *body = Body::default()),
    ("one block, and nothing in it", |body| {
        *body = Body::default();
        let block = body.make_block();
        body.layout.append_block(block);
    }),
];

/// The function with its body damaged.
fn damaged(damage: fn(&mut Body)) -> (Module, FuncId) {
    let mut module = module(TEXT);
    let id = module.function_named("f").unwrap();
    damage(module.function_mut(id).unwrap().body.as_mut().unwrap());
    (module, id)
}

#[test]
fn functions_that_do_not_verify_are_refused_with_their_place() {
    let (isa, mut compiler) = (isa(TARGETS[0]), Compiler::new());
    for &(what, damage) in DAMAGE {
        let (module, id) = damaged(damage);
        let error = compiler.lower_function(&module, id, &isa, &LowerOptions::default());
        let Err(CompileError::Invalid { function, errors }) = error else {
            panic!("{what}: {error:?}");
        };
        let text = CompileError::Invalid { function: function.clone(), errors: errors.clone() };
        assert!(text.to_string().starts_with("@f does not verify:\n@f"), "{text}");
        assert_eq!(&*errors.errors[0].symbol_name, "f", "{what}");
    }
}

#[test]
fn whoever_omits_verification_gets_no_panic() {
    // Passes believe what they are given: an error that tells of a panic is what they leave.
    let (level, verification) = (Level::O0, Verification::Omit);
    let options = LowerOptions { level, verification, ..Default::default() };
    for target in TARGETS {
        let (isa, mut compiler) = (isa(target), Compiler::new());
        for &(what, damage) in DAMAGE {
            let (module, id) = damaged(damage);
            if let Err(CompileError::Panicked { reason, .. }) =
                compiler.lower_function(&module, id, &isa, &options)
            {
                panic!("{what}: {reason}");
            }
        }
    }
}
