//! What gdb and perf look at: a loop of a function that is compiled at its first call, then
//! better, while it runs.

use std::sync::Arc;

use brolga::debugging::jitdump::Jitdump;
use brolga::debugging::perf_map::PerfMap;
use brolga::ir::module::Module;
use brolga::ir::text::parse_module;
use brolga::{Budgets, Config, Debugging, Engine, Gdb, Tiering};

/// The argument by which this program is it.
pub(crate) const ARGUMENT: &str = "--debugged";

pub(crate) const TEXT: &str = include_str!("debugged.bir");
/// Where debuggers find the text.
pub(crate) const TEXT_NAME: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/debugging/debugged.bir");

pub(crate) fn module() -> Module {
    let mut module = parse_module(TEXT).unwrap();
    module.name = TEXT_NAME.to_owned();
    module
}

/// An engine that compiles better at once what has run a hundred times.
pub(crate) fn engine(debugging: Debugging) -> Engine {
    let tiering = Tiering::Adaptive(Budgets { quick: 100, warm: 100, ..Budgets::default() });
    let config = Config { tiering, background_threads: 0, debugging, ..Config::default() };
    Engine::new(config).unwrap()
}

/// Calls the loop twice, for so many rounds; further arguments say who is told: `gdb`, `perf-map`,
/// or a folder for a jitdump.
pub(crate) fn run(arguments: &[String]) {
    let [rounds, told @ ..] = arguments else { panic!("how many rounds?") };
    let mut debugging = Debugging::default();
    for told in told {
        match told.as_str() {
            "gdb" => debugging.gdb = Gdb::Register,
            "perf-map" => debugging.perf_map = Some(Arc::new(PerfMap::create().unwrap())),
            folder => {
                let dump = Jitdump::create(folder.as_ref()).unwrap();
                debugging.jitdump = Some(Arc::new(dump));
            }
        }
    }
    let engine = engine(debugging);
    engine.define_module(module()).unwrap();
    call_compiled(&engine, rounds.parse().unwrap());
    engine.finish_records().unwrap();
}

/// The caller that a back-trace ends with.
#[inline(never)]
fn call_compiled(engine: &Engine, rounds: i64) {
    let churn = engine.func::<(i64,), i64>("churn").unwrap();
    for _ in 0..2 {
        std::hint::black_box(churn.call((rounds,)).unwrap());
    }
}
