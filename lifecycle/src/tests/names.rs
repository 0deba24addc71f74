use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use crate::names::Visibility::{self, Exported, Hidden};
use crate::names::{LibraryId, Names, NamesError, Outcome, Reach, Strength, Texts, TrackerId};

/// The names of numbers.
#[derive(Default)]
struct Known(BTreeMap<u32, String>);

impl Texts<u32> for Known {
    fn with_text<R>(&self, definition: &u32, look: impl Fn(&str) -> R) -> R {
        look(&self.0[definition])
    }
}

/// Names that mean numbers.
#[derive(Default)]
struct World {
    names: Names<u32>,
    known: Known,
}

impl Deref for World {
    type Target = Names<u32>;

    fn deref(&self) -> &Names<u32> {
        &self.names
    }
}

impl DerefMut for World {
    fn deref_mut(&mut self) -> &mut Names<u32> {
        &mut self.names
    }
}

impl World {
    fn define(
        &mut self,
        tracker: TrackerId,
        name: &str,
        value: u32,
        visibility: Visibility,
        strength: Strength,
    ) -> Result<Outcome<u32>, NamesError> {
        self.known.0.insert(value, name.to_owned());
        self.names.define(tracker, (name, value), visibility, strength, &self.known)
    }

    fn alias(
        &mut self,
        tracker: TrackerId,
        name: &str,
        target: (LibraryId, &str),
    ) -> Result<Outcome<u32>, NamesError> {
        self.names.alias(tracker, name, target, Exported, &self.known)
    }

    fn look_up(&self, library: LibraryId, name: &str) -> Option<u32> {
        self.names.look_up(library, name, &self.known)
    }

    fn remove(&mut self, library: LibraryId, name: &str) -> Result<Option<u32>, NamesError> {
        self.names.remove(library, name, &self.known)
    }

    fn remove_tracker(&mut self, tracker: TrackerId) -> Result<Vec<u32>, NamesError> {
        self.names.remove_tracker(tracker, &self.known)
    }
}

/// A library with its main key.
fn one() -> (World, LibraryId, TrackerId) {
    let mut names = World::default();
    let library = names.add_library("main").unwrap();
    let main = names.main_tracker(library).unwrap();
    (names, library, main)
}

fn define(names: &mut World, tracker: TrackerId, name: &str, value: u32) -> Outcome<u32> {
    names.define(tracker, name, value, Exported, Strength::Strong).unwrap()
}

#[test]
fn a_name_means_its_latest_definition() {
    let (mut names, library, main) = one();
    assert_eq!(names.look_up(library, "f"), None);
    assert_eq!(define(&mut names, main, "f", 1), Outcome::Added);
    assert_eq!(names.look_up(library, "f"), Some(1));
    assert_eq!(define(&mut names, main, "f", 2), Outcome::Replaced(1));
    assert_eq!(names.look_up(library, "f"), Some(2));
    assert_eq!(names.remove(library, "f"), Ok(Some(2)));
    assert_eq!(names.remove(library, "f"), Err(NamesError::Unknown("f".into())));
}

#[test]
fn what_is_weak_gives_way_in_either_order() {
    let (mut names, library, main) = one();
    let weak = |names: &mut World, name, value| {
        names.define(main, name, value, Exported, Strength::Weak).unwrap()
    };
    assert_eq!(weak(&mut names, "f", 1), Outcome::Added);
    assert_eq!(weak(&mut names, "f", 2), Outcome::Kept(2), "of two the first stays");
    assert_eq!(names.strength(library, "f", &names.known), Some(Strength::Weak));
    assert_eq!(define(&mut names, main, "f", 3), Outcome::Replaced(1));
    assert_eq!(weak(&mut names, "f", 4), Outcome::Kept(4));
    assert_eq!(names.look_up(library, "f"), Some(3));
}

#[test]
fn libraries_are_looked_through_in_their_order_and_the_own_one_first() {
    let (mut names, library, main) = one();
    let [first, second] = ["first", "second"].map(|name| names.add_library(name).unwrap());
    for (other, value) in [(first, 1), (second, 2)] {
        let tracker = names.main_tracker(other).unwrap();
        define(&mut names, tracker, "f", value);
        names.link(library, other, Reach::Exports).unwrap();
    }
    assert_eq!(names.look_up(library, "f"), Some(1));
    names.link(library, first, Reach::Exports).unwrap();
    assert_eq!(names.look_up(library, "f"), Some(2), "linked anew is last");
    define(&mut names, main, "f", 3);
    assert_eq!(names.look_up(library, "f"), Some(3));
    names.remove(library, "f").unwrap();
    names.unlink(library, second).unwrap();
    assert_eq!(names.look_up(library, "f"), Some(1));
    assert_eq!(names.look_up(second, "f"), Some(2), "linking is one way");
}

