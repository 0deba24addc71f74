//! Models of C functions that change something, at the ends of what they take.

use super::*;

const FOREIGN: &str = r#"
foreign @malloc(i64) -> ptr
foreign @calloc(i64, i64) -> ptr
foreign @realloc(ptr, i64) -> ptr
foreign @free(ptr)
foreign @aligned_alloc(i64, i64) -> ptr
foreign @posix_memalign(ptr, i64, i64) -> i32
foreign @__cxa_allocate_exception(i64) -> ptr
foreign @__cxa_free_exception(ptr)
foreign @memcpy(ptr, ptr, i64) -> ptr
foreign @memmove(ptr, ptr, i64) -> ptr
foreign @memset(ptr, i32, i64) -> ptr
foreign @memcmp(ptr, ptr, i64) -> i32
foreign @memchr(ptr, i32, i64) -> ptr
foreign @strcmp(ptr, ptr) -> i32
foreign @strcpy(ptr, ptr) -> ptr
foreign @strncpy(ptr, ptr, i64) -> ptr
foreign @strncat(ptr, ptr, i64) -> ptr
foreign @strdup(ptr) -> ptr
foreign @strtol(ptr, ptr, i32) -> i64
foreign @strtod(ptr, ptr) -> f64
foreign @rand() -> i32
foreign @srand(i32)
foreign @putc(i32, ptr) -> i32
foreign @fputc(i32, ptr) -> i32
foreign @fwrite(ptr, i64, i64, ptr) -> i64
foreign @fflush(ptr) -> i32
foreign @snprintf(ptr, i64, ptr, ...) -> i32
foreign @exit(i32)
foreign @_exit(i32)
foreign @__assert_fail(ptr, ptr, i32, ptr)
foreign @getenv(ptr) -> ptr
foreign @clock() -> i64
foreign @time(ptr) -> i64
foreign @qsort(ptr, i64, i64, ptr)
foreign @bsearch(ptr, ptr, i64, i64, ptr) -> ptr
data @text align 8 = { bytes "abcdefgh\00" }
data @short = { bytes "xy\00" }
data @numbers align 8 = { i16 [5, -3, 9, 0] }
func @compare(ptr, ptr) -> i32 {
entry(%a: ptr, %b: ptr):
    %x = load.i16 %a
    %y = load.i16 %b
    %less = icmp.i16 slt %x, %y
    %more = icmp.i16 sgt %x, %y
    %l = zext.i32 %less
    %m = zext.i32 %more
    %d = sub.i32 %m, %l
    return %d
}
func @fail(ptr, ptr) -> i32 {
entry(%a: ptr, %b: ptr):
    trap user(5)
}
func @three(ptr, ptr, ptr) -> i32 {
entry(%a: ptr, %b: ptr, %c: ptr):
    return 0
}
"#;

/// Runs the ops and returns `%r` of that type; `%t`, `%s` and `%n` are the data
/// objects, `%p` is a slot of 16 bytes.
fn attempt(ty: &str, ops: &str) -> (Result<Vec<Datum>, CallError>, Vec<u8>, Vec<u8>) {
    let module = module(&format!(
        "{FOREIGN}
func @main() -> {ty} {{
  ss0 = slot 16 align 8
entry:
    %t = data_addr @text
    %s = data_addr @short
    %n = data_addr @numbers
    %p = slot_addr ss0
{ops}
    return %r
}}"
    ));
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    let result = interpreter.call("main", &[]);
    let output = interpreter.take_output();
    (result, interpreter.data("text").unwrap(), output)
}

fn gives(ty: &str, ops: &str) -> Datum {
    let (result, ..) = attempt(ty, ops);
    result.unwrap_or_else(|error| panic!("{ops}\n{error}")).remove(0)
}

/// What stands in `@text` behind the ops.
fn text_after(ops: &str) -> Vec<u8> {
    let (result, text, _) = attempt("i64", &format!("{ops}\n    %r = opaque.i64 0"));
    result.unwrap_or_else(|error| panic!("{ops}\n{error}"));
    text
}

fn traps(ops: &str) -> Trap {
    trap_of(attempt("i64", &format!("{ops}\n    %r = opaque.i64 0")).0)
}

