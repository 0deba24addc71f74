//! The words that threads share without a lock, under loom: every ordering of memory that the
//! language allows, with up to three threads.

use std::num::NonZeroUsize;

use loom::cell::UnsafeCell;
use loom::thread;

use crate::epoch::{Epochs, Pin};
use crate::holders::Holders;
use crate::instance::{Callee, CodeInstance, Convention, Lost};
use crate::retired::Retired;
use crate::sync::{Arc, AtomicUsize, Ordering};

/// Tries every schedule with at most so many changes of threads that nothing made necessary.
fn explore(changes: usize, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(changes);
    builder.check(model);
}

fn address(value: usize) -> NonZeroUsize {
    NonZeroUsize::new(value).unwrap()
}

/// Machine code, which is written before it is published.
struct Code(UnsafeCell<u32>);

// SAFETY: loom finds it when two threads touch the cell and one of them writes.
unsafe impl Sync for Code {}
// SAFETY: the cell holds a number.
unsafe impl Send for Code {}

impl Code {
    fn new(value: u32) -> Code {
        Code(UnsafeCell::new(value))
    }

    fn write(&self, value: u32) {
        // SAFETY: loom stops the test if anybody reads or writes meanwhile.
        self.0.with_mut(|cell| unsafe { *cell = value });
    }

    fn run(&self) -> u32 {
        // SAFETY: loom stops the test if anybody writes meanwhile.
        self.0.with(|cell| unsafe { *cell })
    }
}

const INVOKE: usize = 0x100;

/// What a reader of [`publication`] may find, and that the code behind it is there.
fn check(instance: &CodeInstance, codes: &[Code; 3]) {
    match instance.read() {
        Callee::Nothing => panic!("it was registered before"),
        Callee::Pending => {}
        Callee::Alone { invoke } => assert!(invoke.get() < INVOKE, "a wrapper stands alone"),
        Callee::Compiled { invoke, pointer, convention } => {
            assert_eq!(convention, Convention::Specialised);
            assert!(invoke.get() >= INVOKE, "{invoke} is no wrapper");
            assert_eq!(codes[pointer.get()].run() as usize, pointer.get());
        }
    }
}

#[test]
fn readers_find_the_old_state_or_all_of_the_new_one() {
    explore(3, || {
        let shared = Arc::new((CodeInstance::new(), [0; 3].map(Code::new)));
        shared.0.register();
        let writer = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (instance, codes) = &*shared;
                codes[1].write(1);
                instance.publish(address(INVOKE), address(1), Convention::Specialised).unwrap();
                codes[2].write(2);
                instance.replace(address(2));
            })
        };
        check(&shared.0, &shared.1);
        check(&shared.0, &shared.1);
        writer.join().unwrap();
    });
}

#[test]
fn of_two_writers_one_publishes_and_the_other_finds_it_done() {
    explore(3, || {
        let shared = Arc::new((CodeInstance::new(), [0; 3].map(Code::new)));
        shared.0.register();
        let write = |shared: &(CodeInstance, [Code; 3]), number: usize| {
            let (instance, codes) = shared;
            codes[number].write(number as u32);
            let invoke = address(INVOKE + number);
            let published = instance.publish(invoke, address(number), Convention::Specialised);
            let Callee::Compiled { invoke, pointer, .. } = instance.read() else {
                panic!("nothing is published")
            };
            assert_eq!(invoke.get() - INVOKE, pointer.get());
            assert_eq!(codes[pointer.get()].run() as usize, pointer.get());
            assert_eq!(published.is_ok(), pointer.get() == number);
            published
        };
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || write(&shared, 1))
        };
        let mine = write(&shared, 2);
        assert_ne!(mine, other.join().unwrap());
    });
}

#[test]
fn code_may_come_while_an_interpreter_is_called() {
    explore(3, || {
        let shared = Arc::new((CodeInstance::new(), [0; 3].map(Code::new)));
        shared.0.register();
        let interpreter = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.0.publish_alone(address(0x80)))
        };
        let compiler = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.1[1].write(1);
                shared.0.publish(address(INVOKE), address(1), Convention::Specialised)
            })
        };
        match shared.0.read() {
            // The pointer may stand before the interpreter's word does.
            Callee::Compiled { pointer, .. } => assert_eq!(shared.1[pointer.get()].run(), 1),
            Callee::Alone { invoke } => assert_eq!(invoke, address(0x80)),
            Callee::Pending => {}
            Callee::Nothing => panic!("it was registered before"),
        }
        let _: Result<(), Lost> = interpreter.join().unwrap();
        assert_eq!(compiler.join().unwrap(), Ok(()));
    });
}

