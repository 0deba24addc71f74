//! Canonical text with the comments of the text that it is made from.
//!
//! Comments are no part of a module, and neither parser nor printer know
//! them. Both texts, as it is and as it prints, consist of the same things:
//! the comments around a thing go where that thing prints.

use std::collections::BTreeMap;

use super::comment::{Comment, Standing, comments};
use super::diagnostic::{Diagnostic, text_of_bytes};
use super::outline::{END, Item, Key, Outline};
use super::printer::print_module;
use super::{Limits, MAX_BYTES, read};
use crate::module::Module;

/// The canonical text of a module that is given as text, with its comments.
///
/// A comment that stands alone stays before what it stands before, one behind
/// something on its line stays behind that; those inside of what prints on one
/// line stand before it. An empty line beside a comment stays. Formatting what
/// this gives changes nothing.
///
/// # Errors
/// As [`parse_bytes`](super::parse_bytes).
pub fn format_bytes(bytes: &[u8], limits: &Limits) -> Result<String, Vec<Diagnostic>> {
    let text = text_of_bytes(bytes)?;
    let comments = comments_within(text, limits);
    let (module, items) = outlined(text, limits)?;
    let canonical = print_module(&module);
    drop(module);
    if comments.is_empty() {
        return Ok(canonical);
    }
    // The canonical text may be shorter than the one that was let pass.
    let limits = Limits { bytes: MAX_BYTES, unused_numbers: u64::MAX, ..*limits };
    let (_, mut places) = outlined(&canonical, &limits)?;
    places.sort_by_key(|&(key, _)| key);
    Ok(woven(&canonical, &placed(&comments, &items, &places)))
}

fn comments_within<'a>(text: &'a str, limits: &Limits) -> Vec<Comment<'a>> {
    if text.len() > limits.bytes.min(MAX_BYTES) { Vec::new() } else { comments(text) }
}

type Outlined = (Module, Vec<(Key, Item)>);

fn outlined(text: &str, limits: &Limits) -> Result<Outlined, Vec<Diagnostic>> {
    let reading = read(text, limits, Some(Outline::default()));
    let items = reading.outline.map(Outline::into_items).unwrap_or_default();
    reading.module.map(|module| (module, items))
}

/// The comments around a line of canonical text.
#[derive(Debug, Default)]
struct Around<'a> {
    above: Vec<Above<'a>>,
    behind: Option<&'a str>,
}

/// A comment on a line of its own.
#[derive(Clone, Copy, Debug)]
struct Above<'a> {
    text: &'a str,
    blank_before: bool,
    blank_after: bool,
    /// Whether it stood deeper than what it stands before.
    deeper: bool,
}