#[test]
fn memory_that_there_is_no_room_for_is_null() {
    for ops in [
        "%r = call_foreign @malloc(-1)",
        "%r = call_foreign @calloc(0x100000000, 0x100000000)",
        "%m = call_foreign @malloc(8)\n    %r = call_foreign @realloc(%m, 0x4000000000000000)",
        "%r = call_foreign @aligned_alloc(16, -1)",
        "%r = call_foreign @aligned_alloc(24, 8)",
        "%r = call_foreign @aligned_alloc(0, 8)",
    ] {
        assert_eq!(gives("ptr", ops), 0u64.into(), "{ops}");
    }
    let align = |align: &str, size: &str| {
        gives("i32", &format!("%r = call_foreign @posix_memalign(%p, {align}, {size})"))
    };
    assert_eq!(align("64", "8"), 0.into());
    assert_eq!(align("24", "8"), 22.into());
    assert_eq!(align("4", "8"), 22.into());
    assert_eq!(align("16", "-1"), 12.into());
}

#[test]
fn what_is_reallocated_keeps_its_bytes_or_stays() {
    let kept = "%m = call_foreign @malloc(8)
    store.i64 0x0102030405060708, %m
    %q = call_foreign @realloc(%m, SIZE)
    %r = load.i32 FROM";
    let with =
        |size: &str, from: &str| gives("i32", &kept.replace("SIZE", size).replace("FROM", from));
    assert_eq!(with("16", "%q+4"), 0x0102_0304.into());
    assert_eq!(with("16", "%q+8"), 0.into());
    assert_eq!(with("4", "%q"), 0x0506_0708.into());
    assert_eq!(with("0x4000000000000000", "%m+4"), 0x0102_0304.into());
    let gone = attempt("i32", &kept.replace("SIZE", "16").replace("FROM", "%m")).0;
    assert!(detail(&trap_of(gone)).contains("which was freed"));
    assert_eq!(
        gives("i8", "%m = call_foreign @realloc(null, 8)\n    %r = load.i8 %m+7"),
        0i8.into()
    );
}

#[test]
fn an_exception_that_is_not_thrown_is_given_back() {
    let given_back = "%m = call_foreign @__cxa_allocate_exception(8)
    store.i64 5, %m
    %r = load.i64 %m
    call_foreign @__cxa_free_exception(%m)";
    assert_eq!(gives("i64", given_back), 5i64.into());
    let twice = format!("{given_back}\n    call_foreign @__cxa_free_exception(%m)");
    assert!(detail(&trap_of(attempt("i64", &twice).0)).contains("which was freed"));
}

#[test]
fn copies_and_fills_stay_inside_and_give_where_they_went() {
    assert_eq!(&text_after("%x = call_foreign @memmove(%t, %s, 0)"), b"abcdefgh\0");
    assert_eq!(&text_after("%x = call_foreign @memcpy(null, null, 0)"), b"abcdefgh\0");
    assert_eq!(&text_after("%x = call_foreign @memset(null, 1, 0)"), b"abcdefgh\0");
    let overlapping = "%u = ptr_add %t, 1\n    %x = call_foreign @memmove(%u, %t, 7)";
    assert_eq!(&text_after(overlapping), b"aabcdefg\0");
    assert_eq!(&text_after("%x = call_foreign @memset(%t, 0x12a, 2)"), b"**cdefgh\0");
    for call in [
        "@memcpy(%t, %s, 4)",
        "@memmove(%s, %t, 4)",
        "@memset(%t, 1, 10)",
        "@memset(%t, 1, -1)",
        "@memcmp(%t, %s, 4)",
        "@memcmp(%s, %t, -1)",
        "@memchr(%t, 1, 10)",
        "@strcmp(%t, null)",
        "@strcpy(%s, %t)",
        "@strncpy(%s, %t, 4)",
        "@strncat(%s, %t, 1)",
    ] {
        let trap = traps(&format!("%x = call_foreign {call}"));
        assert_eq!(trap.code, TrapCode::InvalidAccess, "{call}");
    }
    for call in [
        "@memcpy(%t, %s, 3)",
        "@memmove(%t, %t, 9)",
        "@memset(%t, 1, 9)",
        "@strcpy(%t, %s)",
        "@strncpy(%t, %s, 9)",
        "@strncat(%t, %s, 0)",
    ] {
        let ops = format!("%x = call_foreign {call}\n    %a = icmp.ptr eq %x, %t");
        assert_eq!(gives("i8", &format!("{ops}\n    %r = zext.i8 %a")), 1i8.into(), "{call}");
    }
}

