//! What comes of texts that are right.

use super::*;
use crate::llvm::syntax::{
    CallConvention, FunctionFlags, Linkage, MetadataItem, ParamFlags, TypeData,
};
use expect_test::{Expect, expect};
use std::fmt::Write;

#[test]
fn every_kind_of_line_is_read() {
    let whole = read_right(SAMPLE);
    assert_eq!(whole.functions.len(), 7);
    assert_eq!(whole.module.source, "sink.c");
    assert_eq!(whole.module.triple, "x86_64-unknown-linux-gnu");
    assert!(whole.module.layout.starts_with("e-m:e"));
    assert!(whole.module.assembly.is_some());
    for (id, _) in &whole.module.metadata {
        assert!(metadata(SAMPLE, &whole.module, *id).is_some(), "!{}", id.0);
    }
}

#[test]
fn what_earlier_versions_print_is_read() {
    assert_eq!(read_right(OLDER).functions[0].instructions.len(), 2);
}

/// Checks the instructions of the first function.
fn check_body(text: &str, expected: &Expect) {
    let whole = read_right(text);
    let function = &whole.functions[0];
    let mut shown = String::new();
    for &block in &function.order {
        let data = &function.blocks[block.index()];
        writeln!(shown, "b{} {:?} {}", block.0, data.name, data.number).unwrap();
        for inst in
            &function.instructions[data.instructions.start as usize..][..data.instructions.len()]
        {
            let result = inst.result.map(|id| {
                let local = &function.locals[id.index()];
                let name = local.name.as_deref().map_or(local.number.to_string(), str::to_owned);
                format!("%{name}: {} = ", whole.module.show(local.ty))
            });
            let flags =
                if inst.flags.is_empty() { String::new() } else { format!(" {:?}", inst.flags) };
            writeln!(shown, "  {}{:?}{flags}", result.unwrap_or_default(), inst.kind).unwrap();
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn values_and_blocks_have_names_or_numbers() {
    check_body(
        "define i32 @f(i32 %0, i32 %x) {
           %2 = add nuw i32 %0, %x
           br label %\"a\\62\"
         \"ab\":
           %p = phi i32 [ %2, %1 ], [ %4, %3 ]
           br label %3
         3:
           %4 = sub i32 %p, 7
           %c = icmp eq i32 %4, 0
           br i1 %c, label %\"ab\", label %last
         last:
           ret i32 %4
           ret i32 %p
         }",
        &expect![[r#"
            b0 None 1
              %2: i32 = Binary { op: Add, ty: TypeId(14), left: Local(LocalId(0)), right: Local(LocalId(1)) } Flags(NUW)
              Branch(BlockId(1))
            b1 Some("ab") 0
              %p: i32 = Phi { ty: TypeId(14), incoming: 0..2 }
              Branch(BlockId(2))
            b2 None 3
              %4: i32 = Binary { op: Sub, ty: TypeId(14), left: Local(LocalId(4)), right: Constant(ConstantId(0)) }
              %c: i1 = ICmp { condition: Eq, ty: TypeId(14), left: Local(LocalId(3)), right: Constant(ConstantId(1)) }
              ConditionalBranch { condition: Typed { ty: TypeId(11), value: Local(LocalId(5)) }, yes: BlockId(1), no: BlockId(3) }
            b3 Some("last") 0
              Return(Some(Typed { ty: TypeId(14), value: Local(LocalId(3)) }))
            b4 None 5
              Return(Some(Typed { ty: TypeId(14), value: Local(LocalId(4)) }))
        "#]],
    );
}

#[test]
fn results_have_the_types_that_ops_give() {
    check_body(
        "define void @f(<4 x i32> %v, ptr %p, { i8, [2 x half] } %a, <2 x ptr> %q) {
           %1 = icmp ult <4 x i32> %v, splat (i32 3)
           %2 = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> <i32 0, i32 poison>
           %3 = extractelement <4 x i32> %v, i64 1
           %4 = extractvalue { i8, [2 x half] } %a, 1, 0
           %5 = cmpxchg weak ptr %p, i32 1, i32 2 seq_cst monotonic
           %6 = getelementptr inbounds i8, ptr %p, <2 x i64> <i64 1, i64 2>
           %7 = getelementptr { i8, i64 }, <2 x ptr> %q, i64 0, i32 1
           %8 = alloca i32, align 16, addrspace(5)
           %9 = fcmp fast one double 1.5, 0x7FF0000000000000
           ret void
         }",
        &expect![[r#"
            b0 None 0
              %1: <4 x i1> = ICmp { condition: Ult, ty: TypeId(16), left: Local(LocalId(0)), right: Constant(ConstantId(1)) }
              %2: <2 x i32> = Shuffle { left: Typed { ty: TypeId(16), value: Local(LocalId(0)) }, right: Constant(ConstantId(2)), mask: Typed { ty: TypeId(22), value: Constant(ConstantId(5)) } }
              %3: i32 = ExtractElement { vector: Typed { ty: TypeId(16), value: Local(LocalId(0)) }, index: Typed { ty: TypeId(15), value: Constant(ConstantId(6)) } }
              %4: half = ExtractValue { aggregate: Typed { ty: TypeId(18), value: Local(LocalId(2)) }, path: 0..2 }
              %5: { i32, i1 } = CompareExchange { address: Typed { ty: TypeId(10), value: Local(LocalId(1)) }, expected: Typed { ty: TypeId(14), value: Constant(ConstantId(7)) }, new: Typed { ty: TypeId(14), value: Constant(ConstantId(8)) }, reach: Reach { align: 0, volatile: false, order: Some(SequentiallyConsistent) }, failure: Relaxed }
              %6: <2 x ptr> = GetElementPointer { element: TypeId(12), base: Typed { ty: TypeId(10), value: Local(LocalId(1)) }, indices: 0..1 } Flags(INBOUNDS)
              %7: <2 x ptr> = GetElementPointer { element: TypeId(25), base: Typed { ty: TypeId(19), value: Local(LocalId(3)) }, indices: 1..3 }
              %8: ptr addrspace(5) = Alloca { ty: TypeId(14), count: None, align: 16, space: 5 }
              %9: i1 = FCmp { condition: Holds(One), ty: TypeId(7), left: Constant(ConstantId(12)), right: Constant(ConstantId(13)) } Flags(NNAN | NINF | NSZ | ARCP | CONTRACT | AFN | REASSOC)
              Return(None)
        "#]],
    );
}

#[test]
fn calls_keep_what_is_said_of_them() {
    let text = "%s = type { i64, i64, i64 }
         declare i32 @g(ptr, ...)
         define i32 @f(ptr %p, ...) {
           %1 = tail call fastcc signext i32 (ptr, ...) @g(ptr byval(%s) align 16 %p, i32 zeroext 3) #0
           %2 = musttail call i32 (ptr, ...) @g(ptr noundef nonnull dereferenceable(8) %p, ...)
           ret i32 %2
         }
         attributes #0 = { nounwind noreturn memory(argmem: read) }";
    let whole = read_right(text);
    let function = &whole.functions[0];
    let calls: Vec<_> = function
        .instructions
        .iter()
        .filter_map(|inst| match &inst.kind {
            crate::llvm::syntax::Kind::Call(call) => Some(call),
            _ => None,
        })
        .collect();
    let [first, second] = calls.as_slice() else { panic!("{calls:?}") };
    assert_eq!(first.convention, CallConvention::Internal);
    assert_eq!(first.result_attributes.flags, ParamFlags::SIGNEXT);
    let flags = FunctionFlags::NO_UNWIND | FunctionFlags::NO_RETURN | FunctionFlags::READS_ONLY;
    assert_eq!(first.attributes.flags, flags);
    let attributes = &function.arg_attributes[first.arg_attributes.start as usize..];
    assert_eq!(attributes[0].align, 16);
    let by_value = attributes[0].by_value.unwrap();
    assert_eq!(whole.module.show(by_value).to_string(), "%s");
    assert_eq!(attributes[1].flags, ParamFlags::ZEROEXT);
    assert_eq!((first.forwards_rest, second.forwards_rest), (false, true));
    assert_eq!(attributes[2].dereferenceable, 8);
}

#[test]
fn heads_keep_what_is_said_of_functions() {
    let text = "define weak_odr hidden noundef zeroext i8 @f(i1 signext %a, ptr sret(i64) align 8 %b) local_unnamed_addr #1 cold section \".t\" comdat align 32 !dbg !3 { ret i8 0 }
         declare dllimport x86_stdcallcc void @g(...) \"target-cpu\"=\"old\" memory(none)
         declare cc37 void @h()
         attributes #1 = { returns_twice \"target-features\"=\"+avx\" \"target-cpu\"=\"new\" }
         !3 = !{}";
    let whole = read_right(text);
    let f = whole.head("f");
    assert_eq!(whole.module.show(f.ty).to_string(), "i8 (i1, ptr)");
    assert_eq!(f.result_attributes.flags, ParamFlags::NOUNDEF | ParamFlags::ZEROEXT);
    assert_eq!(f.param_attributes[0].flags, ParamFlags::SIGNEXT);
    assert_eq!(f.param_attributes[1].struct_return, Some(crate::llvm::syntax::TypeId::I64));
    assert_eq!(f.attributes.flags, FunctionFlags::RETURNS_TWICE | FunctionFlags::COLD);
    let target = &whole.module.targets[f.target.unwrap() as usize];
    assert_eq!((&*target.cpu, &*target.features), ("new", "+avx"));
    let global = &whole.module.globals[whole.module.order[0].index()];
    assert_eq!((global.linkage, global.section), (Linkage::Weak, Some(".t")));
    let g = whole.head("g");
    assert_eq!(g.convention, CallConvention::Other(64));
    assert_eq!(g.attributes.flags, FunctionFlags::READS_NOTHING);
    assert_eq!(whole.module.targets[g.target.unwrap() as usize].cpu, "old");
    assert_eq!(whole.head("h").convention, CallConvention::Other(37));
}

#[test]
fn constants_are_what_they_spell() {
    let text = "%t = type { i8, ptr }
         @a = global [3 x i16] [i16 1, i16 -1, i16 u0x7FFF]
         @b = global [2 x i64] [i64 1, i64 ptrtoint (ptr @a to i64)]
         @c = global %t { i8 300, ptr getelementptr (i8, ptr @a, i64 4) }
         @d = global <2 x half> <half 0xH3C00, half 1.5>
         @e = global [2 x i8] c\"\\00\\ff\"
         @f = global i1 true
         @g = global i200 -1
         @h = global <2 x i1> <i1 true, i1 false>
         @i = global ptr blockaddress(@fn, %b)
         define void @fn() {\n  br label %b\nb:\n  ret void\n}";
    let whole = read_right(text);
    let mut shown = String::new();
    for constant in &whole.module.constants {
        writeln!(shown, "{}: {:?}", whole.module.show(constant.ty), constant.data).unwrap();
    }
    expect![[r#"
        [3 x i16]: Numbers([1, 65535, 32767])
        i64: Integer(1)
        ptr: Global(GlobalId(0))
        i64: Cast { op: PtrToInt, value: ConstantId(2) }
        [2 x i64]: Aggregate([ConstantId(1), ConstantId(3)])
        i8: Integer(44)
        ptr: Global(GlobalId(0))
        i64: Integer(4)
        ptr: GetElementPointer { element: TypeId(12), base: ConstantId(6), indices: [ConstantId(7)] }
        %t: Aggregate([ConstantId(5), ConstantId(8)])
        <2 x half>: Numbers([15360, 15872])
        [2 x i8]: Bytes([0, 255])
        i1: Integer(1)
        i200: WideInteger([340282366920938463463374607431768211455])
        i1: Integer(1)
        i1: Integer(0)
        <2 x i1>: Aggregate([ConstantId(14), ConstantId(15)])
        ptr: BlockAddress { function: GlobalId(8), block: Text("b") }
    "#]].assert_eq(&shown);
}

#[test]
fn globals_with_numbers_have_names_of_their_own() {
    let whole = read_right("@0 = global i8 1\n@\"0\" = global i8 2\n@1 = global ptr @0\n");
    let names: Vec<_> = whole.module.globals.iter().map(|global| &*global.name).collect();
    assert_eq!(names, [".0", "0", "1"]);
}

#[test]
fn names_that_stand_before_their_definition_are_the_same_things() {
    let text = "@a = global ptr @b\n@b = global %t { i8 1, i32 2 }\n%t = type <{ i8, i32 }>\n";
    // A constant of a struct asks for its fields, as in LLVM.
    assert!(!read(text).errors.is_empty());
    let whole =
        read_right("@a = global ptr @b\n@b = external global %t\n%t = type <{ i8, i32 }>\n");
    assert_eq!(whole.module.globals.len(), 2);
    let named = whole.module.named[0].1.unwrap();
    assert!(matches!(whole.module.types[named.index()], TypeData::Struct { packed: true, .. }));
}

#[test]
fn intrinsics_need_no_declaration() {
    let text = "define i32 @f(i32 %x) {\n  %1 = call i32 @llvm.abs.i32(i32 %x, i1 false)\n  %2 = call i32 @llvm.abs.i32(i32 %1, i1 true)\n  ret i32 %2\n}\n";
    let whole = read_right(text);
    let head = whole.head("llvm.abs.i32");
    assert_eq!(whole.module.show(head.ty).to_string(), "i32 (i32, i1)");
    assert_eq!(whole.module.globals.len(), 2);
}

#[test]
fn metadata_are_read_where_they_are_asked_for() {
    let text = "define void @f() {\n  ret void, !dbg !DILocation(line: 7, scope: !2), !tbaa !1\n}
         !llvm.flags = !{!0, !1}
         !0 = !{i32 1, !\"a\\00b\", null, i64 -1, i1 true, ptr @f, !{!1}, double 1.0}
         !1 = distinct !DIFile(filename: \"x.c\", flags: DIFlagA | DIFlagB, isOptimized: true, at: 0)
         !9 = !DIExpression(DW_OP_plus_uconst, 8)\n!2 = !{}\n";
    let whole = read_right(text);
    let mut shown = String::new();
    for (id, _) in &whole.module.metadata {
        writeln!(shown, "!{}: {:?}", id.0, metadata(text, &whole.module, *id)).unwrap();
    }
    expect![[r#"
        !0: Some(Tuple { distinct: false, items: [Integer { bits: 32, value: 1 }, String([97, 0, 98]), Null, Integer { bits: 64, value: 18446744073709551615 }, Integer { bits: 1, value: 1 }, Value(169..175), Inline(Tuple { distinct: false, items: [Node(MetadataId(1))] }), Value(184..194)] })
        !1: Some(Record { distinct: true, kind: "DIFile", fields: [("filename", String([120, 46, 99])), ("flags", Word("DIFlagA | DIFlagB")), ("isOptimized", Word("true")), ("at", Number(0))] })
        !2: Some(Tuple { distinct: false, items: [] })
        !9: Some(Record { distinct: false, kind: "DIExpression", fields: [("", Word("DW_OP_plus_uconst")), ("", Number(8))] })
    "#]].assert_eq(&shown);
    assert_eq!(whole.module.named_metadata[0].0, "llvm.flags");
    assert_eq!(whole.module.named_metadata[0].1, [MetadataId(0), MetadataId(1)]);
    let location = whole.functions[0].attachments[0].1;
    let Some(Node::Record { kind: "DILocation", fields, .. }) =
        metadata(text, &whole.module, location)
    else {
        panic!("{location:?}")
    };
    assert_eq!(fields[0], ("line", MetadataItem::Number(7)));
    assert_eq!(metadata(text, &whole.module, MetadataId(7)), None);
}
