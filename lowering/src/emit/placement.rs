//! Where the loops of a function fall in lines of the cache.
//!
//! The back end aligns no blocks, and processors fetch and predict by lines of 64 bytes: on
//! Zen 3, a loop of 50 bytes takes 1.6 times as long across two lines as in one, and loops of
//! twice that up to two times as long from place to place. A whole function can be moved, which
//! costs instructions that do nothing at its entry: it is put where its loops, the inner ones
//! most, touch the fewest lines.

use cranelift_codegen::CompiledCode;

use crate::target::Architecture;

/// Bytes of a line.
const LINE: u32 = 64;

/// Functions are moved by so many bytes, which keep constants aligned.
const STEP: u32 = 16;

/// What a loop around another counts for, as a power of two: rounds that are not known.
const ROUNDS_LOG2: u32 = 3;

/// Loops that are deeper count no more.
const DEEPEST: u32 = 5;

/// Code between a block and a way back to it, in bytes from the start of the function.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// How many lines it touches where the function starts so many bytes into one.
    fn lines(self, at: u32) -> u64 {
        let (first, last) = ((at + self.start) / LINE, (at + self.end - 1) / LINE);
        u64::from(last - first + 1)
    }

    /// How far into a line it begins there.
    fn offset(self, at: u32) -> u64 {
        u64::from((at + self.start) % LINE)
    }
}

/// Where a function starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// What units are aligned to.
    pub(super) align: u32,
    /// Bytes behind a multiple of that.
    place: u32,
}

impl Start {
    /// At a multiple of `align`.
    pub(super) const fn at(align: u32) -> Start {
        Start { align, place: 0 }
    }

    /// Where it starts at the earliest behind so many bytes of the unit.
    pub(super) const fn behind(self, bytes: u32) -> u32 {
        let behind = bytes.next_multiple_of(self.align) + self.place;
        // Before that multiple there may be room for it.
        if behind >= bytes + self.align { behind - self.align } else { behind }
    }
}

/// Where a function starts: O(blocks · log blocks).
pub(super) fn start_of(architecture: Architecture, code: &CompiledCode) -> Start {
    let align = code.buffer.alignment.max(STEP);
    let loops = match architecture {
        Architecture::X86_64 if align == STEP => {
            loops(&code.bb_starts, &code.bb_edges, code.buffer.data().len() as u32)
        }
        _ => Vec::new(),
    };
    match place_in_line(loops) {
        Some(place) => Start { align: LINE, place },
        None => Start::at(align),
    }
}

/// Where in a line a function with such loops is to start; nothing if it has none.
fn place_in_line(loops: Vec<Span>) -> Option<u32> {
    if loops.is_empty() {
        return None;
    }
    let weighted = weighted(loops);
    let sum = |of: &dyn Fn(Span) -> u64| -> u64 {
        weighted.iter().map(|&(span, weight)| of(span).saturating_mul(weight)).sum()
    };
    let cost = |&at: &u32| (sum(&|span| span.lines(at)), sum(&|span| span.offset(at)), at);
    (0..LINE / STEP).map(|step| step * STEP).min_by_key(cost)
}

/// All loops, outer ones first.
fn loops(starts: &[u32], edges: &[(u32, u32)], length: u32) -> Vec<Span> {
    let end_of = |block: u32| {
        let behind = starts.partition_point(|&start| start <= block);
        starts.get(behind).copied().unwrap_or(length)
    };
    let back = edges.iter().filter(|&&(from, to)| to <= from);
    let spans = back.map(|&(from, to)| Span { start: to, end: end_of(from) });
    // None is empty, whatever the back end says of its blocks.
    let mut loops: Vec<Span> = spans.filter(|span| span.start < span.end).collect();
    loops.sort_unstable_by_key(|span| (span.start, u32::MAX - span.end));
    // Of all ways back to a block the longest is the loop.
    loops.dedup_by_key(|span| span.start);
    loops
}

/// What each loop counts for, by how many are around it.
fn weighted(loops: Vec<Span>) -> Vec<(Span, u64)> {
    let mut around: Vec<Span> = Vec::new();
    let weigh = |span: Span| {
        while around.last().is_some_and(|outer| outer.end <= span.start) {
            around.pop();
        }
        let depth = around.len() as u32;
        around.push(span);
        (span, 1 << (depth.min(DEEPEST) * ROUNDS_LOG2))
    };
    loops.into_iter().map(weigh).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(starts: &[u32], edges: &[(u32, u32)]) -> Vec<(u32, u32)> {
        loops(starts, edges, 100).into_iter().map(|span| (span.start, span.end)).collect()
    }

    #[test]
    fn a_loop_goes_from_its_first_block_to_the_end_of_the_longest_way_back() {
        assert_eq!(spans(&[0, 10, 20, 30], &[(0, 10), (10, 20), (20, 10), (20, 30)]), [(10, 30)]);
        assert_eq!(spans(&[0, 10, 20], &[(10, 10), (20, 10)]), [(10, 100)]);
        assert_eq!(spans(&[0, 10], &[(0, 10)]), []);
    }

    #[test]
    fn loops_count_for_more_the_more_are_around_them() {
        let all = [(0, 90), (10, 40), (15, 20), (50, 60)];
        let all = all.map(|(start, end)| Span { start, end }).to_vec();
        let weights: Vec<u64> = weighted(all).into_iter().map(|(_, weight)| weight).collect();
        assert_eq!(weights, [1, 8, 64, 8]);
    }

    #[test]
    fn a_function_starts_at_its_place_in_the_first_line_that_has_room() {
        let start = Start { align: LINE, place: 48 };
        assert_eq!([0, 16, 48, 49, 64].map(|bytes| start.behind(bytes)), [48, 48, 48, 112, 112]);
        assert_eq!([0, 1, 16, 17].map(|bytes| Start::at(16).behind(bytes)), [0, 16, 16, 32]);
    }

    #[test]
    fn a_loop_that_fits_in_a_line_is_put_in_one_and_an_inner_loop_goes_before() {
        let inner = Span { start: 40, end: 90 };
        assert_eq!(place_in_line(vec![inner]), Some(32));
        assert_eq!(place_in_line(vec![Span { start: 4, end: 124 }, inner]), Some(32));
        assert_eq!(place_in_line(Vec::new()), None);
    }

    #[test]
    fn lines_are_those_that_any_byte_is_in() {
        let span = Span { start: 60, end: 64 };
        assert_eq!([0, 16].map(|at| span.lines(at)), [1, 1]);
        let span = Span { start: 60, end: 65 };
        assert_eq!([0, 4].map(|at| span.lines(at)), [2, 1]);
    }
}
