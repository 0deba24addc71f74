//! What runs often is compiled better.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use brolga::lowering::options::Polls;
use brolga::lowering::pipeline::Inspection;
use brolga::{
    Budgets, CallError, Config, Engine, Level, Observer, Speculation, Stats, Tier, Tiering,
};

use crate::in_use;

const SUM: &str = "
export func @sum(i64) -> i64 {
entry(%n: i64):
    jump loop(0, 0)
loop(%i: i64, %s: i64):
    %more = icmp.i64 slt %i, %n
    branch %more, body, end
body:
    %square = mul.i64 %i, %i
    %t = add.i64 %s, %square
    %j = add.i64 %i, 1
    jump loop(%j, %t)
end:
    return %s
}
";

pub(super) const SUCCESSOR: &str = "
export func @f(i64) -> i64 {
b(%x: i64):
    %y = add.i64 %x, 1
    return %y
}
";

/// Compiles better what has run so often, with so many threads of its own.
pub(super) fn adaptive(quick: u32, warm: u32, background_threads: usize) -> Engine {
    let tiering = Tiering::Adaptive(Budgets { quick, warm, ..Budgets::default() });
    Engine::new(Config { tiering, background_threads, ..Config::default() }).unwrap()
}

fn sum(n: i64) -> i64 {
    (0..n).map(|i| i.wrapping_mul(i)).fold(0, i64::wrapping_add)
}

pub(super) fn made(engine: &Engine) -> (u64, u64) {
    let Stats { upgraded, continued, .. } = engine.stats();
    (upgraded, continued)
}

/// Waits for the threads of an engine.
pub(super) fn wait_for(mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "nothing comes of it");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn what_is_entered_often_is_compiled_better_step_by_step() {
    let engine = adaptive(10, 20, 0);
    engine.define(SUCCESSOR).unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    let upgraded = |calls: i64| {
        for x in 0..calls {
            assert_eq!(f.call((x,)).unwrap(), x + 1);
        }
        engine.stats().upgraded
    };
    assert_eq!(upgraded(10), 0);
    assert_eq!(upgraded(1), 1, "warm");
    assert_eq!(upgraded(20), 1);
    assert_eq!(upgraded(1), 2, "hot");
    assert_eq!(upgraded(1_000), 2, "for good");
    assert_eq!(engine.stats().copied, 1);
}

#[test]
fn a_loop_that_runs_is_left_for_better_code() {
    let engine = adaptive(100, 100, 0);
    engine.define(SUM).unwrap();
    let f = engine.func::<(i64,), i64>("sum").unwrap();
    assert_eq!(f.call((50,)).unwrap(), sum(50));
    assert_eq!(made(&engine), (0, 0));
    assert_eq!(f.call((1_000,)).unwrap(), sum(1_000));
    assert_eq!(made(&engine), (1, 1), "what has a loop is as good as it gets at once");
    assert_eq!(engine.stats().lowered, 2, "what goes on in the loop, and the function");
    assert_eq!(f.call((1_000,)).unwrap(), sum(1_000));
    assert_eq!(made(&engine), (1, 1));
}

#[test]
fn threads_of_the_engine_compile_better_while_a_loop_runs() {
    let engine = adaptive(1_000, 1_000, 2);
    engine.define(SUM).unwrap();
    let f = engine.func::<(i64,), i64>("sum").unwrap();
    wait_for(|| {
        assert_eq!(f.call((1 << 20,)).unwrap(), sum(1 << 20));
        made(&engine).0 == 1
    });
    // Calls reach the better code.
    assert_eq!(f.call((1 << 20,)).unwrap(), sum(1 << 20));
}

#[test]
fn a_loop_that_never_ends_moves_up_and_is_stopped_there() {
    let text = "
export func @f() -> i64 {
b:
    jump loop(0)
loop(%i: i64):
    poll
    %j = add.i64 %i, 1
    %never = icmp.i64 slt %j, 0
    branch %never, end, loop(%j)
end:
    return %i
}
";
    let engine = adaptive(1_000, 1_000, 1);
    engine.define(text).unwrap();
    let f = engine.func::<(), i64>("f").unwrap();
    thread::scope(|scope| {
        let looping = scope.spawn(|| f.call(()));
        wait_for(|| made(&engine) == (1, 1));
        engine.interrupt();
        let error = looping.join().unwrap().unwrap_err();
        let CallError::Trap(trap) = error else { panic!("{error}") };
        let shown: Vec<&str> = trap.frames.iter().map(|frame| &*frame.function).collect();
        assert_eq!(shown, ["f"], "an activation that has moved up is shown once");
    });
}

