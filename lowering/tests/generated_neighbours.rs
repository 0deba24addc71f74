//! Generated straight lines of neighbouring loads, ops and stores, and sums of many loads, at
//! addresses that may meet, with traps and other accesses between: what vectors make of them
//! gives the same as before.

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

/// Types with their sizes, ops on two operands, and constants. Floats stay such that sums
/// are exact in any order.
const TYPES: [(&str, usize, &[&str], [&str; 4]); 6] = [
    ("i8", 1, &["add", "sub", "and", "xor", "smin"], ["1", "-7", "%x", "5"]),
    ("i16", 2, &["add", "sub", "mul", "umax", "or"], ["1", "-7", "%x", "300"]),
    ("i32", 4, &["add", "sub", "mul", "xor", "smax"], ["1", "-7", "%x", "70000"]),
    ("i64", 8, &["add", "sub", "and", "xor", "or"], ["1", "-7", "%x", "5"]),
    ("f32", 4, &["fadd", "fsub"], ["1.0", "-0.5", "%x", "-0.0"]),
    ("f64", 8, &["fadd", "fsub"], ["1.0", "-0.5", "%x", "-0.0"]),
];

/// Bytes of the object that all of it happens in.
const ROOM: u32 = 512;

/// What the second address is behind the first one.
const DISTANCES: [i64; 6] = [0, 8, 16, 20, 100, 256];

struct Writer {
    random: Random,
    text: String,
    values: u32,
    ty: &'static str,
    size: usize,
    ops: &'static [&'static str],
    constants: [&'static str; 4],
}

impl Writer {
    fn below(&mut self, limit: usize) -> usize {
        (self.random.bits() % limit as u64) as usize
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    fn value(&mut self, op: &str) -> String {
        self.values += 1;
        let name = format!("%v{}", self.values);
        self.line(&format!("{name} = {op}"));
        name
    }

    fn pointer(&mut self) -> &'static str {
        ["%p", "%q"][self.below(2)]
    }

    /// An order of so many things.
    fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        if self.below(2) == 0 {
            for last in (1..count).rev() {
                let other = self.below(last + 1);
                order.swap(last, other);
            }
        }
        order
    }

    /// Something that stands between.
    fn other(&mut self) {
        let (ty, offset, pointer) = (self.ty, self.below(64) * self.size, self.pointer());
        match self.below(8) {
            0 => self.line(&format!("store.{ty} %x, {pointer}+{offset}")),
            1 => {
                let loaded = self.value(&format!("load.{ty} {pointer}+{offset}"));
                self.line(&format!("store.{ty} {loaded}, @out"));
            }
            2 => self.line("check %c, exit0"),
            3 => self.line(&format!("mem_fill {pointer}, 0, {}", self.size)),
            4 => self.line(&format!("store.{ty} %x, {pointer}+{offset} volatile")),
            _ => {}
        }
    }

    /// Stores side by side what is computed from loads side by side.
    fn neighbours(&mut self) {
        let (ty, size) = (self.ty, self.size);
        let lanes = 16 / size * (1 + self.below(2));
        let (from, other, to) = (self.pointer(), self.pointer(), self.pointer());
        let [a, b, c] = [0; 3].map(|_| self.below(16) * size);
        let steps: Vec<(usize, usize, usize)> =
            (0..self.below(4)).map(|_| (self.below(9), self.below(6), self.below(8))).collect();
        let odd = (self.below(4) == 0).then(|| self.below(lanes));
        let is_late = self.below(2) == 0;
        let mut stores = Vec::new();
        for lane in self.order(lanes) {
            let at = lane * size;
            let mut value = self.value(&format!("load.{ty} {from}+{}", a + at));
            for &(op, operand, place) in &steps {
                let own = if odd == Some(lane) { op + 1 } else { op };
                let op = self.ops[own % self.ops.len()];
                let operand = match operand {
                    0 | 1 => self.value(&format!("load.{ty} {other}+{}", b + at)),
                    2 => value.clone(),
                    _ => self.constants[(place + lane * (place % 2)) % 4].to_owned(),
                };
                value = match place % 3 {
                    0 if !op.ends_with("sub") => {
                        self.value(&format!("{op}.{ty} {operand}, {value}"))
                    }
                    _ => self.value(&format!("{op}.{ty} {value}, {operand}")),
                };
            }
            if odd == Some(lane) {
                self.other();
            }
            let store = format!("store.{ty} {value}, {to}+{}", c + at);
            if is_late { stores.push(store) } else { self.line(&store) }
        }
        for index in self.order(stores.len()) {
            self.line(&stores[index].clone());
        }
    }

    /// Adds up loads, or what is made of them.
    fn sum(&mut self) {
        let (ty, size, pointer) = (self.ty, self.size, self.pointer());
        let (start, count) = (self.below(16) * size, 16 / size + self.below(40 / size));
        let (kind, op) = (self.below(3), self.ops[self.below(self.ops.len())]);
        let mut parts: Vec<String> = Vec::new();
        for lane in self.order(count) {
            let part = self.value(&format!("load.{ty} {pointer}+{}", start + lane * size));
            parts.push(match kind {
                0 => self.value(&format!("{op}.{ty} {part}, %x")),
                _ => part,
            });
        }
        self.other();
        let add = if ty.starts_with('f') { "fadd" } else { self.ops[0] };
        let flag = if ty.starts_with('f') && self.below(4) > 0 { " reassociate" } else { "" };
        if self.below(2) == 0 {
            let again = self.below(parts.len());
            parts.push(parts[again].clone());
        }
        while parts.len() > 1 {
            let (one, other) = (parts.remove(0), parts.remove(0));
            let sum = self.value(&format!("{add}.{ty} {one}, {other}{flag}"));
            let place = if self.below(3) == 0 { parts.len() } else { 0 };
            parts.insert(place, sum);
        }
        let offset = self.below(64) * size;
        self.line(&format!("store.{ty} {}, %p+{offset}", parts[0]));
    }
}

