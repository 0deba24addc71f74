use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::interpret::eval::compare;
use brolga_ir::text::{parse_module, print_module};

use super::fact::mask;
use super::*;
use crate::analysis::tests::graphs::Random;
use crate::analysis::tests::runs::on_many_runs;

#[test]
fn what_runs_compute_is_as_the_facts_say() {
    let (mut looked, mut told) = (0, 0);
    let facts = std::cell::RefCell::new(None);
    on_many_runs(
        |module, body| {
            *facts.borrow_mut() = Some(ValueFacts::new(body, &FlowGraph::new(body), module));
        },
        |module, body, inst, moment| {
            let facts = facts.borrow();
            let facts = facts.as_ref().unwrap();
            for &value in body.results(inst).iter().chain(body.args(inst)) {
                let Some(fact) = facts.of(body, value) else { continue };
                let Some(bits) = moment.get(body, value) else { continue };
                let text = || format!("{value} is {bits:#x}: {fact:?}\n{}", print_module(module));
                assert!(fact.contains(bits), "{}", text());
                looked += 1;
                told += usize::from(fact != Fact::any(fact.width()));
            }
        },
    );
    assert!(looked > 3000 && told > 300, "{looked} {told}");
}

/// A fact of some numbers of 8 bits, and those numbers.
fn random_fact(random: &mut Random, width: u32) -> (Fact, Vec<u128>) {
    let fact = match random.below(5) {
        0 => Fact::constant(width, random.below(256) as u128),
        1 => {
            let (a, b) = (random.below(256) as u128, random.below(256) as u128);
            Fact::unsigned_between(width, a.min(b), a.max(b))
        }
        2 => {
            let (a, b) = (random.below(256) as i128 - 128, random.below(256) as i128 - 128);
            Fact::signed_between(width, a.min(b), a.max(b))
        }
        3 => {
            let zeros = (random.below(256) & random.below(256)) as u128;
            Fact::with_bits(width, zeros, random.below(256) as u128 & !zeros)
        }
        _ => {
            let (one, other) = (random_fact(random, width).0, random_fact(random, width).0);
            if random.once_in(2) { one.joined(&other) } else { one.narrowed(&other) }
        }
    };
    let members: Vec<u128> =
        (0..=mask(width.min(16))).filter(|&bits| fact.contains(bits)).collect();
    // Not every contradiction is seen.
    if members.is_empty() { random_fact(random, width) } else { (fact, members) }
}

#[test]
fn a_fact_of_one_number_says_so_and_one_of_all_says_nothing() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let (fact, members) = random_fact(&mut random, 8);
        assert_eq!(members.len() == 256, fact == Fact::any(8), "{fact:?}");
        assert!(fact.as_constant().is_none_or(|only| members == [only]), "{fact:?}");
    }
}

/// The text of a function of one op, on operands of those types.
fn text_of(op: &str, operands: &str, result: &str) -> String {
    let params: Vec<String> =
        operands.split(' ').enumerate().map(|(i, ty)| format!("%{i}: {ty}")).collect();
    let types = operands.replace(' ', ", ");
    let is_pair = op.contains("_overflow");
    let results = if is_pair { "%r, %o" } else { "%r" };
    let args: Vec<String> = (0..params.len()).map(|i| format!("%{i}")).collect();
    format!(
        "func @f({types}) -> {result} {{\nb({}):\n    {results} = {op} {}\n    return {}\n}}",
        params.join(", "),
        args.join(", "),
        if is_pair { "%o" } else { "%r" }
    )
}

/// What is known of some parameters.
struct Given<'a> {
    params: &'a [Value],
    facts: Vec<Fact>,
}

impl Operands for Given<'_> {
    fn fact(&self, value: Value) -> Option<Fact> {
        let index = self.params.iter().position(|&param| param == value)?;
        Some(self.facts[index])
    }

    fn is_any(&self, value: Value) -> bool {
        self.fact(value).is_some_and(|fact| fact.is_any())
    }
}

/// Compares what is told of a result with what the interpreter gives for members.
fn check_op(op: &str, operands: &str, result: &str, random: &mut Random) {
    let text = text_of(op, operands, result);
    let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let body = function.body.as_deref().unwrap();
    let entry = body.layout.entry().unwrap();
    let inst = body.layout.first_inst(entry).unwrap();
    for _ in 0..40 {
        let widths = body.params(entry).iter().map(|&p| width_of(body.value_type(p)).unwrap());
        let known: Vec<(Fact, Vec<u128>)> =
            widths.map(|width| random_fact(random, width)).collect();
        let params = body.params(entry);
        let given = Given { params, facts: known.iter().map(|&(fact, _)| fact).collect() };
        for index in 0..body.results(inst).len() {
            let told = transfer::result(body, &module, inst, index, &given);
            for _ in 0..40 {
                let numbers: Vec<u128> =
                    known.iter().map(|(_, members)| members[random.below(members.len())]).collect();
                let widths = known.iter().map(|(fact, _)| fact.width());
                let facts = widths.zip(&numbers).map(|(width, &bits)| Fact::constant(width, bits));
                let constants = Given { params, facts: facts.collect() };
                // Of constants the interpreter computes the result.
                let Some(exact) = transfer::result(body, &module, inst, index, &constants) else {
                    continue;
                };
                let exact = exact.as_constant().unwrap();
                let told = told.unwrap();
                assert!(told.contains(exact), "{op} {numbers:?} gives {exact}: {told:?} {known:?}");
            }
        }
    }
}