#[test]
fn what_an_activation_goes_on_in_takes_the_callee_that_is_defined_by_then() {
    // The loop is on its way up by the time when what it calls is defined anew, and its code has
    // the old body in it.
    let g = |n: u64| format!("export func @g() -> i64 {{\nb:\n    return {n}\n}}\n");
    let f = "
import func @g() -> i64
export func @f(i64) -> i64 {
b(%n: i64):
    jump loop(0, 0)
loop(%i: i64, %s: i64):
    %x = call @g()
    %t = add.i64 %s, %x
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j, %t), end
end:
    return %t
}
";
    let text = f.replace("import func @g() -> i64\n", &g(1));
    let engine = adaptive(100, 100, 0);
    engine.define(&text).unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    assert_eq!(f.call((1_000,)).unwrap(), 1_000);
    assert_eq!(made(&engine).1, 1);
    engine.define(&g(2)).unwrap();
    assert_eq!(f.call((1_000,)).unwrap(), 2_000);
    engine.define(&g(3)).unwrap();
    assert_eq!(f.call((50,)).unwrap(), 150);
}

#[test]
fn old_code_moves_up_as_what_it_is() {
    // It is in a loop of a definition that another has taken the place of.
    let text = |by: u64| {
        format!(
            "
import func @pause() -> ()
export func @f(i64) -> i64 {{
b(%n: i64):
    call @pause()
    jump loop(0, 0)
loop(%i: i64, %s: i64):
    %t = add.i64 %s, {by}
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j, %t), end
end:
    return %t
}}
"
        )
    };
    let engine = adaptive(100, 100, 0);
    let (began, goes_on) = (AtomicBool::new(false), AtomicBool::new(false));
    let (began, goes_on): (&'static _, &'static _) =
        (Box::leak(Box::new(began)), Box::leak(Box::new(goes_on)));
    engine
        .define_host("pause", || {
            began.store(true, Ordering::Release);
            while !goes_on.load(Ordering::Acquire) {
                thread::yield_now();
            }
        })
        .unwrap();
    engine.define(&text(1)).unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    thread::scope(|scope| {
        let old = scope.spawn(|| f.call((1_000,)));
        wait_for(|| began.load(Ordering::Acquire));
        engine.define(&text(5)).unwrap();
        goes_on.store(true, Ordering::Release);
        assert_eq!(old.join().unwrap().unwrap(), 1_000);
    });
    assert_eq!(made(&engine).1, 1);
    assert_eq!(f.call((1_000,)).unwrap(), 5_000);
}

#[test]
fn code_that_was_moved_up_goes_with_what_it_came_from() {
    let engine = adaptive(100, 100, 0);
    let round = |by: i64| {
        engine.define(&SUM.replace("mul.i64 %i, %i", &format!("add.i64 %i, {by}"))).unwrap();
        let f = engine.func::<(i64,), i64>("sum").unwrap();
        assert_eq!(f.call((1_000,)).unwrap(), (0..1_000 + by).skip(by as usize).sum::<i64>());
        drop(f);
        engine.collect();
        in_use(&engine)
    };
    let first = round(302);
    for by in 303..340 {
        assert_eq!(round(by), first, "{by}");
    }
    assert_eq!(made(&engine), (38, 38));
}

#[test]
fn slots_that_others_point_to_stay_where_they_are() {
    // `keep` has the address of one slot since before the loop, and reads through it after;
    // another is the function's own.
    let text = "
export func @f(i64) -> i64 {
    ss0 = slot 8
    ss1 = slot 8
    ss2 = slot 8 align 64
b(%n: i64):
    %p = slot_addr ss0
    %q = slot_addr ss1
    %w = slot_addr ss2
    store.ptr %p, %q
    store.i64 5, %w
    jump loop(0)
loop(%i: i64):
    %r = load.ptr %q
    %s = load.i64 %r
    %t = add.i64 %s, %i
    store.i64 %t, %p
    %a = load.i64 %w
    %b = add.i64 %a, 1
    store.i64 %b, %w
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j), end
end:
    %x = load.i64 %p
    %y = load.i64 %w
    %z = sub.i64 %x, %y
    return %z
}
";
    let engine = adaptive(10, 10, 0);
    // SAFETY: it accesses its own slots.
    unsafe { engine.define_unsafe(text).unwrap() };
    // SAFETY: as above.
    let f = engine.func::<(i64,), i64>("f").unwrap();
    assert_eq!(f.call((1_000,)).unwrap(), 499_500 - 1_005);
    assert_eq!(made(&engine).1, 1);
}

