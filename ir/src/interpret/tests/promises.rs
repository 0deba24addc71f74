use super::*;

/// The message for a body that breaks a promise.
fn broken(text: &str) -> String {
    let trap = trap(text);
    assert_eq!(trap.code, TrapCode::BrokenPromise, "{trap}\n{text}");
    detail(&trap).to_owned()
}

fn body(declarations: &str, ops: &str) -> String {
    format!("func @main() {{\n{declarations}\nentry:\n{ops}\n    return\n}}")
}

#[test]
fn a_false_assumption_is_seen() {
    broken(&body("", "    assume 0"));
}

#[test]
fn an_access_that_is_not_aligned_as_promised_is_seen() {
    let slot = "  ss0 = slot 32 align 16";
    let at = |offset: u32| {
        body(slot, &format!("    %p = slot_addr ss0\n    store.i64 1, %p+{offset} align 8"))
    };
    run(&at(8)).unwrap();
    assert!(broken(&at(4)).ends_with("is no multiple of 8"));
    let copy = body(
        slot,
        "    %p = slot_addr ss0\n    %q = ptr_add %p, 4\n    mem_copy %p, %q, 4 align 8",
    );
    broken(&copy);
}

#[test]
fn an_atomic_access_that_is_not_aligned_traps_before_any_promise() {
    let text = body(
        "  ss0 = slot 32 align 16",
        "    %p = slot_addr ss0\n    %x = atomic_load.i64 relaxed %p+4 align 8",
    );
    assert_eq!(trap(&text).code, TrapCode::MisalignedAtomic);
}

#[test]
fn null_from_a_load_that_promises_otherwise_is_seen() {
    let text = body("  ss0 = slot 8", "    %p = slot_addr ss0\n    %q = load.ptr %p nonnull");
    broken(&text);
}

#[test]
fn an_invariant_that_varies_is_seen_in_one_activation() {
    let load = "    %x = load.i32 %p invariant\n";
    let text = |store: &str| {
        body(
            "  ss0 = slot 8",
            &format!("    %p = slot_addr ss0\n{load}{store}    %y = load.i32 %p invariant"),
        )
    };
    run(&text("    store.i32 0, %p\n")).unwrap();
    assert!(broken(&text("    store.i32 1, %p\n")).contains("invariant"));
}

/// `@main`, which calls `@reads` with an address of eight zeros.
fn with_reader(body: &str) -> String {
    format!(
        "
func @main() {{
  ss0 = slot 8
entry:
    %p = slot_addr ss0
    store.i32 0, %p
    call @reads(%p)
    store.i32 2, %p
    call @reads(%p)
    return
}}
func @writes(ptr, i32) {{
entry(%p: ptr, %v: i32):
    store.i32 %v, %p+2
    return
}}
func @reads(ptr) {{
entry(%p: ptr):
{body}
    return
}}
"
    )
}

#[test]
fn an_invariant_that_is_written_by_whoever_is_called_is_seen() {
    let (load, call) = ("    %x = load.i32 %p invariant\n", "    call @writes(%p, 3)\n");
    run(&with_reader(load)).unwrap();
    run(&with_reader(&format!("{load}    call @writes(%p, 0)"))).unwrap();
    let behind = broken(&with_reader(&format!("{load}{call}")));
    assert!(behind.ends_with("changes, which an `invariant` load has read"), "{behind}");
    let before = broken(&with_reader(&format!("{call}{load}")));
    assert!(before.ends_with("has changed since @reads was called"), "{before}");
    broken(&with_reader(&format!("{load}    mem_fill %p, 1, 4")));
    broken(&with_reader(&format!("    mem_fill %p, 1, 4\n{load}")));
}

#[test]
fn an_invariant_is_promised_of_one_call_that_a_tail_call_ends() {
    let text = with_reader("    %x = load.i32 %p invariant\n    return_call @writes(%p, 3)");
    run(&text.replace("(%p, 3)\n    return\n", "(%p, 3)\n")).unwrap();
}

