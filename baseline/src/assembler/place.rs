//! Registers, and words of memory.

use crate::key::Bank;

/// An integer register, by its number in instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Register {
    Rax = 0,
    Rcx = 1,
    Rdx = 2,
    Rbx = 3,
    Rsi = 6,
    Rdi = 7,
    R8 = 8,
    R9 = 9,
    R10 = 10,
    R11 = 11,
    R12 = 12,
    R13 = 13,
    R14 = 14,
}

/// Integer arguments of the internal convention.
pub(crate) const ARGUMENTS: [Register; 6] =
    [Register::Rdi, Register::Rsi, Register::Rdx, Register::Rcx, Register::R8, Register::R9];

/// Integer results of the internal convention.
pub(crate) const RESULTS: [Register; 8] = [
    Register::Rax,
    Register::Rcx,
    Register::Rdx,
    Register::Rsi,
    Register::Rdi,
    Register::R8,
    Register::R9,
    Register::R10,
];

/// As many floats are passed and given back in `xmm0` and on.
pub(crate) const FLOATS: usize = 8;

/// A register for values of some class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// For integers and addresses.
    Integer(Register),
    /// For floats, by its number.
    Float(u8),
    /// The same register, with all that is in it.
    Vector(u8),
}

/// Where a value lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Home {
    /// In a register that is its own.
    Register(Place),
    /// In the frame.
    Word(Word),
}

/// Where a word of memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// So many bytes from the frame pointer.
    Frame(i32),
    /// So many bytes from the stack pointer.
    Stack(i32),
}

impl Place {
    /// The register of that number of a bank, where integers go in these.
    #[inline]
    pub(crate) fn nth(bank: Bank, number: usize, integers: &[Register]) -> Option<Place> {
        Some(match bank {
            Bank::Integer => Place::Integer(*integers.get(number)?),
            _ if number >= FLOATS => return None,
            Bank::Float => Place::Float(number as u8),
            Bank::Vector => Place::Vector(number as u8),
        })
    }
}

/// Where the first operand of a stencil is, by its bank.
#[inline]
pub(crate) const fn first_operand(bank: Bank) -> Place {
    match bank {
        Bank::Integer => Place::Integer(ARGUMENTS[0]),
        Bank::Float => Place::Float(0),
        Bank::Vector => Place::Vector(0),
    }
}

/// Where the second one is, by that and the bank of the first.
#[inline]
pub(crate) const fn second_operand(first: Bank, bank: Bank) -> Place {
    match (first, bank) {
        (Bank::Integer, Bank::Integer) => Place::Integer(ARGUMENTS[1]),
        (Bank::Integer, _) | (_, Bank::Integer) => first_operand(bank),
        (_, Bank::Float) => Place::Float(1),
        (_, Bank::Vector) => Place::Vector(1),
    }
}

/// Where the only result is.
#[inline]
pub(crate) const fn only_result(bank: Bank) -> Place {
    match bank {
        Bank::Integer => Place::Integer(RESULTS[0]),
        Bank::Float => Place::Float(0),
        Bank::Vector => Place::Vector(0),
    }
}

/// How many registers of each kind are taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    integers: usize,
    floats: usize,
}

impl Counts {
    /// The next register for a value of that bank, if there is one left.
    #[inline]
    pub(crate) fn next(&mut self, bank: Bank, integers: &[Register]) -> Option<Place> {
        let count = match bank {
            Bank::Integer => &mut self.integers,
            Bank::Float | Bank::Vector => &mut self.floats,
        };
        let place = Place::nth(bank, *count, integers)?;
        *count += 1;
        Some(place)
    }
}
