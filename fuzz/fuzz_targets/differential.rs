//! Generated programs: native code and the interpreter agree.
#![no_main]

use brolga_testing::soak::{Subject, Tally, run_seed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|seed: u64| {
    if let Err(finding) = run_seed(Subject::Native, seed, &mut Tally::default()) {
        panic!("{}", finding.message);
    }
});
