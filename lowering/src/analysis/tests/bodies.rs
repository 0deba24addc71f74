//! Functions from seeds, as text: numbers and addresses in every block, handed on
//! through parameters, over any flow graph.

use brolga_ir::body::Body;
use brolga_ir::module::Module;
use brolga_ir::text::{parse_module, print_module};
use brolga_ir::verify::{Options, verify_module};

use super::graphs::{Edges, Random, dominates, random_blocks};

/// What stands around every function.
const DECLARATIONS: &str = "\
data @mutable = { zero 32 }
local data @other = { zero 16 }
data @fixed const = { i64 [1, 2] }
func @host(i64) -> i64 {
b(%x: i64):
    %y = mul.i64 %x, 5
    data_store.i64 %y, @mutable, 8
    return %y
}
func @keep(ptr) {
b(%p: ptr):
    return
}
func @reads(i64) -> i64 memory read {
b(%x: i64):
    %y = data_load.i64 @mutable, 16
    %z = add.i64 %x, %y
    return %z
}
";

/// Calls `try_on` with the function `@f` of many modules.
pub(in crate::analysis) fn on_many_bodies(mut try_on: impl FnMut(&Module, &Body)) {
    for seed in 0..300 {
        let text = random_function(&mut Random::new(seed));
        let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        if let Err(errors) = verify_module(&module, &Options::default()) {
            panic!("{errors}\n{}", print_module(&module));
        }
        let function = module.function(module.function_named("f").unwrap()).unwrap();
        try_on(&module, function.body.as_deref().unwrap());
    }
}

/// The kinds of values that are handed about.
const TYPES: [&str; 4] = ["i64", "i8", "i1", "ptr"];

struct Writer<'a> {
    random: &'a mut Random,
    edges: Edges,
    /// The values of each block by type, parameters first.
    values: Vec<[Vec<String>; 4]>,
    params: Vec<Vec<usize>>,
    count: usize,
    lines: Vec<Vec<String>>,
}

/// A module whose `@f` has a body from a seed. It may loop for ever.
pub(in crate::analysis) fn random_function(random: &mut Random) -> String {
    let edges = random_blocks(random, 8);
    let count = edges.len();
    let values = vec![<[Vec<String>; 4]>::default(); count];
    let lines = vec![Vec::new(); count];
    let mut writer =
        Writer { random, edges, values, params: vec![Vec::new(); count], count: 0, lines };
    writer.write()
}

