//! Where values live: each in a word of the frame of its own, which holds it from its definition
//! on. What is used once, by the next instruction, needs none.

use brolga_ir::body::Body;
use brolga_ir::entity::{EntityRef, Value};

/// Bytes of a home.
const WORD: u32 = 8;

/// The frame of a function as it grows, below the frame pointer.
#[derive(Debug, Default)]
pub(crate) struct Homes {
    /// Bytes below the frame pointer, of each value; 0 while it has no home.
    homes: Vec<u32>,
    /// How often each value is used, as far as it matters: 2 stands for more.
    uses: Vec<u8>,
    /// Homes of what edges keep on its way.
    spare: Vec<u32>,
    size: u32,
}

impl Homes {
    /// Begins with a function, whose uses it counts: O(uses).
    pub(crate) fn begin(&mut self, body: &Body) {
        self.size = 0;
        self.spare.clear();
        self.homes.clear();
        self.homes.resize(body.value_count(), 0);
        self.uses.clear();
        self.uses.resize(body.value_count(), 0);
        for block in body.layout.blocks() {
            for inst in body.layout.insts(block) {
                self.count(body.args(inst));
                for target in body.targets(inst) {
                    self.count(body.target_args(target));
                }
            }
        }
    }

    fn count(&mut self, values: &[Value]) {
        for &value in values {
            if let Some(uses) = self.uses.get_mut(value.index()) {
                *uses = (*uses + 1).min(2);
            }
        }
    }

    /// How often a value is used: 2 stands for more.
    #[inline]
    pub(crate) fn uses(&self, value: Value) -> u8 {
        self.uses.get(value.index()).copied().unwrap_or(0)
    }

    /// The home of a value, from the frame pointer; made when first asked for.
    #[inline]
    pub(crate) fn home(&mut self, value: Value) -> i32 {
        let next = self.size + WORD;
        match self.homes.get_mut(value.index()) {
            Some(0) => {
                self.homes[value.index()] = next;
                self.size = next;
                -(next as i32)
            }
            Some(known) => -(*known as i32),
            None => 0,
        }
    }

    /// One of the words that edges keep values in.
    pub(crate) fn spare(&mut self, index: usize) -> i32 {
        while self.spare.len() <= index {
            self.size += WORD;
            self.spare.push(self.size);
        }
        -(self.spare[index] as i32)
    }

    /// Room for so many bytes, at a multiple of a power of two of at most 16; where it starts,
    /// from the frame pointer.
    pub(crate) fn room(&mut self, bytes: u32, align: u32) -> i32 {
        self.size = (self.size + bytes).next_multiple_of(align.max(WORD));
        -(self.size as i32)
    }

    /// Bytes of the frame below the frame pointer.
    pub(crate) fn size(&self) -> u32 {
        self.size.next_multiple_of(16)
    }
}
