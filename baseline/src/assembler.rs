//! The few x86-64 instructions that stand between stencils: moves between registers and the
//! frame, jumps, calls, entry and exit.

mod place;

use crate::key::Class;

pub(crate) use place::{ARGUMENTS, Counts, FLOATS, Home, Place, RESULTS, Register, Word};

/// What jumps ask of the flags, by its number in instructions; the other way round is the number
/// with its lowest bit inverted.
pub(crate) mod condition {
    /// Less, without sign.
    pub(crate) const BELOW: u8 = 0x2;
    /// Equal, and zero.
    pub(crate) const EQUAL: u8 = 0x4;
    /// Not equal, and not zero.
    pub(crate) const NOT_EQUAL: u8 = 0x5;
    /// Greater, without sign.
    pub(crate) const ABOVE: u8 = 0x7;
    /// Below zero.
    pub(crate) const NEGATIVE: u8 = 0x8;
}

/// A place to jump to, which may not be known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Label(u32);

/// Stands for the offset of a label that has none yet.
const NOWHERE: u32 = u32::MAX;

/// Code as it grows.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    /// With room to spare, so that most instructions are one store.
    code: Vec<u8>,
    /// How much of that is code.
    length: usize,
    labels: Vec<u32>,
    /// Places of distances, and the labels that they lead to.
    jumps: Vec<(u32, Label)>,
}

/// Bytes that are stored in one go, of which fewer may count.
const WORD: usize = 8;

/// The least room that is made.
const LEAST_ROOM: usize = 4096;

const fn low(register: u8) -> u8 {
    register & 7
}

