//! Expressions, counts and proofs held against loops that are run.

mod counted;
mod forms;
mod nests;

use brolga_ir::body::Body;
use brolga_ir::interpret::eval::compare;
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::text::parse_module;

use super::*;
use crate::analysis::Analyses;
use crate::analysis::value_facts::{mask, sign_extended};

fn parsed(text: &str) -> Module {
    parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

fn body_of(module: &Module) -> &Body {
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    function.body.as_deref().unwrap()
}

fn evolution_of(module: &Module, body: &Body) -> ScalarEvolution {
    (*Analyses::default().scalar_evolution(body, module)).clone()
}

/// What an expression is, computed step by step: recurrences by going round.
fn evaluate(
    evolution: &ScalarEvolution,
    expr: Expr,
    value: &dyn Fn(Value) -> Option<u128>,
    round: &dyn Fn(Loop) -> u128,
) -> Option<u128> {
    let width = evolution.width(expr);
    let of = |part: Expr| evaluate(evolution, part, value, round);
    let bits = match evolution.kind(expr) {
        Kind::Constant(bits) => *bits,
        Kind::Value(leaf) => value(*leaf)?,
        Kind::Sum(constant, terms) => {
            let mut sum = *constant;
            for &(term, by) in terms {
                sum = sum.wrapping_add(of(term)?.wrapping_mul(by));
            }
            sum
        }
        Kind::Product(a, b) => of(*a)?.wrapping_mul(of(*b)?),
        Kind::Triangle(a) => (0..of(*a)?).sum(),
        Kind::Quotient(a, divisor) => of(*a)? / divisor,
        Kind::Extended(Reading::Unsigned, a) => of(*a)?,
        Kind::Extended(Reading::Signed, a) => sign_extended(evolution.width(*a), of(*a)?) as u128,
        Kind::Truncated(a) => of(*a)?,
        Kind::Extreme(op, a, b) => {
            let (width, a, b) = (evolution.width(*a), of(*a)?, of(*b)?);
            let condition = match op {
                Op::Smin | Op::Smax => brolga_ir::attribute::IntCond::Slt,
                _ => brolga_ir::attribute::IntCond::Ult,
            };
            let is_least = matches!(op, Op::Smin | Op::Umin);
            if compare::icmp(condition, width, a, b) == is_least { a } else { b }
        }
        Kind::Recurrence(recurrence) => {
            let mut sum = of(recurrence.start)?;
            for at in 0..round(recurrence.of) {
                let before = |of: Loop| if of == recurrence.of { at } else { round(of) };
                sum = sum.wrapping_add(evaluate(evolution, recurrence.step, value, &before)?);
            }
            sum
        }
    };
    Some(bits & mask(width))
}
