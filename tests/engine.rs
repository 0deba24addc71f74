//! The engine through its public interface.

mod engine {
    mod calls;
    mod data;
    mod foreign;
    mod forking;
    mod hosts;
    mod limits;
    mod loading;
    mod nesting;
    mod threads;
    mod trap_sites;
    mod traps;

    use brolga::{Config, Engine};

    /// An engine of the default configuration with a module in the safe dialect.
    fn engine(text: &str) -> Engine {
        let engine = Engine::new(Config::default()).unwrap();
        engine.load(text).unwrap();
        engine
    }

    /// An engine with a module that uses addresses.
    fn raw_engine(text: &str) -> Engine {
        let engine = Engine::new(Config::default()).unwrap();
        // SAFETY: each test's module accesses only what the test gives it.
        unsafe { engine.load_unsafe(text) }.unwrap();
        engine
    }
}
