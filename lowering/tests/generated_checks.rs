//! Generated loops with checks, of small numbers and of large ones, that start, end and
//! are bounded near the ends of their types, with steps of all kinds: without their checks
//! they give the same as before, trap alike, and leave the same behind in memory.

mod random;

use std::fmt::Write;

use brolga_ir::datum::Datum;
use brolga_ir::interpret::Interpreter;
use brolga_ir::module::Module;
use brolga_ir::text::parse_module;
use brolga_ir::verify::{Options, verify_module};
use brolga_lowering::pipeline::{Report, RunOptions, passes_named, run_passes};
use brolga_lowering::target::TargetSpec;
use random::Random;

const PASSES: [&str; 3] = [
    "loop_simplify,loop_rotate,bounds_check_elimination",
    "loop_simplify,loop_rotate,licm,bounds_check_elimination,bounds_check_elimination,licm,gvn",
    "loop_simplify,loop_rotate,licm,bounds_check_elimination(proofs),induction,gvn,\
     bounds_check_elimination,licm,sccp,simplify_cfg",
];

const CONDITIONS: [&str; 10] =
    ["ult", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge", "ne"];

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        (self.bits() % u64::from(limit)) as u32
    }

    fn percent(&mut self, chance: u32) -> bool {
        self.below(100) < chance
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u32) as usize]
    }
}

struct Writer {
    random: Random,
    text: String,
    ty: &'static str,
    count: u32,
    /// The block that a failing check leads to, if some are branches.
    traps: u32,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    fn name(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    fn step(&mut self) -> &'static str {
        match self.random.below(8) {
            0..3 => "1",
            3..5 => "-1",
            5 => "2",
            6 => "-3",
            _ => "100",
        }
    }

    /// A number that does not change in the loop, or mostly.
    fn bound(&mut self) -> String {
        let ty = self.ty;
        match self.random.below(8) {
            0..2 => "%a".to_owned(),
            2 => "%b".to_owned(),
            3 => format!("{}", self.random.below(12)),
            4 => self.random.pick(&["127", "-128", "126", "-127", "0", "-1"]).to_owned(),
            which => {
                let name = self.name();
                let volatile = if self.random.percent(5) { " volatile" } else { "" };
                let at = 8 * (which - 5).min(1);
                self.line(&format!("{name} = load.{ty} %lengths+{at}{volatile}"));
                name
            }
        }
    }

    fn compare(&mut self) -> String {
        let ty = self.ty;
        let (moving, bound, name) = (self.name(), self.bound(), self.name());
        let offset = self.random.pick(&["0", "0", "-1", "1", "-2", "100"]);
        self.line(&format!("{moving} = add.{ty} %i, {offset}"));
        let condition = self.random.pick(&CONDITIONS);
        let (a, b) = match self.random.percent(80) {
            true => (moving, bound),
            false => (bound, moving),
        };
        self.line(&format!("{name} = icmp.{ty} {condition} {a}, {b}"));
        name
    }

    fn check(&mut self, exit: u32) {
        let mut holds = self.compare();
        if self.random.percent(30) {
            let (other, both) = (self.compare(), self.name());
            self.line(&format!("{both} = and.i1 {holds}, {other}"));
            holds = both;
        }
        if self.random.percent(60) {
            return self.line(&format!("check {holds}, exit{exit}"));
        }
        let number = self.count;
        let targets = match self.random.percent(70) {
            true => format!("on{number}, bad{exit}"),
            false => {
                let not = self.name();
                self.line(&format!("{not} = not.i1 {holds}"));
                holds = not;
                format!("bad{exit}, on{number}")
            }
        };
        self.traps |= 1 << exit;
        self.line(&format!("branch {holds}, {targets}"));
        let _ = writeln!(self.text, "on{number}:");
    }

    /// Something that can be seen, which tells in which order it came.
    fn act(&mut self) {
        let (old, made) = (self.name(), self.name());
        match self.random.below(5) {
            0..3 => {
                self.line(&format!("{old} = data_load.i64 @trace, 0"));
                self.line(&format!("{made} = mul.i64 {old}, 31"));
                let with = self.name();
                self.line(&format!("{with} = add.i64 {made}, {}", self.count));
                self.line(&format!("data_store.i64 {with}, @trace, 0"));
            }
            3 => self.line("poll"),
            _ if self.random.percent(30) => {
                self.line(&format!("{old} = load.i8 %lengths+8"));
                self.line(&format!("{made} = sub.i8 {old}, 1"));
                self.line(&format!("store.i8 {made}, %lengths+8"));
            }
            _ => {}
        }
    }

