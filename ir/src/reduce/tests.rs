use super::*;
use crate::interpret::Interpreter;
use crate::op::Op;

const LARGE: &str = "\
module \"m\"

data @table = { i32 [1, 2, 3, 4] }
data @other = { zero 8 }

func @helper(i32, i32, i32) -> i32 {
entry(%a: i32, %b: i32, %c: i32):
    %q = sdiv.i32 %a, %c
    %r = add.i32 %q, %b
    return %r
}

func @unrelated(i64) -> i64 {
entry(%n: i64):
    jump loop(0, %n)
loop(%i: i64, %m: i64):
    %j = add.i64 %i, 1
    %d = icmp.i64 eq %j, %m
    branch %d, out(%j), loop(%j, %m) weights(1, 99)
out(%r: i64):
    return %r
}

func @main(i32) -> i32 {
    ss0 = slot 16
    exit0 = trap bounds
entry(%x: i32):
    slot_store.i32 %x, ss0, 0
    %v = slot_load.i32 ss0, 0
    %t = data_load.i32 @table, 4
    %s = mul.i32 %v, %t
    %ok = icmp.i32 sge %s, 0
    check %ok, exit0
    switch.i32 %x, [1: one, 2: two(%s), 3: three], other(%s)
one:
    %w = call @helper(%s, %x, %v)
    return %w
two(%p: i32):
    %u = call @unrelated(7)
    return %p
three:
    return 3
other(%o: i32):
    %k = call @helper(%o, %x, 0)
    return %k
}
";

fn module(text: &str) -> Module {
    let module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    verify_module(&module, &Rules::default()).unwrap();
    module
}

fn has(module: &Module, op: Op) -> bool {
    let mut bodies = module.functions().filter_map(|(_, function)| function.body.as_deref());
    bodies.any(|body| placed(body).iter().any(|&inst| body.inst(inst).op == op))
}

#[test]
fn what_is_not_needed_goes() {
    let large = module(LARGE);
    let mut shows = |candidate: &Module| has(candidate, Op::Sdiv);
    let small = reduce(&large, &Options::default(), &mut shows);
    let wanted = "func @helper() -> i32 {\nentry:\n    %q = sdiv.i32 0, 0\n    \
                  return 0\n}\n";
    assert_eq!(print_module(&small), wanted);
}

#[test]
fn ways_and_loops_stay_where_they_are_needed() {
    let large = module(LARGE);
    let is_loop = |body: &Body| {
        let graph = crate::flow::FlowGraph::new(body);
        let mut blocks = body.layout.blocks();
        blocks.any(|block| {
            graph.successors(block).len() == 2 && graph.successors(block).contains(&block)
        })
    };
    let mut shows = |candidate: &Module| {
        candidate.functions().any(|(_, function)| function.body.as_deref().is_some_and(is_loop))
    };
    let small = reduce(&large, &Options::default(), &mut shows);
    let wanted = "func @unrelated() -> i64 {\nentry:\n    jump loop\nloop:\n    \
                  branch 0, out, loop\nout:\n    return 0\n}\n";
    assert_eq!(print_module(&small), wanted);
}

#[test]
fn functions_that_somebody_calls_stay_as_they_are_called() {
    let large = module(LARGE);
    let mut shows = |candidate: &Module| {
        let mut interpreter = Interpreter::setup().module(candidate).build().unwrap();
        let answer = interpreter.call("main", &[5i32.into()]);
        answer.is_err_and(|error| error.to_string().contains("divided by zero"))
    };
    let options = Options { fixed: &["main"], ..Options::default() };
    let small = reduce(&large, &options, &mut shows);
    let text = print_module(&small);
    assert!(shows(&small) && text.contains("func @main(i32) -> i32 {"), "{text}");
    assert!(Size::of(&small).instructions <= 4, "{text}");
}

#[test]
fn it_comes_to_the_same_each_time_and_tries_no_more_than_it_may() {
    let large = module(LARGE);
    let reduced = |tries| {
        let mut count = 0;
        let mut shows = |candidate: &Module| {
            count += 1;
            has(candidate, Op::Switch)
        };
        let small = reduce(&large, &Options { tries, ..Options::default() }, &mut shows);
        (print_module(&small), count)
    };
    assert_eq!(reduced(usize::MAX), reduced(usize::MAX));
    let (text, count) = reduced(7);
    assert!(count == 7 && text.contains("switch"), "{count}: {text}");
    assert_eq!(reduced(0), (print_module(&large), 0));
}

#[test]
fn every_module_that_is_tried_verifies_and_is_smaller() {
    let large = module(LARGE);
    let mut least = Size::of(&large);
    let mut shows = |candidate: &Module| {
        verify_module(candidate, &Rules::default()).unwrap();
        assert!(Size::of(candidate) < least);
        let is_kept = has(candidate, Op::Check);
        if is_kept {
            least = Size::of(candidate);
        }
        is_kept
    };
    reduce(&large, &Options::default(), &mut shows);
}

#[test]
fn of_a_list_stays_what_is_needed() {
    let items: Vec<u32> = (0..40).collect();
    let mut shows = |some: &[u32]| [3, 17, 39].iter().all(|it| some.contains(it));
    assert_eq!(minimal_list(&items, &mut shows), [3, 17, 39]);
    assert_eq!(minimal_list(&items, &mut |_| true), [0; 0]);
    assert_eq!(minimal_list(&items[..3], &mut |_| false), [0, 1, 2]);
    // What can go only behind something else goes, too.
    let mut coupled = |some: &[u32]| !some.contains(&1) || some.contains(&0);
    assert_eq!(minimal_list(&[1, 0], &mut coupled), [0; 0]);
}

#[test]
fn kinds_of_failures_have_neither_names_nor_numbers() {
    assert_eq!(kind_of("call 3, of @f17: 12 differs\nmore"), "call of differs");
    assert_eq!(kind_of("`gvn` for x86_64: panicked: at 7"), "`gvn` for panicked: at");
}

#[test]
fn a_call_through_an_address_that_is_caught_becomes_one_by_name() {
    let text = "\
func @fences(i64) -> i64 {
entry(%x: i64):
    fence seq_cst
    return %x
}

func @main(i64) -> i64 {
entry(%x: i64):
    %a = function_addr.fn(i64) -> i64 @fences
    %p = function_to_ptr.fn(i64) -> i64 %a
    %r = try_call_ptr.fn(i64) -> i64 %p(%x) normal fine(%r), unwind caught
fine(%s: i64):
    return %s
caught:
    return 1
}
";
    let large = module(text);
    let mut shows = |candidate: &Module| {
        has(candidate, Op::Fence) && (has(candidate, Op::Call) || has(candidate, Op::TryCallPtr))
    };
    let small = print_module(&reduce(&large, &Options::default(), &mut shows));
    let wanted = "func @fences() -> i64 {\nentry:\n    fence seq_cst\n    return 0\n}\n\n\
                  func @main() -> i64 {\nentry:\n    %7 = call @fences()\n    return 0\n}\n";
    assert_eq!(small, wanted);
}
