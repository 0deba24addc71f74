//! Errors as a person reads them: the sentence, the place with a caret, the way out.

use std::fmt::Display;
use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
    normalize_untrusted_str,
};
use brolga_ir::text::Diagnostic;
use brolga_ir::verify::VerifyError;

use crate::output::has_coloured_errors;

/// The most bytes of a line that are shown on each side of the place.
const MOST_CONTEXT: usize = 100;

/// A text with the starts of its lines.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    name: &'a str,
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Source<'a> {
    /// The text under the name that messages give it.
    pub(crate) fn new(name: &'a str, text: &'a str) -> Source<'a> {
        let breaks = text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
        let starts = [0].into_iter().chain(breaks.map(|(at, _)| at + 1)).collect();
        Source { name, text, starts }
    }

    /// Where the line, from 1, stands, without its end.
    fn line(&self, line: u32) -> Option<Range<usize>> {
        let index = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        Some(start..end)
    }
}

/// What part of a line is meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// Those bytes of the text.
    Bytes(Range<usize>),
    /// From the column on, up to a comment or the end.
    Rest,
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The line, from 1.
    pub(crate) line: u32,
    /// The column, from 1, in characters; 0 if unknown.
    pub(crate) column: u32,
    /// What is marked.
    pub(crate) extent: Extent,
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Problem {
    /// A sentence without capital or period.
    pub(crate) message: String,
    /// Its stable name.
    pub(crate) code: Option<String>,
    /// Where.
    pub(crate) place: Option<Place>,
    /// What else is known.
    pub(crate) notes: Vec<String>,
    /// The way out.
    pub(crate) help: Option<String>,
}

impl Problem {
    /// A problem without a place.
    pub(crate) fn new(message: impl Display) -> Problem {
        Problem { message: message.to_string(), ..Problem::default() }
    }
}

impl From<&Diagnostic> for Problem {
    fn from(diagnostic: &Diagnostic) -> Problem {
        let Diagnostic { line, column, .. } = *diagnostic;
        Problem {
            message: diagnostic.message.clone(),
            code: Some(diagnostic.code.name().to_owned()),
            place: Some(Place { line, column, extent: Extent::Bytes(diagnostic.span.clone()) }),
            notes: Vec::new(),
            help: diagnostic.hint.clone(),
        }
    }
}

impl From<&VerifyError> for Problem {
    fn from(error: &VerifyError) -> Problem {
        let own = error.place.as_ref().filter(|place| place.file.is_none());
        let mut notes = Vec::new();
        if error.symbol.is_some() {
            let block = error.block.map_or(String::new(), |_| format!(", {}", error.block_name));
            notes.push(format!("in @{}{block}", error.symbol_name));
        }
        if own.is_none() && !error.line.is_empty() {
            let place = error.place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
            notes.push(format!("at `{}`{place}", error.line));
        }
        Problem {
            message: error.message.clone(),
            code: Some(error.rule.to_string()),
            place: own.map(|place| Place {
                line: place.line,
                column: place.column,
                extent: Extent::Rest,
            }),
            notes,
            help: None,
        }
    }
}

/// The text of problems, with how many were found.
pub(crate) fn render_all(source: &Source<'_>, problems: &[Problem], omitted: usize) -> String {
    let mut texts: Vec<String> =
        problems.iter().map(|problem| render(Some(source), problem) + "\n").collect();
    let name = normalize_untrusted_str(source.name);
    texts.push(match problems.len() + omitted {
        1 => format!("{name}: 1 error"),
        count if omitted > 0 => format!("{name}: {count} errors, of which {omitted} are not shown"),
        count => format!("{name}: {count} errors"),
    });
    texts.join("\n")
}

/// The text of a problem.
pub(crate) fn render(source: Option<&Source<'_>>, problem: &Problem) -> String {
    let mut title = Level::ERROR.primary_title(&problem.message);
    if let Some(code) = &problem.code {
        title = title.id(code);
    }
    let mut elements: Vec<Element<'_>> = Vec::new();
    if let (Some(source), Some(place)) = (source, &problem.place) {
        elements.extend(show(source, place));
    } else if let Some(source) = source {
        elements.push(Origin::path(source.name).into());
    }
    for note in &problem.notes {
        elements.push(Level::NOTE.message(normalize_untrusted_str(note)).into());
    }
    if let Some(help) = &problem.help {
        elements.push(Level::HELP.message(normalize_untrusted_str(help)).into());
    }
    let group: Group<'_> = title.elements(elements);
    let renderer = if has_coloured_errors() { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group])
}

