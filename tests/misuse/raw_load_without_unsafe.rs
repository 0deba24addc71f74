use brolga::{Config, Engine};

fn main() {
    let engine = Engine::new(Config::default()).unwrap();
    engine.load_unsafe("func @f() {\nentry:\n    return\n}").unwrap();
}
