//! Source locations of code.

use brolga_ir::body::{Body, LocData, TEXT_FILE};
use brolga_ir::entity::{EntityRef, Loc, PackedOption};
use brolga_ir::module::Module;
use brolga_lowering::options::TextLines;
use brolga_lowering::unit::{LineEntry, SourceFrame};

use crate::take::take;

/// The locations of a function.
#[derive(Debug, Default)]
pub(crate) struct Sites {
    frames: Vec<SourceFrame>,
    lines: Vec<LineEntry>,
    /// One more than the frame of each location, or 0.
    known: Vec<u32>,
    current: Option<u32>,
    /// Whether lines are told of all code.
    tells_all: bool,
}

impl Sites {
    /// Begins with a function.
    pub(crate) fn begin(&mut self, body: &Body, lines: TextLines) {
        self.tells_all = lines == TextLines::All || body.has_source_locs();
        self.frames.clear();
        self.lines.clear();
        self.current = None;
        self.known.clear();
        self.known.resize(body.locs().len(), 0);
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
        let frame = self.frame(module, body, loc);
        if frame != self.current {
            self.current = frame;
            match self.lines.last_mut() {
                // Nothing stands between.
                Some(line) if line.offset == offset => line.frame = frame,
                _ => self.lines.push(LineEntry { offset, frame }),
            }
        }
    }

    /// The frame of a location, entered at first use, behind those that it was inlined at.
    pub(crate) fn frame(
        &mut self,
        module: &Module,
        body: &Body,
        loc: PackedOption<Loc>,
    ) -> Option<u32> {
        let loc = loc.expand()?;
        if let Some(known) = self.known.get(loc.index())?.checked_sub(1) {
            return Some(known);
        }
        let data = body.loc_data(loc)?;
        match data.inlined_at.expand() {
            None => Some(self.make(module, loc, data, None)),
            Some(_) => self.inlined(module, body, loc),
        }
    }

    /// The frame of a location that was inlined.
    #[cold]
    fn inlined(&mut self, module: &Module, body: &Body, loc: Loc) -> Option<u32> {
        let mut missing: Vec<(Loc, &LocData)> = Vec::new();
        let (mut next, mut frame) = (Some(loc), None);
        while let Some(loc) = next {
            frame = self.known.get(loc.index()).and_then(|known| known.checked_sub(1));
            let Some(data) = body.loc_data(loc).filter(|_| frame.is_none()) else { break };
            missing.push((loc, data));
            // An inlined-at leads to a location made before: no chain is a cycle.
            next = data.inlined_at.expand().filter(|outer| outer.as_u32() < loc.as_u32());
        }
        for (loc, data) in missing.into_iter().rev() {
            frame = Some(self.make(module, loc, data, frame));
        }
        frame
    }

    /// A new frame.
    fn make(&mut self, module: &Module, loc: Loc, data: &LocData, outer: Option<u32>) -> u32 {
        let file = (data.file != TEXT_FILE).then(|| module.string(data.file).into());
        self.frames.push(SourceFrame {
            function: data.function.map(|name| module.string(name).into()),
            file,
            line: data.line,
            column: data.column,
            inlined_at: outer,
        });
        let made = self.frames.len() as u32;
        self.known[loc.index()] = made;
        made - 1
    }

    /// The frames, and what code belongs to which.
    pub(crate) fn take(&mut self, end: u32) -> (Vec<SourceFrame>, Vec<LineEntry>) {
        if self.current.is_some() {
            self.lines.push(LineEntry { offset: end, frame: None });
        }
        (take(&mut self.frames), take(&mut self.lines))
    }
}
