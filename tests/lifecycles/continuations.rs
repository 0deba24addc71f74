//! When activations go on in better code, and what of it is made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use brolga::{Budgets, CompileReason, Config, Engine, FunctionCompiled, Observer, Tiering};

use super::tiers::{SUCCESSOR, adaptive, made, wait_for};

#[test]
fn a_loop_with_structs_is_left_for_better_code() {
    // One is defined before the loop and used behind it, one goes round, one has a leaf that
    // nobody uses, and one a leaf that is a constant.
    let text = "
export func @f(i64, {i64, {f64, i32}}) -> {i64, f64} {
b(%n: i64, %p: {i64, {f64, i32}}):
    %start = make_aggregate.{i64, i64} 0, 7
    %two = make_aggregate.[2 x i64] %n, 3
    jump loop(%start, 0)
loop(%q: {i64, i64}, %i: i64):
    %x = extract_value.{i64, i64} %q, 0
    %y = extract_value.[2 x i64] %two, 1
    %t = add.i64 %x, %y
    %next = insert_value.{i64, i64} %q, %t, 0
    %j = add.i64 %i, 1
    %m = extract_value.[2 x i64] %two, 0
    %more = icmp.i64 slt %j, %m
    branch %more, loop(%next, %j), end
end:
    %s = extract_value.{i64, i64} %next, 0
    %k = extract_value.{i64, i64} %next, 1
    %u = add.i64 %s, %k
    %a = extract_value.{i64, {f64, i32}} %p, 1, 0
    %r = make_aggregate.{i64, f64} %u, %a
    return %r
}
export func @g(i64) -> i64 {
b(%n: i64):
    %inner = make_aggregate.{f64, i32} 2.5, 1
    %p = make_aggregate.{i64, {f64, i32}} 9, %inner
    %r = call @f(%n, %p)
    %u = extract_value.{i64, f64} %r, 0
    %a = extract_value.{i64, f64} %r, 1
    %b = fptosi_sat.i64 %a
    %s = add.i64 %u, %b
    return %s
}
";
    let engine = adaptive(100, 100, 0);
    engine.define(text).unwrap();
    let g = engine.func::<(i64,), i64>("g").unwrap();
    assert_eq!(g.call((10,)).unwrap(), 30 + 7 + 2);
    assert_eq!((engine.stats().copied, made(&engine)), (2, (0, 0)));
    assert_eq!(g.call((1_000,)).unwrap(), 3_000 + 7 + 2);
    assert_eq!(made(&engine), (1, 1));
    assert_eq!(g.call((1_000,)).unwrap(), 3_000 + 7 + 2);
}

#[test]
fn an_activation_that_has_called_in_its_place_is_shown_no_more() {
    // What the loop goes on in gives its frame away. The one that waits for it is none of `leave`.
    let text = "
func @stop() -> i64 {
    exit0 = trap user(7)
b:
    check 0, exit0
    return 0
}
func @leave(i64) -> i64 {
b(%n: i64):
    jump loop(0)
loop(%i: i64):
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j), end
end:
    return_call @stop()
}
export func @f(i64) -> i64 {
b(%n: i64):
    %r = call @leave(%n)
    return %r
}
";
    let engine = adaptive(100, 100, 0);
    engine.define(text).unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    for (n, made_by_then) in [(10, (0, 0)), (1_000, (1, 1)), (10, (1, 1))] {
        let error = f.call((n,)).unwrap_err();
        let frames = &error.trap().unwrap().frames;
        let shown: Vec<&str> = frames.iter().map(|frame| &*frame.function).collect();
        assert_eq!(shown, ["stop", "f"], "after {n} rounds");
        assert_eq!(made(&engine), made_by_then);
    }
}

