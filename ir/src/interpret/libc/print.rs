//! Printing into the program's output, whatever the stream, or into memory.

use super::{
    Args, Given, Model, NOTHING, bytes_at, bytes_until_zero, check_readable, format, string_at,
    write,
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
    let room = call.machine().output_room();
    let text = formatted(call, args, 0, room)?;
    print(call, &text)
}

fn fprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let room = call.machine().output_room();
    let text = formatted(call, args, 1, room)?;
    print(call, &text)
}

fn sprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let room = call.machine().limits.memory;
    let mut text = formatted(call, args, 1, room)?;
    let count = length(&text);
    text.push(0);
    write(call, args.word(0), &text)?;
    Ok(count)
}

fn snprintf(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let room = call.machine().limits.memory;
    let text = formatted(call, args, 2, room)?;
    if let Some(room) = args.word(1).checked_sub(1) {
        let kept = usize::try_from(room).map_or(text.len(), |room| room.min(text.len()));
        let mut kept = text[..kept].to_vec();
        kept.push(0);
        write(call, args.word(0), &kept)?;
    }
    Ok(length(&text))
}

/// The text of a format and the arguments behind it, if it has room.
fn formatted(
    call: &mut HostCall<'_, '_>,
    args: &Args<'_>,
    format: usize,
    room: u64,
) -> Result<Vec<u8>, HostError> {
    let text = string_at(call, args.word(format))?;
    let rest = args.0.get(format + 1..).unwrap_or(&[]);
    format::format(call, &text, rest, room)
}

fn print(call: &mut HostCall<'_, '_>, text: &[u8]) -> Given {
    call.print(text)?;
    Ok(length(text))
}

fn length(text: &[u8]) -> Datum {
    i32::try_from(text.len()).unwrap_or(i32::MAX).into()
}
