//! What an engine keeps of a unit beside its code: what walks over frames ask.
//!
//! An engine may have tens of thousands of functions, of which most have nothing to say but at
//! which line of their own text they call: that takes an eighth of what a unit does.

use brolga_ir::module::Name;
use brolga_ir::report::{Frame, FrameKind, Trap};
use brolga_lowering::unit::{CallSite, CompiledUnit, ExitSite, Handler, SourceFrame};

/// What is known of code.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Facts {
    name: Name,
    sites: Sites,
}

#[derive(PartialEq, Eq, Debug)]
enum Sites {
    /// Calls that are places of the function's own text and nothing else, by ascending offset.
    Plain(Box<[Line]>),
    /// Others, in what was compiled without the code.
    Full(Box<CompiledUnit>),
}

/// A call at a place of the function's own text.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Line {
    /// The return address, in bytes from the start of the code.
    return_offset: u32,
    /// From 1; 0 if it is not known.
    line: u32,
    column: u32,
}

impl Facts {
    /// What is to be kept of a unit.
    pub(crate) fn of(mut unit: Box<CompiledUnit>) -> Facts {
        let name = unit.name.clone();
        let plain = || Facts::plain(&name, &unit.call_sites, &unit.frames);
        if let Some(facts) = unit.side_mark.is_none().then(plain).flatten() {
            return facts;
        }
        unit.code = Vec::new();
        unit.relocations = Vec::new();
        Facts { name, sites: Sites::Full(unit) }
    }

    /// What is to be kept of code that keeps no side stack, if there is no more to say of it than
    /// at which lines of its own text it calls.
    pub(crate) fn plain(name: &Name, calls: &[CallSite], frames: &[SourceFrame]) -> Option<Facts> {
        let lines = calls.iter().map(|call| plain_line(call, frames));
        Some(Facts { name: name.clone(), sites: Sites::Plain(lines.collect::<Option<_>>()?) })
    }

    /// The name of the function.
    pub(crate) fn name(&self) -> &Name {
        &self.name
    }

    /// Where the call that returns there goes on when its callee throws.
    pub(super) fn handler(&self, return_offset: u32) -> Option<Handler> {
        self.site(return_offset)?.handler
    }

    /// What the call that returns there takes along, if it stops execution.
    pub(super) fn exit(&self, return_offset: u32) -> Option<&ExitSite> {
        self.site(return_offset)?.exit.as_ref()
    }

    /// Whether the frame of the call that returns there is only passed by.
    pub(super) fn awaits_continuation(&self, return_offset: u32) -> bool {
        self.site(return_offset).is_some_and(CallSite::awaits_continuation)
    }

    /// Bytes from the frame pointer down to where a frame keeps what the side stack was, if it
    /// does. A frame that returns to `return_offset` may have not come to that.
    pub(super) fn side_mark(&self, return_offset: u32) -> Option<u32> {
        let unit = self.full()?;
        unit.side_mark.filter(|_| unit.guard_return != Some(return_offset))
    }

    /// Appends what a frame shows that a call returns to: what was inlined there, then itself.
    pub(super) fn append_frames(&self, trap: &mut Trap, return_offset: u32) {
        let named = |function: Option<&Box<str>>| function.cloned().unwrap_or((*self.name).into());
        let mut show = |function: Box<str>, file: Option<&Box<str>>, line, column, kind| {
            trap.push_frame(Frame { function, file: file.cloned(), line, column, kind });
        };
        let frame = self.site(return_offset).and_then(|site| site.frame);
        let mut chain = self.full().into_iter().flat_map(|unit| unit.frame_chain(frame)).peekable();
        if chain.peek().is_none() {
            let Line { line, column, .. } = self.line(return_offset).unwrap_or_default();
            show(named(None), None, line, column, FrameKind::Called);
        }
        while let Some(source) = chain.next() {
            let kind = if chain.peek().is_some() { FrameKind::Inlined } else { FrameKind::Called };
            let function = named(source.function.as_ref());
            show(function, source.file.as_ref(), source.line, source.column, kind);
        }
    }

    fn line(&self, return_offset: u32) -> Option<Line> {
        let Sites::Plain(lines) = &self.sites else { return None };
        let index = lines.binary_search_by_key(&return_offset, |line| line.return_offset);
        lines.get(index.ok()?).copied()
    }

    fn site(&self, return_offset: u32) -> Option<&CallSite> {
        self.full()?.call_site(return_offset)
    }

    fn full(&self) -> Option<&CompiledUnit> {
        match &self.sites {
            Sites::Plain(_) => None,
            Sites::Full(unit) => Some(unit),
        }
    }
}

/// A call, if there is nothing else to say of it.
fn plain_line(call: &CallSite, frames: &[SourceFrame]) -> Option<Line> {
    let takes_something = |exit: &ExitSite| exit.side.is_some() || !exit.values.is_empty();
    let leaves = call.exit.as_ref().is_some_and(takes_something);
    if leaves || call.handler.is_some() || call.awaits_continuation() {
        return None;
    }
    let return_offset = call.return_offset;
    let Some(frame) = call.frame else { return Some(Line { return_offset, ..Line::default() }) };
    let frame = frames.get(frame as usize)?;
    let is_own = frame.function.is_none() && frame.file.is_none() && frame.inlined_at.is_none();
    is_own.then_some(Line { return_offset, line: frame.line, column: frame.column })
}

#[cfg(test)]
mod tests;
