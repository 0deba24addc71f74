//! Any bytes: the reader of LLVM IR gives a module that the verifier accepts, or errors.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(finding) = brolga_testing::mutate::judge_llvm(bytes) {
        panic!("{}", finding.message);
    }
});
