//! Which code belongs to which line: a unit's offsets and frames as rows of addresses.
//!
//! Code that was inlined belongs to the line that it was written at. Code before the first
//! location is the entry of the function: it belongs to the line of the function itself, the
//! outermost, at which the first known location was inlined, so that whoever stops at the entry
//! sees where. A location of line 0 is one that nobody knows.

use brolga_lowering::unit::{CompiledUnit, SourceFrame};

use crate::PlacedUnit;

/// From this address on, up to the next row or the end of the code, code belongs to that line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineRow<'a> {
    /// The address.
    pub address: u64,
    /// The line, if it is known.
    pub line: Option<SourceLine<'a>>,
}

/// A place in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceLine<'a> {
    /// The file.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
}

/// Code that belongs to one frame, in bytes from the start of the unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// By its index in the unit's frames.
    pub(crate) frame: Option<u32>,
}

/// The rows of a unit, by ascending address, from the start of its code on; no two that follow
/// each other are of the same line. None if no line is known.
pub fn line_rows<'a>(placed: &PlacedUnit<'a>) -> Vec<LineRow<'a>> {
    let mut rows: Vec<LineRow<'a>> = Vec::new();
    for segment in segments(placed) {
        let line = source_line(placed, segment.frame);
        if rows.last().is_none_or(|row| row.line != line) {
            let address = placed.address.wrapping_add(u64::from(segment.start));
            rows.push(LineRow { address, line });
        }
    }
    match rows.iter().any(|row| row.line.is_some()) {
        true => rows,
        false => Vec::new(),
    }
}

/// The line of a frame, if it is known.
pub(crate) fn source_line<'a>(
    placed: &PlacedUnit<'a>,
    frame: Option<u32>,
) -> Option<SourceLine<'a>> {
    let frame = known_frame(placed.unit, frame)?;
    let file = frame.file.as_deref().unwrap_or(placed.text);
    Some(SourceLine { file, line: frame.line, column: frame.column })
}

/// All of the code, cut where entries start. Entries behind the code and those that go back are
/// left out; of several at one offset the last counts.
pub(crate) fn segments(&PlacedUnit { unit, code, .. }: &PlacedUnit<'_>) -> Vec<Segment> {
    let end = u32::try_from(code.len()).unwrap_or(u32::MAX);
    if end == 0 {
        return Vec::new();
    }
    let mut starts = vec![(0, entry_frame(unit))];
    let entries = unit.lines.iter().filter(|entry| entry.offset < end);
    for entry in entries.skip_while(|entry| known_frame(unit, entry.frame).is_none()) {
        match starts.last_mut() {
            Some((start, _)) if entry.offset < *start => {}
            Some((start, frame)) if entry.offset == *start => *frame = entry.frame,
            _ => starts.push((entry.offset, entry.frame)),
        }
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([end]);
    let pairs = starts.iter().zip(ends);
    pairs.map(|(&(start, frame), end)| Segment { start, end, frame }).collect()
}

/// The frame that the code at the entry belongs to.
fn entry_frame(unit: &CompiledUnit) -> Option<u32> {
    let mut frames = unit.lines.iter().filter_map(|entry| entry.frame);
    frames.find_map(|frame| {
        let outermost = frame_indices(unit, Some(frame)).last()?;
        known_frame(unit, Some(outermost)).map(|_| outermost)
    })
}

/// The chain of a frame by index, innermost first.
pub(crate) fn frame_indices(
    unit: &CompiledUnit,
    frame: Option<u32>,
) -> impl Iterator<Item = u32> + '_ {
    std::iter::successors(frame, |&index| {
        // An inlined-at leads to an earlier entry: no chain is a cycle.
        unit.frames.get(index as usize)?.inlined_at.filter(|&next| next < index)
    })
    .filter(|&index| unit.frames.get(index as usize).is_some())
}

fn known_frame(unit: &CompiledUnit, frame: Option<u32>) -> Option<&SourceFrame> {
    unit.frames.get(frame? as usize).filter(|frame| frame.line > 0)
}
