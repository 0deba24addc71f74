use super::*;

#[test]
fn a_throw_goes_to_the_innermost_region_with_the_values_of_its_entry() {
    let text = "
func @main() -> i64 {
entry:
    enter outer, unwind last(i64:1)
outer:
    %x = opaque.i64 20
    enter inner(%x), unwind handler(%x)
inner(%y: i64):
    throw null
handler(%z: i64):
    leave 1
    return %z
last(%w: i64):
    return %w
}";
    assert_eq!(run_int(text), 20);
}

#[test]
fn a_handler_is_outside_of_its_region() {
    let text = "
func @main() -> i64 {
entry:
    enter outer, unwind last
outer:
    enter inner, unwind handler
inner:
    throw null
handler:
    throw null
last:
    return 3
}";
    assert_eq!(run_int(text), 3);
}

#[test]
fn a_throw_leaves_activations_up_to_the_call_that_handles_it() {
    let text = "
func @deep(i64) -> i64 {
  ss0 = slot 64
entry(%n: i64):
    %zero = icmp.i64 eq %n, 0
    branch %zero, now, more
now:
    %o = alloc_object null, 8
    throw %o
more:
    %m = sub.i64 %n, 1
    %r = call @deep(%m)
    return %r
}
func @main() -> (i64, i1) {
entry:
    %r = try_call @deep(50) normal done(%r), unwind caught(i64:7)
done(%a: i64):
    return %a, 0
caught(%b: i64):
    %e = current_exception
    %null = icmp.ref eq %e, null
    return %b, %null
}";
    assert_eq!(run(text).unwrap(), [Datum::from(7i64), Datum::from(false)]);
}

#[test]
fn an_uncaught_throw_tells_its_place_and_its_reference() {
    let text = "
func @f() {
entry:
    throw null
}
func @main() {
entry:
    call @f()
    return
}";
    let trap = trap(text);
    assert_eq!((trap.code, trap.function()), (TrapCode::UncaughtException, "f"));
    assert_eq!(trap.values, ints(&[0]));
    assert_eq!(trap.frames.len(), 2);
}

#[test]
fn traps_are_no_exceptions() {
    let text = "
func @f() {
entry:
    unreachable
}
func @main() {
entry:
    try_call @f() normal done, unwind done
done:
    return
}";
    assert_eq!(trap(text).code, TrapCode::Unreachable);
}

#[test]
fn leaving_more_regions_than_there_are_is_a_broken_module() {
    let result = run("func @main() {\nentry:\n    leave 1\n    return\n}");
    assert!(matches!(result, Err(CallError::BrokenModule { .. })), "{result:?}");
}

#[test]
fn a_tail_call_out_of_a_region_leaves_it() {
    let text = "
func @thrower() -> i64 {
entry:
    throw null
}
func @f() -> i64 {
entry:
    enter body, unwind handler
body:
    return_call @thrower()
handler:
    return 1
}
func @main() -> i64 {
entry:
    %x = try_call @f() normal done(%x), unwind caught
done(%r: i64):
    return %r
caught:
    return 2
}";
    assert_eq!(run_int(text), 2);
}