#[test]
fn results_of_members_are_members_of_results() {
    let mut random = Random::new(11);
    let binary = [
        "add",
        "sub",
        "mul",
        "and",
        "or",
        "xor",
        "shl",
        "lshr",
        "ashr",
        "rotl",
        "rotr",
        "smin",
        "smax",
        "umin",
        "umax",
        "sadd_sat",
        "ssub_sat",
        "uadd_sat",
        "usub_sat",
        "sdiv",
        "udiv",
        "srem",
        "urem",
        "sadd_trap",
        "uadd_trap",
        "ssub_trap",
        "usub_trap",
    ];
    for op in binary {
        check_op(&format!("{op}.i8"), "i8 i8", "i8", &mut random);
    }
    for op in ["neg", "abs", "not", "popcount", "clz", "ctz", "bitreverse"] {
        check_op(&format!("{op}.i8"), "i8", "i8", &mut random);
    }
    for op in ["sadd", "uadd", "ssub", "usub", "smul", "umul"] {
        check_op(&format!("{op}_overflow.i8"), "i8 i8", "i1", &mut random);
    }
    for condition in IntCond::ALL {
        check_op(&format!("icmp.i8 {condition}"), "i8 i8", "i1", &mut random);
    }
    check_op("select.i8", "i1 i8 i8", "i8", &mut random);
    check_op("zext.i32", "i8", "i32", &mut random);
    check_op("sext.i32", "i8", "i32", &mut random);
    check_op("sext.i64", "i8", "i64", &mut random);
    check_op("sext.i8", "i1", "i8", &mut random);
    check_op("zext.i8", "i1", "i8", &mut random);
    for op in ["trunc", "strunc_sat", "utrunc_sat", "strunc_trap", "utrunc_trap"] {
        check_op(&format!("{op}.i8"), "i16", "i8", &mut random);
    }
}

#[test]
fn a_condition_narrows_to_the_numbers_that_meet_it() {
    let mut random = Random::new(23);
    for _ in 0..200 {
        let condition = IntCond::ALL[random.below(IntCond::ALL.len())];
        let (one, members) = random_fact(&mut random, 8);
        let (other, others) = random_fact(&mut random, 8);
        let narrowed = one.narrowed_by(condition, &other);
        let told = one.compare(condition, &other);
        for &a in members.iter().step_by(3) {
            let met = others.iter().filter(|&&b| compare::icmp(condition, 8, a, b)).count();
            assert!(met == 0 || narrowed.contains(a), "{a} {condition} {other:?}: {narrowed:?}");
            let expected = told.map_or(met, |told| if told { others.len() } else { 0 });
            assert_eq!(met, expected, "{a} {condition} {other:?}: {told:?}");
        }
    }
}

/// What is told of the result of `@f`.
fn told_of_result(text: &str) -> Fact {
    let module = parse_module(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let function = module.function(module.function_named("f").unwrap()).unwrap();
    let body: &Body = function.body.as_deref().unwrap();
    let facts = ValueFacts::new(body, &FlowGraph::new(body), &module);
    let last = body.layout.last_inst(body.layout.last_block().unwrap()).unwrap();
    facts.of(body, body.args(last)[0]).unwrap()
}

#[test]
fn what_goes_round_a_loop_keeps_what_all_rounds_have() {
    let loop_of = |step: &str| {
        format!(
            "func @f(i1) -> i64 {{\na(%c: i1):\n    jump b(16)\nb(%i: i64):\n    {step}\n    \
             branch %c, b(%j), d\nd:\n    return %i\n}}"
        )
    };
    let multiples = told_of_result(&loop_of("%j = add.i64 %i, 8"));
    assert_eq!((multiples.trailing_zeros(), multiples.as_constant()), (3, None));
    let halved = told_of_result(&loop_of("%j = lshr.i64 %i, 1"));
    assert_eq!(halved.unsigned(), (0, 16));
    let same = told_of_result(&loop_of("%j = and.i64 %i, 16"));
    assert_eq!(same.as_constant(), Some(16));
}

#[test]
fn hints_are_no_facts_and_addresses_are_aligned() {
    let hinted = "func @f(i64) -> i64 {\na(%x: i64):\n    %y = add.i64 %x, 1 nsw nuw range(0, 9)\n    \
                  return %y\n}";
    assert_eq!(told_of_result(hinted), Fact::any(64));
    let aligned = "func @f() -> i64 {\n    ss0 = slot 64 align 32\na:\n    %p = slot_addr ss0\n    \
                   %q = ptr_add %p, 8\n    %y = ptr_to_int %q\n    return %y\n}";
    let told = told_of_result(aligned);
    assert_eq!(told.zeros() & 31, 23);
    assert_eq!(told.ones() & 31, 8);
}
