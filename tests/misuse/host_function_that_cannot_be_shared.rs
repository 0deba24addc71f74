use std::cell::Cell;
use std::rc::Rc;

use brolga::{Config, Engine};

fn main() {
    let engine = Engine::new(Config::default()).unwrap();
    let calls = Rc::new(Cell::new(0));
    engine.define_host("count", move |n: i64| calls.set(calls.get() + n)).unwrap();
}
