#![cfg(target_os = "linux")]

use brolga::{CallError, Config, Engine, Forking};

use super::in_child;

const ANSWER: &str = "func @answer() -> i64 {\nentry:\n    return 42\n}";

#[test]
fn a_forked_child_is_refused_or_goes_on_as_configured() {
    for (forking, expected) in [(Forking::Refused, 7), (Forking::Safe, 42)] {
        let engine = Engine::new(Config { forking, ..Config::default() }).unwrap();
        engine.load(ANSWER).unwrap();
        let answer = engine.func::<(), i64>("answer").unwrap();
        let code = in_child(|| match answer.call(()) {
            Ok(number) => number as i32,
            Err(CallError::CannotEnter { .. }) => 7,
            Err(_) => 1,
        });
        assert_eq!(code, expected, "{forking:?}");
        assert_eq!(answer.call(()).unwrap(), 42);
    }
}
