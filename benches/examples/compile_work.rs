//! Compiles one program of a shape and size, so that its work can be counted
//! from outside: `compile_work function|module SIZE`.

use std::process::ExitCode;

use brolga::{Config, Engine};
use brolga_benches::{long_function, many_functions};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let text = match (args.get(1).map(String::as_str), args.get(2).map(|size| size.parse())) {
        (Some("function"), Some(Ok(size))) => long_function(size),
        (Some("module"), Some(Ok(size))) => many_functions(size),
        _ => return ExitCode::from(2),
    };
    let config = Config { reservation: 1 << 30, ..Config::default() };
    match Engine::new(config).map(|engine| engine.load(&text)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
