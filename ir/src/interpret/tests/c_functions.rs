use super::*;

/// What a program prints, and what ends it; `@s0`, `@s1`, … are the strings.
fn print(strings: &[&str], foreign: &str, ops: &str) -> (String, Result<Vec<Datum>, CallError>) {
    let mut text = String::new();
    for (index, string) in strings.iter().enumerate() {
        text.push_str(&format!("data @s{index} = {{ bytes \"{string}\\00\" }}\n"));
    }
    text.push_str(foreign);
    text.push_str("\nfunc @main() -> i64 {\nentry:\n");
    for index in 0..strings.len() {
        text.push_str(&format!("    %s{index} = data_addr @s{index}\n"));
    }
    text.push_str(ops);
    text.push_str("\n}\n");
    let module = module(&text);
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    let result = interpreter.call("main", &[]);
    (String::from_utf8(interpreter.take_output()).unwrap(), result)
}

/// What `printf` prints for a format and arguments.
fn printf(format: &str, args: &str) -> String {
    let ops = format!("    %n = call_foreign @printf(%s0{args})\n    return 0");
    let (output, result) = print(&[format, "text"], "foreign @printf(ptr, ...) -> i32", &ops);
    result.unwrap_or_else(|error| panic!("{format}: {error}"));
    output
}

#[test]
fn formats_print_as_c_prints_them() {
    for (format, args, expected) in [
        ("plain 100%%", "", "plain 100%"),
        ("%d %i %u", ", i32:-5, i32:7, i32:-1", "-5 7 4294967295"),
        ("%ld %lld %lu", ", i64:-5, i64:-6, i64:-1", "-5 -6 18446744073709551615"),
        ("%zu %hd %hhd", ", i64:3, i32:65537, i32:257", "3 1 1"),
        (
            "[%5d|%-5d|%05d|%+d|% d]",
            ", i32:42, i32:42, i32:42, i32:42, i32:42",
            "[   42|42   |00042|+42| 42]",
        ),
        ("[%.3d|%6.3d|%.0d|%05.2d]", ", i32:7, i32:-7, i32:0, i32:7", "[007|  -007||   07]"),
        ("[%*d|%-*d|%.*d]", ", i32:5, i32:1, i32:3, i32:2, i32:2, i32:3", "[    1|2  |03]"),
        (
            "%x %X %#x %#o %o %#x",
            ", i32:255, i32:255, i32:255, i32:8, i32:8, i32:0",
            "ff FF 0xff 010 10 0",
        ),
        ("[%08x|%#08x|%-8x]", ", i32:255, i32:255, i32:255", "[000000ff|0x0000ff|ff      ]"),
        ("[%*s|%.*s|%.s]", ", i32:-6, %s1, i32:-2147483648, %s1, %s1", "[text  |text|]"),
        ("%c%c", ", i32:72, i32:105", "Hi"),
        ("[%s|%6s|%-6s|%.2s]", ", %s1, %s1, %s1, %s1", "[text|  text|text  |te]"),
        ("%p %p", ", ptr:null, ptr:0x10", "(nil) 0x10"),
        ("%f %.2f %.0f %#.0f", ", f64:1.5, f64:2.675, f64:2.5, f64:3.0", "1.500000 2.67 2 3."),
        (
            "[%8.3f|%-8.1f|%08.2f|%+f]",
            ", f64:3.14159, f64:2.5, f64:-1.5, f64:0.0",
            "[   3.142|2.5     |-0001.50|+0.000000]",
        ),
        ("%e %.2E %.0e", ", f64:12345.678, f64:0.00012, f64:5.0", "1.234568e+04 1.20E-04 5e+00"),
        (
            "%g %g %g %g %G",
            ", f64:100000.0, f64:1000000.0, f64:0.0001, f64:0.00001, f64:1e-10",
            "100000 1e+06 0.0001 1e-05 1E-10",
        ),
        ("%g %.3g %#g %g", ", f64:0.5, f64:1234.5, f64:1.0, f64:0.0", "0.5 1.23e+03 1.00000 0"),
        ("%f %F %5.1f|%05f", ", f64:inf, f64:-inf, f64:nan, f64:inf", "inf -INF   nan|  inf"),
        ("%.20f", ", f64:0.1", "0.10000000000000000555"),
        ("%.15g %.17g", ", f64:0.1, f64:0.1", "0.1 0.10000000000000001"),
    ] {
        assert_eq!(printf(format, args), expected, "{format}");
    }
}

