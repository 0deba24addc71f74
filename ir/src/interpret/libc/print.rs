//! Printing into the program's output, whatever the stream, or into memory.

use super::format::{self, Rest};
use super::{
    Args, Given, Model, NOTHING, bytes_at, bytes_until_zero, check_readable, string_at, write,
};
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

/// The string at an address, or one byte more of it than can be printed.
fn printable(call: &mut HostCall<'_, '_>, address: u64) -> Result<Vec<u8>, HostError> {
    let room = call.machine().output_room();
    bytes_until_zero(call, address, room.saturating_add(1))
}

fn puts(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let mut text = printable(call, args.word(0))?;
    text.push(b'\n');
    print(call, &text)
}

fn fputs(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let text = printable(call, args.word(0))?;
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
    print_formatted(call, args, 0, Rest::given(behind(args, 1)))
}

fn fprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    print_formatted(call, args, 1, Rest::given(behind(args, 2)))
}

fn sprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    put(call, args, 1, Rest::given(behind(args, 2)))
}

fn snprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    put_within(call, args, 2, Rest::given(behind(args, 3)))
}

fn vprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let rest = Rest::list(call, args.word(1))?;
    print_formatted(call, args, 0, rest)
}

fn vfprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let rest = Rest::list(call, args.word(2))?;
    print_formatted(call, args, 1, rest)
}

fn vsprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let rest = Rest::list(call, args.word(2))?;
    put(call, args, 1, rest)
}

fn vsnprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let rest = Rest::list(call, args.word(3))?;
    put_within(call, args, 2, rest)
}

/// The arguments behind the first ones.
fn behind<'a>(args: &Args<'a>, named: usize) -> &'a [Datum] {
    args.0.get(named..).unwrap_or(&[])
}

/// Prints what a format, the argument of that number, makes of others.
fn print_formatted(
    call: &mut HostCall<'_, '_>,
    args: &Args<'_>,
    format: usize,
    rest: Rest<'_>,
) -> Given {
    let text = string_at(call, args.word(format))?;
    let room = call.machine().output_room();
    let text = format::format(call, &text, rest, room)?;
    print(call, &text)
}

/// As [`print_formatted`], to the address that is the first argument.
fn put(call: &mut HostCall<'_, '_>, args: &Args<'_>, format: usize, rest: Rest<'_>) -> Given {
    let mut text = formatted(call, args, format, rest)?;
    let count = length(&text);
    text.push(0);
    write(call, args.word(0), &text)?;
    Ok(count)
}

/// As [`put`], as much of it as the second argument has room for.
fn put_within(
    call: &mut HostCall<'_, '_>,
    args: &Args<'_>,
    format: usize,
    rest: Rest<'_>,
) -> Given {
    let text = formatted(call, args, format, rest)?;
    if let Some(room) = args.word(1).checked_sub(1) {
        let kept = usize::try_from(room).map_or(text.len(), |room| room.min(text.len()));
        let mut kept = text[..kept].to_vec();
        kept.push(0);
        write(call, args.word(0), &kept)?;
    }
    Ok(length(&text))
}

/// The text of a format and other arguments, if memory has room for it.
fn formatted(
    call: &mut HostCall<'_, '_>,
    args: &Args<'_>,
    format: usize,
    rest: Rest<'_>,
) -> Result<Vec<u8>, HostError> {
    let text = string_at(call, args.word(format))?;
    let room = call.machine().limits.memory;
    format::format(call, &text, rest, room)
}

fn print(call: &mut HostCall<'_, '_>, text: &[u8]) -> Given {
    call.print(text)?;
    Ok(length(text))
}

fn length(text: &[u8]) -> Datum {
    i32::try_from(text.len()).unwrap_or(i32::MAX).into()
}
