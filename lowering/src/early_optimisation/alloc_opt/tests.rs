//! Generated functions that make objects, over any flow graph: behind the pass, and behind
//! others that go on with what it leaves, they give what they gave before.

use brolga_ir::datum::Datum;
use brolga_ir::interpret::{CallError, Interpreter, Limits};
use brolga_ir::module::Module;
use brolga_ir::text::{parse_module, print_module};
use brolga_ir::trap::TrapCode;
use brolga_ir::verify::{Options, verify_module};

use crate::analysis::tests::graphs::{Edges, Random, dominates, random_blocks};
use crate::pipeline::{Report, RunOptions, passes_named, run_passes};
use crate::target::TargetSpec;

/// What stands around every function.
const DECLARATIONS: &str = "\
data @held = { zero 8 }
func @hold(ref) -> ref {
b(%o: ref):
    %p = data_addr @held
    %old = load.ref %p
    store.ref %o, %p
    %none = icmp.ref eq %old, null
    %r = select.ref %none, %o, %old
    return %r
}
data @state = { i64 88172645463325252 }
func @toss() -> i1 {
b:
    %old = data_load.i64 @state, 0
    %product = mul.i64 %old, 6364136223846793005
    %new = add.i64 %product, 1442695040888963407
    data_store.i64 %new, @state, 0
    %r = icmp.i64 slt %new, 0
    return %r
}
";

/// The kinds of values that are handed about; references are none to null.
const TYPES: [&str; 4] = ["i64", "i1", "ref", "derived"];

/// The bytes of every object: three words of bits, then two references.
const SIZE: usize = 40;

struct Writer<'a> {
    random: &'a mut Random,
    edges: Edges,
    /// The values of each block by type, parameters first.
    values: Vec<[Vec<String>; 4]>,
    params: Vec<Vec<usize>>,
    count: usize,
    lines: Vec<Vec<String>>,
    /// Whether no object gets out.
    is_calm: bool,
}

/// A module whose `@f` makes objects. It may loop for ever.
fn random_function(random: &mut Random) -> String {
    let edges = random_blocks(random, 7);
    let count = edges.len();
    let values = vec![<[Vec<String>; 4]>::default(); count];
    let params = vec![Vec::new(); count];
    let lines = vec![Vec::new(); count];
    let is_calm = random.once_in(2);
    Writer { random, edges, values, params, count: 0, lines, is_calm }.write()
}

