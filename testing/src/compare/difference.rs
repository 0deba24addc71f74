//! What differs between two observations, in words.

use std::fmt::Write as _;

use brolga_ir::module::Module;
use brolga_ir::text::display_datum;

use super::{Answer, Observation};
use crate::generate::Generated;

/// The first thing in which `other` differs from `reference`; nothing if they agree.
pub fn difference(
    program: &Generated,
    reference: &Observation,
    other: &Observation,
) -> Option<String> {
    for (index, (expected, found)) in reference.answers.iter().zip(&other.answers).enumerate() {
        if let Answer::Failed(reason) = found {
            return Some(format!("call {index} failed: {reason}"));
        }
        if *expected != with_kinds_of_frames(expected, found) {
            let call = &program.calls[index];
            let describe = |answer| describe(&program.module, &call.function, answer);
            let (expected, found) = (describe(expected), describe(found));
            let name = &call.function;
            return Some(format!(
                "call {index}, of @{name}:\n  expected {expected}\n  found    {found}"
            ));
        }
    }
    if reference.answers.len() != other.answers.len() {
        return Some("not every call was made".to_owned());
    }
    for ((name, expected), (_, found)) in reference.data.iter().zip(&other.data) {
        if let Some(at) = (0..expected.len()).find(|&at| found.get(at) != expected.get(at)) {
            let found = found.get(at);
            return Some(format!(
                "byte {at} of @{name}: expected {}, found {found:?}",
                expected[at]
            ));
        }
    }
    if reference.host != other.host {
        return Some("functions of the host were called with something else".to_owned());
    }
    (reference.data != other.data).then(|| "data objects differ in number or size".to_owned())
}

/// An answer whose frames were called or inlined as those of the reference were: the one
/// thing that an engine may tell otherwise. Code that a caller has taken over has no frame
/// on the stack any more, but must tell of the same functions and lines.
pub fn with_kinds_of_frames(reference: &Answer, answer: &Answer) -> Answer {
    let mut answer = answer.clone();
    if let (Answer::Trapped { frames, .. }, Answer::Trapped { frames: known, .. }) =
        (&mut answer, reference)
    {
        for (frame, known) in frames.iter_mut().zip(known) {
            frame.kind = known.kind;
        }
    }
    answer
}

/// How a call ended, in words.
pub(crate) fn describe(module: &Module, function: &str, answer: &Answer) -> String {
    let id = module.function_named(function);
    let results = id.map(|id| module.signature_of(id).results.clone()).unwrap_or_default();
    match answer {
        Answer::Returned(values) => {
            let mut text = String::from("(");
            for (index, value) in values.iter().enumerate() {
                let comma = if index == 0 { "" } else { ", " };
                // Writing to a string does not fail.
                let _ = match results.get(index) {
                    Some(result) => {
                        write!(text, "{comma}{}", display_datum(&module.types, result.ty, value))
                    }
                    None => write!(text, "{comma}{value:?}"),
                };
            }
            text + ")"
        }
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::reference;
    use crate::generate::{Options, generate};
    use brolga_ir::datum::Datum;

    #[test]
    fn another_answer_another_byte_and_a_failure_are_differences() {
        let program = generate(3, &Options::default());
        let (expected, _) = reference(&program).expect("it links");
        assert_eq!(difference(&program, &expected, &expected), None);
        let mut other = expected.clone();
        other.answers[0] = Answer::Returned(vec![Datum::from(12345i32); 9]);
        assert!(difference(&program, &expected, &other).is_some_and(|text| text.contains("12345")));
        other.answers[0] = Answer::Failed("no code".to_owned());
        assert!(
            difference(&program, &expected, &other).is_some_and(|text| text.contains("no code"))
        );
        let mut other = expected.clone();
        other.data[0].1[7] ^= 1;
        let found = difference(&program, &expected, &other).expect("a difference");
        assert!(found.starts_with("byte 7 of @"), "{found}");
        let mut other = expected.clone();
        other.data.pop();
        assert!(difference(&program, &expected, &other).is_some());
    }
}