/// The line of the place with a caret, cut where it grows too long.
fn show<'a>(source: &Source<'a>, place: &Place) -> Vec<Element<'a>> {
    let (line, column) = (place.line as usize, place.column as usize);
    let Some(within) = source.line(place.line) else {
        return vec![Origin::path(source.name).line(line).char_column(column.max(1)).into()];
    };
    let marked = marked(source.text, &within, place);
    let floor = source.text.floor_char_boundary(marked.start.saturating_sub(MOST_CONTEXT));
    let start = floor.max(within.start);
    let ceiling = source.text.ceil_char_boundary(marked.start.saturating_add(MOST_CONTEXT));
    let end = ceiling.min(within.end);
    let before = if start > within.start { "…" } else { "" };
    let behind = if end < within.end { "…" } else { "" };
    let text = format!("{before}{}{behind}", &source.text[start..end]);
    let shift = |at: usize| at.clamp(start, end) - start + before.len();
    let annotation: Annotation<'_> =
        AnnotationKind::Primary.span(shift(marked.start)..shift(marked.end));
    let snippet = Snippet::source(text).line_start(line).annotation(annotation);
    if before.is_empty() {
        return vec![snippet.path(source.name).into()];
    }
    // The column is not that in the part which is shown.
    let column = source.text[within.start..marked.start].chars().count() + 1;
    vec![Origin::path(source.name).line(line).char_column(column).into(), snippet.into()]
}

/// The bytes of the text that a place means, within its line.
fn marked(text: &str, line: &Range<usize>, place: &Place) -> Range<usize> {
    if let Extent::Bytes(bytes) = &place.extent {
        let start = text.floor_char_boundary(bytes.start.clamp(line.start, line.end));
        let end = text.ceil_char_boundary(bytes.end.clamp(start, line.end));
        return start..end;
    }
    let content = &text[line.clone()];
    let column = (place.column as usize).saturating_sub(1);
    let indent = content.len() - content.trim_start().len();
    let offset = content.char_indices().nth(column).map_or(content.len(), |(at, _)| at);
    let offset = offset.max(indent);
    let rest = &content[offset..];
    let code = &rest[..comment_start(rest).unwrap_or(rest.len())];
    line.start + offset..line.start + offset + code.trim_end().len()
}

/// Where the comment of a line begins, which is no `;` within quotes.
fn comment_start(line: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b';' if !quoted => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rest(text: &str, line: u32, column: u32) -> &str {
        let source = Source::new("t", text);
        let place = Place { line, column, extent: Extent::Rest };
        &text[marked(text, &source.line(line).unwrap(), &place)]
    }

    #[test]
    fn an_instruction_is_marked_without_its_comment() {
        let text = "a:\n    call @\"x;\\\"\"(%1) ; why\n}";
        assert_eq!(rest(text, 2, 5), "call @\"x;\\\"\"(%1)");
        assert_eq!(rest(text, 2, 0), "call @\"x;\\\"\"(%1)");
        assert_eq!(rest(text, 3, 900), "");
    }

    #[test]
    fn long_lines_are_cut_and_no_place_is_out_of_reach() {
        let text = format!("{}é!{}", "ä".repeat(5000), "ö".repeat(5000));
        let source = Source::new("t", &text);
        for span in [0..0, 9999..10003, 20002..20003, 20003..99999] {
            let place = Place { line: 1, column: 1, extent: Extent::Bytes(span) };
            let problem = Problem { place: Some(place), ..Problem::new("wrong") };
            let shown = render(Some(&source), &problem);
            assert!(shown.len() < 1000, "{shown}");
        }
        let place = Place { line: 9, column: 9, extent: Extent::Rest };
        let problem = Problem { place: Some(place), ..Problem::new("wrong") };
        assert!(render(Some(&source), &problem).contains("t:9:9"));
    }
}
