//! Large texts of LLVM IR, made of small ones: a module holds several, each with names and
//! numbers of its own.

use std::collections::HashSet;
use std::fmt::Write as _;

/// A text of at least so many bytes that has the texts in turn, again and again. What is
/// said of a whole module is left out.
pub fn joined(texts: &[String], bytes: usize) -> String {
    let mut joined = String::with_capacity(bytes + texts.iter().map(String::len).sum::<usize>());
    let mut declared = HashSet::new();
    for (copy, text) in texts.iter().cycle().enumerate() {
        if joined.len() >= bytes || text.is_empty() {
            break;
        }
        let names = Names::of(text);
        for line in text.lines() {
            let is_told_once = match line.split(' ').next() {
                Some("declare") => !declared.insert(declared_name(line).to_owned()),
                Some("target") => copy > 0,
                Some(word) => word == "source_filename" || word.starts_with("!llvm."),
                None => false,
            };
            if !is_told_once {
                names.push(&mut joined, line, copy);
            }
        }
    }
    joined
}

/// The symbol of a declaration.
fn declared_name(line: &str) -> &str {
    let name = line.split('@').nth(1).unwrap_or_default();
    name.split('(').next().unwrap_or_default()
}

/// What a text defines, with the sigils.
struct Names<'t> {
    symbols: HashSet<&'t str>,
    types: HashSet<&'t str>,
}

/// Numbers of attributes and metadata that no text reaches.
const NUMBERS: usize = 100_000;

impl<'t> Names<'t> {
    fn of(text: &'t str) -> Names<'t> {
        let (mut symbols, mut types) = (HashSet::new(), HashSet::new());
        for line in text.lines() {
            let start = line.find('@').map(|at| name_at(&line[at..]));
            match line.as_bytes().first() {
                Some(b'd') if line.starts_with("define ") => symbols.extend(start),
                Some(b'@') => symbols.extend(start),
                Some(b'$') => drop(symbols.insert(name_at(line))),
                Some(b'%') => drop(types.insert(name_at(line))),
                _ => {}
            }
        }
        Names { symbols, types }
    }

    /// Appends a line with the names and numbers of a copy.
    fn push(&self, to: &mut String, line: &str, copy: usize) {
        let mut rest = line;
        while let Some(at) = rest.find(['@', '$', '%', '!', '#', '"', ';']) {
            to.push_str(&rest[..at]);
            let name = name_at(&rest[at..]);
            rest = &rest[at + name.len()..];
            to.push_str(name);
            let digits = &name[1..];
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            // Writing to a string does not fail.
            let _ = match name.as_bytes()[0] {
                b'!' | b'#' if is_number => {
                    to.truncate(to.len() - digits.len());
                    let number = digits.parse().map_or(0, |number: usize| number);
                    write!(to, "{}", copy * NUMBERS + number)
                }
                b'@' | b'$' | b'%' if self.has(name) && name.ends_with('"') => {
                    to.pop();
                    write!(to, ".copy{copy}\"")
                }
                b'@' | b'$' | b'%' if self.has(name) => write!(to, ".copy{copy}"),
                _ => Ok(()),
            };
        }
        to.push_str(rest);
        to.push('\n');
    }

    fn has(&self, name: &str) -> bool {
        match name.as_bytes()[0] {
            b'%' => self.types.contains(name),
            // The function of a group of the linker's names both.
            b'$' => {
                self.symbols.contains(name) || self.symbols.contains(&*name.replacen('$', "@", 1))
            }
            _ => self.symbols.contains(name),
        }
    }
}

/// The name, string or comment that a text begins with.
fn name_at(text: &str) -> &str {
    let quoted = |from: usize| text[from..].find('"').map_or(text.len(), |end| from + end + 1);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '$' | '.');
    let end = match text.as_bytes() {
        [b';', ..] => text.len(),
        [b'"', ..] => quoted(1),
        [_, b'"', ..] => quoted(2),
        _ => text[1..].find(|c| !is_name(c)).map_or(text.len(), |end| end + 1),
    };
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_names_of_their_own_and_share_declarations() {
        let text = "target triple = \"x@f\"\n%t = type { i8 }\n$f = comdat any\n\
            define void @f(ptr %t.x) comdat($f) #1 { ; @f\n  call void @g(), !m !7\n}\n\
            declare void @g() #0\n!llvm.flags = !{!7}\n!7 = !{!\"@f\", i32 7}\n";
        let once = "target triple = \"x@f\"\n%t.copy0 = type { i8 }\n$f.copy0 = comdat any\n\
            define void @f.copy0(ptr %t.x) comdat($f.copy0) #1 { ; @f\n  call void @g(), !m !7\n}\n\
            declare void @g() #0\n!7 = !{!\"@f\", i32 7}\n";
        let twice = "%t.copy1 = type { i8 }\n$f.copy1 = comdat any\n\
            define void @f.copy1(ptr %t.x) comdat($f.copy1) #100001 { ; @f\n  \
            call void @g(), !m !100007\n}\n!100007 = !{!\"@f\", i32 7}\n";
        let texts = [text.to_owned()];
        assert_eq!(joined(&texts, 1), once);
        assert_eq!(joined(&texts, once.len() + 1), format!("{once}{twice}"));
    }
}
