//! What can be taken out of the text of a module.

/// The text in pieces that each begin with a declaration.
pub(super) fn declarations(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut is_body = false;
    for line in text.split_inclusive('\n') {
        let words = line.trim_end();
        let begins = !is_body && !words.is_empty() && !line.starts_with([' ', '}']);
        match pieces.last_mut() {
            Some(last) if !begins => last.push_str(line),
            _ => pieces.push(line.to_owned()),
        }
        is_body = (is_body || words.ends_with('{')) && words != "}";
    }
    pieces
}

/// Whether a piece declares a symbol of one of those names.
pub(super) fn declares(piece: &str, names: &[&str]) -> bool {
    let Some((_, behind)) = piece.split_once('@') else { return false };
    names.iter().any(|name| {
        let rest = behind.strip_prefix(name).or_else(|| behind.strip_prefix(&format!("{name:?}")));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    })
}

/// Whether a line of a body declares a slot, an exit, a scope or a location.
pub(super) fn is_entity(line: &str) -> bool {
    [" = slot", " = \"", " = trap", " = side", " = deopt", " = text:"]
        .iter()
        .any(|part| line.contains(part))
}
