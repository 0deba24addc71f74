use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use brolga::ir::builder::ModuleBuilder;
use brolga::ir::text::parse_module;
use brolga::ir::trap::TrapCode;
use brolga::ir::types::Type;
use brolga::ir::verify::Verified;
use brolga::lowering::options::StackGuard;
use brolga::{Config, Engine, FunctionError, Level, LoadError, LoadStep, Observer, Tier, Tiering};

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
fn without_stack_guards_modules_need_an_unsafe_load() {
    let text = "func @rounds(i64) -> i64 {
        entry(%n: i64):
            %z = icmp.i64 sle %n, 0
            branch %z, done, more
        done:
            return 0
        more:
            %m = sub.i64 %n, 1
            %r = call @rounds(%m)
            %s = add.i64 %r, 1
            return %s
        }";
    let bytes = |stack_guard| {
        let config = Config { stack_guard, level: Level::O0, ..Config::default() };
        let engine = Engine::new(config).unwrap();
        let before = engine.books().live_code;
        if stack_guard == StackGuard::Omit {
            let error = engine.load(text).unwrap_err();
            assert!(matches!(error, LoadError::NoStackGuard), "{error}");
            let way_out = "leave `Config::stack_guard` at `StackGuard::Emit`, or load the module \
                           with `load_unsafe`";
            assert!(error.to_string().ends_with(way_out), "{error}");
            assert_eq!(engine.books().live_code, before);
        }
        // SAFETY: the module is in the safe dialect, and goes ten calls deep.
        unsafe { engine.load_unsafe(text) }.unwrap();
        let rounds = engine.func::<(i64,), i64>("rounds").unwrap();
        assert_eq!(rounds.call((10,)).unwrap(), 10);
        engine.books().live_code - before
    };
    let (guarded, bare) = (bytes(StackGuard::Emit), bytes(StackGuard::Omit));
    assert!(bare < guarded, "{bare} {guarded}");
}

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
    let modules = [user, owner].map(|text| parse_module(text).unwrap());
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

#[test]
fn a_function_that_is_too_large_is_an_error_that_names_it_and_the_limit() {
    let engine = Engine::new(Config { max_instructions: 100, ..Config::default() }).unwrap();
    engine.load(ANSWER).unwrap();
    let before = engine.books();
    let mut body = String::from(
        "func @small() -> i64 {\nentry:\n    return 1\n}\nfunc @large(i64) -> i64 {\nentry(%x0: i64):\n",
    );
    for step in 0..200 {
        body += &format!("    %x{} = add.i64 %x{step}, 1\n", step + 1);
    }
    let error = engine.load(&format!("{body}    return %x200\n}}")).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, LoadError::Compile(_)), "{text}");
    assert!(text.contains("large") && text.contains("100"), "{text}");
    assert_eq!(engine.books(), before);
    assert!(engine.func::<(), i64>("small").is_err());
    let tiny = Engine::new(Config { max_instructions: 0, ..Config::default() }).unwrap();
    assert!(matches!(tiny.load(ANSWER), Err(LoadError::Compile(_))));
}

#[test]
fn modules_loaded_together_stand_or_fall_together() {
    let engine = Engine::new(Config::default()).unwrap();
    let good = "data @own = { i64 1 }\nfunc @good() -> i64 {\nentry:\n    return 1\n}";
    let bad = [
        "func @good() -> i64 {\nentry:\n    return 2\n}",
        "import @good() -> f64",
        "import @own()\ndata @good = { i64 1 }",
        "import data @nowhere size 8\nfunc @f() -> i64 {\nentry:\n    %x = data_load.i64 @nowhere, 0\n    return %x\n}",
        "import data @own size 16\nfunc @f() -> i64 {\nentry:\n    %x = data_load.i64 @own, 0\n    return %x\n}",
        "import data @own thread_local size 8\nfunc @f() -> i64 {\nentry:\n    %x = data_load.i64 @own, 0\n    return %x\n}",
    ];
    let before = engine.books();
    for bad in bad {
        let modules = [good, bad].map(|text| parse_module(text).unwrap());
        let error = engine.load_modules(&modules).unwrap_err();
        assert!(error.to_string().contains('@'), "{error}");
        let reversed = [modules[1].clone(), modules[0].clone()];
        assert!(engine.load_modules(&reversed).is_err(), "{bad}");
        assert_eq!(engine.books(), before, "{bad}");
        assert!(engine.func::<(), i64>("good").is_err());
        assert!(engine.read_data("own", 0, &mut [0i64]).is_err());
    }
    engine.load(good).unwrap();
}