#[test]
fn a_format_without_its_argument_or_a_model_is_an_error() {
    for format in ["%d", "%n", "%", "%99999d", "%.99999f"] {
        let ops = "    %n = call_foreign @printf(%s0)\n    return 0";
        let (_, result) = print(&[format], "foreign @printf(ptr, ...) -> i32", ops);
        assert_eq!(trap_of(result).code, TrapCode::HostError, "{format}");
    }
}

#[test]
fn printing_goes_to_the_output_in_order() {
    let foreign = "
foreign @puts(ptr) -> i32
foreign @putchar(i32) -> i32
foreign @fputs(ptr, ptr) -> i32
foreign @fprintf(ptr, ptr, ...) -> i32
foreign data @stderr size 8";
    let ops = "
    %e = data_addr @stderr
    %f = load.ptr %e nonnull
    %a = call_foreign @puts(%s0)
    %b = call_foreign @putchar(33)
    %c = call_foreign @fputs(%s0, %f)
    %d = call_foreign @fprintf(%f, %s1, i32:7)
    %r = zext.i64 %d
    return %r";
    let (output, result) = print(&["one", "=%d"], foreign, ops);
    assert_eq!(output, "one\n!one=7");
    assert_eq!(result.unwrap(), ints(&[2]));
}

#[test]
fn output_has_a_limit() {
    let module = module(
        "
foreign @putchar(i32) -> i32
func @main() {
entry:
    jump again
again:
    %a = call_foreign @putchar(33)
    jump again
}",
    );
    let limits = Limits { output: 10, ..Limits::default() };
    let mut interpreter = Interpreter::setup().module(&module).limits(limits).build().unwrap();
    assert_eq!(trap_of(interpreter.call("main", &[])).code, TrapCode::OutOfMemory);
    assert_eq!(interpreter.output(), b"!!!!!!!!!!");
}

#[test]
fn a_buffer_is_formatted_into_no_further_than_it_reaches() {
    let foreign = "foreign @snprintf(ptr, i64, ptr, ...) -> i32\nforeign @puts(ptr) -> i32\nforeign @sprintf(ptr, ptr, ...) -> i32";
    let ops = "
    %n = call_foreign @snprintf(%s1, 4, %s0, i32:123456)
    %a = call_foreign @puts(%s1)
    %m = call_foreign @sprintf(%s1, %s0, i32:12345)
    %b = call_foreign @puts(%s1)
    %x = mul.i32 %n, 10
    %y = add.i32 %x, %m
    %r = zext.i64 %y
    return %r";
    let (output, result) = print(&["%d", "......"], foreign, ops);
    assert_eq!(output, "123\n12345\n");
    assert_eq!(result.unwrap(), ints(&[65]));
    let overflow = ops.replace("12345)", "12345678)");
    let (_, result) = print(&["%d", "......"], foreign, &overflow);
    assert_eq!(trap_of(result).code, TrapCode::InvalidAccess);
}

#[test]
fn arguments_of_a_list_are_printed_as_those_of_a_call() {
    let foreign = "
foreign @vprintf(ptr, ptr) -> i32
foreign @vfprintf(ptr, ptr, ptr) -> i32
foreign @vsprintf(ptr, ptr, ptr) -> i32
foreign @vsnprintf(ptr, i64, ptr, ptr) -> i32
foreign @puts(ptr) -> i32
func @print(ptr, ptr, ...) -> i32 {
entry(%to: ptr, %format: ptr, %list: ptr):
    %a = call_foreign @vprintf(%format, %list)
    %b = call_foreign @vfprintf(null, %format, %list)
    %c = call_foreign @vsprintf(%to, %format, %list)
    %d = call_foreign @puts(%to)
    %e = call_foreign @vsnprintf(%to, 5, %format, %list)
    %f = call_foreign @puts(%to)
    return %e
}";
    let ops = "
    %n = call @print(%s1, %s0, f64:0.5, i32:7, %s2)
    %r = zext.i64 %n
    return %r";
    let (output, result) = print(&["%.1f %d %s;", "...........", "end"], foreign, ops);
    assert_eq!(output, "0.5 7 end;0.5 7 end;0.5 7 end;\n0.5 \n");
    assert_eq!(result.unwrap(), ints(&[10]));
}