#[test]
fn strings_are_cut_and_filled_up_as_they_are_told() {
    assert_eq!(&text_after("%x = call_foreign @strcpy(%t, %s)"), b"xy\0defgh\0");
    assert_eq!(&text_after("%x = call_foreign @strncpy(%t, %s, 1)"), b"xbcdefgh\0");
    assert_eq!(&text_after("%x = call_foreign @strncpy(%t, %s, 5)"), b"xy\0\0\0fgh\0");
    assert_eq!(&text_after("%x = call_foreign @strncpy(%t, %s, 0)"), b"abcdefgh\0");
    let cut = "store.i8 0, %t+2\n    %x = call_foreign @strncat(%t, %s, COUNT)";
    assert_eq!(&text_after(&cut.replace("COUNT", "1")), b"abx\0efgh\0");
    assert_eq!(&text_after(&cut.replace("COUNT", "9")), b"abxy\0fgh\0");
    let copy = "%m = call_foreign @strdup(%s)\n    call_foreign @free(%m)\n    %r = load.i8 %m";
    assert_eq!(trap_of(attempt("i8", copy).0).code, TrapCode::InvalidAccess);
    // What does not end runs off its object.
    let endless = "store.i8 1, %s+2\n    %x = call_foreign @strdup(%s)";
    assert_eq!(traps(endless).code, TrapCode::InvalidAccess);
}

#[test]
fn the_end_of_a_number_is_stored() {
    let end = |text: &str, call: &str| {
        let stores: String = text
            .bytes()
            .chain([0])
            .enumerate()
            .map(|(at, byte)| format!("    store.i8 {}, %t+{at}\n", byte as i8))
            .collect();
        gives(
            "i64",
            &format!(
                "{stores}    %x = call_foreign {call}\n    %e = load.i64 %p\n    %b = ptr_to_int %t\n    %r = sub.i64 %e, %b"
            ),
        )
    };
    assert_eq!(end(" -12x", "@strtol(%t, %p, 10)"), 4i64.into());
    assert_eq!(end("0xg", "@strtol(%t, %p, 16)"), 1i64.into());
    assert_eq!(end("  -", "@strtol(%t, %p, 10)"), 0i64.into());
    assert_eq!(end(" 1.5e+", "@strtod(%t, %p)"), 4i64.into());
    assert_eq!(end("infinit", "@strtod(%t, %p)"), 3i64.into());
    assert_eq!(end("+.e1", "@strtod(%t, %p)"), 0i64.into());
}

#[test]
fn random_numbers_are_positive_and_follow_their_seed() {
    let pair = |seed: &str| {
        gives(
            "i64",
            &format!(
                "call_foreign @srand({seed})
    %a = call_foreign @rand()
    %b = call_foreign @rand()
    %differ = icmp.i32 ne %a, %b
    assume %differ
    %either = or.i32 %a, %b
    %positive = icmp.i32 sge %either, 0
    assume %positive
    %x = zext.i64 %a
    %y = zext.i64 %b
    %high = shl.i64 %x, 32
    %r = or.i64 %high, %y"
            ),
        )
    };
    assert_eq!(pair("7"), pair("7"));
    assert_ne!(pair("7"), pair("8"));
}

#[test]
fn whatever_the_stream_characters_and_blocks_are_printed() {
    let ops = "%a = call_foreign @putc(321, null)
    %b = call_foreign @fputc(66, null)
    %c = call_foreign @fwrite(%t, 2, 3, null)
    %d = call_foreign @fwrite(%t, 0, 3, null)
    %e = call_foreign @fwrite(null, 1, 0, null)
    %f = call_foreign @fflush(null)
    %x = zext.i64 %a
    %y = add.i64 %c, %d
    %z = add.i64 %y, %e
    %r = add.i64 %x, %z";
    let (result, _, output) = attempt("i64", ops);
    assert_eq!(output, b"ABabcdef");
    assert_eq!(result.unwrap(), ints(&[65 + 3]));
    assert_eq!(traps("%c = call_foreign @fwrite(%t, 1, 10, null)").code, TrapCode::InvalidAccess);
    let overflow = "%c = call_foreign @fwrite(%t, 0x100000000, 0x100000000, null)";
    assert_eq!(traps(overflow).code, TrapCode::HostError);
}

#[test]
fn formatting_into_no_room_stores_nothing_and_tells_the_length() {
    assert_eq!(gives("i32", "%r = call_foreign @snprintf(null, 0, %t)"), 8.into());
    assert_eq!(&text_after("%x = call_foreign @snprintf(%t, 1, %s)"), b"\0bcdefgh\0");
    assert_eq!(&text_after("%x = call_foreign @snprintf(%t, 3, %s)"), b"xy\0defgh\0");
}

