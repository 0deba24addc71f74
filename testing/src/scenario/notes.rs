//! What functions tell while they run, and whether it was allowed.
//!
//! A function that goes round a loop tells when it begins and ends, and after each round what
//! it was given: by the function that it calls, and by that which this calls. Whoever cannot be
//! taken over is called in that round. A body that was taken over belongs to the activation of
//! the function that took it over, which may have been entered when that one told last that
//! something happened before it began, and no earlier.

use std::ops::AddAssign;

use super::function::{BEGINS, ENDS, is_apart, name_of};
use super::history::{History, Meaning, Moment, Span};

/// What was told.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    /// The stamp of the function that tells.
    pub(super) by: i64,
    /// The name that it has called, or [`BEGINS`] or [`ENDS`].
    pub(super) what: i64,
    /// What that has given: its stamp, and that of the function that it called in turn.
    pub(super) given: [i64; 2],
    /// When.
    pub(super) at: Moment,
}

/// How many answers of rounds were looked at.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Answers {
    /// Of functions that are called in each round.
    pub called: u64,
    /// Of functions that may have been taken over.
    pub taken_over: u64,
    /// Of these, such as would be too old of a function that was called in that round.
    pub kept: u64,
}

impl AddAssign for Answers {
    fn add_assign(&mut self, other: Answers) {
        self.called += other.called;
        self.taken_over += other.taken_over;
        self.kept += other.kept;
    }
}

/// A function that goes round its loop.
struct Frame {
    by: i64,
    /// No later than the activation began that its code belongs to.
    began: Moment,
    /// When it told something last.
    told: Moment,
}

/// Checks what was told during a call that began then.
///
/// # Errors
/// What was not allowed.
pub(super) fn check(history: &History, from: Moment, notes: &[Note]) -> Result<Answers, String> {
    let mut answers = Answers::default();
    let mut frames: Vec<Frame> = Vec::new();
    let mut before = from;
    for note in notes {
        match (note.what, frames.last_mut()) {
            (BEGINS, last) => {
                // Code that others may take over belongs to whose activation that is.
                let around = last.map_or(from, |frame| frame.began);
                let began = if is_apart(name_of(note.by)) { before } else { around };
                frames.push(Frame { by: note.by, began, told: note.at });
            }
            (ENDS, Some(frame)) if frame.by == note.by => {
                frames.pop();
            }
            (callee, Some(frame)) if frame.by == note.by && callee >= 0 => {
                answers += round(history, frame, note).map_err(|fault| {
                    format!("in a call since {from} that told {notes:?}, {fault}")
                })?;
                frame.told = note.at;
            }
            _ => return Err(format!("{note:?} comes from no loop that runs: {notes:?}")),
        }
        before = note.at;
    }
    Ok(answers)
}

/// Checks what a round was given.
fn round(history: &History, frame: &Frame, note: &Note) -> Result<Answers, String> {
    let mut answers = Answers::default();
    let mut is_called = false;
    let [callee, next] = note.given;
    for (name, stamp) in [(note.what as usize, callee), (name_of(next), next)] {
        // Nobody was called by a function that calls none.
        if stamp == 0 {
            break;
        }
        // What is called in this round was entered in it, with all that it has taken over.
        is_called |= is_apart(name);
        let span = |from| Span { from, to: note.at };
        let now = history.check(name, Meaning::Function(stamp), span(frame.told));
        match is_called {
            true => {
                now?;
                answers.called += 1;
            }
            false => {
                history.check(name, Meaning::Function(stamp), span(frame.began))?;
                answers.taken_over += 1;
                answers.kept += u64::from(now.is_err());
            }
        }
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::super::function::stamp_of;
    use super::*;

    /// A name that nobody takes over, and two that may be.
    const APART: usize = 2;
    const INLINED: [usize; 2] = [0, 1];

    fn told(history: &History, by: i64, what: i64, given: [i64; 2]) -> Note {
        Note { by, what, given, at: history.now() }
    }

    fn define(history: &History, name: usize, serial: i64) -> i64 {
        let stamp = stamp_of(serial, name);
        let began = history.begin_change(&[(name, Meaning::Function(stamp))]);
        history.end_change([name], began);
        stamp
    }

    #[test]
    fn names_are_what_the_tests_take_them_for() {
        assert!(is_apart(APART));
        assert!(INLINED.iter().all(|&name| !is_apart(name)));
    }

    #[test]
    fn what_is_called_in_a_round_is_none_that_was_over_before_it() {
        let history = History::new(4, 1);
        let from = history.begin_call(0);
        let by = stamp_of(1, INLINED[0]);
        let old = define(&history, APART, 2);
        let mut notes = vec![told(&history, by, BEGINS, [0, 0])];
        let new = define(&history, APART, 3);
        notes.push(told(&history, by, APART as i64, [old, 0]));
        assert_eq!(check(&history, from, &notes).map(|it| it.called), Ok(1), "it came meanwhile");
        notes.push(told(&history, by, APART as i64, [new, 0]));
        notes.push(told(&history, by, ENDS, [0, 0]));
        assert_eq!(check(&history, from, &notes).map(|it| it.called), Ok(2));
        notes[2].given = [old, 0];
        assert!(check(&history, from, &notes).is_err(), "the round before had told of another");
    }

    #[test]
    fn what_was_taken_over_stays_as_long_as_the_activation_that_it_belongs_to() {
        let history = History::new(4, 1);
        let old = define(&history, INLINED[0], 1);
        let from = history.begin_call(0);
        let outer = stamp_of(1, INLINED[1]);
        let new = define(&history, INLINED[0], 2);
        let body = [told(&history, outer, BEGINS, [0, 0]), told(&history, outer, 0, [old, 0])];
        let kept = check(&history, from, &body).unwrap();
        assert_eq!(kept, Answers { called: 0, taken_over: 1, kept: 1 });
        // The same by a function that is entered behind the change.
        let own = stamp_of(1, APART);
        let notes = [
            told(&history, outer, BEGINS, [0, 0]),
            told(&history, own, BEGINS, [0, 0]),
            told(&history, own, 0, [old, 0]),
        ];
        assert!(check(&history, from, &notes).is_err(), "it was entered behind the change");
        let notes = [notes[0], notes[1], Note { given: [new, 0], ..notes[2] }];
        assert!(check(&history, from, &notes).is_ok());
    }

    #[test]
    fn what_a_called_function_has_taken_over_is_of_that_round() {
        let history = History::new(4, 1);
        let old = define(&history, INLINED[0], 1);
        let callee = define(&history, APART, 1);
        let from = history.begin_call(0);
        define(&history, INLINED[0], 2);
        let by = stamp_of(1, INLINED[1]);
        let notes =
            [told(&history, by, BEGINS, [0, 0]), told(&history, by, APART as i64, [callee, old])];
        assert!(check(&history, from, &notes).is_err(), "it was entered behind the change");
        let notes = [notes[0], Note { given: [callee, 0], ..notes[1] }];
        assert!(check(&history, from, &notes).is_ok());
        let strangers = [notes[0], Note { by: callee, ..notes[1] }];
        assert!(check(&history, from, &strangers).is_err(), "nobody told that it begins");
    }
}
