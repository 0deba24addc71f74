//! The kernels, with class, language, topic and work: pure data.

use super::{Accesses, Class, Example, Kernel, Language};

macro_rules! accesses {
    () => {
        Accesses::Plain
    };
    ($accesses:ident) => {
        Accesses::$accesses
    };
}

macro_rules! kernels {
    ($($name:literal $class:ident $language:ident $($accesses:ident)? $topic:literal $n:literal;)*) => {
        /// The suite.
        pub const KERNELS: &[Kernel] = &[$(Kernel {
            name: $name,
            class: Class::$class,
            language: Language::$language,
            accesses: accesses!($($accesses)?),
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
    "shapes" Call Rust Checked "calls through pointers" 1_000_000;
    "trees" Call C "allocation" 1_000;
    "planets" Float C "float" 100_000;
    "mandelbrot" Float Rust "float" 50_000;
    "elimination" Float C "float" 10_000;
    "legendre" Float Rust "float" 100_000;
    "bisection" Float Rust "branches" 20_000;
    "collatz" Integer C "branches" 100_000;
    "divisors" Integer Rust "integer" 100_000;
    "sieve" Integer Rust Checked "integer" 200;
    "crc32" Integer C "hashing" 1_000;
    "mix" Integer Rust "hashing" 20_000;
    "hash_table" Integer C "hashing" 500;
    "words" Integer Rust Checked "strings" 5_000;
    "search" Integer C "strings" 500;
    "digits" Integer C "strings" 200_000;
    "utf8" Integer Rust Checked "strings" 2_000;
    "quicksort" Integer C "sorting" 100;
    "heapsort" Integer Rust Checked "sorting" 100;
    "edit_distance" Integer Rust Checked "dynamic programming" 1_000;
    "knapsack" Integer C "dynamic programming" 5_000;
    "bytecode" Integer C "interpreter loop" 50_000;
    "tape" Integer Rust Checked "interpreter loop" 1_000;
    "states" Integer C "branches" 1_000;
    "pool" Integer Rust Checked "allocation" 1_000_000;
    "sum_f32" Vector C "reassociated" 50_000;
    "dot_f64" Vector C "reassociated" 50_000;
    "matmul_f32" Vector C "strict" 1_000;
    "stencil" Vector C "strict" 20_000;
    "clamp" Vector C "strict" 20_000;
    "blend" Vector Rust "integer" 20_000;
    "count_bytes" Vector Rust "strings" 10_000;
    "hamming" Vector Rust "integer" 50_000;
    "scale_i32" Vector Rust Checked "integer" 50_000;
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
    "transpose" Memory Rust Checked "memory" 5;
    "copy" Memory Rust Checked "memory" 10;
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
