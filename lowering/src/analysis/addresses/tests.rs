use brolga_ir::text::{parse_module, print_module};

use super::*;
use crate::analysis::tests::bodies::on_many_bodies;

/// What a value is one of, or made from.
fn ways_back(body: &Body, value: Value) -> Vec<Value> {
    match body.value_def(value) {
        ValueDef::Result(inst, _) => sources(body, inst).to_vec(),
        ValueDef::Param(block, index) => {
            let insts = body.layout.all_insts();
            let targets = insts.flat_map(|inst| body.targets(inst));
            let handed = targets.filter(|target| target.block == block);
            handed.map(|target| body.target_args(target)[index as usize]).collect()
        }
        _ => Vec::new(),
    }
}

/// The address that a number is added to, and whether the sum may still be one near to null.
fn addition(body: &Body, value: Value) -> Option<(Value, bool)> {
    let ValueDef::Result(inst, _) = body.value_def(value) else { return None };
    let (Op::PtrAdd | Op::DerivedAdd, &[of, added]) = (body.inst(inst).op, body.args(inst)) else {
        return None;
    };
    let room = if body.as_constant(of).is_some() { 0 } else { 4095 };
    Some((of, body.as_scalar_constant(added).is_some_and(|bytes| bytes <= room)))
}

/// Whether one of the ways back leads to null, and no further than fields are from it.
fn may_be_null(body: &Body, value: Value) -> bool {
    let (mut seen, mut stack) = (vec![false; body.value_count()], vec![value]);
    while let Some(value) = stack.pop() {
        if std::mem::replace(&mut seen[value.index()], true) {
            continue;
        }
        if body.as_scalar_constant(value) == Some(0) {
            return true;
        }
        if addition(body, value).is_none_or(|(_, is_near)| is_near) {
            stack.extend(ways_back(body, value));
        }
    }
    false
}

/// The roots that a value goes back to, by walking all ways.
fn roots(body: &Body, value: Value) -> Vec<Base> {
    let mut seen = vec![false; body.value_count()];
    let (mut stack, mut found) = (vec![value], Vec::new());
    while let Some(value) = stack.pop() {
        if std::mem::replace(&mut seen[value.index()], true) {
            continue;
        }
        found.push(root(body, value));
        if addition(body, value).is_some_and(|(of, is_near)| !is_near && may_be_null(body, of)) {
            found.push(Base::Outside);
        }
        stack.extend(ways_back(body, value));
    }
    found.retain(|&base| base != Base::Nowhere);
    found
}

#[test]
fn a_base_is_what_all_ways_back_lead_to() {
    let mut inside = 0;
    on_many_bodies(|module, body| {
        let bases = Bases::new(body);
        for value in (0..body.value_count()).map(Value::new) {
            if !is_address(body, value) {
                assert_eq!(bases.of(value), Base::Nowhere);
                continue;
            }
            let expected = roots(body, value).into_iter().fold(Base::Nowhere, Base::joined);
            assert_eq!(bases.of(value), expected, "{value} of\n{}", print_module(module));
            inside += usize::from(matches!(expected, Base::Slot(_) | Base::Fresh(_)));
        }
    });
    assert!(inside > 50, "{inside}");
}

#[test]
fn an_address_that_goes_round_a_loop_keeps_its_base() {
    let text = "func @f(i64, ptr) {
    ss0 = slot 64
a(%n: i64, %q: ptr):
    %s = slot_addr ss0
    jump b(%s, %q, ptr:null)
b(%p: ptr, %r: ptr, %t: ptr):
    %next = ptr_add %p, %n
    %other = select.ptr 1, %r, %s
    %c = icmp.i64 eq %n, 3
    branch %c, b(%next, %other, %next), d
d:
    return
}";
    let module = parse_module(text).unwrap();
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let body = function.body.as_deref().unwrap();
    let bases = Bases::new(body);
    let b = body.layout.blocks().nth(1).unwrap();
    let slot = Base::Slot(Slot::from_u32(0));
    let found: Vec<Base> = body.params(b).iter().map(|&param| bases.of(param)).collect();
    assert_eq!(found, [slot, Base::Unknown, slot]);
}
