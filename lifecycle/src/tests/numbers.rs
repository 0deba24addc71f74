use std::collections::BTreeMap;

use crate::numbers::{Fate, Numbers};

#[test]
fn a_number_is_given_again_when_nobody_can_mean_it() {
    let mut numbers = Numbers::new();
    let number = numbers.give().unwrap();
    assert!(numbers.refer(number));
    assert_eq!(numbers.bury(number), Fate::Stays, "code refers to it");
    assert_eq!(numbers.release(number), Fate::Retires);
    assert_ne!(numbers.give(), Some(number), "a thread may be inside");
    numbers.reuse(number);
    assert_eq!(numbers.give(), Some(number));
    assert_eq!(numbers.count(), 2);
}

#[test]
fn what_is_in_use_stays_whoever_leaves() {
    let mut numbers = Numbers::new();
    let number = numbers.give().unwrap();
    assert!(numbers.refer(number));
    assert_eq!(numbers.release(number), Fate::Stays, "it has its definition");
    assert_eq!(numbers.release(number), Fate::Stays, "one release too many harms nobody");
    numbers.reuse(number);
    assert_ne!(numbers.give(), Some(number), "only what was retired comes back");
}

#[test]
fn an_address_that_got_out_keeps_its_number_for_good() {
    let mut numbers = Numbers::new();
    let number = numbers.give().unwrap();
    numbers.escape(number);
    assert_eq!(numbers.bury(number), Fate::Stays);
    assert!(numbers.revive(number), "a definition may come again");
    assert_eq!(numbers.bury(number), Fate::Stays);
}

#[test]
fn what_is_on_its_way_out_is_not_called_back() {
    let mut numbers = Numbers::new();
    let number = numbers.give().unwrap();
    assert_eq!(numbers.bury(number), Fate::Retires);
    assert!(!numbers.refer(number));
    assert!(!numbers.revive(number));
    assert_eq!(numbers.bury(number), Fate::Stays, "it retires once");
    numbers.reuse(number);
    assert!(!numbers.refer(number), "it is nobody's");
    assert!(!numbers.refer(1000), "nor is what was never given");
}

/// What a second, plain book says of a number.
#[derive(Default)]
struct Plain {
    references: u32,
    is_buried: bool,
    has_escaped: bool,
}

#[test]
fn no_number_means_two_functions_at_once() {
    let mut numbers = Numbers::new();
    let mut living: BTreeMap<u32, Plain> = BTreeMap::new();
    let mut retired: Vec<u32> = Vec::new();
    let mut state = 1_u64;
    for _ in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let choice = state >> 33;
        let pick = living.keys().nth((choice / 16) as usize % living.len().max(1)).copied();
        let mut fate = Fate::Stays;
        match (choice % 16, pick) {
            (0..=3, _) | (_, None) => {
                let number = numbers.give().unwrap();
                let old = living.insert(number, Plain::default());
                assert!(old.is_none(), "{number} is somebody's");
                assert!(!retired.contains(&number), "a thread may be inside of {number}");
            }
            (4..=6, Some(number)) => {
                assert!(numbers.refer(number));
                living.get_mut(&number).unwrap().references += 1;
            }
            (7..=9, Some(number)) => {
                let plain = living.get_mut(&number).unwrap();
                plain.references = plain.references.saturating_sub(1);
                fate = numbers.release(number);
            }
            (10, Some(number)) if choice.is_multiple_of(7) => {
                living.get_mut(&number).unwrap().has_escaped = true;
                numbers.escape(number);
            }
            (11, Some(number)) => {
                living.get_mut(&number).unwrap().is_buried = false;
                assert!(numbers.revive(number));
            }
            (_, Some(number)) => {
                living.get_mut(&number).unwrap().is_buried = true;
                fate = numbers.bury(number);
            }
        }
        if let Some(number) = pick {
            let plain = &living[&number];
            let is_over = plain.is_buried && plain.references == 0 && !plain.has_escaped;
            assert_eq!(fate == Fate::Retires, is_over, "{number}");
            if is_over {
                living.remove(&number);
                retired.push(number);
            }
        }
        if retired.len() > 5 {
            numbers.reuse(retired.remove(0));
        }
        assert_eq!(numbers.count(), living.len() + retired.len());
    }
}