#[test]
fn a_jump_returns_again_by_all_its_names_and_only_while_its_function_runs() {
    let text = "
foreign func @SET returns twice
foreign func @JUMP(ptr, i32) returns never
data @place align 16 = { zero 200 }
func @main(i32) -> i32 {
entry(%x: i32):
    %p = data_addr @place
    %r = call_foreign @NAME(ARGS)
    %first = icmp.i32 eq %r, 0
    branch %first, on, out
on:
    call_foreign @JUMP(%p, %x)
    unreachable
out:
    return %r
}
func @late() {
entry:
    %p = data_addr @place
    call_foreign @JUMP(%p, 1)
    unreachable
}";
    let plain = ("(ptr) -> i32", "%p");
    let signals = ("(ptr, i32) -> i32", "%p, 1");
    for (set, (signature, args), jump) in [
        ("setjmp", plain, "longjmp"),
        ("_setjmp", plain, "_longjmp"),
        ("sigsetjmp", signals, "siglongjmp"),
        ("__sigsetjmp", signals, "longjmp"),
    ] {
        let text = text.replace("SET", &format!("{set}{signature}")).replace("NAME", set);
        let module = module(&text.replace("ARGS", args).replace("JUMP", jump));
        let mut interpreter = Interpreter::new(&[&module]).unwrap();
        for (given, found) in [(7, 7), (0, 1), (-3, -3)] {
            let result = interpreter.call("main", &[Datum::from(given)]).unwrap();
            assert_eq!(result, [Datum::from(found)], "{set}");
        }
        assert_eq!(trap_of(interpreter.call("late", &[])).code, TrapCode::HostError);
    }
}

/// What a call of one foreign function gives, as an `i64`.
fn number(strings: &[&str], signature: &str, call: &str) -> i64 {
    let (name, types) = signature.split_once('(').unwrap();
    let convert = if types.ends_with("i32") { "sext.i64 %x" } else { "bitcast.i64 %x" };
    let convert = if types.ends_with("ptr") { "ptr_to_int %x" } else { convert };
    let ops = format!("    %x = call_foreign @{name}({call})\n    %r = {convert}\n    return %r");
    let (_, result) = print(strings, &format!("foreign @{signature}"), &ops);
    result.unwrap_or_else(|error| panic!("{call}: {error}"))[0].bits() as i64
}

#[test]
fn strings_are_measured_compared_and_searched() {
    assert_eq!(number(&["four"], "strlen(ptr) -> i64", "%s0"), 4);
    assert_eq!(number(&["abc", "abd"], "strcmp(ptr, ptr) -> i32", "%s0, %s1"), -1);
    assert_eq!(number(&["abc", "ab"], "strcmp(ptr, ptr) -> i32", "%s0, %s1"), 1);
    assert_eq!(number(&["abc", "abd"], "strncmp(ptr, ptr, i64) -> i32", "%s0, %s1, 2"), 0);
    assert_eq!(number(&["abc", "abd"], "memcmp(ptr, ptr, i64) -> i32", "%s0, %s1, 3"), -1);
    let base = BASE as i64;
    assert_eq!(number(&["banana"], "strchr(ptr, i32) -> ptr", "%s0, 110") - base, 2);
    assert_eq!(number(&["banana"], "strrchr(ptr, i32) -> ptr", "%s0, 110") - base, 4);
    assert_eq!(number(&["banana"], "strchr(ptr, i32) -> ptr", "%s0, 0") - base, 6);
    assert_eq!(number(&["banana"], "strchr(ptr, i32) -> ptr", "%s0, 120"), 0);
    assert_eq!(number(&["banana", "nan"], "strstr(ptr, ptr) -> ptr", "%s0, %s1") - base, 2);
    assert_eq!(number(&["banana", "nab"], "strstr(ptr, ptr) -> ptr", "%s0, %s1"), 0);
    assert_eq!(number(&["banana"], "memchr(ptr, i32, i64) -> ptr", "%s0, 97, 9999") - base, 1);
    assert_eq!(number(&["-42abc"], "atoi(ptr) -> i32", "%s0"), -42);
    assert_eq!(number(&["0x1f"], "strtol(ptr, ptr, i32) -> i64", "%s0, null, 0"), 31);
    assert_eq!(number(&["2.5e1x"], "strtod(ptr, ptr) -> f64", "%s0, null"), 25f64.to_bits() as i64);
    assert_eq!(number(&[], "isdigit(i32) -> i32", "57"), 1);
    assert_eq!(number(&[], "toupper(i32) -> i32", "97"), 65);
    assert_eq!(number(&[], "labs(i64) -> i64", "-9"), 9);
}

