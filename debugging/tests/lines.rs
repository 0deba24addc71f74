//! Rows of lines: where they start, and what is not a row.

mod units;

use brolga_debugging::PlacedUnit;
use brolga_debugging::lines::{LineRow, SourceLine, line_rows};
use brolga_lowering::unit::{CompiledUnit, LineEntry};

use units::{ADDRESS, TEXT, unit};

fn rows(unit: &CompiledUnit) -> Vec<(u64, Option<(&str, u32)>)> {
    let rows = line_rows(&PlacedUnit::new(unit, ADDRESS, TEXT));
    rows.iter()
        .map(|row| (row.address - ADDRESS, row.line.map(|line| (line.file, line.line))))
        .collect()
}

/// A unit with other entries.
fn with_lines(lines: &[(u32, Option<u32>)]) -> CompiledUnit {
    let lines = lines.iter().map(|&(offset, frame)| LineEntry { offset, frame }).collect();
    CompiledUnit { lines, ..unit("f") }
}

#[test]
fn code_belongs_to_the_line_it_was_written_at_and_the_entry_to_the_function_itself() {
    let expected = [
        (0, Some((TEXT, 10))),
        (6, Some(("a.jl", 20))),
        (8, Some(("b.jl", 30))),
        (12, Some(("a.jl", 20))),
        (16, Some((TEXT, 11))),
        (20, None),
        (24, Some(("a.jl", 20))),
    ];
    assert_eq!(rows(&unit("f")), expected);
}

#[test]
fn columns_come_along() {
    let unit = unit("f");
    let first = line_rows(&PlacedUnit::new(&unit, ADDRESS, TEXT))[1];
    let line = SourceLine { file: "a.jl", line: 20, column: 2 };
    assert_eq!(first, LineRow { address: ADDRESS + 6, line: Some(line) });
}

#[test]
fn rows_of_one_line_are_one() {
    let unit = with_lines(&[(0, Some(0)), (4, Some(0)), (8, Some(3)), (12, Some(3))]);
    assert_eq!(rows(&unit), [(0, Some((TEXT, 10))), (8, Some((TEXT, 11)))]);
}

#[test]
fn entries_that_are_none_make_no_row() {
    // One that goes back, one of a frame that is not there, two at one offset, one behind the
    // code.
    let unit = with_lines(&[
        (8, Some(3)),
        (4, Some(1)),
        (12, Some(99)),
        (16, Some(1)),
        (16, Some(0)),
        (40, Some(1)),
    ]);
    let expected = [(0, Some((TEXT, 11))), (12, None), (16, Some((TEXT, 10)))];
    assert_eq!(rows(&unit), expected);
}

#[test]
fn without_a_known_line_there_are_no_rows() {
    assert_eq!(rows(&with_lines(&[])), []);
    assert_eq!(rows(&with_lines(&[(0, None)])), []);
    let mut unknown = with_lines(&[(0, Some(0))]);
    unknown.frames[0].line = 0;
    assert_eq!(rows(&unknown), []);
    assert_eq!(rows(&CompiledUnit { code: Vec::new(), ..unit("f") }), []);
}
