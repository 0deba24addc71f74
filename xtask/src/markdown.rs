//! The little of Markdown that the checks read: code blocks, links, headings.

/// A fenced code block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CodeBlock {
    /// What follows the opening fence, such as `rust`.
    pub(crate) language: String,
    /// The text between the fences.
    pub(crate) text: String,
    /// Number of the opening fence's line, from 1.
    pub(crate) line: usize,
}

/// A link or an image with its target.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The target as written.
    pub(crate) target: String,
    /// Number of its line, from 1.
    pub(crate) line: usize,
}

/// The fenced code blocks of `text`, in order.
pub(crate) fn code_blocks(text: &str) -> Vec<CodeBlock> {
    let mut blocks: Vec<CodeBlock> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            if !inside {
                let language = language.trim().to_owned();
                blocks.push(CodeBlock { language, text: String::new(), line: number + 1 });
            }
            inside = !inside;
        } else if inside && let Some(block) = blocks.last_mut() {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    blocks
}

/// The links of `text` outside code: inline ones and reference definitions.
pub(crate) fn links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (line, prose) in prose_lines(text) {
        let targets = inline_targets(&prose).into_iter().chain(definition_target(&prose));
        links.extend(targets.map(|target| Link { target, line }));
    }
    links
}

/// The anchors of the headings of `text`, as GitHub spells them.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for (_, line) in prose_lines_with_code(text) {
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let plain = anchor(title.trim());
        let same = |found: &&String| found.as_str() == plain || is_numbered(found, &plain);
        let earlier = anchors.iter().filter(same).count();
        anchors.push(if earlier == 0 { plain } else { format!("{plain}-{earlier}") });
    }
    anchors
}

fn is_numbered(found: &str, plain: &str) -> bool {
    let number = found.strip_prefix(plain).and_then(|rest| rest.strip_prefix('-'));
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Lines outside fences, with their numbers; code spans kept.
fn prose_lines_with_code(text: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut lines = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            lines.push((number + 1, line));
        }
    }
    lines
}

/// Lines outside fences, with their numbers; code spans emptied.
fn prose_lines(text: &str) -> Vec<(usize, String)> {
    let without_spans = |line: &str| line.split('`').step_by(2).collect::<Vec<_>>().join("``");
    prose_lines_with_code(text)
        .into_iter()
        .map(|(number, line)| (number, without_spans(line)))
        .collect()
}

fn inline_targets(prose: &str) -> Vec<String> {
    let after = prose.split("](").skip(1);
    after
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target.trim().to_owned())
        .collect()
}

fn definition_target(prose: &str) -> Option<String> {
    let (label, target) = prose.strip_prefix('[')?.split_once("]: ")?;
    (!label.contains(']')).then(|| target.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_blocks_have_language_text_and_line() {
        let blocks = code_blocks("a\n```sh\nb\nc\n```\n```\nd\n```\n");
        assert_eq!(blocks.len(), 2);
        assert_eq!(
            (blocks[0].language.as_str(), blocks[0].text.as_str(), blocks[0].line),
            ("sh", "b\nc\n", 2)
        );
        assert_eq!((blocks[1].language.as_str(), blocks[1].text.as_str()), ("", "d\n"));
    }

    #[test]
    fn links_are_found_inline_and_as_definitions_but_not_in_code() {
        let text = "[a](b.md) ![c](d.png), `[e](f)` and [`g`](h#i)\n```\n[j](k)\n```\n[l]: m\n";
        let found: Vec<String> = links(text).into_iter().map(|link| link.target).collect();
        assert_eq!(found, ["b.md", "d.png", "h#i", "m"]);
        assert_eq!(links(text)[3].line, 5);
    }

    #[test]
    fn anchors_are_spelt_as_github_does() {
        let text = "# A `b.c` title\n## Same\n## Same\n```\n# not a heading\n```\n#no\n### `slot.load`: read\n";
        assert_eq!(anchors(text), ["a-bc-title", "same", "same-1", "slotload-read"]);
    }
}
