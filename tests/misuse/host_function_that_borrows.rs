use brolga::{Config, Engine};

fn main() {
    let engine = Engine::new(Config::default()).unwrap();
    let numbers = vec![1, 2, 3];
    let first = &numbers;
    engine.define_host("first", move || first[0]).unwrap();
}
