//! Every compare, step and shape of a loop that counts in 8 bits, simulated.

use brolga_ir::attribute::IntCond;

use super::*;

/// What is done with start and bound before the loop.
const PREPARED: [&str; 5] = [
    "%s = or.i8 %a, 0\n    %k = or.i8 %b, 0",
    "%s = or.i8 %a, 0\n    %k = and.i8 %b, 63",
    "%s = and.i8 %a, 60\n    %k = and.i8 %b, 124",
    "%s = and.i8 %a, -4\n    %k = and.i8 %b, -4",
    "%s = or.i8 %a, 0\n    %h = lshr.i8 %b, 2\n    %k = or.i8 %h, -128",
];

/// Starts and bounds: around the ends of the type, and some between.
const SOME: [u8; 14] = [0, 1, 2, 3, 60, 66, 100, 124, 127, 128, 129, 200, 253, 255];

#[derive(Clone, Copy, PartialEq, Debug)]
enum Shape {
    /// The compare stands before the step.
    Before,
    /// Behind it.
    Behind,
    /// Behind it, and once before the loop.
    Guarded,
    /// Behind it, of what it was before the step.
    Late,
}

fn text(shape: Shape, condition: IntCond, step: i8, prepared: &str) -> String {
    let head = format!("func @f(i8, i8) -> i8 {{\na(%a: i8, %b: i8):\n    {prepared}\n");
    let loop_of = |compared: &str| {
        format!(
            "h(%i: i8):\n    %j = add.i8 %i, {step}\n    %c = icmp.i8 {condition} {compared}, %k\n    \
             branch %c, h(%j), e\ne:\n    return %j\n}}"
        )
    };
    match shape {
        Shape::Before => format!(
            "{head}    jump h(%s)\nh(%i: i8):\n    %c = icmp.i8 {condition} %i, %k\n    \
             branch %c, b, e\nb:\n    %j = add.i8 %i, {step}\n    jump h(%j)\ne:\n    return %i\n}}"
        ),
        Shape::Behind => format!("{head}    jump h(%s)\n{}", loop_of("%j")),
        Shape::Late => format!("{head}    jump h(%s)\n{}", loop_of("%i")),
        Shape::Guarded => format!(
            "{head}    %g = icmp.i8 {condition} %s, %k\n    branch %g, p, x\nx:\n    return 0\np:\n    \
             jump h(%s)\n{}",
            loop_of("%j")
        ),
    }
}

/// The rounds in which `%i` is what it is, and whether the loop ends.
fn rounds(shape: Shape, condition: IntCond, step: i8, start: u8, bound: u8) -> Option<Vec<u8>> {
    let goes_on = |x: u8| compare::icmp(condition, 8, x.into(), bound.into());
    if shape == Shape::Guarded && !goes_on(start) {
        return Some(Vec::new());
    }
    let mut rounds = vec![start];
    let mut at = start;
    while rounds.len() <= 257 {
        let next = at.wrapping_add_signed(step);
        let compared = if matches!(shape, Shape::Before | Shape::Late) { at } else { next };
        if !goes_on(compared) {
            return Some(rounds);
        }
        rounds.push(next);
        at = next;
    }
    None
}

struct Tally {
    exact: u32,
    bounded: u32,
    unwrapped: u32,
    all: u32,
}

