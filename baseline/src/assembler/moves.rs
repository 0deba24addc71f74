//! Moves between registers and words of memory, and numbers in registers.

use super::place::{Place, Register, Word};
use super::{Assembler, low};

/// The last byte of the opcodes that move floats and vectors from memory, and to it.
const LOAD: u64 = 0x10;
const STORE: u64 = 0x11;

impl Assembler {
    /// An instruction on a register and a word of memory, whose opcode, of so many bytes, is the
    /// low part of `opcode`.
    #[inline(always)]
    fn memory(&mut self, opcode: u64, bytes: usize, register: u8, word: Word) {
        let register = u64::from(low(register)) << 3;
        match word {
            Word::Frame(offset) => {
                // Of an offset in a byte, the others do not count.
                let is_near = offset == i32::from(offset as i8);
                let (mode, count) = if is_near { (0x45, bytes + 2) } else { (0x85, bytes + 5) };
                let operand = mode | register | u64::from(offset.cast_unsigned()) << 8;
                self.put_word(opcode | operand << (8 * bytes), count);
            }
            Word::Stack(offset) => self.stack_memory(opcode, bytes, register, offset),
        }
    }

    /// The same, so many bytes from the stack pointer.
    #[cold]
    fn stack_memory(&mut self, opcode: u64, bytes: usize, register: u64, offset: i32) {
        // A byte more, by which the base is the stack pointer.
        let operand = (register | 0x84) << (8 * bytes) | 0x24 << (8 * bytes + 8);
        self.put_word(opcode | operand, bytes + 2);
        self.put(offset.to_le_bytes());
    }

    /// The prefix and opcode of an instruction on a whole integer register.
    #[inline]
    fn integer(opcode: u64, register: Register) -> u64 {
        (0x48 | (register as u64 >> 3) << 2) | opcode << 8
    }

    /// A whole word from memory: the bits above those that carry meaning are of no account.
    #[inline(always)]
    pub(crate) fn load(&mut self, into: Place, word: Word) {
        match into {
            // mov r64, [m]
            Place::Integer(register) => {
                self.memory(Self::integer(0x8b, register), 2, register as u8, word);
            }
            Place::Float(register) => self.float_memory(LOAD, register, word),
            Place::Vector(register) => self.vector_memory(LOAD, register, word),
        }
    }

    /// A whole word to memory.
    #[inline(always)]
    pub(crate) fn store(&mut self, from: Place, word: Word) {
        match from {
            Place::Integer(register) => {
                self.memory(Self::integer(0x89, register), 2, register as u8, word);
            }
            Place::Float(register) => self.float_memory(STORE, register, word),
            Place::Vector(register) => self.vector_memory(STORE, register, word),
        }
    }

    /// `movups`.
    #[inline(never)]
    fn vector_memory(&mut self, opcode: u64, register: u8, word: Word) {
        self.memory(opcode << 8 | 0x0f, 2, register, word);
    }

    /// `movsd`.
    #[inline(never)]
    fn float_memory(&mut self, opcode: u64, register: u8, word: Word) {
        match register {
            8.. => {
                self.put([0xf2, 0x44]);
                self.memory(opcode << 8 | 0x0f, 2, register, word);
            }
            _ => self.memory(opcode << 16 | 0x0ff2, 3, register, word),
        }
    }

    /// The address of a word of memory.
    pub(crate) fn address(&mut self, into: Register, word: Word) {
        self.memory(Self::integer(0x8d, into), 2, into as u8, word);
    }

    /// From one register to another of its kind; nothing if they are one.
    #[inline(always)]
    pub(crate) fn transfer(&mut self, into: Place, from: Place) {
        match (into, from) {
            (Place::Integer(into), Place::Integer(from)) if into != from => {
                let (into, from) = (into as u8, from as u8);
                let prefix = 0x48 | into >> 3 | (from >> 3) << 2;
                self.put([prefix, 0x89, 0xc0 | low(from) << 3 | low(into)]);
            }
            (Place::Float(into), Place::Float(from))
            | (Place::Vector(into), Place::Vector(from)) => self.transfer_float(into, from),
            _ => {}
        }
    }

    /// `movaps`; nothing from a register to itself.
    #[inline(never)]
    fn transfer_float(&mut self, into: u8, from: u8) {
        if into != from {
            self.extend(into, from);
            self.put([0x0f, 0x28, 0xc0 | low(into) << 3 | low(from)]);
        }
    }

    /// A number in an integer register.
    #[inline]
    pub(crate) fn number(&mut self, into: Register, number: u64) {
        let register = into as u8;
        let (upper, opcode) = (register >> 3, low(register));
        match (u32::try_from(number), i32::try_from(number as i64)) {
            (Ok(0), _) => {
                // xor r32, r32
                let operand = 0xc0 | opcode << 3 | opcode;
                match upper {
                    0 => self.put([0x31, operand]),
                    _ => self.put([0x45, 0x31, operand]),
                }
            }
            (Ok(number), _) => {
                let word = u64::from(0xb8 | opcode) | u64::from(number) << 8;
                match upper {
                    0 => self.put_word(word, 5),
                    _ => self.put_word(0x41 | word << 8, 6),
                }
            }
            (Err(_), Ok(number)) => {
                let start = [0x48 | upper, 0xc7, 0xc0 | opcode, 0, 0, 0, 0, 0];
                let number = u64::from(number.cast_unsigned());
                self.put_word(u64::from_le_bytes(start) | number << 24, 7);
            }
            (Err(_), Err(_)) => {
                self.put([0x48 | upper, 0xb8 | opcode]);
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
}
