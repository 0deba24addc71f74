//! Edges, calls, exits and throws.

use expect_test::expect;

use super::check;

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

            define i32 @f(i32 %v0) nobuiltin {
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
            declare i32 @printf(ptr, ...) nobuiltin
            declare zeroext i16 @narrow(i8 signext, half) nobuiltin

            define { i64, double } @pair(i64 %v0, double %v1) nobuiltin {
            b0:
              %t1 = musttail call { i64, double } @pair(i64 %v0, double %v1)
              ret { i64, double } %t1
            }

            define i64 @f(ptr %v0, ptr %v1) nobuiltin {
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

            define i64 @slow(i64 %v0) nobuiltin {
            b0:
              ret i64 %v0
            }

            define i64 @f(i64 %v0, {i8, double} %v1) nobuiltin {
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

            define i32 @g() nobuiltin {
            b0:
              call void @brolga.throw(ptr addrspace(10) null)
              unreachable
            }

            define i32 @f() nobuiltin personality ptr @__gxx_personality_v0 {
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
fn slots_stay_in_memory_where_a_call_may_return_again() {
    check(
        "foreign func @_setjmp(ptr) -> i32 returns twice
func @f(ptr) -> i32 {
    ss0 = slot 4
b0(%p: ptr):
    %s = stack_alloc 8, 8
    %n = call_foreign @_setjmp(%p)
    %m = slot_load.i32 ss0, 0
    %k = add.i32 %m, %n
    return %k
}
",
        &expect![[r#"
            declare i32 @_setjmp(ptr) nobuiltin returns_twice

            define i32 @f(ptr %v0) nobuiltin {
            b0:
              %ss0 = alloca [4 x i8], align 4
              call void asm sideeffect "", "r"(ptr %ss0)
              call void @llvm.memset.p0.i64(ptr align 4 %ss0, i8 0, i64 4, i1 false)
              %t1 = icmp ule i64 8, 1048576
              br i1 %t1, label %c1, label %trap10
            c1:
              %v1 = alloca i8, i64 8, align 4096
              call void asm sideeffect "", "r"(ptr %v1)
              %v3 = call i32 @_setjmp(ptr %v0)
              %t2 = getelementptr i8, ptr %ss0, i64 0
              %v4 = load i32, ptr %t2, align 4
              %v6 = add i32 %v4, %v3
              ret i32 %v6
            trap10:
              call void @brolga.trap(i32 10)
              unreachable
            }

            declare void @brolga.trap(i32) cold noreturn nounwind
            declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
        "#]],
    );
}
