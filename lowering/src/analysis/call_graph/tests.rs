use std::fmt::Write;

use brolga_ir::text::parse_module;

use super::*;
use crate::analysis::tests::graphs::{long_graphs, on_many, reached};

/// A module of functions that call each other as the edges say.
fn module_of(edges: &[Vec<usize>]) -> Module {
    let mut text = String::new();
    for (caller, callees) in edges.iter().enumerate() {
        writeln!(text, "local func @f{caller}() {{\na:").unwrap();
        callees.iter().for_each(|callee| writeln!(text, "    call @f{callee}()").unwrap());
        text.push_str("    return\n}\n");
    }
    parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

#[test]
fn functions_come_behind_what_they_call() {
    on_many(|edges| {
        let module = module_of(edges);
        let calls = CallGraph::new(&module);
        let id = |at: usize| module.function_named(&format!("f{at}")).unwrap();
        let groups: Vec<Vec<FuncId>> = calls.bottom_up().collect();
        let place = |at| groups.iter().position(|group| group.contains(&id(at))).unwrap();
        for from in 0..edges.len() {
            let leads =
                |at: usize, to: usize| edges[at].iter().any(|&next| reached(edges, next, None)[to]);
            assert_eq!(calls.is_recursive(id(from)), leads(from, from), "{from} in {edges:?}");
            for to in 0..edges.len() {
                let is_called = edges[from].contains(&to);
                assert_eq!(calls.callees(id(from)).contains(&id(to)), is_called);
                assert_eq!(calls.callers(id(to)).contains(&id(from)), is_called);
                let together = from == to || (leads(from, to) && leads(to, from));
                assert_eq!(place(from) == place(to), together, "{edges:?}");
                assert!(!is_called || place(to) <= place(from), "{edges:?}");
            }
            assert!(!calls.calls_unknown(id(from)) && !calls.is_known_outside(id(from)));
        }
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), edges.len());
    });
}

#[test]
fn every_way_to_a_function_is_seen() {
    let text = "import func @far()
foreign func @c()
func @shared() {
a:
    return
}
local func @taken() {
a:
    return
}
local func @in_data() {
a:
    return
}
data @table = { ptr @in_data }
local func @modifier(i64, i64) -> i64 {
a(%x: i64, %y: i64):
    return %x
}
local func @slow() {
a:
    return
}
local func @f(ptr, i1) {
    exit0 = deopt @slow
a(%p: ptr, %c: i1):
    %f = function_addr.fn() @taken
    check %c, exit0
    %x, %y = atomic_modify.i64 @modifier, seq_cst %p, 1
    call @far()
    call @far()
    call_foreign @c()
    return_call @shared()
}
local func @g(ptr) {
a(%p: ptr):
    call_ptr.fn() %p()
    return
}
";
    let module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let calls = CallGraph::new(&module);
    let id = |name: &str| module.function_named(name).unwrap();
    let mut expected: Vec<FuncId> =
        ["far", "c", "shared", "modifier", "slow"].iter().map(|name| id(name)).collect();
    expected.sort_unstable();
    assert_eq!(calls.callees(id("f")), expected);
    assert_eq!(calls.callers(id("far")), [id("f")]);
    let unknown = |name| calls.calls_unknown(id(name));
    assert!(unknown("g") && unknown("far") && unknown("c"));
    assert!(!unknown("f") && !unknown("shared"));
    let outside = |name| calls.is_known_outside(id(name));
    assert!(outside("shared") && outside("taken") && outside("in_data"));
    assert!(!outside("f") && !outside("slow") && !outside("modifier"));
}

#[test]
fn long_chains_of_calls_need_no_deep_stack() {
    for (name, edges) in long_graphs(1000) {
        let calls = CallGraph::new(&module_of(&edges));
        assert!(calls.bottom_up().count() > 0, "{name}");
    }
}