#[test]
fn what_is_caught_in_the_first_tier_has_changed_no_register_of_its_caller() {
    // What throws, and the caller of what catches, keep as much over calls as there is room for in
    // registers.
    let text = "
data @sink = { zero 8 }
func @one() -> i64 inline never {
b:
    return 1
}
func @thrower(i64) inline never {
b(%x: i64):
    %a = mul.i64 %x, 3
    %b = mul.i64 %x, 5
    %c = mul.i64 %x, 7
    %d = mul.i64 %x, 9
    %e = call @one()
    %f = add.i64 %a, %b
    %g = xor.i64 %c, %d
    %h = mul.i64 %f, %g
    %i = add.i64 %h, %e
    data_store.i64 %i, @sink, 0
    throw null
}
func @catcher(i64) -> i64 inline never {
b(%x: i64):
    try_call @thrower(%x) normal nothing, unwind caught
nothing:
    return 0
caught:
    return 1
}
export func @outer(i64) -> i64 {
b(%x: i64):
    %a = mul.i64 %x, 11
    %b = mul.i64 %x, 13
    %c = mul.i64 %x, 17
    %d = mul.i64 %x, 19
    %e = call @catcher(%x)
    %f = add.i64 %a, %b
    %g = xor.i64 %c, %d
    %h = mul.i64 %f, %g
    %i = add.i64 %h, %e
    return %i
}
";
    let tiering = Tiering::replay("hot one\nhot thrower\nquick catcher\nhot outer\n").unwrap();
    let engine = Engine::new(Config { tiering, ..Config::default() }).unwrap();
    // SAFETY: it does nothing but throw and catch.
    unsafe { engine.define_unsafe(text).unwrap() };
    let outer = engine.func::<(i64,), i64>("outer").unwrap();
    assert_eq!(outer.call((2,)).unwrap(), (22 + 26) * (34 ^ 38) + 1);
    assert_eq!(engine.stats().copied, 1);
}

#[test]
fn decisions_that_were_recorded_are_made_again() {
    let engine = adaptive(10, 10, 0);
    engine.define(SUM).unwrap();
    engine.define(SUCCESSOR).unwrap();
    let sum = engine.func::<(i64,), i64>("sum").unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    sum.call((1_000,)).unwrap();
    f.call((1,)).unwrap();
    let text = engine.decisions();
    assert_eq!(text, "quick f\nhot sum\n");
    let recorded = Tiering::replay(&text).unwrap();
    let again = Engine::new(Config { tiering: recorded, ..Config::default() }).unwrap();
    again.define(SUM).unwrap();
    again.define(SUCCESSOR).unwrap();
    again.compile("sum").unwrap();
    again.compile("f").unwrap();
    let stats = again.stats();
    assert_eq!((stats.copied, stats.lowered, stats.upgraded), (1, 1, 0));
    assert_eq!(again.decisions(), text);
    let error = Tiering::replay("tepid f\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 1: a tier (quick, warm or hot), a space and a function belong there"
    );
}

#[test]
fn a_function_that_the_first_tier_leaves_out_and_that_loops_is_compiled_as_well_as_it_can_be() {
    let text = SUM.replace("i64", "i128");
    let engine = adaptive(10, 10, 0);
    engine.define(&text).unwrap();
    engine.compile("sum").unwrap();
    let stats = engine.stats();
    assert_eq!((stats.copied, stats.lowered), (0, 1));
    assert_eq!(engine.decisions(), "hot sum\n");
}

#[test]
fn a_function_that_the_first_tier_leaves_out_is_in_time_all_the_same() {
    let tiering = Tiering::Adaptive(Budgets { quick: 10, warm: 10, ..Budgets::default() });
    let config = Config { tiering, background_threads: 0, ..Config::default() };
    for (limit, tier) in [(Duration::ZERO, "warm"), (Duration::MAX, "hot")] {
        let config = Config { compile_deadline: Some(limit), ..config.clone() };
        let engine = Engine::new(config).unwrap();
        engine.define(&SUM.replace("i64", "i128")).unwrap();
        engine.compile("sum").unwrap();
        assert_eq!(engine.decisions(), format!("{tier} sum\n"));
    }
}

