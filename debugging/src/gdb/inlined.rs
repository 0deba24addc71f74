//! The calls that were inlined, as a tree, with the code of each.
//!
//! A unit says of each piece of code the chain of locations that it comes from. Two pieces belong
//! to one inlined call if they are of the same function, inlined at the same location.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::PlacedUnit;
use crate::lines::{frame_indices, segments};

/// A call that was inlined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct InlinedCall<'a> {
    /// The call within whose code it is, by its index, which is lower; none for the function's
    /// own.
    pub(super) parent: Option<usize>,
    /// The function that was called.
    pub(super) function: &'a str,
    /// Where it was called, by index in the unit's frames.
    pub(super) call: u32,
    /// Its code, that of calls within it included, in bytes from the start of the unit:
    /// ascending, none of them empty, none adjacent to the next.
    pub(super) ranges: Vec<Range<u32>>,
}

/// The inlined calls of a unit, in the order in which its code comes to them, callers first.
pub(super) fn inlined_calls<'a>(placed: &PlacedUnit<'a>) -> Vec<InlinedCall<'a>> {
    let unit = placed.unit;
    let mut calls: Vec<InlinedCall<'_>> = Vec::new();
    let mut known = BTreeMap::new();
    for segment in segments(placed) {
        let mut chain: Vec<u32> = frame_indices(unit, segment.frame).collect();
        chain.reverse();
        let mut parent = None;
        for frame in chain.windows(2).filter_map(|pair| unit.frames.get(pair[1] as usize)) {
            let Some(call) = frame.inlined_at else { continue };
            let function = frame.function.as_deref().unwrap_or(&unit.name);
            let index = *known.entry((parent, function, call)).or_insert_with(|| {
                calls.push(InlinedCall { parent, function, call, ranges: Vec::new() });
                calls.len() - 1
            });
            add_range(&mut calls[index].ranges, segment.start..segment.end);
            parent = Some(index);
        }
    }
    calls
}

/// Ranges come in order.
fn add_range(ranges: &mut Vec<Range<u32>>, range: Range<u32>) {
    match ranges.last_mut() {
        Some(last) if last.end == range.start => last.end = range.end,
        _ => ranges.push(range),
    }
}
