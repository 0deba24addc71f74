use brolga::{Config, Engine, LoadError};

use super::engine;

const ANSWER: &str = "func @answer() -> i64 {\nentry:\n    return 42\n}";

#[test]
fn modules_call_each_other_in_any_order() {
    let engine = Engine::new(Config::default()).unwrap();
    let ping = "import @pong(i64) -> i64
        func @ping(i64) -> i64 {
        entry(%n: i64):
            %z = icmp.i64 sle %n, 0
            branch %z, done, more
        done:
            return 0
        more:
            %m = sub.i64 %n, 1
            %r = call @pong(%m)
            %s = add.i64 %r, 1
            return %s
        }";
    engine.load(ping).unwrap();
    engine.load(&ping.replace("pong", "x").replace("ping", "pong").replace("@x", "@ping")).unwrap();
    assert_eq!(engine.func::<(i64,), i64>("ping").unwrap().call((11,)).unwrap(), 11);
}

#[test]
fn a_name_is_defined_once() {
    let engine = engine(ANSWER);
    let before = engine.books();
    assert!(matches!(engine.load(ANSWER), Err(LoadError::Duplicate { .. })));
    assert_eq!(engine.books(), before);
    engine.load(&format!("local {ANSWER}")).unwrap();
}

#[test]
fn modules_agree_on_signatures() {
    let engine = engine(ANSWER);
    let text = "import @answer() -> f64\nfunc @f() -> f64 {\nentry:\n    %x = call @answer()\n    return %x\n}";
    let error = engine.load(text).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`@answer` is declared as fn() -> f64 here, but it is fn() -> i64 elsewhere"
    );
}

#[test]
fn raw_modules_need_an_unsafe_load() {
    let engine = Engine::new(Config::default()).unwrap();
    let text = "func @peek(ptr) -> i64 {\nentry(%p: ptr):\n    %x = load.i64 %p\n    return %x\n}";
    let error = engine.load(text).unwrap_err();
    assert!(matches!(error, LoadError::NotSafe(_)), "{error}");
    // SAFETY: the function is called with the address of a number.
    unsafe { engine.load_unsafe(text) }.unwrap();
    let peek = engine.func::<(*const i64,), i64>("peek").unwrap();
    assert_eq!(peek.call((&raw const BOXED,)).unwrap(), 99);
}

static BOXED: i64 = 99;

#[test]
fn what_is_wrong_with_a_module_leaves_nothing_behind() {
    let engine = Engine::new(Config::default()).unwrap();
    let before = engine.books();
    assert!(matches!(engine.load("func @f( {"), Err(LoadError::Text(_))));
    let ill_typed = "func @f() -> i64 {\nentry:\n    return 1.5\n}";
    assert!(engine.load(ill_typed).is_err());
    let missing = "import data @d size 8\nfunc @f() -> i64 {\nentry:\n    %x = data_load.i64 @d, 0\n    return %x\n}";
    assert!(matches!(engine.load(missing), Err(LoadError::MissingData { .. })));
    assert_eq!(engine.books(), before);
}

#[test]
fn data_is_shared_between_modules_loaded_together() {
    let engine = Engine::new(Config::default()).unwrap();
    let user = "import data @d size 8\nfunc @f() -> i64 {\nentry:\n    %x = data_load.i64 @d, 0\n    return %x\n}";
    let owner = "data @d = { i64 7 }";
    let modules = [user, owner].map(|text| brolga::ir::text::parse_module(text).unwrap());
    engine.load_modules(&modules).unwrap();
    let f = engine.func::<(), i64>("f").unwrap();
    assert_eq!(f.call(()).unwrap(), 7);
    engine.write_data("d", 0, &[8i64]).unwrap();
    assert_eq!(f.call(()).unwrap(), 8);
}

#[test]
fn a_full_reservation_and_a_spent_budget_are_errors() {
    let small = Config { reservation: 1 << 20, ..Config::default() };
    let engine = Engine::new(small).unwrap();
    let mut loaded = 0;
    let error = loop {
        let text = ANSWER.replace("answer", &format!("answer{loaded}"));
        match engine.load(&text) {
            Ok(()) => loaded += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, LoadError::Memory(_)), "{error}");
    assert!(loaded > 1000);
    assert_eq!(engine.func::<(), i64>("answer0").unwrap().call(()).unwrap(), 42);

    let poor = Config { memory_budget: 64 << 10, ..Config::default() };
    let engine = Engine::new(poor).unwrap();
    let error = engine.load("data @big = { zero 1000000 }").unwrap_err();
    assert!(error.to_string().contains("budget"), "{error}");
    engine.load(ANSWER).unwrap();
}

#[test]
fn two_engines_know_nothing_of_each_other() {
    let first = engine(ANSWER);
    let second = engine(&ANSWER.replace("42", "43"));
    let call = |engine: &Engine| engine.func::<(), i64>("answer").unwrap().call(()).unwrap();
    assert_eq!((call(&first), call(&second)), (42, 43));
    drop(first);
    assert_eq!(call(&second), 43);
}
