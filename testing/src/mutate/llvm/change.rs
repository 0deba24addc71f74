//! Changes of a text of LLVM IR: of its words by others of their kind, of its lines and
//! functions, of its bytes.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use super::{seeds, words};
use crate::random::Random;

/// No text that comes of changes is larger.
pub(super) const MOST_BYTES: usize = 1 << 16;

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Space,
    Line,
    Local,
    Global,
    Metadata,
    Group,
    Number,
    Type,
    Word,
    Text,
    Mark,
}

/// A piece of a text.
type Piece<'t> = (Class, Cow<'t, str>);

/// Changes some pieces of a text.
pub(super) fn mutate(random: &mut Random, text: &str) -> Vec<u8> {
    let mut pieces = split(text);
    let count = if random.percent(50) { 1 } else { random.between(2, 4) };
    for _ in 0..count {
        match random.below(20) {
            0..5 => exchange_by_word_of_text(random, &mut pieces),
            5..9 => exchange_by_word_of_kind(random, &mut pieces),
            9..12 => exchange_everywhere(random, &mut pieces),
            12 => insert(random, &mut pieces),
            13 => remove_or_double(random, &mut pieces),
            14 => swap(random, &mut pieces),
            15 | 16 => change_lines(random, &mut pieces),
            17 => add_function(random, &mut pieces),
            18 => nest(random, &mut pieces),
            _ => {}
        }
    }
    let mut bytes = Vec::with_capacity(text.len());
    for (_, piece) in &pieces {
        bytes.extend_from_slice(piece.as_bytes());
    }
    if random.percent(8) {
        change_bytes(random, &mut bytes);
    }
    if random.percent(4) {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes.truncate(MOST_BYTES);
    match String::from_utf8_lossy(&bytes) {
        Cow::Borrowed(_) => bytes,
        Cow::Owned(text) => text.into_bytes(),
    }
}

/// The pieces of a text; together they are the text.
fn split(text: &str) -> Vec<Piece<'_>> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::with_capacity(text.len() / 3);
    let mut start = 0;
    while start < bytes.len() {
        let (class, mut end) = scan(bytes, start);
        while !text.is_char_boundary(end) {
            end += 1;
        }
        pieces.push((class, Cow::Borrowed(&text[start..end])));
        start = end;
    }
    pieces
}

/// The piece that begins at `start`, and where it ends.
fn scan(bytes: &[u8], start: usize) -> (Class, usize) {
    let run = |from: usize, wanted: fn(u8) -> bool| {
        from + bytes[from..].iter().position(|&byte| !wanted(byte)).unwrap_or(bytes.len() - from)
    };
    let quoted = |from: usize| {
        let length = bytes[from + 1..].iter().position(|&byte| byte == b'"');
        length.map_or(bytes.len(), |length| from + length + 2)
    };
    let named = |from: usize| match bytes.get(from) {
        Some(b'"') => quoted(from),
        _ => run(from, is_name),
    };
    match bytes[start] {
        b'\n' => (Class::Line, start + 1),
        b' ' | b'\t' => (Class::Space, run(start, |byte| matches!(byte, b' ' | b'\t'))),
        b';' => (Class::Space, run(start, |byte| byte != b'\n')),
        b'%' => (Class::Local, named(start + 1)),
        b'@' => (Class::Global, named(start + 1)),
        b'!' => (Class::Metadata, named(start + 1)),
        b'#' => (Class::Group, named(start + 1)),
        b'"' => (Class::Text, quoted(start)),
        b'0'..=b'9' | b'-' => (Class::Number, run(start + 1, is_name)),
        byte if is_name(byte) => {
            let end = run(start, is_name);
            let word = std::str::from_utf8(&bytes[start..end]).unwrap_or_default();
            (if is_type(word) { Class::Type } else { Class::Word }, end)
        }
        _ => (Class::Mark, start + 1),
    }
}

fn is_type(word: &str) -> bool {
    let is_width = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    static TYPES: LazyLock<HashSet<&str>> =
        LazyLock::new(|| words::TYPES.iter().copied().collect());
    word.strip_prefix('i').is_some_and(|digits| !digits.is_empty() && is_width(digits))
        || TYPES.contains(word)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'$' | b'.')
}

