use super::*;
use crate::op::Op;

fn add(body: &mut Body, block: Block, a: Value, b: Value) -> Inst {
    let args = body.list(&[a, b]);
    body.append_inst(block, InstData::new(Op::Add, Type::I64, args, Payload::None), &[Type::I64])
}

#[test]
fn equal_constants_are_one_value() {
    let mut body = Body::default();
    let one = body.constant(Constant::scalar(Type::I64, 1).unwrap());
    let again = body.constant(Constant::scalar(Type::I64, 1).unwrap());
    let other = body.constant(Constant::scalar(Type::I32, 1).unwrap());
    assert_eq!(one, again);
    assert_ne!(one, other);
    assert_eq!(body.as_scalar_constant(one), Some(1));
}

#[test]
fn equal_constants_are_one_value_however_many_there_are() {
    let mut body = Body::default();
    let mut all = || -> Vec<Value> {
        let constant = |number| Constant::scalar(Type::I64, number).unwrap();
        (0..3 * FEW_CONSTANTS as u128).map(|number| body.constant(constant(number))).collect()
    };
    let first = all();
    assert_eq!(first, all());
    assert_eq!(body.value_count(), first.len());
}

#[test]
fn results_move_from_one_instruction_to_its_replacement() {
    let mut body = Body::default();
    let block = body.make_block();
    body.layout.append_block(block);
    let x = body.append_param(block, Type::I64);
    let old = add(&mut body, block, x, x);
    let value = body.result(old).unwrap();
    let args = body.list(&[x]);
    let new = body.insert_inst(old, InstData::new(Op::Neg, Type::I64, args, Payload::None), &[]);
    body.move_results(old, new);
    body.remove_inst(old);
    assert_eq!(body.value_def(value), ValueDef::Result(new, 0));
    assert_eq!(body.layout.insts(block).collect::<Vec<_>>(), [new]);
}

#[test]
fn uses_are_operands_and_edge_arguments() {
    let mut body = Body::default();
    let (a, b) = (body.make_block(), body.make_block());
    body.layout.append_block(a);
    body.layout.append_block(b);
    let (c, x) = (body.append_param(a, Type::I1), body.append_param(a, Type::I64));
    let (left, right) = (body.target(b, &[x]), body.target(b, &[x]));
    let args = body.list(&[c]);
    let payload = Payload::Branch([left, right]);
    let inst = body.append_inst(a, InstData::new(Op::Branch, Type::NONE, args, payload), &[]);
    assert_eq!(body.uses(inst).collect::<Vec<_>>(), [c, x, x]);
    assert_eq!(body.successors(a).collect::<Vec<_>>(), [b, b]);
    body.map_uses(inst, |v| if v == x { c } else { v });
    assert_eq!(body.uses(inst).collect::<Vec<_>>(), [c, c, c]);
}

#[test]
fn handles_of_another_body_read_as_nothing() {
    let body = Body::default();
    assert_eq!(body.value_type(Value::new(7)), Type::NONE);
    assert!(body.params(Block::new(3)).is_empty());
    assert!(body.targets(Inst::new(3)).is_empty());
    assert!(body.slot(Slot::new(0)).is_none());
}

#[test]
fn removed_parameters_renumber_the_rest() {
    let mut body = Body::default();
    let block = body.make_block();
    let values: Vec<Value> = (0..3).map(|_| body.append_param(block, Type::I32)).collect();
    body.retain_params(block, |v| v != values[1]);
    assert_eq!(body.params(block), [values[0], values[2]]);
    assert_eq!(body.value_def(values[2]), ValueDef::Param(block, 1));
    assert_eq!(body.value_def(values[1]), ValueDef::Unused);
}

