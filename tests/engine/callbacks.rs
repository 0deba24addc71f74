//! Addresses of compiled functions in the hands of others.

use std::sync::{Arc, Mutex};
use std::thread;

use brolga::ir::report::Trap;
use brolga::ir::trap::TrapCode;
use brolga::lowering::options::Polls;
use brolga::{CallError, Config, Engine, Observer, WeakEngine};

type Address = extern "C" fn(i64) -> i64;

const MODULE: &str = "
import @hand_out(ptr, i64) -> i64
func @divide(i64) -> i64 {
entry(%n: i64):
    %q = sdiv.i64 100, %n
    return %q
}
func @run(i64) -> i64 {
entry(%n: i64):
    %f = function_addr.fn(i64) -> i64 @divide
    %p = function_to_ptr.fn(i64) -> i64 %f
    %r = call @hand_out(%p, %n)
    return %r
}
func @spin(i64) -> i64 {
entry(%n: i64):
    jump loop(0)
loop(%i: i64):
    %x = call @run(%n)
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j), end
end:
    return %j
}
func @hand_out_spin(i64) -> i64 {
entry(%n: i64):
    %f = function_addr.fn(i64) -> i64 @spin
    %p = function_to_ptr.fn(i64) -> i64 %f
    %r = call @hand_out(%p, %n)
    return %r
}
func @five() -> i64 {
entry:
    return 5
}";

fn engine(
    hand_out: impl Fn(Address, i64) -> Result<i64, CallError> + Send + Sync + 'static,
) -> Engine {
    engine_of(Config::default(), hand_out)
}

fn engine_of(
    config: Config,
    hand_out: impl Fn(Address, i64) -> Result<i64, CallError> + Send + Sync + 'static,
) -> Engine {
    let engine = Engine::new(config).unwrap();
    let host = move |address: *const (), n: i64| {
        // SAFETY: what the module hands out is the address of such a function.
        let address = unsafe { std::mem::transmute::<*const (), Address>(address) };
        hand_out(address, n)
    };
    engine.define_host("hand_out", host).unwrap();
    // SAFETY: the module hands its address to the function above alone.
    unsafe { engine.load_unsafe(MODULE) }.unwrap();
    engine
}

fn run(engine: &Engine, n: i64) -> Result<i64, CallError> {
    engine.func::<(i64,), i64>("run").unwrap().call((n,))
}

fn code(result: &Result<i64, CallError>) -> TrapCode {
    result.as_ref().unwrap_err().trap().unwrap().code
}

#[test]
fn a_function_is_called_by_its_address() {
    let engine = engine(|address, n| Ok(address(n) + 1));
    assert_eq!(run(&engine, 5).unwrap(), 21);
}

#[test]
fn an_interrupt_that_meets_nobody_stops_no_later_callback() {
    let address = Arc::new(Mutex::new(None));
    let handed = Arc::clone(&address);
    let config = Config { polls: Polls::LoopsAndEntries, ..Config::default() };
    let engine = engine_of(config, move |address, n| {
        *handed.lock().unwrap() = Some(address);
        Ok(n)
    });
    run(&engine, 5).unwrap();
    let divide = address.lock().unwrap().unwrap();
    let elsewhere = thread::scope(|scope| {
        let called = scope.spawn(|| {
            let first = divide(5);
            engine.interrupt();
            [first, divide(4), divide(2)]
        });
        called.join().unwrap()
    });
    assert_eq!(elsewhere, [20, 25, 50]);
}

#[test]
fn what_stops_under_an_address_comes_back_whatever_the_host_makes_of_it() {
    let succeeds = engine(|address, n| Ok(address(n) + 1));
    assert_eq!(code(&run(&succeeds, 0)), TrapCode::DivisionByZero);
    assert_eq!(run(&succeeds, 5).unwrap(), 21);
    let panics = engine(|address, n| panic!("{}", address(n)));
    assert_eq!(code(&run(&panics, 0)), TrapCode::DivisionByZero);
    assert_eq!(code(&run(&panics, 5)), TrapCode::HostError);
}

#[test]
fn calls_of_the_engine_between_a_trap_and_its_caller_are_their_own() {
    let slot: &'static Mutex<Option<Engine>> = Box::leak(Box::new(Mutex::new(None)));
    let engine = engine(move |address, n| {
        assert_eq!(address(n), 0, "it traps");
        let engine = slot.lock().unwrap().clone().unwrap();
        // A call that works, calls the host, or stops is not taken for the
        // one that is waiting, and does not take its place.
        assert_eq!(engine.func::<(), i64>("five").unwrap().call(()).unwrap(), 5);
        assert_eq!(engine.func::<(i64,), i64>("divide").unwrap().call((50,)).unwrap(), 2);
        let inner = engine.func::<(i64,), i64>("divide").unwrap().call((0,)).unwrap_err();
        assert_eq!(inner.trap().unwrap().frames.len(), 1);
        assert_eq!(address(5), 0, "nothing runs before the trap has arrived");
        Ok(n)
    });
    *slot.lock().unwrap() = Some(engine.clone());
    for _ in 0..10 {
        let error = run(&engine, 0).unwrap_err();
        let trap = error.trap().unwrap();
        let frames: Vec<_> = trap.frames.iter().map(|frame| &*frame.function).collect();
        assert_eq!((trap.code, frames), (TrapCode::DivisionByZero, vec!["divide", "run"]));
    }
    slot.lock().unwrap().take();
}

