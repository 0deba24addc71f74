use std::thread;
use std::time::{Duration, Instant};

use brolga::ir::trap::TrapCode;
use brolga::lowering::options::{Fuel, Polls};
use brolga::{CallError, CallOptions, Config, Engine, Tier, Tiering};

const ENDLESS: &str = "
func @endless() -> i64 {
entry:
    jump loop(0)
loop(%i: i64):
    %j = add.i64 %i, 1
    jump loop(%j)
}";

fn polled(fuel: Fuel) -> Engine {
    let config = Config { polls: Polls::LoopsAndEntries, fuel, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    engine.load(ENDLESS).unwrap();
    engine
}

#[test]
fn a_call_stops_when_its_fuel_is_used_up() {
    let engine = polled(Fuel::Counted);
    let endless = engine.func::<(), i64>("endless").unwrap();
    let options = CallOptions { fuel: Some(1000), ..CallOptions::default() };
    let error = endless.call_with(&options, ()).unwrap_err();
    assert_eq!(error.trap().unwrap().code, TrapCode::OutOfFuel);
}

#[test]
fn a_call_stops_at_its_deadline() {
    let engine = polled(Fuel::Unlimited);
    let endless = engine.func::<(), i64>("endless").unwrap();
    let start = Instant::now();
    let deadline = Some(start + Duration::from_millis(30));
    let options = CallOptions { deadline, ..CallOptions::default() };
    let error = endless.call_with(&options, ()).unwrap_err();
    assert_eq!(error.trap().unwrap().code, TrapCode::DeadlineExceeded);
    assert!(start.elapsed() >= Duration::from_millis(30));
}

#[test]
fn a_call_stops_when_the_engine_is_interrupted() {
    let engine = polled(Fuel::Unlimited);
    let endless = engine.func::<(), i64>("endless").unwrap();
    let running = thread::spawn(move || endless.call(()).unwrap_err());
    while !running.is_finished() {
        engine.interrupt();
        thread::sleep(Duration::from_millis(1));
    }
    let error = running.join().unwrap();
    assert_eq!(error.trap().unwrap().code, TrapCode::Interrupted);
}

#[test]
fn an_interrupt_that_meets_nobody_stops_no_later_call() {
    let engine = polled(Fuel::Counted);
    let endless = engine.func::<(), i64>("endless").unwrap();
    let options = CallOptions { fuel: Some(10), ..CallOptions::default() };
    for _ in 0..3 {
        engine.interrupt();
        let error = endless.call_with(&options, ()).unwrap_err();
        assert_eq!(error.trap().unwrap().code, TrapCode::OutOfFuel);
    }
}

#[test]
fn an_interrupt_stops_every_thread_that_is_inside() {
    let engine = polled(Fuel::Unlimited);
    let running: Vec<_> = (0..4)
        .map(|_| {
            let endless = engine.func::<(), i64>("endless").unwrap();
            thread::spawn(move || endless.call(()).unwrap_err())
        })
        .collect();
    while !running.iter().all(|thread| thread.is_finished()) {
        engine.interrupt();
        thread::sleep(Duration::from_millis(1));
    }
    for thread in running {
        assert_eq!(thread.join().unwrap().trap().unwrap().code, TrapCode::Interrupted);
    }
}

#[test]
fn limits_that_are_used_up_already_stop_at_once_and_those_that_are_far_do_not() {
    let engine = polled(Fuel::Counted);
    engine.load("func @three() -> i64 {\nentry:\n    return 3\n}").unwrap();
    let endless = engine.func::<(), i64>("endless").unwrap();
    let three = engine.func::<(), i64>("three").unwrap();
    let code =
        |options: &CallOptions| endless.call_with(options, ()).unwrap_err().trap().unwrap().code;
    let none = CallOptions { fuel: Some(0), ..CallOptions::default() };
    assert_eq!(code(&none), TrapCode::OutOfFuel);
    let past = CallOptions { deadline: Some(Instant::now()), ..CallOptions::default() };
    assert_eq!(code(&past), TrapCode::DeadlineExceeded);
    let far = Some(Instant::now() + Duration::from_secs(1 << 40));
    let plenty = CallOptions { fuel: Some(u64::MAX), deadline: far };
    assert_eq!(three.call_with(&plenty, ()).unwrap(), 3);
    // The deadline that was far no longer is in the way of a near one.
    let near = Some(Instant::now() + Duration::from_millis(20));
    let near = CallOptions { fuel: None, deadline: near };
    assert_eq!(code(&near), TrapCode::DeadlineExceeded);
}

#[test]
fn calls_of_several_threads_each_stop_at_their_own_deadline() {
    let engine = polled(Fuel::Unlimited);
    let endless = engine.func::<(), i64>("endless").unwrap();
    thread::scope(|scope| {
        for round in 0..8 {
            let endless = &endless;
            scope.spawn(move || {
                let start = Instant::now();
                let after = Duration::from_millis(5 + 10 * round);
                let options = CallOptions { deadline: Some(start + after), ..Default::default() };
                let error = endless.call_with(&options, ()).unwrap_err();
                assert_eq!(error.trap().unwrap().code, TrapCode::DeadlineExceeded);
                assert!(start.elapsed() >= after);
            });
        }
    });
}

#[test]
fn code_polls_where_it_was_asked_to() {
    let text = "func @f(i64) -> i64 {
        entry(%n: i64):
            poll
            return %n
        }
        func @g(i64) -> i64 {
        entry(%n: i64):
            return %n
        }";
    for (polls, of_f, of_g) in
        [(Polls::Explicit, true, false), (Polls::LoopsAndEntries, true, true)]
    {
        let engine =
            Engine::new(Config { polls, fuel: Fuel::Counted, ..Config::default() }).unwrap();
        engine.load(text).unwrap();
        let none = CallOptions { fuel: Some(0), ..CallOptions::default() };
        let stops = |name: &str| {
            let function = engine.func::<(i64,), i64>(name).unwrap();
            function.call_with(&none, (1,)).is_err()
        };
        assert_eq!((stops("f"), stops("g")), (of_f, of_g), "{polls:?}");
    }
}

