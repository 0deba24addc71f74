//! What passes tell of what they did, and of what they would have done.

use std::fmt::{self, Write};

use crate::report::{Frame, FrameKind};

/// What a remark is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RemarkKind {
    /// The pass did something.
    Applied,
    /// The pass could not do something, and says why.
    Missed,
    /// The pass found something out.
    Note,
}

impl RemarkKind {
    /// The kind as a word.
    pub const fn name(self) -> &'static str {
        match self {
            RemarkKind::Applied => "applied",
            RemarkKind::Missed => "missed",
            RemarkKind::Note => "note",
        }
    }
}

/// What a pass tells of a place in the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The pass.
    pub pass: &'static str,
    /// What it is about.
    pub kind: RemarkKind,
    /// Where: the function that the code was written in, then those that it was inlined
    /// into. There is one at least.
    pub frames: Vec<Frame>,
    /// What it tells, as a sentence without capital or period.
    pub message: Box<str>,
}

/// One line, without its end.
impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pass, self.kind.name())?;
        for (index, frame) in self.frames.iter().enumerate() {
            f.write_str(if index == 0 { ", in " } else { ", inlined in " })?;
            write!(f, "{}", OneLine(&frame.to_string()))?;
        }
        write!(f, ": {}", OneLine(&self.message))
    }
}

/// A text with its control characters spelled out: names may hold any.
struct OneLine<'a>(&'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character.is_control() {
                true => write!(f, "{}", character.escape_default())?,
                false => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

impl Remark {
    /// An object of JSON on one line, without its end: `pass`, `kind`, `function`, `file`
    /// (null for the module's own text), `line` and `column` (null where unknown),
    /// `inlined_in` (a list of such places, the innermost first) and `message`.
    pub fn to_json(&self) -> String {
        let mut text = String::from("{\"pass\":");
        push_string(&mut text, self.pass);
        text.push_str(",\"kind\":");
        push_string(&mut text, self.kind.name());
        let unknown =
            Frame { function: "".into(), file: None, line: 0, column: 0, kind: FrameKind::Called };
        text.push(',');
        push_place(&mut text, self.frames.first().unwrap_or(&unknown));
        text.push_str(",\"inlined_in\":[");
        for (index, frame) in self.frames.iter().skip(1).enumerate() {
            text.push_str(if index == 0 { "{" } else { ",{" });
            push_place(&mut text, frame);
            text.push('}');
        }
        text.push_str("],\"message\":");
        push_string(&mut text, &self.message);
        text.push('}');
        text
    }
}

fn push_place(text: &mut String, frame: &Frame) {
    text.push_str("\"function\":");
    push_string(text, &frame.function);
    text.push_str(",\"file\":");
    match &frame.file {
        Some(file) => push_string(text, file),
        None => text.push_str("null"),
    }
    for (key, number) in [("line", frame.line), ("column", frame.column)] {
        // Writing to a string cannot fail.
        let _ = match number {
            0 => write!(text, ",\"{key}\":null"),
            number => write!(text, ",\"{key}\":{number}"),
        };
    }
}

/// A string of JSON: in quotes, with escapes.
fn push_string(text: &mut String, string: &str) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            // Line ends of Unicode would break lines for some readers.
            character if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}') => {
                let _ = write!(text, "\\u{:04x}", character as u32);
            }
            character => text.push(character),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, file: Option<&str>, line: u32, kind: FrameKind) -> Frame {
        Frame { function: function.into(), file: file.map(Into::into), line, column: 3, kind }
    }

    fn remark() -> Remark {
        let frames = vec![
            frame("inner\n", None, 4, FrameKind::Inlined),
            Frame { column: 0, ..frame("f", Some("a.jl"), 9, FrameKind::Called) },
        ];
        let message = "\"no\" way\\\u{7}".into();
        Remark { pass: "licm", kind: RemarkKind::Missed, frames, message }
    }

    #[test]
    fn a_remark_is_one_line() {
        let text = remark().to_string();
        let wanted = "licm missed, in @inner\\n at line 4, inlined in @f at a.jl:9: \
                      \"no\" way\\\\u{7}";
        assert_eq!(text, wanted);
    }

    #[test]
    fn json_escapes_what_it_must_and_leaves_nothing_out() {
        let wanted = "{\"pass\":\"licm\",\"kind\":\"missed\",\"function\":\"inner\\n\",\
                      \"file\":null,\"line\":4,\"column\":3,\"inlined_in\":[{\"function\":\"f\",\
                      \"file\":\"a.jl\",\"line\":9,\"column\":null}],\
                      \"message\":\"\\\"no\\\" way\\\\\\u0007\"}";
        assert_eq!(remark().to_json(), wanted);
    }

    #[test]
    fn a_remark_without_a_place_has_a_line_and_an_object_all_the_same() {
        let remark = Remark { frames: Vec::new(), message: "so".into(), ..remark() };
        assert_eq!(remark.to_string(), "licm missed: so");
        assert!(remark.to_json().contains("\"function\":\"\",\"file\":null,\"line\":null"));
    }
}
