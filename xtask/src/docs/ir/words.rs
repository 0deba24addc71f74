//! How the columns of the op table read in prose.

use brolga_ir::op::{Dialect, Effects, Field, Relation};

const EFFECTS: &[(Effects, &str)] = &[
    (Effects::READ, "reads memory"),
    (Effects::WRITE, "writes memory"),
    (Effects::TRAP, "may trap"),
    (Effects::THROW, "may throw"),
    (Effects::SAFEPOINT, "safepoint"),
    (Effects::SYNCHRONISE, "synchronises"),
    (Effects::NO_RETURN, "does not return"),
    (Effects::TERMINATE, "ends its block"),
    (Effects::MARK, "stays in place"),
];

/// What executing an op may do, separated by commas.
pub(super) fn effects(effects: Effects) -> String {
    let words: Vec<&str> = EFFECTS
        .iter()
        .filter(|(effect, _)| effects.contains(*effect))
        .map(|(_, word)| *word)
        .collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

/// How far down the pipeline an op is legal.
pub(super) fn dialect(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Front => "until stage 1",
        Dialect::Managed => "until stage 6",
        Dialect::Machine => "to the end",
    }
}

/// What relates the types beyond the patterns, if anything does.
pub(super) fn relation(relation: Relation) -> Option<&'static str> {
    Some(match relation {
        Relation::None => return None,
        Relation::FromWider => "`A` has as many lanes as `T`, each of more bits",
        Relation::FromNarrower => "`A` has as many lanes as `T`, each of fewer bits",
        Relation::SameLanes => "`A` has as many lanes as `T`",
        Relation::SameBits => "`A` has as many bits as `T`",
        Relation::WholeBytes => "the width of `T` is a multiple of 16 bits",
        Relation::AddressCast => "`ptr` to any managed kind, `ref` to `derived` or `callee`",
        Relation::ShuffleLanes => "`A` and `B` are one type, with lanes as `T` has",
        Relation::Parts => "as many operands as `T` has fields or lanes, of their types",
        Relation::ExtractPath => "the indices lead from `T` to `A`",
        Relation::InsertPath => "the indices lead from `T` to `A`",
        Relation::LaneOf => "`A` is a vector of `T`",
        Relation::RmwType => "the kind computes on `T`",
        Relation::Callee => "arguments and results are those of the signature",
        Relation::TailCallee => {
            "arguments are those of the signature, results those of this function"
        }
        Relation::Returns => "the operands are the results of this function",
        Relation::ExitValues => "the values are what the exit takes along",
        Relation::ModifyFunction => "the function takes two `T` and gives one",
        Relation::References => "all operands are `ref`",
    })
}

/// What stands for a field that is no operand.
pub(super) fn placeholder(field: Field) -> &'static str {
    match field {
        Field::Operand | Field::Address | Field::Operands => "",
        Field::Arguments => "(…)",
        Field::Roots => "roots(…)",
        Field::Access => "access",
        Field::IntCond | Field::FloatCond => "condition",
        Field::Order => "order",
        Field::FailureOrder => "failure-order",
        Field::RmwOp => "kind",
        Field::Slot => "slot",
        Field::Data => "@data",
        Field::Function => "@function",
        Field::Path => "indices",
        Field::Lanes => "[lanes]",
        Field::Target => "block(…)",
        Field::NormalTarget => "normal block(…)",
        Field::UnwindTarget => "unwind block(…)",
        Field::Cases => "[number: block(…), …], block(…)",
        Field::Weights => "weights",
        Field::Exit => "exit(…)",
        Field::TrapCode => "code",
        Field::Count => "count",
        Field::LoopMark => "marks",
        Field::Feature => "\"feature\"",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_effect_has_words() {
        let named = EFFECTS.iter().fold(Effects::empty(), |all, (effect, _)| all | *effect);
        assert_eq!(named, Effects::all());
        assert_eq!(effects(Effects::PURE), "none");
        assert_eq!(effects(Effects::READ | Effects::TRAP), "reads memory, may trap");
    }
}
