//! The comparison of two runs misses nothing that can be seen of them.

use brolga_ir::datum::Datum;
use brolga_ir::report::FrameKind;
use brolga_ir::trap::TrapCode;
use brolga_testing::compare::{Answer, Observation, difference, reference};
use brolga_testing::generate::{Generated, Managed, Options, generate};

/// A program one of whose calls traps under three frames at least.
fn trapping() -> (Generated, Observation, usize) {
    let options = Options { managed: Managed::Exclude, ..Options::default() };
    let observed = (0..2000).map(|seed| {
        let program = generate(seed, &options);
        let (observation, _) = reference(&program).expect("it links");
        (program, observation)
    });
    let found = observed.filter_map(|(program, observation)| {
        let index = observation.answers.iter().position(
            |answer| matches!(answer, Answer::Trapped { frames, .. } if frames.len() > 2),
        )?;
        Some((program, observation, index))
    });
    found.into_iter().next().expect("one of the programs traps under three frames")
}

type Change = fn(&mut Answer);

fn with_trap(answer: &mut Answer, change: impl FnOnce(&mut TrapCode, &mut Vec<Datum>)) {
    if let Answer::Trapped { code, values, .. } = answer {
        change(code, values);
    }
}

fn frame(answer: &mut Answer, index: usize) -> &mut brolga_ir::report::Frame {
    match answer {
        Answer::Trapped { frames, .. } => &mut frames[index],
        other => panic!("{other:?} has no frames"),
    }
}

const CHANGES: &[(&str, Change)] = &[
    ("its code", |answer| with_trap(answer, |code, _| *code = TrapCode::User(4321))),
    ("a value", |answer| with_trap(answer, |_, values| values.push(7i32.into()))),
    ("the function", |answer| frame(answer, 0).function = "another".into()),
    ("the line", |answer| frame(answer, 0).line += 1),
    ("the column", |answer| frame(answer, 0).column += 1),
    ("the file", |answer| frame(answer, 0).file = Some("another".into())),
    ("a caller", |answer| frame(answer, 2).function = "another".into()),
    ("a caller's line", |answer| frame(answer, 2).line += 1),
    ("the length of the chain", |answer| {
        if let Answer::Trapped { frames, .. } = answer {
            frames.pop();
        }
    }),
    ("what is left out of the chain", |answer| {
        if let Answer::Trapped { omitted, .. } = answer {
            *omitted += 1;
        }
    }),
    ("the side exit", |answer| {
        if let Answer::Trapped { side_exit, .. } = answer {
            *side_exit = Some(side_exit.map_or(0, |number| number.wrapping_add(1)));
        }
    }),
    ("what the host said", |answer| {
        if let Answer::Trapped { message, .. } = answer {
            *message = Some("other words".into());
        }
    }),
    ("that it trapped", |answer| *answer = Answer::Returned(Vec::new())),
];

#[test]
fn every_part_of_a_trap_is_compared() {
    let (program, expected, index) = trapping();
    assert_eq!(difference(&program, &expected, &expected), None);
    for (what, change) in CHANGES {
        let mut other = expected.clone();
        change(&mut other.answers[index]);
        assert!(difference(&program, &expected, &other).is_some(), "{what} is not compared");
    }
}

#[test]
fn engines_may_tell_of_a_call_as_inlined() {
    let (program, expected, index) = trapping();
    let mut other = expected.clone();
    let frame = frame(&mut other.answers[index], 1);
    frame.kind = match frame.kind {
        FrameKind::Called => FrameKind::Inlined,
        FrameKind::Inlined => FrameKind::Called,
    };
    assert_eq!(difference(&program, &expected, &other), None);
}

#[test]
fn every_byte_of_every_data_object_is_compared() {
    let (program, expected, _) = trapping();
    assert!(expected.data.len() >= 4);
    for object in 0..expected.data.len() {
        for byte in 0..expected.data[object].1.len() {
            let mut other = expected.clone();
            other.data[object].1[byte] ^= 0x80;
            assert!(difference(&program, &expected, &other).is_some(), "{object} {byte}");
        }
    }
}

#[test]
fn what_the_host_was_called_with_is_compared() {
    let (program, expected, _) = trapping();
    let other = Observation { host: expected.host ^ 1, ..expected.clone() };
    assert!(difference(&program, &expected, &other).is_some());
}

#[test]
fn what_functions_leave_in_their_slots_is_compared() {
    let options = Options { managed: Managed::Exclude, ..Options::default() };
    let leaving = (0..100).filter(|&seed| {
        let (observation, _) = reference(&generate(seed, &options)).expect("it links");
        let mut data = observation.data.iter();
        data.any(|(name, bytes)| &**name == "remains" && bytes.iter().any(|&byte| byte != 0))
    });
    let leaving = leaving.count();
    assert!(leaving > 25, "{leaving}");
}
