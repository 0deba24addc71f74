//! Stencils: the code of one op each, made by the back end for values in the registers of the
//! internal convention, without entry and exit, to be copied one behind another.

mod x86_64;

use std::sync::LazyLock;

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
    /// One more than the index of a key's row, or 0.
    index: Box<[u16]>,
}

impl Stencils {
    fn new(rows: &'static [Stencil]) -> Stencils {
        let mut index = vec![0; Key::count()].into_boxed_slice();
        for (row, stencil) in (1..=u16::MAX).zip(rows) {
            if let Some(entry) = index.get_mut(stencil.key.index()) {
                *entry = row;
            }
        }
        Stencils { rows, index }
    }

    /// The stencils of x86-64.
    pub(crate) fn x86_64() -> &'static Stencils {
        static STENCILS: LazyLock<Stencils> = LazyLock::new(|| Stencils::new(x86_64::STENCILS));
        &STENCILS
    }

    #[inline]
    pub(crate) fn find(&self, key: Key) -> Option<&'static Stencil> {
        let row = *self.index.get(key.index())?;
        self.rows.get(usize::from(row).checked_sub(1)?)
    }
}
