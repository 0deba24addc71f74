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

#[test]
fn output_that_does_not_fit_is_not_copied_first() {
    let text = "foreign @fwrite(ptr, i64, i64, ptr) -> i64\nfunc @main() {\n  ss0 = slot 65536\nentry:\n    %p = slot_addr ss0\n    %n = call_foreign @fwrite(%p, 1, 65536, null)\n    return\n}";
    let few = Limits { steps: 100, ..Limits::default() };
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
