//! As much of an assembler as the runtime of the image needs.

/// A register: x0 to x30, or `SP` where an instruction takes the stack pointer.
pub(super) type Register = u32;

/// The stack pointer, or the zero register.
pub(super) const SP: Register = 31;

/// A place in the code.
#[derive(Clone, Copy)]
pub(super) struct Label(usize);

/// When to branch.
#[derive(Clone, Copy)]
pub(super) enum Condition {
    Equal = 0,
    NotEqual = 1,
    NotBelow = 2,
    Below = 3,
}

/// Code in the making.
#[derive(Default)]
pub(super) struct Assembler {
    words: Vec<u32>,
    labels: Vec<Option<usize>>,
    /// Places to be filled in: the word, the label, the lowest bit of the
    /// distance and its width.
    uses: Vec<(usize, Label, u32, u32)>,
}

impl Assembler {
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    pub(super) fn bind(&mut self, label: Label) {
        self.labels[label.0] = Some(self.words.len());
    }

    /// A label here.
    pub(super) fn here(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    fn put(&mut self, word: u32) {
        self.words.push(word);
    }

    fn put_branch(&mut self, word: u32, label: Label, low: u32, width: u32) {
        self.uses.push((self.words.len(), label, low, width));
        self.put(word);
    }

    pub(super) fn load(&mut self, to: Register, base: Register, offset: u32) {
        self.put(0xf940_0000 | (offset / 8) << 10 | base << 5 | to);
    }

    pub(super) fn store(&mut self, from: Register, base: Register, offset: u32) {
        self.put(0xf900_0000 | (offset / 8) << 10 | base << 5 | from);
    }

    /// The byte at `base + index`.
    pub(super) fn load_byte(&mut self, to: Register, base: Register, index: Register) {
        self.put(0x3860_6800 | index << 16 | base << 5 | to);
    }

    pub(super) fn store_byte(&mut self, from: Register, base: Register, index: Register) {
        self.put(0x3820_6800 | index << 16 | base << 5 | from);
    }

    pub(super) fn copy(&mut self, to: Register, from: Register) {
        self.put(0xaa00_03e0 | from << 16 | to);
    }

    /// Where either may be the stack pointer.
    pub(super) fn add_constant(&mut self, to: Register, from: Register, constant: u32) {
        self.put(0x9100_0000 | constant << 10 | from << 5 | to);
    }

    pub(super) fn subtract_constant(&mut self, to: Register, from: Register, constant: u32) {
        self.put(0xd100_0000 | constant << 10 | from << 5 | to);
    }

    pub(super) fn add(&mut self, to: Register, a: Register, b: Register) {
        self.put(0x8b00_0000 | b << 16 | a << 5 | to);
    }

    pub(super) fn subtract(&mut self, to: Register, a: Register, b: Register) {
        self.put(0xcb00_0000 | b << 16 | a << 5 | to);
    }

    pub(super) fn or(&mut self, to: Register, a: Register, b: Register) {
        self.put(0xaa00_0000 | b << 16 | a << 5 | to);
    }

    pub(super) fn compare(&mut self, a: Register, b: Register) {
        self.put(0xeb00_001f | b << 16 | a << 5);
    }

    pub(super) fn compare_constant(&mut self, a: Register, constant: u32) {
        self.put(0xf100_001f | constant << 10 | a << 5);
    }

    pub(super) fn constant(&mut self, to: Register, value: u64) {
        for part in 0..4 {
            let bits = (value >> (16 * part)) as u32 & 0xffff;
            let keep = if part == 0 { 0xd280_0000 } else { 0xf280_0000 };
            self.put(keep | part << 21 | bits << 5 | to);
        }
    }

    pub(super) fn branch(&mut self, label: Label) {
        self.put_branch(0x1400_0000, label, 0, 26);
    }

    pub(super) fn branch_if(&mut self, condition: Condition, label: Label) {
        self.put_branch(0x5400_0000 | condition as u32, label, 5, 19);
    }

    pub(super) fn branch_if_zero(&mut self, register: Register, label: Label) {
        self.put_branch(0xb400_0000 | register, label, 5, 19);
    }

    pub(super) fn call_register(&mut self, register: Register) {
        self.put(0xd63f_0000 | register << 5);
    }

    pub(super) fn branch_to_register(&mut self, register: Register) {
        self.put(0xd61f_0000 | register << 5);
    }

    pub(super) fn give_back(&mut self) {
        self.put(0xd65f_03c0);
    }

    /// `stp x29, second, [sp, #-16]!`: a frame that returns to `second`.
    pub(super) fn push_frame(&mut self, second: Register) {
        self.put(0xa9bf_0000 | second << 10 | SP << 5 | 29);
    }

    pub(super) fn system_call(&mut self, number: u64) {
        self.constant(8, number);
        self.put(0xd400_0001);
    }

    /// Instructions that only one routine needs.
    pub(super) fn words(&mut self, words: &[u32]) {
        self.words.extend_from_slice(words);
    }

    pub(super) fn stop(&mut self) {
        self.put(0xd420_0000);
    }

    /// The code, and where a label is, in bytes.
    pub(super) fn finish(mut self) -> (Vec<u8>, impl Fn(Label) -> u64) {
        for (at, label, low, width) in std::mem::take(&mut self.uses) {
            let to = self.labels[label.0].expect("every label is bound");
            let distance = to as i64 - at as i64;
            self.words[at] |= (distance as u32 & ((1 << width) - 1)) << low;
        }
        let bytes = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let labels = self.labels;
        (bytes, move |label: Label| 4 * labels[label.0].expect("every label is bound") as u64)
    }
}
