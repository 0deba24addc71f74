//! What flags, attributes and metadata say arrives: each has its place in our module, and
//! what has none there is left out.

use brolga_ir::llvm::{ReadOptions, read_module};
use expect_test::{Expect, expect};

/// Checks what is printed of a text of LLVM IR.
fn check(text: &str, expected: &Expect) {
    let module = read_module(text, &ReadOptions::default());
    let module = module.unwrap_or_else(|errors| panic!("{errors:?}"));
    expected.assert_eq(&module.to_string());
}

#[test]
fn what_is_said_of_accesses_stands_at_them() {
    check(
        "define void @f(ptr %p, ptr %q) {
           %a = load i32, ptr %p, align 8, !tbaa !3, !invariant.load !0
           %b = load ptr, ptr %p, align 8, !nonnull !0, !noundef !0, !align !15
           %c = load volatile i32, ptr %q, align 1, !alias.scope !12
           store i32 %a, ptr %q, align 4, !tbaa !8, !noalias !12, !nontemporal !15
           store ptr %b, ptr %q, align 2, !alias.scope !14, !noalias !13
           store i32 %c, ptr %q
           ret void
         }
         !0 = !{}
         !1 = !{!\"any\", !2, i64 0}
         !2 = !{!\"tests\"}
         !3 = !{!4, !4, i64 0}
         !4 = !{!\"int\", !1, i64 0}
         !7 = !{!\"pair\", !4, i64 0, !4, i64 4}
         !8 = !{!7, !4, i64 4}
         !9 = distinct !{!9, !\"domain\"}
         !10 = distinct !{!10, !9, !\"first\"}
         !11 = distinct !{!11, !9, !\"second\"}
         !12 = !{!10}
         !13 = !{!11}
         !14 = !{!10, !11}
         !15 = !{i64 1}",
        &expect![[r#"
            class !tests
            class !"tests/any" in !tests
            class !"tests/any/int" in !"tests/any"

            func @f(ptr, ptr) {
                scope0 = "first"
                scope1 = "second"
            block0(%0: ptr, %1: ptr):
                %2 = load.i32 %0 align 8 invariant class !"tests/any/int"
                %3 = load.ptr %0 align 8 nonnull
                %4 = load.i32 %1 volatile scopes(scope0)
                store.i32 %2, %1 align 4 nontemporal class !"tests/any/int" noalias(scope0)
                store.ptr %3, %1 align 2 noalias(scope1)
                store.i32 %4, %1 align 4
                return
            }
        "#]],
    );
}

#[test]
fn what_is_accessed_through_parameters_that_are_alone_is_apart() {
    check(
        "@g = global i32 0
         declare ptr @outside()
         define void @f(ptr noalias %to, ptr noalias readonly %0, ptr %any, i64 %i) {
           %a = getelementptr i32, ptr %0, i64 %i
           %b = getelementptr i8, ptr %a, i64 8
           %v = load i32, ptr %b
           %w = load i32, ptr %any, !alias.scope !2
           %x = load i32, ptr @g
           %c = getelementptr i32, ptr %to, i64 %i
           store i32 %v, ptr %c, !noalias !2
           store i32 %w, ptr %any
           %o = call ptr @outside()
           %y = load i32, ptr %o
           store i32 %y, ptr %to
           store i32 %x, ptr %o
           ret void
         }
         define i32 @loads(ptr noalias %p, ptr noalias %q) {
           %v = load i32, ptr %p
           %w = load i32, ptr %q
           %x = add i32 %v, %w
           ret i32 %x
         }
         define void @alone(ptr noalias %p, ptr noalias byval(i32) %q) {
           store i32 1, ptr %p
           store i32 2, ptr %p
           ret void
         }
         !0 = distinct !{!0, !\"domain\"}
         !1 = distinct !{!1, !0, !\"first\"}
         !2 = !{!1}",
        &expect![[r#"
            data @g align 4 = { bytes "\00\00\00\00" }

            func @f(ptr, ptr, ptr, i64) {
                scope0 = "first"
                scope1 = "to"
                scope2 = "1"
                scope3 = "other"
            block0(%0: ptr, %1: ptr, %2: ptr, %3: i64):
                %5 = mul.i64 %3, 4
                %6 = ptr_add %1, %5
                %8 = ptr_add %6, 8
                %9 = load.i32 %8 align 4 scopes(scope2)
                %10 = load.i32 %2 align 4 scopes(scope0, scope3)
                %11 = data_addr @g
                %12 = load.i32 %11 align 4 scopes(scope3)
                %13 = mul.i64 %3, 4
                %14 = ptr_add %0, %13
                store.i32 %9, %14 align 4 scopes(scope1) noalias(scope0, scope2, scope3)
                store.i32 %10, %2 align 4 scopes(scope3) noalias(scope1, scope2)
                %15 = call_foreign @outside()
                %16 = load.i32 %15 align 4
                store.i32 %16, %0 align 4 scopes(scope1) noalias(scope2, scope3)
                store.i32 %12, %15 align 4
                return
            }

            func @loads(ptr, ptr) -> i32 {
            block0(%0: ptr, %1: ptr):
                %2 = load.i32 %0 align 4
                %3 = load.i32 %1 align 4
                %4 = add.i32 %2, %3
                return %4
            }

            func @alone(ptr, ptr byval(4 align 4)) {
            block0(%0: ptr, %1: ptr):
                store.i32 1, %0 align 4
                store.i32 2, %0 align 4
                return
            }

            foreign func @outside() -> ptr
        "#]],
    );
}

#[test]
fn ranges_weights_and_wishes_about_loops_stand_in_the_code() {
    check(
        "declare i32 @outside(i32)
         define i32 @f(ptr %p, i32 %n) {
         entry:
           %a = load i32, ptr %p, !range !0
           %b = call i32 @outside(i32 %a), !range !1
           switch i32 %b, label %loop [ i32 1, label %one
                                        i32 2, label %two ], !prof !2
         one:
           br label %loop, !llvm.loop !4
         two:
           br label %two.again
         two.again:
           %k = phi i32 [ 0, %two ], [ %l, %two.again ]
           %l = add i32 %k, 1
           %m = icmp slt i32 %l, %n
           br i1 %m, label %two.again, label %end, !llvm.loop !7
         loop:
           %i = phi i32 [ 0, %entry ], [ 1, %one ], [ %j, %loop ]
           %j = add i32 %i, 1
           %c = icmp slt i32 %j, %n
           br i1 %c, label %loop, label %end, !prof !3, !llvm.loop !4
         end:
           ret i32 %b
         }
         !0 = !{i32 0, i32 100}
         !1 = !{i32 -5, i32 5}
         !2 = !{!\"branch_weights\", i32 7, i32 1, i32 2}
         !3 = !{!\"branch_weights\", !\"expected\", i32 2000, i32 1}
         !4 = distinct !{!4, !5, !6}
         !5 = !{!\"llvm.loop.mustprogress\"}
         !6 = !{!\"llvm.loop.unroll.count\", i32 4}
         !7 = distinct !{!7, !8}
         !8 = !{!\"llvm.loop.unroll.disable\"}",
        &expect![[r#"
            func @f(ptr, i32) -> i32 {
            block0(%2: ptr, %3: i32):
                %4 = load.i32 %2 align 4 range(0, 100)
                %5 = call_foreign @outside(%4) range(-5, 5)
                switch.i32 %5, [1: block3, 2: block1], block4(0) weights(1, 2, 7)
            block1:
                jump block2(0)
            block2(%0: i32):
                loop_mark unroll 1
                %8 = add.i32 %0, 1
                %9 = icmp.i32 slt %8, %3
                branch %9, block2(%8), block5
            block3:
                jump block4(1)
            block4(%1: i32):
                loop_mark unroll 4
                %10 = add.i32 %1, 1
                %11 = icmp.i32 slt %10, %3
                branch %11, block4(%10), block5 weights(2000, 1)
            block5:
                return %5
            }

            foreign func @outside(i32) -> i32
        "#]],
    );
}

#[test]
fn places_in_the_source_lead_out_of_what_is_inlined() {
    check(
        "define i32 @outer(i32 %n) !dbg !4 {
           %a = add i32 %n, 1, !dbg !6
           %b = mul i32 %a, 2, !dbg !8
           %c = sub i32 %b, 3, !dbg !9
           ret i32 %c, !dbg !10
         }
         !llvm.dbg.cu = !{!0}
         !llvm.module.flags = !{!2}
         !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
         !1 = !DIFile(filename: \"outer.c\", directory: \"/source\")
         !2 = !{i32 2, !\"Debug Info Version\", i32 3}
         !4 = distinct !DISubprogram(name: \"outer\", file: !1, line: 1, type: !5, unit: !0)
         !5 = !DISubroutineType(types: !{null})
         !6 = !DILocation(line: 2, column: 3, scope: !4)
         !7 = distinct !DISubprogram(name: \"inner\", file: !11, line: 9, type: !5, unit: !0)
         !8 = !DILocation(line: 10, column: 5, scope: !7, inlinedAt: !6)
         !9 = !DILocation(line: 30, scope: !13, inlinedAt: !8)
         !10 = !DILocation(line: 3, column: 1, scope: !14)
         !11 = !DIFile(filename: \"inner.h\", directory: \"/source\")
         !12 = distinct !DISubprogram(name: \"innermost\", file: !11, line: 29, type: !5, unit: !0)
         !13 = distinct !DILexicalBlock(scope: !12, file: !11, line: 29)
         !14 = !DILexicalBlockFile(scope: !4, file: !1, discriminator: 1)",
        &expect![[r#"
            func @outer(i32) -> i32 {
                loc0 = "outer.c":2:3
                loc1 = "inner.h":10:5 in "inner" at loc0
                loc2 = "inner.h":30:0 in "innermost" at loc1
                loc3 = "outer.c":3:1
            block0(%0: i32):
                %2 = add.i32 %0, 1 !loc0
                %4 = mul.i32 %2, 2 !loc1
                %6 = sub.i32 %4, 3 !loc2
                return %6 !loc3
            }
        "#]],
    );
}

#[test]
fn flags_of_ops_are_hints_and_permissions() {
    check(
        "define i32 @f(i32 %a, i32 %b, ptr %p) {
           %1 = add nuw nsw i32 %a, %b
           %2 = sub nsw i32 %1, %b
           %3 = mul nuw i32 %2, %b
           %4 = shl nuw nsw i32 %3, 1
           %5 = lshr exact i32 %4, 1
           %6 = ashr exact i32 %5, 1
           %7 = udiv exact i32 %6, 3
           %8 = or disjoint i32 %7, 8
           %9 = getelementptr inbounds nuw i8, ptr %p, i32 %8
           %10 = load i32, ptr %9
           ret i32 %10
         }
         define double @g(double %x, double %y, i32 %n) {
           %1 = fadd reassoc contract double %x, %y
           %2 = fmul nnan ninf nsz arcp afn double %1, %y
           %3 = fdiv fast double %2, %1
           %4 = fsub contract double %3, %2
           ret double %4
         }",
        &expect![[r#"
            func @f(i32, i32, ptr) -> i32 {
            block0(%0: i32, %1: i32, %2: ptr):
                %3 = add.i32 %0, %1 nsw nuw
                %4 = sub.i32 %3, %1 nsw
                %5 = mul.i32 %4, %1 nuw
                %7 = shl.i32 %5, 1 nsw nuw
                %8 = lshr.i32 %7, 1 exact
                %9 = ashr.i32 %8, 1 exact
                %11 = udiv.i32 %9, 3 exact
                %13 = or.i32 %11, 8
                %14 = sext.i64 %13
                %15 = ptr_add %2, %14 inbounds
                %16 = load.i32 %15 align 4
                return %16
            }

            func @g(f64, f64, i32) -> f64 {
            block0(%0: f64, %1: f64, %2: i32):
                %3 = fadd.f64 %0, %1 contract reassociate
                %4 = fmul.f64 %3, %1
                %5 = fdiv.f64 %4, %3
                %6 = fsub.f64 %5, %4 contract
                return %6
            }
        "#]],
    );
}

#[test]
fn attributes_of_functions_are_kept_where_we_have_them() {
    check(
        "declare void @ends() noreturn nounwind
         declare i32 @reads(ptr byval({ i64, i64, i64 }) align 16) memory(read)
         declare signext i8 @narrow(i8 signext, i16 zeroext)
         declare void @made(ptr sret({ i64, ptr, i8 }) align 8)
         declare i32 @_setjmp(ptr) returns_twice
         define internal fastcc i32 @cold(i32 %x) cold noinline {
           %r = call i32 @never()
           ret i32 %r
         }
         define weak_odr hidden i32 @never() alwaysinline {
           call void @ends()
           unreachable
         }
         define i8 @uses(ptr %p) {
           %a = call i32 @reads(ptr byval({ i64, i64, i64 }) align 16 %p)
           %b = call i32 @_setjmp(ptr %p) returns_twice
           %c = call signext i8 @narrow(i8 signext 1, i16 zeroext 2)
           call void @made(ptr sret({ i64, ptr, i8 }) align 8 %p)
           store ptr @z, ptr %p
           ret i8 %c
         }
         @x = thread_local global i32 4, align 64
         @y = internal constant [2 x i8] c\"ab\"
         @z = extern_weak global i32",
        &expect![[r#"
            local func @cold(i32) -> i32 inline never cold {
            block0(%0: i32):
                %1 = call @never()
                return %1
            }

            weak func @never() -> i32 inline always {
            block0:
                call_foreign @ends()
                unreachable
            }

            func @uses(ptr) -> i8 {
            block0(%0: ptr):
                %1 = call_foreign @reads(%0)
                %2 = call_foreign @_setjmp(%0)
                %5 = call_foreign @narrow(1, 2)
                call_foreign @made(%0)
                %6 = data_addr @z
                store.ptr %6, %0 align 8
                return %5
            }

            data @x align 64 thread_local = { bytes "\04\00\00\00" }
            local data @y align 1 const = { bytes "ab" }
            foreign func @ends() returns never
            foreign func @reads(ptr byval(24 align 16)) -> i32 memory read
            foreign func @_setjmp(ptr) -> i32 returns twice
            foreign func @narrow(i8 sext, i16 zext) -> i8 sext
            foreign func @made(ptr sret)
            foreign_weak data @z size 0 align 1
        "#]],
    );
}
