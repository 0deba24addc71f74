//! Strings that end in a zero, and kinds of characters.

use super::{
    Args, Given, Model, NOTHING, bytes_until_zero, charge_bytes, memory, string_at, write,
};
use crate::interpret::host::HostCall;

pub(super) const MODELS: &[(&str, Model)] = &[
    ("strlen", strlen),
    ("strnlen", strnlen),
    ("strcmp", strcmp),
    ("strncmp", strncmp),
    ("strcpy", strcpy),
    ("strncpy", strncpy),
    ("strcat", strcat),
    ("strncat", strncat),
    ("strchr", strchr),
    ("strrchr", strrchr),
    ("strstr", strstr),
    ("strdup", strdup),
    ("isalnum", |_, args| kind(args, |c| c.is_ascii_alphanumeric())),
    ("isalpha", |_, args| kind(args, |c| c.is_ascii_alphabetic())),
    ("isdigit", |_, args| kind(args, |c| c.is_ascii_digit())),
    ("isxdigit", |_, args| kind(args, |c| c.is_ascii_hexdigit())),
    ("islower", |_, args| kind(args, |c| c.is_ascii_lowercase())),
    ("isupper", |_, args| kind(args, |c| c.is_ascii_uppercase())),
    ("isspace", |_, args| kind(args, |c| c.is_ascii_whitespace() || c == 0xb)),
    ("ispunct", |_, args| kind(args, |c| c.is_ascii_punctuation())),
    ("isprint", |_, args| kind(args, |c| (0x20..0x7f).contains(&c))),
    ("iscntrl", |_, args| kind(args, |c| c.is_ascii_control())),
    ("tolower", |_, args| change(args, |c| c.to_ascii_lowercase())),
    ("toupper", |_, args| change(args, |c| c.to_ascii_uppercase())),
];

/// Whether a character is of a kind, in the locale "C".
fn kind(args: &Args<'_>, test: fn(u8) -> bool) -> Given {
    let is_kind = u8::try_from(args.int(0)).is_ok_and(test);
    Ok(i32::from(is_kind).into())
}

fn change(args: &Args<'_>, change: fn(u8) -> u8) -> Given {
    let character = args.int(0);
    Ok(u8::try_from(character).map_or(character, |c| change(c).into()).into())
}

fn strlen(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    Ok((string_at(call, args.word(0))?.len() as u64).into())
}

fn strnlen(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    Ok((bytes_until_zero(call, args.word(0), args.word(1))?.len() as u64).into())
}

fn compare(call: &mut HostCall<'_, '_>, args: &Args<'_>, limit: u64) -> Given {
    for offset in 0..limit {
        let [left, right] = [0, 1].map(|index| args.word(index).wrapping_add(offset));
        let (left, right) = (super::byte_at(call, left)?, super::byte_at(call, right)?);
        if left != right || left == 0 {
            return Ok((left.cmp(&right) as i32).into());
        }
    }
    NOTHING
}

fn strcmp(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    compare(call, args, u64::MAX)
}

fn strncmp(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    compare(call, args, args.word(2))
}

fn strcpy(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let mut bytes = string_at(call, args.word(1))?;
    bytes.push(0);
    write(call, args.word(0), &bytes)?;
    Ok(args.word(0).into())
}

/// Fills up with zeros, and leaves the end out of what is too long.
fn strncpy(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (to, size) = (args.word(0), args.word(2));
    let bytes = bytes_until_zero(call, args.word(1), size)?;
    write(call, to, &bytes)?;
    let rest = size - bytes.len() as u64;
    if rest != 0 {
        charge_bytes(call, rest)?;
        call.memory().fill(to.wrapping_add(bytes.len() as u64), 0, rest)?;
    }
    Ok(to.into())
}

fn append(call: &mut HostCall<'_, '_>, args: &Args<'_>, limit: u64) -> Given {
    let end = string_at(call, args.word(0))?.len() as u64;
    let mut bytes = bytes_until_zero(call, args.word(1), limit)?;
    bytes.push(0);
    write(call, args.word(0).wrapping_add(end), &bytes)?;
    Ok(args.word(0).into())
}

fn strcat(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    append(call, args, u64::MAX)
}

fn strncat(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    append(call, args, args.word(2))
}

/// The address of that byte of the string at `start`, or null.
fn found(start: u64, offset: Option<usize>) -> Given {
    Ok(offset.map_or(0, |offset| start.wrapping_add(offset as u64)).into())
}

fn strchr(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let mut bytes = string_at(call, args.word(0))?;
    bytes.push(0);
    found(args.word(0), bytes.iter().position(|&byte| byte == args.int(1) as u8))
}

fn strrchr(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let mut bytes = string_at(call, args.word(0))?;
    bytes.push(0);
    found(args.word(0), bytes.iter().rposition(|&byte| byte == args.int(1) as u8))
}

fn strstr(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let (bytes, wanted) = (string_at(call, args.word(0))?, string_at(call, args.word(1))?);
    call.charge((bytes.len() as u64).saturating_mul(wanted.len() as u64))?;
    let last = bytes.len().checked_sub(wanted.len());
    found(
        args.word(0),
        last.and_then(|last| (0..=last).find(|&start| bytes[start..].starts_with(&wanted))),
    )
}

fn strdup(call: &mut HostCall<'_, '_>, args: &Args<'_>) -> Given {
    let mut bytes = string_at(call, args.word(0))?;
    bytes.push(0);
    let copy = memory::allocate(call, bytes.len() as u64, 16)?;
    if copy != 0 {
        write(call, copy, &bytes)?;
    }
    Ok(copy.into())
}
