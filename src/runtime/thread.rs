//! Which threads have entered which engine: a record for each pair, found
//! through a thread-local, known to the engine while the thread lives.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use brolga_lifecycle::job::Caller;

use super::environment::Environment;
use super::inside::Inside;
use super::record::{Attention, ThreadRecord};
use super::stack;

/// The records of the threads that have entered one engine.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    records: Mutex<Vec<RecordPointer>>,
}

#[derive(Debug)]
struct RecordPointer(NonNull<ThreadRecord>);

// SAFETY: other threads use the pointer for the atomic poll word alone, under
// the registry's lock, which the owner takes before it frees the record.
unsafe impl Send for RecordPointer {}

impl Registry {
    /// Makes every thread look up at its next poll.
    pub(crate) fn request(&self, attention: Attention) {
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        for record in records.iter() {
            // SAFETY: a registered record is alive; only its atomic is used.
            let word = unsafe { &(*record.0.as_ptr()).poll_word };
            ThreadRecord::request(word, attention);
        }
    }

    fn insert(&self, record: NonNull<ThreadRecord>) {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.push(RecordPointer(record));
    }

    fn remove(&self, record: NonNull<ThreadRecord>) {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        records.retain(|known| known.0 != record);
    }
}

/// This thread's record of one engine.
struct LocalRecord {
    /// Does not keep the engine alive: a handle or an activation does.
    environment: Weak<Environment>,
    record: NonNull<ThreadRecord>,
}

impl Drop for LocalRecord {
    fn drop(&mut self) {
        if let Some(environment) = self.environment.upgrade() {
            environment.registry.remove(self.record);
            // SAFETY: the record is this thread's, which is outside.
            environment.epochs.unregister(unsafe { &(*self.record.as_ptr()).pin });
        }
        // SAFETY: the record was leaked from a box by `make_record`, is
        // registered no longer, and no activation of this thread is left: the
        // thread ends, or the engine is gone.
        drop(unsafe { Box::from_raw(self.record.as_ptr()) });
    }
}

thread_local! {
    /// Never dropped, but emptied by [`ThreadEnd`].
    static RECORDS: RefCell<ManuallyDrop<Vec<LocalRecord>>> =
        const { RefCell::new(ManuallyDrop::new(Vec::new())) };
    static END: ThreadEnd = const { ThreadEnd };
}

/// Frees the records of a thread when that ends.
struct ThreadEnd;

impl Drop for ThreadEnd {
    fn drop(&mut self) {
        // The first thread ends when the process exits, which may stand under compiled code,
        // and C's library goes on to call what it was given by `atexit`.
        if !stack::is_first_thread() {
            let records = RECORDS.with(|records| std::mem::take(&mut **records.borrow_mut()));
            drop(records);
        }
    }
}

/// Permission to run compiled code of an engine on this thread.
#[derive(Debug)]
pub(crate) struct ThreadEntry {
    record: NonNull<ThreadRecord>,
}

impl ThreadEntry {
    /// The record of this thread, made at its first entry; `None` while the
    /// thread is being torn down.
    pub(crate) fn of(environment: &Arc<Environment>) -> Option<ThreadEntry> {
        let found = RECORDS.with(|records| {
            let records = records.borrow();
            let same = |local: &&LocalRecord| {
                std::ptr::eq(local.environment.as_ptr(), Arc::as_ptr(environment))
            };
            records.iter().find(same).map(|local| local.record)
        });
        let record = match found {
            Some(record) => record,
            None => {
                // Whoever frees the record must still be there to do so.
                END.try_with(|_| ()).ok()?;
                make_record(environment)
            }
        };
        Some(ThreadEntry { record })
    }

    /// This thread's copy of the thread-local object of that index; `None` if
    /// there is no memory for it.
    pub(crate) fn local_copy(
        &self,
        index: usize,
        environment: &Environment,
    ) -> Option<NonNull<u8>> {
        // SAFETY: the record is this thread's; compiled code of it does not run now.
        let record = unsafe { &mut *self.record.as_ptr() };
        record.locals.get(index).or_else(|| record.locals.make(index, &environment.thread_locals))
    }

    /// Keeps what the thread finds inside of the engine, though it calls nothing.
    pub(crate) fn stay<'a>(&self, environment: &'a Environment) -> Stay<'a> {
        // SAFETY: the record is this thread's; compiled code of it does not run now.
        unsafe { (*self.record.as_ptr()).enter(&environment.epochs, Inside::begin_stay) };
        Stay { record: self.record, environment: PhantomData }
    }

    /// The number by which the thread waits for what others compile.
    pub(crate) fn caller(&self) -> Caller {
        // SAFETY: the record is this thread's; compiled code of it does not run now.
        unsafe { (*self.record.as_ptr()).caller }
    }

    /// Has the thread wait as another, which waits for it: what that must not wait for, this
    /// must not either.
    pub(crate) fn act_for(&self, caller: Caller) {
        // SAFETY: as above.
        unsafe { (*self.record.as_ptr()).caller = caller };
    }

    /// The record.
    pub(crate) fn record(&self) -> NonNull<ThreadRecord> {
        self.record
    }
}

/// While it is there, its thread keeps what it has found inside.
#[derive(Debug)]
pub(crate) struct Stay<'a> {
    record: NonNull<ThreadRecord>,
    environment: PhantomData<&'a Environment>,
}

impl Stay<'_> {
    /// What tells the thread from others.
    pub(crate) fn caller(&self) -> Caller {
        // SAFETY: the record is this thread's, and never changes there.
        unsafe { (*self.record.as_ptr()).caller }
    }
}

impl Drop for Stay<'_> {
    fn drop(&mut self) {
        // SAFETY: as for the stay itself.
        unsafe { (*self.record.as_ptr()).leave(Inside::end_stay) };
    }
}

/// This thread's record of the engine that `stub` belongs to.
pub(super) fn record_of_stub(stub: u64) -> Option<NonNull<ThreadRecord>> {
    RECORDS.with(|records| {
        let records = records.borrow();
        let owns = |local: &&LocalRecord| {
            // SAFETY: the record is this thread's and alive; the two fields
            // never change.
            let (base, bytes) = unsafe {
                let record = local.record.as_ptr();
                ((*record).stub_base, (*record).stub_bytes)
            };
            // Another engine may stand by now where one that is gone stood.
            stub.wrapping_sub(base) < bytes && local.environment.strong_count() > 0
        };
        records.iter().find(owns).map(|local| local.record)
    })
}

/// Makes the record of this thread, and frees those of engines that are gone.
fn make_record(environment: &Arc<Environment>) -> NonNull<ThreadRecord> {
    let limit = stack::limit_of_this_thread() as u64;
    let record = NonNull::from(Box::leak(Box::new(ThreadRecord::new(environment, limit))));
    environment.registry.insert(record);
    // SAFETY: the record has just been made, and nobody else knows it but for its poll word.
    environment.epochs.register(unsafe { &(*record.as_ptr()).pin });
    let local = LocalRecord { environment: Arc::downgrade(environment), record };
    let gone = RECORDS.with(|records| {
        let mut records = records.borrow_mut();
        let gone: Vec<_> =
            records.extract_if(.., |local| local.environment.strong_count() == 0).collect();
        records.push(local);
        gone
    });
    drop(gone);
    record
}
