//! What a program may use up, and not a step, byte or activation more.

use super::*;

fn limited(text: &str, limits: Limits) -> Result<Vec<Datum>, CallError> {
    let module = module(text);
    Interpreter::setup().module(&module).limits(limits).build().unwrap().call("main", &[])
}

/// The code of the trap under those limits; nothing if there is none.
fn code(text: &str, limits: Limits) -> Option<TrapCode> {
    match limited(text, limits) {
        Ok(_) => None,
        Err(error) => Some(error.code().unwrap_or_else(|| panic!("{error}"))),
    }
}

#[test]
fn every_instruction_is_a_step_and_the_last_one_counts() {
    let text = "func @main() {\nentry:\n    poll\n    poll\n    return\n}";
    assert_eq!(code(text, Limits { steps: 3, ..Limits::default() }), None);
    assert_eq!(code(text, Limits { steps: 2, ..Limits::default() }), Some(TrapCode::OutOfFuel));
}

#[test]
fn each_call_from_outside_has_all_steps() {
    let module = module("func @main() {\nentry:\n    poll\n    poll\n    return\n}");
    let limits = Limits { steps: 3, ..Limits::default() };
    let mut interpreter = Interpreter::setup().module(&module).limits(limits).build().unwrap();
    for _ in 0..3 {
        interpreter.call("main", &[]).unwrap();
        assert_eq!(interpreter.steps_left(), 0);
    }
}

#[test]
fn work_on_many_bytes_takes_steps() {
    let foreign = "foreign @memset(ptr, i32, i64) -> ptr\nforeign @strlen(ptr) -> i64";
    for op in [
        "mem_fill %p, 1, 65536",
        "mem_copy %p, %p, 65536",
        "%x = mem_compare %p, %p, 65536",
        "slot_start ss0",
        "%x = call_foreign @memset(%p, 1, 65536)",
        "mem_fill %p, 1, 1000\n    %x = call_foreign @strlen(%p)",
        "%x = alloc_object null, 65536",
    ] {
        let text = format!(
            "{foreign}\nfunc @main() {{\n  ss0 = slot 65536\nentry:\n    %p = slot_addr ss0\n    {op}\n    return\n}}"
        );
        assert_eq!(
            code(&text, Limits { steps: 500, ..Limits::default() }),
            Some(TrapCode::OutOfFuel),
            "{op}"
        );
        assert_eq!(code(&text, Limits { steps: 5_000, ..Limits::default() }), None, "{op}");
    }
}

#[test]
fn copying_parts_takes_steps_and_those_with_storage_of_their_own_more() {
    let text = |ty: &str| {
        format!(
            "func @main() {{\nentry:\n    jump next({ty}:zero)\nnext(%x: {ty}):\n    %y = select.{ty} 1, %x, %x\n    return\n}}"
        )
    };
    for (ty, least, most) in [
        ("[1600 x i64]", 100, 1_000),
        ("[1600 x {}]", 1_600, 16_000),
        ("[1600 x {i8}]", 1_600, 16_000),
        ("[800 x {{}}]", 1_600, 16_000),
        ("[1600 x i8x2]", 1_600, 16_000),
    ] {
        let of = |steps| code(&text(ty), Limits { steps, ..Limits::default() });
        assert_eq!(of(least), Some(TrapCode::OutOfFuel), "{ty}");
        assert_eq!(of(most), None, "{ty}");
    }
}

