//! Memory, by address and by name.

use expect_test::expect;

use super::check;

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

            define i1 @f(ptr %v0, <9 x i1> %v1) nobuiltin {
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

            define { float, i1 } @f(ptr %v0, float %v1) nobuiltin {
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
fn atomic_accesses_of_128_bits_are_as_others() {
    check(
        "func @f(ptr, i128) -> i128 {
b0(%p: ptr, %x: i128):
    %old = atomic_rmw.i128 smax release %p, %x
    atomic_store.i128 relaxed %old, %p+16
    %seen, %done = atomic_cas.i128 seq_cst relaxed %p, 0, %x
    return %seen
}
",
        &expect![[r#"

            define i128 @f(ptr %v0, i128 %v1) nobuiltin {
            b0:
              %t1 = ptrtoint ptr %v0 to i64
              %t2 = and i64 %t1, 15
              %t3 = icmp eq i64 %t2, 0
              br i1 %t3, label %c1, label %trap8
            c1:
              %v2 = atomicrmw max ptr %v0, i128 %v1 release, align 16
              %t4 = getelementptr i8, ptr %v0, i64 16
              %t5 = ptrtoint ptr %t4 to i64
              %t6 = and i64 %t5, 15
              %t7 = icmp eq i64 %t6, 0
              br i1 %t7, label %c2, label %trap8
            c2:
              store atomic i128 %v2, ptr %t4 monotonic, align 16
              %t8 = ptrtoint ptr %v0 to i64
              %t9 = and i64 %t8, 15
              %t10 = icmp eq i64 %t9, 0
              br i1 %t10, label %c3, label %trap8
            c3:
              %t11 = cmpxchg ptr %v0, i128 0, i128 %v1 seq_cst monotonic, align 16
              %t12 = extractvalue { i128, i1 } %t11, 0
              %t13 = extractvalue { i128, i1 } %t11, 1
              %v3 = bitcast i128 %t12 to i128
              %v4 = bitcast i1 %t13 to i1
              ret i128 %v3
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

            define i64 @f(i64 %v0) nobuiltin {
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