    fn function(mut self) -> String {
        let ty = self.ty;
        self.text.push_str("data @trace = { i64 0 }\ndata @lengths = { zero 16 }\n");
        let _ = writeln!(self.text, "func @f({ty}, {ty}, {ty}, {ty}) -> ({ty}, {ty}) {{");
        for exit in 0..4 {
            self.line(&format!("exit{exit} = trap user({exit})"));
        }
        let _ = writeln!(self.text, "entry(%s: {ty}, %n: {ty}, %a: {ty}, %b: {ty}):");
        self.line(&format!("data_store.{ty} %a, @lengths, 0"));
        self.line(&format!("data_store.{ty} %b, @lengths, 8"));
        self.line("%lengths = data_addr @lengths");
        let step = self.step();
        let start = if self.random.percent(60) { "%s" } else { self.random.pick(&["0", "1", "2"]) };
        let condition = self.random.pick(&CONDITIONS);
        if self.random.percent(40) {
            self.line(&format!("%enters = icmp.{ty} {condition} {start}, %n"));
            self.line(&format!("branch %enters, head({start}, 0, 0), out({start}, 7)"));
        } else {
            self.line(&format!("jump head({start}, 0, 0)"));
        }
        let _ = writeln!(self.text, "head(%i: {ty}, %sum: {ty}, %round: i64):");
        let checks = self.random.below(3) + 1;
        for exit in 0..checks {
            if self.random.percent(40) {
                self.act();
            }
            self.check(exit);
        }
        self.act();
        self.line(&format!("%sum3 = mul.{ty} %sum, 3"));
        self.line(&format!("%sum1 = add.{ty} %sum3, %i"));
        self.line("%round1 = add.i64 %round, 1");
        self.line("%fuel = icmp.i64 ult %round1, 40");
        match self.random.percent(50) {
            true => self.line("check %fuel, exit3"),
            false => {
                self.line("branch %fuel, latch, out(%i, %sum1)");
                self.text.push_str("latch:\n");
            }
        }
        self.line(&format!("%next = add.{ty} %i, {step}"));
        let end = self.random.pick(&["%n", "%n", "%n", "%a", "5", "127"]);
        let compared = self.random.pick(&["%next", "%next", "%i"]);
        self.line(&format!("%more = icmp.{ty} {condition} {compared}, {end}"));
        self.line("branch %more, head(%next, %sum1, %round1), out(%i, %sum1)");
        let _ = writeln!(self.text, "out(%x: {ty}, %y: {ty}):\n    return %x, %y");
        for exit in (0..4).filter(|exit| self.traps >> exit & 1 == 1) {
            let _ = writeln!(self.text, "bad{exit}:\n    trap user({exit})");
        }
        self.text.push_str("}\n");
        self.text
    }
}

fn generate(seed: u64) -> (String, &'static str) {
    let mut random = Random(seed);
    let ty = ["i8", "i8", "i16", "i32", "i64"][random.below(5) as usize];
    let writer = Writer { random, text: String::new(), ty, count: 0, traps: 0 };
    (writer.function(), ty)
}

/// Numbers near the ends of the type, and near each other.
fn number(random: &mut Random, ty: &str) -> Datum {
    let bits: u32 = ty[1..].parse().unwrap();
    let (all, half) = (u128::MAX >> (128 - bits), 1_u128 << (bits - 1));
    let near = u128::from(random.below(6));
    let number = match random.below(6) {
        0..3 => u128::from(random.below(45)),
        3 => all - near,
        4 => half - 1 - near,
        _ => half + near,
    };
    Datum::Scalar(number & all)
}

/// What a call gives, and what it leaves in memory.
fn outcome(module: &Module, args: &[Datum]) -> String {
    let mut interpreter = Interpreter::new(&[module]).unwrap();
    let given = match interpreter.call("f", args) {
        Ok(results) => format!("{results:?}"),
        Err(error) => format!("{:?}", error.code()),
    };
    format!("{given} {:?} {:?}", interpreter.data("trace"), interpreter.data("lengths"))
}

#[test]
fn loops_without_checks_do_what_they_did_with_them() {
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let mut split = 0;
    let count = std::env::var("COUNT").map_or(400, |count| count.parse().unwrap());
    for seed in 0..count {
        let (text, ty) = generate(seed);
        let before = parse_module(&text).unwrap_or_else(|e| panic!("{seed}: {e:?}\n{text}"));
        for list in PASSES {
            let mut after = parse_module(&text).unwrap();
            let rows = passes_named(list.split(',')).unwrap();
            let mut report = Report::default();
            run_passes(&mut after, &rows, &RunOptions::new(&target), &mut report).unwrap();
            let broken = verify_module(&after, &Options::default()).err();
            assert!(broken.is_none(), "{seed}: {broken:?}\n{text}");
            let counts = report.statistics.iter();
            split +=
                counts.filter(|count| count.1 == "split loops").map(|count| count.2).sum::<u64>();
            let mut random = Random(seed);
            for _ in 0..12 {
                let args = [(); 4].map(|()| number(&mut random, ty));
                assert_eq!(
                    outcome(&after, &args),
                    outcome(&before, &args),
                    "{seed}, {list}: {args:?}\n{text}"
                );
            }
        }
    }
    assert!(split > count, "of {count} programs, three times, {split} loops were split");
}
