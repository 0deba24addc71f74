//! What the code of a place belongs to. The back end carries one number per
//! instruction through to the code: here it is the index of a row that holds
//! the source location and, for a call that stops execution, the exit.

use brolga_ir::body::Body;
use cranelift_codegen::ir::SourceLoc;

use crate::unit::{ExitSite, SourceFrames};

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
    /// The frames that rows name.
    pub(super) frames: SourceFrames,
}

impl Sites {
    /// Begins with a body, and makes room for its frames and rows: most of its locations are
    /// those of one instruction each.
    pub(super) fn begin(&mut self, body: &Body) {
        let count = body.locs().len();
        self.frames.begin(body);
        self.frames.reserve();
        self.rows.reserve(count);
        self.plain.reserve(count + 1);
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
}
