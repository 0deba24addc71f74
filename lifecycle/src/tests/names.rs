use crate::names::Visibility::{Exported, Hidden};
use crate::names::{LibraryId, Names, NamesError, Outcome, Reach, Strength, TrackerId};

/// Names that mean numbers, and a library with its main key.
fn one() -> (Names<u32>, LibraryId, TrackerId) {
    let mut names = Names::new();
    let library = names.add_library("main").unwrap();
    let main = names.main_tracker(library).unwrap();
    (names, library, main)
}

fn define(names: &mut Names<u32>, tracker: TrackerId, name: &str, value: u32) -> Outcome<u32> {
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
    let weak = |names: &mut Names<u32>, name, value| {
        names.define(main, name, value, Exported, Strength::Weak).unwrap()
    };
    assert_eq!(weak(&mut names, "f", 1), Outcome::Added);
    assert_eq!(weak(&mut names, "f", 2), Outcome::Kept(2), "of two the first stays");
    assert_eq!(names.strength(library, "f"), Some(Strength::Weak));
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
    assert_eq!(names.exported(other, "f"), None);
    names.link(library, other, Reach::Exports).unwrap();
    assert_eq!(names.look_up(library, "f"), None);
    names.link(library, other, Reach::All).unwrap();
    assert_eq!(names.look_up(library, "f"), Some(1));
}

#[test]
fn an_alias_means_what_its_target_means_at_that_moment() {
    let (mut names, library, main) = one();
    define(&mut names, main, "f", 1);
    assert_eq!(names.alias(main, "g", (library, "f"), Exported), Ok(Outcome::Added));
    assert_eq!(names.alias(main, "h", (library, "g"), Exported), Ok(Outcome::Added));
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
    names.alias(of_middle, "f", (far, "f"), Exported).unwrap();
    assert_eq!(names.look_up(library, "f"), Some(1));
}

#[test]
fn an_alias_that_would_stand_for_itself_is_refused_with_the_way() {
    let (mut names, library, main) = one();
    define(&mut names, main, "f", 1);
    names.alias(main, "g", (library, "f"), Exported).unwrap();
    let refused = names.alias(main, "f", (library, "g"), Exported).unwrap_err();
    assert_eq!(refused.to_string(), "the alias would stand for itself: @f -> @g -> @f");
    assert_eq!(names.look_up(library, "g"), Some(1), "nothing is changed");
    let unknown = names.alias(main, "h", (library, "nothing"), Exported).unwrap_err();
    assert_eq!(unknown.to_string(), "nothing is named @nothing");
}

#[test]
fn what_came_in_under_a_key_goes_with_it() {
    let (mut names, library, main) = one();
    let unit = names.add_tracker(library).unwrap();
    define(&mut names, main, "kept", 1);
    define(&mut names, unit, "f", 2);
    define(&mut names, unit, "g", 3);
    names.alias(unit, "h", (library, "f"), Exported).unwrap();
    // A definition that took the place of another came in under its own key.
    define(&mut names, main, "g", 4);
    assert_eq!(names.remove_tracker(unit), Ok(vec![("f".into(), 2)]));
    assert_eq!(names.look_up(library, "h"), None);
    assert_eq!(names.look_up(library, "g"), Some(4));
    assert_eq!(names.remove_tracker(unit), Err(NamesError::NoTracker(unit)));
    assert_eq!(
        names.define(unit, "f", 5, Exported, Strength::Strong),
        Err(NamesError::NoTracker(unit))
    );
    let rest = vec![("g".into(), 4), ("kept".into(), 1)];
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
    assert_eq!(names.remove_tracker(second), Ok(vec![("f".into(), 1), ("g".into(), 2)]));
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
    assert_eq!(names.clear(other), Ok(vec![("f".into(), 1)]));
    assert_eq!(define(&mut names, tracker, "f", 2), Outcome::Added);
    assert_eq!(names.look_up(library, "f"), Some(2));
    assert_eq!(names.add_library("other"), Err(NamesError::Taken("other".into())));
    assert_eq!(names.remove_library(other), Ok(vec![("f".into(), 2)]));
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
    names.alias(main, "g", (library, "f"), Exported).unwrap();
    names.remove(library, "f").unwrap();
    let refused = names.alias(main, "f", (library, "g"), Exported).unwrap_err();
    assert_eq!(refused.to_string(), "the alias would stand for itself: @f -> @g -> @f");
    assert_eq!(names.look_up(library, "g"), None);
}
