//! The list of registrations, as a debugger walks through it.

use brolga_lowering::unit::CompiledUnit;

use super::Registration;
use super::descriptor::{Entry, listed};
use crate::PlacedUnit;

fn register(name: &str) -> Registration {
    let unit = CompiledUnit { name: name.into(), code: vec![0xc3], ..CompiledUnit::default() };
    Registration::new(&PlacedUnit::new(&unit, 0x1000, "text")).unwrap()
}

fn address(registration: &Registration) -> usize {
    registration.image().as_ptr() as usize
}

/// Which of those are in the list, in its order. Other tests have theirs in it as well.
fn order(registrations: &[&Registration]) -> Vec<usize> {
    let (listed, is_sound) = listed();
    assert!(is_sound, "the way back is not the way there");
    let position = |image: &usize| registrations.iter().position(|known| address(known) == *image);
    listed.iter().filter_map(position).collect()
}

#[test]
fn the_last_comes_first_and_whichever_is_withdrawn_is_gone() {
    let [first, second, third, fourth] = ["a", "b", "c", "d"].map(register);
    let all = [&first, &second, &third, &fourth];
    assert_eq!(order(&all), [3, 2, 1, 0]);
    let withdrawn = address(&second);
    drop(second);
    assert!(!listed().0.contains(&withdrawn));
    assert_eq!(order(&[&first, &third, &fourth]), [2, 1, 0]);
    // The one in front, unless another test's is, and the last.
    drop(fourth);
    assert_eq!(order(&[&first, &third]), [1, 0]);
    drop(first);
    assert_eq!(order(&[&third]), [0]);
    let next = register("e");
    assert_eq!(order(&[&third, &next]), [1, 0]);
}

#[test]
fn threads_register_and_withdraw_at_once() {
    // Entries alone: beside the making of objects, threads would hardly ever meet.
    let enter = || Entry::new(vec![0; 8]);
    let kept: Vec<Entry> = std::thread::scope(|scope| {
        let work = || {
            let kept: Vec<Entry> = (0..50).map(|_| enter()).collect();
            (0..20_000).for_each(|_| drop([enter(), enter()]));
            kept
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let (listed, is_sound) = listed();
    assert!(is_sound, "the way back is not the way there");
    for entry in &kept {
        let address = entry.image().as_ptr() as usize;
        assert_eq!(listed.iter().filter(|found| **found == address).count(), 1);
    }
}
