//! Whole numbers, and numbers in text.

use super::{Args, Given, Model, NOTHING, string_at, write};
use crate::interpret::host::{HostCall, HostError};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("abs", |_, args| Ok(args.int(0).wrapping_abs().into())),
    ("labs", |_, args| Ok(args.long(0).wrapping_abs().into())),
    ("llabs", |_, args| Ok(args.long(0).wrapping_abs().into())),
    ("rand", rand),
    ("srand", srand),
    ("atoi", |call, args| Ok((whole(call, args, Range::Long)?.0 as i32).into())),
    ("atol", |call, args| Ok((whole(call, args, Range::Long)?.0 as i64).into())),
    ("atoll", |call, args| Ok((whole(call, args, Range::Long)?.0 as i64).into())),
    ("strtol", |call, args| strto(call, args, Range::Long)),
    ("strtoll", |call, args| strto(call, args, Range::Long)),
    ("strtoul", |call, args| strto(call, args, Range::UnsignedLong)),
    ("strtoull", |call, args| strto(call, args, Range::UnsignedLong)),
    ("atof", |call, args| Ok(decimal(&string_at(call, args.word(0))?).0.into())),
    ("strtod", strtod),
];

/// The generator that the C standard shows as an example, with more bits.
fn rand(call: &mut HostCall<'_, '_>, _: &Args<'_>) -> Given {
    let state = &mut call.machine().c_state.random;
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    Ok(((*state >> 33) as i32).into())
}

fn srand(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    call.machine().c_state.random = u64::from(args.bits(0) as u32);
    NOTHING
}

/// The numbers that a function of the `strtol` family can give.
#[derive(Clone, Copy)]
enum Range {
    Long,
    UnsignedLong,
}

fn strto(call: &mut HostCall<'_, '_>, args: &Args<'_>, range: Range) -> Given {
    let text = string_at(call, args.word(0))?;
    let (number, end) = parse_whole(&text, args.int(2), range);
    store_end(call, args, end)?;
    Ok((number as u64).into())
}

fn whole(
    call: &mut HostCall<'_, '_>,
    args: &Args<'_>,
    range: Range,
) -> Result<(i128, usize), HostError> {
    Ok(parse_whole(&string_at(call, args.word(0))?, 10, range))
}

/// Puts the address behind what was read where the second argument says.
fn store_end(call: &mut HostCall<'_, '_>, args: &Args<'_>, end: usize) -> Result<(), HostError> {
    if args.word(1) == 0 {
        return Ok(());
    }
    let address = args.word(0).wrapping_add(end as u64);
    write(call, args.word(1), &address.to_le_bytes())
}

/// How many white characters a text begins with.
fn skip_white(text: &[u8]) -> usize {
    text.iter().take_while(|c| c.is_ascii_whitespace() || **c == 0xb).count()
}

/// The number that a text begins with, held in its range, and where it ends;
/// base 0 reads the prefixes of C.
fn parse_whole(text: &[u8], base: i32, range: Range) -> (i128, usize) {
    let mut at = skip_white(text);
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let has_hex_prefix = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && text.get(at + 2).is_some_and(u8::is_ascii_hexdigit);
    let base = match base {
        0 if has_hex_prefix => 16,
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        2..=36 => base as u32,
        _ => return (0, 0),
    };
    at += if base == 16 && has_hex_prefix { 2 } else { 0 };
    let (start, mut magnitude) = (at, 0i128);
    while let Some(digit) = text.get(at).and_then(|&c| char::from(c).to_digit(base)) {
        // Far more digits than any range has keep the number out of it.
        magnitude = (magnitude * i128::from(base) + i128::from(digit)).min(1 << 100);
        at += 1;
    }
    if at == start {
        return (0, 0);
    }
    let number = if negative { -magnitude } else { magnitude };
    let held = match range {
        Range::Long => number.clamp(i64::MIN.into(), i64::MAX.into()),
        Range::UnsignedLong if magnitude > u64::MAX.into() => u64::MAX.into(),
        Range::UnsignedLong => number,
    };
    (held, at)
}

fn strtod(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let text = string_at(call, args.word(0))?;
    let (number, end) = decimal(&text);
    store_end(call, args, end)?;
    Ok(number.into())
}

/// The decimal, `inf` or `nan` that a text begins with, and where it ends. Of a
/// hexadecimal float, only the zero before its `x` is read.
fn decimal(text: &[u8]) -> (f64, usize) {
    let start = skip_white(text);
    let signed = start + usize::from(matches!(text.get(start), Some(b'-' | b'+')));
    let end = named_end(text, signed).unwrap_or_else(|| decimal_end(text, signed));
    if end == signed {
        return (0.0, 0);
    }
    let number = std::str::from_utf8(&text[start..end]).ok().and_then(|text| text.parse().ok());
    (number.unwrap_or(0.0), end)
}

fn named_end(text: &[u8], at: usize) -> Option<usize> {
    let names: [&[u8]; 3] = [b"infinity", b"inf", b"nan"];
    let is_there = |name: &[u8]| {
        text.get(at..at + name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name))
    };
    names.into_iter().find(|name| is_there(name)).map(|name| at + name.len())
}

/// The end of digits, point and exponent; where they begin if there is no digit.
fn decimal_end(text: &[u8], start: usize) -> usize {
    let digits = |at: usize| text[at..].iter().take_while(|c| c.is_ascii_digit()).count();
    let whole = digits(start);
    let mut end = start + whole;
    let mut fraction = 0;
    if text.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return start;
    }
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let signed = end + 1 + usize::from(matches!(text.get(end + 1), Some(b'-' | b'+')));
        let exponent = text.get(signed..).map_or(0, |_| digits(signed));
        end = if exponent == 0 { end } else { signed + exponent };
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_read_as_c_does() {
        let long = |text: &str, base| parse_whole(text.as_bytes(), base, Range::Long);
        assert_eq!(long("  -12x", 10), (-12, 5));
        assert_eq!(long("0x1fz", 0), (31, 4));
        assert_eq!(long("0x", 16), (0, 1));
        assert_eq!(long("017", 0), (15, 3));
        assert_eq!(long("zz", 36), (35 * 37, 2));
        assert_eq!(long("+", 10), (0, 0));
        assert_eq!(long("99999999999999999999", 10), (i64::MAX.into(), 20));
        assert_eq!(parse_whole(b"-1", 10, Range::UnsignedLong), (-1, 2));
        assert_eq!(
            parse_whole(b"99999999999999999999", 10, Range::UnsignedLong).0,
            u64::MAX.into()
        );
    }

    #[test]
    fn decimals_are_read_as_c_does() {
        assert_eq!(decimal(b" 1.5e3x"), (1500.0, 6));
        assert_eq!(decimal(b"-.5"), (-0.5, 3));
        assert_eq!(decimal(b"7e+"), (7.0, 1));
        assert_eq!(decimal(b"-INFx"), (f64::NEG_INFINITY, 4));
        assert_eq!(decimal(b"."), (0.0, 0));
        assert!(decimal(b"nan").0.is_nan());
    }
}
