//! What is left of functions, read as text.

use brolga_ir::text::parse_module;
use brolga_ir::verify::{Options, verify_module};

use super::*;

/// What is left of `@f` from the block of that name on, where the frame has those values and
/// slots.
fn left(text: &str, block: &str, values: &[(&str, i32)], slots: &[(i32, u32)]) -> Option<String> {
    left_of(text, block, |named| FrameMap {
        values: values.iter().map(|&(name, home)| (named(name), home)).collect(),
        slots: slots.to_vec(),
        ..FrameMap::default()
    })
}

/// The same where the frame is told of values by their names.
fn left_of(
    text: &str,
    block: &str,
    frame: impl FnOnce(&dyn Fn(&str) -> Value) -> FrameMap,
) -> Option<String> {
    let mut module = parse_module(text).unwrap();
    let id = module.function_named("f").unwrap();
    let body = module.function(id).unwrap().body.as_deref().unwrap();
    let block = body.block_named(block).unwrap();
    let frame = frame(&|name| body.value_named(name).unwrap());
    let added = continuation(&mut module, id, block, &frame)?;
    verify_module(&module, &Options::default()).unwrap();
    let name = &module.function(added).unwrap().name;
    let text = module.to_string();
    let at = text.find(&format!("func @\"{name}\"")).unwrap();
    Some(text[at..].trim_end().to_owned())
}

fn expect(found: Option<String>, wanted: &[&str]) {
    let found = found.expect("something is left");
    let lines: Vec<&str> = found.lines().map(str::trim).collect();
    assert_eq!(lines, wanted, "{found}");
}

const NESTED: &str = "
func @f(i64) -> i64 {
b(%n: i64):
    %twice = mul.i64 %n, 2
    jump outer(0)
outer(%i: i64):
    %square = mul.i64 %i, %i
    jump inner(%i, 0)
inner(%j: i64, %k: i64):
    %s = add.i64 %j, %square
    %t = add.i64 %s, %twice
    %next = add.i64 %k, 1
    %more = icmp.i64 slt %next, %i
    branch %more, inner(%t, %next), after
after:
    %again = icmp.i64 slt %t, %n
    branch %again, outer(%t), end
end:
    return %t
}
";

#[test]
fn what_comes_from_before_is_read_and_what_is_defined_anew_meets_it() {
    let homes = [("n", -8), ("twice", -16), ("i", -24), ("square", -32), ("j", -40), ("k", -48)];
    expect(
        left(NESTED, "inner", &homes, &[]),
        &[
            r#"func @"f from block2"(ptr) -> i64 {"#,
            "block5(%14: ptr):",
            "%15 = load.i64 %14-8",
            "%16 = load.i64 %14-16",
            "%17 = load.i64 %14-24",
            "%18 = load.i64 %14-32",
            "%19 = load.i64 %14-40",
            "%20 = load.i64 %14-48",
            "jump block8(%19, %20)",
            "block7:",
            "%23 = icmp.i64 slt %27, %15",
            "branch %23, outer(%27), end(%27)",
            "block8(%24: i64, %25: i64):",
            "%26 = add.i64 %24, %18",
            "%27 = add.i64 %26, %16",
            "%28 = add.i64 %25, 1",
            "%29 = icmp.i64 slt %28, %17",
            "branch %29, block8(%27, %28), block7",
            "outer(%i: i64):",
            "%square = mul.i64 %i, %i",
            "jump inner(%i, 0)",
            "inner(%j: i64, %k: i64):",
            "%s = add.i64 %j, %square",
            "%t = add.i64 %s, %16",
            "%next = add.i64 %k, 1",
            "%more = icmp.i64 slt %next, %i",
            "branch %more, inner(%t, %next), after",
            "after:",
            "%again = icmp.i64 slt %t, %15",
            "branch %again, outer(%t), end(%t)",
            "end(%36: i64):",
            "return %36",
            "}",
        ],
    );
}

#[test]
fn a_value_without_a_home_leaves_nothing() {
    let homes = [("n", -8), ("i", -24), ("square", -32), ("j", -40), ("k", -48)];
    assert_eq!(left(NESTED, "inner", &homes, &[]), None);
}

