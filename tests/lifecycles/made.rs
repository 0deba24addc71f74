//! How functions are made, tier by tier.

use brolga::{Config, Engine, ResolveError, Stats, Tier, Tiering};

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
