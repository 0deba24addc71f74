//! How functions are made, tier by tier.

use brolga::ir::text::parse_module;
use brolga::ir::verify::Verified;
use brolga::{Config, Engine, LoadError, ResolveError, Stats, Tier, Tiering};

use crate::{constant, successor};

#[test]
fn an_engine_says_how_functions_were_made() {
    let wide = "export func @wide(i128) -> i128 {\nb(%x: i128):\n    return %x\n}\n";
    let is_left_out = |stats: &Stats| {
        let left: Vec<_> = stats.left_out.iter().map(|it| (&*it.reason, it.functions)).collect();
        left == [("a signature that takes more than words", 1)]
            || left == [("a value of more than a word", 1)]
    };
    let config = || Config { tiering: Tiering::Fixed(Tier::Quick), ..Config::default() };
    let loaded = Engine::new(config()).unwrap();
    loaded.load(&(constant("f", 1) + wide)).unwrap();
    let lazy = Engine::new(config()).unwrap();
    lazy.define(&(constant("f", 1) + wide)).unwrap();
    assert_eq!(lazy.stats(), Stats::default());
    lazy.compile("f").unwrap();
    lazy.compile("wide").unwrap();
    for engine in [loaded, lazy] {
        let stats = engine.stats();
        assert_eq!((stats.copied, stats.lowered), (1, 1), "{stats:?}");
        assert!(is_left_out(&stats), "{stats:?}");
    }
    let hot =
        Engine::new(Config { tiering: Tiering::Fixed(Tier::Hot), ..Config::default() }).unwrap();
    hot.define(&constant("f", 1)).unwrap();
    hot.compile("f").unwrap();
    assert_eq!((hot.stats().copied, hot.stats().lowered), (0, 1));
}

#[test]
fn verified_modules_are_defined_without_another_look_but_for_what_safe_code_vouches_for() {
    let verified = |text: &str| Verified::check(parse_module(text).unwrap()).unwrap();
    let reads = "func @f(ptr) -> i64 {\nb(%p: ptr):\n    %x = load.i64 %p\n    return %x\n}";
    let engine = Engine::new(Config::default()).unwrap();
    let other = engine.add_library("other").unwrap();
    engine.define_verified(verified(&constant("one", 1))).unwrap();
    other.define_verified(verified(&constant("two", 2))).unwrap();
    assert_eq!(engine.func::<(), u64>("one").unwrap().call(()).unwrap(), 1);
    assert_eq!(other.func::<(), u64>("two").unwrap().call(()).unwrap(), 2);
    engine.define_verified(verified(reads)).unwrap();
    other.define_verified(verified(reads)).unwrap();
    assert!(matches!(engine.compile("f"), Err(ResolveError::Refused { .. })));
    assert!(matches!(other.compile("f"), Err(ResolveError::Refused { .. })));
    // SAFETY: it is called with the address of a word.
    unsafe { engine.define_verified_unsafe(verified(reads)).unwrap() };
    // SAFETY: as above.
    unsafe { other.define_verified_unsafe(verified(reads)).unwrap() };
    let word = 5_i64;
    for f in [engine.func::<(*const i64,), i64>("f"), other.func("f")] {
        assert_eq!(f.unwrap().call((&raw const word,)).unwrap(), 5);
    }
}

#[test]
fn the_first_tier_is_the_same_by_one_thread_and_by_several() {
    const FUNCTIONS: usize = 1500;
    let mut text = constant("f0", 1);
    for index in 1..FUNCTIONS {
        // Of every hundredth one, stencils do nothing.
        text += &match index % 100 {
            0 => format!(
                "func @f{index}() -> i64 {{\nb:\n    %w = add.i128 {index}, 0\n    \
                 %x = trunc.i64 %w\n    return %x\n}}\n"
            ),
            _ => format!(
                "func @f{index}() -> i64 {{\nb:\n    %x = call @f{}()\n    \
                 %y = add.i64 %x, 1\n    return %y\n}}\n",
                index - 1
            ),
        };
    }
    let loaded = |compile_threads| {
        let tiering = Tiering::Fixed(Tier::Quick);
        let engine = Engine::new(Config { tiering, compile_threads, ..Config::default() }).unwrap();
        engine.load(&text).unwrap();
        let last = engine.func::<(), i64>("f1499").unwrap().call(()).unwrap();
        (last, engine.stats(), engine.books().live_code)
    };
    let (last, stats, code) = loaded(1);
    assert_eq!((last, stats.copied, stats.lowered), (1499, 1486, 14));
    for threads in [2, 3, 5] {
        assert_eq!(loaded(threads), (last, stats.clone(), code), "{threads} threads");
    }
}

#[test]
fn what_the_first_tier_has_written_of_a_load_that_fails_is_gone() {
    let functions = |count: usize| -> String {
        (0..count).map(|index| constant(&format!("f{index}"), index as u64)).collect()
    };
    let tiering = || Tiering::Fixed(Tier::Quick);
    let engine = Engine::new(Config { tiering: tiering(), ..Config::default() }).unwrap();
    engine.load(&constant("f999", 1)).unwrap();
    let before = engine.books();
    let error = engine.load(&functions(1000)).unwrap_err();
    assert!(error.to_string().contains("f999"), "{error}");
    assert_eq!(engine.books().live_code, before.live_code);
    assert_eq!(engine.books().allocations, before.allocations);
    engine.load(&functions(999)).unwrap();
    assert_eq!(engine.func::<(), u64>("f998").unwrap().call(()).unwrap(), 998);

    let reservation = 1 << 20;
    let small = Engine::new(Config { tiering: tiering(), reservation, ..Config::default() });
    let small = small.unwrap();
    let before = small.books();
    let error = small.load(&functions(20_000)).unwrap_err();
    assert!(matches!(error, LoadError::Memory(_)), "{error}");
    assert_eq!(small.books().live_code, before.live_code);
    assert_eq!(small.books().allocations, before.allocations);
    small.load(&functions(100)).unwrap();
}

#[test]
fn what_is_too_large_is_refused_in_every_tier() {
    for tier in Tier::ALL {
        let engine = Engine::new(Config {
            tiering: Tiering::Fixed(tier),
            max_instructions: 1,
            ..Config::default()
        })
        .unwrap();
        engine.define(&successor("g", "f")).unwrap();
        let error = engine.compile("g").unwrap_err();
        assert!(matches!(&error, ResolveError::Refused { .. }), "{tier:?}: {error}");
        assert!(engine.load(&successor("h", "f")).is_err(), "{tier:?}");
    }
}
