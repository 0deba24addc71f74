//! The few x86-64 instructions that stand between stencils: moves between registers and the
//! frame, jumps, calls, entry and exit.

mod moves;
mod place;

use crate::key::Class;

pub(crate) use place::{
    ARGUMENTS, Counts, FLOATS, Home, Place, RESULTS, Register, Word, first_operand, only_result,
    second_operand,
};

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
    /// Places of distances to labels that stood nowhere yet, and these.
    jumps: Vec<(u32, Label)>,
}

/// Bytes that are stored in one go, of which fewer may count.
pub(crate) const WORD: usize = 8;

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
    #[inline(always)]
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
    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        const { assert!(N <= WORD) }
        let mut word = [0; WORD];
        word[..N].copy_from_slice(&bytes);
        self.put_word(u64::from_le_bytes(word), N);
    }

    /// The first so many bytes of a word. A hole of so many bytes, the first of them that many
    /// behind the start, has a number.
    #[inline(always)]
    pub(crate) fn copy_word(
        &mut self,
        word: [u8; WORD],
        count: usize,
        hole: Option<(u8, u8, i64)>,
    ) {
        let word = u64::from_le_bytes(word);
        let Some((width, offset, number)) = hole else { return self.put_word(word, count) };
        let (from, bits) = (8 * u32::from(offset & 7), 8 * u32::from(width & 7));
        let mask = ((1 << bits) - 1) << from;
        self.put_word(word & !mask | (number.cast_unsigned() << from) & mask, count);
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
    #[inline]
    pub(crate) fn bind(&mut self, label: Label) {
        let here = self.offset();
        if let Some(place) = self.labels.get_mut(label.0 as usize) {
            *place = here;
        }
    }

    /// Where a label stands.
    #[inline]
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

    /// An instruction that goes to a label, of so many bytes before the distance.
    #[inline]
    fn jump_by(&mut self, opcode: u64, bytes: usize, label: Label) {
        let at = self.offset() + bytes as u32;
        match self.place_of(label) {
            Some(place) => {
                let distance = place.wrapping_sub(at).wrapping_sub(4);
                self.put_word(opcode | u64::from(distance) << (8 * bytes), bytes + 4);
            }
            None => {
                self.jumps.push((at, label));
                self.put_word(opcode, bytes + 4);
            }
        }
    }

    /// `jmp`.
    pub(crate) fn jump(&mut self, label: Label) {
        self.jump_by(0xe9, 1, label);
    }

    /// `jcc`, of an encoded condition.
    pub(crate) fn jump_if(&mut self, condition: u8, label: Label) {
        self.jump_by(0x0f | u64::from(0x80 | condition) << 8, 2, label);
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
        self.put([0xe8, 0, 0, 0, 0]);
        self.offset() - 4
    }

    /// `call [rip + …]`; gives where the distance of the slot is put in.
    pub(crate) fn call_through(&mut self) -> u32 {
        self.put([0xff, 0x15]);
        self.place_for_distance()
    }

    /// `jmp [rip + …]`; gives where the distance of the slot is put in.
    pub(crate) fn jump_through(&mut self) -> u32 {
        self.put([0xff, 0x25]);
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

    /// `add dword [rip + …], 1`, as `count_down` otherwise.
    pub(crate) fn count_up(&mut self) -> u32 {
        self.put([0x83, 0x05]);
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

    /// `mov [r15 + …], r10`: into a field of the thread record.
    pub(crate) fn store_reference(&mut self, field: u32) {
        self.put([0x4d, 0x89, 0x97]);
        self.put(field.to_le_bytes());
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
