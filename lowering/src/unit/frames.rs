//! The source frames of a unit, as whoever makes its code comes to need them.

use brolga_ir::body::{Body, LocData, TEXT_FILE};
use brolga_ir::entity::{EntityRef, Loc, PackedOption};
use brolga_ir::module::Module;

use super::SourceFrame;

/// The frames of the locations of a body that code has been made for, each once.
#[derive(Debug, Default)]
pub struct SourceFrames {
    frames: Vec<SourceFrame>,
    /// One more than the frame of each location, or 0.
    known: Vec<u32>,
}

impl SourceFrames {
    /// Begins with a body, and keeps the memory that it has.
    pub fn begin(&mut self, body: &Body) {
        self.frames.clear();
        self.known.clear();
        self.known.resize(body.locs().len(), 0);
    }

    /// Makes room for a frame of each location of the body that it has begun with.
    pub fn reserve(&mut self) {
        self.frames.reserve(self.known.len());
    }

    /// The frame of a location, entered at first use, behind those that it was inlined at.
    #[inline]
    pub fn frame(&mut self, module: &Module, body: &Body, loc: PackedOption<Loc>) -> Option<u32> {
        let loc = loc.expand()?;
        if let Some(known) = self.known.get(loc.index())?.checked_sub(1) {
            return Some(known);
        }
        let data = body.loc_data(loc)?;
        match data.inlined_at.expand() {
            None => Some(self.enter(module, loc, data, None)),
            Some(_) => self.inlined(module, body, loc),
        }
    }

    /// The frame of a location that was inlined.
    #[cold]
    fn inlined(&mut self, module: &Module, body: &Body, loc: Loc) -> Option<u32> {
        // Down to a location that has its frame, then up again.
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
            frame = Some(self.enter(module, loc, data, frame));
        }
        frame
    }

    fn enter(&mut self, module: &Module, loc: Loc, data: &LocData, outer: Option<u32>) -> u32 {
        let file = (data.file != TEXT_FILE).then(|| module.string(data.file).into());
        self.frames.push(SourceFrame {
            function: data.function.map(|name| module.string(name).into()),
            file,
            line: data.line,
            column: data.column,
            inlined_at: outer,
        });
        let entered = self.frames.len() as u32;
        self.known[loc.index()] = entered;
        entered - 1
    }

    /// The frames so far.
    pub fn all(&self) -> &[SourceFrame] {
        &self.frames
    }

    /// The frames, in memory of their own that has no room to spare.
    pub fn take(&mut self) -> Vec<SourceFrame> {
        let mut taken = Vec::with_capacity(self.frames.len());
        taken.append(&mut self.frames);
        taken
    }
}
