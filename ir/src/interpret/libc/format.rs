//! The formats of `printf`.

use super::bytes_until_zero;
use crate::datum::Datum;
use crate::interpret::eval::int::signed;
use crate::interpret::host::{HostCall, HostError};
use crate::trap::TrapCode;
use crate::va_list;

/// The widest field, so that no format makes more text than a program may print.
const MAX_FIELD: u64 = 1 << 12;

/// One conversion of a format: `%-8.3ld`.
#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    zeros: bool,
    alternative: bool,
    width: usize,
    precision: Option<usize>,
    bits: u32,
}

/// The arguments behind a format, each taken once.
pub(super) enum Rest<'a> {
    /// Those of the call.
    Given(std::slice::Iter<'a, Datum>),
    /// Those of a `va_list` of x86-64, which stays as it is.
    List {
        /// Where the next one in registers is: integers, then floats.
        offsets: [u32; 2],
        /// Where the next one in memory is.
        memory: u64,
        /// Where the registers were saved.
        registers: u64,
    },
}

/// Where the saved integer registers end, and the saved float registers.
const REGISTER_ENDS: [u32; 2] = [va_list::INTEGERS_END, va_list::FLOATS_END];

/// Bytes from one of these registers to the next.
const REGISTER_SIZES: [u32; 2] = [va_list::INTEGER_STEP, va_list::FLOAT_STEP];

impl<'a> Rest<'a> {
    pub(super) fn given(args: &'a [Datum]) -> Rest<'a> {
        Rest::Given(args.iter())
    }

    /// The arguments that the `va_list` at an address leads to.
    pub(super) fn list(call: &mut HostCall<'_, '_>, address: u64) -> Result<Rest<'a>, HostError> {
        let mut bytes = [0; va_list::SIZE];
        call.memory().read(address, &mut bytes)?;
        let number = |at: usize, size: usize| {
            bytes[at..at + size].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        let offset = |at: usize| number(at, 4) as u32;
        Ok(Rest::List {
            offsets: [offset(va_list::INTEGER_OFFSET), offset(va_list::FLOAT_OFFSET)],
            memory: number(va_list::NEXT_IN_MEMORY, 8),
            registers: number(va_list::SAVED_REGISTERS, 8),
        })
    }

    fn word(&mut self, call: &mut HostCall<'_, '_>) -> Result<u128, HostError> {
        self.next(call, 0)
    }

    fn double(&mut self, call: &mut HostCall<'_, '_>) -> Result<f64, HostError> {
        Ok(f64::from_bits(self.next(call, 1)? as u64))
    }

    fn next(&mut self, call: &mut HostCall<'_, '_>, kind: usize) -> Result<u128, HostError> {
        let (offsets, memory, registers) = match self {
            Rest::Given(args) => {
                let missing =
                    || HostError::failed("a format asks for more arguments than there are");
                return args.next().map(Datum::bits).ok_or_else(missing);
            }
            Rest::List { offsets, memory, registers } => (offsets, memory, registers),
        };
        let offset = &mut offsets[kind];
        let address = if *offset < REGISTER_ENDS[kind] {
            let address = registers.wrapping_add(u64::from(*offset));
            *offset += REGISTER_SIZES[kind];
            address
        } else {
            let address = *memory;
            *memory = memory.wrapping_add(8);
            address
        };
        let mut bytes = [0; 8];
        call.memory().read(address, &mut bytes)?;
        Ok(u64::from_le_bytes(bytes).into())
    }
}

/// The text that a format makes of its arguments; traps `out_of_memory` once it
/// has more than `room` bytes.
pub(super) fn format(
    call: &mut HostCall<'_, '_>,
    text: &[u8],
    mut rest: Rest<'_>,
    room: u64,
) -> Result<Vec<u8>, HostError> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        if out.len() as u64 > room {
            break;
        }
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let conversion = read_conversion(call, text, &mut at, &mut rest)?;
        let kind = text.get(at).copied().unwrap_or(b' ');
        at += 1;
        let left = room - out.len() as u64;
        let made = convert(call, &conversion, kind, &mut rest, left)?;
        call.charge(made.len() as u64)?;
        out.extend(made);
    }
    if out.len() as u64 > room {
        return Err(HostError::Trap(TrapCode::OutOfMemory));
    }
    Ok(out)
}