/// The compare before it is made with it in one.
#[test]
fn a_poll_on_the_way_back_is_the_branchs_in_the_first_tier() {
    let text = "func @f() -> i64 {\nb:\n    jump loop(0)\nloop(%i: i64):\n    \
                %n = add.i64 %i, 1\n    %c = icmp.i64 sge %n, 0\n    \
                branch %c, loop(%n), end\nend:\n    return %i\n}";
    let config = Config {
        polls: Polls::LoopsAndEntries,
        fuel: Fuel::Counted,
        tiering: Tiering::Fixed(Tier::Quick),
        ..Config::default()
    };
    let engine = Engine::new(config).unwrap();
    engine.load(text).unwrap();
    assert_eq!(engine.stats().copied, 1);
    let options = CallOptions { fuel: Some(10), ..CallOptions::default() };
    let error = engine.func::<(), i64>("f").unwrap().call_with(&options, ()).unwrap_err();
    assert_eq!(error.trap().unwrap().frames[0].line, 7);
}

#[test]
fn a_limit_that_no_code_looks_at_is_an_error_that_says_what_to_choose() {
    let fuel = CallOptions { fuel: Some(1000), ..CallOptions::default() };
    let later = Some(Instant::now() + Duration::from_secs(3600));
    let deadline = CallOptions { deadline: later, ..CallOptions::default() };
    for (polls, counted, options, expected) in [
        (
            Polls::Off,
            Fuel::Counted,
            fuel,
            Some("fuel that the call was given: set `Config::polls`"),
        ),
        (
            Polls::Off,
            Fuel::Unlimited,
            deadline,
            Some("deadline that the call was given: set `Config::polls`"),
        ),
        (
            Polls::Explicit,
            Fuel::Unlimited,
            fuel,
            Some("fuel that the call was given: set `Config::fuel`"),
        ),
        (Polls::Explicit, Fuel::Unlimited, deadline, None),
        (Polls::Explicit, Fuel::Counted, fuel, None),
        (Polls::Off, Fuel::Counted, CallOptions::default(), None),
    ] {
        let engine = Engine::new(Config { polls, fuel: counted, ..Config::default() }).unwrap();
        engine.load("func @f() -> i64 {\nentry:\n    return 7\n}").unwrap();
        let function = engine.func::<(), i64>("f").unwrap();
        match (function.call_with(&options, ()), expected) {
            (Ok(result), None) => assert_eq!(result, 7),
            (Err(error), Some(part)) => {
                assert!(matches!(error, CallError::IgnoredLimit { .. }), "{error}");
                assert!(error.to_string().contains(part), "{error}");
            }
            (outcome, _) => panic!("{polls:?} {counted:?} {options:?}: {outcome:?}"),
        }
    }
}

/// How many threads of this process watch deadlines.
#[cfg(target_os = "linux")]
fn watchers() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.filter_map(|task| std::fs::read(task.ok()?.path().join("comm")).ok());
    names.filter(|name| name.starts_with(b"brolga deadline")).count()
}

#[test]
#[cfg(target_os = "linux")]
fn deadlines_that_no_call_comes_to_leave_no_threads_behind() {
    const ENGINES: usize = 40;
    let deadline = Some(Instant::now() + Duration::from_secs(3600));
    for _ in 0..ENGINES {
        let engine = Engine::new(Config::default()).unwrap();
        engine.load("func @five() -> i64 {\nentry:\n    return 5\n}").unwrap();
        let five = engine.func::<(), i64>("five").unwrap();
        let options = CallOptions { deadline, ..CallOptions::default() };
        assert_eq!(five.call_with(&options, ()).unwrap(), 5);
    }
    // Other tests have some; those of the engines above go with these, as soon as they run.
    let last = Instant::now() + Duration::from_secs(60);
    while watchers() >= ENGINES / 2 {
        assert!(Instant::now() < last, "{} threads are left", watchers());
        thread::sleep(Duration::from_millis(10));
    }
}
