//! Accesses that miss, by every op that names an address.

use super::*;
use crate::op::{Effects, Field};

/// What ops do to `%a`, to `%b` or to both, eight bytes each; the other is fine.
const ACCESSES: &[(Op, &str)] = &[
    (Op::Load, "    %x = load.i64 %a"),
    (Op::Store, "    store.i64 1, %a"),
    (Op::MaskedLoad, "    %x = masked_load.i32x2 <1, 1>, %a, zero"),
    (Op::MaskedStore, "    masked_store.i32x2 <1, 1>, zero, %a"),
    (Op::MemCopy, "    mem_copy %a, %b, 8"),
    (Op::MemCopy, "    mem_copy %b, %a, 8"),
    (Op::MemFill, "    mem_fill %a, 1, 8"),
    (Op::MemCompare, "    %x = mem_compare %a, %b, 8"),
    (Op::MemCompare, "    %x = mem_compare %b, %a, 8"),
    (Op::MemFind, "    %x = mem_find %a, 1, 8"),
    (Op::AtomicLoad, "    %x = atomic_load.i64 seq_cst %a"),
    (Op::AtomicStore, "    atomic_store.i64 seq_cst 1, %a"),
    (Op::AtomicRmw, "    %x = atomic_rmw.i64 add seq_cst %a, 1"),
    (Op::AtomicCas, "    %x, %y = atomic_cas.i64 seq_cst seq_cst %a, 0, 1"),
    (Op::AtomicModify, "    %x, %y = atomic_modify.i64 @add, seq_cst %a, 1"),
];

const FUNCTIONS: &str = "
foreign @malloc(i64) -> ptr
foreign @free(ptr)
data @d align 8 = { zero 16 }
data @constant const align 8 = { zero 16 }
func @add(i64, i64) -> i64 {
entry(%x: i64, %y: i64):
    %r = add.i64 %x, %y
    return %r
}
func @gone() -> ptr {
  ss0 = slot 16 align 8
entry:
    %p = slot_addr ss0
    return %p
}
";

/// A program that makes one access where `place` puts `%a`.
fn program(place: &str, access: &str) -> String {
    format!(
        "{FUNCTIONS}
func @main() {{
  ss0 = slot 16 align 8
  ss1 = slot 16 align 8
entry:
    %b = slot_addr ss1
{place}
{access}
    return
}}"
    )
}

#[test]
fn every_op_on_addresses_is_tried() {
    for op in Op::ALL.iter().filter(|op| op.info().form.fields().contains(&Field::Access)) {
        assert!(ACCESSES.iter().any(|(tried, _)| tried == op), "{op}");
    }
}

#[test]
fn accesses_inside_of_live_objects_go_well() {
    for place in [
        "    %a = slot_addr ss0",
        "    %s = slot_addr ss0\n    %a = ptr_add %s, 8",
        "    %d = data_addr @d\n    %a = ptr_add %d, 8",
        "    %h = call_foreign @malloc(16)\n    %a = ptr_add %h, 8",
    ] {
        for (_, access) in ACCESSES {
            run(&program(place, access))
                .unwrap_or_else(|error| panic!("{place}\n{access}\n{error}"));
        }
    }
}

#[test]
fn an_access_that_misses_is_a_trap_that_says_what_it_missed() {
    for (place, message) in [
        (
            "    %s = slot_addr ss0\n    %a = ptr_add %s, 16",
            "of slot ss0 of @main of 16 bytes, out of its bounds",
        ),
        ("    %s = slot_addr ss0\n    %a = ptr_add %s, -8", "no live object is there"),
        (
            "    %d = data_addr @d\n    %a = ptr_add %d, 16",
            "of data object @d of 16 bytes, out of its bounds",
        ),
        (
            "    %h = call_foreign @malloc(12)\n    %a = ptr_add %h, 8",
            "of heap object of 12 bytes, out of its bounds",
        ),
        ("    %a = call_foreign @malloc(0)", "of heap object of 0 bytes, out of its bounds"),
        (
            "    %a = call_foreign @malloc(16)\n    call_foreign @free(%a)",
            "offset 0 of heap object of 16 bytes, which was freed",
        ),
        ("    %a = call @gone()", "offset 0 of slot ss0 of @gone of 16 bytes, which was freed"),
        (
            "    %f = function_addr.fn() -> ptr @gone\n    %a = function_to_ptr.fn() -> ptr %f",
            "of function @gone of 16 bytes, which has no bytes",
        ),
        ("    %n = int_to_ptr 0\n    %a = opaque.ptr %n", "at 0x0: no live object is there"),
        ("    %n = int_to_ptr -8\n    %a = opaque.ptr %n", "no live object is there"),
    ] {
        for (_, access) in ACCESSES {
            let trap = trap(&program(place, access));
            assert_eq!(trap.code, TrapCode::InvalidAccess, "{place}\n{access}");
            assert!(detail(&trap).ends_with(message), "{place}\n{access}\n{trap}");
        }
    }
}

#[test]
fn constants_are_read_and_not_written() {
    for (op, access) in ACCESSES {
        let result = run(&program("    %a = data_addr @constant", access));
        // A compare-exchange that compares equal, and a copy to `%a`, write.
        let writes = op.info().effects.contains(Effects::WRITE) && !access.contains("%b, %a");
        match result {
            Ok(_) => assert!(!writes, "{access}"),
            Err(error) => {
                assert!(writes, "{access}\n{error}");
                assert!(error.to_string().contains("which is constant"), "{access}\n{error}");
            }
        }
    }
}

