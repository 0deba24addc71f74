//! Why a loop stays as it is.

use std::fmt;

use brolga_ir::op::Op;

/// Makes of the rows below the type, its words and, for tests, one reason of each row: so
/// none is without words, or without a test.
macro_rules! refusals {
    ($($(#[$about:meta])+ $name:ident $(($what:ident: $ty:ty = $example:expr))? => $words:literal,)+) => {
        /// The first reason for which a loop stays as it is.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(in crate::vectorisation) enum Refusal {
            $($(#[$about])+ $name $(($ty))?,)+
        }

        impl fmt::Display for Refusal {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the loop is not vectorised: ")?;
                match self {
                    $(Refusal::$name $(($what))? => write!(f, $words),)+
                }
            }
        }

        /// One of each.
        #[cfg(test)]
        const ALL: &[Refusal] = &[$(Refusal::$name $(($example))?,)+];
    };
}

refusals! {
    /// Another one stands in it: only innermost loops are looked at.
    Outer => "another loop stands in it",
    /// It is a cycle that is no natural loop.
    Entries => "it is entered at several blocks",
    /// It does not have the form that `loop_simplify` and `loop_rotate` give loops.
    Form => "it has no preheader, or several blocks lead back",
    /// It can be left elsewhere than at its end.
    Exits => "it can be left before the end of a round",
    /// A block of it ends by something other than a jump or branch.
    Flow(op: Op = Op::Switch) => "a block ends by `{op}`",
    /// How often it runs is not known before it does.
    Count => "how often it runs is not known before it does",
    /// It is known to run so often only.
    Short(rounds: u128 = 1) => "it runs {rounds} times only",
    /// An op that stays where it is, does what no vector does, or may trap.
    Op(op: Op = Op::Call) => "`{op}` stays as it is",
    /// Something that is no number, or has no lanes.
    Type(op: Op = Op::Load) => "the type of `{op}` has no vectors",
    /// A volatile access.
    Volatile => "an access is volatile",
    /// An access of which addresses do not go on by the size of what is there, or a few times
    /// that.
    Stride(op: Op = Op::Load) => "the addresses of `{op}` do not follow each other",
    /// Stores that leave elements out.
    Gaps => "its stores leave out elements between them",
    /// Something between accesses that would be made in one place, which must stay there.
    Between => "what stands between neighbouring accesses touches the same bytes",
    /// An access that only some rounds make.
    Conditional(op: Op = Op::Load) => "some rounds do without the `{op}`",
    /// What one round hands to the next, if it is no count and no sum.
    Carried => "a round needs what the one before it has computed",
    /// What a round stores for one that comes soon: vectors of so few lanes would wait for each
    /// other.
    Waiting => "a round needs what one of the few before it has stored",
    /// Float operations in an order that is to be kept.
    Ordered(op: Op = Op::Fadd) => "`{op}` of floats keeps its order",
    /// Rounds that may touch what others do, and no cheap test before the loop.
    Aliasing => "rounds may touch what other rounds do",
    /// More accesses, or blocks, than are looked at.
    Large => "it is too large",
    /// It stores nothing and adds up nothing.
    Nothing => "it stores nothing and adds up nothing",
    /// It is said to take longer with vectors.
    Cost => "vectors would not make it faster",
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use brolga_ir::text::{DirectiveKind, directives};

    use super::*;

    /// What the test files of the pass say that it tells.
    fn told() -> BTreeSet<String> {
        let folder = "../tests/filetests/passes/loop_vectorize";
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = std::fs::read_dir(folder).unwrap();
        let texts = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
        let directives = texts.flat_map(|text| directives(&text).unwrap());
        let messages = directives.filter_map(|directive| match directive.kind {
            DirectiveKind::Remark(told) if told.pass == "loop_vectorize" => Some(told.message),
            _ => None,
        });
        messages.collect()
    }

    #[test]
    fn a_test_file_shows_each_reason_with_its_line() {
        let told = told();
        let unseen = ALL.iter().map(ToString::to_string).filter(|words| !told.contains(words));
        assert_eq!(unseen.collect::<Vec<String>>(), Vec::<String>::new());
    }
}
