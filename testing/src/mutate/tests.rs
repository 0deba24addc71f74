use super::*;

const INPUTS: u64 = 8000;

#[test]
fn mutated_modules_are_judged_and_what_is_accepted_can_be_executed() {
    let mut tally = Tally::default();
    for seed in 0..INPUTS {
        if let Err(finding) = check_verifier(seed, &mut tally) {
            panic!("seed {seed}: {}\n{}", finding.message, finding.reproducer);
        }
    }
    let reached = tally.iter().filter(|(name, _)| !name.starts_with('(')).count();
    assert!(reached >= 40, "only {reached} rules were reached: {tally:?}");
    assert!(tally.of("(accepted)") > 0 && tally.of("(refused)") > INPUTS / 2, "{tally:?}");
}

#[test]
fn mutated_texts_are_judged_and_what_is_accepted_prints_as_itself() {
    let mut tally = Tally::default();
    for seed in 0..INPUTS {
        if let Err(finding) = check_parser(seed, &mut tally) {
            panic!("seed {seed}: {}\n{}", finding.message, finding.reproducer);
        }
    }
    let reached = tally.iter().filter(|(name, _)| !name.starts_with('(')).count();
    assert!(reached >= 25, "only {reached} codes were reached: {tally:?}");
    assert!(tally.of("(verified)") > 0 && tally.of("(refused)") > INPUTS / 2, "{tally:?}");
}

#[test]
fn mutated_texts_of_llvm_ir_are_judged_and_what_is_accepted_is_verified() {
    let mut tally = Tally::default();
    for seed in 0..INPUTS {
        if let Err(finding) = check_reader(seed, &mut tally) {
            panic!("seed {seed}: {}\n{}", finding.message, finding.reproducer);
        }
    }
    let reached = READER_CODES.iter().filter(|code| tally.of(code) > 0).count();
    assert!(reached >= 20, "only {reached} codes were reached: {tally:?}");
    assert!(tally.of("(accepted)") > INPUTS / 20, "{tally:?}");
    let known = |name: &str| name.starts_with('(') || READER_CODES.contains(&name);
    assert!(tally.iter().all(|(name, _)| known(name)), "{tally:?}");
}
