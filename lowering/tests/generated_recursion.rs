//! Generated functions that call themselves: with their own code in the place of their
//! calls they give the same as before, trap alike, and leave the same behind in memory.

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
    count: u32,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "    {line}");
    }

    fn define(&mut self, what: &str) -> String {
        self.count += 1;
        let name = format!("%v{}", self.count);
        self.line(&format!("{name} = {what}"));
        name
    }

    /// A number that follows from those there are.
    fn number(&mut self, from: &[&str]) -> String {
        let ops = ["add", "sub", "mul", "and", "or", "xor"];
        let (op, x, y) = (self.random.pick(&ops), self.random.pick(from), self.random.pick(from));
        self.define(&format!("{op}.i32 {x}, {y}"))
    }

    /// A block that ends the function, mostly by a call of it.
    fn end(&mut self, label: &str, shared: bool) {
        let _ = writeln!(self.text, "{label}:");
        let mut known = vec!["%n".to_owned(), "%a".to_owned(), "%b".to_owned()];
        for _ in 0..self.random.below(3) {
            let from: Vec<&str> = known.iter().map(|name| &**name).collect();
            let made = self.number(&from);
            known.push(made);
        }
        if self.random.percent(12) {
            let made = self.define("sdiv.i32 %a, %b");
            known.push(made);
        }
        if self.random.percent(40) {
            let from: Vec<&str> = known.iter().map(|name| &**name).collect();
            let value = self.random.pick(&from).to_owned();
            self.line(&format!("%p{label} = data_addr @trace"));
            self.line(&format!("%q{label} = and.i32 %n, 7"));
            self.line(&format!("%w{label} = zext.i64 %q{label}"));
            self.line(&format!("%o{label} = shl.i64 %w{label}, 2"));
            self.line(&format!("%t{label} = ptr_add %p{label}, %o{label}"));
            self.line(&format!("store.i32 {value}, %t{label}"));
        }
        for _ in 0..1 + self.random.below(2) {
            let step = 1 + self.random.below(2);
            let m = self.define(&format!("sub.i32 %n, {step}"));
            let from: Vec<&str> = known.iter().map(|name| &**name).collect();
            let (x, y) = (self.random.pick(&from), self.random.pick(&from));
            let call = format!("call @f({m}, {x}, {y})");
            let made = self.define(&call);
            known.push(made);
        }
        let result = known.last().cloned().unwrap_or_default();
        let from: Vec<&str> = known.iter().map(|name| &**name).collect();
        let other = self.random.pick(&from).to_owned();
        let op = self.random.pick(&["add", "add", "mul", "xor", "or", "and", "sub", ""]);
        let given = match op {
            "" => result,
            _ if self.random.percent(50) => self.define(&format!("{op}.i32 {other}, {result}")),
            _ => self.define(&format!("{op}.i32 {result}, {other}")),
        };
        self.line(&if shared { format!("jump last({given})") } else { format!("return {given}") });
    }

    fn function(mut self) -> String {
        self.text.push_str("data @trace = { zero 32 }\nfunc @f(i32, i32, i32) -> i32 {\n");
        self.text.push_str("entry(%n: i32, %a: i32, %b: i32):\n");
        self.line("%done = icmp.i32 slt %n, 1");
        let shared = self.random.percent(50);
        let base = if shared { "last(%a)" } else { "base" };
        self.line(&format!("branch %done, {base}, more"));
        if !shared {
            self.text.push_str("base:\n    return %b\n");
        }
        if self.random.percent(50) {
            self.text.push_str("more:\n    %odd = trunc.i1 %a\n    branch %odd, left, right\n");
            self.end("left", shared);
            self.end("right", shared);
        } else {
            self.end("more", shared);
        }
        if shared {
            self.text.push_str("last(%r: i32):\n    return %r\n");
        }
        self.text.push_str("}\n");
        self.text
    }
}

/// What a call gives, and what it leaves in memory.
fn outcome(module: &Module, args: &[Datum]) -> String {
    let mut interpreter = Interpreter::new(&[module]).unwrap();
    let given = match interpreter.call("f", args) {
        Ok(results) => format!("{results:?}"),
        Err(error) => format!("{:?}", error.code()),
    };
    format!("{given} {:?}", interpreter.data("trace"))
}

#[test]
fn functions_that_call_themselves_do_what_they_did() {
    let target = TargetSpec::parse("x86_64-unknown-linux-gnu/x86-64").unwrap();
    let count = std::env::var("COUNT").map_or(300, |count| count.parse().unwrap());
    let mut calls = 0;
    for seed in 0..count {
        let writer = Writer { random: Random(seed), text: String::new(), count: 0 };
        let text = writer.function();
        let before = parse_module(&text).unwrap_or_else(|e| panic!("{seed}: {e:?}\n{text}"));
        for list in
            [&["inline(recursive)"][..], &["inline(recursive)", "simplify_cfg", "inst_combine"]]
        {
            let mut after = parse_module(&text).unwrap();
            let rows = passes_named(list.iter().copied()).unwrap();
            let mut report = Report::default();
            run_passes(&mut after, &rows, &RunOptions::new(&target), &mut report).unwrap();
            let broken = verify_module(&after, &Options::default()).err();
            assert!(broken.is_none(), "{seed}: {broken:?}\n{text}");
            let counts =
                report.statistics.iter().filter(|count| count.1 == "calls of itself taken over");
            calls += counts.map(|count| count.2).sum::<u64>();
            let mut random = Random(seed);
            for _ in 0..6 {
                let args = [random.below(9), random.below(5), random.below(1 << 31)]
                    .map(|number| Datum::Scalar(number.into()));
                assert_eq!(
                    outcome(&after, &args),
                    outcome(&before, &args),
                    "{seed}, {list:?}: {args:?}\n{text}"
                );
            }
        }
    }
    assert!(calls > count, "of {count} functions, {calls} calls were taken over");
}