#[test]
fn a_loop_whose_callees_are_called_often_is_left_before_it_has_run_that_often_itself() {
    let calls: String =
        (1..=10).map(|index| format!("    %s{index} = call @f(%s{})\n", index - 1)).collect();
    let text = format!(
        "{SUCCESSOR}
export func @many(i64) -> i64 {{
b(%n: i64):
    jump loop(0, 0)
loop(%i: i64, %s0: i64):
{calls}
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, %n
    branch %more, loop(%j, %s10), end
end:
    return %s10
}}
"
    );
    // After 100 rounds `f` has been called 1,000 times. The loop may come round 125 times more, and
    // as often again, where it could 1,125 times by itself.
    let engine = adaptive(1_000, 100_000, 0);
    engine.define(&text).unwrap();
    let many = engine.func::<(i64,), i64>("many").unwrap();
    assert_eq!(many.call((300,)).unwrap(), 3_000);
    assert_eq!(made(&engine), (1, 0), "`f` is warm");
    assert_eq!(many.call((500,)).unwrap(), 5_000);
    assert_eq!(made(&engine).1, 1);
}

/// Keeps the thread that compiles from going on behind `@f` until it may, counts what activations
/// go on in, and notes when `@two` has followed.
#[derive(Debug, Default)]
struct Holding {
    is_held: AtomicBool,
    may_go_on: AtomicBool,
    continuations: AtomicU64,
    has_followed: AtomicBool,
}

impl Observer for Holding {
    fn function_compiled(&self, event: &FunctionCompiled<'_>) {
        match (event.reason, event.function) {
            (CompileReason::Upgrade, "f") => {
                self.is_held.store(true, Ordering::Release);
                wait_for(|| self.may_go_on.load(Ordering::Acquire));
            }
            (CompileReason::Upgrade, _) => self.has_followed.store(true, Ordering::Release),
            (CompileReason::Continuation, _) => {
                self.continuations.fetch_add(1, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

#[test]
fn what_goes_on_in_a_loop_that_is_over_is_not_made() {
    // The first loop comes round often enough to ask; the second one until it is told to end.
    let text = "
import func @ended() -> i64
export func @two() -> i64 {
b:
    jump first(0)
first(%i: i64):
    %j = add.i64 %i, 1
    %more = icmp.i64 slt %j, 300
    branch %more, first(%j), between
between:
    jump second
second:
    %e = call @ended()
    %again = icmp.i64 eq %e, 0
    branch %again, second, end
end:
    return %j
}
";
    let holding = Arc::new(Holding::default());
    let config = Config {
        tiering: Tiering::Adaptive(Budgets { quick: 100, warm: 100_000, ..Budgets::default() }),
        background_threads: 1,
        observer: Some(Arc::clone(&holding) as Arc<dyn Observer>),
        ..Config::default()
    };
    let engine = Engine::new(config).unwrap();
    static ROUNDS: AtomicU64 = AtomicU64::new(0);
    static END: AtomicBool = AtomicBool::new(false);
    let ended = || {
        ROUNDS.fetch_add(1, Ordering::Relaxed);
        i64::from(END.load(Ordering::Acquire))
    };
    engine.define_host("ended", ended).unwrap();
    engine.define(SUCCESSOR).unwrap();
    engine.define(text).unwrap();
    let f = engine.func::<(i64,), i64>("f").unwrap();
    (0..200).for_each(|x| assert_eq!(f.call((x,)).unwrap(), x + 1));
    wait_for(|| holding.is_held.load(Ordering::Acquire));
    let two = engine.func::<(), i64>("two").unwrap();
    thread::scope(|scope| {
        let two = scope.spawn(move || two.call(()));
        wait_for(|| ROUNDS.load(Ordering::Relaxed) > 10_000);
        holding.may_go_on.store(true, Ordering::Release);
        wait_for(|| holding.has_followed.load(Ordering::Acquire));
        // If that was not what the loop waits for, it asks for the right thing now.
        let now = ROUNDS.load(Ordering::Relaxed);
        wait_for(|| ROUNDS.load(Ordering::Relaxed) > now + 1_000);
        thread::sleep(Duration::from_millis(30));
        END.store(true, Ordering::Release);
        assert_eq!(two.join().unwrap().unwrap(), 300);
    });
    assert_eq!(holding.continuations.load(Ordering::Relaxed), 1);
}