/// Reads flags, width, precision and length.
fn read_conversion(
    call: &mut HostCall<'_, '_>,
    text: &[u8],
    at: &mut usize,
    rest: &mut Rest<'_>,
) -> Result<Conversion, HostError> {
    let mut conversion = Conversion { bits: 32, ..Conversion::default() };
    while let Some(byte) = text.get(*at) {
        match byte {
            b'-' => conversion.left = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'0' => conversion.zeros = true,
            b'#' => conversion.alternative = true,
            _ => break,
        }
        *at += 1;
    }
    let width = read_number(call, text, at, rest)?;
    conversion.left |= width < 0;
    conversion.width = within_limit(width.unsigned_abs())?;
    if text.get(*at) == Some(&b'.') {
        *at += 1;
        // A negative precision is none.
        let precision = u64::try_from(read_number(call, text, at, rest)?).ok();
        conversion.precision = precision.map(within_limit).transpose()?;
    }
    while let Some(byte) = text.get(*at) {
        conversion.bits = match (byte, conversion.bits) {
            (b'h', 32) => 16,
            (b'h', _) => 8,
            (b'l' | b'j' | b'z' | b't', _) => 64,
            _ => break,
        };
        *at += 1;
    }
    Ok(conversion)
}

/// The number there, or the argument that a star asks for; 0 where nothing is.
fn read_number(
    call: &mut HostCall<'_, '_>,
    text: &[u8],
    at: &mut usize,
    rest: &mut Rest<'_>,
) -> Result<i64, HostError> {
    if text.get(*at) == Some(&b'*') {
        *at += 1;
        return Ok((rest.word(call)? as i32).into());
    }
    let mut number = 0i64;
    while let Some(digit) = text.get(*at).filter(|c| c.is_ascii_digit()) {
        number = number.saturating_mul(10).saturating_add((digit - b'0').into());
        *at += 1;
    }
    Ok(number)
}

fn within_limit(characters: u64) -> Result<usize, HostError> {
    if characters <= MAX_FIELD {
        return Ok(characters as usize);
    }
    Err(HostError::failed(format!("a format asks for {characters} characters")))
}

