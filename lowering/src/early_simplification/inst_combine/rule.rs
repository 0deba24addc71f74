//! What a rewrite rule is: a pattern, a condition on what it has bound, and what
//! comes in the place of the pattern's root.
//!
//! `(Add X C) => …` reads: an `add` of any value `X` and a constant `C`. A name that
//! stands twice is one value. In a result, what has only constants as operands is
//! computed by the interpreter's own functions while compiling. A conversion in a
//! result says its type in brackets: `[ROOT]` is that of the pattern's result, `[X]`
//! that of `X`, `[S]` one that the pattern has bound. `[NO]`: the operands give it.

use brolga_ir::attribute::{FloatCond, IntCond};
use brolga_ir::op::Op;
use brolga_ir::types::Scalar;

use super::bound::Bound;

/// A tree of ops over names and constants.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// Any value, by its number.
    Value(usize),
    /// Any constant, by its number.
    Constant(usize),
    /// That number in every lane.
    Literal(Literal),
    /// That number, of that type.
    Typed(Literal, Suffix),
    /// An op.
    Op(&'static OpNode),
}

/// An op with operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpNode {
    pub(super) op: Op,
    pub(super) condition: Condition,
    pub(super) suffix: Suffix,
    pub(super) args: &'static [Node],
}

/// The condition of a compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    /// None: no compare.
    None,
    /// That one.
    Int(IntCond),
    /// That one.
    Float(FloatCond),
    /// Any; in a result, the one that was bound.
    Bound,
    /// In a pattern, any, of a compare below that of `Bound`.
    Inner,
    /// The bound one on swapped operands.
    Swapped,
    /// The opposite of the bound one.
    Inverted,
    /// The bound one on the numbers read as unsigned.
    Unsigned,
}

/// The suffix of an op.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Suffix {
    /// The one that fits the operands; in a pattern, any.
    Inferred,
    /// The type of the pattern's result.
    Root,
    /// The type of a value or constant.
    Of(usize),
    /// Any in a pattern, that one in the result.
    Bound(usize),
}

/// A number that depends on the width.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Literal {
    /// That number, wrapped.
    Int(i64),
    /// The smallest signed number: the top bit.
    Least,
    /// The largest signed number.
    Greatest,
    /// The number of bits.
    Width,
    /// The number of the top bit.
    TopBit,
    /// That float, which all formats have.
    Float(f64),
}

impl Literal {
    /// The bits of the number in a lane.
    pub(super) fn bits(self, lane: Scalar) -> u128 {
        let width = lane.bits();
        let mask = u128::MAX >> (128 - width.clamp(1, 128));
        match self {
            Literal::Int(number) => i128::from(number) as u128 & mask,
            Literal::Least => mask ^ (mask >> 1),
            Literal::Greatest => mask >> 1,
            Literal::Width => u128::from(width) & mask,
            Literal::TopBit => u128::from(width.saturating_sub(1)) & mask,
            Literal::Float(number) => brolga_ir::interpret::eval::float::encode(lane, number),
        }
    }
}

/// Whether a rule makes code cheaper, or as cheap in the form that other rules know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gain {
    /// `=>`: less work.
    Cheaper,
    /// `->`: no more work, and closer to the one form.
    Canonical,
}

impl Gain {
    /// Whether a result of that cost pays where what costs `freed` becomes superfluous.
    pub(super) fn pays(self, cost: u32, freed: u32) -> bool {
        match self {
            Gain::Cheaper => cost < freed,
            Gain::Canonical => cost <= freed,
        }
    }
}

/// A rewrite rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// Its text, for tests.
    #[cfg(test)]
    pub(super) text: &'static str,
    pub(super) pattern: &'static OpNode,
    pub(super) result: Node,
    pub(super) gain: Gain,
    /// What must hold of what the pattern has bound.
    pub(super) holds: fn(&Bound<'_>) -> bool,
}

/// How many names there are: `X Y Z W`, then the constants `C D E F`.
pub(super) const NAMES: usize = 8;

/// The words of rules.
pub(super) mod words {
    use super::{Condition, Literal, Node, Suffix};
    use brolga_ir::attribute::{FloatCond, IntCond};

    pub(in super::super) const X: Node = Node::Value(0);
    pub(in super::super) const Y: Node = Node::Value(1);
    pub(in super::super) const Z: Node = Node::Value(2);
    pub(in super::super) const W: Node = Node::Value(3);
    pub(in super::super) const C: Node = Node::Constant(4);
    pub(in super::super) const D: Node = Node::Constant(5);
    pub(in super::super) const E: Node = Node::Constant(6);
    pub(in super::super) const F: Node = Node::Constant(7);

    pub(in super::super) const LEAST: Node = Node::Literal(Literal::Least);
    pub(in super::super) const GREATEST: Node = Node::Literal(Literal::Greatest);
    pub(in super::super) const ONES: Node = Node::Literal(Literal::Int(-1));
    pub(in super::super) const TWOS: Node = Node::Literal(Literal::Int(-2));
    pub(in super::super) const WIDTH: Node = Node::Literal(Literal::Width);
    pub(in super::super) const TOP_BIT: Node = Node::Literal(Literal::TopBit);
    pub(in super::super) const POSITIVE_ZERO: Node = Node::Literal(Literal::Float(0.0));
    pub(in super::super) const NEGATIVE_ZERO: Node = Node::Literal(Literal::Float(-0.0));
    pub(in super::super) const ONE: Node = Node::Literal(Literal::Float(1.0));
    pub(in super::super) const MINUS_ONE: Node = Node::Literal(Literal::Float(-1.0));
    /// All bits of the type `S`, of which a wider one is a mask.
    pub(in super::super) const ONES_OF_S: Node = Node::Typed(Literal::Int(-1), Suffix::Bound(0));

