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
    best.calls = needed_calls(&best, shows);
    let fixed: Vec<&str> = best.calls.iter().map(|call| &*call.function).collect();
    let options = Options { tries, fixed: &fixed };
    let module = reduce::reduce(&best.module, &options, &mut |module| {
        shows(&Generated { module: Module::clone(module), ..best.clone() })
    });
    best.module = module;
    // What one call left for another may be gone with the rest.
    best.calls = needed_calls(&best, shows);
    best
}

fn needed_calls(program: &Generated, shows: &mut dyn FnMut(&Generated) -> bool) -> Vec<Call> {
    minimal_list(&program.calls, &mut |some: &[Call]| {
        !some.is_empty() && shows(&Generated { calls: some.to_vec(), ..program.clone() })
    })
}

#[cfg(test)]
mod tests;