impl Assembler {
    /// Forgets everything, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.length = 0;
        self.labels.clear();
        self.jumps.clear();
    }

    /// Bytes so far.
    #[inline]
    pub(crate) fn offset(&self) -> u32 {
        self.length as u32
    }

    /// The code.
    pub(crate) fn code(&self) -> &[u8] {
        &self.code[..self.length]
    }

    /// The first so many bytes of a word.
    #[inline]
    fn put_word(&mut self, word: u64, count: usize) {
        let start = self.length;
        let room = self.code.get_mut(start..).and_then(<[u8]>::first_chunk_mut);
        match room {
            Some(room) => *room = word.to_le_bytes(),
            None => self.put_with_room(word),
        }
        self.length = start + count;
    }

    #[cold]
    fn put_with_room(&mut self, word: u64) {
        let room = (2 * self.code.len()).max(self.length + LEAST_ROOM);
        self.code.resize(room, 0);
        self.code[self.length..][..WORD].copy_from_slice(&word.to_le_bytes());
    }

    /// All bytes of an array of at most a word.
    #[inline]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        const { assert!(N <= WORD) }
        let mut word = [0; WORD];
        word[..N].copy_from_slice(&bytes);
        self.put_word(u64::from_le_bytes(word), N);
    }

    /// The first so many bytes of whole words.
    #[inline]
    pub(crate) fn copy(&mut self, words: &[u8], count: usize) {
        let start = self.length;
        for word in words.as_chunks().0 {
            self.put_word(u64::from_le_bytes(*word), WORD);
        }
        self.length = start + count;
    }

    /// A label that stands nowhere yet.
    pub(crate) fn label(&mut self) -> Label {
        self.labels.push(NOWHERE);
        Label(self.labels.len() as u32 - 1)
    }

    /// So many labels, of which this is the first.
    pub(crate) fn labels(&mut self, count: usize) -> u32 {
        let first = self.labels.len();
        self.labels.resize(first + count, NOWHERE);
        first as u32
    }

    /// The label of that number.
    pub(crate) const fn nth_label(first: u32, index: u32) -> Label {
        Label(first + index)
    }

    /// Puts a label here.
    pub(crate) fn bind(&mut self, label: Label) {
        let here = self.offset();
        if let Some(place) = self.labels.get_mut(label.0 as usize) {
            *place = here;
        }
    }

    /// Where a label stands.
    pub(crate) fn place_of(&self, label: Label) -> Option<u32> {
        self.labels.get(label.0 as usize).copied().filter(|&place| place != NOWHERE)
    }

    /// Fills in the distances to all labels; false if one stands nowhere.
    pub(crate) fn resolve(&mut self) -> bool {
        for &(at, label) in &self.jumps {
            let Some(place) = self.place_of(label) else { return false };
            let distance = place.wrapping_sub(at).wrapping_sub(4);
            let at = at as usize;
            self.code[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        true
    }

    fn distance_to(&mut self, label: Label) {
        self.jumps.push((self.offset(), label));
        self.put([0; 4]);
    }

    /// `jmp`.
    pub(crate) fn jump(&mut self, label: Label) {
        self.put([0xe9]);
        self.distance_to(label);
    }

    /// `jcc`, of an encoded condition.
    pub(crate) fn jump_if(&mut self, condition: u8, label: Label) {
        self.put([0x0f, 0x80 | condition]);
        self.distance_to(label);
    }

    /// An instruction on a register and a word of memory, whose opcode, of so many bytes, is the
    /// low part of `opcode`.
    #[inline]
    fn memory(&mut self, opcode: u64, bytes: usize, register: u8, word: Word) {
        let register = u64::from(low(register)) << 3;
        let (base, offset) = match word {
            Word::Frame(offset) => (register | 5, offset),
            Word::Stack(offset) => {
                // A byte more, by which the base is the stack pointer.
                self.put_word(
                    opcode | (register | 0x84) << (8 * bytes) | 0x24 << (8 * bytes + 8),
                    bytes + 2,
                );
                return self.put(offset.to_le_bytes());
            }
        };
        match i8::try_from(offset) {
            Ok(offset) => {
                let operand = base | 0x40 | u64::from(offset as u8) << 8;
                self.put_word(opcode | operand << (8 * bytes), bytes + 2);
            }
            Err(_) => {
                let operand = base | 0x80 | u64::from(offset as u32) << 8;
                self.put_word(opcode | operand << (8 * bytes), bytes + 5);
            }
        }
    }

    /// The prefix and opcode of an instruction on a whole integer register.
    #[inline]
    fn integer(opcode: u64, register: Register) -> u64 {
        (0x48 | (register as u64 >> 3) << 2) | opcode << 8
    }

    /// A whole word from memory: the bits above those that carry meaning are of no account.
    #[inline]
    pub(crate) fn load(&mut self, into: Place, word: Word) {
        match into {
            // mov r64, [m]
            Place::Integer(register) => {
                self.memory(Self::integer(0x8b, register), 2, register as u8, word);
            }
            // movsd xmm, [m]
            Place::Float(register @ 8..) => {
                self.put([0xf2, 0x44]);
                self.memory(0x10_0f, 2, register, word);
            }
            Place::Float(register) => self.memory(0x10_0ff2, 3, register, word),
            // movups xmm, [m]
            Place::Vector(register) => self.memory(0x10_0f, 2, register, word),
        }
    }

    /// A whole word to memory.
    #[inline]
    pub(crate) fn store(&mut self, from: Place, word: Word) {
        match from {
            Place::Integer(register) => {
                self.memory(Self::integer(0x89, register), 2, register as u8, word);
            }
            Place::Float(register @ 8..) => {
                self.put([0xf2, 0x44]);
                self.memory(0x11_0f, 2, register, word);
            }
            Place::Float(register) => self.memory(0x11_0ff2, 3, register, word),
            Place::Vector(register) => self.memory(0x11_0f, 2, register, word),
        }
    }

    /// The address of a word of memory.
    pub(crate) fn address(&mut self, into: Register, word: Word) {
        self.memory(Self::integer(0x8d, into), 2, into as u8, word);
    }

    /// From one register to another of its kind; nothing if they are one.
    pub(crate) fn transfer(&mut self, into: Place, from: Place) {
        match (into, from) {
            (Place::Integer(into), Place::Integer(from)) if into != from => {
                let (into, from) = (into as u8, from as u8);
                self.put([
                    0x48 | into >> 3 | (from >> 3) << 2,
                    0x89,
                    0xc0 | low(from) << 3 | low(into),
                ]);
            }
            // movaps
            (Place::Float(into), Place::Float(from))
            | (Place::Vector(into), Place::Vector(from))
                if into != from =>
            {
                self.extend(into, from);
                self.put([0x0f, 0x28, 0xc0 | low(into) << 3 | low(from)]);
            }
            _ => {}
        }
    }

    /// A number in an integer register.
    pub(crate) fn number(&mut self, into: Register, number: u64) {
        let register = into as u8;
        match (u32::try_from(number), i32::try_from(number as i64)) {
            (Ok(0), _) => {
                let rex = 0x40 | register >> 3 | (register >> 3) << 2;
                if rex != 0x40 {
                    self.put([rex]);
                }
                // xor r32, r32
                self.put([0x31, 0xc0 | low(register) << 3 | low(register)]);
            }
            (Ok(number), _) => {
                if register > 7 {
                    self.put([0x41]);
                }
                self.put([0xb8 | low(register)]);
                self.put(number.to_le_bytes());
            }
            (Err(_), Ok(number)) => {
                self.put([0x48 | register >> 3, 0xc7, 0xc0 | low(register)]);
                self.put(number.to_le_bytes());
            }
            (Err(_), Err(_)) => {
                self.put([0x48 | register >> 3, 0xb8 | low(register)]);
                self.put(number.to_le_bytes());
            }
        }
    }

    /// The prefix of an instruction without one on the upper registers for floats.
    fn extend(&mut self, into: u8, from: u8) {
        if into > 7 || from > 7 {
            self.put([0x40 | into >> 3 << 2 | from >> 3]);
        }
    }

    /// The bits of a float in a register for floats, by way of `r11`.
    pub(crate) fn float(&mut self, into: u8, bits: u64) {
        if bits == 0 {
            // xorps
            self.extend(into, into);
            self.put([0x0f, 0x57, 0xc0 | low(into) << 3 | low(into)]);
            return;
        }
        self.number(Register::R11, bits);
        // movq xmm, r11
        let rex = 0x49 | into >> 3 << 2;
        self.put([0x66, rex, 0x0f, 0x6e, 0xc0 | low(into) << 3 | low(Register::R11 as u8)]);
    }

    /// The bits of a vector, by way of `r11`.
    pub(crate) fn vector(&mut self, into: u8, bits: u128) {
        self.float(into, bits as u64);
        let upper = (bits >> 64) as u64;
        if bits != 0 {
            self.number(Register::R11, upper);
            // pinsrq xmm, r11, 1
            self.put([0x66, 0x49, 0x0f, 0x3a, 0x22, 0xc3 | low(into) << 3, 1]);
        }
    }

    /// Flags of whether a byte's lowest bit is set.
    pub(crate) fn test_truth(&mut self, register: Register) {
        let register = register as u8;
        // test r8, 1, with a REX so that all registers have a byte.
        self.put([0x40 | register >> 3, 0xf6, 0xc0 | low(register), 1]);
    }

    /// `push rbp; mov rbp, rsp; sub rsp, …`; gives where the size of the frame is put in.
    pub(crate) fn enter(&mut self) -> u32 {
        self.put([0x55, 0x48, 0x89, 0xe5, 0x48, 0x81, 0xec]);
        let place = self.offset();
        self.put([0; 4]);
        place
    }

    /// `leave`.
    pub(crate) fn leave(&mut self) {
        self.put([0xc9]);
    }

    /// `ret`, which takes so many bytes of arguments off the stack.
    pub(crate) fn ret(&mut self, bytes: u16) {
        match bytes {
            0 => self.put([0xc3]),
            _ => {
                self.put([0xc2]);
                self.put(bytes.to_le_bytes());
            }
        }
    }

    /// `sub rsp, …`.
    pub(crate) fn grow_stack(&mut self, bytes: u32) {
        self.put([0x48, 0x81, 0xec]);
        self.put(bytes.to_le_bytes());
    }

    /// `call`; gives where the distance is put in.
    pub(crate) fn call(&mut self) -> u32 {
        self.put([0xe8]);
        self.place_for_distance()
    }

    /// `jmp` to what is linked; gives where the distance is put in.
    pub(crate) fn jump_out(&mut self) -> u32 {
        self.put([0xe9]);
        self.place_for_distance()
    }

    /// `lea r, [rip + …]`; gives where the distance is put in.
    pub(crate) fn address_of_symbol(&mut self, into: Register) -> u32 {
        let register = into as u8;
        self.put([0x48 | (register >> 3) << 2, 0x8d, 0x05 | low(register) << 3]);
        self.place_for_distance()
    }

    /// `mov r, [rip + …]`; gives where the distance is put in.
    pub(crate) fn load_of_symbol(&mut self, into: Register) -> u32 {
        let register = into as u8;
        self.put([0x48 | (register >> 3) << 2, 0x8b, 0x05 | low(register) << 3]);
        self.place_for_distance()
    }

    fn place_for_distance(&mut self) -> u32 {
        let place = self.offset();
        self.put([0; 4]);
        place
    }

    /// `mov r, [r15 + …]`: a field of the thread record.
    pub(crate) fn load_record(&mut self, into: Register, offset: u8) {
        let register = into as u8;
        self.put([0x49 | (register >> 3) << 2, 0x8b, 0x47 | low(register) << 3, offset]);
    }

    /// `cmp qword [r15 + …], 0`.
    pub(crate) fn test_record(&mut self, offset: u8) {
        self.put([0x49, 0x83, 0x7f, offset, 0]);
    }

    /// `sub qword [r15 + …], 1`.
    pub(crate) fn count_down_record(&mut self, offset: u8) {
        self.put([0x49, 0x83, 0x6f, offset, 1]);
    }

    /// `sub dword [rip + …], 1`; gives where the distance is put in, which an operand follows.
    pub(crate) fn count_down(&mut self) -> u32 {
        self.put([0x83, 0x2d]);
        let place = self.place_for_distance();
        self.put([1]);
        place
    }

    /// `mov qword [rbp + …], 0`.
    pub(crate) fn clear_word(&mut self, offset: i8) {
        self.put([0x48, 0xc7, 0x45, offset.cast_unsigned(), 0, 0, 0, 0]);
    }

    /// `test rax, rax`.
    pub(crate) fn test_code(&mut self) {
        self.put([0x48, 0x85, 0xc0]);
    }

    /// `mov rdi, rbp; call rax`.
    pub(crate) fn go_on_with_frame(&mut self) {
        self.put([0x48, 0x89, 0xef, 0xff, 0xd0]);
    }

    /// `lea r11, [rsp - …]; cmp r11, [r15 + …]`; gives where the size is put in.
    pub(crate) fn compare_stack(&mut self, limit: u8) -> u32 {
        self.put([0x4c, 0x8d, 0x9c, 0x24]);
        let place = self.place_for_distance();
        self.put([0x4d, 0x3b, 0x5f, limit]);
        place
    }

    /// `cmp r, imm32` of a class for integers, the constant extended by its sign.
    pub(crate) fn compare_number(&mut self, class: Class, register: Register, number: i32) {
        let (register, modrm) = (register as u8, 0xf8 | low(register as u8));
        let rex = 0x40 | register >> 3;
        match class {
            Class::I1 | Class::I8 => self.put([rex, 0x80, modrm, number as u8]),
            Class::I16 => {
                self.put([0x66, rex, 0x81, modrm]);
                self.put((number as u16).to_le_bytes());
            }
            Class::I32 => {
                self.put([rex, 0x81, modrm]);
                self.put(number.to_le_bytes());
            }
            _ => {
                self.put([rex | 8, 0x81, modrm]);
                self.put(number.to_le_bytes());
            }
        }
    }

    /// `movzx r32, r8`.
    pub(crate) fn extend_byte(&mut self, register: Register) {
        let register = register as u8;
        let rex = 0x40 | register >> 3 | (register >> 3) << 2;
        self.put([rex, 0x0f, 0xb6, 0xc0 | low(register) << 3 | low(register)]);
    }

    /// `and r, -align`.
    pub(crate) fn round_down(&mut self, register: Register, align: u32) {
        let register = register as u8;
        self.put([0x48 | register >> 3, 0x81, 0xe0 | low(register)]);
        self.put(align.wrapping_neg().to_le_bytes());
    }

    /// `call r10`'s counterpart of a call in the place of a return.
    pub(crate) fn jump_reference(&mut self, entry: u8) {
        self.put([0x49, 0x83, 0xc2, entry, 0x41, 0xff, 0xe2]);
    }

    /// `cmp rax, r11`.
    pub(crate) fn compare_scratch(&mut self) {
        self.put([0x4c, 0x39, 0xd8]);
    }

    /// `shl rdx, …`.
    pub(crate) fn scale_index(&mut self, by: u8) {
        self.put([0x48, 0xc1, 0xe2, by]);
    }

    /// `add r, rdx`.
    pub(crate) fn add_index(&mut self, register: Register) {
        let register = register as u8;
        self.put([0x48 | register >> 3, 0x01, 0xc0 | (Register::Rdx as u8) << 3 | low(register)]);
    }

    /// `test r10, r10`.
    pub(crate) fn test_reference(&mut self) {
        self.put([0x4d, 0x85, 0xd2]);
    }

    /// `mov r11, r10; sub r11, [r15 + …]; cmp r11, [r15 + …]`: below, if `r10` is so far behind a
    /// field of the thread record.
    pub(crate) fn compare_range(&mut self, base: u32, bytes: u32) {
        self.put([0x4d, 0x89, 0xd3, 0x4d, 0x2b, 0x9f]);
        self.put(base.to_le_bytes());
        self.put([0x4d, 0x3b, 0x9f]);
        self.put(bytes.to_le_bytes());
    }

    /// `add r10, …; call r10`.
    pub(crate) fn call_reference(&mut self, entry: u8) {
        self.put([0x49, 0x83, 0xc2, entry, 0x41, 0xff, 0xd2]);
    }

    /// Puts the lowest bytes of a number in where a stencil has a hole of 1, 2 or 4 bytes.
    #[inline]
    pub(crate) fn fill(&mut self, place: u32, width: u8, number: i64) {
        let Some(hole) = self.code.get_mut(place as usize..) else { return };
        match (width, hole) {
            (1, [byte, ..]) => *byte = number as u8,
            (2, [a, b, ..]) => [*a, *b] = (number as u16).to_le_bytes(),
            (_, [a, b, c, d, ..]) => [*a, *b, *c, *d] = (number as u32).to_le_bytes(),
            _ => {}
        }
    }

    /// Puts 32 bits in where room was left.
    pub(crate) fn patch(&mut self, place: u32, number: u32) {
        self.fill(place, 4, number.into());
    }

    /// `ud2`, behind a call that does not return.
    pub(crate) fn never(&mut self) {
        self.put([0x0f, 0x0b]);
    }

    /// `nop`s up to so many bytes behind a multiple of 16.
    pub(crate) fn align(&mut self, behind: usize) {
        while self.length % 16 != behind {
            self.put([0x90]);
        }
    }
}

#[cfg(test)]
mod tests;