#[test]
fn a_fixed_tier_stays() {
    for tier in Tier::ALL {
        let tiering = Tiering::Fixed(tier);
        let engine = Engine::new(Config { tiering, ..Config::default() }).unwrap();
        engine.define(SUM).unwrap();
        let f = engine.func::<(i64,), i64>("sum").unwrap();
        assert_eq!(f.call((100_000,)).unwrap(), sum(100_000));
        assert_eq!(made(&engine), (0, 0), "{tier:?}");
        assert_eq!(engine.decisions(), format!("{} sum\n", tier.name()));
    }
}

#[test]
fn engines_go_while_their_threads_compile() {
    for _ in 0..20 {
        let engine = adaptive(10, 10, 2);
        engine.define(SUM).unwrap();
        let f = engine.func::<(i64,), i64>("sum").unwrap();
        assert_eq!(f.call((10_000,)).unwrap(), sum(10_000));
    }
}

#[test]
fn polls_that_stop_a_call_do_so_in_every_tier() {
    let tiering = Tiering::Adaptive(Budgets { quick: 10, warm: 10, doublings: 2 });
    let config = Config {
        tiering,
        background_threads: 0,
        polls: Polls::LoopsAndEntries,
        ..Config::default()
    };
    let engine = Engine::new(config).unwrap();
    engine.define(SUM).unwrap();
    let f = engine.func::<(i64,), i64>("sum").unwrap();
    thread::scope(|scope| {
        let endless = scope.spawn(|| f.call((i64::MAX,)));
        wait_for(|| made(&engine).1 == 1);
        engine.interrupt();
        assert!(endless.join().unwrap().is_err());
    });
}

fn tiers(engine: &Engine) -> Vec<(Box<str>, Tier)> {
    engine.ledger().into_iter().map(|record| (record.name, record.tier)).collect()
}

#[test]
fn what_takes_too_long_or_is_too_large_is_compiled_less() {
    let late = Config { compile_deadline: Some(Duration::ZERO), ..Config::default() };
    let large = Config { max_hot_instructions: 4, ..Config::default() };
    for (config, sum, f) in [(late, Tier::Warm, Tier::Warm), (large, Tier::Warm, Tier::Hot)] {
        let engine = Engine::new(config).unwrap();
        engine.define(SUM).unwrap();
        engine.define(SUCCESSOR).unwrap();
        engine.compile("sum").unwrap();
        engine.compile("f").unwrap();
        assert_eq!(tiers(&engine), [("f".into(), f), ("sum".into(), sum)]);
    }
    let far = Config { compile_deadline: Some(Duration::MAX), ..Config::default() };
    let engine = Engine::new(far).unwrap();
    engine.define(SUM).unwrap();
    engine.compile("sum").unwrap();
    assert_eq!(tiers(&engine), [("sum".into(), Tier::Hot)]);
}

