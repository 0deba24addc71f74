//! The lines of a function, and how some come of others.

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_ir::report::frames_at;
use brolga_ir::text::print_function;
use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::data::{Edit, Frame, Index, Line};

/// From so many lines on, what changed is one piece: finding the shortest way takes the
/// square of it.
const MOST_COMPARED: usize = 20_000;

/// Each of several things once.
#[derive(Debug)]
pub(super) struct Pool<T> {
    items: Vec<T>,
    known: FxHashMap<T, Index>,
}

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool { items: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Pool<T> {
    /// The number of a thing, which is added if it is new.
    pub(super) fn add(&mut self, item: T) -> Index {
        if let Some(&index) = self.known.get(&item) {
            return index;
        }
        let index = self.items.len() as Index;
        self.items.push(item.clone());
        self.known.insert(item, index);
        index
    }

    pub(super) fn get(&self, index: Index) -> &T {
        &self.items[index as usize]
    }

    pub(super) fn items(&self) -> &[T] {
        &self.items
    }
}

/// The lines and places of a page.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) lines: Pool<Line>,
    pub(super) places: Pool<Vec<Frame>>,
    /// The texts of lines, whatever their places.
    texts: Pool<String>,
}

impl Lines {
    /// The lines of a function. Where code comes from does not stand in them, but beside.
    pub(super) fn of(&mut self, module: &Module, id: FuncId) -> Vec<Index> {
        let text = print_function(module, id);
        let all: Vec<&str> = text.lines().collect();
        let Some(body) = module.function(id).and_then(|function| function.body.as_deref()) else {
            return all
                .into_iter()
                .map(|line| self.lines.add(Line(line.to_owned(), None)))
                .collect();
        };
        // Instructions stand on a line each, below the head of their block; before the
        // first block there are the function's own line and declarations, behind the last a brace.
        let mut places = Vec::new();
        for block in body.layout.blocks() {
            places.push(None);
            places.extend(body.layout.insts(block).map(|inst| Some(body.loc(inst))));
        }
        let first = all.len().saturating_sub(places.len() + 1);
        let mut lines = Vec::new();
        for (number, line) in all.into_iter().enumerate() {
            let own = number.checked_sub(first).and_then(|index| places.get(index).copied());
            if number < first && is_location(line) {
                continue;
            }
            let place = own.flatten().and_then(|loc| {
                let frames = frames_at(module, id, loc);
                let frames: Vec<Frame> = frames.map(|frame| place_of(&frame)).collect();
                frames.iter().any(|frame| frame.line > 0).then(|| self.places.add(frames))
            });
            lines.push(self.lines.add(Line(without_location(line).to_owned(), place)));
        }
        lines
    }

    /// How `new` lines come of `old` ones, and which of those that stay come from elsewhere.
    pub(super) fn edits(
        &mut self,
        old: &[Index],
        new: &[Index],
    ) -> (Vec<Edit>, Vec<(usize, Index)>) {
        let (old_texts, new_texts) = (self.texts_of(old), self.texts_of(new));
        let (mut edits, mut moved) = (Vec::new(), Vec::new());
        for (tag, from, to) in compared(&old_texts, &new_texts) {
            match tag {
                DiffTag::Equal => {
                    edits.push(Edit::Run(from.len() as i64));
                    let pairs = from.zip(to).filter(|&(from, to)| old[from] != new[to]);
                    moved.extend(pairs.map(|(_, to)| (to, new[to])));
                }
                DiffTag::Delete | DiffTag::Insert | DiffTag::Replace => {
                    if !from.is_empty() {
                        edits.push(Edit::Run(-(from.len() as i64)));
                    }
                    if !to.is_empty() {
                        edits.push(Edit::Insert(new[to].to_vec()));
                    }
                }
            }
        }
        if edits.iter().all(|edit| matches!(edit, Edit::Run(0..))) {
            edits.clear();
        }
        (edits, moved)
    }

    fn texts_of(&mut self, lines: &[Index]) -> Vec<Index> {
        let texts = lines.iter().map(|&line| self.texts.add(self.lines.get(line).0.clone()));
        texts.collect()
    }
}

/// Pieces that are the same or not, in order.
type Pieces = Vec<(DiffTag, std::ops::Range<usize>, std::ops::Range<usize>)>;

