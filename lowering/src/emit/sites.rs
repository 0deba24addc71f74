//! What the code of a place belongs to. The back end carries one number per
//! instruction through to the code: here it is the index of a row that holds
//! the source location and, for a call that stops execution, the exit.

use brolga_ir::body::{Body, TEXT_FILE};
use brolga_ir::entity::{Loc, PackedOption};
use brolga_ir::module::Module;
use cranelift_codegen::ir::SourceLoc;
use rustc_hash::FxHashMap;

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
    plain: FxHashMap<Option<u32>, SourceLoc>,
    frames: Vec<SourceFrame>,
    of_loc: FxHashMap<Loc, u32>,
}

impl Sites {
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
        let (mut missing, mut next, mut frame) = (Vec::new(), Some(innermost), None);
        while let Some(loc) = next {
            if let Some(&known) = self.of_loc.get(&loc) {
                frame = Some(known);
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
            self.of_loc.insert(loc, self.frames.len() as u32 - 1);
        }
        frame
    }

    /// The row of code that belongs to a frame and goes on.
    pub(super) fn plain(&mut self, frame: Option<u32>) -> SourceLoc {
        let next = SourceLoc::new(self.rows.len() as u32);
        *self.plain.entry(frame).or_insert_with(|| {
            self.rows.push(Site { frame, exit: None });
            next
        })
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
