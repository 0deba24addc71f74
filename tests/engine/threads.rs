use std::thread;

use super::engine;

#[test]
fn many_threads_call_and_trap_at_once() {
    let engine = engine(
        "func @check(i64) -> i64 {
        entry(%n: i64):
            %r = urem.i64 %n, 3
            %q = sdiv.i64 %n, %r
            return %q
        }",
    );
    let before = engine.books();
    thread::scope(|scope| {
        for worker in 0..4 {
            let check = engine.func::<(i64,), i64>("check").unwrap();
            scope.spawn(move || {
                for n in worker * 1000..worker * 1000 + 3000 {
                    match (n % 3, check.call((n,))) {
                        (0, result) => assert!(result.is_err()),
                        (rest, result) => assert_eq!(result.unwrap(), n / rest),
                    }
                }
            });
        }
    });
    assert_eq!(engine.books().allocations, before.allocations + 1, "one way in was made");
}