#[test]
fn thread_local_data_is_no_larger_than_the_reservation_or_the_budget() {
    let two_megabytes =
        |name: &str| format!("data @{name} thread_local = {{ zero 2097151, i8 1 }}");
    let too_large = |engine: &Engine, text: &str, most: usize| {
        let error = engine.load(text).unwrap_err();
        assert!(
            matches!(error, LoadError::ThreadLocalsTooLarge { limit, .. } if limit == most),
            "{error}"
        );
    };
    let engine = Engine::new(Config { reservation: 4 << 20, ..Config::default() }).unwrap();
    engine.load(&two_megabytes("a")).unwrap();
    engine.load(&two_megabytes("b")).unwrap();
    too_large(&engine, "data @c thread_local = { i8 1 }", 4 << 20);
    let mut last = [0u8];
    engine.read_data("b", 2_097_151, &mut last).unwrap();
    assert_eq!(last, [1]);

    let engine = Engine::new(Config { memory_budget: 3 << 20, ..Config::default() }).unwrap();
    engine.load(&two_megabytes("a")).unwrap();
    too_large(&engine, &two_megabytes("b"), 3 << 20);

    let engine = Engine::new(Config::default()).unwrap();
    let gigabytes: String = (0..1000)
        .map(|n| format!("data @t{n} thread_local = {{ zero 2147483639, i8 1 }}\n"))
        .collect();
    too_large(&engine, &gigabytes, Config::default().reservation);
}

#[test]
fn thread_locals_beyond_the_table_are_an_error() {
    let engine = Engine::new(Config::default()).unwrap();
    let mut text = String::new();
    for index in 0..1024 {
        text += &format!("data @t{index} thread_local = {{ i64 {index} }}\n");
    }
    engine.load(&text).unwrap();
    let before = engine.books();
    let error = engine.load("data @more thread_local = { i64 1 }").unwrap_err();
    assert!(matches!(error, LoadError::TooManyThreadLocals { limit: 1024 }), "{error}");
    assert_eq!(engine.books(), before);
    let mut number = [0i64];
    for index in [0, 511, 1023] {
        engine.read_data(&format!("t{index}"), 0, &mut number).unwrap();
        assert_eq!(number, [index]);
    }
}

#[test]
fn an_engine_survives_an_observer_that_panics() {
    #[derive(Debug)]
    struct Panicking(LoadStep);
    impl Observer for Panicking {
        fn loaded(&self, step: LoadStep, _: Duration) {
            if step == self.0 {
                std::panic::resume_unwind(Box::new("quietly"));
            }
        }
    }
    for step in [LoadStep::Verify, LoadStep::Compile, LoadStep::Link] {
        let observer = Some(Arc::new(Panicking(step)) as Arc<dyn Observer>);
        let engine = Engine::new(Config { observer, ..Config::default() }).unwrap();
        let before = engine.books();
        let load = || engine.load(ANSWER);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(load)).is_err());
        let answer = engine.func::<(), i64>("answer");
        if step == LoadStep::Link {
            assert_eq!(answer.unwrap().call(()).unwrap(), 42);
        } else {
            assert!(answer.is_err());
            assert_eq!(engine.books(), before);
        }
    }
}

#[test]
fn a_target_that_is_not_this_machine_is_an_error_that_says_what_else_to_do() {
    let target = brolga::lowering::target::TargetSpec::parse("aarch64-linux").ok();
    assert!(target.is_some());
    let error = Engine::new(Config { target, ..Config::default() }).unwrap_err();
    assert!(error.to_string().contains("aarch64"), "{error}");
}

