//! Generated accesses of slots, of all widths, by copies and fills, around
//! diamonds and loops, at addresses in one place or two: what passes make of
//! them gives the same as before.

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

/// Types with their sizes, and a value of each.
const TYPES: &[(&str, u32, &str)] = &[
    ("i8", 1, "-77"),
    ("i1", 1, "1"),
    ("i16", 2, "-12345"),
    ("i32", 4, "123456789"),
    ("f32", 4, "1.5"),
    ("i64", 8, "-1234567890123456789"),
    ("f64", 8, "-2.25"),
    ("i128", 16, "-170141183460469231731687303715884105"),
    ("i8x4", 4, "<1, -2, 3, -4>"),
    ("i16x3", 6, "<1, -2, 3>"),
    ("i32x4", 16, "<1, -2, 3, -4>"),
    ("f64x2", 16, "<0.5, -8.0>"),
    ("i1x8", 1, "<1, 0, 0, 1, 1, 0, 1, 0>"),
];

const SLOT_SIZES: [u32; 3] = [16, 24, 40];

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        (self.bits() % u64::from(limit)) as u32
    }
}

struct Writer {
    random: Random,
    text: String,
    values: u32,
    /// Whether accesses stay with few widths, as most code does.
    is_tidy: bool,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    fn name(&mut self) -> String {
        self.values += 1;
        format!("%v{}", self.values)
    }

    /// An address of a slot, and an offset at which that many bytes lie inside.
    fn place(&mut self, size: u32) -> (String, u32) {
        let slot = self.random.below(3) as usize;
        let step = if self.is_tidy { size.next_power_of_two().max(4) } else { 1 };
        let room = SLOT_SIZES[slot] - size;
        let offset = self.random.below(room / step + 1) * step;
        match self.random.below(8) {
            0 => {
                let name = self.name();
                self.line(&format!("{name} = ptr_add %p{slot}, {offset}"));
                (name, 0)
            }
            1 if room.min(16 - size) >= offset => {
                let (name, other) = (self.name(), self.random.below(3));
                self.line(&format!("{name} = select.ptr %c, %p{slot}, %p{other}"));
                (name, offset)
            }
            _ => (format!("%p{slot}"), offset),
        }
    }

    fn ty(&mut self) -> (&'static str, u32, &'static str) {
        let count = if self.is_tidy { 7 } else { TYPES.len() as u32 };
        TYPES[self.random.below(count) as usize]
    }

    fn access(&mut self) {
        let (ty, size, value) = self.ty();
        let ((to, to_offset), (from, from_offset)) = (self.place(size), self.place(size));
        match self.random.below(12) {
            0..4 => self.line(&format!("store.{ty} {value}, {to}+{to_offset}")),
            4..7 => {
                let loaded = self.name();
                self.line(&format!("{loaded} = load.{ty} {from}+{from_offset}"));
                self.line(&format!("store.{ty} {loaded}, {to}+{to_offset}"));
            }
            7..9 => {
                let at = self.random.below(16) * 16;
                let (loaded, data) = (self.name(), self.name());
                self.line(&format!("{loaded} = load.{ty} {from}+{from_offset}"));
                self.line(&format!("{data} = data_addr @out"));
                self.line(&format!("store.{ty} {loaded}, {data}+{at}"));
            }
            9 => self.fill(),
            10 => self.copy(),
            _ => {
                let slot = self.random.below(3);
                self.line(&format!("slot_start ss{slot}"));
            }
        }
    }

    fn fill(&mut self) {
        let size = self.random.below(17);
        let (to, offset) = self.place(size);
        let behind = self.name();
        self.line(&format!("{behind} = ptr_add {to}, {offset}"));
        let byte = if self.random.below(2) == 0 { "%b" } else { "85" };
        self.line(&format!("mem_fill {behind}, {byte}, {size}"));
    }