#[test]
fn large_loops_are_not_copied_and_have_a_header_each() {
    let more: String = (0..2000).map(|at| format!("    %m{at} = add.i64 %i, {at}\n")).collect();
    let text = NESTED.replace("    %square =", &format!("{more}    %square ="));
    let homes = [("n", -8), ("twice", -16), ("i", -24), ("square", -32), ("j", -40), ("k", -48)];
    let found = left(&text, "inner", &homes, &[]).unwrap();
    assert_eq!(found.matches(" = mul.i64 %i, %i").count(), 1);
    assert_eq!(found.matches("jump inner(").count(), 1, "{found}");
    assert_eq!(found.matches("jump block6(").count(), 2, "{found}");
}

/// The loop around is entered at another block than that of its mark, which would be none.
#[test]
fn marks_stay_in_headers_alone() {
    let more: String = (0..2000).map(|at| format!("    %m{at} = add.i64 %i, {at}\n")).collect();
    let text = NESTED
        .replace("    %square =", &format!("    loop_mark unroll 3\n{more}    %square ="))
        .replace("    %s =", "    loop_mark unroll 5\n    %s =");
    let homes = [("n", -8), ("twice", -16), ("i", -24), ("square", -32), ("j", -40), ("k", -48)];
    let found = left(&text, "inner", &homes, &[]).unwrap();
    assert!(found.contains("loop_mark unroll 5"), "{found}");
    assert!(!found.contains("loop_mark unroll 3"), "{found}");
}

/// Each of so many values is defined anew, and would meet in each of so many blocks.
#[test]
fn what_meets_in_too_many_blocks_leaves_nothing() {
    let text = |count: usize| {
        let mut text =
            "func @f(i64) -> i64 {\nb(%n: i64):\n    jump outer(0)\nouter(%i: i64):\n".to_owned();
        let mut homes = vec![("n".to_owned(), -8), ("i".to_owned(), -16)];
        for at in 0..count {
            text += &format!("    %v{at} = add.i64 %i, {at}\n");
            homes.push((format!("v{at}"), -24 - 8 * at as i32));
        }
        text += "    jump inner(0)\ninner(%k: i64):\n";
        homes.push(("k".to_owned(), -24 - 8 * count as i32));
        text += "    %next = add.i64 %k, 1\n    %more = icmp.i64 slt %next, %i\n    \
                 branch %more, inner(%next), x0\n";
        for at in 0..count {
            text += &format!(
                "x{at}:\n    %c{at} = icmp.i64 slt %v{at}, %k\n    \
                              branch %c{at}, x{}, end\n",
                at + 1
            );
        }
        text += &format!("x{count}:\n    jump outer(%k)\nend:\n    return %k\n}}\n");
        (text, homes)
    };
    let left = |count: usize| {
        let (text, homes) = text(count);
        let homes: Vec<(&str, i32)> = homes.iter().map(|(name, at)| (&**name, *at)).collect();
        left(&text, "inner", &homes, &[])
    };
    assert!(left(100).is_some());
    assert!(left(800).is_none());
}

#[test]
fn the_copy_of_a_loop_leads_to_that_of_the_next_one_around() {
    let text = "
func @f(i64) -> i64 {
b(%n: i64):
    jump x(0)
x(%i: i64):
    jump y(0)
y(%j: i64):
    jump z(0)
z(%k: i64):
    %k1 = add.i64 %k, 1
    %inside = icmp.i64 slt %k1, 9
    branch %inside, z(%k1), after_z
after_z:
    %j1 = add.i64 %j, 2
    %around = icmp.i64 slt %j1, 9
    branch %around, y(%j1), after_y
after_y:
    %i1 = add.i64 %i, 3
    %again = icmp.i64 slt %i1, %n
    branch %again, x(%i1), end
end:
    return %i1
}
";
    let homes = [("n", -8), ("i", -16), ("j", -24), ("k", -32)];
    let found = left(text, "z", &homes, &[]).unwrap();
    let count = |part: &str| found.matches(part).count();
    // `x` once, `y` in that and in its copy, `z` in these and in the copy of the first.
    assert_eq!((count(", 3\n"), count(", 2\n"), count(", 1\n")), (2, 3, 3), "{found}");
    // Each is entered from where it goes round, from before it, and from one copy.
    let leads = |to: &str| found.matches(&format!(" {to}(")).count();
    assert_eq!((leads("x"), leads("y"), leads("z")), (2, 2, 2), "{found}");
}

