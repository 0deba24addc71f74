//! Snapshots: one of each family.

use expect_test::{Expect, expect};

use super::{WriteError, write_module};
use crate::text::parse_module;

/// What is written of a module, but for an empty line before its functions.
fn check(text: &str, expected: &Expect) {
    let module = parse_module(text).unwrap();
    expected.assert_eq(&write_module(&module).unwrap());
}

fn refusal(text: &str) -> WriteError {
    write_module(&parse_module(text).unwrap()).unwrap_err()
}

#[test]
fn values_that_edges_give_become_phis_and_edges_that_differ_get_blocks() {
    check(
        "func @f(i32) -> i32 {
b0(%a: i32):
    switch.i32 %a, [0: b1(1), 3: b1(2), 4: b1(1)], b1(7)
b1(%z: i32):
    return %z
}
",
        &expect![[r#"

            define i32 @f(i32 %v0) {
            b0:
              switch i32 %v0, label %c2 [
                i32 0, label %b1
                i32 3, label %c1
                i32 4, label %b1
              ]
            b1:
              %v1 = phi i32 [ 1, %b0 ], [ 2, %c1 ], [ 1, %b0 ], [ 7, %c2 ]
              ret i32 %v1
            c1:
              br label %b1
            c2:
              br label %b1
            }
        "#]],
    );
}

#[test]
fn what_llvm_leaves_open_of_integers_is_closed() {
    check(
        "func @f(i32, i32) -> i32 {
b0(%a: i32, %b: i32):
    %x = shl.i32 %a, %b
    %y = ashr.i32 %x, 40
    %z = sdiv.i32 %y, %b
    %u = srem.i32 %z, -1
    %v = sadd_trap.i32 %u, 7
    %w = clz.i32 %v
    return %w
}
",
        &expect![[r#"

            define i32 @f(i32 %v0, i32 %v1) {
            b0:
              %t1 = icmp ult i32 %v1, 32
              %t2 = shl i32 %v0, %v1
              %v2 = select i1 %t1, i32 %t2, i32 0
              %t3 = call i32 @llvm.umin.i32(i32 40, i32 31)
              %v3 = ashr i32 %v2, %t3
              %t4 = icmp ne i32 %v1, 0
              br i1 %t4, label %c1, label %trap2
            c1:
              %t5 = icmp ne i32 %v3, -2147483648
              %t6 = icmp ne i32 %v1, -1
              %t7 = or i1 %t5, %t6
              br i1 %t7, label %c2, label %trap3
            c2:
              %v5 = sdiv i32 %v3, %v1
              %t8 = icmp eq i32 -1, -1
              %t9 = select i1 %t8, i32 1, i32 -1
              %v6 = srem i32 %v5, %t9
              %t10 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %v6, i32 7)
              %t11 = extractvalue { i32, i1 } %t10, 1
              %t12 = xor i1 %t11, true
              br i1 %t12, label %c3, label %trap3
            c3:
              %v8 = extractvalue { i32, i1 } %t10, 0
              %v10 = call i32 @llvm.ctlz.i32(i32 %v8, i1 false)
              ret i32 %v10
            trap2:
              call void @brolga.trap(i32 2)
              unreachable
            trap3:
              call void @brolga.trap(i32 3)
              unreachable
            }

            declare void @brolga.trap(i32) cold noreturn nounwind
            declare i32 @llvm.ctlz.i32(i32, i1)
            declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
            declare i32 @llvm.umin.i32(i32, i32)
        "#]],
    );
}

#[test]
fn floats_keep_their_zeros_and_nans() {
    check(
        "func @f(f32, f64x2, bf16) -> (f32, bf16) {
b0(%a: f32, %b: f64x2, %c: bf16):
    %d = fmin_num.f32 %a, nan
    %e = fneg.bf16 %c
    %f = fadd.bf16 %e, 1.5
    %g = fadd.f64x2 %b, %b contract
    return %d, %f
}
",
        &expect![[r#"

            define { float, half } @f(float %v0, <2 x double> %v1, half %p2) {
            b0:
              %v2 = bitcast half %p2 to i16
              %t1 = fcmp olt float %v0, bitcast (i32 2143289344 to float)
              %t2 = select i1 %t1, float %v0, float bitcast (i32 2143289344 to float)
              %t3 = fcmp oeq float %v0, bitcast (i32 2143289344 to float)
              %t4 = bitcast float %v0 to i32
              %t5 = bitcast float bitcast (i32 2143289344 to float) to i32
              %t6 = or i32 %t4, %t5
              %t7 = bitcast i32 %t6 to float
              %t8 = select i1 %t3, float %t7, float %t2
              %t9 = fcmp uno float bitcast (i32 2143289344 to float), bitcast (i32 2143289344 to float)
              %v3 = select i1 %t9, float %v0, float %t8
              %v5 = xor i16 %v2, -32768
              %t11 = zext i16 %v5 to i32
              %t12 = shl i32 %t11, 16
              %t13 = bitcast i32 %t12 to float
              %t14 = zext i16 16320 to i32
              %t15 = shl i32 %t14, 16
              %t16 = bitcast i32 %t15 to float
              %t17 = fadd float %t13, %t16
              %t18 = bitcast float %t17 to i32
              %t19 = lshr i32 %t18, 16
              %t20 = and i32 %t19, 1
              %t21 = add i32 %t18, 32767
              %t22 = add i32 %t21, %t20
              %t23 = lshr i32 %t22, 16
              %t24 = fcmp uno float %t17, %t17
              %t25 = select i1 %t24, i32 32704, i32 %t23
              %v6 = trunc i32 %t25 to i16
              %v8 = fadd contract <2 x double> %v1, %v1
              %t27 = insertvalue { float, half } poison, float %v3, 0
              %t28 = bitcast i16 %v6 to half
              %t29 = insertvalue { float, half } %t27, half %t28, 1
              ret { float, half } %t29
            }
        "#]],
    );
}

#[test]
fn conversions_out_of_range_trap_or_wrap() {
    check(
        "func @f(f64, f16) -> (i32, i8, i64) {
b0(%a: f64, %b: f16):
    %x = fptosi_trap.i32 %a
    %y = strunc_sat.i8 %x
    %z = fptoui_sat.i64 %b
    return %x, %y, %z
}
",
        &expect![[r#"

            define { i32, i8, i64 } @f(double %v0, half %v1) {
            b0:
              %t1 = call double @llvm.trunc.f64(double %v0)
              %t2 = fcmp oge double %t1, 0xC1E0000000000000
              %t3 = fcmp olt double %t1, 0x41E0000000000000
              %t4 = and i1 %t2, %t3
              br i1 %t4, label %c1, label %trap4
            c1:
              %v2 = fptosi double %v0 to i32
              %t5 = call i32 @llvm.smin.i32(i32 %v2, i32 127)
              %t6 = call i32 @llvm.smax.i32(i32 %t5, i32 -128)
              %v3 = trunc i32 %t6 to i8
              %t7 = fpext half %v1 to float
              %v4 = call i64 @llvm.fptoui.sat.i64.f32(float %t7)
              %t8 = insertvalue { i32, i8, i64 } poison, i32 %v2, 0
              %t9 = insertvalue { i32, i8, i64 } %t8, i8 %v3, 1
              %t10 = insertvalue { i32, i8, i64 } %t9, i64 %v4, 2
              ret { i32, i8, i64 } %t10
            trap4:
              call void @brolga.trap(i32 4)
              unreachable
            }

            declare void @brolga.trap(i32) cold noreturn nounwind
            declare i64 @llvm.fptoui.sat.i64.f32(float)
            declare i32 @llvm.smax.i32(i32, i32)
            declare i32 @llvm.smin.i32(i32, i32)
            declare double @llvm.trunc.f64(double)
        "#]],
    );
}

#[test]
fn truth_values_stand_in_memory_as_bits() {
    check(
        "func @f(ptr, i1x9) -> i1 {
b0(%p: ptr, %m: i1x9):
    %x = load.i1 %p+3 volatile
    store.i1x9 %m, %p align 2
    %v = masked_load.i32x2 <1, 0>, %p, <7, 8>
    mem_copy %p, %p, 4
    return %x
}
",
        &expect![[r#"

            define i1 @f(ptr %v0, <9 x i1> %v1) {
            b0:
              %t1 = getelementptr i8, ptr %v0, i64 3
              %t2 = load volatile i8, ptr %t1, align 1
              %t3 = trunc i8 %t2 to i1
              %v2 = bitcast i1 %t3 to i1
              %t4 = bitcast <9 x i1> %v1 to i9
              %t5 = zext i9 %t4 to i16
              store i16 %t5, ptr %v0, align 2
              %v3 = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr %v0, i32 1, <2 x i1> <i1 true, i1 false>, <2 x i32> <i32 7, i32 8>)
              call void @llvm.memmove.p0.p0.i64(ptr align 1 %v0, ptr align 1 %v0, i64 4, i1 false)
              ret i1 %v2
            }

            declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, i32, <2 x i1>, <2 x i32>)
            declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
        "#]],
    );
}

#[test]
fn atomic_accesses_are_aligned_and_floats_exchange_their_bits() {
    check(
        "func @f(ptr, f32) -> (f32, i1) {
b0(%p: ptr, %x: f32):
    %old = atomic_rmw.f32 fmax release %p, %x
    %seen, %done = atomic_cas.f32 seq_cst relaxed %p, 0.0, %x
    fence seq_cst
    return %old, %done
}
",
        &expect![[r#"

            define { float, i1 } @f(ptr %v0, float %v1) {
            b0:
              %t1 = ptrtoint ptr %v0 to i64
              %t2 = and i64 %t1, 3
              %t3 = icmp eq i64 %t2, 0
              br i1 %t3, label %c1, label %trap8
            c1:
              %t4 = load atomic i32, ptr %v0 monotonic, align 4
              br label %c2
            c2:
              %t6 = phi i32 [ %t4, %c1 ], [ %t5, %c3 ]
              %t7 = bitcast i32 %t6 to float
              %t8 = fcmp ogt float %t7, %v1
              %t9 = select i1 %t8, float %t7, float %v1
              %t10 = fcmp oeq float %t7, %v1
              %t11 = bitcast float %t7 to i32
              %t12 = bitcast float %v1 to i32
              %t13 = and i32 %t11, %t12
              %t14 = bitcast i32 %t13 to float
              %t15 = select i1 %t10, float %t14, float %t9
              %t16 = fcmp uno float %t7, %v1
              %t17 = fadd float %t7, %v1
              %t18 = select i1 %t16, float %t17, float %t15
              %t19 = bitcast float %t18 to i32
              %t20 = cmpxchg ptr %v0, i32 %t6, i32 %t19 release monotonic, align 4
              %t21 = extractvalue { i32, i1 } %t20, 0
              %t22 = extractvalue { i32, i1 } %t20, 1
              br i1 %t22, label %c4, label %c3
            c3:
              %t5 = select i1 true, i32 %t21, i32 %t21
              br label %c2
            c4:
              %v2 = bitcast float %t7 to float
              %t23 = ptrtoint ptr %v0 to i64
              %t24 = and i64 %t23, 3
              %t25 = icmp eq i64 %t24, 0
              br i1 %t25, label %c5, label %trap8
            c5:
              %t26 = bitcast float 0x0000000000000000 to i32
              %t27 = bitcast float %v1 to i32
              %t28 = cmpxchg ptr %v0, i32 %t26, i32 %t27 seq_cst monotonic, align 4
              %t29 = extractvalue { i32, i1 } %t28, 0
              %t30 = extractvalue { i32, i1 } %t28, 1
              %v3 = bitcast i32 %t29 to float
              %v4 = bitcast i1 %t30 to i1
              fence seq_cst
              %t32 = insertvalue { float, i1 } poison, float %v2, 0
              %t33 = insertvalue { float, i1 } %t32, i1 %v4, 1
              ret { float, i1 } %t33
            trap8:
              call void @brolga.trap(i32 8)
              unreachable
            }

            declare void @brolga.trap(i32) cold noreturn nounwind
        "#]],
    );
}

#[test]
fn entities_are_reached_inside_their_bounds_only() {
    check(
        "data @d align 8 const = { i32 [1, -2], f32 0.5, bytes \"a\\22\\00\", zero 3, ptr @f+8 }
local data @t thread_local = { zero 8 }
import data @\"odd name\" size 16 align 8
func @f(i64) -> i64 {
    ss0 = slot 16
    ss1 = slot 8 uninit
b0(%o: i64):
    %x = data_load.i64 @d, 4
    slot_store.i64 %x, ss0, %o
    slot_start ss0
    slot_start ss1
    %p = data_addr @\"odd name\"
    %y = ptr_to_int %p
    return %y
}
",
        &expect![[r#"
            @d = constant <{[2 x i32], [1 x float], [3 x i8], [3 x i8], ptr}> <{[2 x i32] [i32 1, i32 -2], [1 x float] [float 0x3FE0000000000000], [3 x i8] c"a\22\00", [3 x i8] zeroinitializer, ptr getelementptr (i8, ptr @f, i64 8)}>, align 8
            @t = internal thread_local global <{[8 x i8]}> <{[8 x i8] zeroinitializer}>, align 16
            @"odd name" = external global [16 x i8], align 8

            define i64 @f(i64 %v0) {
            b0:
              %ss0 = alloca [16 x i8], align 16
              %ss1 = alloca [8 x i8], align 8
              call void @llvm.memset.p0.i64(ptr align 16 %ss0, i8 0, i64 16, i1 false)
              %t1 = getelementptr i8, ptr @d, i64 4
              %v1 = load i64, ptr %t1, align 4
              %t2 = icmp ule i64 %v0, 8
              br i1 %t2, label %c1, label %trap5
            c1:
              %t3 = getelementptr i8, ptr %ss0, i64 %v0
              store i64 %v1, ptr %t3, align 1
              call void @llvm.memset.p0.i64(ptr align 16 %ss0, i8 0, i64 16, i1 false)
              %v3 = bitcast ptr @"odd name" to ptr
              %v4 = ptrtoint ptr %v3 to i64
              ret i64 %v4
            trap5:
              call void @brolga.trap(i32 5)
              unreachable
            }

            declare void @brolga.trap(i32) cold noreturn nounwind
            declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
        "#]],
    );
}

#[test]
fn calls_check_what_they_call_and_tail_calls_keep_no_frame_where_that_is_sure() {
    check(
        "foreign func @printf(ptr, ...) -> i32
foreign func @narrow(i8 sext, bf16) -> i16 zext
func @pair(i64, f64) -> (i64, f64) {
b0(%a: i64, %b: f64):
    return_call @pair(%a, %b)
}
func @f(fn(i64, f64) -> (i64, f64), ptr) -> i64 {
b0(%g: fn(i64, f64) -> (i64, f64), %p: ptr):
    %a, %b = call_indirect.fn(i64, f64) -> (i64, f64) %g(1, 2.0)
    %c = call_foreign @printf(%p, %b)
    %d = call_foreign @narrow(7, 1.5)
    return_call_indirect.fn(i64) -> i64 null(%a)
}
",
        &expect![[r#"
            declare i32 @printf(ptr, ...)
            declare zeroext i16 @narrow(i8 signext, half)

            define { i64, double } @pair(i64 %v0, double %v1) {
            b0:
              %t1 = musttail call { i64, double } @pair(i64 %v0, double %v1)
              ret { i64, double } %t1
            }

            define i64 @f(ptr %v0, ptr %v1) {
            b0:
              %t1 = icmp ne ptr %v0, null
              br i1 %t1, label %c1, label %trap7
            c1:
              %t2 = call { i64, double } %v0(i64 1, double 0x4000000000000000)
              %v2 = extractvalue { i64, double } %t2, 0
              %v3 = extractvalue { i64, double } %t2, 1
              %v6 = call i32 (ptr, ...) @printf(ptr %v1, double %v3)
              %t3 = bitcast i16 16320 to half
              %v7 = call zeroext i16 @narrow(i8 signext 7, half %t3)
              %t4 = icmp ne ptr null, null
              br i1 %t4, label %c2, label %trap7
            c2:
              %t5 = tail call i64 null(i64 %v2)
              ret i64 %t5
            trap7:
              call void @brolga.trap(i32 7)
              unreachable
            }

            declare void @brolga.trap(i32) cold noreturn nounwind
        "#]],
    );
}

#[test]
fn exits_hand_their_values_over_in_memory_or_to_another_function() {
    check(
        "func @slow(i64) -> i64 {
b0(%a: i64):
    return %a
}
func @f(i64, {i8, f64}) -> i64 {
    exit0 = side 7 (i64, {i8, f64})
    exit1 = deopt @slow (i64)
    exit2 = trap user(3)
b0(%a: i64, %s: {i8, f64}):
    %c = icmp.i64 ne %a, 0
    check %c, exit0(%a, %s)
    check %c, exit1(%a)
    check %c, exit2
    return %a
}
",
        &expect![[r#"

            define i64 @slow(i64 %v0) {
            b0:
              ret i64 %v0
            }

            define i64 @f(i64 %v0, {i8, double} %v1) {
            b0:
              %exit = alloca [24 x i8], align 16
              %v2 = icmp ne i64 %v0, 0
              br i1 %v2, label %c1, label %c2
            c1:
              br i1 %v2, label %c3, label %c4
            c3:
              br i1 %v2, label %c5, label %trap65539
            c5:
              ret i64 %v0
            c2:
              %t1 = getelementptr i8, ptr %exit, i64 0
              store i64 %v0, ptr %t1, align 1
              %t2 = extractvalue {i8, double} %v1, 0
              %t3 = getelementptr i8, ptr %exit, i64 8
              store i8 %t2, ptr %t3, align 1
              %t4 = extractvalue {i8, double} %v1, 1
              %t5 = getelementptr i8, ptr %exit, i64 16
              store double %t4, ptr %t5, align 1
              call void @brolga.exit(i32 18, i32 7, ptr %exit, i64 24)
              unreachable
            c4:
              %t6 = tail call i64 @slow(i64 %v0)
              ret i64 %t6
            trap65539:
              call void @brolga.trap(i32 65539)
              unreachable
            }

            declare void @brolga.exit(i32, i32, ptr, i64) cold noreturn nounwind
            declare void @brolga.trap(i32) cold noreturn nounwind
        "#]],
    );
}

#[test]
fn throws_unwind_to_landing_pads() {
    check(
        "func @g() -> i32 {
b0:
    throw null
}
func @f() -> i32 {
b0:
    enter b1, unwind b2(5)
b1:
    %x = call @g()
    leave 1
    %y = try_call @g() normal b3(%y), unwind b2(6)
b2(%n: i32):
    %e = current_exception
    return %n
b3(%m: i32):
    return %m
}
",
        &expect![[r#"

            define i32 @g() {
            b0:
              call void @brolga.throw(ptr addrspace(10) null)
              unreachable
            }

            define i32 @f() personality ptr @__gxx_personality_v0 {
            b0:
              br label %b1
            b1:
              %v0 = invoke i32 @g() to label %c1 unwind label %pad1
            c1:
              %v1 = invoke i32 @g() to label %c3 unwind label %c2
            c3:
              br label %b3
            b2:
              %v2 = phi i32 [ 5, %pad1 ], [ 6, %c2 ]
              %v3 = call ptr addrspace(10) @brolga.current_exception()
              ret i32 %v2
            b3:
              %v4 = phi i32 [ %v1, %c3 ]
              ret i32 %v4
            pad1:
              %t1 = landingpad { ptr, i32 } catch ptr null
              br label %b2
            c2:
              %t2 = landingpad { ptr, i32 } catch ptr null
              br label %b2
            }

            declare i32 @__gxx_personality_v0(...)
            declare ptr addrspace(10) @brolga.current_exception() nounwind
            declare void @brolga.throw(ptr addrspace(10)) cold noreturn
        "#]],
    );
}

#[test]
fn vectors_and_aggregates_are_put_together_part_by_part() {
    check(
        "func @f(i32x2, i64) -> {i8, [2 x f16]} {
b0(%v: i32x2, %i: i64):
    %w = shuffle.i32x3 %v, %v, [3, _, 0]
    %x = extract_lane.i32x3 %w, %i
    %s = splat.f16x2 1.5
    %y = reduce_fadd.f16 0.0, %s
    %a = make_aggregate.[2 x f16] %y, 2.0
    %b = insert_value.{i8, [2 x f16]} zero, %a, 1
    return %b
}
",
        &expect![[r#"

            define {i8, [2 x half]} @f(<2 x i32> %v0, i64 %v1) {
            b0:
              %t1 = shufflevector <2 x i32> %v0, <2 x i32> %v0, <3 x i32> <i32 3, i32 poison, i32 0>
              %v2 = select <3 x i1> <i1 true, i1 false, i1 true>, <3 x i32> %t1, <3 x i32> zeroinitializer
              %t2 = icmp ult i64 %v1, 3
              br i1 %t2, label %c1, label %trap5
            c1:
              %v3 = extractelement <3 x i32> %v2, i64 %v1
              %t3 = insertelement <2 x half> poison, half 0xH3E00, i64 0
              %v4 = shufflevector <2 x half> %t3, <2 x half> poison, <2 x i32> zeroinitializer
              %t4 = extractelement <2 x half> %v4, i64 0
              %t5 = fadd half 0xH0000, %t4
              %t6 = extractelement <2 x half> %v4, i64 1
              %v6 = fadd half %t5, %t6
              %t8 = insertvalue [2 x half] poison, half %v6, 0
              %v8 = insertvalue [2 x half] %t8, half 0xH4000, 1
              %v10 = insertvalue {i8, [2 x half]} zeroinitializer, [2 x half] %v8, 1
              ret {i8, [2 x half]} %v10
            trap5:
              call void @brolga.trap(i32 5)
              unreachable
            }

            declare void @brolga.trap(i32) cold noreturn nounwind
        "#]],
    );
}

#[test]
fn what_llvm_ir_has_no_place_for_is_an_error() {
    let managed = "func @f() -> i64 {\nb0:\n  %n = array_len ref:null\n  return %n\n}\n";
    assert!(matches!(refusal(managed), WriteError::Op { .. }));
    let intrinsic = "import func @llvm.sqrt(f64) -> f64\n";
    assert!(matches!(refusal(intrinsic), WriteError::Name { .. }));
    let taken = "func @brolga.trap(i32) {\nb0(%a: i32):\n  unreachable\n}\n";
    assert!(matches!(refusal(taken), WriteError::Taken { .. }));
}

#[test]
fn a_function_that_the_text_needs_may_be_declared_already() {
    check(
        "foreign func @brolga.trap(i32)
func @f() {
b0:
    trap bounds
}
",
        &expect![[r#"
            declare void @brolga.trap(i32)

            define void @f() {
            b0:
              call void @brolga.trap(i32 5)
              unreachable
            }
        "#]],
    );
}
