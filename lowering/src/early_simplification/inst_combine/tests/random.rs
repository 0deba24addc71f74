//! Whatever the rules do to each other's results: the meaning stays, the cost never
//! rises, and they come to an end.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::Type;
use rustc_hash::FxHashMap;

use super::super::cost::cost_of;
use super::super::{Among, Combiner, Counts};
use super::instance::{evaluate, values_of};

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const TYPES: &[Type] = &[Type::I8, Type::I16];

const BINARY: &[Op] = &[
    Op::Add,
    Op::Add,
    Op::Sub,
    Op::Sub,
    Op::Mul,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Shl,
    Op::Lshr,
    Op::Ashr,
    Op::Rotl,
    Op::Rotr,
    Op::Smin,
    Op::Smax,
    Op::Umin,
    Op::Umax,
    Op::Udiv,
    Op::Srem,
];

struct Writer {
    body: Body,
    block: Block,
    random: Random,
    values: Vec<Value>,
}

impl Writer {
    fn operand(&mut self, ty: Type) -> Value {
        let fits = |&&value: &&Value| self.body.value_type(value) == ty;
        let fitting: Vec<Value> = self.values.iter().filter(fits).copied().collect();
        if fitting.is_empty() || self.random.below(100) < 35 {
            let datum = self.random.below(1 << 20);
            let datum = values_of(ty)[datum % values_of(ty).len()].bits();
            return self.body.constant(Constant::scalar(ty, datum).unwrap());
        }
        // The last ones more often: chains are what rules work on.
        let last = fitting.len() - 1;
        fitting[last - self.random.below(fitting.len().min(4))]
    }

    fn write(&mut self, op: Op, ty: Type, operands: &[Type], payload: Payload, result: Type) {
        let args: Vec<Value> = operands.iter().map(|&ty| self.operand(ty)).collect();
        let args = self.body.list(&args);
        let inst =
            self.body.append_inst(self.block, InstData::new(op, ty, args, payload), &[result]);
        self.values.push(self.body.result(inst).unwrap());
    }

    fn instruction(&mut self) {
        let ty = self.random.pick(TYPES);
        match self.random.below(20) {
            0..10 => {
                let op = self.random.pick(BINARY);
                self.write(op, ty, &[ty, ty], Payload::None, ty);
            }
            10..12 => {
                let op = self.random.pick(&[Op::Not, Op::Neg, Op::Abs]);
                self.write(op, ty, &[ty], Payload::None, ty);
            }
            12..15 => {
                let condition = Payload::IntCond(self.random.pick(IntCond::ALL));
                self.write(Op::Icmp, ty, &[ty, ty], condition, Type::I1);
            }
            15..17 => self.write(Op::Select, ty, &[Type::I1, ty, ty], Payload::None, ty),
            17 => {
                let op = self.random.pick(&[Op::And, Op::Or, Op::Xor]);
                self.write(op, Type::I1, &[Type::I1, Type::I1], Payload::None, Type::I1);
            }
            18 => {
                let op = self.random.pick(&[Op::Zext, Op::Sext]);
                let from = self.random.pick(&[Type::I1, Type::I8]);
                self.write(op, Type::I16, &[from], Payload::None, Type::I16);
            }
            _ => self.write(Op::Trunc, Type::I8, &[Type::I16], Payload::None, Type::I8),
        }
    }
}

/// A block of instructions whose last values are returned.
fn program(seed: u64) -> (Body, Block) {
    let mut body = Body::default();
    let block = body.make_block();
    body.layout.append_block(block);
    let values =
        [Type::I8, Type::I8, Type::I16, Type::I1].map(|ty| body.append_param(block, ty)).to_vec();
    let mut writer = Writer { body, block, random: Random(seed), values };
    for _ in 0..3 + writer.random.below(12) {
        writer.instruction();
    }
    let last = writer.values.len().saturating_sub(2);
    let args = writer.body.list(&writer.values[last..]);
    let data = InstData::new(Op::Return, Type::NONE, args, Payload::None);
    writer.body.append_inst(block, data, &[]);
    (writer.body, block)
}

