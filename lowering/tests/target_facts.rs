//! What passes make of a loop follows the facts of the target, whatever they are.

use brolga_ir::op::Op;
use brolga_ir::text::{parse_module, print_module};
use brolga_ir::types::Type;
use brolga_lowering::pipeline::{Report, RunOptions, parse_pipeline, run_passes};
use brolga_lowering::target::{
    Architecture, Bank, Cache, Expansion, Feature, MachineType, Primitive, Support, TargetFacts,
    TargetSpec,
};

/// A processor like another one, but for its vectors, how long sums take, and what it rounds by.
#[derive(Debug)]
struct Other {
    like: TargetSpec,
    vector_bits: u32,
    vector_registers: u32,
    latency_of_sums: u32,
    rounds: Support,
}

impl TargetFacts for Other {
    fn architecture(&self) -> Architecture {
        self.like.architecture()
    }

    fn has(&self, feature: Feature) -> bool {
        self.like.has(feature)
    }

    fn support(&self, primitive: Primitive, from: MachineType, to: MachineType) -> Support {
        match primitive {
            Primitive::Floor => self.rounds,
            _ => self.like.support(primitive, from, to),
        }
    }

    fn vector_bits(&self) -> u32 {
        self.vector_bits
    }

    fn registers(&self, bank: Bank) -> u32 {
        match bank {
            Bank::Vector => self.vector_registers,
            _ => self.like.registers(bank),
        }
    }

    fn width(&self) -> u32 {
        self.like.width()
    }

    fn cache(&self) -> Cache {
        self.like.cache()
    }

    fn latency(&self, op: Op, ty: Type) -> u32 {
        match op {
            Op::Fadd => self.latency_of_sums,
            _ => self.like.latency(op, ty),
        }
    }

    fn cost(&self, op: Op, from: Type, to: Type) -> u32 {
        self.like.cost(op, from, to)
    }

    fn access_cost(&self, ty: Type) -> u32 {
        if ty.is_vector() { 1 } else { self.like.access_cost(ty) }
    }

    fn shuffle_cost(&self, ty: Type) -> u32 {
        self.like.shuffle_cost(ty)
    }
}

fn other() -> Other {
    let like = TargetSpec::parse("x86_64-linux/x86-64-v3").unwrap();
    let (vector_registers, latency_of_sums) = (like.registers(Bank::Vector), 4);
    Other { like, vector_bits: 128, vector_registers, latency_of_sums, rounds: Support::Native }
}

fn behind(passes: &str, text: &str, facts: &dyn TargetFacts) -> String {
    let mut module = parse_module(text).unwrap();
    let passes = parse_pipeline(passes).unwrap();
    run_passes(&mut module, &passes, &RunOptions::new(facts), &mut Report::default()).unwrap();
    print_module(&module)
}

#[test]
fn lines_that_are_a_power_of_two_apart_come_to_few_places() {
    let cache = other().cache();
    assert_eq!(cache, Cache { line: 64, sets: 64, ways: 8 });
    let held = [64, 65, 128, 192, 4000, 2048, 4096, 1 << 40].map(|apart| cache.lines_apart(apart));
    assert_eq!(held, [512, 512, 256, 512, 512, 16, 8, 8]);
}

const SCALED: &str = "\
func @scaled(ptr, i64) {
entry(%p: ptr, %n: i64):
    jump loop(0)
loop(%i: i64):
    %at = shl.i64 %i, 3
    %q = ptr_add %p, %at
    %x = load.f64 %q
    %y = fmul.f64 %x, 3.0
    store.f64 %y, %q
    %j = add.i64 %i, 1
    %more = icmp.i64 ult %j, %n
    branch %more, loop(%j), out
out:
    return
}
";

#[test]
fn loops_are_made_of_vectors_as_wide_as_the_facts_say() {
    let passes = "loop_simplify,loop_vectorize";
    let narrow = behind(passes, SCALED, &other());
    assert!(narrow.contains("load.f64x2") && !narrow.contains("f64x4"), "{narrow}");
    let wide = behind(passes, SCALED, &Other { vector_bits: 256, ..other() });
    assert!(wide.contains("load.f64x4") && !wide.contains("f64x2"), "{wide}");
}

const SUM: &str = "\
func @sum(ptr, i64) -> f64 {
entry(%p: ptr, %n: i64):
    jump loop(0, 0.0)
loop(%i: i64, %s: f64):
    %at = shl.i64 %i, 3
    %q = ptr_add %p, %at
    %x = load.f64 %q
    %t = fadd.f64 %s, %x reassociate
    %j = add.i64 %i, 1
    %more = icmp.i64 ult %j, %n
    branch %more, loop(%j, %t), out
out:
    return %t
}
";

#[test]
fn sums_have_as_many_parts_as_hide_what_one_waits_for_and_as_registers_hold() {
    let parts = |facts: &Other| {
        let text = behind("loop_simplify,loop_vectorize", SUM, facts);
        text.matches("load.f64x2").count()
    };
    assert_eq!(parts(&other()), 4);
    assert_eq!(parts(&Other { latency_of_sums: 0, ..other() }), 2, "an add is there at once");
    assert_eq!(parts(&Other { vector_registers: 4, ..other() }), 2, "four do not fit");
    assert_eq!(parts(&Other { vector_registers: 2, ..other() }), 1, "nor do two");
}

#[test]
fn what_the_facts_say_is_not_emitted_is_expanded() {
    let text = "func @down(f64) -> f64 {\nb(%x: f64):\n    %r = ffloor.f64 %x\n    return %r\n}\n";
    let native = behind("O0", text, &other());
    assert!(native.contains("= ffloor.f64"), "{native}");
    let rounds = Support::Expand(Expansion::Prelude);
    let expanded = behind("O0", text, &Other { rounds, ..other() });
    assert!(!expanded.contains("= ffloor.f64") && expanded.contains("call @"), "{expanded}");
}
