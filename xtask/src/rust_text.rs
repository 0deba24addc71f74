//! Rust text with what is not code blanked out, so that a search meets code.

/// The text with comments and the insides of literals replaced by spaces.
///
/// Lines keep their numbers. This is a scanner, not a lexer: it knows only what
/// can hide or start a comment or a literal.
pub(crate) fn code_of(text: &str) -> String {
    let mut scanner =
        Scanner { rest: text, code: String::with_capacity(text.len()), after_word: false };
    while !scanner.rest.is_empty() {
        scanner.step();
    }
    scanner.code
}

/// The code up to the module of unit tests, which by Clippy's
/// `items_after_test_module` is the last item of a file.
pub(crate) fn without_tests(code: &str) -> &str {
    let end = code.match_indices("#[cfg(test)]").find(|(at, mark)| {
        let after = code[at + mark.len()..].trim_start();
        after.starts_with("mod ")
    });
    end.map_or(code, |(at, _)| &code[..at])
}

/// The number, from 1, of the line that holds byte `at`.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1
}

/// The identifiers of `code`, each with its byte offset.
pub(crate) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.split(move |c: char| !is_word(c)).filter(|word| !word.is_empty()).map(move |word| {
        let at = word.as_ptr() as usize - code.as_ptr() as usize;
        (at, word)
    })
}

struct Scanner<'a> {
    rest: &'a str,
    code: String,
    /// Whether the last character belongs to a word: then `r"` does not start a
    /// raw string.
    after_word: bool,
}

impl Scanner<'_> {
    fn step(&mut self) {
        if self.rest.starts_with("//") {
            self.blank(self.rest.find('\n').unwrap_or(self.rest.len()));
        } else if self.rest.starts_with("/*") {
            self.blank(block_comment_length(self.rest));
        } else if let Some(length) = self.literal_length() {
            self.blank(length);
        } else if let Some(c) = self.rest.chars().next() {
            self.after_word = c.is_alphanumeric() || c == '_';
            self.code.push(c);
            self.rest = &self.rest[c.len_utf8()..];
        }
    }

    fn literal_length(&self) -> Option<usize> {
        if self.rest.starts_with('"') {
            return Some(quoted_length(self.rest, '"'));
        }
        if self.rest.starts_with('\'') {
            return character_length(self.rest);
        }
        if self.after_word {
            return None;
        }
        let prefix = ["br", "cr", "r"].into_iter().find(|prefix| self.rest.starts_with(prefix))?;
        raw_string_length(&self.rest[prefix.len()..]).map(|length| prefix.len() + length)
    }

    /// Replaces `length` bytes by spaces, line ends kept.
    fn blank(&mut self, length: usize) {
        let (skipped, rest) = self.rest.split_at(length);
        self.code.extend(skipped.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        self.rest = rest;
        self.after_word = false;
    }
}

fn block_comment_length(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && c == quote {
            return at + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// The length of a character literal; nothing for a lifetime or a label.
fn character_length(text: &str) -> Option<usize> {
    let mut characters = text.char_indices().skip(1);
    let (_, first) = characters.next()?;
    if first == '\\' {
        return Some(quoted_length(text, '\''));
    }
    let (at, second) = characters.next()?;
    (second == '\'').then_some(at + 1)
}

fn raw_string_length(text: &str) -> Option<usize> {
    let hashes = text.bytes().take_while(|byte| *byte == b'#').count();
    let body = text[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let inside = body.find(&end).map_or(body.len(), |at| at + end.len());
    Some(hashes + 1 + inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blank_and_lines_stay() {
        let text = "a // b\nc /* d /* e */ \n f */ g \"h \\\" i\" j";
        let code = code_of(text);
        let found: Vec<&str> = words(&code).map(|(_, word)| word).collect();
        assert_eq!(found, ["a", "c", "g", "j"]);
        assert_eq!(code.lines().count(), text.lines().count());
    }

    #[test]
    fn raw_strings_and_characters_are_blank_and_lifetimes_are_code() {
        let code = code_of("r#\"x \" y\"# 'z' '\\'' b'w' &'life str, br\"q\" for_r\"s\" 'é' k");
        let found: Vec<&str> = words(&code).map(|(_, word)| word).collect();
        assert_eq!(found, ["b", "life", "str", "for_r", "k"]);
    }

    #[test]
    fn what_is_left_open_ends_with_the_text() {
        for text in ["/* a", "\"a", "r#\"a\"", "'", "'\\", "r", "/"] {
            assert_eq!(
                code_of(text).trim_end_matches(' ').len().min(1),
                usize::from(matches!(text, "'" | "r" | "/"))
            );
        }
    }

    #[test]
    fn unit_tests_at_the_end_are_cut_and_other_test_items_are_not() {
        let code = "fn a() {}\n#[cfg(test)]\nuse x;\nfn b() {}\n#[cfg(test)]\nmod tests {}";
        assert!(without_tests(code).ends_with("fn b() {}\n"));
    }

    #[test]
    fn lines_count_from_one() {
        assert_eq!((line_of("a\nb", 0), line_of("a\nb", 2)), (1, 2));
    }
}
