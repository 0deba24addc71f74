use brolga::{Config, Engine};

fn main() {
    let engine = Engine::new(Config::default()).unwrap();
    let _ = engine.func::<(String,), i64>("f");
}