    pub(in super::super) mod suffix {
        use super::Suffix;
        pub(in super::super::super) const NO: Suffix = Suffix::Inferred;
        pub(in super::super::super) const ROOT: Suffix = Suffix::Root;
        pub(in super::super::super) const X: Suffix = Suffix::Of(0);
        pub(in super::super::super) const S: Suffix = Suffix::Bound(0);
    }

    pub(in super::super) mod condition {
        use super::{Condition, FloatCond, IntCond};
        macro_rules! ints {
            ($($name:ident)*) => {$(
                #[allow(non_upper_case_globals, reason = "rules spell conditions as the enum does")]
                pub(in super::super::super) const $name: Condition = Condition::Int(IntCond::$name);
            )*};
        }
        macro_rules! floats {
            ($($name:ident = $cond:ident;)*) => {$(
                #[allow(non_upper_case_globals, reason = "rules spell conditions as the enum does")]
                pub(in super::super::super) const $name: Condition =
                    Condition::Float(FloatCond::$cond);
            )*};
        }
        ints! { Eq Ne Slt Sle Sgt Sge Ult Ule Ugt Uge }
        floats! {
            Oeq = Oeq; Olt = Olt; Ole = Ole; Oge = Oge; Ord = Ord; Uno = Uno; Une = Une;
            FUlt = Ult; FUgt = Ugt;
        }
        pub(in super::super::super) const P: Condition = Condition::Bound;
        pub(in super::super::super) const Q: Condition = Condition::Inner;
        pub(in super::super::super) const SWAPPED: Condition = Condition::Swapped;
        pub(in super::super::super) const INVERTED: Condition = Condition::Inverted;
        pub(in super::super::super) const UNSIGNED: Condition = Condition::Unsigned;
    }
}

/// A tree, from its text.
macro_rules! node {
    (($($inside:tt)*)) => {
        $crate::early_simplification::inst_combine::rule::Node::Op(op_node!($($inside)*))
    };
    ($number:literal) => {
        $crate::early_simplification::inst_combine::rule::literal($number)
    };
    ($name:ident) => {
        $crate::early_simplification::inst_combine::rule::words::$name
    };
}

/// An op of a tree, from its text.
macro_rules! op_node {
    (Icmp $condition:ident $($arg:tt)*) => { op_node!(@ Icmp, $condition, NO, $($arg)*) };
    (Fcmp $condition:ident $($arg:tt)*) => { op_node!(@ Fcmp, $condition, NO, $($arg)*) };
    ($op:ident [$suffix:ident] $($arg:tt)*) => { op_node!(@ $op, , $suffix, $($arg)*) };
    ($op:ident $($arg:tt)*) => { op_node!(@ $op, , NO, $($arg)*) };
    (@ $op:ident, $($condition:ident)?, $suffix:ident, $($arg:tt)*) => {
        &$crate::early_simplification::inst_combine::rule::OpNode {
            op: brolga_ir::op::Op::$op,
            condition: condition_of!($($condition)?),
            suffix: $crate::early_simplification::inst_combine::rule::words::suffix::$suffix,
            args: &[$(node!($arg)),*],
        }
    };
}

macro_rules! condition_of {
    () => {
        $crate::early_simplification::inst_combine::rule::Condition::None
    };
    ($condition:ident) => {
        $crate::early_simplification::inst_combine::rule::words::condition::$condition
    };
}

macro_rules! gain_of {
    (=>) => {
        $crate::early_simplification::inst_combine::rule::Gain::Cheaper
    };
    (->) => {
        $crate::early_simplification::inst_combine::rule::Gain::Canonical
    };
}

/// The rules of a theme: `pattern => result [if condition];`.
macro_rules! rules {
    ($($pattern:tt $arrow:tt $result:tt $(if $holds:expr)?;)*) => {
        pub(in super::super) static RULES: &[$crate::early_simplification::inst_combine::rule::Rule] = &[
            $(rule!($pattern $arrow $result $(if $holds)?)),*
        ];
    };
}

macro_rules! rule {
    (($($inside:tt)*) $arrow:tt $result:tt $(if $holds:expr)?) => {
        $crate::early_simplification::inst_combine::rule::Rule {
            #[cfg(test)]
            text: concat!(
                stringify!(($($inside)*)), " ", stringify!($arrow), " ", stringify!($result)
            ),
            pattern: op_node!($($inside)*),
            result: node!($result),
            gain: gain_of!($arrow),
            holds: holds_of!($($holds)?),
        }
    };
}

macro_rules! holds_of {
    () => {
        |_| true
    };
    ($holds:expr) => {
        $holds
    };
}

/// A literal, from what stands in the text.
pub(super) const fn literal(number: i64) -> Node {
    Node::Literal(Literal::Int(number))
}

pub(super) use {condition_of, gain_of, holds_of, node, op_node, rule, rules};
