//! What a stopped execution tells: the same for interpreter and compiled code.

use std::fmt;

use crate::body::{LocData, TEXT_FILE};
use crate::datum::Datum;
use crate::entity::{FuncId, Loc, PackedOption};
use crate::module::Module;
use crate::trap::TrapCode;

/// The most frames that a [`Trap`] keeps, from the innermost on.
pub const MAX_FRAMES: usize = 128;

/// Whether a frame was on the stack by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FrameKind {
    /// It was called.
    Called,
    /// Its code had become a part of the next frame's.
    Inlined,
}

/// A place in a function that was being executed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The name of the function.
    pub function: Box<str>,
    /// The source file; none for a line of the module's own text.
    pub file: Option<Box<str>>,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
    /// The column, from 1; 0 if unknown.
    pub column: u32,
    /// Whether it was on the stack by itself.
    pub kind: FrameKind,
}

/// Execution that stopped before it was through: why, where, and by which calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trap {
    /// Why.
    pub code: TrapCode,
    /// Where, and the calls that led there, innermost first; at most [`MAX_FRAMES`].
    pub frames: Vec<Frame>,
    /// How many more frames there were behind the last of `frames`.
    pub omitted: u64,
    /// What the exit took along, or the reference that nobody caught.
    pub values: Vec<Datum>,
    /// The number of the side exit, if one was taken.
    pub side_exit: Option<u32>,
    /// What else is known, as a sentence without capital or period.
    pub detail: Option<Box<str>>,
}

impl Trap {
    /// A trap of which nothing but the reason is known yet.
    pub fn new(code: TrapCode) -> Trap {
        let (frames, values) = (Vec::new(), Vec::new());
        Trap { code, frames, omitted: 0, values, side_exit: None, detail: None }
    }

    /// The name of the function that was being executed; empty if unknown.
    pub fn function(&self) -> &str {
        self.frames.first().map_or("", |frame| &frame.function)
    }

    /// The line that was being executed; 0 if unknown.
    pub fn line(&self) -> u32 {
        self.frames.first().map_or(0, |frame| frame.line)
    }

    /// Puts a frame behind the others, or counts it when there are enough.
    pub fn push_frame(&mut self, frame: Frame) {
        if self.frames.len() < MAX_FRAMES {
            self.frames.push(frame);
        } else {
            self.omitted += 1;
        }
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "trap {}: {}", self.code, self.code.message())?;
        if let Some(detail) = &self.detail {
            write!(f, ": {detail}")?;
        }
        if let Some(number) = self.side_exit {
            write!(f, " (number {number})")?;
        }
        for (index, frame) in self.frames.iter().enumerate() {
            let how = match index.checked_sub(1).map(|inner| self.frames[inner].kind) {
                None => "in",
                Some(FrameKind::Inlined) => "inlined in",
                Some(FrameKind::Called) => "called from",
            };
            write!(f, "\n  {how} {frame}")?;
        }
        match self.omitted {
            0 => Ok(()),
            omitted => write!(f, "\n  called through {omitted} more"),
        }
    }
}

impl std::error::Error for Trap {}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}", self.function)?;
        match (&self.file, self.line) {
            (_, 0) => Ok(()),
            (None, line) => write!(f, " at line {line}"),
            (Some(file), line) => write!(f, " at {file}:{line}"),
        }
    }
}

/// What stands at an instruction of `function` with location `loc`: the
/// functions that were inlined there, innermost first, then `function` itself.
pub fn frames_at(
    module: &Module,
    function: FuncId,
    loc: PackedOption<Loc>,
) -> impl Iterator<Item = Frame> + '_ {
    let entry = module.function(function);
    let name = entry.map_or("", |function| &function.name);
    let chain: Vec<&LocData> = entry
        .and_then(|function| function.body.as_deref())
        .map(|body| body.loc_chain(loc).collect())
        .unwrap_or_default();
    let count = chain.len().max(1);
    (0..count).map(move |index| {
        let is_last = index + 1 == count;
        let kind = if is_last { FrameKind::Called } else { FrameKind::Inlined };
        let Some(loc) = chain.get(index) else {
            return Frame { function: name.into(), file: None, line: 0, column: 0, kind };
        };
        let written_in = loc.function.filter(|_| !is_last).map(|string| module.string(string));
        Frame {
            function: written_in.unwrap_or(name).into(),
            file: (loc.file != TEXT_FILE).then(|| module.string(loc.file).into()),
            line: loc.line,
            column: loc.column,
            kind,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::module::Linkage;
    use crate::types::Signature;

    #[test]
    fn inlined_calls_are_frames_of_their_own() {
        let mut module = Module::new("m");
        let sig = module.types.signature(Signature::internal(&[], &[])).unwrap();
        let id = module.declare_function("f", sig, Linkage::Export).unwrap();
        let (file, square) = (module.intern("a.jl"), module.intern("square"));
        let mut body = Body::default();
        let outer = LocData { file, line: 3, column: 0, function: None, inlined_at: None.into() };
        let outer = body.make_loc(outer);
        let inner = LocData {
            file: TEXT_FILE,
            line: 9,
            column: 2,
            function: Some(square),
            inlined_at: outer.into(),
        };
        let inner = body.make_loc(inner);
        module.function_mut(id).unwrap().body = Some(Box::new(body));
        let mut trap = Trap::new(TrapCode::Bounds);
        frames_at(&module, id, inner.into()).for_each(|frame| trap.push_frame(frame));
        assert_eq!((trap.function(), trap.line()), ("square", 9));
        assert_eq!(
            trap.to_string(),
            "trap bounds: an access was out of bounds\n  in @square at line 9\n  inlined in @f at a.jl:3"
        );
    }

    #[test]
    fn frames_beyond_the_limit_are_counted() {
        let mut trap = Trap::new(TrapCode::StackOverflow);
        let module = Module::new("m");
        for _ in 0..MAX_FRAMES + 5 {
            frames_at(&module, FuncId::from_u32(0), None.into())
                .for_each(|frame| trap.push_frame(frame));
        }
        assert_eq!((trap.frames.len(), trap.omitted), (MAX_FRAMES, 5));
    }
}