    fn copy(&mut self) {
        let size = self.random.below(17);
        let mut ends = [self.place(size), self.place(size)].map(|(base, offset)| {
            let behind = self.name();
            self.line(&format!("{behind} = ptr_add {base}, {offset}"));
            behind
        });
        let side = self.random.below(4) as usize;
        if side < 2 {
            ends[side] = self.name();
            let name = ends[side].clone();
            self.line(&format!("{name} = data_addr @out"));
        }
        self.line(&format!("mem_copy {}, {}, {size}", ends[0], ends[1]));
    }

    fn accesses(&mut self, most: u32) {
        for _ in 0..self.random.below(most) {
            self.access();
        }
    }
}

/// A function that touches its slots, and a data object that remembers what it saw.
fn program(seed: u64) -> Module {
    let mut random = Random(seed);
    let is_tidy = random.below(2) == 0;
    let mut writer = Writer { random, text: String::new(), values: 0, is_tidy };
    writer.text.push_str("data @out = { zero 272 }\nfunc @f(i1, i8) {\n");
    for (slot, size) in SLOT_SIZES.iter().enumerate() {
        writer.line(&format!("ss{slot} = slot {size}"));
    }
    writer.text.push_str("entry(%c: i1, %b: i8):\n");
    for slot in 0..SLOT_SIZES.len() {
        writer.line(&format!("%p{slot} = slot_addr ss{slot}"));
    }
    writer.accesses(8);
    writer.text.push_str("    jump head(0)\nhead(%i: i32):\n");
    writer.accesses(4);
    writer.text.push_str("    branch %c, left, right\nleft:\n");
    writer.accesses(5);
    writer.text.push_str("    jump join\nright:\n");
    writer.accesses(5);
    writer.text.push_str("    jump join\njoin:\n");
    writer.accesses(4);
    writer.text.push_str("    %j = add.i32 %i, 1\n    %more = icmp.i32 slt %j, 3\n");
    writer.text.push_str("    branch %more, head(%j), done\ndone:\n");
    writer.accesses(8);
    writer.text.push_str("    return\n}\n");
    parse_module(&writer.text).unwrap_or_else(|errors| panic!("{errors:?}\n{}", writer.text))
}

/// What the program leaves behind when it is called both ways.
fn left_by(module: &Module) -> Vec<Vec<u8>> {
    let run = |condition: bool| {
        let mut interpreter = Interpreter::new(&[module]).unwrap();
        let byte = Datum::from(if condition { 3_i8 } else { -4 });
        interpreter
            .call("f", &[condition.into(), byte])
            .unwrap_or_else(|e| panic!("{e}\n{module}"));
        interpreter.data("out").unwrap()
    };
    vec![run(false), run(true)]
}

/// Runs passes over the programs of some seeds; gives how many slots are left.
fn run(names: &[&str], seeds: std::ops::Range<u64>) -> usize {
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let passes = passes_named(names.iter().copied()).unwrap();
    let mut left = 0;
    for seed in seeds {
        let before = program(seed);
        let mut after = before.clone();
        run_passes(&mut after, &passes, &RunOptions::new(&target), &mut Report::default()).unwrap();
        verify_module(&after, &Options::default())
            .unwrap_or_else(|errors| panic!("seed {seed}: {errors}\n{before}\n{after}"));
        assert_eq!(left_by(&before), left_by(&after), "seed {seed}\n{before}\n{after}");
        let bodies = after.functions().filter_map(|(_, function)| function.body.as_deref());
        left += bodies.map(|body| body.slots().len()).sum::<usize>();
    }
    left
}

#[test]
fn slots_that_become_values_give_what_memory_gave() {
    let left = run(&["sroa"], 0..1500);
    assert!(left < 1500 * SLOT_SIZES.len() * 7 / 10, "{left} slots are left: few went");
}

#[test]
fn loads_that_go_would_have_given_the_same() {
    run(&["early_cse"], 0..500);
    run(&["sroa", "early_cse"], 500..1000);
}
