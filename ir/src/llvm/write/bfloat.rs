//! The format that is the upper half of a `float`, as the integer of its bits,
//! and roundings that a later one to fewer digits does not spoil.

use super::code::FunctionWriter;
use super::types::Shape;
use crate::types::Scalar;

/// A float format with the integer of its bits.
struct Format {
    shape: Shape,
    float: &'static str,
    bits: &'static str,
}

impl Format {
    fn float(&self) -> String {
        self.shape.of(self.float)
    }

    fn bits(&self) -> String {
        self.shape.of(self.bits)
    }

    fn number(&self, number: i64) -> String {
        self.shape.splat(self.bits, &number.to_string())
    }
}

impl FunctionWriter<'_, '_> {
    fn bits_of(&mut self, format: &Format, value: &str) -> String {
        let (float, bits) = (format.float(), format.bits());
        self.temporary(format_args!("bitcast {float} {value} to {bits}"))
    }

    /// A `bf16` as a `float`: exact.
    pub(super) fn widen(&mut self, shape: Shape, value: &str) -> String {
        let (half, word) = (shape.of("i16"), shape.of("i32"));
        let (float, sixteen) = (shape.of("float"), shape.splat("i32", "16"));
        let bits = self.temporary(format_args!("zext {half} {value} to {word}"));
        let bits = self.temporary(format_args!("shl {word} {bits}, {sixteen}"));
        self.temporary(format_args!("bitcast {word} {bits} to {float}"))
    }

    /// A `float` as the nearest `bf16`, ties to even.
    pub(super) fn round(&mut self, shape: Shape, value: &str) -> String {
        let format = Format { shape, float: "float", bits: "i32" };
        let (float, word, mask) = (format.float(), format.bits(), shape.of("i1"));
        let bits = self.bits_of(&format, value);
        let sixteen = format.number(16);
        let upper = self.temporary(format_args!("lshr {word} {bits}, {sixteen}"));
        let odd = self.temporary(format_args!("and {word} {upper}, {}", format.number(1)));
        let below_half = format.number(0x7fff);
        let raised = self.temporary(format_args!("add {word} {bits}, {below_half}"));
        let raised = self.temporary(format_args!("add {word} {raised}, {odd}"));
        let rounded = self.temporary(format_args!("lshr {word} {raised}, {sixteen}"));
        let is_nan = self.temporary(format_args!("fcmp uno {float} {value}, {value}"));
        let nan = format.number(0x7fc0);
        let chosen =
            self.temporary(format_args!("select {mask} {is_nan}, {word} {nan}, {word} {rounded}"));
        let half = shape.of("i16");
        self.temporary(format_args!("trunc {word} {chosen} to {half}"))
    }

    /// A `double` as the nearest number of a format of 16 bits, ties to even.
    pub(super) fn narrow(&mut self, shape: Shape, lane: Scalar, value: &str) -> String {
        let (double, float) = (shape.of("double"), shape.of("float"));
        if lane == Scalar::F16 {
            let half = shape.of("half");
            return self.temporary(format_args!("fptrunc {double} {value} to {half}"));
        }
        let nearest = self.temporary(format_args!("fptrunc {double} {value} to {float}"));
        let back = self.temporary(format_args!("fpext {float} {nearest} to {double}"));
        let inexact = self.temporary(format_args!("fcmp one {double} {back}, {value}"));
        let [wide_size, size] = [&back, &value.to_owned()].map(|number| {
            let call = self.lanewise("llvm.fabs", shape, Scalar::F64, &[number]);
            self.temporary(format_args!("{call}"))
        });
        let outward = self.temporary(format_args!("fcmp olt {double} {wide_size}, {size}"));
        let format = Format { shape, float: "float", bits: "i32" };
        let odd = self.step_to_odd(&format, &nearest, &inexact, &outward);
        self.round(shape, &odd)
    }

    /// The sum of two doubles, and where it is not exact the one of its two
    /// neighbours whose last digit is odd: Knuth's two-sum gives the error.
    pub(super) fn add_to_odd(&mut self, shape: Shape, a: &str, b: &str) -> String {
        let double = shape.of("double");
        let sum = self.temporary(format_args!("fadd {double} {a}, {b}"));
        let of_b = self.temporary(format_args!("fsub {double} {sum}, {a}"));
        let of_a = self.temporary(format_args!("fsub {double} {sum}, {of_b}"));
        let error_a = self.temporary(format_args!("fsub {double} {a}, {of_a}"));
        let error_b = self.temporary(format_args!("fsub {double} {b}, {of_b}"));
        let error = self.temporary(format_args!("fadd {double} {error_a}, {error_b}"));
        let zero = shape.splat("double", "0.0");
        // An error that is NaN comes of a sum that is not finite.
        let inexact = self.temporary(format_args!("fcmp one {double} {error}, {zero}"));
        let mask = shape.of("i1");
        let above = self.temporary(format_args!("fcmp ogt {double} {error}, {zero}"));
        let positive = self.temporary(format_args!("fcmp ogt {double} {sum}, {zero}"));
        let inward = self.temporary(format_args!("xor {mask} {above}, {positive}"));
        let ones = shape.splat("i1", "true");
        let outward = self.temporary(format_args!("xor {mask} {inward}, {ones}"));
        let format = Format { shape, float: "double", bits: "i64" };
        self.step_to_odd(&format, &sum, &inexact, &outward)
    }

    /// A rounded number, made odd by a step away from zero or towards it where
    /// it is inexact and even.
    fn step_to_odd(
        &mut self,
        format: &Format,
        value: &str,
        inexact: &str,
        outward: &str,
    ) -> String {
        let (word, mask) = (format.bits(), format.shape.of("i1"));
        let bits = self.bits_of(format, value);
        let [one, less, zero] = [1, -1, 0].map(|number| format.number(number));
        let last = self.temporary(format_args!("and {word} {bits}, {one}"));
        let even = self.temporary(format_args!("icmp eq {word} {last}, {zero}"));
        let moves = self.temporary(format_args!("and {mask} {even}, {inexact}"));
        let step =
            self.temporary(format_args!("select {mask} {outward}, {word} {one}, {word} {less}"));
        let step =
            self.temporary(format_args!("select {mask} {moves}, {word} {step}, {word} {zero}"));
        let odd = self.temporary(format_args!("add {word} {bits}, {step}"));
        let float = format.float();
        self.temporary(format_args!("bitcast {word} {odd} to {float}"))
    }
}