#[test]
fn hidden_names_are_seen_by_their_own_library_and_by_those_who_ask_for_all() {
    let (mut names, library, _) = one();
    let other = names.add_library("other").unwrap();
    let tracker = names.main_tracker(other).unwrap();
    names.define(tracker, "f", 1, Hidden, Strength::Strong).unwrap();
    assert_eq!(names.look_up(other, "f"), Some(1));
    assert_eq!(names.exported(other, "f", &names.known), None);
    names.link(library, other, Reach::Exports).unwrap();
    assert_eq!(names.look_up(library, "f"), None);
    names.link(library, other, Reach::All).unwrap();
    assert_eq!(names.look_up(library, "f"), Some(1));
}

#[test]
fn an_alias_means_what_its_target_means_at_that_moment() {
    let (mut names, library, main) = one();
    define(&mut names, main, "f", 1);
    assert_eq!(names.alias(main, "g", (library, "f")), Ok(Outcome::Added));
    assert_eq!(names.alias(main, "h", (library, "g")), Ok(Outcome::Added));
    define(&mut names, main, "f", 2);
    assert_eq!(names.look_up(library, "h"), Some(2));
    names.remove(library, "f").unwrap();
    assert_eq!(names.look_up(library, "h"), None);
    assert_eq!(names.remove(library, "h"), Ok(None), "an alias is no definition");
}

#[test]
fn a_library_shows_more_than_its_own_by_aliases_alone() {
    let (mut names, library, _) = one();
    let [middle, far] = ["middle", "far"].map(|name| names.add_library(name).unwrap());
    let of_far = names.main_tracker(far).unwrap();
    define(&mut names, of_far, "f", 1);
    names.link(middle, far, Reach::Exports).unwrap();
    names.link(library, middle, Reach::Exports).unwrap();
    assert_eq!(names.look_up(library, "f"), None);
    let of_middle = names.main_tracker(middle).unwrap();
    names.alias(of_middle, "f", (far, "f")).unwrap();
    assert_eq!(names.look_up(library, "f"), Some(1));
}

#[test]
fn an_alias_that_would_stand_for_itself_is_refused_with_the_way() {
    let (mut names, library, main) = one();
    define(&mut names, main, "f", 1);
    names.alias(main, "g", (library, "f")).unwrap();
    let refused = names.alias(main, "f", (library, "g")).unwrap_err();
    assert_eq!(refused.to_string(), "the alias would stand for itself: @f -> @g -> @f");
    assert_eq!(names.look_up(library, "g"), Some(1), "nothing is changed");
    let unknown = names.alias(main, "h", (library, "nothing")).unwrap_err();
    assert_eq!(unknown.to_string(), "nothing is named @nothing");
}

#[test]
fn what_came_in_under_a_key_goes_with_it() {
    let (mut names, library, main) = one();
    let unit = names.add_tracker(library).unwrap();
    define(&mut names, main, "kept", 1);
    define(&mut names, unit, "f", 2);
    define(&mut names, unit, "g", 3);
    names.alias(unit, "h", (library, "f")).unwrap();
    // A definition that took the place of another came in under its own key.
    define(&mut names, main, "g", 4);
    assert_eq!(names.remove_tracker(unit), Ok(vec![2]));
    assert_eq!(names.look_up(library, "h"), None);
    assert_eq!(names.look_up(library, "g"), Some(4));
    assert_eq!(names.remove_tracker(unit), Err(NamesError::NoTracker(unit)));
    assert_eq!(
        names.define(unit, "f", 5, Exported, Strength::Strong),
        Err(NamesError::NoTracker(unit))
    );
    let rest = vec![1, 4];
    assert_eq!(names.remove_tracker(main), Ok(rest));
    assert_eq!(define(&mut names, main, "f", 6), Outcome::Added, "the main key stays");
}

#[test]
fn keys_are_joined_within_a_library() {
    let (mut names, library, main) = one();
    let [first, second] = [(); 2].map(|()| names.add_tracker(library).unwrap());
    define(&mut names, first, "f", 1);
    define(&mut names, second, "g", 2);
    names.transfer(first, second).unwrap();
    assert_eq!(names.transfer(first, second), Err(NamesError::NoTracker(first)));
    names.transfer(second, second).unwrap();
    assert_eq!(names.remove_tracker(second), Ok(vec![1, 2]));
    let other = names.add_library("other").unwrap();
    let foreign = names.add_tracker(other).unwrap();
    assert_eq!(names.transfer(main, foreign), Err(NamesError::ForeignTracker(foreign)));
}

