//! Loops in loops from seeds, run by the interpreter.

use std::collections::BTreeMap;

use brolga_ir::dominators::Dominators;
use brolga_ir::entity::EntityRef;
use brolga_ir::flow::FlowGraph;
use brolga_ir::text::print_module;
use brolga_ir::verify::{Options, verify_module};

use super::*;
use crate::analysis::tests::graphs::Random;
use crate::analysis::tests::runs::{Moment, steps};

const TYPES: [&str; 3] = ["i8", "i16", "i64"];

struct Writer<'a> {
    random: &'a mut Random,
    text: String,
    values: [Vec<String>; 3],
    count: usize,
}

/// A module whose `@f` runs loops in loops.
fn random_nest(seed: u64) -> String {
    let mut random = Random::new(seed);
    let text = "data @mutable = { zero 32 }\nfunc @f(i64, i64, ptr) -> i64 {\n    exit0 = trap bounds\n\
                a(%x: i64, %y: i64, %p: ptr):\n    %x1 = trunc.i8 %x\n    %y1 = trunc.i16 %y\n    \
                %x2 = and.i64 %x, 31\n    %y2 = lshr.i8 %x1, 4\n";
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let values = [names(&["%x1", "%y2"]), names(&["%y1"]), names(&["%x", "%y", "%x2"])];
    let mut writer = Writer { random: &mut random, text: text.to_owned(), values, count: 0 };
    let loops = 1 + writer.random.below(2);
    (0..loops).for_each(|_| writer.counted(0));
    let last = writer.operand(2);
    writer.text.push_str(&format!("    return {last}\n}}\n"));
    writer.text
}

