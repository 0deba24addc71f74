//! Mutations of a valid module: the verifier says what is wrong, and what it
//! accepts can be executed.
#![no_main]

use brolga_testing::soak::{Subject, Tally, run_seed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|seed: u64| {
    if let Err(finding) = run_seed(Subject::Verifier, seed, &mut Tally::default()) {
        panic!("{}", finding.message);
    }
});