#[test]
fn what_is_used_where_it_is_defined_alone_needs_no_home() {
    let text = "
func @f(i64) -> i64 {
b(%n: i64):
    jump outer(0)
outer(%i: i64):
    %square = mul.i64 %i, %i
    %start = add.i64 %square, 1
    jump inner(%start)
inner(%j: i64):
    %next = add.i64 %j, 3
    %more = icmp.i64 slt %next, %n
    branch %more, inner(%next), after
after:
    %again = icmp.i64 slt %next, 99
    branch %again, outer(%next), end
end:
    return %next
}
";
    expect(
        left(text, "inner", &[("n", -8), ("j", -16)], &[]),
        &[
            r#"func @"f from block2"(ptr) -> i64 {"#,
            "block5(%12: ptr):",
            "%13 = load.i64 %12-8",
            "%14 = load.i64 %12-16",
            "jump block8(%14)",
            "block7:",
            "%18 = icmp.i64 slt %20, 99",
            "branch %18, outer(%20), end(%20)",
            "block8(%19: i64):",
            "%20 = add.i64 %19, 3",
            "%21 = icmp.i64 slt %20, %13",
            "branch %21, block8(%20), block7",
            "outer(%i: i64):",
            "%square = mul.i64 %i, %i",
            "%start = add.i64 %square, 1",
            "jump inner(%start)",
            "inner(%j: i64):",
            "%next = add.i64 %j, 3",
            "%more = icmp.i64 slt %next, %13",
            "branch %more, inner(%next), after",
            "after:",
            "%again = icmp.i64 slt %next, 99",
            "branch %again, outer(%next), end(%next)",
            "end(%24: i64):",
            "return %24",
            "}",
        ],
    );
}

#[test]
fn a_parameter_that_nobody_uses_needs_no_home() {
    let text = "
func @f() -> i64 {
b:
    jump loop(1, 2)
loop(%x: i64, %unused: i64):
    %y = add.i64 %x, 1
    %more = icmp.i64 slt %y, 9
    branch %more, loop(%y, %y), end
end:
    return %y
}
";
    expect(
        left(text, "loop", &[("x", -8)], &[]),
        &[
            r#"func @"f from block1"(ptr) -> i64 {"#,
            "block3(%7: ptr):",
            "%8 = load.i64 %7-8",
            "jump loop(%8, 0)",
            "loop(%x: i64, %unused: i64):",
            "%y = add.i64 %x, 1",
            "%more = icmp.i64 slt %y, 9",
            "branch %more, loop(%y, %y), end",
            "end:",
            "return %y",
            "}",
        ],
    );
}

const SLOTS: &str = "
foreign func @keep(ptr) -> ()
func @f() -> i64 {
    ss0 = slot 8
    ss1 = slot 16 align 64
b:
    %own = slot_addr ss0
    %shared = slot_addr ss1
    call_foreign @keep(%shared)
    jump loop(0)
loop(%i: i64):
    %x = load.i64 %own
    store.i64 %x, %shared
    slot_start ss1
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, 9
    branch %more, loop(%j), end
end:
    return %x
}
";

#[test]
fn a_slot_whose_address_is_out_stays_and_another_is_copied() {
    expect(
        left(SLOTS, "loop", &[("i", -8)], &[(-16, 8), (-96, 64)]),
        &[
            r#"func @"f from block1"(ptr) -> i64 {"#,
            "ss0 = slot 8",
            "ss1 = slot 16 align 64",
            "block3(%9: ptr):",
            "%11 = ptr_add %9, -16",
            "%12 = slot_addr ss0",
            "mem_copy %12, %11, 8",
            "%15 = ptr_add %9, -33",
            "%16 = ptr_to_int %15",
            "%18 = and.i64 %16, 63",
            "%19 = sub.i64 0, %18",
            "%20 = ptr_add %15, %19",
            "%21 = load.i64 %9-8",
            "jump loop(%21)",
            "loop(%i: i64):",
            "%x = load.i64 %12",
            "store.i64 %x, %20",
            "mem_fill %20, 0, 16",
            "%j = add.i64 %i, 1",
            "%more = icmp.i64 slt %j, 9",
            "branch %more, loop(%j), end",
            "end:",
            "return %x",
            "}",
        ],
    );
}

#[test]
fn a_slot_that_is_shared_and_read_by_offsets_leaves_nothing() {
    let text = SLOTS.replace("slot_start ss1", "slot_store.i64 %x, ss1, 0");
    assert_eq!(left(&text, "loop", &[("i", -8)], &[(-16, 8), (-96, 64)]), None);
}