impl Writer<'_> {
    fn name(&mut self, kind: &str) -> String {
        self.count += 1;
        format!("{kind}{}", self.count)
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(&format!("    {line}\n"));
    }

    fn define(&mut self, ty: usize, text: &str) -> String {
        let name = self.name("%v");
        self.line(&format!("{name} = {text}"));
        self.values[ty].push(name.clone());
        name
    }

    fn operand(&mut self, ty: usize) -> String {
        if self.random.once_in(4) {
            return ["0", "1", "-1", "2", "3", "5", "9", "-4"][self.random.below(8)].to_owned();
        }
        let count = self.values[ty].len();
        // Mostly something new.
        let index = count - 1 - self.random.below(count).min(self.random.below(count));
        self.values[ty][index].clone()
    }

    fn value(&mut self, ty: usize) -> String {
        let index = self.random.below(self.values[ty].len());
        self.values[ty][index].clone()
    }

    fn some_ops(&mut self) {
        for _ in 0..self.random.below(4) {
            let ty = self.random.below(3);
            let (name, a, b) = (TYPES[ty], self.value(ty), self.operand(ty));
            match self.random.below(10) {
                0..=3 => {
                    let op =
                        ["add", "sub", "mul", "or", "smax", "umin", "smin"][self.random.below(7)];
                    self.define(ty, &format!("{op}.{name} {a}, {b}"));
                }
                4 => {
                    let by = self.random.below(4);
                    self.define(ty, &format!("shl.{name} {a}, {by}"));
                }
                5 => {
                    let op = ["neg", "not"][self.random.below(2)];
                    self.define(ty, &format!("{op}.{name} {a}"));
                }
                6 => {
                    let op = ["udiv", "lshr"][self.random.below(2)];
                    self.define(ty, &format!("{op}.{name} {a}, 3"));
                }
                7 if ty > 0 => {
                    let to = self.random.below(ty);
                    self.define(to, &format!("trunc.{} {a}", TYPES[to]));
                }
                _ if ty < 2 => {
                    let to = ty + 1 + self.random.below(2 - ty);
                    let op = ["zext", "sext"][self.random.below(2)];
                    self.define(to, &format!("{op}.{} {a}", TYPES[to]));
                }
                _ => {
                    let op = ["sadd_trap", "usub_trap"][self.random.below(2)];
                    self.define(ty, &format!("{op}.{name} {a}, 1"));
                }
            }
        }
    }

    /// A loop with up to three parameters, one of which counts.
    fn counted(&mut self, depth: usize) {
        let [head, next, exit] = ["h", "n", "e"].map(|kind| self.name(kind));
        let ty = self.random.below(3);
        let others: Vec<usize> = (0..self.random.below(3)).map(|_| self.random.below(3)).collect();
        let types: Vec<usize> = std::iter::once(ty).chain(others).collect();
        let starts: Vec<String> = types.iter().map(|&ty| self.operand(ty)).collect();
        let bound = self.operand(ty);
        let is_guarded = self.random.once_in(3);
        let step = ["1", "1", "-1", "2", "3", "-5"][self.random.below(6)];
        let condition =
            ["ne", "slt", "ult", "sgt", "ule", "sle", "uge", "eq"][self.random.below(8)];
        if is_guarded {
            let (guard, skipped) = (self.name("%g"), self.name("e"));
            self.line(&format!(
                "{guard} = icmp.{} {condition} {}, {bound}",
                TYPES[ty],
                typed(&starts[0], ty)
            ));
            let preheader = self.name("p");
            self.line(&format!("branch {guard}, {preheader}, {skipped}"));
            self.text.push_str(&format!("{skipped}:\n    return 1\n{preheader}:\n"));
        }
        self.line(&format!("jump {head}({})", starts.join(", ")));
        let params: Vec<String> = types.iter().map(|_| self.name("%v")).collect();
        let listed: Vec<String> =
            params.iter().zip(&types).map(|(name, &ty)| format!("{name}: {}", TYPES[ty])).collect();
        self.text.push_str(&format!("{head}({}):\n", listed.join(", ")));
        for (param, &ty) in params.iter().zip(&types) {
            // So that a trace has the values of parameters, too.
            let copy = self.name("%o");
            self.line(&format!("{copy} = opaque.{} {param}", TYPES[ty]));
            self.values[ty].push(param.clone());
        }
        self.some_ops();
        let op = ["add", "add", "add", "sadd_trap"][self.random.below(4)];
        let stepped = self.define(ty, &format!("{op}.{} {}, {step}", TYPES[ty], params[0]));
        let compared = if self.random.once_in(2) { &params[0] } else { &stepped }.clone();
        let test = self.name("%c");
        if self.random.once_in(3) {
            let (early, second) = (self.name("%c"), self.name("n"));
            let limit = self.operand(ty);
            self.line(&format!("{early} = icmp.{} ult {}, {limit}", TYPES[ty], params[0]));
            let left = self.name("e");
            self.line(&format!("branch {early}, {second}, {left}"));
            self.text.push_str(&format!("{left}:\n    return 2\n{second}:\n"));
        }
        let is_early = self.random.once_in(2);
        let end = |writer: &mut Self, to: &str| {
            writer.line(&format!("{test} = icmp.{} {condition} {compared}, {bound}", TYPES[ty]));
            writer.line(&format!("branch {test}, {to}, {exit}"));
        };
        if is_early {
            end(self, &next);
            self.text.push_str(&format!("{next}:\n"));
        }
        let kept = self.values.clone();
        self.some_ops();
        if depth < 2 && self.random.once_in(2) {
            self.counted(depth + 1);
            self.some_ops();
        }
        let mut back = vec![stepped];
        for (param, &ty) in params.iter().zip(&types).skip(1) {
            let handed = self.handed_back(param, ty, (&params[0], types[0]));
            back.push(handed);
        }
        let handed = back.join(", ");
        if is_early {
            self.line(&format!("jump {head}({handed})"));
            self.values = kept;
        } else {
            end(self, &format!("{head}({handed})"));
        }
        self.text.push_str(&format!("{exit}:\n"));
    }

    /// What a parameter is in the next round.
    fn handed_back(&mut self, param: &str, ty: usize, counter: (&str, usize)) -> String {
        match self.random.below(4) {
            0 => self.value(ty),
            1 if ty == counter.1 => counter.0.to_owned(),
            _ => {
                let by = self.operand(ty);
                self.define(ty, &format!("add.{} {param}, {by}", TYPES[ty]))
            }
        }
    }
}

fn typed(operand: &str, ty: usize) -> String {
    if operand.starts_with('%') { operand.to_owned() } else { format!("{}:{operand}", TYPES[ty]) }
}

/// What is counted of what was compared.
#[derive(Debug, Default)]
struct Tally {
    values: u32,
    recurrences: u32,
    counts: u32,
    ends: u32,
}

struct Run<'a> {
    module: &'a Module,
    body: &'a Body,
    evolution: &'a ScalarEvolution,
    dominators: &'a Dominators,
    moment: Moment,
    rounds: BTreeMap<Loop, u128>,
    before: Option<Block>,
    tally: &'a mut Tally,
}