#[test]
fn reading_what_was_not_stored_is_seen() {
    let slot = "  ss0 = slot 8 uninit";
    run(&body(slot, "    slot_store.i32 1, ss0, 4\n    %x = slot_load.i32 ss0, 4")).unwrap();
    let text = body(slot, "    slot_store.i32 1, ss0, 4\n    %x = slot_load.i64 ss0, 0");
    assert!(broken(&text).contains("slot ss0 of @main of 8 bytes"));
}

#[test]
fn a_function_that_promises_to_leave_memory_alone_is_held_to_it() {
    let text = |attributes: &str, ops: &str| {
        format!(
            "
data @d = {{ i64 1 }}
data @c const = {{ i64 2 }}
func @inner(ptr) {{
  ss0 = slot 8
entry(%p: ptr):
    slot_store.i64 1, ss0, 0
    %own = slot_load.i64 ss0, 0
{ops}
    return
}}
func @outer(ptr) {attributes} {{
  ss0 = slot 8
entry(%q: ptr):
    %p = slot_addr ss0
    call @inner(%p)
    return
}}
func @main() {{
  ss0 = slot 8
entry:
    %p = slot_addr ss0
    call @outer(%p)
    return
}}"
        )
    };
    let (read, write) = ("    %x = data_load.i64 @d, 0", "    data_store.i64 1, @d, 0");
    let of_caller = "    store.i64 5, %p\n    %c = data_load.i64 @c, 0";
    for attributes in ["", "memory read", "memory none"] {
        run(&text(attributes, of_caller)).unwrap();
    }
    run(&text("", write)).unwrap();
    run(&text("memory read", read)).unwrap();
    broken(&text("memory none", read));
    broken(&text("memory read", write));
    broken(&text("memory none", write));
}

/// `@main`, which calls `@outer` with those attributes, which calls `@inner` that does `ops`, and
/// `@throws`, which throws `%o`.
fn with_promise(attributes: &str, ops: &str) -> String {
    format!(
        "
func @throws(ref) {attributes} {{
entry(%o: ref):
    throw %o
}}
func @inner(ref) {{
entry(%o: ref):
{ops}
    return
}}
func @outer(ref) {attributes} {{
entry(%o: ref):
    call @inner(%o)
    return
}}
func @main() {{
entry:
    call @outer(null)
    return
}}"
    )
}

#[test]
fn the_last_exception_is_nothing_that_a_promise_about_memory_allows() {
    let ask = "    %e = current_exception";
    let handle = "    try_call @throws(%o) normal out, unwind out\nout:";
    let region =
        "    enter in, unwind out\nin:\n    call @throws(%o)\n    leave 1\n    jump out\nout:";
    for ops in [ask, handle, region] {
        run(&with_promise("", ops)).unwrap();
        for attributes in ["memory read", "memory none"] {
            let message = broken(&with_promise(attributes, ops));
            assert!(message.contains("exception"), "{message}");
        }
    }
}

#[test]
fn a_function_that_leaves_memory_alone_may_throw() {
    let text = with_promise("memory none", "    call @throws(%o)");
    assert_eq!(trap(&text).code, TrapCode::UncaughtException);
    let caught = "    try_call @outer(null) normal out, unwind out\nout:";
    run(&text.replace("    call @outer(null)", caught)).unwrap();
}

#[test]
fn objects_are_made_by_no_function_that_leaves_memory_alone() {
    for ops in ["    %a = alloc_object null, 16", "    %a = array_new.i64 null, 2"] {
        run(&with_promise("", ops)).unwrap();
        for attributes in ["memory read", "memory none"] {
            let message = broken(&with_promise(attributes, ops));
            assert!(message.ends_with("makes an object"), "{message}");
        }
    }
}

#[test]
fn a_function_that_promises_to_return_is_held_to_it() {
    let text = |attributes: &str, ops: &str| {
        format!(
            "func @f() {attributes} {{\nentry:\n{ops}\n}}\nfunc @main() {{\nentry:\n    call @f()\n    return\n}}"
        )
    };
    assert!(broken(&text("returns always", "    unreachable")).contains("`unreachable`"));
    broken(&text("returns never", "    return"));
    run(&text("returns always", "    return")).unwrap();
    assert!(broken(&text("returns always", "    throw null")).contains("`uncaught_exception`"));
}

