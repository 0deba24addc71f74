//! Every op that computes, at every type in legal form, on edges and on
//! random numbers: compiled code against the interpreter.

use brolga_ir::datum::Datum;
use brolga_ir::interpret::Interpreter;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type, TypePool};

use super::instance_texts::{computes, instances, types};
use super::session::Session;
use super::*;

/// A generator of numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An edge as often as not.
    fn bits(&mut self, scalar: Scalar) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let width = scalar.bits();
        let top = 1u128 << (width - 1);
        let choice = self.next();
        let edges = match scalar {
            Scalar::F32 => [
                0,
                1 << 31,
                0x3f80_0000,
                0xbfc0_0000,
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0000,
                0x4f00_0000,
                0xcf00_0001,
                0x5f00_0000,
                1,
                0x4b7f_ffff,
            ],
            Scalar::F64 => [
                0,
                1 << 63,
                0x3ff0 << 48,
                0xbff8 << 48,
                0x7ff0 << 48,
                0xfff0 << 48,
                0x7ff8 << 48,
                0x41e0 << 48,
                0xc1e0_0000_001f_ffff,
                0x43e0 << 48,
                1,
                0x4340_0000_0000_0001,
            ],
            _ => [
                0,
                1,
                u128::MAX,
                top,
                top - 1,
                2,
                width.into(),
                (width - 1).into(),
                3,
                u128::MAX - 1,
                0x0f0f_0f0f_0f0f_0f0f,
                top + 1,
            ],
        };
        let bits = match choice % 4 {
            0 | 1 => edges[(choice >> 8) as usize % edges.len()],
            2 => wide >> ((choice >> 8) % 128),
            _ => wide,
        };
        if width == 128 { bits } else { bits & ((1 << width) - 1) }
    }

    fn datum(&mut self, ty: Type) -> Datum {
        let lane = ty.lane().unwrap();
        match ty.is_vector() {
            true => Datum::Lanes((0..ty.lanes()).map(|_| self.bits(lane)).collect()),
            false => Datum::Scalar(self.bits(lane)),
        }
    }
}

/// Runs an instance.
fn check(text: &str, isa: &Isa, random: &mut Random) {
    let module = module(text);
    let mut session = Session::new(&module, isa, &LowerOptions::default(), vec![], &[]);
    assert!(session.refused.is_empty(), "{text}{:?}", session.refused);
    let signature = module.signature_of(module.function_named("f").unwrap());
    let mut interpreter = Interpreter::new(&[&module]).unwrap();
    for _ in 0..60 {
        let args: Vec<Datum> = signature.param_types().map(|ty| random.datum(ty)).collect();
        match (interpreter.call("f", &args), session.call("f", &args)) {
            (Ok(expected), Ok(results)) => {
                let pool = TypePool::default();
                let values = expected.iter().zip(&results);
                for (ty, (expected, result)) in signature.result_types().zip(values) {
                    assert!(
                        expected.agrees(result, &pool, ty),
                        "{text}{args:x?}: {result:x?} instead of {expected:x?}"
                    );
                }
            }
            (Err(expected), Err(stopped)) => {
                assert_eq!(expected.code(), Some(stopped.code), "{text}{args:x?}");
            }
            (expected, outcome) => panic!("{text}{args:x?}: {outcome:x?} instead of {expected:?}"),
        }
    }
}

#[test]
fn every_legal_instance_computes_what_the_interpreter_does() {
    let host = Isa::host(IsaOptions::default()).unwrap();
    for isa in [isa(TARGETS[0]), isa("x86_64-unknown-linux-gnu/x86-64-v2"), host] {
        let mut random = Random(1);
        let mut run = 0;
        for &op in Op::ALL.iter().filter(|&&op| computes(op)) {
            for text in instances(op) {
                check(&text, &isa, &mut random);
                run += 1;
            }
        }
        assert!(run > 1200, "{run}");
    }
}

#[test]
fn shuffles_between_legal_vectors_take_any_lanes() {
    let masks = [2, 4, 8, 16].map(|lanes| Type::vector(Scalar::I1, lanes).unwrap());
    let mut random = Random(2);
    for isa in [isa(TARGETS[0]), Isa::host(IsaOptions::default()).unwrap()] {
        for from in types().into_iter().filter(|ty| ty.is_vector()) {
            let others = if masks.contains(&from) { &masks[..] } else { &[from][..] };
            for to in others {
                for round in 0..6 {
                    let lanes = shuffle_lanes(from, *to, round, &mut random);
                    let text = format!(
                        "func @f({from}, {from}) -> {to} {{\nentry(%a: {from}, %b: {from}):\n    \
                         %r = shuffle.{to} %a, %b, [{lanes}]\n    return %r\n}}\n"
                    );
                    check(&text, &isa, &mut random);
                }
            }
        }
    }
}

/// Lanes that count up from a multiple of half a vector, or any.
fn shuffle_lanes(from: Type, to: Type, round: u32, random: &mut Random) -> String {
    let lanes = (0..to.lanes()).map(|lane| match round {
        0..4 => ((lane + round * from.lanes() / 2) % (2 * from.lanes())).to_string(),
        _ if random.next().is_multiple_of(4) => "_".to_owned(),
        _ => (random.next() % (2 * u64::from(from.lanes()))).to_string(),
    });
    lanes.collect::<Vec<_>>().join(", ")
}