/// What a conversion makes; of a string, at most one byte more than is `left`.
fn convert(
    call: &mut HostCall<'_, '_>,
    conversion: &Conversion,
    kind: u8,
    rest: &mut Rest<'_>,
    left: u64,
) -> Result<Vec<u8>, HostError> {
    Ok(match kind {
        b'%' => vec![b'%'],
        b'd' | b'i' => conversion.signed_whole(rest.word(call)?),
        b'u' => conversion.whole(rest.word(call)?, "", |number| number.to_string()),
        b'x' => conversion.whole(rest.word(call)?, "0x", |number| format!("{number:x}")),
        b'X' => conversion.whole(rest.word(call)?, "0X", |number| format!("{number:X}")),
        b'o' => conversion.whole(rest.word(call)?, "0", |number| format!("{number:o}")),
        b'p' => match rest.word(call)? as u64 {
            0 => conversion.text(b"(nil)"),
            address => conversion.text(format!("{address:#x}").as_bytes()),
        },
        b'c' => conversion.text(&[rest.word(call)? as u8]),
        b's' => {
            let address = rest.word(call)? as u64;
            let wanted = conversion.precision.map_or(u64::MAX, |limit| limit as u64);
            let bytes = bytes_until_zero(call, address, wanted.min(left.saturating_add(1)))?;
            conversion.text(&bytes)
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => conversion.float(kind, rest.double(call)?),
        other => {
            let other = char::from(other);
            return Err(HostError::failed(format!("the format `%{other}` has no model")));
        }
    })
}

impl Conversion {
    /// Fills up with spaces on the side that the flags say.
    fn text(&self, text: &[u8]) -> Vec<u8> {
        let fill = vec![b' '; self.width.saturating_sub(text.len())];
        if self.left { [text, &fill].concat() } else { [&fill, text].concat() }
    }

    /// Fills up with spaces, or with zeros behind sign and prefix.
    fn number(&self, prefix: &str, digits: &str, zeros: bool) -> Vec<u8> {
        let length = prefix.len() + digits.len();
        let fill = if zeros && !self.left { self.width.saturating_sub(length) } else { 0 };
        self.text(format!("{prefix}{}{digits}", "0".repeat(fill)).as_bytes())
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (.., true) => " ",
            _ => "",
        }
    }

    /// Puts zeros before digits of which there are fewer than the precision;
    /// zero has none at precision 0.
    fn digits(&self, digits: String) -> String {
        match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(count) => format!("{}{digits}", "0".repeat(count.saturating_sub(digits.len()))),
            None => digits,
        }
    }

    fn signed_whole(&self, bits: u128) -> Vec<u8> {
        let number = signed(self.bits, bits);
        let digits = self.digits(number.unsigned_abs().to_string());
        self.number(self.sign(number < 0), &digits, self.zeros && self.precision.is_none())
    }

    fn whole(&self, bits: u128, prefix: &str, digits: impl Fn(u128) -> String) -> Vec<u8> {
        let number = bits & crate::constant::mask(self.bits);
        let digits = self.digits(digits(number));
        let is_octal = prefix == "0";
        let has_prefix =
            self.alternative && if is_octal { !digits.starts_with('0') } else { number != 0 };
        let prefix = if has_prefix { prefix } else { "" };
        self.number(prefix, &digits, self.zeros && self.precision.is_none())
    }

    fn float(&self, kind: u8, value: f64) -> Vec<u8> {
        let sign = self.sign(value.is_sign_negative() && !value.is_nan());
        let magnitude = value.abs();
        let precision = self.precision.unwrap_or(6);
        let text = if value.is_nan() {
            "nan".to_owned()
        } else if value.is_infinite() {
            "inf".to_owned()
        } else {
            match kind.to_ascii_lowercase() {
                b'f' => self.fixed(magnitude, precision),
                b'e' => self.exponential(magnitude, precision),
                _ => self.general(magnitude, precision),
            }
        };
        let text = if kind.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text };
        self.number(sign, &text, self.zeros && value.is_finite())
    }

    fn fixed(&self, magnitude: f64, precision: usize) -> String {
        let point = if self.alternative && precision == 0 { "." } else { "" };
        format!("{magnitude:.precision$}{point}")
    }

    fn exponential(&self, magnitude: f64, precision: usize) -> String {
        let (digits, exponent) = split_exponent(magnitude, precision);
        let point = if self.alternative && precision == 0 { "." } else { "" };
        format!("{digits}{point}{}", exponent_text(exponent))
    }

    /// The shorter of the two, without trailing zeros.
    fn general(&self, magnitude: f64, precision: usize) -> String {
        let precision = precision.max(1);
        let (digits, exponent) = split_exponent(magnitude, precision - 1);
        let is_fixed = (-4..precision as i32).contains(&exponent);
        let number = if is_fixed {
            let behind = (precision as i32 - 1 - exponent) as usize;
            format!("{magnitude:.behind$}")
        } else {
            digits
        };
        let number = if self.alternative || !number.contains('.') {
            number
        } else {
            number.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        let exponent = if is_fixed { String::new() } else { exponent_text(exponent) };
        format!("{number}{exponent}")
    }
}

/// Digits with one before the point, and the power of ten.
fn split_exponent(magnitude: f64, precision: usize) -> (String, i32) {
    let text = format!("{magnitude:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (digits.to_owned(), exponent.parse().unwrap_or(0))
}

fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}