/// An engine of two bodies: the slot leads to the first, then to the second.
struct Freeing {
    epochs: Epochs,
    retired: Retired<usize>,
    slot: AtomicUsize,
    codes: [Code; 2],
    /// Who holds the first.
    holders: Holders,
}

const FREED: u32 = 99;

impl Freeing {
    fn new() -> Arc<Freeing> {
        Arc::new(Freeing {
            epochs: Epochs::new(),
            retired: Retired::new(),
            slot: AtomicUsize::new(0),
            codes: [7, 8].map(Code::new),
            holders: Holders::new(),
        })
    }

    fn call(&self, pin: &Pin) {
        self.epochs.enter(pin);
        let code = &self.codes[self.slot.load(Ordering::Acquire)];
        assert_ne!(code.run(), FREED, "a thread was inside of freed code");
        Epochs::leave(pin);
    }

    fn replace(&self) {
        self.slot.store(1, Ordering::Release);
        self.retired.retire(&self.epochs, 0);
    }

    fn collect(&self) {
        for number in self.retired.collect(&self.epochs, usize::MAX) {
            self.codes[number].write(FREED);
        }
    }
}

#[test]
fn code_is_freed_when_nobody_is_inside() {
    explore(3, || {
        let freeing = Freeing::new();
        let pin = Arc::new(Pin::new());
        freeing.epochs.register(&pin);
        let caller = {
            let freeing = Arc::clone(&freeing);
            thread::spawn(move || {
                freeing.call(&pin);
                freeing.call(&pin);
            })
        };
        freeing.replace();
        freeing.collect();
        caller.join().unwrap();
        freeing.collect();
        assert!(freeing.retired.is_empty());
    });
}

#[test]
fn what_is_retired_while_pins_are_read_is_not_free() {
    explore(3, || {
        let freeing = Freeing::new();
        let pin = Arc::new(Pin::new());
        freeing.epochs.register(&pin);
        // Something waits, so that the collector looks at the pins.
        freeing.retired.retire(&freeing.epochs, 1);
        let caller = {
            let freeing = Arc::clone(&freeing);
            thread::spawn(move || freeing.call_first(&pin))
        };
        let collector = {
            let freeing = Arc::clone(&freeing);
            thread::spawn(move || freeing.collect_first())
        };
        freeing.replace();
        caller.join().unwrap();
        collector.join().unwrap();
    });
}

impl Freeing {
    /// Calls, if the slot still leads to the first body.
    fn call_first(&self, pin: &Pin) {
        self.epochs.enter(pin);
        if self.slot.load(Ordering::Acquire) == 0 {
            assert_ne!(self.codes[0].run(), FREED, "a thread was inside of freed code");
        }
        Epochs::leave(pin);
    }

    /// Frees the first body alone.
    fn collect_first(&self) {
        for number in self.retired.collect(&self.epochs, usize::MAX) {
            if number == 0 {
                self.codes[0].write(FREED);
            }
        }
    }
}

impl Freeing {
    /// Stays inside of what it finds, and says that it does.
    fn stay(&self, pin: &Pin) {
        self.epochs.enter(pin);
        let is_first = self.slot.load(Ordering::Acquire) == 0;
        if is_first {
            self.holders.hold();
        }
        self.epochs.renew(pin);
        if is_first {
            assert_ne!(self.codes[0].run(), FREED, "a thread was inside of freed code");
            self.holders.release();
        }
        Epochs::leave(pin);
    }

    /// Frees the first body, unless somebody holds it: that is taken out once more.
    fn collect_held(&self) {
        for number in self.retired.collect(&self.epochs, usize::MAX) {
            match self.holders.is_held() {
                true => self.retired.retire(&self.epochs, number),
                false => self.codes[number].write(FREED),
            }
        }
    }
}

#[test]
fn what_a_thread_holds_that_has_renewed_its_pin_is_not_free() {
    explore(3, || {
        let freeing = Freeing::new();
        let pin = Arc::new(Pin::new());
        freeing.epochs.register(&pin);
        let caller = {
            let freeing = Arc::clone(&freeing);
            thread::spawn(move || freeing.stay(&pin))
        };
        freeing.replace();
        freeing.collect_held();
        freeing.collect_held();
        caller.join().unwrap();
        freeing.collect_held();
        assert!(freeing.retired.is_empty());
    });
}
