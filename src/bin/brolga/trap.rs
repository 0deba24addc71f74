//! A stopped program as a person reads it.

use std::fs;

use brolga_ir::body::{ExitData, ExitKind};
use brolga_ir::module::Module;
use brolga_ir::report::{FrameKind, Trap};
use brolga_ir::text::display_datum;

use crate::failure::Failure;
use crate::input::Input;
use crate::render::{Extent, Place, Problem, Source, render};

/// Bytes of the largest source file of which a line is shown.
const LARGEST_SOURCE: u64 = 16 << 20;

/// The failure of a program that was stopped: why, at which line of `input` or of the source
/// that it was made from, and by which calls.
pub(crate) fn stopped(
    input: &Input,
    module: &Module,
    trap: &Trap,
    help: Option<String>,
) -> Failure {
    let place = trap.frames.first().filter(|frame| frame.line > 0);
    let file = place.and_then(|frame| frame.file.as_deref());
    let text = match file {
        Some(file) => source_text(file).into(),
        None => input.text(),
    };
    let source = Source::new(file.unwrap_or(input.name()), &text);
    let mut problem = Problem {
        message: message(trap),
        code: Some(trap.code.to_string()),
        place: place.map(|frame| Place {
            line: frame.line,
            column: frame.column,
            extent: Extent::Rest,
        }),
        notes: Vec::new(),
        help,
    };
    problem.notes = calls(trap);
    if !trap.values.is_empty() {
        problem.notes.push(values(module, trap));
    }
    Failure::Stopped(render(Some(&source), &problem))
}

/// The text of a source file as it is now; none if it is not there any more.
fn source_text(file: &str) -> String {
    let is_file = fs::metadata(file).is_ok_and(|it| it.is_file() && it.len() <= LARGEST_SOURCE);
    let bytes = is_file.then(|| fs::read(file).ok()).flatten();
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

/// What the exit took along, spelled by the types that its function declares.
fn values(module: &Module, trap: &Trap) -> String {
    let id = module.function_named(trap.function());
    let body = id.and_then(|id| module.function(id)?.body.as_deref());
    let kind = match trap.side_exit {
        Some(number) => ExitKind::Side(number),
        None => ExitKind::Trap(trap.code),
    };
    let fits = |exit: &&ExitData| {
        let mut pairs = exit.types.iter().zip(&trap.values);
        exit.kind == kind
            && exit.types.len() == trap.values.len()
            && pairs.all(|(&ty, value)| value.fits(&module.types, ty))
    };
    let exits = body.into_iter().flat_map(|body| body.exits().map(|(_, exit)| exit));
    let mut exits = exits.filter(fits);
    let exit = exits.next();
    // Of several that differ the trap does not say which one it was.
    let only = exit.filter(|exit| exits.all(|other| other.types == exit.types));
    let Some(exit) = only else { return format!("values taken along: {}", trap.values.len()) };
    let pairs = exit.types.iter().zip(&trap.values);
    let texts: Vec<String> = pairs
        .map(|(&ty, value)| {
            let value = display_datum(&module.types, ty, value);
            format!("{} {value}", module.types.display(ty))
        })
        .collect();
    format!("values taken along: {}", texts.join(", "))
}

fn message(trap: &Trap) -> String {
    let mut message = trap.code.message().to_owned();
    if let Some(detail) = &trap.detail {
        message = format!("{message}: {detail}");
    }
    if let Some(number) = trap.side_exit {
        message = format!("{message} (number {number})");
    }
    message
}

/// A frame that stands there as often as that.
struct Call {
    frame: String,
    /// How the frame further in came to be; none of the innermost.
    kind: Option<FrameKind>,
    count: u64,
}

/// The calls that led there, innermost first; a call that is repeated, as by
/// recursion, is told once, whether its function was inlined there or not.
fn calls(trap: &Trap) -> Vec<String> {
    let mut calls: Vec<Call> = Vec::new();
    let mut kind = None;
    for frame in &trap.frames {
        let text = frame.to_string();
        match calls.last_mut() {
            Some(last) if last.kind.is_some() && last.frame == text => {
                last.count += 1;
                if kind == Some(FrameKind::Called) {
                    last.kind = kind;
                }
            }
            _ => calls.push(Call { frame: text, kind, count: 1 }),
        }
        kind = Some(frame.kind);
    }
    let mut lines: Vec<String> = calls
        .into_iter()
        .map(|Call { frame, kind, count }| {
            let how = match kind {
                None => "in",
                Some(FrameKind::Inlined) => "inlined in",
                Some(FrameKind::Called) => "called from",
            };
            match count {
                1 => format!("{how} {frame}"),
                _ => format!("{how} {frame}, {count} times"),
            }
        })
        .collect();
    if trap.omitted > 0 {
        lines.push(format!("called through {} more", trap.omitted));
    }
    lines
}
