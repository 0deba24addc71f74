//! Where values live: each in a word or two of the frame of its own, or a register, which holds it
//! from its definition on. What is used once, by the next instruction, needs none.

use brolga_ir::body::{Body, ValueDef};
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
    /// parameter, where blocks are counted from 1 on. Nothing is taken in a block before that of
    /// its definition, so that the first is told of parameters alone.
    first: u32,
    last: u32,
    /// How often it is used, and above that how often it is taken or given, as far as loops tell:
    /// in one word, to be counted at once.
    tally: u64,
    /// Its register, which is its home then: the word is where it is saved.
    register: Option<Place>,
    /// Nothing if it takes more than a word.
    class: Option<Class>,
    /// Whether it is made out of nothing, and needs no home.
    is_constant: bool,
}

/// A use in the tally of a value.
const USE: u64 = 1;

/// As much of its weight as a block that runs once gives.
const WEIGHT: u64 = 1 << 32;

impl Facts {
    #[inline]
    fn uses(&self) -> u32 {
        self.tally as u32
    }

    #[inline]
    fn weight(&self) -> u32 {
        (self.tally >> 32) as u32
    }
}

const NOTHING: Facts = Facts {
    depth: 0,
    first: u32::MAX,
    last: 0,
    tally: 0,
    register: None,
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
    /// Begins with a function, of whose values it learns the classes: O(values). Tells whether
    /// all of them have one.
    pub(crate) fn begin(&mut self, body: &Body) -> bool {
        self.size = 0;
        self.spare.clear();
        self.facts.clear();
        let mut is_complete = true;
        self.facts.extend(body.values().map(|(ty, def)| {
            let (class, is_constant) = (Class::of(ty), matches!(def, ValueDef::Constant(_)));
            is_complete &= class.is_some();
            Facts { class, is_constant, ..NOTHING }
        }));
        is_complete
    }

    /// Counts the uses of all values: O(uses).
    pub(crate) fn count(&mut self, body: &Body) {
        for block in body.layout.blocks() {
            let mut next = body.layout.first_inst(block);
            while let Some(inst) = next {
                next = body.layout.next_inst(inst);
                self.use_all(body.list_values(body.inst(inst).args));
                if next.is_none() {
                    body.targets(inst).iter().for_each(|it| self.use_all(body.target_args(it)));
                }
            }
        }
    }

    #[inline]
    fn use_all(&mut self, values: &[Value]) {
        for &value in values {
            if let Some(facts) = self.facts.get_mut(value.index()) {
                facts.tally += USE;
            }
        }
    }

    /// The same in a function with loops, where it matters where they are, and how often: the
    /// frequency is told of the place of a block.
    pub(crate) fn count_in_loops(&mut self, body: &Body, frequency: impl Fn(u32) -> u32) {
        for (place, block) in (1..).zip(body.layout.blocks()) {
            let frequency = u64::from(frequency(place));
            let mut next = body.layout.first_inst(block);
            while let Some(inst) = next {
                next = body.layout.next_inst(inst);
                self.take(body.list_values(body.inst(inst).args), place, frequency);
                if next.is_none() {
                    for target in body.targets(inst) {
                        self.take(body.target_args(target), place, frequency);
                        self.give(body.params(target.block), place, frequency);
                    }
                }
            }
        }
    }

    /// Counts uses at a place.
    #[inline]
    fn take(&mut self, values: &[Value], place: u32, frequency: u64) {
        let mention = frequency * WEIGHT + USE;
        for &value in values {
            if let Some(facts) = self.facts.get_mut(value.index()) {
                facts.last = place;
                facts.tally = facts.tally.wrapping_add(mention);
            }
        }
    }

    /// Counts parameters that are given values at a place.
    #[inline]
    fn give(&mut self, values: &[Value], place: u32, frequency: u64) {
        for &value in values {
            if let Some(facts) = self.facts.get_mut(value.index()) {
                facts.first = facts.first.min(place);
                facts.last = place;
                facts.tally = facts.tally.wrapping_add(frequency * WEIGHT);
            }
        }
    }

    /// Tells of the values of that weight at least that something defines, and their weights.
    #[inline]
    pub(crate) fn each_heavy(&self, least: u32, mut tell: impl FnMut(Value, u32)) {
        let least = u64::from(least) * WEIGHT;
        for (index, facts) in (0..).zip(&self.facts) {
            if facts.tally >= least && facts.uses() > 0 && !facts.is_constant {
                tell(Value::from_u32(index), facts.weight());
            }
        }
    }

    /// The places of the first block that gives a parameter its value, and of the last that does
    /// or takes it.
    pub(crate) fn span(&self, value: Value) -> (u32, u32) {
        self.facts
            .get(value.index())
            .map_or((u32::MAX, u32::MAX), |facts| (facts.first, facts.last))
    }

    /// How often a value is used.
    #[inline]
    pub(crate) fn uses(&self, value: Value) -> u32 {
        self.facts.get(value.index()).map_or(0, Facts::uses)
    }

    /// Whether a value is made out of nothing.
    #[inline]
    pub(crate) fn is_constant(&self, value: Value) -> bool {
        self.facts.get(value.index()).is_some_and(|home| home.is_constant)
    }

    /// The class of a value, if it is a word, and how often it is used.
    #[inline]
    pub(crate) fn result(&self, value: Value) -> Option<(Class, u32)> {
        let home = self.facts.get(value.index())?;
        Some((home.class?, home.uses()))
    }

    /// The class of a value, if it is a word.
    #[inline]
    pub(crate) fn class(&self, value: Value) -> Option<Class> {
        self.facts.get(value.index())?.class
    }

    /// The home of a value.
    #[inline]
    pub(crate) fn home(&mut self, value: Value) -> Home {
        match self.facts.get_mut(value.index()) {
            Some(home) => Self::home_of(home, &mut self.size),
            None => Home::Word(Word::Frame(0)),
        }
    }

    /// The home of a value that is not made out of nothing.
    #[inline(always)]
    pub(crate) fn home_unless_constant(&mut self, value: Value) -> Option<Home> {
        match self.facts.get_mut(value.index()) {
            Some(home) if home.is_constant => None,
            Some(home) => Some(Self::home_of(home, &mut self.size)),
            None => Some(Home::Word(Word::Frame(0))),
        }
    }

    #[inline(always)]
    fn home_of(home: &mut Facts, size: &mut u32) -> Home {
        match home.register {
            Some(place) => Home::Register(place),
            None => Home::Word(Word::Frame(Self::word_of(home, size))),
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
            Self::word_of(home, &mut self.size);
        }
    }

    /// Where a value is in the frame, from the frame pointer: its home, or where its register is
    /// saved. Made when first asked for.
    #[inline]
    pub(crate) fn word(&mut self, value: Value) -> i32 {
        match self.facts.get_mut(value.index()) {
            Some(home) => Self::word_of(home, &mut self.size),
            None => 0,
        }
    }

    #[inline]
    fn word_of(home: &mut Facts, size: &mut u32) -> i32 {
        if home.depth == 0 {
            let is_wide = home.class.is_some_and(|class| class.bank() == Bank::Vector);
            *size += if is_wide { 2 * WORD } else { WORD };
            home.depth = *size;
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