#[test]
fn handles_of_another_body_change_nothing() {
    let mut body = Body::default();
    let block = body.make_block();
    body.layout.append_block(block);
    let x = body.append_param(block, Type::I64);
    let inst = add(&mut body, block, x, x);
    let result = body.result(inst).unwrap();
    let (no_block, no_inst) = (Block::from_u32(u32::MAX - 1), Inst::from_u32(u32::MAX - 1));
    let no_value = Value::from_u32(u32::MAX - 1);

    body.remove_inst(no_inst);
    body.move_results(inst, no_inst);
    body.move_results(no_inst, inst);
    body.map_uses(no_inst, |_| no_value);
    body.push_target_arg(no_inst, 0, x);
    body.arrange_params(no_block, &[x]);
    body.retain_params(no_block, |_| false);
    body.set_value_type(no_value, Type::I8);
    let nowhere = body.append_param(no_block, Type::I8);

    assert!(body.results(no_inst).is_empty());
    assert_eq!(body.results(inst), [result]);
    assert_eq!(body.value_def(result), ValueDef::Result(inst, 0));
    assert_eq!(body.params(block), [x]);
    assert_eq!(body.value_def(x), ValueDef::Param(block, 0));
    assert_eq!(body.value_def(nowhere), ValueDef::Unused);

    body.arrange_params(block, &[x, no_value]);
    body.retain_params(block, |_| false);
    assert_eq!(body.value_def(x), ValueDef::Unused);
}

#[test]
fn slots_that_stay_move_up_and_their_instructions_follow() {
    let mut body = Body::default();
    let block = body.make_block();
    body.layout.append_block(block);
    let slots: Vec<Slot> = (1..4).map(|size| body.make_slot(SlotData::new(size))).collect();
    let args = body.list(&[]);
    let data = InstData::new(Op::SlotAddr, Type::NONE, args, Payload::Slot(slots[2]));
    let inst = body.append_inst(block, data, &[Type::PTR]);
    body.retain_slots(|slot| slot != slots[1]);
    assert_eq!(body.slots().map(|(_, slot)| slot.size).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(body.inst(inst).payload, Payload::Slot(slots[1]));
}

fn values(body: &mut Body, count: usize) -> Vec<Value> {
    let block = body.make_block();
    (0..count).map(|_| body.append_param(block, Type::I64)).collect()
}

#[test]
fn a_name_leads_to_the_first_that_was_given_it_until_that_has_another() {
    let mut body = Body::default();
    let [a, b] = values(&mut body, 2)[..] else { panic!("two were asked for") };
    body.set_value_name(a, "x");
    body.set_value_name(b, "x");
    assert_eq!((body.value_name(a), body.value_name(b)), (Some("x"), Some("x")));
    assert_eq!(body.value_named("x"), Some(a));
    body.set_value_name(a, "y");
    assert_eq!((body.value_named("x"), body.value_named("y")), (None, Some(a)));
    body.set_value_name(a, "");
    assert_eq!(
        (body.value_name(a), body.value_named("y"), body.value_named("")),
        (Some(""), None, Some(a))
    );
}

#[test]
fn values_and_blocks_of_other_bodies_get_no_name() {
    let mut body = Body::default();
    values(&mut body, 1);
    body.set_value_name(Value::from_u32(u32::MAX - 1), "far");
    body.set_block_name(Block::from_u32(u32::MAX - 1), "far");
    assert_eq!((body.value_named("far"), body.block_named("far")), (None, None));
}

#[test]
fn names_that_are_given_over_and_over_take_no_more_room() {
    let mut body = Body::default();
    let all = values(&mut body, 10);
    for round in 0..1000 {
        for (index, &value) in all.iter().enumerate() {
            body.set_value_name(value, &format!("value{index}_{round}"));
        }
    }
    assert!(body.bytes_of_names() < 1000, "{}", body.bytes_of_names());
    for (index, &value) in all.iter().enumerate() {
        let name = format!("value{index}_999");
        assert_eq!((body.value_name(value), body.value_named(&name)), (Some(&*name), Some(value)));
    }
}
