//! Every op has its method, and the methods make what they say.

use super::*;
use crate::attribute::{FloatCond, LoopFlags, Order, RmwOp};
use crate::instruction::{Access, Payload};
use crate::module::{DataItem, Linkage};
use crate::types::{Packing, Signature};

#[test]
fn every_op_has_a_method() {
    use super::super::{calls, control, memory, ops};
    let lists = [
        ops::OF_FIRST_OPERAND,
        ops::PAIRS,
        ops::OF_RESULT,
        ops::PLAIN,
        ops::EFFECTS,
        ops::OF_LANE,
        ops::IN_THIS_FILE,
        memory::IN_THIS_FILE,
        calls::IN_THIS_FILE,
        control::IN_THIS_FILE,
    ];
    let mut named: Vec<Op> = lists.concat();
    named.sort_unstable();
    assert_eq!(named, Op::ALL);
}

/// The text of `@f` of those types, as `build` fills it in.
fn text(params: &[Type], build: impl FnOnce(&mut FunctionBuilder<'_>)) -> String {
    let module = built(params, &[], |b| {
        build(b);
        if !b.is_terminated() {
            b.return_values(&[]);
        }
    });
    let text = crate::text::print_function(&module, module.function_named("f").unwrap());
    let lines = text.lines().filter(|line| line.starts_with("    "));
    lines.map(str::trim_start).collect::<Vec<_>>().join("\n")
}

#[test]
fn suffixes_follow_the_operands() {
    let lanes = Type::vector(Scalar::F32, 4).unwrap();
    let text = text(&[Type::I64, lanes, Type::I1, Type::PTR, Type::REF], |b| {
        let [n, v, c, p, r] = [0, 1, 2, 3, 4].map(|i| b.param(i));
        b.sdiv(n, n);
        b.fma(v, v, v);
        b.smul_overflow(n, n);
        b.sext(Type::I128, n);
        b.ptr_add(p, n);
        b.prefetch(p);
        b.reduce_fmax(v);
        b.extract_lane(v, n);
        b.select(c, v, v);
        let mask = b.fcmp(FloatCond::Olt, v, v);
        b.vec_select(mask, v, v);
        b.icmp(IntCond::Ule, p, p);
        b.have_fma(Type::F64);
        b.cpu_has("avx2");
        b.shuffle(v, v, &[Some(0), None]);
        let half = b.fconst(Type::F32, 0.5);
        b.splat(lanes, half);
        b.make_vector(lanes, &[half, half, half, half]);
        let token = b.preserve_begin(&[r]);
        b.preserve_end(token);
        b.boxed_call(r, &[r]);
        b.array_set(r, n, n);
    });
    expect_test::expect![[r#"
        %5 = sdiv.i64 %0, %0
        %6 = fma.f32x4 %1, %1, %1
        %7, %8 = smul_overflow.i64 %0, %0
        %9 = sext.i128 %0
        %10 = ptr_add %3, %0
        prefetch %3
        %11 = reduce_fmax.f32 %1
        %12 = extract_lane.f32x4 %1, %0
        %13 = select.f32x4 %2, %1, %1
        %14 = fcmp.f32x4 olt %1, %1
        %15 = vec_select.f32x4 %14, %1, %1
        %16 = icmp.ptr ule %3, %3
        %17 = have_fma.f64
        %18 = cpu_has "avx2"
        %19 = shuffle.f32x2 %1, %1, [0, _]
        %21 = splat.f32x4 0.5
        %22 = make_vector.f32x4 0.5, 0.5, 0.5, 0.5
        %23 = preserve_begin %4
        preserve_end %23
        %24 = boxed_call %4, %4
        array_set.i64 %4, %0, %0
        return"#]]
    .assert_eq(&text);
}

#[test]
fn accesses_and_entities_are_named() {
    let text = text(&[Type::I64, Type::PTR], |b| {
        let (n, p) = (b.param(0), b.param(1));
        let slot = b.create_slot(16);
        let class = b.alias_class("float", None);
        let access = Access { align_log2: 3, class: class.into(), ..Access::default() };
        b.load(Type::I8, p, -4);
        b.load_with(Type::I64, p, access);
        b.store(n, p, 8);
        b.store_with(n, p, access);
        b.mem_copy(p, p, n, Access::default());
        b.atomic_load(Type::I32, Order::Acquire, p, Access::default());
        b.atomic_store(Order::Release, n, p, Access::default());
        b.atomic_rmw(RmwOp::Add, Order::Relaxed, p, n, Access::default());
        let orders = (Order::AcquireRelease, Order::Acquire);
        b.atomic_cas(orders, p, n, n, Access::default());
        b.fence(Order::SequentiallyConsistent);
        b.slot_start(slot);
        b.slot_store(n, slot, n);
        b.slot_load(Type::F64, slot, n);
        b.slot_addr(slot);
        let reference = b.function_addr(b.id());
        b.function_to_ptr(reference);
        let pair = b.types().structure(&[Type::I64, Type::I8], Packing::Natural).unwrap();
        let zero = b.zero(pair);
        let one = b.insert_value(zero, n, &[0]);
        b.extract_value(one, &[1]);
    });
    expect_test::expect![[r#"
        ss0 = slot 16
        %2 = load.i8 %1-4
        %3 = load.i64 %1 align 8 class !float
        store.i64 %0, %1+8
        store.i64 %0, %1 align 8 class !float
        mem_copy %1, %1, %0
        %4 = atomic_load.i32 acquire %1
        atomic_store.i64 release %0, %1
        %5 = atomic_rmw.i64 add relaxed %1, %0
        %6, %7 = atomic_cas.i64 acq_rel acquire %1, %0, %0
        fence seq_cst
        slot_start ss0
        slot_store.i64 %0, ss0, %0
        %8 = slot_load.f64 ss0, %0
        %9 = slot_addr ss0
        %10 = function_addr.fn(i64, ptr) @f
        %11 = function_to_ptr.fn(i64, ptr) %10
        %13 = insert_value.{i64, i8} zero, %0, 0
        %14 = extract_value.{i64, i8} %13, 1
        return"#]]
    .assert_eq(&text);
}

#[test]
fn calls_and_edges_take_their_arguments() {
    let text = text(&[Type::I64, Type::REF], |b| {
        let (n, r) = (b.param(0), b.param(1));
        let callee = Signature::internal(&[Type::I64], &[Type::I64]);
        let callee = b.declare("callee", Linkage::Import, callee);
        let foreign = Signature::platform(&[Type::I64], &[]);
        let foreign = b.declare("foreign", Linkage::Foreign, foreign);
        let [again, beyond, loops, next, handler, last] =
            ["again", "beyond", "loops", "next", "handler", "last"]
                .map(|name| b.create_block(name));
        let result = b.append_param(next, Type::I64);
        let exit = b.create_exit(ExitKind::Side(3), &[Type::I64]);
        b.call(callee, &[n]);
        b.call_foreign(foreign, &[n], &[r]);
        let reference = b.function_addr(callee);
        b.call_indirect(reference, &[n]);
        let address = b.function_to_ptr(reference);
        b.call_ptr(b.value_type(reference), address, &[n]);
        b.try_call(callee, &[n], (next, &[]), (handler, &[]));
        b.switch_to(again);
        b.try_call_ptr(b.value_type(reference), (address, &[n]), (next, &[]), (handler, &[]));
        b.switch_to(beyond);
        b.try_call_foreign(foreign, (&[n], &[r]), (loops, &[]), (handler, &[]));
        b.switch_to(next);
        let c = b.icmp(IntCond::Ne, result, n);
        b.check(c, exit, &[result]);
        b.jump(loops, &[]);
        b.switch_to(loops);
        b.loop_mark(LoopFlags::SIMD, 4);
        b.branch(c, loops, &[], last, &[]);
        b.weights(&[90, 10]);
        b.switch_to(last);
        b.set_location("a.jl", 3, 5);
        b.add(n, n);
        b.hint(InstFlags::NO_SIGNED_WRAP);
        b.range(0, 10);
        b.switch(n, &[(-1, handler, &[])], handler, &[]);
        b.switch_to(handler);
        b.set_loc(None);
        b.trap(TrapCode::User(3));
    });
    expect_test::expect![[r#"
        exit0 = side 3 (i64)
        loc0 = "a.jl":3:5
        %3 = call @callee(%0)
        call_foreign @foreign(%0) roots(%1)
        %4 = function_addr.fn(i64) -> i64 @callee
        %5 = call_indirect.fn(i64) -> i64 %4(%0)
        %6 = function_to_ptr.fn(i64) -> i64 %4
        %7 = call_ptr.fn(i64) -> i64 %6(%0)
        %8 = try_call @callee(%0) normal next(%8), unwind handler
        %9 = try_call_ptr.fn(i64) -> i64 %6(%0) normal next(%9), unwind handler
        try_call @foreign(%0) roots(%1) normal loops, unwind handler
        %10 = icmp.i64 ne %2, %0
        check %10, exit0(%2)
        jump loops
        loop_mark simd unroll 4
        branch %10, loops, last weights(90, 10)
        %11 = add.i64 %0, %0 nsw range(0, 10) !loc0
        switch.i64 %0, [-1: handler], handler !loc0
        trap user(3)"#]]
    .assert_eq(&text);
}

#[test]
fn any_instruction_can_be_made_of_its_parts() {
    let text = text(&[Type::I64], |b| {
        let (n, next) = (b.param(0), b.create_block("next"));
        let target = b.make_target(next, &[]).unwrap();
        let other = b.make_target(next, &[]).unwrap();
        let table = b.make_switch(vec![7], vec![target, other]);
        let scope = b.make_scope("a");
        let scopes = b.make_scope_set(&[scope]);
        let access = Access { no_alias: scopes.into(), ..Access::default() };
        let null = b.zero(Type::PTR);
        b.instruction(Op::Load, Type::I8, &[null], Payload::Access(access));
        b.instruction(Op::Switch, Type::I64, &[n], Payload::Switch(table));
        b.switch_to(next);
        let lanes = b.make_immediates(&[1, 0]);
        let pair = Type::vector(Scalar::I8, 2).unwrap();
        let v = b.vconst(pair, &[1, 2]);
        b.instruction(Op::Shuffle, pair, &[v, v], Payload::Immediates(lanes));
    });
    expect_test::expect![[r#"
        scope0 = "a"
        %2 = load.i8 ptr:null noalias(scope0)
        switch.i64 %0, [7: next], next
        %4 = shuffle.i8x2 i8x2:<1, 2>, i8x2:<1, 2>, [1, 0]
        return"#]]
    .assert_eq(&text);
}

#[test]
fn data_is_read_by_name() {
    let mut module = ModuleBuilder::new("m");
    let numbers = DataItem::Numbers { scalar: Scalar::I64, values: vec![3, 4] };
    let data = module.data("numbers", vec![numbers]);
    let f = module.export("f", &[], &[Type::I64]);
    let mut b = module.define(f);
    let offset = b.iconst(Type::I64, 8);
    let first = b.data_load(Type::I64, data, offset);
    b.data_store(offset, data, offset);
    let second = b.data_load(Type::I64, data, offset);
    let sum = b.add(first, second);
    b.return_values(&[sum]);
    b.finish().unwrap();
    let module = module.finish().unwrap();
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    assert_eq!(interpreter.call("f", &[]), Ok(vec![12i64.into()]));
}
