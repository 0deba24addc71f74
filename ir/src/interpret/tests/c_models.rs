//! What each model of a C function gives, at the ends of what it takes.

use super::*;
use std::collections::BTreeSet;

/// Signature, strings `@s0` and so on, arguments, and the result: a constant, or
/// `+n` for that many bytes behind `%s0`.
type Case = (&'static str, &'static [&'static str], &'static str, &'static str);

const STRINGS: &[Case] = &[
    ("strlen(ptr) -> i64", &[""], "%s0", "0"),
    ("strlen(ptr) -> i64", &["a\\ffb"], "%s0", "3"),
    ("strlen(ptr) -> i32", &["four"], "%s0", "4"),
    ("strnlen(ptr, i64) -> i64", &["four"], "%s0, 2", "2"),
    ("strnlen(ptr, i64) -> i64", &["four"], "%s0, -1", "4"),
    ("strnlen(ptr, i64) -> i64", &[], "null, 0", "0"),
    ("strcmp(ptr, ptr) -> i32", &["", ""], "%s0, %s1", "0"),
    ("strcmp(ptr, ptr) -> i32", &["a", ""], "%s0, %s1", "1"),
    ("strcmp(ptr, ptr) -> i32", &["", "a"], "%s0, %s1", "-1"),
    ("strcmp(ptr, ptr) -> i32", &["\\80", "a"], "%s0, %s1", "1"),
    ("strncmp(ptr, ptr, i64) -> i32", &["abc", "abd"], "%s0, %s1, 2", "0"),
    ("strncmp(ptr, ptr, i64) -> i32", &["abc", "abd"], "%s0, %s1, 3", "-1"),
    ("strncmp(ptr, ptr, i64) -> i32", &["a", "a"], "%s0, %s1, -1", "0"),
    ("strncmp(ptr, ptr, i64) -> i32", &[], "null, null, 0", "0"),
    ("strchr(ptr, i32) -> ptr", &["banana"], "%s0, 97", "+1"),
    ("strchr(ptr, i32) -> ptr", &["banana"], "%s0, 353", "+1"),
    ("strchr(ptr, i32) -> ptr", &["banana"], "%s0, 0", "+6"),
    ("strchr(ptr, i32) -> ptr", &[""], "%s0, 97", "null"),
    ("strrchr(ptr, i32) -> ptr", &["banana"], "%s0, 97", "+5"),
    ("strrchr(ptr, i32) -> ptr", &["banana"], "%s0, 0", "+6"),
    ("strrchr(ptr, i32) -> ptr", &["banana"], "%s0, 99", "null"),
    ("strstr(ptr, ptr) -> ptr", &["aab", "ab"], "%s0, %s1", "+1"),
    ("strstr(ptr, ptr) -> ptr", &["aab", ""], "%s0, %s1", "+0"),
    ("strstr(ptr, ptr) -> ptr", &["a", "ab"], "%s0, %s1", "null"),
    ("memcmp(ptr, ptr, i64) -> i32", &["a\\00b", "a\\00c"], "%s0, %s1, 3", "-1"),
    ("memcmp(ptr, ptr, i64) -> i32", &["\\ff", "\\01"], "%s0, %s1, 1", "1"),
    ("memcmp(ptr, ptr, i64) -> i32", &[], "null, null, 0", "0"),
    ("memchr(ptr, i32, i64) -> ptr", &["a\\00b"], "%s0, 98, 3", "+2"),
    ("memchr(ptr, i32, i64) -> ptr", &["a\\00b"], "%s0, 98, 2", "null"),
    ("memchr(ptr, i32, i64) -> ptr", &["abc"], "%s0, 355, -1", "+2"),
    ("memchr(ptr, i32, i64) -> ptr", &[], "null, 98, 0", "null"),
];

const NUMBERS: &[Case] = &[
    ("abs(i32) -> i32", &[], "-5", "5"),
    ("abs(i32) -> i32", &[], "-2147483648", "-2147483648"),
    ("labs(i64) -> i64", &[], "-5000000000", "5000000000"),
    ("llabs(i64) -> i64", &[], "0", "0"),
    ("atoi(ptr) -> i32", &[" \\09+7x"], "%s0", "7"),
    ("atoi(ptr) -> i32", &[""], "%s0", "0"),
    ("atoi(ptr) -> i32", &["2147483648"], "%s0", "-2147483648"),
    ("atol(ptr) -> i64", &["99999999999999999999"], "%s0", "0x7fffffffffffffff"),
    ("atoll(ptr) -> i64", &["-12"], "%s0", "-12"),
    ("strtol(ptr, ptr, i32) -> i64", &["-0x10"], "%s0, null, 0", "-16"),
    ("strtol(ptr, ptr, i32) -> i64", &["010"], "%s0, null, 0", "8"),
    ("strtol(ptr, ptr, i32) -> i64", &["z"], "%s0, null, 36", "35"),
    ("strtol(ptr, ptr, i32) -> i64", &["7"], "%s0, null, 1", "0"),
    (
        "strtol(ptr, ptr, i32) -> i64",
        &["-9223372036854775809"],
        "%s0, null, 10",
        "0x8000000000000000",
    ),
    (
        "strtoll(ptr, ptr, i32) -> i64",
        &["9223372036854775808"],
        "%s0, null, 10",
        "0x7fffffffffffffff",
    ),
    ("strtoul(ptr, ptr, i32) -> i64", &["-1"], "%s0, null, 10", "-1"),
    ("strtoul(ptr, ptr, i32) -> i64", &["18446744073709551616"], "%s0, null, 10", "-1"),
    ("strtoull(ptr, ptr, i32) -> i64", &["18446744073709551614"], "%s0, null, 10", "-2"),
    ("atof(ptr) -> f64", &[" -.5e1x"], "%s0", "-5.0"),
    ("atof(ptr) -> f64", &["1e400"], "%s0", "inf"),
    ("atof(ptr) -> f64", &["-0"], "%s0", "-0.0"),
    ("strtod(ptr, ptr) -> f64", &["Infinity"], "%s0, null", "inf"),
    ("strtod(ptr, ptr) -> f64", &["e5"], "%s0, null", "0.0"),
    ("strtod(ptr, ptr) -> f64", &["0.1"], "%s0, null", "0.1"),
];

/// Name, arguments and result, of doubles; the functions of floats give the same.
const MATH: &[(&str, &str, &str)] = &[
    ("sin", "-0.0", "-0.0"),
    ("sin", "inf", "nan"),
    ("cos", "0.0", "1.0"),
    ("tan", "0.0", "0.0"),
    ("asin", "1.0", "1.5707963267948966"),
    ("asin", "2.0", "nan"),
    ("acos", "1.0", "0.0"),
    ("atan", "-inf", "-1.5707963267948966"),
    ("sinh", "0.0", "0.0"),
    ("cosh", "0.0", "1.0"),
    ("tanh", "inf", "1.0"),
    ("exp", "-inf", "0.0"),
    ("exp", "710.0", "inf"),
    ("exp2", "10.0", "1024.0"),
    ("exp10", "3.0", "1000.0"),
    ("expm1", "-0.0", "-0.0"),
    ("log", "0.0", "-inf"),
    ("log", "-1.0", "nan"),
    ("log2", "8.0", "3.0"),
    ("log10", "1000.0", "3.0"),
    ("log1p", "-1.0", "-inf"),
    ("sqrt", "2.25", "1.5"),
    ("sqrt", "-0.0", "-0.0"),
    ("cbrt", "-8.0", "-2.0"),
    ("floor", "-1.5", "-2.0"),
    ("ceil", "-0.5", "-0.0"),
    ("round", "2.5", "3.0"),
    ("round", "-2.5", "-3.0"),
    ("trunc", "-0.9", "-0.0"),
    ("rint", "2.5", "2.0"),
    ("nearbyint", "3.5", "4.0"),
    ("fabs", "-0.0", "0.0"),
    ("atan2", "0.0, -0.0", "3.141592653589793"),
    ("pow", "0.0, 0.0", "1.0"),
    ("pow", "-8.0, 0.5", "nan"),
    ("pow", "1.0, nan", "1.0"),
    ("hypot", "3.0, 4.0", "5.0"),
    ("hypot", "nan, -inf", "inf"),
    ("copysign", "1.0, -0.0", "-1.0"),
    ("fmin", "nan, 1.0", "1.0"),
    ("fmax", "1.0, nan", "1.0"),
    ("fmin", "1.0, -2.0", "-2.0"),
    ("fmax", "1.0, -2.0", "1.0"),
    ("fmod", "5.5, -2.0", "1.5"),
    ("fmod", "-1.0, 1.0", "-0.0"),
    ("fmod", "1.0, 0.0", "nan"),
    ("fma", "3.0, 4.0, 0.5", "12.5"),
    ("fma", "inf, 0.0, 1.0", "nan"),
];

/// Models that change something, which have tests of their own.
const DEEDS: &[&str] = &[
    "malloc",
    "calloc",
    "realloc",
    "free",
    "aligned_alloc",
    "posix_memalign",
    "__cxa_allocate_exception",
    "__cxa_free_exception",
    "memcpy",
    "memmove",
    "memset",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strdup",
    "rand",
    "srand",
    "ldexp",
    "ldexpf",
    "scalbn",
    "scalbnf",
    "frexp",
    "frexpf",
    "modf",
    "modff",
    "qsort",
    "bsearch",
    "putchar",
    "putc",
    "fputc",
    "puts",
    "fputs",
    "fwrite",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vprintf",
    "vfprintf",
    "vsprintf",
    "vsnprintf",
    "fflush",
    "exit",
    "_exit",
    "abort",
    "atexit",
    "__assert_fail",
    "getenv",
    "clock",
    "time",
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "longjmp",
    "_longjmp",
    "siglongjmp",
];

/// Holds a case.
fn hold((signature, strings, args, expected): Case) {
    let (mut data, mut addresses) = (String::new(), String::new());
    for (index, string) in strings.iter().enumerate() {
        data.push_str(&format!("data @s{index} = {{ bytes \"{string}\\00\" }}\n"));
        addresses.push_str(&format!("    %s{index} = data_addr @s{index}\n"));
    }
    let (name, ty) = (name_of(signature), signature.rsplit(' ').next().unwrap());
    let expected = match expected.strip_prefix('+') {
        Some(offset) => format!("    %e = ptr_add %s0, {offset}"),
        None => format!("    %e = opaque.{ty} {expected}"),
    };
    let text = format!(
        "{data}foreign @{signature}
func @main() -> ({ty}, {ty}) {{
entry:
{addresses}
    %x = call_foreign @{name}({args})
{expected}
    return %x, %e
}}"
    );
    let results = run(&text).unwrap_or_else(|error| panic!("{signature} of {args}: {error}"));
    assert_eq!(results[0], results[1], "{signature} of {args}, {strings:?}");
}

fn name_of(signature: &str) -> &str {
    signature.split('(').next().unwrap()
}

#[test]
fn every_model_is_tried() {
    let mut tried: BTreeSet<String> = DEEDS.iter().map(|&name| name.to_owned()).collect();
    tried.extend(STRINGS.iter().chain(NUMBERS).map(|case| name_of(case.0).to_owned()));
    tried.extend(MATH.iter().flat_map(|(name, ..)| [(*name).to_owned(), format!("{name}f")]));
    tried.extend(KINDS.iter().map(|(name, _)| (*name).to_owned()));
    tried.extend(["tolower".to_owned(), "toupper".to_owned()]);
    let models: BTreeSet<String> = c_functions().map(str::to_owned).collect();
    assert_eq!(tried, models);
}

#[test]
fn strings_and_numbers_give_what_c_gives() {
    STRINGS.iter().chain(NUMBERS).copied().for_each(hold);
}

#[test]
fn math_gives_what_c_gives() {
    for &(name, args, expected) in MATH {
        let params = args.split(',').count();
        for (suffix, ty) in [("", "f64"), ("f", "f32")] {
            let signature = format!("{name}{suffix}({}) -> {ty}", vec![ty; params].join(", "));
            hold((signature.leak(), &[], args, expected));
        }
    }
    hold(("fma(f64, f64, f64) -> f64", &[], "1e16, 1e16, -1e32", "-5366162204393472.0"));
    hold(("round(f64) -> f64", &[], "0.49999999999999994", "0.0"));
    hold(("pow(f64, f64) -> f64", &[], "2.0, -1074.0", "5e-324"));
    hold(("fmod(f64, f64) -> f64", &[], "1e300, 7.0", "1.0"));
}

#[test]
fn numbers_are_scaled_and_split_by_powers_of_two() {
    for (name, ty) in [("ldexp", "f64"), ("scalbn", "f64"), ("ldexpf", "f32"), ("scalbnf", "f32")] {
        let signature: &str = format!("{name}({ty}, i32) -> {ty}").leak();
        hold((signature, &[], "0.75, 4", "12.0"));
        hold((signature, &[], "1.0, 2147483647", "inf"));
        hold((signature, &[], "-1.0, -2147483648", "-0.0"));
        hold((signature, &[], "nan, 1", "nan"));
    }
    hold(("ldexp(f64, i32) -> f64", &[], "1.5, -1074", "1e-323"));
    hold(("ldexpf(f32, i32) -> f32", &[], "1.5, -149", "2.8e-45"));
    for (name, ty, part) in [("frexp", "f64", "i32"), ("frexpf", "f32", "i32")]
        .into_iter()
        .chain([("modf", "f64", "f64"), ("modff", "f32", "f32")])
    {
        let cases = match part {
            "i32" => [
                ("-8.0", "-0.5", "4"),
                ("0.0", "0.0", "0"),
                ("inf", "inf", "0"),
                ("0.75", "0.75", "0"),
            ],
            _ => [
                ("-1.5", "-0.5", "-1.0"),
                ("-inf", "-0.0", "-inf"),
                ("-2.0", "-0.0", "-2.0"),
                ("0.5", "0.5", "0.0"),
            ],
        };
        for (value, fraction, rest) in cases {
            let text = format!(
                "foreign @{name}({ty}, ptr) -> {ty}
func @main() -> ({ty}, {part}, {ty}, {part}) {{
  ss0 = slot 8
entry:
    %p = slot_addr ss0
    %x = call_foreign @{name}({value}, %p)
    %y = load.{part} %p
    return %x, %y, {fraction}, {rest}
}}"
            );
            let results = run(&text).unwrap();
            assert_eq!(results[..2], results[2..], "{name} of {value}");
        }
    }
}

/// A kind of characters: from which to which.
type Kind = (&'static str, &'static [(u8, u8)]);

/// Kinds of characters, as the C standard lists them for the locale "C".
const KINDS: &[Kind] = &[
    ("isalnum", &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    ("isalpha", &[(b'A', b'Z'), (b'a', b'z')]),
    ("isdigit", &[(b'0', b'9')]),
    ("isxdigit", &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
    ("islower", &[(b'a', b'z')]),
    ("isupper", &[(b'A', b'Z')]),
    ("isspace", &[(b' ', b' '), (9, 13)]),
    ("ispunct", &[(33, 47), (58, 64), (91, 96), (123, 126)]),
    ("isprint", &[(32, 126)]),
    ("iscntrl", &[(0, 31), (127, 127)]),
];

#[test]
fn characters_are_of_the_kinds_of_the_locale_c() {
    let call = |name: &str| {
        format!(
            "foreign @{name}(i32) -> i32
func @main(i32) -> i32 {{
entry(%c: i32):
    %x = call_foreign @{name}(%c)
    return %x
}}"
        )
    };
    let all = |name: &str, expected: &dyn Fn(i32) -> i32| {
        let module = module(&call(name));
        let mut interpreter = Interpreter::new(&[&module]).unwrap();
        for c in -1..=256 {
            let result = interpreter.call("main", &[c.into()]).unwrap();
            assert_eq!(result, [expected(c).into()], "{name} of {c}");
        }
    };
    for (name, ranges) in KINDS {
        let is_in =
            |c: i32| ranges.iter().any(|&(low, high)| (low.into()..=high.into()).contains(&c));
        all(name, &|c| is_in(c).into());
    }
    all("tolower", &|c| if (65..=90).contains(&c) { c + 32 } else { c });
    all("toupper", &|c| if (97..=122).contains(&c) { c - 32 } else { c });
}
