//! What a call left in the output of the program.

use brolga_ir::datum::Datum;
use brolga_ir::report::{Frame, FrameKind, MAX_FRAMES};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Type, TypePool};
use brolga_lowering::buffer::BufferLayout;
use brolga_lowering::unit::{CallSite, ValueShape};

use super::image::{Image, Placed, Role};
use super::runtime::call;
use crate::compare::Answer;

impl Image<'_> {
    /// How a call ended.
    pub(super) fn answer(&self, output: &[u8], index: usize) -> Answer {
        let row = &output[call::SIZE as usize * index..][..call::SIZE as usize];
        let status = word(row, call::STATUS);
        if status == 0 {
            return Answer::Returned(self.results(output, index));
        }
        let Some(code) = TrapCode::from_number(status as u32) else {
            return Answer::Failed(format!("it stopped with {status:#x}"));
        };
        let chain = (0..call::CHAIN_LENGTH).map(|at| word(row, call::CHAIN + 8 * at));
        let chain: Vec<u64> = chain.take_while(|&pc| pc != 0).collect();
        let mut frames = self.frames(&chain);
        let omitted = frames.len().saturating_sub(MAX_FRAMES) as u64;
        frames.truncate(MAX_FRAMES);
        let site = chain.first().and_then(|&pc| self.site(pc));
        let exit = site.and_then(|(_, site)| site.exit.as_ref());
        let values = match exit {
            // Thrown, and not handled.
            None => vec![Datum::Scalar(word(row, call::EXCEPTION).into())],
            Some(exit) => exit_values(&exit.values, &row[call::VALUES as usize..]),
        };
        let side_exit = exit.and_then(|exit| exit.side);
        Answer::Trapped { code, frames, omitted, values, side_exit, message: None }
    }

    fn results(&self, output: &[u8], index: usize) -> Vec<Datum> {
        let made = &self.made[index];
        let types = self.module.signature_of(made.function).result_types();
        let read = |(ty, &offset): (Type, &u32)| {
            Datum::from_bytes(&self.module.types, ty, &output[made.buffer + offset as usize..])
        };
        types.zip(&made.results.offsets).map(read).collect()
    }

    fn site(&self, pc: u64) -> Option<(&Placed, &CallSite)> {
        let placed = self.units.iter().find(|placed| {
            (placed.at + 1..=placed.at + placed.unit.code.len() as u64).contains(&pc)
        })?;
        Some((placed, placed.unit.call_site((pc - placed.at) as u32)?))
    }

    /// The frames of a chain of return addresses, innermost first.
    fn frames(&self, chain: &[u64]) -> Vec<Frame> {
        let mut frames = Vec::new();
        for (placed, site) in chain.iter().filter_map(|&pc| self.site(pc)) {
            let code = site.exit.as_ref().map(|exit| exit.code);
            // A function that found no stack was not entered.
            if placed.role != Role::Function || code == Some(TrapCode::StackOverflow) {
                continue;
            }
            let name = &placed.unit.name;
            let mut known = placed.unit.frame_chain(site.frame).peekable();
            if known.peek().is_none() {
                let kind = FrameKind::Called;
                frames.push(Frame {
                    function: (**name).into(),
                    file: None,
                    line: 0,
                    column: 0,
                    kind,
                });
            }
            while let Some(source) = known.next() {
                let is_inlined = known.peek().is_some();
                frames.push(Frame {
                    function: source.function.clone().unwrap_or_else(|| (**name).into()),
                    file: source.file.clone(),
                    line: source.line,
                    column: source.column,
                    kind: if is_inlined { FrameKind::Inlined } else { FrameKind::Called },
                });
            }
        }
        frames
    }
}

fn word(row: &[u8], offset: u32) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&row[offset as usize..offset as usize + 8]);
    u64::from_le_bytes(bytes)
}

/// What an exit took along.
fn exit_values(shapes: &[ValueShape], bytes: &[u8]) -> Vec<Datum> {
    let (pool, mut leaves) = (TypePool::default(), Vec::new());
    shapes.iter().for_each(|shape| shape.append_leaves(&mut leaves));
    let layout = BufferLayout::of(&pool, leaves.iter().copied()).unwrap_or_default();
    let places = leaves.into_iter().zip(layout.offsets);
    let mut values =
        places.map(|(ty, offset)| Datum::from_bytes(&pool, ty, &bytes[offset as usize..]));
    shapes.iter().map(|shape| shape.join(&mut values)).collect()
}
