use brolga::{Config, Engine};

fn main() {
    let engine = Engine::new(Config::default()).unwrap();
    let f = engine.func::<(i64,), (i64, f64)>("f").unwrap();
    let (_, _): (f64, i64) = f.call((1,)).unwrap();
    let _ = engine.func::<(i64,), &[f64]>("f");
}
