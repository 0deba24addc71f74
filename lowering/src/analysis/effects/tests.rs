use brolga_ir::text::parse_module;

use super::*;
use crate::analysis::tests::graphs::{on_many, reached};

const AROUND: &str = "import func @far()
import func @pure() memory none returns always
import func @reads() memory read
data @d = { zero 16 }
data @fixed const = { i64 [1, 2] }
";

/// What calls of `@f` may do in a module with that text.
fn effects_of(text: &str) -> CallEffects {
    let text = format!("{AROUND}{text}");
    let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let effects = FunctionEffects::new(&module, &CallGraph::new(&module));
    effects.of(module.function_named("f").unwrap())
}

/// The same, with those lines as its body.
fn effects_of_lines(lines: &str) -> CallEffects {
    effects_of(&format!(
        "func @f(i64, ptr) -> i64 {{\n    ss0 = slot 16\na(%n: i64, %p: ptr):\n{lines}\n    \
         return %n\n}}\n"
    ))
}

#[test]
fn what_nobody_else_sees_is_no_effect() {
    let nothing = [
        "%x = add.i64 %n, 1",
        "slot_store.i64 %n, ss0, 8\n%x = slot_load.i64 ss0, 8",
        "%s = slot_addr ss0\nstore.i64 %n, %s\n%x = load.i64 %s+8",
        "slot_start ss0\nslot_end ss0",
        "%x = udiv.i64 %n, 3",
        "%x = sdiv.i64 %n, -2",
        "%m = stack_save\nstack_restore %m",
        "%a = data_addr @fixed\n%x = load.i64 %a",
    ];
    for lines in nothing {
        let effects = effects_of_lines(lines);
        assert_eq!(effects, CallEffects::NOTHING, "{lines}");
        assert!(effects.is_removable());
    }
}

#[test]
fn what_others_see_is_an_effect() {
    let (read, write, trap) = (Effects::READ, Effects::WRITE, Effects::TRAP);
    let seen = [
        ("%x = load.i64 %p", read, Returns::Always),
        ("store.i64 1, %p", write, Returns::Always),
        ("%s = slot_addr ss0\nstore.ptr %s, %p\nstore.i64 1, %s", write, Returns::Always),
        ("%x = load.i64 %p volatile", read | write, Returns::Always),
        ("slot_store.i64 %n, ss0, %n", trap, Returns::Maybe),
        ("slot_store.i64 %n, ss0, 9", trap, Returns::Maybe),
        ("%x = udiv.i64 1, %n", trap, Returns::Maybe),
        ("%x = udiv.i64 %n, 0", trap, Returns::Maybe),
        ("%x = sdiv.i64 %n, -1", trap, Returns::Maybe),
        ("poll", trap | Effects::SAFEPOINT, Returns::Maybe),
        ("call @far()", Effects::CALL, Returns::Maybe),
        ("call_ptr.fn() %p()", Effects::CALL, Returns::Maybe),
        ("call @reads()", Effects::CALL.difference(write), Returns::Maybe),
        ("jump b\nb:\n%c = icmp.i64 eq %n, 0\nbranch %c, b, d\nd:", Effects::PURE, Returns::Maybe),
    ];
    for (lines, effects, returns) in seen {
        assert_eq!(effects_of_lines(lines), CallEffects { effects, returns }, "{lines}");
    }
}

#[test]
fn declarations_are_believed_and_weak_bodies_are_not() {
    let of = |attributes: &str| {
        effects_of(&format!("{attributes} {{\na:\n    call @far()\n    return\n}}\n"))
    };
    let less = |effects: Effects| Effects::CALL.difference(effects);
    let none = of("func @f() memory none");
    assert_eq!(none.effects, less(Effects::READ | Effects::WRITE | Effects::SYNCHRONISE));
    let pure = effects_of_lines("call @pure()");
    assert_eq!(pure.effects, Effects::SAFEPOINT);
    assert!(pure.is_removable() && !none.is_removable());
    let returns = of("func @f() returns always");
    assert_eq!(returns.effects, less(Effects::TRAP | Effects::THROW));
    assert_eq!(returns.returns, Returns::Always);
    let weak = effects_of("weak func @f() {\na:\n    return\n}\n");
    assert_eq!(weak, CallEffects::ANYTHING);
}

#[test]
fn a_deoptimisation_does_what_its_function_does() {
    let text = "func @slow() {\na:\n    data_store.i64 1, @d, 0\n    return\n}\n\
                func @f(i1) {\n    exit0 = deopt @slow\na(%c: i1):\n    check %c, exit0\n    \
                return\n}\n";
    assert_eq!(effects_of(text).effects, Effects::TRAP | Effects::WRITE);
}

/// A module of functions that call each other, of which some write and some trap.
fn text_of(edges: &[Vec<usize>]) -> String {
    let mut text = String::new();
    for (caller, callees) in edges.iter().enumerate() {
        text.push_str(&format!("local func @f{caller}(ptr, i64) {{\na(%p: ptr, %n: i64):\n"));
        match caller % 4 {
            1 => text.push_str("    store.i64 1, %p\n"),
            2 => text.push_str("    %x = load.i64 %p\n"),
            3 => text.push_str("    %x = udiv.i64 1, %n\n"),
            _ => {}
        }
        for callee in callees {
            text.push_str(&format!("    call @f{callee}(%p, %n)\n"));
        }
        text.push_str("    return\n}\n");
    }
    text
}

#[test]
fn a_call_does_what_all_do_that_it_leads_to() {
    on_many(|edges| {
        let text = text_of(edges);
        let module = parse_module(&text).unwrap();
        let effects = FunctionEffects::new(&module, &CallGraph::new(&module));
        let is_recursive = |at: usize| edges[at].iter().any(|&next| reached(edges, next, None)[at]);
        for at in 0..edges.len() {
            let reach = reached(edges, at, None);
            let mut expected = Effects::PURE;
            for other in (0..edges.len()).filter(|&other| reach[other]) {
                let own = [Effects::PURE, Effects::WRITE, Effects::READ, Effects::TRAP];
                expected |= own[other % 4];
                if is_recursive(other) {
                    expected |= Effects::TRAP;
                }
            }
            let found = effects.of(module.function_named(&format!("f{at}")).unwrap());
            assert_eq!(found.effects, expected, "{at} in {edges:?}");
            let returns =
                if expected.contains(Effects::TRAP) { Returns::Maybe } else { Returns::Always };
            assert_eq!(found.returns, returns, "{at} in {edges:?}");
        }
    });
}
