//! What passes copy has a size: one more instruction, and they leave it as it is.

use std::fmt::Write as _;

use brolga_ir::module::Module;
use brolga_ir::text::{parse_module, print_function};
use brolga_lowering::pipeline::{Report, RunOptions, passes_named, run_passes};
use brolga_lowering::target::TargetSpec;

/// A function `@f` that has a number of instructions more than it needs.
type Text = fn(Filler) -> String;

/// Instructions of which each takes what the one before it gives.
#[derive(Clone, Copy)]
struct Filler(usize);

impl Filler {
    /// Those that begin with a value; the last gives `%last`.
    fn behind(self, first: &str) -> String {
        let mut text = String::new();
        let mut before = first.to_owned();
        for index in 0..=self.0 {
            let value = if index == self.0 { "last".to_owned() } else { format!("v{index}") };
            let _ = writeln!(text, "    %{value} = xor.i64 {before}, %n");
            before = format!("%{value}");
        }
        text
    }
}

/// Passes, how many instructions more there may be at most, and the functions.
const LIMITS: &[(&str, usize, Text)] = &[
    ("inline", 45, callee),
    ("jump_threading", 7, joint),
    ("loop_rotate", 22, header),
    ("loop_unswitch", 94, invariant_branch),
    ("bounds_check_elimination", 194, checked),
    ("loop_unroll_full", 23, four_rounds),
    ("loop_vectorize", 248, vectors),
    ("simplify_cfg", 1, arm),
];

/// Whether the pass, run alone, makes another function of it.
fn changes(pass: &str, text: &str) -> bool {
    let mut module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let target = TargetSpec::parse("x86_64-linux/x86-64").expect("it is a target");
    let passes = passes_named([pass]).expect("it is a pass");
    let print = |module: &Module| {
        let id = module.function_named("f").expect("it is there");
        print_function(module, id)
    };
    let (before, mut report) = (print(&module), Report::default());
    let options = RunOptions::new(&target);
    run_passes(&mut module, &passes, &options, &mut report).expect("it runs");
    print(&module) != before
}

#[test]
fn passes_copy_what_is_small_and_leave_what_is_one_instruction_larger() {
    for &(pass, most, text) in LIMITS {
        assert!(changes(pass, &text(Filler(most))), "{pass} leaves {most} more");
        assert!(!changes(pass, &text(Filler(most + 1))), "{pass} takes {} more", most + 1);
    }
}

fn callee(filler: Filler) -> String {
    let filler = filler.behind("%n");
    format!(
        "func @g(i64) -> i64 {{
entry(%n: i64):
{filler}    return %last
}}
func @f(i64) -> i64 {{
entry(%n: i64):
    %r = call @g(%n)
    return %r
}}"
    )
}

fn joint(filler: Filler) -> String {
    let filler = filler.behind("%v");
    format!(
        "func @f(i1, i64) -> i64 {{
entry(%c: i1, %n: i64):
    branch %c, one, join(3)
one:
    jump join(4)
join(%v: i64):
{filler}    branch %c, yes, no
yes:
    return %last
no:
    return 0
}}"
    )
}

fn header(filler: Filler) -> String {
    let filler = filler.behind("%i");
    format!(
        "func @f(i64) -> i64 {{
entry(%n: i64):
    jump head(0)
head(%i: i64):
{filler}    %more = icmp.i64 slt %last, 100
    branch %more, again, out
again:
    %j = add.i64 %i, 1
    jump head(%j)
out:
    return %i
}}"
    )
}

fn invariant_branch(filler: Filler) -> String {
    let filler = filler.behind("%i");
    format!(
        "func @f(i64, i1) -> i64 {{
entry(%n: i64, %c: i1):
    jump head(%n)
head(%i: i64):
{filler}    branch %c, one, latch
one:
    jump latch
latch:
    %j = sub.i64 %last, 3
    %more = icmp.i64 sgt %j, 0
    branch %more, head(%j), out
out:
    return %j
}}"
    )
}

fn checked(filler: Filler) -> String {
    let filler = filler.behind("%s");
    format!(
        "func @f(i64, i64) -> i64 {{
    exit0 = trap bounds
entry(%n: i64, %l: i64):
    jump head(0, 0)
head(%i: i64, %s: i64):
    %ok = icmp.i64 ult %i, %l
    check %ok, exit0
{filler}    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, head(%j, %last), out
out:
    return %last
}}"
    )
}

fn four_rounds(filler: Filler) -> String {
    let filler = filler.behind("%s");
    format!(
        "func @f(i64) -> i64 {{
entry(%n: i64):
    jump head(0, %n)
head(%i: i64, %s: i64):
{filler}    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, 4
    branch %more, head(%j, %last), out
out:
    return %last
}}"
    )
}

fn vectors(filler: Filler) -> String {
    let filler = filler.behind("%x");
    format!(
        "func @f(i64, ptr) {{
entry(%n: i64, %p: ptr):
    jump head(0)
head(%i: i64):
    %at = mul.i64 %i, 8
    %a = ptr_add %p, %at
    %x = load.i64 %a
{filler}    store.i64 %last, %a
    %j = add.i64 %i, 1
    %more = icmp.i64 ult %j, %n
    branch %more, head(%j), out
out:
    return
}}"
    )
}

fn arm(filler: Filler) -> String {
    let filler = filler.behind("%n");
    format!(
        "func @f(i1, i64) -> i64 {{
entry(%c: i1, %n: i64):
    branch %c, yes, join(%n)
yes:
{filler}    jump join(%last)
join(%r: i64):
    return %r
}}"
    )
}
