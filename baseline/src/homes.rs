//! Where values live: each in a word or two of the frame of its own, or a register, which holds it
//! from its definition on. What is used once, by the next instruction, needs none.

use brolga_ir::body::Body;
use brolga_ir::entity::{EntityRef, Value};

use crate::assembler::{Home, Place, Word};
use crate::key::{Bank, Class};

/// Bytes of a home.
const WORD: u32 = 8;

/// What is known of a value.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// Bytes below the frame pointer; 0 while it has no word there.
    depth: u32,
    /// The places of the first and the last block that take it, or give it where it is a
    /// parameter, where blocks are counted from 1 on.
    first: u32,
    last: u32,
    /// How often that is, as far as loops tell.
    weight: u32,
    /// Its register, which is its home then: the word is where it is saved.
    register: Option<Place>,
    /// How often it is used, as far as it matters: 2 stands for more.
    uses: u8,
    /// Nothing if it takes more than a word.
    class: Option<Class>,
    /// Whether it is made out of nothing, and needs no home.
    is_constant: bool,
}

impl Facts {
    #[inline]
    fn touch(&mut self, place: u32, frequency: u32) {
        self.first = self.first.min(place);
        self.last = self.last.max(place);
        self.weight = self.weight.saturating_add(frequency);
    }
}

const NOTHING: Facts = Facts {
    depth: 0,
    first: u32::MAX,
    last: 0,
    weight: 0,
    register: None,
    uses: 0,
    class: None,
    is_constant: false,
};

/// The frame of a function as it grows, below the frame pointer.
#[derive(Debug, Default)]
pub(crate) struct Homes {
    facts: Vec<Facts>,
    /// Homes of what edges keep on its way.
    spare: Vec<u32>,
    size: u32,
}

impl Homes {
    /// Begins with a function, whose uses it counts: O(values and uses). The frequency is told of
    /// the place of a block.
    pub(crate) fn begin(&mut self, body: &Body, frequency: impl Fn(u32) -> u32) {
        self.size = 0;
        self.spare.clear();
        self.facts.clear();
        let values = (0..body.value_count() as u32).map(Value::from_u32);
        self.facts.extend(values.map(|value| {
            let class = Class::of(body.value_type(value));
            Facts { class, ..NOTHING }
        }));
        for (_, value) in body.constants() {
            if let Some(home) = self.facts.get_mut(value.index()) {
                home.is_constant = true;
            }
        }
        for (place, block) in (1..).zip(body.layout.blocks()) {
            let frequency = frequency(place);
            for inst in body.layout.insts(block) {
                self.take(body.args(inst), place, frequency);
            }
            let last = body.layout.last_inst(block);
            for target in last.map_or(&[][..], |inst| body.targets(inst)) {
                self.take(body.target_args(target), place, frequency);
                self.give(body.params(target.block), place, frequency);
            }
        }
    }

    /// Counts uses at a place.
    #[inline]
    fn take(&mut self, values: &[Value], place: u32, frequency: u32) {
        for &value in values {
            if let Some(facts) = self.facts.get_mut(value.index()) {
                facts.uses = (facts.uses + 1).min(2);
                facts.touch(place, frequency);
            }
        }
    }

    /// Counts parameters that are given values at a place.
    #[inline]
    fn give(&mut self, values: &[Value], place: u32, frequency: u32) {
        for &value in values {
            if let Some(facts) = self.facts.get_mut(value.index()) {
                facts.touch(place, frequency);
            }
        }
    }

    /// The values of that weight at least, and their weights.
    pub(crate) fn heavy(&self, least: u32) -> impl Iterator<Item = (Value, u32)> + '_ {
        let is_heavy = move |(_, facts): &(u32, &Facts)| facts.weight >= least && facts.uses > 0;
        let values = (0..).zip(&self.facts).filter(is_heavy);
        values.map(|(index, facts)| (Value::from_u32(index), facts.weight))
    }

    /// The places of the first and the last block that take a value, or give it to a parameter.
    pub(crate) fn span(&self, value: Value) -> (u32, u32) {
        self.facts.get(value.index()).map_or((0, u32::MAX), |facts| (facts.first, facts.last))
    }

    /// How often a value is used: 2 stands for more.
    #[inline]
    pub(crate) fn uses(&self, value: Value) -> u8 {
        self.facts.get(value.index()).map_or(0, |home| home.uses)
    }

    /// Whether a value is made out of nothing.
    #[inline]
    pub(crate) fn is_constant(&self, value: Value) -> bool {
        self.facts.get(value.index()).is_some_and(|home| home.is_constant)
    }

    /// The class of a value, if it is a word.
    #[inline]
    pub(crate) fn class(&self, value: Value) -> Option<Class> {
        self.facts.get(value.index())?.class
    }

    /// The home of a value.
    #[inline]
    pub(crate) fn home(&mut self, value: Value) -> Home {
        match self.register(value) {
            Some(place) => Home::Register(place),
            None => Home::Word(Word::Frame(self.word(value))),
        }
    }

    /// The register that a value lives in.
    #[inline]
    pub(crate) fn register(&self, value: Value) -> Option<Place> {
        self.facts.get(value.index())?.register
    }

    /// Makes a register the home of a value.
    pub(crate) fn settle(&mut self, value: Value, place: Place) {
        if let Some(home) = self.facts.get_mut(value.index()) {
            home.register = Some(place);
        }
        self.word(value);
    }

    /// Where a value is in the frame, from the frame pointer: its home, or where its register is
    /// saved. Made when first asked for.
    #[inline]
    pub(crate) fn word(&mut self, value: Value) -> i32 {
        let Some(home) = self.facts.get_mut(value.index()) else { return 0 };
        if home.depth == 0 {
            let is_wide = home.class.is_some_and(|class| class.bank() == Bank::Vector);
            self.size += if is_wide { 2 * WORD } else { WORD };
            home.depth = self.size;
        }
        -(home.depth as i32)
    }

    /// The values that have words in the frame, in their order, and where these are.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Value, i32)> + '_ {
        let with_words = (0..).zip(&self.facts).filter(|(_, home)| home.depth != 0);
        with_words.map(|(value, home)| (Value::from_u32(value), -(home.depth as i32)))
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
