use super::*;

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
