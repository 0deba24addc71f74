//! Large functions take linear work and no stack.

use super::*;

fn work_of(build: impl FnOnce(&mut FunctionBuilder<'_>)) -> u64 {
    let mut module = ModuleBuilder::new("m");
    let f = module.export("f", &[Type::I1], &[Type::I64]);
    let mut b = module.define(f);
    build(&mut b);
    b.resolve_variables();
    let work = b.variables.work;
    b.finish().unwrap_or_else(|errors| panic!("{errors}"));
    work
}

/// A variable set at the start and read at the end of a chain of blocks.
fn chain(b: &mut FunctionBuilder<'_>, n: usize) {
    let v = b.declare_variable("v", Type::I64);
    let seven = b.iconst(Type::I64, 7);
    b.set(v, seven);
    for _ in 0..n {
        let next = b.create_block("");
        b.jump(next, &[]);
        b.switch_to(next);
    }
    let value = b.get(v);
    b.return_values(&[value]);
}

/// Diamonds that set a variable on one side.
fn diamonds(b: &mut FunctionBuilder<'_>, n: usize) {
    let [v, w] = ["v", "w"].map(|name| b.declare_variable(name, Type::I64));
    let (one, c) = (b.iconst(Type::I64, 1), b.param(0));
    b.set(v, one);
    b.set(w, one);
    for _ in 0..n {
        let (left, next) = (b.create_block(""), b.create_block(""));
        b.branch(c, left, &[], next, &[]);
        b.switch_to(left);
        let value = b.get(v);
        let sum = b.add(value, one);
        b.set(v, sum);
        b.jump(next, &[]);
        b.switch_to(next);
    }
    let (x, y) = (b.get(v), b.get(w));
    let sum = b.add(x, y);
    b.return_values(&[sum]);
}

/// Loops in loops, all reading what the outermost sets.
fn nested_loops(b: &mut FunctionBuilder<'_>, n: usize) {
    let v = b.declare_variable("v", Type::I64);
    let (seven, c) = (b.iconst(Type::I64, 7), b.param(0));
    b.set(v, seven);
    let heads: Vec<Block> = (0..n).map(|_| b.create_block("")).collect();
    b.jump(heads[0], &[]);
    for (i, &head) in heads.iter().enumerate() {
        b.switch_to(head);
        if let Some(&inner) = heads.get(i + 1) {
            b.jump(inner, &[]);
        }
    }
    for &head in heads.iter().rev() {
        let next = b.create_block("");
        b.branch(c, head, &[], next, &[]);
        b.switch_to(next);
    }
    let value = b.get(v);
    b.return_values(&[value]);
}

/// A wide fan whose sides all read what stands far above.
fn fan(b: &mut FunctionBuilder<'_>, n: usize) {
    let v = b.declare_variable("v", Type::I64);
    let (seven, c) = (b.iconst(Type::I64, 7), b.param(0));
    b.set(v, seven);
    for _ in 0..n {
        let next = b.create_block("");
        b.jump(next, &[]);
        b.switch_to(next);
    }
    let key = b.zext(Type::I64, c);
    let sides: Vec<Block> = (0..n).map(|_| b.create_block("")).collect();
    let cases: Vec<(i128, Block, &[Value])> =
        sides.iter().enumerate().map(|(i, &side)| (i as i128, side, &[][..])).collect();
    b.switch(key, &cases, sides[0], &[]);
    for side in sides {
        b.switch_to(side);
        let value = b.get(v);
        b.return_values(&[value]);
    }
}

#[test]
fn variables_take_linear_work_and_no_stack() {
    type Shape = (&'static str, fn(&mut FunctionBuilder<'_>, usize), u64);
    let shapes: [Shape; 4] = [
        ("chain", chain, 3),
        ("diamonds", diamonds, 33),
        ("loops", nested_loops, 15),
        ("fan", fan, 11),
    ];
    for (name, shape, per_part) in shapes {
        for size in [5000, 50_000] {
            let work = work_of(|b| shape(b, size));
            assert!(work <= per_part * size as u64, "{name} of {size}: {work} steps");
        }
    }
}
