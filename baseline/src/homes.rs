//! Where values live: each in a word or two of the frame of its own, which holds it from its definition
//! on. What is used once, by the next instruction, needs none.

use brolga_ir::body::Body;
use brolga_ir::entity::{EntityRef, Inst, Value};

use crate::key::{Bank, Class};

/// Bytes of a home.
const WORD: u32 = 8;

/// What is known of a value.
#[derive(Clone, Copy, Debug)]
struct Home {
    /// Bytes below the frame pointer; 0 while it has no home.
    depth: u32,
    /// How often it is used, as far as it matters: 2 stands for more.
    uses: u8,
    /// Nothing if it takes more than a word.
    class: Option<Class>,
    /// Whether it is made out of nothing, and needs no home.
    is_constant: bool,
}

/// The frame of a function as it grows, below the frame pointer.
#[derive(Debug, Default)]
pub(crate) struct Homes {
    homes: Vec<Home>,
    /// Homes of what edges keep on its way.
    spare: Vec<u32>,
    size: u32,
}

impl Homes {
    /// Begins with a function, whose uses it counts: O(values and uses). Those in instructions
    /// that stand nowhere count, too: a value is brought home then which need not be.
    pub(crate) fn begin(&mut self, body: &Body) {
        self.size = 0;
        self.spare.clear();
        self.homes.clear();
        let values = (0..body.value_count() as u32).map(Value::from_u32);
        self.homes.extend(values.map(|value| {
            let class = Class::of(body.value_type(value));
            Home { depth: 0, uses: 0, class, is_constant: false }
        }));
        for (_, value) in body.constants() {
            if let Some(home) = self.homes.get_mut(value.index()) {
                home.is_constant = true;
            }
        }
        for inst in (0..body.inst_count() as u32).map(Inst::from_u32) {
            self.count(body.args(inst));
            for target in body.targets(inst) {
                self.count(body.target_args(target));
            }
        }
    }

    #[inline]
    fn count(&mut self, values: &[Value]) {
        for &value in values {
            if let Some(home) = self.homes.get_mut(value.index()) {
                home.uses = (home.uses + 1).min(2);
            }
        }
    }

    /// How often a value is used: 2 stands for more.
    #[inline]
    pub(crate) fn uses(&self, value: Value) -> u8 {
        self.homes.get(value.index()).map_or(0, |home| home.uses)
    }

    /// Whether a value is made out of nothing.
    #[inline]
    pub(crate) fn is_constant(&self, value: Value) -> bool {
        self.homes.get(value.index()).is_some_and(|home| home.is_constant)
    }

    /// The class of a value, if it is a word.
    #[inline]
    pub(crate) fn class(&self, value: Value) -> Option<Class> {
        self.homes.get(value.index())?.class
    }

    /// The home of a value, from the frame pointer; made when first asked for.
    #[inline]
    pub(crate) fn home(&mut self, value: Value) -> i32 {
        let Some(home) = self.homes.get_mut(value.index()) else { return 0 };
        if home.depth == 0 {
            let is_wide = home.class.is_some_and(|class| class.bank() == Bank::Vector);
            self.size += if is_wide { 2 * WORD } else { WORD };
            home.depth = self.size;
        }
        -(home.depth as i32)
    }

    /// The values that have homes, in their order, and where these are.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Value, i32)> + '_ {
        let with_homes = (0..).zip(&self.homes).filter(|(_, home)| home.depth != 0);
        with_homes.map(|(value, home)| (Value::from_u32(value), -(home.depth as i32)))
    }

    /// One of the places that edges keep values in.
    pub(crate) fn spare(&mut self, index: usize) -> i32 {
        while self.spare.len() <= index {
            self.size += 2 * WORD;
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
