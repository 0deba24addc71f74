//! What the printer writes.

use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{EntityRef, Inst};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::module::{Linkage, Module};
use brolga_ir::op::Op;
use brolga_ir::text::{BodyPrinter, parse_module, print_function, print_inst, print_module};
use brolga_ir::types::{Signature, Type};
use expect_test::expect;

/// The module of a text that must parse.
fn parsed(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

#[test]
fn the_canonical_form_of_everything_prints_as_it_stands() {
    let text = include_str!("text/canonical.bir");
    assert_eq!(print_module(&parsed(text)), text);
}

#[test]
fn what_may_be_spelled_in_several_ways_is_printed_in_one() {
    let text = "
foreign @abs(i32)->i32
import @g()
data @d={i8[0x7f,255],zero 4} export func @f(i64,f16)->(i64) returns always inline never {
    ss0=slot 8 align 8
b(%0:i64,%1:f16): %x=add.i64 i64:0xffffffffffffffff,%0 nuw nsw
    %y = load.i64 ptr:4096 + 8 nonnull align 1
    jump \"plain\"(%\"x\",
        0.10)
plain(%2: i64, %3: f16):
    return i64 : 1
}";
    expect![[r#"
        foreign func @abs(i32) -> i32
        import func @g()
        data @d = {
            i8 [127, -1],
            zero 4,
        }

        func @f(i64, f16) -> i64 inline never returns always {
            ss0 = slot 8
        b(%0: i64, %1: f16):
            %x = add.i64 -1, %0 nsw nuw
            %y = load.i64 ptr:0x1000+8 nonnull
            jump plain(%x, 0.1)
        plain(%2: i64, %3: f16):
            return 1
        }
    "#]]
    .assert_eq(&print_module(&parsed(text)));
}

/// A body with one block that returns, and a function to put it into.
fn function(names: [&str; 3]) -> (Module, Body) {
    let mut module = Module::new("");
    let sig = module.types.signature(Signature::internal(&[Type::I64; 3], &[Type::I64])).unwrap();
    module.declare_function("f", sig, Linkage::Export).unwrap();
    let mut body = Body::default();
    let block = body.make_block();
    body.layout.append_block(block);
    body.set_block_name(block, names[0]);
    for name in names {
        let param = body.append_param(block, Type::I64);
        body.set_value_name(param, name);
    }
    let one = body.constant(Constant::scalar(Type::I64, 1).unwrap());
    let args = body.list(&[one]);
    body.append_inst(block, InstData::new(Op::Return, Type::NONE, args, Payload::None), &[]);
    (module, body)
}

#[test]
fn names_that_clash_or_are_no_words_read_back() {
    for (names, head) in [
        (["x", "x", "y"], "x(%x: i64, %1: i64, %y: i64):"),
        (["block3", "1", "x y"], "\"block3\"(%block3: i64, %\"1\": i64, %\"x y\": i64):"),
        (["", "%a", "ü"], "\"\"(%\"\": i64, %\"%a\": i64, %\"ü\": i64):"),
        (["a.b", "add", "$"], "\"a.b\"(%a.b: i64, %add: i64, %$: i64):"),
    ] {
        let (mut module, body) = function(names);
        let id = module.function_named("f").unwrap();
        module.function_mut(id).unwrap().body = Some(Box::new(body));
        let text = print_function(&module, id);
        assert_eq!(text.lines().nth(1), Some(head));
        assert_eq!(print_module(&parsed(&text)), text);
    }
}

#[test]
fn a_literal_spells_its_type_where_nothing_else_says_it() {
    let (module, body) = function(["a", "b", "c"]);
    assert_eq!(print_inst(&module, &body, Inst::new(0)), "return i64:1");
    let signature = Some(module.signature_of(module.function_named("f").unwrap()));
    let printer = BodyPrinter { module: &module, body: &body, signature };
    assert_eq!(printer.inst(Inst::new(0)), "return 1");
    let block = body.layout.entry().unwrap();
    assert_eq!(printer.block(block), "a(%a: i64, %b: i64, %c: i64):\n    return 1\n");
    assert_eq!(printer.inst(Inst::new(9)), "?inst9");
}

#[test]
fn values_keep_the_numbers_that_the_text_gives_them() {
    let text = "func @f(i64) -> i64 {\nblock2(%7: i64):\n    %3 = add.i64 %7, 5\n    jump block0(%3)\nblock0(%1: i64):\n    return %1\n}\n";
    let module = parsed(text);
    let body = module.functions().next().unwrap().1.body.as_deref().unwrap();
    let blocks: Vec<usize> = body.layout.blocks().map(EntityRef::index).collect();
    assert_eq!(blocks, [2, 0]);
    let entry = body.layout.entry().unwrap();
    assert_eq!(body.params(entry)[0].index(), 7);
    assert_eq!(body.result(Inst::new(0)).unwrap().index(), 3);
    let constant = body.args(Inst::new(0))[1];
    assert!(constant.index() > 7, "a constant takes no number that the text spells");
    assert_eq!(print_module(&module), text);
}

#[test]
fn a_function_without_locations_belongs_to_the_lines_of_its_text() {
    let module = parsed("\nfunc @f() {\nb:\n    poll\n  ; a comment\n    return\n}\n");
    let body = module.functions().next().unwrap().1.body.as_deref().unwrap();
    let place = |inst: usize| {
        let loc = body.loc_data(body.loc(Inst::new(inst)).unwrap()).unwrap();
        (loc.is_of_text(), loc.line, loc.column)
    };
    assert_eq!((place(0), place(1)), ((true, 4, 5), (true, 6, 5)));
}