#[test]
fn a_throw_out_of_a_function_that_promises_to_return_is_seen() {
    broken(
        "
func @f() returns always {
entry:
    throw null
}
func @main() {
entry:
    try_call @f() normal done, unwind done
done:
    return
}",
    );
}

#[test]
fn calls_through_addresses_are_held_to_the_signature() {
    let text = |sig: &str| {
        format!(
            "
func @f(i64) -> i64 {{
entry(%x: i64):
    return %x
}}
func @main() {{
entry:
    %f = function_addr.fn(i64) -> i64 @f
    %p = function_to_ptr.fn(i64) -> i64 %f
    %x = call_ptr.{sig} %p(1)
    return
}}"
        )
    };
    run(&text("fn(i64) -> i64")).unwrap();
    run(&text("cfn(i64) -> i64")).unwrap();
    assert!(broken(&text("fn(i32) -> i64")).contains("another signature"));
    let stray = body("", "    %p = int_to_ptr 64\n    call_ptr.fn() %p()");
    assert_eq!(trap(&stray).code, TrapCode::InvalidAccess);
}

#[test]
fn overlapping_accesses_of_unrelated_classes_are_seen() {
    let text = |first: &str, second: &str| {
        format!(
            "class !memory\nclass !float in !memory\nclass !f32 in !float\nclass !int in !memory\n{}",
            body(
                "  ss0 = slot 16",
                &format!(
                    "    %p = slot_addr ss0\n    store.i64 1, %p {first}\n    %x = load.i32 %p+4 {second}"
                )
            )
        )
    };
    for (first, second) in [
        ("class !float", "class !float"),
        ("class !float", "class !f32"),
        ("class !memory", "class !int"),
        ("class !f32", "class !memory"),
        ("class !int", ""),
    ] {
        run(&text(first, second)).unwrap();
    }
    assert!(broken(&text("class !float", "class !int")).ends_with("as class !float and as !int"));
    broken(&text("class !int", "class !f32"));
    let apart = text("class !int", "class !float").replace("%p+4", "%p+8");
    run(&apart).unwrap();
    let reused = text("class !int", "class !float").replace("    %x", "    slot_start ss0\n    %x");
    run(&reused).unwrap();
    // Both are below the first, and not of each other.
    let three = text("class !memory", "class !float\n    %y = load.i32 %p+4 class !int");
    broken(&three);
}

#[test]
fn overlapping_accesses_that_say_noalias_are_seen() {
    let text = |offset: u32, first: &str, second: &str| {
        body(
            "  ss0 = slot 16\n  scope0 = \"a\"\n  scope1 = \"b\"",
            &format!(
                "    %p = slot_addr ss0\n    store.i64 1, %p {first}\n    store.i64 1, %p+{offset} {second}"
            ),
        )
    };
    let (in_a, not_a, not_b) = ("scopes(scope0)", "noalias(scope0)", "noalias(scope1)");
    run(&text(8, in_a, not_a)).unwrap();
    run(&text(4, in_a, not_b)).unwrap();
    run(&text(4, in_a, in_a)).unwrap();
    broken(&text(7, in_a, not_a));
    broken(&text(4, not_a, in_a));
}

#[test]
fn to_look_for_an_own_slot_among_many_takes_steps() {
    let text = "
func @down(ptr, i64) -> i64 {
  ss0 = slot 8
entry(%p: ptr, %n: i64):
    %end = icmp.i64 eq %n, 0
    branch %end, bottom, more
bottom:
    %x = load.i64 %p
    return %x
more:
    %m = sub.i64 %n, 1
    %r = call @down(%p, %m)
    return %r
}
func @own() -> i64 memory none {
  ss0 = slot 8
entry:
    %p = slot_addr ss0
    %r = call @down(%p, 10000)
    return %r
}
func @main() {
entry:
    %r = call @own()
    return
}";
    let left = |text: &str| {
        let module = module(text);
        let mut interpreter = Interpreter::new(&[&module]).unwrap();
        interpreter.call("main", &[]).unwrap();
        interpreter.steps_left()
    };
    let without = text.replace(" memory none", "");
    assert_eq!(left(&without) - left(text), 10_000 / 64);
}
