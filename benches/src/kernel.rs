//! The kernel suite.
//!
//! Every kernel is one file of `kernels/` that needs nothing beside it, with a function
//! `i64 kernel(i64 n)` whose work grows in proportion to `n`. What it gives depends on `n`
//! alone, however often it was called before, and each round of work needs what the one
//! before gave, so that none can be left out. Float kernels do not contract, and those that
//! may reassociate add whole numbers: all engines must agree on every bit.

mod suite;

pub use suite::{EXAMPLES, KERNELS};

/// A class of kernels, which are alike in what they ask of a compiler.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Calls, direct and through pointers, recursion, allocation.
    Call,
    /// Scalar floats in chains that no vector helps.
    Float,
    /// Scalar integers: branches, hashing, strings, sorting, tables, interpreters.
    Integer,
    /// Loops over arrays in cache that a compiler may vectorise.
    Vector,
    /// Reductions of floats in an order that nobody may change.
    Strict,
    /// Small structs by value, which should never meet memory.
    Struct,
    /// More data than the caches nearby hold.
    Memory,
}

impl Class {
    /// Every class, in the order of tables.
    pub const ALL: [Class; 7] = [
        Class::Call,
        Class::Float,
        Class::Integer,
        Class::Vector,
        Class::Strict,
        Class::Struct,
        Class::Memory,
    ];

    /// The class as a word.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Call => "call",
            Class::Float => "float",
            Class::Integer => "integer",
            Class::Vector => "vector",
            Class::Strict => "strict",
            Class::Struct => "struct",
            Class::Memory => "memory",
        }
    }

    /// How much it counts in a mean over all classes, whatever the number of its kernels.
    pub const fn weight(self) -> f64 {
        match self {
            Class::Call | Class::Float => 4.0,
            Class::Integer => 15.0,
            Class::Vector => 14.0,
            Class::Strict | Class::Memory => 2.0,
            Class::Struct => 1.0,
        }
    }
}

/// What a kernel is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C, through clang.
    C,
    /// Rust, through rustc.
    Rust,
}

/// How a kernel gets at its arrays where most of its time goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accesses {
    /// Without a question: the source says that it is right, or goes over all of an array.
    Plain,
    /// By an index that is compared with the length, each time.
    Checked,
}

/// One kernel of the suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// Its name, unique in the suite, and that of its file.
    pub name: &'static str,
    /// The class that it counts in.
    pub class: Class,
    /// What it is written in.
    pub language: Language,
    /// Whether its accesses are checked.
    pub accesses: Accesses,
    /// What it is about.
    pub topic: &'static str,
    /// The argument that gives about ten milliseconds of work for native code.
    pub n: i64,
}

/// A program of `examples/`, which is in our own text, with a kernel put behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The name of its file in `examples/` and of the kernel's in `kernels/examples/`.
    pub name: &'static str,
    /// The argument that gives some milliseconds of work.
    pub n: i64,
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::source::Suite;

    #[test]
    fn every_class_has_four_kernels_and_every_name_one() {
        for class in Class::ALL {
            let count = KERNELS.iter().filter(|kernel| kernel.class == class).count();
            assert!(count >= 4, "{} has {count}", class.name());
        }
        let names: HashSet<&str> = KERNELS.iter().map(|kernel| kernel.name).collect();
        assert_eq!(names.len(), KERNELS.len());
    }

    #[test]
    fn what_is_said_to_check_its_accesses_does() {
        let checked = KERNELS.iter().filter(|kernel| kernel.accesses == Accesses::Checked);
        for kernel in checked {
            // In C nothing is checked that the source does not check.
            assert_eq!(kernel.language, Language::Rust, "{}", kernel.name);
            let text = std::fs::read_to_string(Suite::of_repository().file(kernel)).unwrap();
            let before = |at: usize| text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            let indexes = text.match_indices('[').any(|(at, _)| before(at));
            assert!(indexes || text.contains(".get("), "{}", kernel.name);
        }
    }
}