#[test]
fn what_is_compiled_less_does_not_ask_for_more_again_and_again() {
    let tiering = Tiering::Adaptive(Budgets { quick: 10, warm: 10, ..Budgets::default() });
    let config =
        Config { tiering, background_threads: 0, max_hot_instructions: 4, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    engine.define(SUM).unwrap();
    let f = engine.func::<(i64,), i64>("sum").unwrap();
    for _ in 0..1_000 {
        assert_eq!(f.call((50,)).unwrap(), sum(50));
    }
    assert_eq!(tiers(&engine), [("sum".into(), Tier::Warm)]);
    assert_eq!(made(&engine).0, 1);
}

/// Spoils each compile that is shown to it, and counts them.
#[derive(Debug, Default)]
struct Spoiler(AtomicU64);

impl Observer for Spoiler {
    fn shown(&self, _: &str) {
        self.0.fetch_add(1, Ordering::Relaxed);
        panic!("it is not to be");
    }
}

#[test]
fn what_cannot_be_compiled_better_is_tried_less_and_less_often_and_then_left_alone() {
    let spoiler = Arc::new(Spoiler::default());
    let observer = Some(Arc::clone(&spoiler) as Arc<dyn Observer>);
    let inspection = Inspection::from_words(["print-after=dce"]).unwrap();
    let budgets = Budgets { quick: 100, doublings: 3, ..Budgets::default() };
    let tiering = Tiering::Adaptive(budgets);
    let background_threads = 0;
    let config = Config { observer, inspection, tiering, background_threads, ..Config::default() };
    let engine = Engine::new(config).unwrap();
    engine.define(SUCCESSOR).unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    let mut tried_behind = Vec::new();
    for calls in 1..=5_000 {
        let before = spoiler.0.load(Ordering::Relaxed);
        assert_eq!(f.call((calls,)).unwrap(), calls + 1);
        if spoiler.0.load(Ordering::Relaxed) > before {
            tried_behind.push(calls);
        }
    }
    let between: Vec<i64> = tried_behind.windows(2).map(|two| two[1] - two[0]).collect();
    assert_eq!(tried_behind.len(), 4, "{tried_behind:?}");
    let doubled = |(index, &calls): (usize, &i64)| (calls - (200 << index)).abs() <= 2;
    assert!(between.iter().enumerate().all(doubled), "{tried_behind:?}");
    assert_eq!(tiers(&engine), [("f".into(), Tier::Quick)]);
}

#[test]
fn callees_are_compiled_before_anybody_calls_them_where_that_is_asked_for() {
    let text = "
import func @h() -> i64
export func @g() -> i64 {
b:
    %x = call @h()
    return %x
}
export func @f(i1) -> i64 {
b(%c: i1):
    branch %c, then, end
then:
    %x = call @g()
    return %x
end:
    return 0
}
";
    let run = |speculation| {
        let config = Config { speculation, level: Level::O0, ..Config::default() };
        let engine = Engine::new(config).unwrap();
        engine.define("export func @h() -> i64 {\nb:\n    return 7\n}").unwrap();
        engine.define(text).unwrap();
        engine.compile("f").unwrap();
        engine
    };
    let engine = run(Speculation::Callees);
    wait_for(|| engine.ledger().len() == 3);
    let engine = run(Speculation::Off);
    thread::sleep(Duration::from_millis(20));
    assert_eq!(tiers(&engine), [("f".into(), Tier::Hot)]);
}

#[test]
fn the_ledger_says_what_became_of_each_function() {
    let engine = adaptive(1_000, 1_000, 0);
    engine.define(SUM).unwrap();
    engine.define(SUCCESSOR).unwrap();
    assert!(engine.ledger().is_empty(), "nothing is compiled");
    let f = engine.func::<(i64,), i64>("sum").unwrap();
    assert_eq!(f.call((100,)).unwrap(), sum(100));
    let [record] = &engine.ledger()[..] else { panic!() };
    assert_eq!((&*record.name, record.tier, record.counted), ("sum", Tier::Quick, 101));
    assert_eq!(record.calls, 1, "rounds of its loop are none");
    assert!(record.code_bytes > 0 && record.compile_time > Duration::ZERO);
    assert_eq!(f.call((5_000,)).unwrap(), sum(5_000));
    let [record] = &engine.ledger()[..] else { panic!() };
    assert_eq!((record.tier, record.counted), (Tier::Hot, 0), "hot code counts nothing");
    assert_eq!(record.calls, 2, "what was counted before stays");
}

#[test]
fn calls_are_counted_through_the_tiers_and_over_definitions() {
    let engine = adaptive(10, 20, 0);
    engine.define(SUCCESSOR).unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    let record = || engine.ledger().remove(0);
    (0..5).for_each(|n| assert_eq!(f.call((n,)).unwrap(), n + 1));
    assert_eq!((record().tier, record().calls), (Tier::Quick, 5));
    (0..10).for_each(|n| assert_eq!(f.call((n,)).unwrap(), n + 1));
    assert_eq!((record().tier, record().calls), (Tier::Warm, 15));
    engine.collect();
    (0..40).for_each(|n| assert_eq!(f.call((n,)).unwrap(), n + 1));
    let counted = record().calls;
    assert!(record().tier == Tier::Hot && (30..=55).contains(&counted), "{counted}");
    engine.define(&SUCCESSOR.replace("add", "sub")).unwrap();
    assert_eq!(f.call((1,)).unwrap(), 0);
    engine.collect();
    assert_eq!((record().tier, record().calls), (Tier::Quick, counted + 1));
}