fn program(seed: u64) -> Module {
    let mut random = Random(seed);
    let (ty, size, ops, constants) = TYPES[(random.bits() % 6) as usize];
    let mut writer = Writer { random, text: String::new(), values: 0, ty, size, ops, constants };
    let is_float = ty.starts_with('f');
    let numbers: Vec<String> = (0..ROOM as usize / size)
        .map(|_| match (is_float, writer.below(9)) {
            (true, number) => format!("{number}.5"),
            (false, number) => format!("{}", number as i64 * 29 - 100),
        })
        .collect();
    let _ = writeln!(writer.text, "data @d = {{ {ty} [{}] }}", numbers.join(", "));
    let _ = writeln!(writer.text, "func @f(i64, i1, {ty}) {{\n    exit0 = trap bounds");
    let _ = writeln!(writer.text, "entry(%n: i64, %c: i1, %x: {ty}):");
    writer.line("%p = data_addr @d");
    writer.line("%q = ptr_add %p, %n");
    for _ in 0..1 + writer.below(4) {
        match writer.below(3) {
            0 => writer.sum(),
            _ => writer.neighbours(),
        }
        writer.other();
    }
    writer.text.push_str("    return\n}\n");
    let text = writer.text.replace(", @out", ", %p+504");
    parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// How the program ends, and what it leaves behind, for many arguments.
fn left_by(module: &Module, seed: u64) -> Vec<(String, Vec<u8>)> {
    let is_float = |text: &str| format!("{module}").contains(&format!("%x: {text}"));
    let x = match (is_float("f32"), is_float("f64")) {
        (true, _) => Datum::from(2.0_f32),
        (_, true) => Datum::from(2.0_f64),
        _ if is_float("i8") => Datum::from(3_i8),
        _ if is_float("i16") => Datum::from(-3_i16),
        _ if is_float("i32") => Datum::from(-3_i32),
        _ => Datum::from(-3_i64),
    };
    let run = |distance: i64| {
        let mut interpreter = Interpreter::new(&[module]).unwrap();
        let condition = !(seed + distance as u64).is_multiple_of(3);
        let distance = Datum::from(distance);
        let end = interpreter.call("f", &[distance, condition.into(), x.clone()]);
        let end = end.map_or_else(|trap| format!("{trap}"), |_| String::new());
        (end, interpreter.data("d").unwrap())
    };
    DISTANCES.map(run).to_vec()
}

/// Runs passes over the programs of some seeds; gives how many stores there were and are.
fn run(names: &[&str], target: &str, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let target = TargetSpec::parse(target).unwrap();
    let passes = passes_named(names.iter().copied()).unwrap();
    let stores = |module: &Module| format!("{module}").matches("store.").count();
    let mut counts = (0, 0);
    for seed in seeds {
        let before = program(seed);
        let mut after = before.clone();
        run_passes(&mut after, &passes, &RunOptions::new(&target), &mut Report::default()).unwrap();
        verify_module(&after, &Options::default())
            .unwrap_or_else(|errors| panic!("seed {seed}: {errors}\n{before}\n{after}"));
        assert_eq!(left_by(&before, seed), left_by(&after, seed), "seed {seed}\n{before}\n{after}");
        counts = (counts.0 + stores(&before), counts.1 + stores(&after));
    }
    counts
}

#[test]
fn vectors_leave_what_scalars_left() {
    let haswell = "x86_64-unknown-linux-gnu/haswell";
    let (before, behind) = run(&["slp_vectorize"], haswell, 0..2000);
    assert!(behind < before * 9 / 10, "{behind} of {before} stores are left: few went");
    run(&["slp_vectorize", "inst_combine", "dce"], "aarch64-unknown-linux-gnu", 2000..2600);
}
