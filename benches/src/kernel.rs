//! The kernel suite.
//!
//! Every kernel is one file of `kernels/` that needs nothing beside it, with a function
//! `i64 kernel(i64 n)` whose work grows in proportion to `n`. What it gives depends on `n`
//! alone, however often it was called before, and each round of work needs what the one
//! before gave, so that none can be left out. Float kernels do not contract, and those that
//! may reassociate add whole numbers: all engines must agree on every bit.

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

/// One kernel of the suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel {
    /// Its name, unique in the suite, and that of its file.
    pub name: &'static str,
    /// The class that it counts in.
    pub class: Class,
    /// What it is written in.
    pub language: Language,
    /// What it is about.
    pub topic: &'static str,
    /// The argument that gives about ten milliseconds of work for native code.
    pub n: i64,
}

macro_rules! kernels {
    ($($name:literal $class:ident $language:ident $topic:literal $n:literal;)*) => {
        /// The suite.
        pub const KERNELS: &[Kernel] = &[$(Kernel {
            name: $name,
            class: Class::$class,
            language: Language::$language,
            topic: $topic,
            n: $n,
        },)*];
    };
}

kernels! {
    "fib" Call C "recursion" 2_000;
    "tak" Call Rust "recursion" 2_000;
    "queens" Call Rust "recursion" 10_000;
    "dispatch" Call C "calls through pointers" 1_000_000;
    "shapes" Call Rust "calls through pointers" 1_000_000;
    "trees" Call C "allocation" 1_000;
    "planets" Float C "float" 100_000;
    "mandelbrot" Float Rust "float" 50_000;
    "elimination" Float C "float" 10_000;
    "legendre" Float Rust "float" 100_000;
    "bisection" Float Rust "branches" 20_000;
    "collatz" Integer C "branches" 100_000;
    "divisors" Integer Rust "integer" 100_000;
    "sieve" Integer Rust "integer" 200;
    "crc32" Integer C "hashing" 1_000;
    "mix" Integer Rust "hashing" 20_000;
    "hash_table" Integer C "hashing" 500;
    "words" Integer Rust "strings" 5_000;
    "search" Integer C "strings" 500;
    "digits" Integer C "strings" 200_000;
    "utf8" Integer Rust "strings" 2_000;
    "quicksort" Integer C "sorting" 100;
    "heapsort" Integer Rust "sorting" 100;
    "edit_distance" Integer Rust "dynamic programming" 1_000;
    "knapsack" Integer C "dynamic programming" 5_000;
    "bytecode" Integer C "interpreter loop" 50_000;
    "tape" Integer Rust "interpreter loop" 1_000;
    "states" Integer C "branches" 1_000;
    "pool" Integer Rust "allocation" 1_000_000;
    "sum_f32" Vector C "reassociated" 50_000;
    "dot_f64" Vector C "reassociated" 50_000;
    "matmul_f32" Vector C "strict" 1_000;
    "stencil" Vector C "strict" 20_000;
    "clamp" Vector C "strict" 20_000;
    "blend" Vector Rust "integer" 20_000;
    "count_bytes" Vector Rust "strings" 10_000;
    "hamming" Vector Rust "integer" 50_000;
    "scale_i32" Vector Rust "integer" 50_000;
    "sum_strict" Strict C "float" 5_000;
    "dot_strict" Strict Rust "float" 5_000;
    "largest" Strict Rust "float" 5_000;
    "horner" Strict C "float" 10_000;
    "julia" Struct C "structs" 100_000;
    "rotations" Struct C "structs" 1_000_000;
    "spheres" Struct Rust "structs" 1_000_000;
    "dual" Struct Rust "structs" 50_000;
    "tuples" Struct Rust "structs" 2_000_000;
    "chase" Memory C "memory" 100_000;
    "triad" Memory C "memory" 10;
    "scatter" Memory C "memory" 2_000_000;
    "transpose" Memory Rust "memory" 5;
    "copy" Memory Rust "memory" 10;
}

/// A program of `examples/`, which is in our own text, with a kernel put behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The name of its file in `examples/` and of the kernel's in `kernels/examples/`.
    pub name: &'static str,
    /// The argument that gives some milliseconds of work.
    pub n: i64,
}

/// The examples that are raced.
pub const EXAMPLES: &[Example] = &[
    Example { name: "base64", n: 200 },
    Example { name: "bytecode", n: 200 },
    Example { name: "crc32", n: 20 },
    Example { name: "fannkuch", n: 20 },
    Example { name: "heapsort", n: 20 },
    Example { name: "mandelbrot", n: 20 },
    Example { name: "matrix", n: 50 },
    Example { name: "nbody", n: 20_000 },
    Example { name: "nqueens", n: 50 },
    Example { name: "quicksort", n: 20 },
    Example { name: "sha256", n: 50 },
    Example { name: "sieve", n: 100 },
    Example { name: "spectral_norm", n: 20 },
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_class_has_four_kernels_and_every_name_one() {
        for class in Class::ALL {
            let count = KERNELS.iter().filter(|kernel| kernel.class == class).count();
            assert!(count >= 4, "{} has {count}", class.name());
        }
        let names: HashSet<&str> = KERNELS.iter().map(|kernel| kernel.name).collect();
        assert_eq!(names.len(), KERNELS.len());
    }
}