impl Run<'_> {
    fn evaluated(&self, expr: Expr) -> Option<u128> {
        let round = |of: Loop| self.rounds.get(&of).copied().unwrap_or(0);
        evaluate(self.evolution, expr, &|value| self.moment.get(self.body, value), &round)
    }

    fn step(&mut self, inst: Inst, results: &[u128]) {
        let block = self.body.layout.block_of(inst).unwrap();
        if self.body.layout.first_inst(block) == Some(inst) {
            self.enter(block);
        }
        self.moment.note(self.body, inst, results);
        self.before = Some(block);
        for &value in self.body.results(inst).iter().chain(self.body.args(inst)) {
            self.compare(value, block);
        }
    }

    fn compare(&mut self, value: Value, block: Block) {
        let (Some(expr), Some(is)) = (self.evolution.of(value), self.moment.get(self.body, value))
        else {
            return;
        };
        if !self.evolution.is_in_scope(expr, block) {
            return;
        }
        let about = || {
            format!(
                "{value} is {is} at {block}: {:?}\n{}",
                self.evolution.kind(expr),
                print_module(self.module)
            )
        };
        if let Some(told) = self.evaluated(expr) {
            assert_eq!(told, is, "{}", about());
        }
        assert!(
            self.evolution.fact(expr).contains(is),
            "{:?} {}",
            self.evolution.fact(expr),
            about()
        );
        self.tally.values += 1;
        self.tally.recurrences += u32::from(self.evolution.as_recurrence(expr).is_some());
    }

    fn enter(&mut self, block: Block) {
        let loops = self.evolution.loops();
        for of in loops.all() {
            let was_in = self.before.is_some_and(|before| loops.contains(of, before));
            if was_in && !loops.contains(of, block) {
                self.leave(of);
            }
        }
        if let Some(of) = loops.of_header(block) {
            let was_in = self.before.is_some_and(|before| loops.contains(of, before));
            let round = if was_in { self.rounds[&of] + 1 } else { 0 };
            let most = self.evolution.trips(of).and_then(|trips| trips.most);
            self.rounds.insert(of, round);
            let text = || print_module(self.module);
            assert!(most.is_none_or(|most| round <= most), "{round} {most:?} {of}\n{}", text());
        }
    }

    fn leave(&mut self, of: Loop) {
        let Some(exact) = self.evolution.trips(of).and_then(|trips| trips.exact) else { return };
        let text = || print_module(self.module);
        let round = self.rounds[&of];
        if let Some(told) = self.evaluated(exact) {
            assert_eq!(told, round, "{of} {:?}\n{}", self.evolution.kind(exact), text());
            self.tally.counts += 1;
        }
        let mut evolution = self.evolution.clone();
        let before = self.before.unwrap();
        for value in (0..self.body.value_count()).map(Value::new) {
            let home = self.body.defining_block(value);
            let is_last = home.is_some_and(|home| {
                evolution.loops().contains(of, home) && self.dominators.dominates(home, before)
            });
            let (true, Some(is)) = (is_last, self.moment.get(self.body, value)) else { continue };
            if let Some(end) = evolution.at_exit(value, of) {
                let round = |of: Loop| self.rounds.get(&of).copied().unwrap_or(0);
                let value_at = |value| self.moment.get(self.body, value);
                if let Some(told) = evaluate(&evolution, end, &value_at, &round) {
                    assert_eq!(
                        told,
                        is,
                        "{value} behind {of}: {:?}\n{}",
                        evolution.kind(end),
                        text()
                    );
                    self.tally.ends += 1;
                }
            }
        }
    }
}

#[test]
fn expressions_are_what_runs_of_nested_loops_compute() {
    let mut tally = Tally::default();
    let mut random = Random::new(5);
    for seed in 0..600 {
        let text = random_nest(seed);
        let module = parsed(&text);
        if let Err(errors) = verify_module(&module, &Options::default()) {
            panic!("{errors}\n{text}");
        }
        let body = body_of(&module);
        let graph = FlowGraph::new(body);
        let dominators = Dominators::new(&graph);
        let evolution = evolution_of(&module, body);
        for _ in 0..4 {
            let mut run = Run {
                module: &module,
                body,
                evolution: &evolution,
                dominators: &dominators,
                moment: Moment::default(),
                rounds: BTreeMap::new(),
                before: None,
                tally: &mut tally,
            };
            for (inst, results) in steps(&module, &mut random) {
                run.step(inst, &results);
            }
        }
    }
    let Tally { values, recurrences, counts, ends } = tally;
    assert!(values > 50_000 && recurrences > 10_000 && counts > 300 && ends > 500, "{tally:?}");
}
