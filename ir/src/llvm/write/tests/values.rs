//! Integers, floats, vectors and aggregates.

use expect_test::expect;

use super::check;

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

            define i32 @f(i32 %v0, i32 %v1) nobuiltin {
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

            define { float, half } @f(float %v0, <2 x double> %v1, half %p2) nobuiltin {
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

            define { i32, i8, i64 } @f(double %v0, half %v1) nobuiltin {
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

            define {i8, [2 x half]} @f(<2 x i32> %v0, i64 %v1) nobuiltin {
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
