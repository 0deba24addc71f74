use super::*;

/// The results that an example states, by a function that returns them.
fn stated(op: Op) -> Result<Vec<Datum>, TrapCode> {
    let info = op.info();
    if let Some(code) = info.gives.strip_prefix("trap ") {
        let user = code.strip_prefix("user(").and_then(|code| code.strip_suffix(')'));
        let user = user.map(|code| TrapCode::User(code.parse().unwrap()));
        return Err(user.or_else(|| TrapCode::from_name(code)).unwrap());
    }
    let example = example_module(op);
    let (_, head) = example.split_once("func @example() -> ").unwrap();
    let (types, _) = head.split_once(" {\n").unwrap();
    let gives = info.gives.strip_prefix('(').and_then(|gives| gives.strip_suffix(')'));
    let gives = gives.unwrap_or(info.gives);
    Ok(run(&format!("func @main() -> {types} {{\nblock0:\n    return {gives}\n}}\n")).unwrap())
}

#[test]
fn the_example_of_every_op_gives_what_its_row_states() {
    for &op in Op::ALL {
        let example = module(&example_module(op));
        let mut interpreter = Interpreter::new(&[&example]).unwrap();
        let result = interpreter.call("example", &[]);
        let result = result.map_err(|error| match error {
            CallError::Trap(trap) => trap.code,
            other => panic!("{op}: {other}"),
        });
        assert_eq!(result, stated(op), "{op}");
        assert!(interpreter.counts().of(op) > 0, "{op} is not in its example");
    }
}
