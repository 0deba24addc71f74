//! The rules, by theme. Where several fit, the first is taken: within an op, those that
//! leave nothing to do stand first.

mod bits;
mod checked;
mod compares;
mod conversions;
mod floats;
mod integers;
mod memory;
mod selects;
mod shifts;
mod vectors;

use super::rule::Rule;

/// Every rule.
pub(super) const THEMES: &[&[Rule]] = &[
    integers::RULES,
    bits::RULES,
    shifts::RULES,
    compares::RULES,
    selects::RULES,
    conversions::RULES,
    floats::RULES,
    memory::RULES,
    vectors::RULES,
    checked::RULES,
];