impl Writer<'_> {
    fn write(&mut self) -> String {
        for block in 0..self.edges.len() {
            let count = if block == 0 { 0 } else { self.random.below(3) };
            self.params[block] =
                (0..count).map(|_| [0, 0, 1, 2, 3][self.random.below(5)]).collect();
        }
        self.params[0] = vec![0, 0, 3];
        for block in 0..self.edges.len() {
            for ty in self.params[block].clone() {
                let name = self.name();
                self.values[block][ty].push(name.clone());
                // So that a trace has the values of parameters, too.
                let copy = self.name();
                let text = match ty {
                    3 => format!("ptr_add {name}, 0"),
                    _ => format!("opaque.{} {name}", TYPES[ty]),
                };
                self.lines[block].push(format!("{copy} = {text}"));
            }
        }
        // A block finds what dominating blocks define, which come first.
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        order.sort_by_key(|&block| {
            (0..self.edges.len()).filter(|&above| dominates(&self.edges, above, block)).count()
        });
        for &block in &order {
            for _ in 0..self.random.below(9) {
                self.instruction(block);
            }
        }
        for &block in &order {
            self.terminator(block);
        }
        self.text()
    }

    fn text(&self) -> String {
        let mut text = DECLARATIONS.to_owned();
        text.push_str("func @f(i64, i64, ptr) -> i64 {\n    ss0 = slot 16\n    ss1 = slot 8\n");
        text.push_str("    exit0 = trap bounds\n");
        for block in 0..self.edges.len() {
            let mut next = [0; 4];
            let params: Vec<String> = self.params[block]
                .iter()
                .map(|&ty| {
                    next[ty] += 1;
                    format!("{}: {}", self.values[block][ty][next[ty] - 1], TYPES[ty])
                })
                .collect();
            let params =
                if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
            text.push_str(&format!("b{block}{params}:\n"));
            for line in &self.lines[block] {
                text.push_str(&format!("    {line}\n"));
            }
        }
        text + "}\n"
    }

    fn name(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    fn constant(&mut self, ty: usize) -> String {
        let numbers = ["0", "1", "-1", "7", "8", "100", "3", "64"];
        match ty {
            2 => self.random.below(2).to_string(),
            3 => "null".to_owned(),
            _ => numbers[self.random.below(numbers.len())].to_owned(),
        }
    }

    /// A value of that type that is there at the end of `block`.
    fn operand(&mut self, block: usize, ty: usize) -> String {
        let above = |&other: &usize| other == block || dominates(&self.edges, other, block);
        let all = (0..self.edges.len()).filter(above).flat_map(|at| &self.values[at][ty]);
        let all: Vec<String> = all.cloned().collect();
        if all.is_empty() || (ty != 3 && self.random.once_in(4)) {
            return self.constant(ty);
        }
        all[self.random.below(all.len())].clone()
    }

    fn define(&mut self, block: usize, ty: usize, text: &str) {
        let name = self.name();
        self.lines[block].push(format!("{name} = {text}"));
        self.values[block][ty].push(name);
    }

    fn instruction(&mut self, block: usize) {
        match self.random.below(9) {
            0..=2 => self.arithmetic(block),
            3 => self.conversion(block),
            4 => self.address(block),
            5 | 6 => self.access(block),
            7 => self.choice(block),
            _ => self.call(block),
        }
    }

    fn arithmetic(&mut self, block: usize) {
        const OPS: &[&str] = &[
            "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "smin", "smax", "umin",
            "umax", "udiv", "urem", "sdiv", "srem", "uadd_sat", "usub_sat", "sadd_sat", "rotl",
        ];
        const UNARY: &[&str] = &["neg", "abs", "not", "popcount", "clz", "ctz", "bswap"];
        let ty = self.random.below(2);
        let a = self.operand(block, ty);
        if self.random.once_in(5) {
            let op = UNARY[self.random.below(UNARY.len())];
            let op = if ty == 1 && op == "bswap" { "not" } else { op };
            return self.define(block, ty, &format!("{op}.{} {a}", TYPES[ty]));
        }
        let (op, b) = (OPS[self.random.below(OPS.len())], self.operand(block, ty));
        self.define(block, ty, &format!("{op}.{} {a}, {b}", TYPES[ty]));
    }

    fn conversion(&mut self, block: usize) {
        let (number, byte) = (self.operand(block, 0), self.operand(block, 1));
        let truth = self.operand(block, 2);
        match self.random.below(5) {
            0 => self.define(block, 1, &format!("trunc.i8 {}", spelled(&number, "i64"))),
            1 => self.define(block, 0, &format!("zext.i64 {}", spelled(&byte, "i8"))),
            2 => self.define(block, 0, &format!("sext.i64 {}", spelled(&byte, "i8"))),
            3 => self.define(block, 0, &format!("zext.i64 {}", spelled(&truth, "i1"))),
            _ => {
                let pointer = self.operand(block, 3);
                self.define(block, 0, &format!("ptr_to_int {pointer}"));
            }
        }
    }

    fn address(&mut self, block: usize) {
        let (pointer, number) = (self.operand(block, 3), self.operand(block, 0));
        let text = match self.random.below(8) {
            0 | 1 => "slot_addr ss0".to_owned(),
            2 => "slot_addr ss1".to_owned(),
            3 => ["data_addr @mutable", "data_addr @other", "data_addr @fixed"]
                [self.random.below(3)]
            .to_owned(),
            4 => "stack_alloc 16, 16".to_owned(),
            5 => format!("ptr_add {pointer}, {number}"),
            _ => format!("ptr_add {pointer}, {}", self.random.below(3) * 4),
        };
        self.define(block, 3, &text);
    }

    fn access(&mut self, block: usize) {
        let (pointer, offset) = (self.operand(block, 3), self.random.below(3) * 4);
        let place = spelled(&pointer, "ptr");
        let at = if place == pointer { format!("{place}+{offset}") } else { place.clone() };
        let (number, index) = (self.operand(block, 0), self.operand(block, 0));
        match self.random.below(9) {
            0 | 1 => self.define(block, 0, &format!("load.i64 {at}")),
            2 => self.define(block, 1, &format!("load.i8 {at}")),
            3 => self.lines[block].push(format!("store.i64 {number}, {at}")),
            4 => {
                let stored = self.operand(block, 3);
                self.lines[block].push(format!("store.ptr {stored}, {at}"));
            }
            5 => self.define(block, 3, &format!("load.ptr {at}")),
            6 => self.define(block, 0, &format!("slot_load.i64 ss0, {index}")),
            7 => self.lines[block].push(format!("slot_store.i64 {number}, ss0, {index}")),
            _ => {
                let from = self.operand(block, 3);
                let from = spelled(&from, "ptr");
                self.lines[block].push(format!("mem_copy {place}, {from}, 8"));
            }
        }
    }

    fn choice(&mut self, block: usize) {
        const CONDITIONS: &[&str] =
            &["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
        if self.random.once_in(2) {
            let ty = self.random.below(2);
            let [a, b] = [0, 1].map(|_| self.operand(block, ty));
            let condition = CONDITIONS[self.random.below(CONDITIONS.len())];
            return self.define(block, 2, &format!("icmp.{} {condition} {a}, {b}", TYPES[ty]));
        }
        let ty = [0, 1, 3, 3][self.random.below(4)];
        let condition = self.operand(block, 2);
        let [a, b] = [0, 1].map(|_| self.operand(block, ty));
        self.define(block, ty, &format!("select.{} {condition}, {a}, {b}", TYPES[ty]));
    }

    fn call(&mut self, block: usize) {
        let (number, truth) = (self.operand(block, 0), self.operand(block, 2));
        match self.random.below(5) {
            0 => self.define(block, 0, &format!("call @host({number})")),
            1 => self.define(block, 0, &format!("call @reads({number})")),
            2 => self.lines[block].push(format!("check {truth}, exit0")),
            3 => {
                let pointer = self.operand(block, 3);
                self.lines[block].push(format!("call @keep({pointer})"));
            }
            _ => self.lines[block].push("fence seq_cst".to_owned()),
        }
    }

    fn target(&mut self, from: usize, to: usize) -> String {
        let types = self.params[to].clone();
        let args: Vec<String> = types.iter().map(|&ty| self.operand(from, ty)).collect();
        if args.is_empty() { format!("b{to}") } else { format!("b{to}({})", args.join(", ")) }
    }

    fn terminator(&mut self, block: usize) {
        let targets: Vec<String> =
            self.edges[block].clone().iter().map(|&to| self.target(block, to)).collect();
        let line = match targets.as_slice() {
            [] if self.random.once_in(5) => "unreachable".to_owned(),
            [] => format!("return {}", self.operand(block, 0)),
            [to] => format!("jump {to}"),
            [one, other] => format!("branch {}, {one}, {other}", self.operand(block, 2)),
            [one, other, rest, ..] => {
                format!("switch.i64 {}, [1: {one}, 7: {other}], {rest}", self.operand(block, 0))
            }
        };
        self.lines[block].push(line);
    }
}

/// An operand whose type nothing around it gives.
fn spelled(operand: &str, ty: &str) -> String {
    if operand.starts_with('%') { operand.to_owned() } else { format!("{ty}:{operand}") }
}
