//! Compiles one program of a shape and size, or writes it as LLVM IR and reads that, so
//! that the work can be counted from outside:
//! `compile_work SHAPE|llvm-SHAPE SIZE`, where the shape is one of `function`, `module`,
//! `nested`, `nested-loops`, `switch`, `loops`, `live`, `dispatch`, `counters`, `compares`,
//! `meetings`, `exits`, `states`, `stores`, `unused`, `refusals`, `answers`, `wrappers`, `choices`,
//! `products`, `alike` and `ends`, which is compiled without optimisation.

use std::process::ExitCode;

use brolga::ir::llvm::{ReadOptions, read_module, write_module};
use brolga::ir::text::parse_module;
use brolga::{Config, Engine, Level};
use brolga_benches::{
    live_values, long_function, many_functions, many_loops, nested_branches, nested_loops, shapes,
    wide_switch,
};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let shape = args.get(1).map(String::as_str);
    let text = match (
        shape.map(|shape| shape.trim_start_matches("llvm-")),
        args.get(2).map(|size| size.parse()),
    ) {
        (Some("function"), Some(Ok(size))) => long_function(size),
        (Some("module"), Some(Ok(size))) => many_functions(size),
        (Some("nested"), Some(Ok(size))) => nested_branches(size),
        (Some("nested-loops"), Some(Ok(size))) => nested_loops(size),
        (Some("live"), Some(Ok(size))) => live_values(size),
        (Some("switch"), Some(Ok(size))) => wide_switch(size),
        (Some("loops"), Some(Ok(size))) => many_loops(size),
        (Some("dispatch"), Some(Ok(size))) => shapes::dispatch(size),
        (Some("counters"), Some(Ok(size))) => shapes::many_counters(size),
        (Some("compares"), Some(Ok(size))) => shapes::many_compares(size),
        (Some("meetings"), Some(Ok(size))) => shapes::many_meetings(size),
        (Some("exits"), Some(Ok(size))) => shapes::many_exits(size),
        (Some("states"), Some(Ok(size))) => shapes::many_states(size),
        (Some("stores"), Some(Ok(size))) => shapes::many_stores(size),
        (Some("unused"), Some(Ok(size))) => shapes::unused_numbers(size),
        (Some("refusals"), Some(Ok(size))) => shapes::many_refusals(size),
        (Some("answers"), Some(Ok(size))) => shapes::many_answers(size),
        (Some("ends"), Some(Ok(size))) => shapes::nested_ends(size),
        (Some("wrappers"), Some(Ok(size))) => shapes::wrappers(size),
        (Some("choices"), Some(Ok(size))) => shapes::many_choices(size),
        (Some("products"), Some(Ok(size))) => shapes::many_products(size),
        (Some("alike"), Some(Ok(size))) => shapes::many_alike(size),
        _ => return ExitCode::from(2),
    };
    if shape.is_some_and(|shape| shape.starts_with("llvm-")) {
        return read_back(&text);
    }
    let level = if shape == Some("ends") { Level::O0 } else { Level::O2 };
    let config = Config { reservation: 1 << 30, level, ..Config::default() };
    // SAFETY: nothing of the program runs.
    match Engine::new(config).map(|engine| unsafe { engine.load_unsafe(&text) }) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Writes the program as LLVM IR, and reads that.
fn read_back(text: &str) -> ExitCode {
    let written = parse_module(text).ok().and_then(|module| write_module(&module).ok());
    let read = written.map(|text| read_module(&text, &ReadOptions::default()).is_ok());
    if read == Some(true) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