impl Writer<'_> {
    fn write(mut self) -> String {
        for block in 0..self.edges.len() {
            let count = if block == 0 { 0 } else { self.random.below(4) };
            let types: Vec<usize> =
                (0..count).map(|_| [0, 2, 2, 3][self.random.below(4)]).collect();
            self.params[block] = if block == 0 { vec![0, 0] } else { types };
            for ty in self.params[block].clone() {
                let name = self.name();
                self.values[block][ty].push(name);
            }
        }
        let mut order: Vec<usize> = (0..self.edges.len()).collect();
        let above = |&block: &usize| {
            (0..self.edges.len()).filter(|&above| dominates(&self.edges, above, block)).count()
        };
        order.sort_by_key(above);
        for &block in &order {
            if block == 0 {
                self.object(0);
                self.object(0);
            }
            for _ in 0..self.random.below(10) {
                self.instruction(block);
            }
        }
        for &block in &order {
            self.terminator(block);
        }
        self.text()
    }

    fn text(&self) -> String {
        let mut text = format!("{DECLARATIONS}func @f(i64, i64) -> i64 {{\n");
        for block in 0..self.edges.len() {
            let mut next = [0; 4];
            let param = |&ty: &usize| {
                next[ty] += 1;
                format!("{}: {}", self.values[block][ty][next[ty] - 1], TYPES[ty])
            };
            let params: Vec<String> = self.params[block].iter().map(param).collect();
            let params = params.join(", ");
            let params = if params.is_empty() { params } else { format!("({params})") };
            text.push_str(&format!("b{block}{params}:\n"));
            self.lines[block].iter().for_each(|line| text.push_str(&format!("    {line}\n")));
        }
        text + "}\n"
    }

    fn name(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    /// A value of that type that is there at the end of `block`.
    fn operand(&mut self, block: usize, ty: usize) -> String {
        let above = |&other: &usize| other == block || dominates(&self.edges, other, block);
        let all = (0..self.edges.len()).filter(above).flat_map(|at| &self.values[at][ty]);
        let all: Vec<String> = all.cloned().collect();
        match ty {
            0 if self.random.once_in(4) => self.random.below(9).to_string(),
            1 if all.is_empty() => self.random.below(2).to_string(),
            // Nothing dominates a block that is never reached.
            0 if all.is_empty() => "5".to_owned(),
            2 if all.is_empty() => self.object(block),
            3 if all.is_empty() => {
                let object = self.operand(block, 2);
                self.define(block, 3, &format!("address_cast.derived {object}"))
            }
            // Those made last are less likely to have got out.
            _ => {
                let back = self.random.below(all.len()).min(self.random.below(all.len()));
                all[all.len() - 1 - back].clone()
            }
        }
    }

    fn define(&mut self, block: usize, ty: usize, text: &str) -> String {
        let name = self.name();
        self.lines[block].push(format!("{name} = {text}"));
        self.values[block][ty].push(name.clone());
        name
    }

    fn push(&mut self, block: usize, line: String) {
        self.lines[block].push(line);
    }

    fn object(&mut self, block: usize) -> String {
        let has_type = !self.values[0][2].is_empty() && self.random.once_in(3);
        let ty = if has_type { self.values[0][2][0].clone() } else { "null".to_owned() };
        self.define(block, 2, &format!("alloc_object {ty}, {SIZE}"))
    }

    fn instruction(&mut self, block: usize) {
        let object = self.operand(block, 2);
        let number = self.operand(block, 0);
        // Where nothing gets out, addresses that are one of several are followed.
        let kind = match self.random.below(16) {
            7 | 8 | 11..=13 if self.is_calm => 15,
            1 if self.is_calm => 3,
            kind => kind,
        };
        match kind {
            0 | 1 => drop(self.object(block)),
            2 => {
                let cast = self.define(block, 3, &format!("address_cast.derived {object}"));
                let by = ["8", &number][self.random.below(2)].to_owned();
                let by = self.define(block, 0, &format!("and.i64 {by}, 8"));
                self.define(block, 3, &format!("derived_add {cast}, {by}"));
            }
            3 | 4 => {
                let at = self.place(block);
                self.push(block, format!("store.i64 {number}, {at}"));
            }
            5 | 6 => {
                let at = self.place(block);
                self.define(block, 0, &format!("load.i64 {at}"));
            }
            7 if self.random.once_in(3) => {
                let stored = self.operand(block, 2);
                let offset = 24 + 8 * self.random.below(2);
                self.push(block, format!("store.ref {stored}, {object}+{offset}"));
                self.push(block, format!("write_barrier {object}, {stored}"));
            }
            8 => {
                let offset = 24 + 8 * self.random.below(2);
                let loaded = self.name();
                let none = self.define_apart(block, &loaded, &format!("{object}+{offset}"));
                let other = self.operand(block, 2);
                self.define(block, 2, &format!("select.ref {none}, {other}, {loaded}"));
            }
            9 => {
                let truth = self.operand(block, 1);
                let ty = 2 + self.random.below(2);
                let [a, b] = [0, 1].map(|_| self.operand(block, ty));
                self.define(block, ty, &format!("select.{} {truth}, {a}, {b}", TYPES[ty]));
            }
            10 => {
                let other = self.operand(block, 2);
                let condition = ["eq", "ne"][self.random.below(2)];
                self.define(block, 1, &format!("icmp.ref {condition} {object}, {other}"));
            }
            11 => self.preserve(block, &object),
            12 if self.random.once_in(3) => {
                let other = self.operand(block, 2);
                let ty = self.name();
                self.push(block, format!("{ty} = typeof {object}"));
                self.define(block, 1, &format!("icmp.ref eq {ty}, {other}"));
            }
            13 if self.random.once_in(4) => {
                self.define(block, 2, &format!("call @hold({object})"));
            }
            14 => {
                let other = self.operand(block, 0);
                self.define(block, 1, &format!("icmp.i64 ult {number}, {other}"));
            }
            _ => {
                let other = self.operand(block, 0);
                self.define(block, 0, &format!("add.i64 {number}, {other}"));
            }
        }
    }

    /// Loads what may be null, and whether it is.
    fn define_apart(&mut self, block: usize, loaded: &str, at: &str) -> String {
        self.push(block, format!("{loaded} = load.ref {at}"));
        self.define(block, 1, &format!("icmp.ref eq {loaded}, null"))
    }

    /// A word of bits.
    fn place(&mut self, block: usize) -> String {
        let offset = 8 * self.random.below(2);
        let ty = 2 + self.random.below(2);
        let address = self.operand(block, ty);
        format!("{address}+{offset}")
    }

    fn preserve(&mut self, block: usize, object: &str) {
        let token = self.name();
        self.push(block, format!("{token} = preserve_begin {object}"));
        for _ in 0..self.random.below(3) {
            self.instruction(block);
        }
        self.push(block, "safepoint".to_owned());
        if !self.random.once_in(4) {
            self.push(block, format!("preserve_end {token}"));
        }
    }

    fn target(&mut self, from: usize, to: usize) -> String {
        let types = self.params[to].clone();
        let args: Vec<String> = types.iter().map(|&ty| self.operand(from, ty)).collect();
        if args.is_empty() { format!("b{to}") } else { format!("b{to}({})", args.join(", ")) }
    }

    fn terminator(&mut self, block: usize) {
        let to = self.edges[block].clone();
        let targets: Vec<String> = to.iter().map(|&to| self.target(block, to)).collect();
        // So that loops end, and go another way in each round.
        if targets.len() == 2 && !self.random.once_in(4) {
            let toss = self.define(block, 1, "call @toss()");
            return self.push(block, format!("branch {toss}, {}, {}", targets[0], targets[1]));
        }
        let line = match targets.as_slice() {
            [] => format!("return {}", self.operand(block, 0)),
            [to] => format!("jump {to}"),
            [one, other] => format!("branch {}, {one}, {other}", self.operand(block, 1)),
            [one, other, rest, ..] => {
                format!("switch.i64 {}, [1: {one}, 7: {other}], {rest}", self.operand(block, 0))
            }
        };
        self.push(block, line);
    }
}

