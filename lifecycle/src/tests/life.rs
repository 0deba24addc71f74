//! Each cell of the table.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::job::{Caller, Job};
use crate::life::{Begin, Change, Dependent, Life, Slot, Stale, Started, Undefined};

type Numbers = Life<&'static str, u32, &'static str, Arc<Entry>>;

/// Where callers are led: 0 is the path that resolves.
#[derive(Default)]
struct Entry(AtomicU32);

impl Slot<u32> for Entry {
    fn lead_through(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    fn lead_to(&self, code: &u32) {
        self.0.store(*code, Ordering::Relaxed);
    }
}

impl Entry {
    fn leads_to(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

const ME: Caller = Caller(1);

/// A function and its slot, in one of the phases.
struct Subject {
    life: Numbers,
    slot: Arc<Entry>,
}

impl Subject {
    fn undefined() -> Subject {
        let subject = Subject { life: Life::new(), slot: Arc::default() };
        assert!(subject.life.set_slot(Arc::clone(&subject.slot)).is_none());
        subject
    }

    fn pending() -> Subject {
        let subject = Subject::undefined();
        assert_eq!(subject.define("v1"), Change { source: None, code: None, dependents: vec![] });
        subject
    }

    fn compiling() -> (Subject, Started<&'static str>) {
        let subject = Subject::pending();
        let started = subject.start();
        (subject, started)
    }

    fn ready() -> (Subject, Arc<Job>) {
        let (subject, started) = Subject::compiling();
        assert_eq!(subject.life.publish(&started.job, 1), Ok(None));
        (subject, started.job)
    }

    fn failed() -> Subject {
        let (subject, started) = Subject::compiling();
        subject.life.fail(&started.job, "too large");
        subject
    }

    fn define(&self, source: &'static str) -> Change<&'static str, u32> {
        self.life.define(source)
    }

    fn remove(&self) -> Result<Change<&'static str, u32>, Undefined> {
        self.life.remove()
    }

    fn start(&self) -> Started<&'static str> {
        match self.life.begin(ME) {
            Begin::Compile(started) => started,
            other => panic!("{other:?}"),
        }
    }

    fn source(&self) -> Option<&'static str> {
        self.life.source().map(|(source, _)| source)
    }