#[test]
fn a_library_that_is_cleared_stays_and_one_that_is_removed_is_seen_by_nobody() {
    let (mut names, library, _) = one();
    let other = names.add_library("other").unwrap();
    let tracker = names.add_tracker(other).unwrap();
    names.link(library, other, Reach::Exports).unwrap();
    define(&mut names, tracker, "f", 1);
    assert_eq!(names.clear(other), Ok(vec![1]));
    assert_eq!(define(&mut names, tracker, "f", 2), Outcome::Added);
    assert_eq!(names.look_up(library, "f"), Some(2));
    assert_eq!(names.add_library("other"), Err(NamesError::Taken("other".into())));
    assert_eq!(names.remove_library(other), Ok(vec![2]));
    assert_eq!(names.look_up(library, "f"), None);
    assert_eq!(names.clear(other), Err(NamesError::NoLibrary(other)));
    assert_eq!(names.add_tracker(other), Err(NamesError::NoLibrary(other)));
    assert_eq!(names.remove_tracker(tracker), Err(NamesError::NoTracker(tracker)));
    let anew = names.add_library("other").unwrap();
    assert_ne!(anew, other, "a handle to the old one means nothing");
}

#[test]
fn an_alias_whose_target_is_gone_cannot_be_closed_to_a_circle() {
    let (mut names, library, main) = one();
    define(&mut names, main, "f", 1);
    names.alias(main, "g", (library, "f")).unwrap();
    names.remove(library, "f").unwrap();
    let refused = names.alias(main, "f", (library, "g")).unwrap_err();
    assert_eq!(refused.to_string(), "the alias would stand for itself: @f -> @g -> @f");
    assert_eq!(names.look_up(library, "g"), None);
}

#[test]
fn a_name_is_an_alias_or_a_definition_whichever_came_last() {
    let (mut names, library, main) = one();
    let unit = names.add_tracker(library).unwrap();
    define(&mut names, main, "f", 1);
    define(&mut names, unit, "g", 2);
    assert_eq!(names.alias(unit, "g", (library, "f")), Ok(Outcome::Replaced(2)));
    assert_eq!(names.look_up(library, "g"), Some(1));
    let kept = names.define(main, "g", 3, Exported, Strength::Weak);
    assert_eq!(kept, Ok(Outcome::Kept(3)), "an alias is not weak");
    assert_eq!(define(&mut names, main, "g", 4), Outcome::Added);
    assert_eq!(names.look_up(library, "g"), Some(4));
    assert_eq!(names.remove_tracker(unit), Ok(vec![]), "the alias was not its any more");
    assert_eq!(names.look_up(library, "g"), Some(4));
}

#[test]
fn places_are_used_again_and_what_stands_there_goes_with_its_own_key() {
    let (mut names, library, main) = one();
    let [first, second] = [(); 2].map(|()| names.add_tracker(library).unwrap());
    for round in 0..200 {
        let value = 2 * round;
        define(&mut names, first, "f", value);
        names.remove(library, "f").unwrap();
        define(&mut names, second, &format!("g{round}"), value + 1);
    }
    define(&mut names, main, "g7", 1000);
    assert_eq!(names.remove_tracker(first), Ok(vec![]));
    let rest = names.remove_tracker(second).unwrap();
    assert_eq!(rest.len(), 199, "all but the one that came in anew");
    assert_eq!(names.look_up(library, "g7"), Some(1000));
}

#[test]
fn a_hundred_thousand_names_take_a_few_bytes_each_and_are_all_found() {
    let (mut names, library, main) = one();
    let count = 100_000;
    for value in 0..count {
        define(&mut names, main, &format!("function.{value}"), value);
    }
    assert!(
        (0..count)
            .all(|value| { names.look_up(library, &format!("function.{value}")) == Some(value) })
    );
    assert!(names.bytes() <= 36 * count as usize, "{}", names.bytes() / count as usize);
}

#[test]
fn a_definition_is_taken_out_as_what_it_is_though_its_name_is_forgotten() {
    let (mut names, library, main) = one();
    let other = names.add_library("other").unwrap();
    define(&mut names, main, "f", 1);
    names.known.0.clear();
    assert!(!names.take(library, "f", &2), "the name means another");
    assert!(!names.take(other, "f", &1), "it is of another library");
    assert!(names.take(library, "f", &1));
    assert!(!names.take(library, "f", &1));
    assert_eq!(names.definitions(library).count(), 0);
}

#[test]
fn a_library_knows_what_it_defines_itself_and_what_it_sees() {
    let (mut names, library, main) = one();
    let other = names.add_library("other").unwrap();
    let of_other = names.main_tracker(other).unwrap();
    names.link(library, other, Reach::Exports).unwrap();
    define(&mut names, main, "f", 1);
    define(&mut names, of_other, "g", 2);
    names.alias(main, "h", (other, "g")).unwrap();
    let own = |name| names.own(library, name, &names.known).copied();
    assert_eq!((own("f"), own("g"), own("h")), (Some(1), None, None));
    let order: Vec<_> = names.order(library).collect();
    assert_eq!(order, [(library, Reach::All), (other, Reach::Exports)]);
    assert_eq!((names.name_of(other), names.definitions(other).count()), (Some("other"), 1));
}