/// What `@f` gives; nothing if it does not come to an end.
fn answers(module: &Module) -> Vec<Option<Result<Vec<Datum>, TrapCode>>> {
    let answer = |args: [u128; 2]| {
        let limits = Limits { steps: 500, ..Limits::default() };
        let mut interpreter = Interpreter::setup().module(module).limits(limits).build().unwrap();
        match interpreter.call("f", &args.map(Datum::Scalar)) {
            Ok(values) => Some(Ok(values)),
            Err(CallError::Trap(trap)) if trap.code == TrapCode::OutOfFuel => None,
            Err(CallError::Trap(trap)) => Some(Err(trap.code)),
            Err(error) => panic!("{error}"),
        }
    };
    [[0, 1], [3, 7], [1, 2], [8, 0]].into_iter().map(answer).collect()
}

#[test]
fn generated_functions_give_what_they_gave_before() {
    let lists = [
        vec!["alloc_opt"],
        vec!["alloc_opt", "sroa", "gvn", "sccp", "dse", "dce"],
        vec!["simplify_cfg", "loop_simplify", "loop_rotate", "licm", "alloc_opt", "licm", "dse"],
    ];
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let mut report = Report::default();
    for seed in 0..1000 {
        let text = random_function(&mut Random::new(seed));
        let module = parse_module(&text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
        let verify = |module: &Module| {
            if let Err(errors) = verify_module(module, &Options::default()) {
                panic!("seed {seed}: {errors}\n{}", print_module(module));
            }
        };
        verify(&module);
        let expected = answers(&module);
        for list in &lists {
            let passes = passes_named(list.iter().copied()).unwrap();
            let mut changed = module.clone();
            run_passes(&mut changed, &passes, &RunOptions::new(&target), &mut report).unwrap();
            verify(&changed);
            for (found, expected) in answers(&changed).iter().zip(&expected) {
                if expected.is_some() && found != expected {
                    panic!("seed {seed}, {list:?}: {found:?}\n{text}\n{}", print_module(&changed));
                }
            }
        }
    }
    let counts: Vec<(&str, u64)> = report
        .statistics
        .iter()
        .filter(|row| row.0 == "alloc_opt")
        .map(|row| (row.1, row.2))
        .collect();
    let enough = |what: &str| counts.iter().any(|&(name, count)| name == what && count >= 300);
    for what in ["objects that became values", "objects on the stack", "objects that nothing reads"]
    {
        assert!(enough(what), "{counts:?}");
    }
}

/// Where each of so many objects may be alive in each of so many blocks, some stay as they are.
#[test]
fn objects_times_blocks_are_looked_at_so_often_and_no_more() {
    let made = |objects: usize, blocks: usize| {
        let mut text = "func @f(i64) -> i64 {\nentry(%x: i64):\n".to_owned();
        for at in 0..objects {
            text += &format!("    %o{at} = alloc_object null, 8\n    store.i64 %x, %o{at}\n");
        }
        for at in 0..blocks {
            text += &format!("    jump b{at}\nb{at}:\n");
        }
        for at in 0..objects {
            text += &format!("    %x{at} = load.i64 %o{at}\n");
        }
        text += "    return %x0\n}\n";
        let mut module = parse_module(&text).unwrap();
        let passes = passes_named(["alloc_opt"]).unwrap();
        let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
        let mut report = Report::default();
        run_passes(&mut module, &passes, &RunOptions::new(&target), &mut report).unwrap();
        print_module(&module).matches("alloc_object").count()
    };
    assert_eq!(made(1_100, 100), 0);
    assert!((1..1_100).contains(&made(1_100, 21_000)));
}