#[test]
fn an_address_in_a_slot_that_the_frame_holds_keeps_that_in_its_place() {
    let text = "
func @f() -> i64 {
    ss0 = slot 16
b:
    %p = slot_addr ss0
    %q = ptr_add %p, 8
    jump loop(0)
loop(%i: i64):
    store.i64 %i, %q
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, 9
    branch %more, loop(%j), end
end:
    %x = load.i64 %p+8
    return %x
}
";
    expect(
        left(text, "loop", &[("i", -8), ("q", -16)], &[(-32, 16)]),
        &[
            r#"func @"f from block1"(ptr) -> i64 {"#,
            "ss0 = slot 16",
            "block3(%10: ptr):",
            "%12 = ptr_add %10, -32",
            "%13 = load.ptr %10-16",
            "%14 = load.i64 %10-8",
            "jump loop(%14)",
            "loop(%i: i64):",
            "store.i64 %i, %13",
            "%j = add.i64 %i, 1",
            "%more = icmp.i64 slt %j, 9",
            "branch %more, loop(%j), end",
            "end:",
            "%x = load.i64 %12+8",
            "return %x",
            "}",
        ],
    );
}

#[test]
fn truth_values_are_their_lowest_bit() {
    let text = "
func @f(i1) -> i1 {
b(%c: i1):
    jump loop(0)
loop(%i: i64):
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, 9
    branch %more, loop(%j), end
end:
    return %c
}
";
    expect(
        left(text, "loop", &[("i", -8), ("c", -16)], &[]),
        &[
            r#"func @"f from block1"(ptr) -> i1 {"#,
            "block3(%7: ptr):",
            "%8 = load.i8 %7-16",
            "%9 = trunc.i1 %8",
            "%10 = load.i64 %7-8",
            "jump loop(%10)",
            "loop(%i: i64):",
            "%j = add.i64 %i, 1",
            "%more = icmp.i64 slt %j, 9",
            "branch %more, loop(%j), end",
            "end:",
            "return %9",
            "}",
        ],
    );
}

#[test]
fn masks_of_vectors_leave_nothing() {
    let text = "
func @f(i1x4) -> i1x4 {
b(%c: i1x4):
    jump loop(0)
loop(%i: i64):
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, 9
    branch %more, loop(%j), end
end:
    return %c
}
";
    assert_eq!(left(text, "loop", &[("i", -8), ("c", -16)], &[]), None);
}

#[test]
fn a_block_that_nothing_leads_to_leaves_nothing() {
    let text = "
func @f() -> i64 {
b:
    return 1
away:
    jump away
}
";
    assert_eq!(left(text, "away", &[], &[]), None);
}

#[test]
fn what_was_taken_apart_is_put_together_again() {
    let text = "
func @f({i64, {f64, i1}}) -> i64 {
b(%p: {i64, {f64, i1}}):
    jump loop(%p, 0)
loop(%q: {i64, {f64, i1}}, %i: i64):
    %x = extract_value.{i64, {f64, i1}} %q, 0
    %j = add.i64 %i, %x
    %more = icmp.i64 slt %j, 100
    branch %more, loop(%q, %j), end
end:
    %y = extract_value.{i64, {f64, i1}} %p, 0
    return %y
}
";
    let found = left_of(text, "loop", |value| {
        let one = Constant::scalar(Type::F64, 1.0_f64.to_bits().into()).unwrap();
        FrameMap {
            values: vec![(value("i"), -8)],
            split: vec![
                (value("p"), vec![Leaf::Home(-16), Leaf::Constant(one), Leaf::Unused]),
                (value("q"), vec![Leaf::Home(-24), Leaf::Unused, Leaf::Home(-32)]),
            ],
            slots: Vec::new(),
        }
    });
    expect(
        found,
        &[
            r#"func @"f from block1"(ptr) -> i64 {"#,
            "block3(%9: ptr):",
            "%10 = load.i64 %9-16",
            "%13 = make_aggregate.{f64, i1} 1.0, 0",
            "%14 = make_aggregate.{i64, {f64, i1}} %10, %13",
            "%15 = load.i64 %9-24",
            "%17 = load.i8 %9-32",
            "%18 = trunc.i1 %17",
            "%19 = make_aggregate.{f64, i1} 0.0, %18",
            "%20 = make_aggregate.{i64, {f64, i1}} %15, %19",
            "%21 = load.i64 %9-8",
            "jump loop(%20, %21)",
            "loop(%q: {i64, {f64, i1}}, %i: i64):",
            "%x = extract_value.{i64, {f64, i1}} %q, 0",
            "%j = add.i64 %i, %x",
            "%more = icmp.i64 slt %j, 100",
            "branch %more, loop(%q, %j), end",
            "end:",
            "%y = extract_value.{i64, {f64, i1}} %14, 0",
            "return %y",
            "}",
        ],
    );
}
