use brolga::{Config, Engine};

fn main() {
    let engine = Engine::new(Config::default()).unwrap();
    let f = engine.func::<(i64, f64), f64>("f").unwrap();
    let _ = f.call((1, 2));
}
