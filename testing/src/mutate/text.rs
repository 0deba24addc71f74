//! Changes of a text: of bytes, of words, of lines.

use crate::random::Random;

/// Words and marks that stand somewhere in some text, and some that stand in none.
const WORDS: &[&str] = &[
    "func",
    "data",
    "local",
    "import",
    "foreign",
    "const",
    "thread_local",
    "align",
    "class",
    "module",
    "target",
    "slot",
    "exit0",
    "ss0",
    "ss99",
    "loc0",
    "scope0",
    "i1",
    "i8",
    "i64",
    "i128",
    "f16",
    "bf16",
    "f64",
    "x86_fp80",
    "f128",
    "ptr",
    "ref",
    "token",
    "i32x4",
    "i8x64",
    "i8x65",
    "i999",
    "fn(",
    "cfn(ptr, ...)",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "<{",
    "}>",
    "->",
    "=",
    ":",
    ",",
    ".",
    "..",
    "...",
    "+",
    "-",
    "!",
    "%",
    "@",
    "%0",
    "%99999999",
    "@f0",
    "@nobody",
    "block0",
    "block99999999",
    "entry",
    "\"",
    "\"\\",
    "\"\\xff\"",
    "\"\\q\"",
    "\"a\"",
    "0",
    "1",
    "-1",
    "300",
    "0x",
    "0xfffffffffffffffffffffffffffffffff",
    "1e999",
    "1.5",
    "nan",
    "inf",
    "bits:",
    "bits:0x7ff8000000000001",
    "zero",
    "null",
    "_",
    "x",
    ";",
    "\n",
    "\t",
    "\r",
    "add.i32",
    "add",
    "trap",
    "user(70000)",
    "call",
    "normal",
    "unwind",
    "roots(",
    "weights(",
    "weights(0, 0)",
    "range(0, 1)",
    "range(1, 0)",
    "nsw",
    "nsw nsw",
    "align 3",
    "align 4096",
    "volatile",
    "!loc0",
    "!missing",
    "slt",
    "seq_cst",
    "uninit",
    "\u{0}",
    "\u{e9}",
    "\u{1f600}",
    "inline",
    "always",
    "never",
    "cold",
    "memory",
    "none",
    "returns",
    "opt 9",
    "bytes",
    "i32 [",
    "exit0 = trap bounds",
    "ss0 = slot 8",
    "module \"m\"",
    "target \"x\"",
    "class !a in !b",
    "extract_value.{i8, i8} zero, 7",
    "%a, %b, %c = poll",
    "%z = add.i8 1, 300",
    "; run: @f(1) ==",
    "icmp.i32 5, 5",
    "data @d = { }",
    "func @f0()",
];

/// Changes some pieces of a text.
pub(super) fn mutate(random: &mut Random, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.between(1, 4) {
        match random.below(13) {
            0 => change_byte(random, &mut bytes),
            1 => cut(random, &mut bytes),
            2 => copy_piece(random, &mut bytes),
            3 => {
                let at = random.below(bytes.len() + 1);
                bytes.truncate(at);
            }
            4 => nest(random, &mut bytes),
            5 | 6 => exchange_lines(random, &mut bytes),
            7 | 8 => exchange_word(random, &mut bytes),
            9 => exchange_words(random, &mut bytes),
            10 => exchange_number(random, &mut bytes),
            _ => insert_word(random, &mut bytes),
        }
    }
    bytes
}

fn change_byte(random: &mut Random, bytes: &mut [u8]) {
    if !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes[at] = random.bits() as u8;
    }
}

fn piece(random: &mut Random, length: usize) -> std::ops::Range<usize> {
    let start = random.below(length + 1);
    let most = 1 << random.below(10);
    let size = random.below(most);
    start..(start + size).min(length)
}

fn cut(random: &mut Random, bytes: &mut Vec<u8>) {
    let range = piece(random, bytes.len());
    bytes.drain(range);
}

fn copy_piece(random: &mut Random, bytes: &mut Vec<u8>) {
    let copied = bytes[piece(random, bytes.len())].to_vec();
    let at = random.below(bytes.len() + 1);
    bytes.splice(at..at, copied);
}

/// Many brackets, one inside the other.
fn nest(random: &mut Random, bytes: &mut Vec<u8>) {
    let bracket = random.pick(&[&b"("[..], b"{", b"[", b"<", b"<{", b"fn(", b"[2 x ", b"\""]);
    let many = bracket.repeat(1 << random.below(12));
    let at = random.below(bytes.len() + 1);
    bytes.splice(at..at, many);
}

fn insert_word(random: &mut Random, bytes: &mut Vec<u8>) {
    let word = random.pick(WORDS);
    let starts = word_starts(bytes);
    let at = if starts.is_empty() { 0 } else { random.pick(&starts) };
    let spaced = format!(" {word} ");
    bytes.splice(at..at, spaced.into_bytes());
}

fn word_starts(bytes: &[u8]) -> Vec<usize> {
    (1..bytes.len()).filter(|&at| bytes[at - 1] == b' ' && bytes[at] != b' ').collect()
}

fn word_at(bytes: &[u8], start: usize) -> std::ops::Range<usize> {
    let length = bytes[start..].iter().position(|byte| byte.is_ascii_whitespace());
    start..length.map_or(bytes.len(), |length| start + length)
}

fn exchange_word(random: &mut Random, bytes: &mut Vec<u8>) {
    let starts = word_starts(bytes);
    if !starts.is_empty() {
        let range = word_at(bytes, random.pick(&starts));
        bytes.splice(range, random.pick(WORDS).bytes());
    }
}

/// One word of the text in the place of another.
fn exchange_words(random: &mut Random, bytes: &mut Vec<u8>) {
    let starts = word_starts(bytes);
    if !starts.is_empty() {
        let from = word_at(bytes, random.pick(&starts));
        let to = word_at(bytes, random.pick(&starts));
        let word = bytes[from].to_vec();
        bytes.splice(to, word);
    }
}

fn exchange_number(random: &mut Random, bytes: &mut Vec<u8>) {
    let is_start = |at: &usize| bytes[*at].is_ascii_digit() && !bytes[at - 1].is_ascii_digit();
    let starts: Vec<usize> = (1..bytes.len()).filter(is_start).collect();
    if starts.is_empty() {
        return;
    }
    let start = random.pick(&starts);
    let length = bytes[start..].iter().position(|byte| !byte.is_ascii_digit());
    let end = length.map_or(bytes.len(), |length| start + length);
    let number = match random.percent(80) {
        true => random.below(10).to_string(),
        false => random.wide_bits().to_string(),
    };
    bytes.splice(start..end, number.into_bytes());
}

/// Swaps, doubles or removes whole lines.
fn exchange_lines(random: &mut Random, bytes: &mut Vec<u8>) {
    let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let (from, to) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(3) {
        0 => lines.swap(from, to),
        1 => lines.insert(to, lines[from]),
        _ => {
            lines.remove(from);
        }
    }
    *bytes = lines.join(&b'\n');
}
