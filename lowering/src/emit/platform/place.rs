//! Where the conventions of C pass values: the rules of each as data, and what
//! gives one value after another its place.
//!
//! After the System V ABI of x86-64 and the AAPCS64.

use crate::target::{Architecture, System, TargetSpec};

/// What a value needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// An integer or address of at most 64 bits.
    Integer,
    /// An integer of 128 bits.
    Pair,
    /// A float or vector, of which so many bytes stand on the stack.
    Vector(u32),
    /// Bytes that are passed themselves.
    Bytes {
        /// How many.
        size: u32,
        /// A power of two.
        align: u32,
    },
    /// The address that the callee puts its result at.
    ResultAddress,
}

/// Where a value is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In the integer register of that number.
    Integer(u32),
    /// In that and the next.
    Pair(u32),
    /// In the vector register of that number.
    Vector(u32),
    /// That many bytes above the stack pointer at the call.
    Stack(u32),
    /// In the register that only this is passed in.
    ResultAddress,
}

/// How a large result's address is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ResultAddress {
    /// As an argument is; the callee gives it back as its result.
    Argument,
    /// In a register of its own.
    OwnRegister,
}

/// How bytes are passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ByValue {
    /// Among the arguments on the stack.
    Stack,
    /// As the address of a copy.
    Copy,
}

/// What remains of the integer registers where a pair finds no two of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pairs {
    /// They are for later arguments; a pair may begin anywhere.
    Anywhere,
    /// Nothing; a pair begins at an even register.
    Even,
}

/// Whether there are registers that hold floats of 80 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum X87 {
    Present,
    Absent,
}

/// What a `va_list` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ListLayout {
    /// Offsets into the area of saved registers, of integers and of vectors in 32
    /// bits each; where the next argument on the stack is; where that area is.
    SystemV,
    /// Where the next argument on the stack is; the ends of the areas of saved
    /// integer and vector registers; offsets from these, in 32 bits each.
    Aapcs64,
}

/// A convention.
#[derive(Debug)]
pub(super) struct Rules {
    /// Integer registers for arguments.
    pub(super) integers: u32,
    /// Vector registers for arguments.
    pub(super) vectors: u32,
    /// Registers of each kind for results.
    pub(super) results: u32,
    pub(super) pairs: Pairs,
    pub(super) result_address: ResultAddress,
    pub(super) by_value: ByValue,
    pub(super) x87: X87,
    pub(super) list: ListLayout,
}

static SYSTEM_V: Rules = Rules {
    integers: 6,
    vectors: 8,
    results: 2,
    pairs: Pairs::Anywhere,
    result_address: ResultAddress::Argument,
    by_value: ByValue::Stack,
    x87: X87::Present,
    list: ListLayout::SystemV,
};

static AAPCS64: Rules = Rules {
    integers: 8,
    vectors: 8,
    results: 8,
    pairs: Pairs::Even,
    result_address: ResultAddress::OwnRegister,
    by_value: ByValue::Copy,
    x87: X87::Absent,
    list: ListLayout::Aapcs64,
};

/// The rules of a target, where they are known here: elsewhere the back end
/// places what it can.
pub(super) fn rules(target: &TargetSpec) -> Option<&'static Rules> {
    match (target.system(), target.architecture()) {
        (System::Linux | System::MacOs, Architecture::X86_64) => Some(&SYSTEM_V),
        (System::Linux, Architecture::Aarch64) => Some(&AAPCS64),
        _ => None,
    }
}

/// Gives the arguments of a call their places, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placer {
    rules: &'static Rules,
    /// Integer registers that are taken.
    pub(super) integers: u32,
    /// Vector registers that are taken.
    pub(super) vectors: u32,
    /// Bytes of stack that are taken.
    pub(super) stack: u32,
}

impl Placer {
    pub(super) fn new(rules: &'static Rules) -> Placer {
        Placer { rules, integers: 0, vectors: 0, stack: 0 }
    }

    /// The place of the next argument; nothing where the stack has too many bytes.
    pub(super) fn place(&mut self, shape: Shape) -> Option<Place> {
        let rules = self.rules;
        match shape {
            Shape::Integer if self.integers < rules.integers => {
                self.integers += 1;
                Some(Place::Integer(self.integers - 1))
            }
            Shape::Integer => self.push(8, 8),
            Shape::Pair => self.place_pair(),
            Shape::Vector(_) if self.vectors < rules.vectors => {
                self.vectors += 1;
                Some(Place::Vector(self.vectors - 1))
            }
            Shape::Vector(bytes) => self.push(bytes, bytes),
            Shape::Bytes { size, align } => self.push(size, align),
            Shape::ResultAddress => match rules.result_address {
                ResultAddress::Argument => self.place(Shape::Integer),
                ResultAddress::OwnRegister => Some(Place::ResultAddress),
            },
        }
    }

