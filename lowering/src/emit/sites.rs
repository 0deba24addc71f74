//! What the code of a place belongs to. The back end carries one number per
//! instruction through to the code: here it is the index of a row that holds
//! the source location and, for a call that stops execution, the exit.

use brolga_ir::body::{Body, TEXT_FILE};
use brolga_ir::entity::{Loc, PackedOption, SecondaryMap};
use brolga_ir::module::Module;
use cranelift_codegen::ir::SourceLoc;
use smallvec::SmallVec;

use crate::unit::{ExitSite, SourceFrame};

/// One row.
#[derive(Debug)]
pub(super) struct Site {
    /// By its index in the unit's frames.
    pub(super) frame: Option<u32>,
    /// Why execution stops there.
    pub(super) exit: Option<ExitSite>,
}

/// The rows of a function.
#[derive(Debug, Default)]
pub(super) struct Sites {
    rows: Vec<Site>,
    /// The rows of code that goes on: without a frame, and then of each frame.
    plain: Vec<Option<SourceLoc>>,
    frames: Vec<SourceFrame>,
    of_loc: SecondaryMap<Loc, Option<u32>>,
}

impl Sites {
    /// Makes room for the frames and rows of a body, most of whose locations are those of one
    /// instruction each.
    pub(super) fn reserve(&mut self, body: &Body) {
        let count = body.locs().len();
        self.of_loc.resize(count);
        self.frames.reserve(count);
        self.rows.reserve(count);
        self.plain.reserve(count + 1);
    }

    /// The frame of a location, entered at first use, after those that it was
    /// inlined at.
    pub(super) fn frame(
        &mut self,
        module: &Module,
        body: &Body,
        loc: PackedOption<Loc>,
    ) -> Option<u32> {
        let innermost = loc.expand()?;
        // Down to a location that has its frame, then up again.
        let mut missing: SmallVec<[_; 4]> = SmallVec::new();
        let (mut next, mut frame) = (Some(innermost), None);
        while let Some(loc) = next {
            frame = self.of_loc[loc];
            if frame.is_some() {
                break;
            }
            let Some(data) = body.loc_data(loc) else { break };
            missing.push((loc, data));
            // An inlined-at leads to a location made before: no chain is a cycle.
            next = data.inlined_at.expand().filter(|outer| outer.as_u32() < loc.as_u32());
        }
        for (loc, data) in missing.into_iter().rev() {
            let file = (data.file != TEXT_FILE).then(|| module.string(data.file).into());
            self.frames.push(SourceFrame {
                function: data.function.map(|name| module.string(name).into()),
                file,
                line: data.line,
                column: data.column,
                inlined_at: frame,
            });
            frame = Some(self.frames.len() as u32 - 1);
            self.of_loc[loc] = frame;
        }
        frame
    }

    /// The row of code that belongs to a frame and goes on.
    pub(super) fn plain(&mut self, frame: Option<u32>) -> SourceLoc {
        let index = frame.map_or(0, |frame| frame as usize + 1);
        if let Some(&Some(known)) = self.plain.get(index) {
            return known;
        }
        let row = SourceLoc::new(self.rows.len() as u32);
        self.rows.push(Site { frame, exit: None });
        if self.plain.len() <= index {
            self.plain.resize(index + 1, None);
        }
        self.plain[index] = Some(row);
        row
    }

    /// A row for a call that stops execution.
    pub(super) fn exit(&mut self, frame: Option<u32>, exit: ExitSite) -> SourceLoc {
        self.rows.push(Site { frame, exit: Some(exit) });
        SourceLoc::new(self.rows.len() as u32 - 1)
    }

    /// The row of a number that came back from the back end.
    pub(super) fn row(&self, loc: SourceLoc) -> Option<&Site> {
        self.rows.get(loc.bits() as usize)
    }

    /// The frames that rows name.
    pub(super) fn into_frames(self) -> Vec<SourceFrame> {
        self.frames
    }
}
