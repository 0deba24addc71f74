//! Where in a list of passes a module is written down.

use std::str::FromStr;

use brolga::lowering::pipeline::Pass;

use crate::failure::Failure;

/// A place between passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Border {
    /// Behind all of them.
    End,
    /// Before the first run of the pass.
    Before(String),
    /// Behind the last run of the pass.
    After(String),
}

impl Border {
    /// The passes that run before the border; `list` is what the list is called.
    pub(crate) fn cut<'p>(
        &self,
        passes: &'p [&'static Pass],
        list: &str,
    ) -> Result<&'p [&'static Pass], Failure> {
        let is = |pass: &&Pass, name: &str| pass.name == name || pass.spelling() == name;
        let (name, end) = match self {
            Border::End => return Ok(passes),
            Border::Before(name) => (name, passes.iter().position(|pass| is(pass, name))),
            Border::After(name) => {
                (name, passes.iter().rposition(|pass| is(pass, name)).map(|index| index + 1))
            }
        };
        end.and_then(|end| passes.get(..end)).ok_or_else(|| {
            let names: Vec<_> = passes.iter().map(|pass| pass.spelling()).collect();
            let there = if names.is_empty() { "none does".to_owned() } else { names.join(", ") };
            Failure::usage(format_args!("`{name}` does not run in {list}; there run: {there}"))
        })
    }
}

/// `bir`, `bir@before=PASS` or `bir@after=PASS`.
impl FromStr for Border {
    type Err = ();

    fn from_str(text: &str) -> Result<Border, ()> {
        match text.strip_prefix("bir").ok_or(())?.split_once('=') {
            None if text == "bir" => Ok(Border::End),
            Some(("@before", name)) if !name.is_empty() => Ok(Border::Before(name.to_owned())),
            Some(("@after", name)) if !name.is_empty() => Ok(Border::After(name.to_owned())),
            _ => Err(()),
        }
    }
}