#[test]
fn the_world_outside_is_the_same_every_time() {
    assert_eq!(gives("ptr", "%r = call_foreign @getenv(%s)"), 0u64.into());
    let clock =
        "%a = call_foreign @clock()\n    %b = call_foreign @clock()\n    %r = sub.i64 %b, %a";
    assert_eq!(gives("i64", clock), 1i64.into());
    let time = "%a = call_foreign @time(%p)\n    %b = load.i64 %p\n    %c = call_foreign @time(null)
    %d = icmp.i64 eq %a, %b\n    assume %d\n    %e = icmp.i64 eq %a, %c\n    assume %e\n    %r = opaque.i64 %a";
    assert_eq!(gives("i64", time), 1_000_000_000i64.into());
}

#[test]
fn a_program_ends_with_its_status_or_its_assertion() {
    for name in ["exit", "_exit"] {
        let (result, ..) =
            attempt("i64", &format!("call_foreign @{name}(-1)\n    %r = opaque.i64 0"));
        assert_eq!(result, Err(CallError::Exited { status: -1 }));
    }
    let trap = traps("call_foreign @__assert_fail(%s, %t, 7, null)");
    assert_eq!(trap.code, TrapCode::HostError);
    assert_eq!(detail(&trap), "the assertion `xy` does not hold");
}

fn address_of(name: &str, params: &str) -> String {
    format!(
        "%f = function_addr.fn({params}) -> i32 @{name}\n    %c = function_to_ptr.fn({params}) -> i32 %f\n"
    )
}

#[test]
fn nothing_to_sort_or_search_calls_nobody() {
    let ops = "call_foreign @qsort(%n, 0, 2, null)
    call_foreign @qsort(null, 1, 2, null)
    call_foreign @qsort(%n, 4, 0, null)
    %r = call_foreign @bsearch(%n, %n, 0, 2, null)";
    assert_eq!(gives("ptr", ops), 0u64.into());
    let compare = address_of("compare", "ptr, ptr");
    let missing = "    store.i16 4, %p\n    call_foreign @qsort(%n, 4, 2, %c)\n    %r = call_foreign @bsearch(%p, %n, 4, 2, %c)";
    assert_eq!(gives("ptr", &format!("{compare}{missing}")), 0u64.into());
}

#[test]
fn sorting_stays_inside_of_its_array() {
    let compare = address_of("compare", "ptr, ptr");
    let sort = |count: &str, size: &str| {
        traps(&format!("{compare}    call_foreign @qsort(%n, {count}, {size}, %c)")).code
    };
    assert_eq!(sort("5", "2"), TrapCode::InvalidAccess);
    assert_eq!(sort("2", "0x4000000000000000"), TrapCode::InvalidAccess);
}

#[test]
fn a_comparison_that_stops_stops_the_sort_and_leaves_nothing_behind() {
    let fail = address_of("fail", "ptr, ptr");
    let module = module(&format!(
        "{FOREIGN}\nfunc @main() {{\nentry:\n    %n = data_addr @numbers\n    {fail}    call_foreign @qsort(%n, 4, 2, %c)\n    return\n}}"
    ));
    let limits = Limits { memory: 1 << 16, ..Limits::default() };
    let mut interpreter = Interpreter::setup().module(&module).limits(limits).build().unwrap();
    for _ in 0..1000 {
        assert_eq!(trap_of(interpreter.call("main", &[])).code, TrapCode::User(5));
    }
    let numbers: Vec<u8> = [5i16, -3, 9, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
    assert_eq!(interpreter.data("numbers").unwrap(), numbers);
}

#[test]
fn a_function_that_cannot_compare_is_refused() {
    let three = address_of("three", "ptr, ptr, ptr");
    let trap = traps(&format!("{three}    call_foreign @qsort(%n, 4, 2, %c)"));
    assert_eq!(trap.code, TrapCode::HostError);
    assert_eq!(
        detail(&trap),
        "`@three` cannot be called back with these arguments: it takes 3, not 2"
    );
    let stray = traps("call_foreign @qsort(%n, 4, 2, %t)");
    assert_eq!(stray.code, TrapCode::InvalidAccess);
    assert_eq!(traps("call_foreign @qsort(%n, 4, 2, null)").code, TrapCode::NullFunction);
}

#[test]
fn a_result_is_cut_to_the_type_that_the_program_declares() {
    let text = |ty: &str| {
        format!(
            "foreign @labs(i64) -> {ty}\nfunc @main() -> {ty} {{\nentry:\n    %x = call_foreign @labs(0x123456789)\n    return %x\n}}"
        )
    };
    assert_eq!(run(&text("i32")).unwrap(), [0x2345_6789.into()]);
    assert_eq!(run(&text("i8")).unwrap(), [(0x89u8 as i8).into()]);
    assert_eq!(trap(&text("i32x4")).code, TrapCode::HostError);
}