#[test]
fn functions_of_numbers_give_what_the_host_gives() {
    let bits = |value: f64| value.to_bits() as i64;
    assert_eq!(number(&[], "sin(f64) -> f64", "1.0"), bits(1f64.sin()));
    assert_eq!(number(&[], "pow(f64, f64) -> f64", "2.0, 0.5"), bits(2f64.powf(0.5)));
    assert_eq!(number(&[], "atan2(f64, f64) -> f64", "1.0, -2.0"), bits(1f64.atan2(-2.0)));
    assert_eq!(number(&[], "fmod(f64, f64) -> f64", "-7.5, 2.0"), bits(-1.5));
    assert_eq!(number(&[], "ldexp(f64, i32) -> f64", "0.75, 4"), bits(12.0));
    assert_eq!(number(&[], "fma(f64, f64, f64) -> f64", "3.0, 4.0, 5.0"), bits(17.0));
    assert_eq!(number(&[], "sqrt(f64) -> f64", "-1.0"), 0x7ff8_0000_0000_0000);
}

#[test]
fn strings_are_copied_and_joined_within_their_objects() {
    let foreign = "
foreign @strcpy(ptr, ptr) -> ptr
foreign @strncpy(ptr, ptr, i64) -> ptr
foreign @strcat(ptr, ptr) -> ptr
foreign @strncat(ptr, ptr, i64) -> ptr
foreign @strdup(ptr) -> ptr
foreign @puts(ptr) -> i32
foreign @free(ptr)";
    let ops = "
    %a = call_foreign @strcpy(%s0, %s1)
    %b = call_foreign @strcat(%s0, %s1)
    %c = call_foreign @strncat(%s0, %s1, 1)
    %d = call_foreign @puts(%s0)
    %e = call_foreign @strncpy(%s0, %s1, 2)
    %f = call_foreign @strdup(%s0)
    %g = call_foreign @puts(%f)
    call_foreign @free(%f)
    return 0";
    let (output, result) = print(&["..........", "xyz"], foreign, ops);
    result.unwrap();
    assert_eq!(output, "xyzxyzx\nxyzxyzx\n");
    let (_, result) = print(&["..", "xyz"], foreign, ops);
    assert_eq!(trap_of(result).code, TrapCode::InvalidAccess);
}

#[test]
fn the_heap_grows_moves_and_is_freed() {
    let foreign = "
foreign @malloc(i64) -> ptr
foreign @calloc(i64, i64) -> ptr
foreign @realloc(ptr, i64) -> ptr
foreign @aligned_alloc(i64, i64) -> ptr
foreign @posix_memalign(ptr, i64, i64) -> i32
foreign @memset(ptr, i32, i64) -> ptr
foreign @memcpy(ptr, ptr, i64) -> ptr
foreign @free(ptr)";
    let ops = "
    %p = call_foreign @malloc(8)
    %a = call_foreign @memset(%p, 1, 8)
    %q = call_foreign @realloc(%p, 16)
    %x = load.i64 %q
    %r = call_foreign @calloc(2, 8)
    %b = call_foreign @memcpy(%r, %q, 4)
    %y = load.i64 %r
    %al = call_foreign @aligned_alloc(64, 10)
    %n = ptr_to_int %al
    %low = and.i64 %n, 63
    %c = call_foreign @posix_memalign(%q, 128, 10)
    %pa = load.ptr %q nonnull
    call_foreign @free(%pa)
    call_foreign @free(%q)
    call_foreign @free(%r)
    call_foreign @free(%al)
    call_foreign @free(null)
    %huge = call_foreign @malloc(0x4000000000000000)
    %null = icmp.ptr eq %huge, null
    check %null, exit0
    %sum = add.i64 %x, %y
    %all = add.i64 %sum, %low
    return %all";
    let ops = ops.trim_start_matches('\n');
    let text =
        format!("{foreign}\nfunc @main() -> i64 {{\n    exit0 = trap user(1)\nentry:\n{ops}\n}}");
    assert_eq!(run_int(&text), 0x0101_0101_0101_0101 + 0x0101_0101);
    let twice = text.replace("call_foreign @free(null)", "call_foreign @free(%q)");
    let trap = trap(&twice);
    assert_eq!(trap.code, TrapCode::InvalidAccess);
    assert!(detail(&trap).contains("which was freed"), "{trap}");
}

