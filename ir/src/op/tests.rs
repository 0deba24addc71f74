use super::*;
use crate::datum::Datum;
use crate::instruction::Payload;
use crate::interpret::eval::{Operation, fold};
use crate::types::Type;

#[test]
fn rows_stand_at_the_index_of_their_op() {
    for (i, &op) in Op::ALL.iter().enumerate() {
        assert_eq!(op as usize, i);
        assert_eq!(op.info().op, op);
        assert_eq!(Op::from_mnemonic(op.mnemonic()), Some(op));
    }
}

#[test]
fn every_row_says_what_it_means() {
    for &op in Op::ALL {
        let info = op.info();
        assert!(info.meaning.ends_with('.') && info.meaning.len() > 8, "{op}");
        assert!(!info.example.is_empty() && !info.gives.is_empty(), "{op}");
        let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(info.mnemonic.chars().all(word), "{op}");
    }
}

#[test]
fn operands_fit_their_form() {
    for &op in Op::ALL {
        let info = op.info();
        let fields = info.form.fields();
        let named = fields.iter().filter(|f| matches!(f, Field::Operand | Field::Address)).count();
        let all = fields.contains(&Field::Operands);
        assert!(all || named == info.operands.len(), "{op}");
    }
}

#[test]
fn an_op_that_never_returns_ends_its_block() {
    for &op in Op::ALL {
        let effects = op.info().effects;
        assert!(
            !effects.contains(Effects::NO_RETURN) || effects.contains(Effects::TERMINATE),
            "{op}"
        );
    }
}

#[test]
fn removable_effects_are_none_and_reading() {
    assert!(Effects::PURE.is_removable());
    assert!(Effects::READ.is_removable());
    assert!(!Effects::TRAP.is_removable());
    assert!(!Effects::MARK.is_removable());
}

#[test]
fn the_ops_that_commute_are_those_whose_operands_may_change_places() {
    let numbers = (0..=255).step_by(3).map(Datum::Scalar).collect::<Vec<_>>();
    let floats = [0.0f32, -0.0, 1.0, -1.5, 3.25, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY];
    let floats = floats.map(Datum::from).to_vec();
    let mut compared = 0;
    for &op in Op::ALL {
        let info = op.info();
        let [Pattern::Same, Pattern::Same, ..] = info.operands else { continue };
        let kinds = [(Type::I8, &numbers), (Type::F32, &floats)];
        let of_numbers = |(ty, _): &&(Type, _)| info.suffix.contains(*ty);
        let Some(&(ty, values)) = kinds.iter().find(of_numbers) else { continue };
        // What an attribute says is not known of the op alone.
        if info.form.fields().iter().any(|field| matches!(field, Field::IntCond | Field::FloatCond))
        {
            continue;
        }
        let operation = Operation { op, ty, operand: ty, payload: &Payload::None, immediates: &[] };
        let results = |a: &Datum, b: &Datum| fold(&operation, &[a, b, &values[2]]);
        let is_alike = |a: &Datum, b: &Datum| results(a, b) == results(b, a);
        let commutes = values.iter().all(|a| values.iter().all(|b| is_alike(a, b)));
        assert_eq!(op.is_commutative(), commutes, "{op}");
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}
