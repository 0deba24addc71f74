use brolga_lowering::pipeline::{Level, ordering_faults, parse_pipeline, passes_at};

use super::*;

#[test]
fn random_lists_have_what_is_required_and_respect_what_must_run_first() {
    let mut lengths = Vec::new();
    for seed in 0..300 {
        let list = random_list(&mut Random::new(seed));
        assert_eq!(ordering_faults(&list), [""; 0], "{}", spelled(&list));
        let wanted: Vec<&str> = required(PASSES).map(|pass| pass.name).collect();
        let mut found = list.iter().map(|pass| pass.name);
        assert!(wanted.iter().all(|name| found.any(|it| it == *name)), "{}", spelled(&list));
        lengths.push(list.len());
    }
    assert!(lengths.iter().max() > lengths.iter().min());
}

#[test]
fn a_random_list_is_that_of_its_seed_and_of_no_other() {
    let of = |seed| spelled(&random_list(&mut Random::new(seed)));
    assert!((0..20).all(|seed| of(seed) == of(seed)));
    assert!((0..20).any(|seed| of(seed) != of(seed + 1)));
}

#[test]
fn a_row_keeps_its_side_of_what_is_required() {
    let list: Vec<&'static Pass> = PASSES.iter().collect();
    for index in 0..PASSES.len() {
        let (low, high) = places(&list, index);
        let before = list[..low].iter().filter(|pass| pass.duty == Duty::Required);
        assert_eq!(before.count(), required(&PASSES[..=index]).count(), "{index}");
        assert!(
            low <= high
                && required(&PASSES[index + 1..]).count()
                    == list[high..].iter().filter(|pass| pass.duty == Duty::Required).count()
        );
    }
}

#[test]
fn the_shortest_list_keeps_what_is_required_before_a_pass() {
    let whole = passes_at(Level::O2);
    let has = |list: &[&'static Pass], name| list.iter().any(|pass| pass.name == name);
    for name in ["gvn", "legalize"] {
        let list = shortest_list(&whole, &mut |list| has(list, name));
        let (last, before) = list.split_last().unwrap();
        assert_eq!(last.name, name, "{}", spelled(&list));
        assert!(before.iter().all(|pass| pass.duty == Duty::Required), "{}", spelled(&list));
        assert!(has_required(&list) && !has_required(&list[before.len()..]));
    }
}

#[test]
fn what_is_required_first_is_put_before_a_list_that_has_none_of_it() {
    let whole = passes_at(Level::O0);
    assert_eq!(spelled(&behind_required(&whole)), spelled(&whole));
    assert!(behind_required(&[]).is_empty());
    for pass in PASSES.iter().filter(|pass| pass.duty != Duty::Required) {
        let list = behind_required(&[pass]);
        assert!(list.len() > 1 && list.last().is_some_and(|last| last.name == pass.name));
    }
    let text = spelled(&whole);
    assert_eq!(spelled(&parse_pipeline(&text).unwrap()), text);
}
