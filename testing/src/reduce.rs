//! The smallest program that still shows what a large one has shown, and the shortest list of
//! passes.

use brolga_ir::module::Module;
use brolga_ir::reduce::{self, Options, minimal_list};

use crate::generate::{Call, Generated, Split};

/// How often at most a smaller program is tried where nobody waits for it.
pub const MOST_TRIES: usize = 400;

/// Takes away from `program` whatever is not needed for `shows` to say yes, as long as the
/// verifier accepts what is left, in so many tries. `shows` may run it.
pub fn reduce(
    program: &Generated,
    tries: usize,
    shows: &mut dyn FnMut(&Generated) -> bool,
) -> Generated {
    let mut best = program.clone();
    let whole = Generated { split: Split::WHOLE, ..program.clone() };
    if shows(&whole) {
        best = whole;
    }
    let calls = best.calls.clone();
    best.calls = minimal_list(&calls, &mut |some: &[Call]| {
        !some.is_empty() && shows(&Generated { calls: some.to_vec(), ..best.clone() })
    });
    let fixed: Vec<&str> = best.calls.iter().map(|call| &*call.function).collect();
    let module = reduce::reduce(&best.module, &Options { tries, fixed: &fixed }, &mut |module| {
        shows(&Generated { module: Module::clone(module), ..best.clone() })
    });
    Generated { module, ..best }
}

#[cfg(test)]
mod tests;