/// The place of some piece that is no space, and seldom a mark.
fn some(random: &mut Random, pieces: &[Piece<'_>]) -> Option<usize> {
    let takes_marks = random.percent(15);
    let mut tries = (0..32).map(|_| random.below(pieces.len()));
    tries.find(|&at| match pieces.get(at) {
        None | Some((Class::Space | Class::Line, _)) => false,
        Some((Class::Mark, _)) => takes_marks,
        Some(_) => true,
    })
}

/// The place of some piece of that class.
fn some_of(random: &mut Random, pieces: &[Piece<'_>], class: Class) -> Option<usize> {
    let from = random.below(pieces.len());
    let after = pieces[from..].iter().position(|piece| piece.0 == class).map(|at| from + at);
    after.or_else(|| pieces[..from].iter().position(|piece| piece.0 == class))
}

/// One word of a text in the place of another of its class.
fn exchange_by_word_of_text(random: &mut Random, pieces: &mut [Piece<'_>]) {
    if let Some(at) = some(random, pieces)
        && let Some(from) = some_of(random, pieces, pieces[at].0)
    {
        pieces[at] = pieces[from].clone();
    }
}

/// A word that may stand where one of that class does.
fn word_of_class(random: &mut Random, class: Class, old: &str) -> Cow<'static, str> {
    match class {
        Class::Type => Cow::Borrowed(random.pick(words::TYPES)),
        Class::Word => match words::table_of(old) {
            Some(table) if random.percent(80) => Cow::Borrowed(random.pick(table)),
            _ => {
                let table = random.pick(words::TABLES);
                Cow::Borrowed(random.pick(table))
            }
        },
        Class::Number if random.percent(70) => Cow::Owned(number(random)),
        Class::Local | Class::Number => Cow::Borrowed(random.pick(words::CONSTANTS)),
        Class::Global => Cow::Borrowed(random.pick(words::GLOBALS)),
        Class::Metadata | Class::Group => Cow::Borrowed(random.pick(words::METADATA)),
        _ => Cow::Borrowed(random.pick(words::MARKS)),
    }
}

fn number(random: &mut Random) -> String {
    match random.below(6) {
        0..3 => random.below(10).to_string(),
        3 => (1_u64 << random.below(64)).to_string(),
        4 => format!("-{}", random.bits() >> random.below(64)),
        _ => random.wide_bits().to_string(),
    }
}

fn exchange_by_word_of_kind(random: &mut Random, pieces: &mut [Piece<'_>]) {
    if let Some(at) = some(random, pieces) {
        let (class, old) = &pieces[at];
        let word = word_of_class(random, *class, old);
        pieces[at].1 = word;
    }
}

/// Another word wherever one stands: a type or op that the rest of the text agrees to.
fn exchange_everywhere(random: &mut Random, pieces: &mut [Piece<'_>]) {
    let class = random.pick(&[Class::Type, Class::Type, Class::Word, Class::Global]);
    if let Some(at) = some_of(random, pieces, class) {
        let old = pieces[at].1.clone();
        let new = word_of_class(random, class, &old);
        for piece in pieces.iter_mut().filter(|piece| piece.0 == class && piece.1 == old) {
            piece.1 = new.clone();
        }
    }
}

fn insert(random: &mut Random, pieces: &mut Vec<Piece<'_>>) {
    let class = random.pick(&[Class::Word, Class::Mark, Class::Type, Class::Number, Class::Group]);
    let word = format!(" {} ", word_of_class(random, class, ""));
    let at = random.below(pieces.len() + 1);
    pieces.insert(at, (class, Cow::Owned(word)));
}

fn remove_or_double(random: &mut Random, pieces: &mut Vec<Piece<'_>>) {
    if let Some(at) = some(random, pieces) {
        match random.percent(50) {
            true => drop(pieces.remove(at)),
            false => pieces.insert(at, pieces[at].clone()),
        }
    }
}

fn swap(random: &mut Random, pieces: &mut [Piece<'_>]) {
    if let (Some(from), Some(to)) = (some(random, pieces), some(random, pieces)) {
        pieces.swap(from, to);
    }
}

/// Where the lines of a text begin, and the end of the last.
fn line_starts(pieces: &[Piece<'_>]) -> Vec<usize> {
    let behind = |(at, piece): (usize, &Piece<'_>)| (piece.0 == Class::Line).then_some(at + 1);
    std::iter::once(0).chain(pieces.iter().enumerate().filter_map(behind)).collect()
}

/// Some line of a text.
fn some_line(random: &mut Random, pieces: &[Piece<'_>]) -> std::ops::Range<usize> {
    let starts = line_starts(pieces);
    let number = random.below(starts.len());
    starts[number]..starts.get(number + 1).copied().unwrap_or(pieces.len())
}

/// Removes a line, or puts one of this text or of another somewhere.
fn change_lines<'t>(random: &mut Random, pieces: &mut Vec<Piece<'t>>) {
    let line = some_line(random, pieces);
    let target = some_line(random, pieces).start;
    match random.below(4) {
        0 => drop(pieces.drain(line)),
        1 => {
            let copied = pieces[line].to_vec();
            pieces.splice(target..target, copied);
        }
        2 => {
            let moved: Vec<Piece<'t>> = pieces.drain(line).collect();
            let target = target.min(pieces.len());
            pieces.splice(target..target, moved);
        }
        _ => {
            let other = random.pick(seeds::all());
            let lines = other.lines().count();
            let line = other.lines().nth(random.below(lines)).unwrap_or_default();
            let line = split(line).into_iter().chain([(Class::Line, Cow::Borrowed("\n"))]);
            pieces.splice(target..target, line);
        }
    }
}

/// A function of another text, behind this one.
fn add_function(random: &mut Random, pieces: &mut Vec<Piece<'_>>) {
    let other = random.pick(seeds::all());
    let starts: Vec<usize> = other.match_indices("\ndefine ").map(|(at, _)| at).collect();
    if !starts.is_empty() {
        let function = &other[random.pick(&starts)..];
        let end = function.find("\n}").map_or(function.len(), |end| end + 2);
        pieces.extend(split(&function[..end]));
        pieces.push((Class::Line, Cow::Borrowed("\n")));
    }
}

/// Many brackets, one inside the other.
fn nest(random: &mut Random, pieces: &mut Vec<Piece<'_>>) {
    let many = random.pick(words::BRACKETS).repeat(1 << random.below(12));
    let at = random.below(pieces.len() + 1);
    pieces.insert(at, (Class::Mark, Cow::Owned(many)));
}

fn change_bytes(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..random.between(1, 4) {
        let at = random.below(bytes.len());
        match random.below(3) {
            _ if bytes.is_empty() => {}
            0 => bytes[at] = random.bits() as u8,
            1 => bytes[at] = random.pick(b"\0 \n\"\\;%@!#^$*<>{}[](),:=-+.|/019axiN_\x7f"),
            _ => {
                let end = (at + random.between(1, 64)).min(bytes.len());
                bytes.drain(at..end);
            }
        }
    }
}
