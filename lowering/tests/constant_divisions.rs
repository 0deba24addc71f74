//! Divisions by constants give behind `div_rem_pairs` what they gave before, and trap
//! alike: all of 8 bits, and of wider ones those that are near powers of two, near
//! multiples of the divisor, and generated ones.

mod random;

use std::fmt::Write;

use brolga_ir::datum::Datum;
use brolga_ir::interpret::Interpreter;
use brolga_ir::module::Module;
use brolga_ir::text::parse_module;
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::pipeline::{Report, RunOptions, passes_named, run_passes};
use brolga_lowering::target::TargetSpec;
use random::Random;

/// By how many bits dividends are shifted right, so that something is known of them.
const SHIFTS: [u32; 4] = [0, 1, 3, 40];

impl Random {
    /// Of any size, as often small as large.
    fn number(&mut self) -> u64 {
        let size = self.bits() % 64;
        self.bits() >> size
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Numbers next to powers of two, on both sides of zero.
fn edges(width: u32) -> Vec<u64> {
    let powers = (0..width).map(|exponent| 1_u64 << exponent);
    let near = powers.flat_map(|power| [power.wrapping_sub(1), power, power.wrapping_add(1)]);
    let mut all: Vec<u64> =
        near.flat_map(|n| [n & mask(width), n.wrapping_neg() & mask(width)]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Functions that divide as signed and as unsigned, and give quotient and rest, or the
/// rest alone, which then has no quotient to come from.
fn text(width: u32, divisors: &[u64]) -> String {
    let mut text = String::new();
    for (number, divisor) in divisors.iter().enumerate() {
        let divisor = (*divisor << (64 - width)) as i64 >> (64 - width);
        for shift in SHIFTS.into_iter().filter(|&shift| shift < width) {
            for sign in ["s", "u"] {
                let _ = write!(
                    text,
                    "func @{sign}{number}_{shift}(i{width}) -> (i{width}, i{width}) {{\n\
                     entry(%y: i{width}):\n    %x = lshr.i{width} %y, {shift}\n    \
                     %q = {sign}div.i{width} %x, {divisor}\n    \
                     %r = {sign}rem.i{width} %x, {divisor}\n    return %q, %r\n}}\n\
                     func @{sign}{number}_{shift}_rest(i{width}) -> i{width} {{\n\
                     entry(%y: i{width}):\n    %x = lshr.i{width} %y, {shift}\n    \
                     %r = {sign}rem.i{width} %x, {divisor}\n    return %r\n}}\n",
                );
            }
        }
    }
    text
}

fn behind_the_pass(text: &str) -> Module {
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let mut module = parse_module(text).unwrap();
    let rows = passes_named(["div_rem_pairs"]).unwrap();
    run_passes(&mut module, &rows, &RunOptions::new(&target), &mut Report::default()).unwrap();
    let broken = verify_module(&module, &Options::default()).err();
    assert!(broken.is_none(), "{broken:?}");
    module
}

/// Compares all functions for the dividends that there are to each divisor.
fn compare(width: u32, divisors: &[u64], mut dividends: impl FnMut(u64) -> Vec<u64>) {
    let text = text(width, divisors);
    let (before, after) = (parse_module(&text).unwrap(), behind_the_pass(&text));
    let mut before = Interpreter::new(&[&before]).unwrap();
    let mut after = Interpreter::new(&[&after]).unwrap();
    for (number, &divisor) in divisors.iter().enumerate() {
        let dividends = dividends(divisor);
        for shift in SHIFTS.into_iter().filter(|&shift| shift < width) {
            for (sign, part) in [("s", ""), ("s", "_rest"), ("u", ""), ("u", "_rest")] {
                let name = format!("{sign}{number}_{shift}{part}");
                for &dividend in &dividends {
                    let args = [Datum::Scalar(dividend.into())];
                    let [expected, found] = [&mut before, &mut after].map(|run| {
                        run.call(&name, &args).map_err(|error| format!("{:?}", error.code()))
                    });
                    assert_eq!(found, expected, "i{width}: {dividend} by {divisor}, {name}");
                }
            }
        }
    }
}

#[test]
fn all_numbers_of_8_bits_divide_as_before() {
    let all: Vec<u64> = (0..256).collect();
    compare(8, &all, |_| all.clone());
}

#[test]
fn wider_numbers_divide_as_before() {
    let mut random = Random(1);
    for width in [16, 32, 64] {
        let mut divisors = edges(width);
        divisors.extend([3, 5, 7, 10, 25, 100, 641, 1000, 10_007, 43_691]);
        divisors.extend((0..40).map(|_| random.number() & mask(width)));
        let ends = edges(width);
        compare(width, &divisors, |divisor| {
            let numbers: Vec<u64> = (0..14).map(|_| random.number()).collect();
            let multiples = numbers[..6].iter().map(|n| divisor.wrapping_mul(*n));
            let near = multiples.flat_map(|n| [n.wrapping_sub(1), n, n.wrapping_add(1)]);
            let edges = numbers[6..].iter().map(|n| ends[*n as usize % ends.len()]);
            let mut dividends: Vec<u64> = near.chain(edges).map(|n| n & mask(width)).collect();
            dividends.extend([0, mask(width), mask(width) >> 1, (mask(width) >> 1) + 1]);
            dividends
        });
    }
}

#[test]
fn no_division_by_a_constant_is_left_but_by_those_that_trap_and_by_one() {
    let module = behind_the_pass(&text(64, &[2, 3, 7, 10, 1 << 63, u64::MAX - 6]));
    let text = brolga_ir::text::print_module(&module);
    let left = ["sdiv", "udiv", "srem", "urem"].map(|op| text.matches(op).count());
    assert_eq!(left, [0; 4], "{text}");
}
