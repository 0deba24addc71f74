//! Lets compiled code paint the Mandelbrot set and writes it as a picture:
//! `cargo run --release --example mandelbrot -- picture.png`.

mod png;

use std::error::Error;

use brolga::{Config, Engine};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "mandelbrot.png".to_owned());
    let engine = Engine::new(Config::default())?;
    engine.load(include_str!("../mandelbrot.bir"))?;
    let (width, height) = (600_u32, 500_u32);
    let paint = engine.func::<(i64, i64), i64>("mandelbrot")?;
    paint.call((width.into(), height.into()))?;
    let mut rgb = vec![0_u8; (width * height * 3) as usize];
    engine.read_data("image", 0, &mut rgb)?;
    std::fs::write(path, png::encode(width, height, &rgb))?;
    Ok(())
}