fn cost(body: &Body, block: Block) -> u32 {
    let ops = body.layout.insts(block).map(|inst| body.inst(inst).op);
    ops.filter(|op| !op.is_terminator()).map(cost_of).sum()
}

/// What the block returns, or the first trap.
fn run(body: &Body, block: Block, params: &[Datum]) -> Result<Vec<Datum>, TrapCode> {
    let mut known: FxHashMap<Value, Result<Datum, TrapCode>> =
        body.params(block).iter().copied().zip(params.iter().cloned().map(Ok)).collect();
    let insts: Vec<Inst> = body.layout.insts(block).collect();
    let (last, insts) = insts.split_last().unwrap();
    for &inst in insts {
        let results = evaluate(body, inst, &known)?;
        for (&result, datum) in body.results(inst).iter().zip(results) {
            known.insert(result, Ok(datum));
        }
    }
    let value = |value: &Value| match body.as_constant(*value) {
        Some(constant) => Ok(Datum::from_constant(&Default::default(), constant)),
        None => known[value].clone(),
    };
    body.args(*last).iter().map(value).collect()
}

/// Combines in as many walks as the pass, the later ones over some of the instructions.
fn combine(body: &mut Body, later: Among) -> Counts {
    let (module, graph) = (Module::default(), FlowGraph::new(body));
    let mut combiner = Combiner::new(body, &module);
    combiner.walk(&graph, Among::All);
    for _ in 1..super::super::MOST_WALKS {
        combiner.walk(&graph, later);
    }
    assert!(combiner.rewrites_left > 0, "the rules come to no end");
    let counts = combiner.counts;
    combiner.renames.apply(body);
    counts
}

#[test]
fn walks_over_what_was_touched_find_what_walks_over_everything_find() {
    let mut found = 0;
    for seed in 0..6_000 {
        let (mut body, _) = program(seed);
        let (mut other, mut once) = (body.clone(), body.clone());
        let counts = combine(&mut body, Among::Touched);
        assert_eq!(counts, combine(&mut other, Among::All), "{seed}");
        let (module, graph) = (Module::default(), FlowGraph::new(&once));
        let mut combiner = Combiner::new(&mut once, &module);
        combiner.walk(&graph, Among::All);
        found += usize::from(combiner.counts != counts);
    }
    assert!(found > 10, "{found} programs have anything for a second walk");
}

#[test]
fn random_code_keeps_its_meaning_and_gets_no_dearer() {
    let mut rewritten = 0;
    for seed in 0..4000 {
        let (mut body, block) = program(seed);
        let before = body.clone();
        rewritten += combine(&mut body, Among::Touched).rewritten;
        assert!(cost(&body, block) <= cost(&before, block), "{seed}");
        let edges = values_of(Type::I8);
        for round in 0..24 {
            let mut random = Random(seed ^ (round << 32));
            let params = [
                random.pick(&(0..edges.len()).collect::<Vec<_>>()),
                random.below(edges.len()),
                random.below(1 << 16),
                random.below(2),
            ];
            let params = [
                edges[params[0]].clone(),
                edges[params[1]].clone(),
                Datum::Scalar(params[2] as u128),
                Datum::Scalar(params[3] as u128),
            ];
            let (expected, found) = (run(&before, block, &params), run(&body, block, &params));
            assert_eq!(expected, found, "seed {seed}, {params:?}");
        }
    }
    assert!(rewritten > 3_000, "{rewritten}");
}

#[test]
fn a_second_run_finds_next_to_nothing() {
    let again: usize = (0..2000)
        .map(|seed| {
            let (mut body, _) = program(seed);
            combine(&mut body, Among::Touched);
            combine(&mut body, Among::Touched).rewritten
        })
        .sum();
    assert!(again < 20, "{again} rewrites are left");
}
