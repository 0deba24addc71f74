use brolga::{CallError, Config, Engine};

fn sum(engine: &Engine) -> Result<f64, CallError> {
    let sum = engine.func::<(&mut [f64],), f64>("sum").unwrap();
    let numbers;
    {
        let mut short = vec![1.0, 2.0];
        numbers = &mut short[..];
    }
    sum.call((numbers,))
}

fn main() {
    let _ = sum(&Engine::new(Config::default()).unwrap());
}
