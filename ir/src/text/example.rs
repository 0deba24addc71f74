//! The examples of the op table as modules.

use crate::op::Op;

/// The example of an op as the text of a module, with a `run` directive that
/// says what it gives.
pub fn example_module(op: Op) -> String {
    let info = op.info();
    let mut text = match info.example.split_once(": ") {
        Some((types, expression)) if !info.example.contains("@example") => {
            let count = types.split(',').count();
            let names: Vec<String> = (0..count).map(|i| format!("%{i}")).collect();
            let names = names.join(", ");
            format!(
                "func @example() -> {types} {{\nblock0:\n    {names} = {expression}\n    return {names}\n}}\n"
            )
        }
        _ => format!("{}\n", info.example),
    };
    let gives = match info.gives.strip_prefix("trap ") {
        Some(code) => format!("traps {code}"),
        None => format!("== {}", info.gives),
    };
    text.push_str(&format!("\n; run: @example() {gives}\n"));
    text
}
