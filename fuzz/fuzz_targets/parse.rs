//! Any bytes: the parser gives a module or errors, and printing what it gives
//! is a fixed point.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(finding) = brolga_testing::mutate::judge_text(bytes) {
        panic!("{}", finding.message);
    }
});
