//! What an instruction gives that its operands leave no choice: one number, or one of the
//! operands.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::op::{Effects, Op};
use brolga_ir::types::Scalar;

use super::Known;
use crate::analysis::conditions::Position;
use crate::analysis::value_facts::Fact;

impl Known {
    /// What stands for the result of `inst`, if that is known.
    pub(super) fn result(&self, body: &mut Body, at: Position, inst: Inst) -> Option<Value> {
        let op = body.inst(inst).op;
        let result = body.result(inst)?;
        let ty = body.value_type(result);
        if !ty.as_scalar().is_some_and(Scalar::is_int) || !self.is_pure(body, inst) {
            return None;
        }
        if let Some(number) = self.facts.of(body, result)?.as_constant() {
            return Constant::scalar(ty, number).map(|constant| body.constant(constant));
        }
        match op {
            Op::And | Op::Or | Op::Urem | Op::Umin | Op::Umax | Op::Smin | Op::Smax => {
                self.operand(body, at, inst)
            }
            Op::Zext | Op::Sext => self.widened_again(body, at, inst),
            _ => None,
        }
    }

    /// Whether `inst` does nothing but compute: divisions by what is not zero, too.
    fn is_pure(&self, body: &Body, inst: Inst) -> bool {
        let op = body.inst(inst).op;
        let divides_by_a_number = || {
            let divisor = body.args(inst).get(1).and_then(|&by| body.as_scalar_constant(by));
            matches!(op, Op::Udiv | Op::Urem) && divisor.is_some_and(|by| by != 0)
        };
        op.info().effects == Effects::PURE || divides_by_a_number()
    }

    /// The operand that an op of two numbers always gives.
    fn operand(&self, body: &Body, at: Position, inst: Inst) -> Option<Value> {
        let &[x, y] = body.args(inst) else { return None };
        // Masks, bounds and divisors that are constants decide most; others cost as much to
        // ask for as they save.
        let number = self.facts.of(body, y)?;
        number.as_constant()?;
        let fact = self.fact(body, at, x)?;
        if gives_first(body.inst(inst).op, &fact, &number) { Some(x) } else { None }
    }

    /// The number that was cut off and is widened again, if nothing was lost.
    fn widened_again(&self, body: &Body, at: Position, inst: Inst) -> Option<Value> {
        let &[narrow] = body.args(inst) else { return None };
        let ValueDef::Result(cut, 0) = body.value_def(narrow) else { return None };
        let (Op::Trunc, &[whole]) = (body.inst(cut).op, body.args(cut)) else { return None };
        if body.value_type(whole) != body.value_type(*body.results(inst).first()?) {
            return None;
        }
        let (fact, kept) = (self.fact(body, at, whole)?, body.value_type(narrow).as_scalar()?);
        let kept = Fact::any(kept.bits());
        let is_same = match body.inst(inst).op {
            Op::Zext => fact.unsigned().1 <= kept.unsigned().1,
            _ => fact.signed().0 >= kept.signed().0 && fact.signed().1 <= kept.signed().1,
        };
        is_same.then_some(whole)
    }
}

/// Whether the op gives its first operand, of which `x` is known, whatever that is.
fn gives_first(op: Op, x: &Fact, number: &Fact) -> bool {
    match op {
        Op::And => (x.zeros() | number.ones()) == u128::MAX,
        Op::Or => x.ones() & number.ones() == number.ones(),
        Op::Urem => x.unsigned().1 < number.unsigned().0,
        Op::Umin => x.unsigned().1 <= number.unsigned().0,
        Op::Umax => x.unsigned().0 >= number.unsigned().1,
        Op::Smin => x.signed().1 <= number.signed().0,
        Op::Smax => x.signed().0 >= number.signed().1,
        _ => false,
    }
}