impl<'a> Above<'a> {
    /// A comment that stood inside a line, or behind a piece of one.
    fn drawn_out(text: &'a str) -> Above<'a> {
        Above { text, blank_before: false, blank_after: false, deeper: false }
    }

    fn before(comment: &Comment<'a>, next: Option<&Item>) -> Above<'a> {
        let &Comment { text, blank_before, blank_after, column, .. } = comment;
        let deeper = next.is_some_and(|item| column > item.column);
        Above { text, blank_before, blank_after, deeper }
    }
}

/// Lines of canonical text, from 1, with the comments around them.
type Places<'a> = BTreeMap<u32, Around<'a>>;

/// Which comments stand around which line, given the things of the text in
/// their order and those of its canonical form in the order of their keys.
fn placed<'a>(
    comments: &[Comment<'a>],
    items: &[(Key, Item)],
    canonical: &[(Key, Item)],
) -> Places<'a> {
    let mut places = Places::new();
    for comment in comments {
        let next = items.partition_point(|(_, item)| item.start < comment.start);
        let last = next.checked_sub(1).map(|last| items[last]);
        match last {
            Some((key, item)) if item.end > comment.start => {
                let line = find(canonical, key).first_line();
                places.entry(line).or_default().above.push(Above::drawn_out(comment.text));
            }
            Some((key, _)) if comment.standing == Standing::Behind => {
                put_behind(&mut places, find(canonical, key), comment.text);
            }
            _ => {
                let next = items.get(next);
                let line = find(canonical, next.map_or(END, |&(key, _)| key)).first_line();
                let above = Above::before(comment, next.map(|(_, item)| item));
                places.entry(line).or_default().above.push(above);
            }
        }
    }
    places
}

/// Where a thing of a text is in its canonical form.
#[derive(Clone, Copy)]
enum Found {
    There(Item),
    /// It does not print; the next thing that does begins on that line.
    Gone(u32),
}

impl Found {
    fn first_line(&self) -> u32 {
        match self {
            Found::There(item) => item.first_line,
            Found::Gone(next) => *next,
        }
    }
}

fn find(canonical: &[(Key, Item)], key: Key) -> Found {
    match canonical.get(canonical.partition_point(|&(other, _)| other < key)) {
        Some(&(found, item)) if found == key => Found::There(item),
        Some((_, next)) => Found::Gone(next.first_line),
        None => Found::Gone(u32::MAX),
    }
}

/// Puts a comment behind a thing, or before what follows if that is gone. One
/// comment at most stands behind a line, and the others before it.
fn put_behind<'a>(places: &mut Places<'a>, found: Found, text: &'a str) {
    match found {
        Found::Gone(next) => {
            places.entry(next).or_default().above.push(Above::drawn_out(text));
        }
        Found::There(item) => {
            let around = places.entry(item.last_line).or_default();
            let earlier = around.behind.replace(text);
            around.above.extend(earlier.map(Above::drawn_out));
        }
    }
}

/// Canonical text with comments around its lines.
fn woven(canonical: &str, places: &Places<'_>) -> String {
    let mut woven = Woven { text: String::with_capacity(canonical.len()), may_part: false };
    let mut wants_blank = false;
    for (line, number) in canonical.lines().zip(1..) {
        if line.is_empty() {
            wants_blank = true;
            continue;
        }
        let around = places.get(&number);
        woven.above(around.map_or(&[], |around| &around.above), line, wants_blank);
        woven.line("", line, around.and_then(|around| around.behind));
        wants_blank = false;
    }
    let end = places.get(&u32::MAX).map_or(&[][..], |around| &around.above);
    woven.above(end, "", false);
    woven.text
}

struct Woven {
    text: String,
    /// Whether an empty line may follow: not at the beginning, nor behind a brace.
    may_part: bool,
}

impl Woven {
    fn line(&mut self, indent: &str, line: &str, behind: Option<&str>) {
        self.text.push_str(indent);
        self.text.push_str(line);
        if let Some(comment) = behind {
            self.text.push(' ');
            self.text.push_str(comment);
        }
        self.text.push('\n');
        self.may_part = !line.ends_with('{');
    }

    /// Writes comments before `line`, which is empty for the end of the text.
    /// An empty line that is wanted before it may stand among them.
    fn above(&mut self, comments: &[Above<'_>], line: &str, wants_blank: bool) {
        let mut blanks = Vec::with_capacity(comments.len() + 1);
        let mut blank_after = false;
        for comment in comments {
            blanks.push(
                (comment.blank_before || blank_after) && (self.may_part || !blanks.is_empty()),
            );
            blank_after = comment.blank_after;
        }
        blanks.push(blank_after && !line.is_empty() && line != "}");
        blanks[0] |= wants_blank && !blanks.contains(&true);
        for (comment, blank) in comments.iter().zip(&blanks) {
            self.part(*blank);
            self.line(indent(line, comment), comment.text, None);
        }
        self.part(blanks.last() == Some(&true));
    }

    fn part(&mut self, blank: bool) {
        if blank {
            self.text.push('\n');
        }
    }
}

/// How deep a comment stands before a line: as deep as that, or deeper before
/// the head of a block and the end of a body, where it may be about what
/// stands above.
fn indent<'a>(line: &'a str, comment: &Above<'_>) -> &'a str {
    let closes = line == "}" || line.ends_with(':');
    match closes && comment.deeper {
        true => "    ",
        false => &line[..line.len() - line.trim_start_matches(' ').len()],
    }
}

#[cfg(test)]
mod tests;
