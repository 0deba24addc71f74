//! Numbers and tables as the pages write them.

use std::fmt::Write;

use super::record::Input;
use super::summary::FORM;

/// What a page calls an input.
pub(super) fn name_of(input: &Input) -> String {
    match input {
        Input::Kernel { name, form } if form == FORM => name.clone(),
        Input::Kernel { name, form } => format!("{name} ({form})"),
        Input::Example(name) => format!("{name} (example)"),
        Input::Generated { name, .. } => name.clone(),
    }
}

/// A table with a name and numbers in each row; rows without any number are left out.
pub(super) fn table(
    corner: &str,
    columns: &[&str],
    rows: impl Iterator<Item = (String, Vec<Option<f64>>)>,
) -> String {
    let rows = rows.filter(|(_, cells)| cells.iter().any(Option::is_some));
    let texts = |cells: Vec<Option<f64>>| {
        cells.into_iter().map(|cell| cell.map_or_else(|| "-".to_owned(), number)).collect()
    };
    table_of_texts(corner, columns, rows.map(|(name, cells)| (name, texts(cells))))
}

/// A table with a name and words in each row.
pub(super) fn table_of_texts(
    corner: &str,
    columns: &[&str],
    rows: impl Iterator<Item = (String, Vec<String>)>,
) -> String {
    let mut text = format!("| {corner} |");
    for column in columns {
        let _ = write!(text, " {column} |");
    }
    let _ = writeln!(text, "\n|---|{}", "---:|".repeat(columns.len()));
    for (name, cells) in rows {
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text
}

/// Three digits that count.
pub(super) fn number(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value > 0.0 && value < 0.1 => format!("{value:.3}"),
        value => format!("{value:.2}"),
    }
}

/// Nanoseconds as a person says them.
pub(super) fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ns if ns >= 1e9 => (ns / 1e9, "s"),
        ns if ns >= 1e6 => (ns / 1e6, "ms"),
        ns if ns >= 1e3 => (ns / 1e3, "µs"),
        ns => (ns, "ns"),
    };
    if value.fract() == 0.0 {
        format!("{value} {unit}")
    } else {
        format!("{} {unit}", number(value))
    }
}