#[test]
fn an_address_outside_of_every_call_runs_and_its_trap_is_zero() {
    let kept: &'static Mutex<Option<Address>> = Box::leak(Box::new(Mutex::new(None)));
    let engine = engine(move |address, n| {
        *kept.lock().unwrap() = Some(address);
        Ok(n)
    });
    assert_eq!(run(&engine, 3).unwrap(), 3);
    let address = kept.lock().unwrap().take().unwrap();
    for _ in 0..3 {
        assert_eq!((address(5), address(0), address(10)), (20, 0, 10));
        assert_eq!(run(&engine, 3).unwrap(), 3);
    }
    // As well on a thread that never entered the engine.
    assert_eq!(thread::spawn(move || (address(5), address(0))).join().unwrap(), (20, 0));
}

/// The address of `@spin`, which calls `then` with that of `@divide` in each round.
fn address_of_spin(
    config: Config,
    then: impl Fn(&Engine, Address, i64) -> i64 + Send + Sync + 'static,
) -> (Engine, Address) {
    let kept: Arc<Mutex<Option<Address>>> = Arc::default();
    let (keeper, slot) = (Arc::clone(&kept), Arc::new(Mutex::new(None::<WeakEngine>)));
    let own = Arc::clone(&slot);
    let engine = engine_of(config, move |address, n| {
        if keeper.lock().unwrap().is_none() {
            *keeper.lock().unwrap() = Some(address);
            return Ok(n);
        }
        let engine = own.lock().unwrap().as_ref().unwrap().upgrade().unwrap();
        Ok(then(&engine, address, n))
    });
    *slot.lock().unwrap() = Some(engine.downgrade());
    assert_eq!(engine.func::<(i64,), i64>("hand_out_spin").unwrap().call((3,)).unwrap(), 3);
    let spin = kept.lock().unwrap().unwrap();
    (engine, spin)
}

/// Hears of traps that no caller does.
#[derive(Debug, Default)]
struct Unheard(Mutex<Vec<(TrapCode, usize)>>);

impl Observer for Unheard {
    fn unheard(&self, trap: &Trap) {
        self.0.lock().unwrap().push((trap.code, trap.frames.len()));
    }
}

#[test]
fn a_callback_within_a_callback_that_traps_stops_the_one_around_it() {
    let unheard = Arc::new(Unheard::default());
    let observer: Arc<dyn Observer> = Arc::clone(&unheard) as _;
    let config = Config { observer: Some(observer), ..Config::default() };
    let (_engine, spin) = address_of_spin(config, |_, divide, n| divide(n) + 1);
    assert_eq!(spin(5), 5);
    assert_eq!(spin(0), 0, "a round behind the one that was stopped would make it 1");
    assert_eq!(*unheard.0.lock().unwrap(), [(TrapCode::DivisionByZero, 3)]);
    assert_eq!(spin(5), 5);
}

#[test]
fn an_interrupt_stops_a_callback_whose_host_function_calls_the_engine() {
    let config = Config { polls: Polls::LoopsAndEntries, ..Config::default() };
    let (engine, spin) = address_of_spin(config, |engine, _, n| {
        if n == 1_000 {
            engine.interrupt();
        }
        engine.func::<(), i64>("five").unwrap().call(()).unwrap_or(-1)
    });
    assert_eq!(spin(1_000), 0, "it was stopped in its first round");
    assert_eq!(spin(10), 10, "and nobody behind it");
    drop(engine);
}

#[test]
fn a_thread_that_knew_an_engine_at_the_same_addresses_finds_this_one() {
    let kept: &'static Mutex<Option<Address>> = Box::leak(Box::new(Mutex::new(None)));
    let make = move || {
        engine(move |address, n| {
            *kept.lock().unwrap() = Some(address);
            Ok(n)
        })
    };
    for _ in 0..20 {
        let first = make();
        run(&first, 1).unwrap();
        drop(first);
        // Most often it stands where the first one stood.
        let second = make();
        let far = second.clone();
        thread::spawn(move || run(&far, 1).unwrap()).join().unwrap();
        let address = kept.lock().unwrap().take().unwrap();
        assert_eq!((address(5), address(0)), (20, 0));
    }
}

/// Takes what nobody else is told of, by what it is called with, and panics.
#[derive(Debug, Default)]
struct Listener {
    address: Mutex<Option<Address>>,
    heard: Mutex<Vec<(TrapCode, i64)>>,
}

impl Observer for Listener {
    fn unheard(&self, trap: &Trap) {
        let address = self.address.lock().unwrap().unwrap();
        self.heard.lock().unwrap().push((trap.code, address(4)));
        panic!("nobody asked");
    }
}

#[test]
fn who_hears_of_a_trap_outside_of_every_call_may_call_and_panic() {
    let listener = Arc::new(Listener::default());
    let config =
        Config { observer: Some(Arc::clone(&listener) as Arc<dyn Observer>), ..Config::default() };
    let keeper = Arc::clone(&listener);
    let engine = engine_of(config, move |address, n| {
        *keeper.address.lock().unwrap() = Some(address);
        Ok(n)
    });
    assert_eq!(run(&engine, 3).unwrap(), 3);
    let address = listener.address.lock().unwrap().unwrap();
    assert_eq!((address(0), address(5), address(0)), (0, 20, 0));
    assert_eq!(*listener.heard.lock().unwrap(), [(TrapCode::DivisionByZero, 25); 2]);
    assert!(engine.pending_trap().is_none());
}