#[test]
fn modules_are_loaded_on_a_small_stack_and_far_down_a_large_one_until_little_is_left() {
    let text = include_str!("../../examples/nbody.bir");
    for kibibytes in [448, 1024] {
        let builder = std::thread::Builder::new().stack_size(kibibytes << 10);
        let load = || {
            let engine = Engine::new(Config::default()).unwrap();
            engine.load(text).unwrap();
        };
        builder.spawn(load).unwrap().join().unwrap();
    }
    // A host function that is called when little of the stack is left loads on
    // it, or is told that it cannot.
    let engine = Engine::new(Config::default()).unwrap();
    let [loaded, refused] = [0, 0].map(|none| Arc::new(AtomicI64::new(none)));
    let (counter, refusals) = (Arc::clone(&loaded), Arc::clone(&refused));
    engine
        .define_host("load", move |n: i64| {
            if n % 100 == 0 {
                let other = Engine::new(Config::default()).unwrap();
                match other.load(text) {
                    Ok(()) => counter.fetch_add(1, Ordering::Relaxed),
                    Err(LoadError::Stack(_)) => refusals.fetch_add(1, Ordering::Relaxed),
                    Err(error) => panic!("{error}"),
                };
            }
        })
        .unwrap();
    engine
        .load(
            "import @load(i64)
            func @down(i64) -> i64 {
            entry(%n: i64):
                call @load(%n)
                %m = add.i64 %n, 1
                %r = call @down(%m)
                %s = add.i64 %r, 1
                return %s
            }",
        )
        .unwrap();
    let down = engine.func::<(i64,), i64>("down").unwrap();
    let error = down.call((0,)).unwrap_err();
    assert_eq!(error.trap().unwrap().code, TrapCode::StackOverflow);
    assert!(loaded.load(Ordering::Relaxed) > 10);
    assert!(refused.load(Ordering::Relaxed) > 0);
}

#[test]
fn a_stack_that_is_too_small_to_compile_on_is_an_error_that_names_its_size() {
    let engine = engine(ANSWER);
    let mut loaded = 0;
    for kibibytes in [16, 32, 64, 128, 256, 512] {
        let engine = engine.clone();
        let builder = std::thread::Builder::new().stack_size(kibibytes << 10);
        let attempt = move || {
            match engine.func::<(), i64>("answer") {
                Ok(answer) => assert_eq!(answer.call(()).unwrap(), 42),
                Err(error) => assert!(matches!(error, FunctionError::Stack(_)), "{error}"),
            }
            match engine.load(&ANSWER.replace("answer", &format!("answer{kibibytes}"))) {
                Ok(()) => true,
                Err(LoadError::Stack(error)) => {
                    assert!(error.to_string().contains("larger stack"), "{error}");
                    false
                }
                Err(error) => panic!("{error}"),
            }
        };
        loaded += usize::from(builder.spawn(attempt).unwrap().join().unwrap());
    }
    assert!((1..6).contains(&loaded), "{loaded}");
}

#[test]
fn verified_modules_are_loaded_without_another_look_but_for_what_safe_code_vouches_for() {
    let mut builder = ModuleBuilder::new("m");
    let function = builder.export("twice", &[Type::I64], &[Type::I64]);
    let mut b = builder.define(function);
    let (x, two) = (b.param(0), b.param(0));
    let sum = b.add(x, two);
    b.return_values(&[sum]);
    b.finish().unwrap();
    let verified = builder.finish_verified().unwrap();
    let engine = Engine::new(Config::default()).unwrap();
    engine.load_verified(&[verified]).unwrap();
    assert_eq!(engine.func::<(i64,), i64>("twice").unwrap().call((4,)).unwrap(), 8);
    let text = "func @f(ptr) -> i64 {\nb(%p: ptr):\n    %x = load.i64 %p\n    return %x\n}";
    let unsafe_module = Verified::check(parse_module(text).unwrap()).unwrap();
    let unsafe_modules = [unsafe_module];
    let refused = engine.load_verified(&unsafe_modules).unwrap_err();
    assert!(matches!(refused, LoadError::NotSafe(_)), "{refused}");
    // SAFETY: the function is not called.
    unsafe { engine.load_verified_unsafe(&unsafe_modules).unwrap() };
    assert!(engine.func::<(*const i64,), i64>("f").is_ok());
    let broken = parse_module("func @f() -> i64 {\nb:\n    return\n}").unwrap();
    assert!(Verified::check(broken).is_err());
}

#[test]
fn what_of_compiling_is_copying_stencils_is_told_as_a_part_of_it() {
    #[derive(Debug, Default)]
    struct Parts(Mutex<Vec<&'static str>>);
    impl Observer for Parts {
        fn compiled(&self, part: &'static str, took: Duration) {
            assert!(!took.is_zero(), "{part}");
            self.0.lock().unwrap().push(part);
        }
    }
    let parts = Arc::new(Parts::default());
    let observer = Some(Arc::clone(&parts) as _);
    let tiering = Tiering::Fixed(Tier::Quick);
    let engine = Engine::new(Config { observer, tiering, ..Config::default() }).unwrap();
    engine.load("func @f(i64) -> i64 {\nblock0(%x: i64):\n    return %x\n}").unwrap();
    assert_eq!(*parts.0.lock().unwrap(), ["stencils"]);
}
