//! Every op that computes, at every type in legal form, on edges and on
//! random numbers: compiled code against the interpreter.

use brolga_ir::attribute::{FloatCond, IntCond};
use brolga_ir::datum::Datum;
use brolga_ir::interpret::Interpreter;
use brolga_ir::op::{Form, Op, OpInfo, Pattern, Theme};
use brolga_ir::types::{Scalar, Type, TypePool};

use super::session::Session;
use super::*;

fn types() -> Vec<Type> {
    let scalars = [
        Type::I1,
        Type::I8,
        Type::I16,
        Type::I32,
        Type::I64,
        Type::I128,
        Type::F16,
        Type::BF16,
        Type::F32,
        Type::F64,
        Type::PTR,
        Type::F128,
    ];
    let vectors = [
        (Scalar::I8, 16),
        (Scalar::I16, 8),
        (Scalar::I32, 4),
        (Scalar::I64, 2),
        (Scalar::F32, 4),
        (Scalar::F64, 2),
        (Scalar::I1, 16),
        (Scalar::I1, 8),
        (Scalar::I1, 4),
        (Scalar::I1, 2),
    ];
    let vectors = vectors.into_iter().map(|(lane, lanes)| Type::vector(lane, lanes).unwrap());
    scalars.into_iter().chain(vectors).collect()
}

/// Operand types for an op at a suffix: one list for each that it can have.
fn operand_types(info: &OpInfo, suffix: Type) -> Vec<Vec<Type>> {
    if info.op == Op::MakeVector {
        return vec![vec![suffix.lane_type(); suffix.lanes() as usize]];
    }
    let mut lists = vec![vec![]];
    for pattern in info.operands {
        let choices: Vec<Type> = match pattern {
            Pattern::Any(class) => {
                let fits = |&ty: &Type| class.contains(ty) && info.relation.holds(suffix, ty);
                types().into_iter().filter(fits).collect()
            }
            pattern => pattern.resolve(suffix).into_iter().collect(),
        };
        lists = lists
            .iter()
            .flat_map(|list: &Vec<Type>| {
                choices.iter().map(|&choice| [&list[..], &[choice]].concat())
            })
            .collect();
    }
    lists
}

/// The instances of an op: a function of its operands each.
fn instances(op: Op) -> Vec<String> {
    let info = op.info();
    let mut texts = Vec::new();
    for suffix in types().into_iter().filter(|&ty| info.suffix.contains(ty)) {
        let conditions: Vec<&str> = match info.form {
            Form::IntCompare => IntCond::ALL.iter().map(|cond| cond.name()).collect(),
            Form::FloatCompare => FloatCond::ALL.iter().map(|cond| cond.name()).collect(),
            _ => vec![""],
        };
        for operands in operand_types(info, suffix) {
            for condition in &conditions {
                texts.push(instance(info, suffix, &operands, condition));
            }
        }
    }
    texts
}

fn instance(info: &OpInfo, suffix: Type, operands: &[Type], condition: &str) -> String {
    let comma = |texts: Vec<String>| texts.join(", ");
    let types = comma(operands.iter().map(ToString::to_string).collect());
    let params = operands.iter().enumerate().map(|(i, ty)| format!("%a{i}: {ty}"));
    let args = comma((0..operands.len()).map(|i| format!("%a{i}")).collect());
    let resolve = |pattern: &Pattern| pattern.resolve(suffix).unwrap().to_string();
    let results = comma(info.results.iter().map(resolve).collect());
    let names = comma((0..info.results.len()).map(|i| format!("%r{i}")).collect());
    let mnemonic = info.mnemonic;
    let params = comma(params.collect());
    format!(
        "func @f({types}) -> ({results}) {{\nentry({params}):\n    \
         {names} = {mnemonic}.{suffix} {condition} {args}\n    return {names}\n}}\n"
    )
    .replace("  %a", " %a")
}

fn computes(op: Op) -> bool {
    let info = op.info();
    let themes =
        [Theme::Integer, Theme::Bits, Theme::Compare, Theme::Float, Theme::Convert, Theme::Vector];
    let forms = [Form::Values, Form::IntCompare, Form::FloatCompare, Form::Variadic];
    themes.contains(&info.theme)
        && forms.contains(&info.form)
        && info.suffix != brolga_ir::op::TypeClass::None
        && info.suffix != brolga_ir::op::TypeClass::Function
}

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

/// Runs an instance, if it compiles; says whether it does.
fn check(text: &str, isa: &Isa, random: &mut Random) -> bool {
    let module = module(text);
    let mut session = Session::new(&module, isa, &LowerOptions::default(), vec![], &[]);
    if !session.refused.is_empty() {
        return false;
    }
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
    true
}

#[test]
fn every_legal_instance_computes_what_the_interpreter_does() {
    let host = Isa::host(IsaOptions::default()).unwrap();
    for isa in [isa(TARGETS[0]), isa("x86_64-unknown-linux-gnu/x86-64-v2"), host] {
        let mut random = Random(1);
        let (mut run, mut refused) = (0, 0);
        for &op in Op::ALL.iter().filter(|&&op| computes(op)) {
            for text in instances(op) {
                match check(&text, &isa, &mut random) {
                    true => run += 1,
                    false => refused += 1,
                }
            }
        }
        assert!(run > 900 && refused < 300, "{run} run, {refused} refused");
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
                    assert!(check(&text, &isa, &mut random), "{text}");
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
