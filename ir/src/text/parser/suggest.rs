//! What a misspelled word may have meant.

/// The candidate that is nearest to `word`, if one is near enough: at most a
/// third of its letters changed, left out or added.
pub(super) fn closest<'c>(
    word: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    // Longer words are no misspelling of ours, and the cost is quadratic.
    const LONGEST: usize = 32;
    if word.len() > LONGEST {
        return None;
    }
    let distances = candidates.into_iter().map(|name| (distance(word.as_bytes(), name), name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= word.len().max(3) / 3).then_some(name)
}

/// The Levenshtein distance in bytes.
fn distance(word: &[u8], name: &str) -> usize {
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (i, &a) in word.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in name.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[name.len()]
}

/// The candidates as a hint lists them.
pub(super) fn one_of<'c>(candidates: impl IntoIterator<Item = &'c str>) -> String {
    let quoted: Vec<String> = candidates.into_iter().map(|name| format!("`{name}`")).collect();
    format!("one of {}", quoted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_found_if_it_is_near() {
        let words = ["add", "sub", "sadd_sat"];
        assert_eq!(closest("ad", words), Some("add"));
        assert_eq!(closest("sad_sat", words), Some("sadd_sat"));
        assert_eq!(closest("multiply", words), None);
        assert_eq!(closest(&"a".repeat(1000), words), None);
    }
}
