//! Stencils: the code of one op each, made by the back end for values in the registers of the
//! internal convention, without entry and exit, to be copied one behind another.

mod x86_64;

use std::sync::LazyLock;

use brolga_ir::op::{Op, Pattern};

use crate::key::Key;

/// The code of an op.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stencil {
    /// What it is looked up by.
    pub(crate) key: Key,
    /// Its bytes, and zeros up to a whole word. Execution goes on behind the last one, wherever
    /// it leaves in between.
    pub(crate) code: &'static [u8],
    /// How many bytes count.
    pub(crate) length: u16,
    /// Where a constant is put in.
    pub(crate) hole: Option<Hole>,
    /// The calls of the runtime that stop execution.
    pub(crate) stops: &'static [Stop],
    /// The condition, as instructions encode it, that the flags have behind a compare.
    pub(crate) condition: u8,
    /// Whether it reads constants of its own, which stand at multiples of 16 bytes.
    pub(crate) is_aligned: bool,
}

/// A place for a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hole {
    /// In bytes from the start.
    pub(crate) offset: u8,
    /// In bytes; the constant is extended by its sign.
    pub(crate) width: u8,
}

/// A call that stops execution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    /// Where the distance to the runtime is put in, in bytes from the start.
    pub(crate) offset: u16,
    /// The number of the trap code.
    pub(crate) code: u8,
}

impl Stencil {
    const fn new(key: Key, length: u16, code: &'static [u8]) -> Stencil {
        let (hole, stops): (_, &[Stop]) = (None, &[]);
        Stencil { key, code, length, hole, stops, condition: 0, is_aligned: false }
    }

    const fn hole(self, offset: u8, width: u8) -> Stencil {
        Stencil { hole: Some(Hole { offset, width }), ..self }
    }

    const fn stops(self, stops: &'static [Stop]) -> Stencil {
        Stencil { stops, ..self }
    }

    const fn condition(self, condition: u8) -> Stencil {
        Stencil { condition, ..self }
    }

    const fn aligned(self) -> Stencil {
        Stencil { is_aligned: true, ..self }
    }
}

const fn stop(offset: u16, code: u8) -> Stop {
    Stop { offset, code }
}

/// The stencils of an instruction set, by key.
#[derive(Debug)]
pub(crate) struct Stencils {
    rows: &'static [Stencil],
    /// One more than the page of a group of keys, or 0.
    groups: Box<[u16]>,
    /// One more than the row of each variant, or 0.
    pages: Vec<[u16; Key::variants()]>,
    /// Whether an op has stencils by the class of what it converts.
    converts: Box<[bool]>,
}

impl Stencils {
    fn new(rows: &'static [Stencil]) -> Stencils {
        let mut groups = vec![0_u16; Key::groups()].into_boxed_slice();
        let mut pages = Vec::new();
        for (row, stencil) in (1..=u16::MAX).zip(rows) {
            let Some(page) = groups.get_mut(stencil.key.group()) else { continue };
            if *page == 0 {
                pages.push([0; Key::variants()]);
                *page = pages.len() as u16;
            }
            pages[usize::from(*page) - 1][stencil.key.variant()] = row;
        }
        let mut converts = vec![false; Op::ALL.len()].into_boxed_slice();
        for &op in Op::ALL {
            converts[op as usize] = matches!(op.info().operands.first(), Some(Pattern::Any(_)));
        }
        Stencils { rows, groups, pages, converts }
    }

    /// Whether an op has stencils by the class of its first operand, which its own does not tell.
    #[inline]
    pub(crate) fn converts(&self, op: Op) -> bool {
        self.converts.get(op as usize).copied().unwrap_or(false)
    }

    /// The stencils of x86-64.
    pub(crate) fn x86_64() -> &'static Stencils {
        static STENCILS: LazyLock<Stencils> = LazyLock::new(|| Stencils::new(x86_64::STENCILS));
        &STENCILS
    }

    #[inline]
    pub(crate) fn find(&self, key: Key) -> Option<&'static Stencil> {
        let page = usize::from(*self.groups.get(key.group())?).checked_sub(1)?;
        let row = *self.pages.get(page)?.get(key.variant())?;
        self.rows.get(usize::from(row).checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_found_by_its_key_and_has_its_places_inside() {
        let stencils = Stencils::x86_64();
        for row in stencils.rows {
            let found = stencils.find(row.key).unwrap();
            assert!(std::ptr::eq(found, row), "{:?} stands twice", row.key);
            let length = usize::from(row.length);
            assert_eq!(row.code.len(), length.next_multiple_of(8));
            let hole = row.hole.map_or(0, |hole| usize::from(hole.offset + hole.width));
            assert!(hole <= length);
            assert!(row.stops.iter().all(|stop| usize::from(stop.offset) + 4 <= length));
            assert!(row.stops.iter().all(|stop| {
                brolga_ir::trap::TrapCode::from_number(stop.code.into()).is_some()
            }));
        }
    }
}