fn check(shape: Shape, condition: IntCond, step: i8, prepared: &str, tally: &mut Tally) {
    let text = text(shape, condition, step, prepared);
    let module = parsed(&text);
    let body = body_of(&module);
    let mut evolution = evolution_of(&module, body);
    let named = |name: &str| body.value_named(name).unwrap();
    let values = ["a", "b", "s", "k", "i", "j"].map(named);
    let of = evolution.loops().all().next().unwrap();
    let trips = evolution.trips(of).unwrap().clone();
    let [s, k, i, j] = ["s", "k", "i", "j"].map(|name| evolution.of(named(name)).unwrap());
    let at_exit = evolution.at_exit(named("i"), of);
    let facts = [i, j].map(|expr| evolution.fact(expr));
    let readings = [Reading::Unsigned, Reading::Signed];
    let proofs = readings.map(|reading| evolution.never_wraps(i, reading));
    tally.all += 1;
    tally.exact += u32::from(trips.exact.is_some());
    tally.bounded += u32::from(trips.most.is_some_and(|most| most < 255));
    tally.unwrapped += u32::from(proofs[0]) + u32::from(proofs[1]);
    for a in SOME {
        for b in SOME {
            let (start, bound) = prepare(prepared, a, b);
            let value = |value: Value| match value {
                value if value == values[2] => Some(u128::from(start)),
                value if value == values[3] => Some(u128::from(bound)),
                value if value == values[0] => Some(u128::from(a)),
                value if value == values[1] => Some(u128::from(b)),
                _ => None,
            };
            let about = || format!("{a} {b} -> {start} {bound}: {trips:?}\n{text}");
            assert_eq!(evaluate(&evolution, s, &value, &|_| 0), Some(start.into()), "{}", about());
            assert_eq!(evaluate(&evolution, k, &value, &|_| 0), Some(bound.into()), "{}", about());
            let Some(rounds) = rounds(shape, condition, step, start, bound) else {
                assert!(trips.exact.is_none() && trips.most.is_none(), "for ever: {}", about());
                continue;
            };
            let Some(last) = (rounds.len() as u128).checked_sub(1) else { continue };
            assert!(trips.most.is_none_or(|most| most >= last), "{last}: {}", about());
            if let Some(exact) = trips.exact {
                let told = evaluate(&evolution, exact, &value, &|_| 0);
                assert_eq!(told, Some(last), "{}", about());
                let told = evaluate(&evolution, at_exit.unwrap(), &value, &|_| 0);
                assert_eq!(told, rounds.last().map(|&last| last.into()), "{}", about());
            }
            for round in [0, 1, last / 2, last].into_iter().filter(|&round| round <= last) {
                let told = evaluate(&evolution, i, &value, &|_| round);
                assert_eq!(told, Some(rounds[round as usize].into()), "{}", about());
            }
            for (round, &is) in rounds.iter().enumerate() {
                let next = is.wrapping_add_signed(step);
                // What the step gives counts where it is computed.
                let is_computed = shape != Shape::Before || round as u128 != last;
                assert!(facts[0].contains(is.into()), "{is} {:?} {}", facts[0], about());
                assert!(!is_computed || facts[1].contains(next.into()), "{next} {}", about());
            }
            let steps = || rounds.windows(2).map(|pair| (pair[0], pair[1]));
            let unsigned = steps().all(|(a, b)| i16::from(b) - i16::from(a) == step.into());
            let signed = steps().all(|(a, b)| (b as i8 as i16) - (a as i8 as i16) == step.into());
            assert!(!proofs[0] || unsigned, "{}", about());
            assert!(!proofs[1] || signed, "{}", about());
        }
    }
}

fn prepare(prepared: &str, a: u8, b: u8) -> (u8, u8) {
    match PREPARED.iter().position(|text| *text == prepared).unwrap() {
        0 => (a, b),
        1 => (a, b & 63),
        2 => (a & 60, b & 124),
        3 => (a & 0xfc, b & 0xfc),
        _ => (a, (b >> 2) | 0x80),
    }
}

#[test]
fn counts_and_proofs_are_those_of_loops_that_run() {
    let mut tally = Tally { exact: 0, bounded: 0, unwrapped: 0, all: 0 };
    for prepared in PREPARED {
        for shape in [Shape::Before, Shape::Behind, Shape::Guarded, Shape::Late] {
            for &condition in IntCond::ALL {
                for step in [1, -1, 2, 3, -3, 4, -8, 7, 100, -128] {
                    check(shape, condition, step, prepared, &mut tally);
                }
            }
        }
    }
    let Tally { exact, bounded, unwrapped, all } = tally;
    assert!(
        exact * 4 > all && bounded * 4 > all && unwrapped * 6 > all,
        "{exact} {bounded} {unwrapped} of {all}"
    );
}