#[test]
fn an_atomic_load_of_128_bits_goes_to_what_may_be_written() {
    let access = |ty: &str| format!("    %x = atomic_load.{ty} seq_cst %a");
    let aligned =
        |place: &str, ty: &str| program(place, &access(ty)).replace("align 8", "align 16");
    run(&aligned("    %a = data_addr @d", "i128")).unwrap();
    run(&aligned("    %a = data_addr @constant", "i64")).unwrap();
    let trap = trap(&aligned("    %a = data_addr @constant", "i128"));
    assert_eq!(trap.code, TrapCode::InvalidAccess);
    assert!(detail(&trap).contains("which is constant"), "{trap}");
}

#[test]
fn lanes_that_are_masked_out_may_be_anywhere() {
    let last_half = "    %s = slot_addr ss0\n    %a = ptr_add %s, 12";
    run(&program(last_half, "    %x = masked_load.i32x2 <1, 0>, %a, zero")).unwrap();
    run(&program(last_half, "    masked_store.i32x2 <1, 0>, zero, %a")).unwrap();
    let first_half = "    %s = slot_addr ss0\n    %a = ptr_add %s, -4";
    run(&program(first_half, "    %x = masked_load.i32x2 <0, 1>, %a, zero")).unwrap();
    run(&program(first_half, "    masked_store.i32x2 <0, 1>, zero, %a")).unwrap();
    let nowhere = "    %a = int_to_ptr 0";
    run(&program(nowhere, "    %x = masked_load.i32x2 <0, 0>, %a, zero")).unwrap();
    run(&program(nowhere, "    masked_store.i32x2 <0, 0>, zero, %a")).unwrap();
}

#[test]
fn a_bulk_op_that_misses_by_one_byte_changes_none() {
    for access in ["    mem_copy %a, %b, 9", "    mem_fill %a, 1, 9"] {
        let text = program("    %d = data_addr @d\n    %a = ptr_add %d, 8", access);
        let module = module(&text.replace("zero 16", "i64 [1, 2]"));
        let mut interpreter = Interpreter::new(&[&module]).unwrap();
        assert_eq!(trap_of(interpreter.call("main", &[])).code, TrapCode::InvalidAccess);
        assert_eq!(interpreter.data("d").unwrap()[8..], 2u64.to_le_bytes(), "{access}");
    }
}

#[test]
fn only_the_start_of_a_live_heap_object_is_freed() {
    for (place, message) in [
        (
            "    %h = call_foreign @malloc(16)\n    %a = ptr_add %h, 8",
            "offset 8 of heap object of 16 bytes, which is no start of an allocated object",
        ),
        (
            "    %a = call_foreign @malloc(16)\n    call_foreign @free(%a)",
            "offset 0 of heap object of 16 bytes, which was freed",
        ),
        (
            "    %a = slot_addr ss0",
            "slot ss0 of @main of 16 bytes, which is no start of an allocated object",
        ),
        (
            "    %a = call @gone()",
            "slot ss0 of @gone of 16 bytes, which is no start of an allocated object",
        ),
        (
            "    %a = data_addr @d",
            "data object @d of 16 bytes, which is no start of an allocated object",
        ),
        ("    %a = int_to_ptr 8", "which is no start of an allocated object"),
    ] {
        let trap = trap(&program(place, "    call_foreign @free(%a)"));
        assert_eq!(trap.code, TrapCode::InvalidAccess, "{place}");
        assert!(detail(&trap).ends_with(message), "{place}\n{trap}");
        let realloc = program(place, "    %x = call_foreign @realloc(%a, 8)");
        let trap = super::trap(&format!("foreign @realloc(ptr, i64) -> ptr{realloc}"));
        assert_eq!(trap.code, TrapCode::InvalidAccess, "{place}");
    }
    run(&program("", "    call_foreign @free(null)")).unwrap();
}

#[test]
fn accesses_by_name_are_held_to_what_the_module_declares() {
    for (inside, access) in [
        ("8", "%x = slot_load.i64 ss0, OFFSET"),
        ("8", "slot_store.i64 1, ss0, OFFSET"),
        ("8", "%x = data_load.i64 @d, OFFSET"),
        ("8", "data_store.i64 1, @d, OFFSET"),
        ("15", "%x = data_load.i8 @d, OFFSET"),
        ("0", "slot_store.i32x4 zero, ss0, OFFSET"),
    ] {
        let text = |offset: &str| program("", &format!("    {}", access.replace("OFFSET", offset)));
        run(&text(inside)).unwrap();
        let after = (inside.parse::<u64>().unwrap() + 1).to_string();
        for offset in [&after, "-1", "-8", "0x7fffffffffffffff"] {
            assert_eq!(trap(&text(offset)).code, TrapCode::Bounds, "{access} at {offset}");
        }
    }
}

#[test]
fn a_slot_starts_anew_where_it_is_said_to() {
    let text = "
func @main() -> i64 {
  ss0 = slot 8
entry:
    slot_store.i64 7, ss0, 0
    slot_end ss0
    slot_start ss0
    %x = slot_load.i64 ss0, 0
    return %x
}";
    assert_eq!(run_int(text), 0);
}
