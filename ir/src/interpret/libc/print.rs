//! Printing into the program's output, whatever the stream, or into memory.

use super::format::{self, Rest};
use super::{Args, Given, Model, NOTHING, bytes_at, check_readable, string_at, write};
use crate::datum::Datum;
use crate::interpret::host::{HostCall, HostError};

pub(super) const MODELS: &[(&str, Model)] = &[
    ("putchar", putchar),
    ("putc", putchar),
    ("fputc", putchar),
    ("puts", puts),
    ("fputs", fputs),
    ("fwrite", fwrite),
    ("printf", printf),
    ("fprintf", fprintf),
    ("sprintf", sprintf),
    ("snprintf", snprintf),
    ("vprintf", vprintf),
    ("vfprintf", vfprintf),
    ("vsprintf", vsprintf),
    ("vsnprintf", vsnprintf),
    ("fflush", |_, _| NOTHING),
];

/// The character comes first, with or without a stream.
fn putchar(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let character = args.int(0) as u8;
    call.print(&[character])?;
    Ok(i32::from(character).into())
}

fn puts(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let mut text = string_at(call, args.word(0))?;
    text.push(b'\n');
    print(call, &text)
}

fn fputs(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let text = string_at(call, args.word(0))?;
    print(call, &text)
}

fn fwrite(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (size, count) = (args.word(1), args.word(2));
    let bytes = size.checked_mul(count).ok_or_else(|| HostError::failed("`fwrite` of too much"))?;
    check_readable(call, args.word(0), bytes)?;
    call.machine().check_output(bytes).map_err(HostError::Trap)?;
    let bytes = bytes_at(call, args.word(0), bytes)?;
    call.print(&bytes)?;
    Ok(if size == 0 { 0 } else { count }.into())
}

fn printf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let text = formatted(call, args, 0, Rest::given(behind(args, 1)))?;
    print(call, &text)
}

fn fprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let text = formatted(call, args, 1, Rest::given(behind(args, 2)))?;
    print(call, &text)
}

fn sprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let text = formatted(call, args, 1, Rest::given(behind(args, 2)))?;
    put(call, args.word(0), text)
}

fn snprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let text = formatted(call, args, 2, Rest::given(behind(args, 3)))?;
    put_within(call, args, &text)
}

fn vprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let rest = Rest::list(call, args.word(1))?;
    let text = formatted(call, args, 0, rest)?;
    print(call, &text)
}

fn vfprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let rest = Rest::list(call, args.word(2))?;
    let text = formatted(call, args, 1, rest)?;
    print(call, &text)
}

fn vsprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let rest = Rest::list(call, args.word(2))?;
    let text = formatted(call, args, 1, rest)?;
    put(call, args.word(0), text)
}

fn vsnprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let rest = Rest::list(call, args.word(3))?;
    let text = formatted(call, args, 2, rest)?;
    put_within(call, args, &text)
}

/// The arguments behind the first ones.
fn behind<'a>(args: &Args<'a>, named: usize) -> &'a [Datum] {
    args.0.get(named..).unwrap_or(&[])
}

/// Puts a text at an address.
fn put(call: &mut HostCall<'_, '_>, to: u64, mut text: Vec<u8>) -> Given {
    let count = length(&text);
    text.push(0);
    write(call, to, &text)?;
    Ok(count)
}

/// Puts as much of a text as there is room for.
fn put_within(call: &mut HostCall<'_, '_>, args: &Args<'_>, text: &[u8]) -> Given {
    if let Some(room) = args.word(1).checked_sub(1) {
        let kept = usize::try_from(room).map_or(text.len(), |room| room.min(text.len()));
        let mut kept = text[..kept].to_vec();
        kept.push(0);
        write(call, args.word(0), &kept)?;
    }
    Ok(length(text))
}

/// The text of a format and the arguments behind it.
fn formatted(
    call: &mut HostCall<'_, '_>,
    args: &Args<'_>,
    format: usize,
    rest: Rest<'_>,
) -> Result<Vec<u8>, HostError> {
    let text = string_at(call, args.word(format))?;
    format::format(call, &text, rest)
}

fn print(call: &mut HostCall<'_, '_>, text: &[u8]) -> Given {
    call.print(text)?;
    Ok(length(text))
}

fn length(text: &[u8]) -> Datum {
    i32::try_from(text.len()).unwrap_or(i32::MAX).into()
}