    fn place_pair(&mut self) -> Option<Place> {
        let first = match self.rules.pairs {
            Pairs::Anywhere => self.integers,
            Pairs::Even => self.integers.next_multiple_of(2),
        };
        if first + 2 <= self.rules.integers {
            self.integers = first + 2;
            return Some(Place::Pair(first));
        }
        if self.rules.pairs == Pairs::Even {
            self.integers = self.rules.integers;
        }
        self.push(16, 16)
    }

    fn push(&mut self, size: u32, align: u32) -> Option<Place> {
        let start = self.stack.checked_next_multiple_of(align.max(8))?;
        self.stack = start.checked_add(size.checked_next_multiple_of(8)?)?;
        Some(Place::Stack(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(rules: &'static Rules, shapes: &[Shape]) -> Vec<Place> {
        let mut placer = Placer::new(rules);
        shapes.iter().map(|&shape| placer.place(shape).unwrap()).collect()
    }

    /// The places of integers, pairs and floats by their first letters.
    fn registers(rules: &'static Rules, text: &str) -> String {
        let shape = |name| match name {
            'p' => Shape::Pair,
            'f' => Shape::Vector(8),
            _ => Shape::Integer,
        };
        let shapes: Vec<Shape> = text.chars().map(shape).collect();
        let show = |place| match place {
            Place::Integer(number) => format!("x{number}"),
            Place::Pair(first) => format!("x{first}x{}", first + 1),
            Place::Vector(number) => format!("v{number}"),
            Place::Stack(offset) => format!("+{offset}"),
            Place::ResultAddress => "result".to_owned(),
        };
        places(rules, &shapes).into_iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_last_register_of_x86_64_goes_to_the_next_that_fits() {
        for (text, expected) in [
            ("iiiiipi", "x0 x1 x2 x3 x4 +0 x5"),
            ("iiifiipfpii", "x0 x1 x2 v0 x3 x4 +0 v1 +16 x5 +32"),
            ("ppipfii", "x0x1 x2x3 x4 +0 v0 x5 +16"),
            ("iiiiipf", "x0 x1 x2 x3 x4 +0 v0"),
            ("iiiipip", "x0 x1 x2 x3 x4x5 +0 +16"),
            ("iiiiiipi", "x0 x1 x2 x3 x4 x5 +0 +16"),
        ] {
            assert_eq!(registers(&SYSTEM_V, text), expected, "{text}");
        }
    }

    #[test]
    fn the_last_register_of_aarch64_stays_empty_behind_what_it_is_too_small_for() {
        for (text, expected) in [
            ("iiiiiiipi", "x0 x1 x2 x3 x4 x5 x6 +0 +16"),
            ("ipiifipi", "x0 x2x3 x4 x5 v0 x6 +0 +16"),
            ("iiiiiipi", "x0 x1 x2 x3 x4 x5 x6x7 +0"),
            ("iiiiiiiipi", "x0 x1 x2 x3 x4 x5 x6 x7 +0 +16"),
            ("iiiiiiiiipi", "x0 x1 x2 x3 x4 x5 x6 x7 +0 +16 +32"),
            ("ipppi", "x0 x2x3 x4x5 x6x7 +0"),
            ("pppiip", "x0x1 x2x3 x4x5 x6 x7 +0"),
        ] {
            assert_eq!(registers(&AAPCS64, text), expected, "{text}");
        }
    }

    #[test]
    fn bytes_stand_on_the_stack_where_their_alignment_says() {
        let bytes = |size, align| Shape::Bytes { size, align };
        let shapes = [bytes(12, 4), bytes(16, 16), bytes(1, 1), Shape::Integer, bytes(40, 8)];
        let stack = [0, 16, 32].map(Place::Stack);
        let found = places(&SYSTEM_V, &shapes);
        assert_eq!(found[..3], stack);
        assert_eq!(found[3..], [Place::Integer(0), Place::Stack(40)]);
    }

    #[test]
    fn the_address_of_a_result_takes_an_argument_where_it_has_no_register() {
        let shapes = [Shape::ResultAddress, Shape::Integer];
        assert_eq!(places(&SYSTEM_V, &shapes), [Place::Integer(0), Place::Integer(1)]);
        assert_eq!(places(&AAPCS64, &shapes), [Place::ResultAddress, Place::Integer(0)]);
    }

    #[test]
    fn a_stack_of_4_gib_is_refused() {
        let mut placer = Placer::new(&SYSTEM_V);
        let half = Shape::Bytes { size: 1 << 31, align: 8 };
        assert!(placer.place(half).is_some());
        assert_eq!(placer.place(half), None);
    }
}