fn compared(old: &[Index], new: &[Index]) -> Pieces {
    if old.len() + new.len() <= MOST_COMPARED {
        let pieces = capture_diff_slices(Algorithm::Patience, old, new);
        return pieces.iter().map(|piece| piece.as_tag_tuple()).collect();
    }
    let same = |pair: &(&Index, &Index)| pair.0 == pair.1;
    let before = old.iter().zip(new).take_while(same).count();
    let behind = old[before..].iter().rev().zip(new[before..].iter().rev()).take_while(same);
    let behind = behind.count();
    let (old_end, new_end) = (old.len() - behind, new.len() - behind);
    vec![
        (DiffTag::Equal, 0..before, 0..before),
        (DiffTag::Replace, before..old_end, before..new_end),
        (DiffTag::Equal, old_end..old.len(), new_end..new.len()),
    ]
}

/// A frame as a page has it.
pub(super) fn place_of(frame: &brolga_ir::report::Frame) -> Frame {
    Frame {
        function: frame.function.to_string(),
        file: frame.file.as_deref().map(str::to_owned),
        line: frame.line,
        column: frame.column,
    }
}

/// Whether a line declares a location: `loc7 = …`.
fn is_location(line: &str) -> bool {
    let name = line.trim_start().split(" = ").next().unwrap_or_default();
    let digits = name.strip_prefix("loc");
    digits.is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The line without the location behind it: ` !loc7`.
fn without_location(line: &str) -> &str {
    match line.rsplit_once(" !loc") {
        Some((rest, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(lines: &mut Lines, texts: &[&str]) -> Vec<Index> {
        texts.iter().map(|text| lines.lines.add(Line((*text).to_owned(), None))).collect()
    }

    /// What a page makes of old lines and edits.
    fn replayed(old: &[Index], edits: &[Edit]) -> Vec<Index> {
        let (mut at, mut new) = (0, Vec::new());
        for edit in edits {
            match edit {
                Edit::Run(count @ 0..) => {
                    new.extend(&old[at..at + *count as usize]);
                    at += *count as usize;
                }
                Edit::Run(count) => at += count.unsigned_abs() as usize,
                Edit::Insert(lines) => new.extend(lines),
            }
        }
        new
    }

    #[test]
    fn edits_lead_from_the_old_lines_to_the_new_ones() {
        let mut lines = Lines::default();
        let old = lines_of(&mut lines, &["a", "b", "c", "d", "b", "e"]);
        for texts in [&["a", "c", "x", "d", "e"][..], &[], &["b"], &["e", "d", "c", "b", "a"]] {
            let new = lines_of(&mut lines, texts);
            let (edits, moved) = lines.edits(&old, &new);
            assert_eq!(replayed(&old, &edits), new, "{texts:?}");
            assert!(moved.is_empty());
        }
        assert_eq!(lines.edits(&old, &old), (Vec::new(), Vec::new()));
    }

    #[test]
    fn many_lines_are_compared_from_both_ends() {
        let mut lines = Lines::default();
        let texts: Vec<String> = (0..MOST_COMPARED).map(|number| number.to_string()).collect();
        let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let old = lines_of(&mut lines, &texts);
        texts[7] = "other";
        let new = lines_of(&mut lines, &texts);
        let (edits, _) = lines.edits(&old, &new);
        let wanted = [Edit::Run(7), Edit::Run(-1), Edit::Insert(vec![new[7]])];
        assert_eq!(edits[..3], wanted);
        assert_eq!(replayed(&old, &edits), new);
    }

    #[test]
    fn a_line_that_stays_and_comes_from_elsewhere_is_told() {
        let mut lines = Lines::default();
        let old = lines_of(&mut lines, &["a", "b"]);
        let elsewhere = lines.lines.add(Line("b".to_owned(), Some(3)));
        assert_eq!(lines.edits(&old, &[old[0], elsewhere]), (Vec::new(), vec![(1, elsewhere)]));
    }

    #[test]
    fn locations_do_not_stand_in_lines() {
        assert!(is_location("    loc12 = text:3:5") && !is_location("    %loc1 = add.i32 1, 2"));
        assert!(!is_location("    local = slot 8") && !is_location("loc"));
        assert_eq!(without_location("    return %1 !loc4"), "    return %1");
        assert_eq!(without_location("    call @\"x !loc4\"()"), "    call @\"x !loc4\"()");
    }
}