    /// Whether the definition is `v2`, and nothing is made of it.
    fn is_pending_anew(&self) -> bool {
        let leads_to = self.slot.leads_to();
        leads_to == 0 && self.start().source == "v2"
    }
}

fn change(source: &'static str, code: Option<u32>) -> Change<&'static str, u32> {
    Change { source: Some(source), code, dependents: vec![] }
}

#[test]
fn define_makes_it_pending_in_every_phase() {
    assert!(matches!(Subject::undefined().life.begin(ME), Begin::Undefined));

    let subject = Subject::pending();
    assert_eq!(subject.define("v2"), change("v1", None));
    assert!(subject.is_pending_anew());

    let (subject, started) = Subject::compiling();
    assert_eq!(subject.define("v2"), change("v1", None));
    assert!(started.job.is_over(), "who waits goes on with the new version");
    assert!(subject.is_pending_anew());

    let (subject, _) = Subject::ready();
    assert_eq!(subject.slot.leads_to(), 1);
    assert_eq!(subject.define("v2"), change("v1", Some(1)));
    assert!(subject.is_pending_anew());

    let subject = Subject::failed();
    assert_eq!(subject.define("v2"), change("v1", None));
    assert!(subject.is_pending_anew());
}

#[test]
fn the_first_call_finds_what_there_is_to_do() {
    assert!(matches!(Subject::undefined().life.begin(ME), Begin::Undefined));
    let (subject, started) = Subject::compiling();
    assert_eq!(started.source, "v1");
    assert!(
        matches!(subject.life.begin(Caller(2)), Begin::Wait(job) if Arc::ptr_eq(&job, &started.job))
    );
    assert!(matches!(Subject::ready().0.life.begin(ME), Begin::Ready(1)));
    assert!(matches!(Subject::failed().life.begin(ME), Begin::Failed("too large")));
}

#[test]
fn remove_leaves_nothing_in_every_phase() {
    assert_eq!(Subject::undefined().remove(), Err(Undefined));

    let subject = Subject::pending();
    assert_eq!(subject.remove(), Ok(change("v1", None)));
    assert!(matches!(subject.life.begin(ME), Begin::Undefined));

    let (subject, started) = Subject::compiling();
    assert_eq!(subject.remove(), Ok(change("v1", None)));
    assert!(started.job.is_over());
    assert!(matches!(subject.life.begin(ME), Begin::Undefined));

    let (subject, _) = Subject::ready();
    assert_eq!(subject.remove(), Ok(change("v1", Some(1))));
    assert_eq!(subject.slot.leads_to(), 0);
    assert!(matches!(subject.life.begin(ME), Begin::Undefined));

    let subject = Subject::failed();
    assert_eq!(subject.remove(), Ok(change("v1", None)));
    assert_eq!(subject.source(), None);
}

#[test]
fn a_compile_that_ends_counts_while_its_job_is_the_one() {
    // Each way in which the job stops being the one, and what is there then.
    type Event = fn(&Subject);
    let events: [Event; 4] = [
        |subject| drop(subject.define("v2")),
        |subject| drop(subject.remove()),
        |subject| {
            subject.life.invalidate(u64::MAX);
        },
        |subject| {
            let _ = subject.define("v2");
            drop(subject.start());
        },
    ];
    for (number, event) in events.into_iter().enumerate() {
        let (subject, started) = Subject::compiling();
        event(&subject);
        assert_eq!(subject.life.publish(&started.job, 9), Err(9), "event {number}");
        assert_eq!(subject.slot.leads_to(), 0, "event {number}");
        subject.life.fail(&started.job, "late");
        assert!(!matches!(subject.life.begin(ME), Begin::Failed(_)), "event {number}");
    }
    let (subject, job) = Subject::ready();
    assert!(job.is_over());
    assert_eq!(subject.life.publish(&job, 9), Err(9), "a job ends once");
    subject.life.fail(&job, "late");
    assert_eq!(subject.life.code(), Some(1));
}

#[test]
fn a_failure_stays_until_it_is_tried_again() {
    let subject = Subject::failed();
    assert_eq!(subject.source(), Some("v1"));
    assert!(subject.life.retry());
    assert!(!subject.life.retry(), "nothing has failed now");
    let started = subject.start();
    assert_eq!(subject.life.publish(&started.job, 2), Ok(None));
    assert_eq!(subject.slot.leads_to(), 2);
}

#[test]
fn a_job_that_is_given_back_is_begun_again() {
    let (subject, started) = Subject::compiling();
    subject.life.abandon(&started.job);
    assert!(started.job.is_over());
    let again = subject.start();
    assert_ne!(again.job.stamp(), started.job.stamp());
}

#[test]
fn an_upgrade_leaves_the_entry_until_it_is_ready() {
    for subject in [Subject::undefined(), Subject::pending(), Subject::failed()] {
        assert!(matches!(subject.life.begin_upgrade(ME, |_| true), Err(Stale)));
    }
    let (subject, _) = Subject::ready();
    let started = subject.life.begin_upgrade(ME, |_| true).unwrap();
    assert_eq!(started.source, "v1");
    assert_eq!(subject.slot.leads_to(), 1);
    assert!(matches!(subject.life.begin_upgrade(Caller(2), |_| true), Err(Stale)), "one at a time");
    assert!(matches!(subject.life.begin(ME), Begin::Ready(1)));
    assert_eq!(subject.life.publish(&started.job, 2), Ok(Some(1)));
    assert_eq!(subject.slot.leads_to(), 2);
}

#[test]
fn an_upgrade_of_other_code_than_there_is_does_not_begin() {
    let (subject, _) = Subject::ready();
    assert!(matches!(subject.life.begin_upgrade(ME, |&code| code == 2), Err(Stale)));
    assert!(subject.life.begin_upgrade(ME, |&code| code == 1).is_ok());
}

#[test]
fn an_upgrade_that_fails_leaves_what_there_is() {
    let (subject, _) = Subject::ready();
    let started = subject.life.begin_upgrade(ME, |_| true).unwrap();
    subject.life.fail(&started.job, "too large");
    assert_eq!(subject.life.code(), Some(1));
    assert!(subject.life.begin_upgrade(ME, |_| true).is_ok(), "it may be tried again");
}

#[test]
fn an_upgrade_of_what_is_gone_is_discarded() {
    let (subject, _) = Subject::ready();
    let started = subject.life.begin_upgrade(ME, |_| true).unwrap();
    let _ = subject.define("v2");
    assert!(started.job.is_over());
    let anew = subject.start();
    assert_eq!(subject.life.publish(&anew.job, 3), Ok(None));
    assert_eq!(subject.life.publish(&started.job, 2), Err(2));
    assert_eq!(subject.slot.leads_to(), 3);
}

#[test]
fn dependents_are_told_once_and_of_the_version_that_they_have() {
    let (subject, _) = Subject::ready();
    let (_, version) = subject.life.source().unwrap();
    let dependent = Dependent { function: 7, stamp: 4 };
    assert_eq!(subject.life.depend(version, dependent), Ok(()));
    assert_eq!(subject.define("v2").dependents, [dependent]);
    assert_eq!(subject.life.depend(version, dependent), Err(Stale));
    assert_eq!(subject.remove().unwrap().dependents, []);
}

#[test]
fn dependents_that_come_again_and_again_take_no_more_room() {
    let (subject, _) = Subject::ready();
    let (_, version) = subject.life.source().unwrap();
    for stamp in 0..1_000 {
        for function in 0..10 {
            subject.life.depend(version, Dependent { function, stamp }).unwrap();
        }
    }
    let told = subject.define("v2").dependents;
    assert!(told.len() < 50, "{}", told.len());
    for function in 0..10 {
        assert!(told.contains(&Dependent { function, stamp: 999 }), "{function}");
    }
}

#[test]
fn code_with_an_old_body_in_it_is_taken_back() {
    let (subject, job) = Subject::ready();
    assert_eq!(subject.life.invalidate(job.stamp() - 1), None);
    assert_eq!(subject.slot.leads_to(), 1, "this code is younger");
    let upgrade = subject.life.begin_upgrade(ME, |_| true).unwrap().job;
    assert_eq!(subject.life.invalidate(job.stamp()), Some(1));
    assert_eq!(subject.slot.leads_to(), 0);
    assert!(upgrade.is_over());
    assert_eq!(subject.start().source, "v1", "the definition is the same");
}

#[test]
fn jobs_that_have_taken_an_old_body_over_are_over() {
    let (subject, started) = Subject::compiling();
    assert_eq!(subject.life.invalidate(started.job.stamp()), None);
    assert!(started.job.is_over());
    assert_eq!(subject.start().source, "v1");

    for phase in [Subject::undefined(), Subject::pending(), Subject::failed()] {
        assert_eq!(phase.life.invalidate(u64::MAX), None);
    }
}

/// An edge of an upgrade speaks for the code before it, which may have the same body in it.
#[test]
fn code_whose_upgrade_failed_is_still_taken_back() {
    let (subject, _) = Subject::ready();
    let upgrade = subject.life.begin_upgrade(ME, |_| true).unwrap().job;
    subject.life.fail(&upgrade, "too large");
    assert_eq!(subject.life.invalidate(upgrade.stamp()), Some(1));
}

#[test]
fn a_function_takes_few_bytes() {
    type Real = Life<Arc<()>, Arc<()>, Arc<()>, Arc<Entry>>;
    assert!(size_of::<Real>() <= 72, "{}", size_of::<Real>());
}

#[test]
fn a_function_that_nobody_has_called_takes_eight_words() {
    // A source is a module and a number in it.
    type Lazy = Life<(Arc<()>, u32), Arc<()>, Arc<()>, Arc<Entry>>;
    assert!(size_of::<Lazy>() <= 64, "{}", size_of::<Lazy>());
}

#[test]
fn code_that_comes_with_its_definition_is_entered_at_once() {
    let subject = Subject::undefined();
    assert!(!subject.life.is_defined());
    let change = subject.life.install("v1", 7);
    assert_eq!(change, Change { source: None, code: None, dependents: vec![] });
    assert_eq!((subject.slot.leads_to(), subject.life.code()), (7, Some(7)));
    assert!(subject.life.is_defined());
}

#[test]
fn code_that_comes_with_its_definition_takes_the_place_of_what_is_there() {
    let (subject, _) = Subject::ready();
    let (_, version) = subject.life.source().unwrap();
    let dependent = Dependent { function: 3, stamp: 1 };
    subject.life.depend(version, dependent).unwrap();
    let change = subject.life.install("v2", 7);
    assert_eq!(change, Change { source: Some("v1"), code: Some(1), dependents: vec![dependent] });
    assert_eq!(subject.slot.leads_to(), 7);
    assert_eq!(subject.life.depend(version, dependent), Err(Stale));
}

#[test]
fn a_slot_that_comes_later_leads_where_callers_belong() {
    let (subject, _) = Subject::ready();
    let later: Arc<Entry> = Arc::default();
    let before = subject.life.set_slot(Arc::clone(&later));
    assert!(before.is_some_and(|before| Arc::ptr_eq(&before, &subject.slot)));
    assert_eq!(later.leads_to(), 1);
    let _ = subject.life.remove().unwrap();
    assert_eq!((later.leads_to(), subject.slot.leads_to()), (0, 1));
    assert!(subject.life.take_slot().is_some());
    assert!(subject.life.slot().is_none() && subject.life.with_slot(|slot| slot.is_none()));
    let latest: Arc<Entry> = Arc::new(Entry(AtomicU32::new(7)));
    assert!(subject.life.set_slot(Arc::clone(&latest)).is_none());
    assert_eq!(latest.leads_to(), 0);
}