#[test]
fn sorting_and_searching_call_back() {
    let text = "
foreign @qsort(ptr, i64, i64, ptr)
foreign @bsearch(ptr, ptr, i64, i64, ptr) -> ptr
data @numbers = { i32 [5, -3, 9, 0, 7, -3, 2] }
data @key = { i32 7 }
func @compare(ptr, ptr) -> i32 {
entry(%a: ptr, %b: ptr):
    %x = load.i32 %a
    %y = load.i32 %b
    %d = sub.i32 %x, %y
    return %d
}
func @main() -> i64 {
entry:
    %p = data_addr @numbers
    %f = function_addr.fn(ptr, ptr) -> i32 @compare
    %c = function_to_ptr.fn(ptr, ptr) -> i32 %f
    call_foreign @qsort(%p, 7, 4, %c)
    %k = data_addr @key
    %found = call_foreign @bsearch(%k, %p, 7, 4, %c)
    %a = ptr_to_int %p
    %b = ptr_to_int %found
    %d = sub.i64 %b, %a
    return %d
}";
    let module = module(text);
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    assert_eq!(interpreter.call("main", &[]).unwrap(), ints(&[20]));
    let sorted: Vec<i32> = interpreter
        .data("numbers")
        .unwrap()
        .chunks(4)
        .map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    assert_eq!(sorted, [-3, -3, 0, 2, 5, 7, 9]);
}

#[test]
fn a_program_ends_by_exit_abort_or_an_assertion() {
    let (_, result) = print(&[], "foreign @exit(i32)", "    call_foreign @exit(3)\n    return 0");
    assert_eq!(result, Err(CallError::Exited { status: 3 }));
    let (_, result) = print(&[], "foreign @abort()", "    call_foreign @abort()\n    return 0");
    assert_eq!(trap_of(result).code, TrapCode::HostError);
}

#[test]
fn what_atexit_was_given_is_called_at_the_end_the_last_first() {
    let text = "\
foreign @atexit(ptr) -> i32
foreign @exit(i32)
foreign @putchar(i32) -> i32
func @first() {
entry:
    %x = call_foreign @putchar(97)
    return
}
func @second() {
entry:
    %x = call_foreign @putchar(98)
    return
}
func @main(i1) -> i64 {
entry(%leave: i1):
    %f = function_addr.fn() @first
    %p = function_to_ptr.fn() %f
    %a = call_foreign @atexit(%p)
    %g = function_addr.fn() @second
    %q = function_to_ptr.fn() %g
    %b = call_foreign @atexit(%q)
    branch %leave, exit, back
exit:
    call_foreign @exit(3)
    return 0
back:
    return 5
}";
    let module = module(text);
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    let result = interpreter.call("main", &[Datum::from(true)]);
    assert_eq!(result, Err(CallError::Exited { status: 3 }));
    assert_eq!(interpreter.take_output(), b"ba");
    assert_eq!(interpreter.call("main", &[Datum::from(false)]), Ok(vec![Datum::from(5i64)]));
    assert_eq!(interpreter.output(), b"");
    assert_eq!(interpreter.call_at_exit(), Ok(()));
    assert_eq!(interpreter.output(), b"ba");
}

#[test]
fn a_foreign_function_without_a_model_is_named() {
    let (_, result) =
        print(&[], "foreign @fork() -> i32", "    %x = call_foreign @fork()\n    return 0");
    let trap = trap_of(result);
    assert_eq!(trap.code, TrapCode::MissingFunction);
    assert_eq!(detail(&trap), "nobody defines `@fork`");
}

#[test]
fn random_numbers_and_time_are_the_same_every_time() {
    let foreign = "foreign @rand() -> i32\nforeign @srand(i32)\nforeign @clock() -> i64";
    let ops = "
    call_foreign @srand(7)
    %a = call_foreign @rand()
    %b = call_foreign @rand()
    %t = call_foreign @clock()
    %x = zext.i64 %a
    %y = zext.i64 %b
    %s = mul.i64 %x, %y
    %r = add.i64 %s, %t
    return %r";
    let (_, first) = print(&[], foreign, ops);
    let (_, second) = print(&[], foreign, ops);
    assert_eq!(first.unwrap(), second.unwrap());
}
