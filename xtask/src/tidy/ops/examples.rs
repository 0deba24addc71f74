//! Each op's example, which its documentation shows, uses the op and gives what
//! its row says.

use brolga_ir::interpret::{CallError, Interpreter};
use brolga_ir::op::Op;
use brolga_ir::text::{DirectiveKind, Outcome, Run, directives, parse_module};
use brolga_ir::verify::{Options, verify_module};

use super::{Finding, TABLE, listed};

pub(super) fn check(examples: &[(Op, String)]) -> Option<Finding> {
    let faults = examples.iter().filter_map(|(op, text)| {
        let fault = judge(*op, text).err()?;
        Some(format!("`{op}`: {fault}"))
    });
    listed("examples that do not hold", faults).map(|fault| {
        Finding::new(TABLE, 0, fault, "correct the example, what it gives, or the interpreter")
    })
}

/// Whether the module of an example runs through the op, to the stated end.
fn judge(op: Op, text: &str) -> Result<(), String> {
    let first = |errors: Vec<_>| errors.first().map_or(String::new(), ToString::to_string);
    let module = parse_module(text).map_err(first)?;
    verify_module(&module, &Options::default()).map_err(|errors| errors.to_string())?;
    let runs = directives(text).map_err(first)?;
    let runs: Vec<(u32, &Run)> = runs
        .iter()
        .filter_map(|directive| match &directive.kind {
            DirectiveKind::Run(run) => Some((directive.line, run)),
            _ => None,
        })
        .collect();
    if runs.is_empty() {
        return Err("nothing is run".to_owned());
    }
    let mut interpreter = Interpreter::new(&[&module]).map_err(|error| error.to_string())?;
    for (line, run) in runs {
        let arguments = run.argument_data(&module, line).map_err(|error| error.to_string())?;
        let expected = run.result_data(&module, line).map_err(|error| error.to_string())?;
        match (interpreter.call(&run.function, &arguments), &run.outcome) {
            (Ok(found), _) if Some(&found) == expected.as_ref() => {}
            (Err(CallError::Trap(trap)), Outcome::Traps { code, .. }) if trap.code == *code => {}
            (Err(error), _) => return Err(error.to_string()),
            (Ok(_), _) => return Err("it gives another answer".to_owned()),
        }
    }
    match interpreter.counts().of(op) {
        0 => Err("the op is not executed".to_owned()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(expression: &str, run: &str) -> Option<String> {
        let text = format!(
            "func @example() -> i8 {{\nb:\n    %r = {expression}\n    return %r\n}}\n{run}\n"
        );
        check(&[(Op::Sdiv, text)]).map(|finding| finding.fault)
    }

    #[test]
    fn an_example_holds_when_it_gives_what_it_says() {
        assert_eq!(fault("sdiv.i8 7, 2", "; run: @example() == 3"), None);
        assert_eq!(fault("sdiv.i8 7, 0", "; run: @example() traps division_by_zero"), None);
    }

    #[test]
    fn an_example_that_does_not_run_or_gives_something_else_is_found() {
        for (expression, run, says) in [
            ("sdiv.i8 7, 2", "; run: @example() == 4", "another answer"),
            ("sdiv.i8 7, 2", "; run: @example() traps division_by_zero", "another answer"),
            ("sdiv.i8 7, 0", "; run: @example() traps integer_overflow", "divided by zero"),
            ("udiv.i8 7, 2", "; run: @example() == 3", "not executed"),
            ("sdiv.i8 7, 2", "", "nothing is run"),
            ("sdiv.i9 7, 2", "; run: @example() == 3", "i9"),
            ("sdiv.i8 7, %r", "; run: @example() == 3", "%r"),
        ] {
            let fault = fault(expression, run).unwrap_or_default();
            assert!(fault.contains("`sdiv`: ") && fault.contains(says), "{expression}: {fault}");
        }
    }
}
