//! Source locations of code.

use brolga_ir::body::Body;
use brolga_ir::entity::{Loc, PackedOption};
use brolga_ir::module::Module;
use brolga_lowering::options::TextLines;
use brolga_lowering::unit::{LineEntry, SourceFrame, SourceFrames};

use crate::take::take;

/// The locations of a function.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    /// The frames that code belongs to.
    pub(crate) frames: SourceFrames,
    lines: Vec<LineEntry>,
    current: Option<u32>,
    /// Whether lines are told of all code.
    tells_all: bool,
}

impl Sites {
    /// Begins with a function.
    pub(crate) fn begin(&mut self, body: &Body, lines: TextLines) {
        self.tells_all = lines == TextLines::All || body.has_source_locs();
        self.frames.begin(body);
        self.lines.clear();
        self.current = None;
    }

    /// Code of a location starts at this offset. Unless somebody asks, lines of a text of ours
    /// are told at calls alone, where errors name them: telling them of all code takes a tenth
    /// of the time.
    #[inline]
    pub(crate) fn enter(
        &mut self,
        module: &Module,
        body: &Body,
        loc: PackedOption<Loc>,
        offset: u32,
    ) {
        if !self.tells_all {
            return;
        }
        let frame = self.frames.frame(module, body, loc);
        if frame != self.current {
            self.current = frame;
            match self.lines.last_mut() {
                // Nothing stands between.
                Some(line) if line.offset == offset => line.frame = frame,
                _ => self.lines.push(LineEntry { offset, frame }),
            }
        }
    }

    /// The frames, and what code belongs to which.
    pub(crate) fn take(&mut self, end: u32) -> (Vec<SourceFrame>, Vec<LineEntry>) {
        if self.current.is_some() {
            self.lines.push(LineEntry { offset: end, frame: None });
        }
        (self.frames.take(), take(&mut self.lines))
    }
}