/// Types are measured when they are made: to take this one apart at each of its
/// 400,000 uses takes minutes.
#[test]
fn a_large_type_costs_no_more_to_use_than_a_small_one() {
    let inner = format!("{{{}}}", vec!["i8"; 4_000].join(", "));
    let large = format!("{{{}}}", vec![inner.as_str(); 16].join(", "));
    let uses: String =
        (0..200_000).map(|n| format!("b{n}:\n    branch 1, last(%x), last(%x)\n")).collect();
    let text = format!(
        "func @main() {{\nentry:\n    %x = opaque.{large} zero\n    return\n{uses}last(%y: {large}):\n    return\n}}"
    );
    let start = std::time::Instant::now();
    assert_eq!(code(&text, Limits::default()), None);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn memory_that_is_made_takes_steps() {
    let text = |op: &str| {
        format!(
            "foreign @malloc(i64) -> ptr\nforeign @calloc(i64, i64) -> ptr\nforeign @realloc(ptr, i64) -> ptr\nforeign @aligned_alloc(i64, i64) -> ptr\nfunc @slots() {{\n  ss0 = slot 65536\nentry:\n    return\n}}\nfunc @main() {{\nentry:\n    {op}\n    return\n}}"
        )
    };
    for op in [
        "call @slots()",
        "%x = call_foreign @malloc(65536)",
        "%x = call_foreign @calloc(256, 256)",
        "%x = call_foreign @realloc(null, 65536)",
        "%x = call_foreign @aligned_alloc(32, 65536)",
    ] {
        let of = |steps| code(&text(op), Limits { steps, ..Limits::default() });
        assert_eq!(of(500), Some(TrapCode::OutOfFuel), "{op}");
        assert_eq!(of(1_500), None, "{op}");
    }
}

#[test]
fn sorting_takes_steps_for_the_bytes_it_moves() {
    let text = "foreign @qsort(ptr, i64, i64, ptr)\nfunc @same(ptr, ptr) -> i32 {\nentry(%a: ptr, %b: ptr):\n    return 0\n}\nfunc @main() {\n  ss0 = slot 65536\nentry:\n    %p = slot_addr ss0\n    %f = function_addr.fn(ptr, ptr) -> i32 @same\n    %c = function_to_ptr.fn(ptr, ptr) -> i32 %f\n    call_foreign @qsort(%p, 2, 32768, %c)\n    return\n}";
    // The slot, the copy, and the way there and back: 1,024 steps each.
    let of = |steps| code(text, Limits { steps, ..Limits::default() });
    assert_eq!(of(4_000), Some(TrapCode::OutOfFuel));
    assert_eq!(of(4_200), None);
}

#[test]
fn text_that_does_not_fit_is_not_made_first() {
    let text = |call: &str| {
        let foreign = "foreign @puts(ptr) -> i32\nforeign @fputs(ptr, ptr) -> i32\nforeign @printf(ptr, ...) -> i32\nforeign @fprintf(ptr, ptr, ...) -> i32\nforeign @snprintf(ptr, i64, ptr, ...) -> i32\ndata @format = { bytes \"%s%s%s%s\\00\" }";
        format!(
            "{foreign}\nfunc @main() {{\n  ss0 = slot 65536\nentry:\n    %p = slot_addr ss0\n    mem_fill %p, 97, 65535\n    %s = data_addr @format\n    %n = call_foreign {call}\n    return\n}}"
        )
    };
    // Steps for the slot and its filling, and for few bytes more.
    let few = Limits { steps: 2_500, output: 100, ..Limits::default() };
    for call in [
        "@puts(%p)",
        "@fputs(%p, null)",
        "@printf(%s, %p, %p, %p, %p)",
        "@fprintf(null, %s, %p, %p, %p, %p)",
    ] {
        assert_eq!(code(&text(call), few), Some(TrapCode::OutOfMemory), "{call}");
        let enough = Limits { output: 1 << 20, ..Limits::default() };
        assert_eq!(code(&text(call), enough), None, "{call}");
    }
    let memory = Limits { memory: 100_000, ..Limits::default() };
    let measured = text("@snprintf(null, 0, %s, %p, %p, %p, %p)");
    assert_eq!(code(&measured, memory), Some(TrapCode::OutOfMemory));
    assert_eq!(code(&measured, Limits::default()), None);
}

#[test]
fn constants_of_all_functions_together_have_a_limit() {
    let count = 40;
    let holder = |n: usize| {
        format!("func @f{n}() {{\nentry:\n    %a = opaque.[1000 x i64] zero\n    return\n}}\n")
    };
    let functions: String = (0..count).map(holder).collect();
    let calls: String = (0..count).map(|n| format!("    call @f{n}()\n")).collect();
    let text = format!("{functions}func @main() {{\nentry:\n{calls}    return\n}}");
    assert_eq!(
        code(&text, Limits { memory: 1 << 20, ..Limits::default() }),
        Some(TrapCode::OutOfMemory)
    );
    assert_eq!(code(&text, Limits { memory: 1 << 21, ..Limits::default() }), None);
}

#[test]
fn output_that_does_not_fit_is_not_copied_first() {
    let text = "foreign @fwrite(ptr, i64, i64, ptr) -> i64\nfunc @main() {\n  ss0 = slot 65536\nentry:\n    %p = slot_addr ss0\n    %n = call_foreign @fwrite(%p, 1, 65536, null)\n    return\n}";
    // The slot takes 1,024 steps, too.
    let few = Limits { steps: 1_500, ..Limits::default() };
    assert_eq!(code(text, few), Some(TrapCode::OutOfFuel));
    assert_eq!(code(text, Limits { output: 65_535, ..few }), Some(TrapCode::OutOfMemory));
    assert_eq!(code(text, Limits { output: 65_536, ..Limits::default() }), None);
}

#[test]
fn activations_are_counted() {
    let text = "
func @down(i64) {
entry(%n: i64):
    %zero = icmp.i64 eq %n, 0
    branch %zero, done, more
more:
    %m = sub.i64 %n, 1
    call @down(%m)
    jump done
done:
    return
}
func @main() {
entry:
    call @down(8)
    return
}";
    assert_eq!(code(text, Limits { depth: 10, ..Limits::default() }), None);
    assert_eq!(code(text, Limits { depth: 9, ..Limits::default() }), Some(TrapCode::StackOverflow));
}

#[test]
fn memory_that_is_used_up_is_a_trap_or_null() {
    let limits = Limits { memory: 1 << 16, ..Limits::default() };
    let text = |ops: &str| {
        format!(
            "foreign @malloc(i64) -> ptr\nforeign @calloc(i64, i64) -> ptr\nfunc @main() {{\n  ss0 = slot 8\nentry:\n{ops}\n}}"
        )
    };
    let endless = |op: &str| text(&format!("    jump again\nagain:\n    {op}\n    jump again"));
    assert_eq!(code(&endless("%o = alloc_object null, 8"), limits), Some(TrapCode::OutOfMemory));
    assert_eq!(code(&endless("%o = array_new.i8 null, 100"), limits), Some(TrapCode::OutOfMemory));
    for call in ["@malloc(1)", "@malloc(0)", "@calloc(1, 1)"] {
        let until_null = format!(
            "%o = call_foreign {call}\n    %there = icmp.ptr ne %o, null\n    check %there, exit0"
        );
        let text = endless(&until_null).replace("entry:", "    exit0 = trap user(1)\nentry:");
        assert_eq!(code(&text, limits), Some(TrapCode::User(1)), "{call}");
    }
    let slots = "func @main() {\n  ss0 = slot 1000\nentry:\n    call @main()\n    return\n}";
    assert_eq!(code(slots, limits), Some(TrapCode::StackOverflow));
    let large = "func @main() {\n  ss0 = slot 70000\nentry:\n    return\n}";
    assert_eq!(code(large, limits), Some(TrapCode::StackOverflow));
    let data = module("data @d = { zero 70000 }\nfunc @main() {\nentry:\n    return\n}");
    let error = Interpreter::setup().module(&data).limits(limits).build().unwrap_err();
    assert!(error.to_string().starts_with("no room for `@d`"), "{error}");
}

#[test]
fn what_a_call_took_is_given_back() {
    let text = "
func @main() {
  ss0 = slot 1000
entry:
    trap user(1)
}";
    let module = module(text);
    let limits = Limits { memory: 1 << 12, ..Limits::default() };
    let mut interpreter = Interpreter::setup().module(&module).limits(limits).build().unwrap();
    for _ in 0..100 {
        assert_eq!(trap_of(interpreter.call("main", &[])).code, TrapCode::User(1));
    }
}

#[test]
fn what_a_tail_call_that_fails_was_to_pass_is_given_back() {
    let text = "
func @take(ptr byval(1000 align 8)) {
entry(%p: ptr):
    return
}
func @main() {
entry:
    return_call @take(null)
}";
    let module = module(text);
    let limits = Limits { memory: 1 << 12, ..Limits::default() };
    let mut interpreter = Interpreter::setup().module(&module).limits(limits).build().unwrap();
    let first = trap_of(interpreter.call("main", &[])).code;
    assert_ne!(first, TrapCode::StackOverflow);
    for _ in 0..100 {
        assert_eq!(trap_of(interpreter.call("main", &[])).code, first);
    }
}
