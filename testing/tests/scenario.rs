//! A scenario, for a moment.

use std::time::Duration;

use brolga_testing::scenario::{Scenario, parse, run};

#[test]
fn every_answer_is_of_a_definition_that_was_allowed_and_nothing_is_left() {
    for names in [4, 100] {
        let time = Duration::from_secs(3);
        let outcome = run(&Scenario { seed: 7, threads: 4, names, time }).unwrap();
        assert!(outcome.faults.is_empty(), "{outcome}");
        assert!(outcome.answers.called > 0 && outcome.answers.taken_over > 0, "{outcome}");
    }
}

#[test]
fn words_that_are_no_options_are_told() {
    let error = |words: &[&str]| {
        parse(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>()).unwrap_err()
    };
    assert!(error(&["--speed", "3"]).starts_with("there is no option `--speed`"));
    assert!(error(&["--seed"]).starts_with("`--seed` wants a number"));
    assert!(error(&["--seed", "x"]).starts_with("`--seed` wants a number"));
}
