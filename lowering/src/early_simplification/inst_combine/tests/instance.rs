//! Patterns of rules as code, at all types that fit.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::interpret::eval::{Operation, float, fold};
use brolga_ir::op::{Op, Pattern, TypeClass};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Scalar, Type};
use rustc_hash::FxHashMap;

use super::super::rule::{Condition, Node, OpNode, Rule};

/// Types that stand for all of their kind.
pub(super) fn types() -> impl Iterator<Item = Type> {
    let scalars = [
        Type::I8,
        Type::I1,
        Type::I16,
        Type::I64,
        Type::PTR,
        Type::DERIVED,
        Type::F16,
        Type::F32,
        Type::F64,
    ];
    let vectors = [(Scalar::I1, 2), (Scalar::I8, 2), (Scalar::I16, 2), (Scalar::F32, 2)];
    let vectors = vectors.map(|(lane, lanes)| Type::vector(lane, lanes).unwrap());
    scalars.into_iter().chain(vectors)
}

/// Numbers at the edges of ops.
pub(super) const NUMBERS: &[i128] = &[
    0,
    1,
    -1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    15,
    16,
    64,
    100,
    126,
    127,
    128,
    129,
    254,
    255,
    256,
    -2,
    -3,
    -8,
    -127,
    -128,
    32766,
    32767,
    32768,
    65535,
    i64::MAX as i128,
    i64::MIN as i128,
];

const FLOATS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    -2.0,
    0.5,
    0.25,
    3.0,
    -1.5,
    1e-7,
    1e-40,
    1e-310,
    6e4,
    1e38,
    1e308,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// One of several ways at each question, all ways one after another.
#[derive(Debug, Default)]
pub(super) struct Choices {
    digits: Vec<(usize, usize)>,
    at: usize,
}

impl Choices {
    fn choose(&mut self, count: usize) -> usize {
        if self.at == self.digits.len() {
            self.digits.push((0, count));
        }
        self.at += 1;
        self.digits[self.at - 1].0
    }

    /// The next ways; whether there are any.
    pub(super) fn advance(&mut self) -> bool {
        while let Some((digit, count)) = self.digits.last_mut() {
            *digit += 1;
            if *digit < *count {
                return true;
            }
            self.digits.pop();
        }
        false
    }
}

/// The pattern of a rule as code.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) body: Body,
    block: Block,
    pub(super) root: Inst,
    result: Value,
    params: Vec<Value>,
    /// The constants that the pattern names, with their types.
    pub(super) constants: Vec<(usize, Type)>,
    /// What they are.
    pub(super) given: Vec<Datum>,
}

struct Maker<'a> {
    body: Body,
    block: Block,
    names: FxHashMap<usize, Value>,
    params: Vec<Value>,
    constants: Vec<(usize, Type)>,
    given: &'a [Datum],
    choices: &'a mut Choices,
}

impl Instance {
    /// The pattern of a rule with a result of that type and those constants, 1 where
    /// none are given.
    pub(super) fn new(
        rule: &Rule,
        root: Type,
        choices: &mut Choices,
        given: &[Datum],
    ) -> Option<Instance> {
        choices.at = 0;
        let mut body = Body::default();
        let block = body.make_block();
        body.layout.append_block(block);
        let mut maker = Maker {
            body,
            block,
            names: FxHashMap::default(),
            params: Vec::new(),
            constants: Vec::new(),
            given,
            choices,
        };
        let result = maker.op(rule.pattern, root)?;
        let ValueDef::Result(root, _) = maker.body.value_def(result) else { return None };
        let Maker { body, params, constants, .. } = maker;
        Some(Instance { body, block, root, result, params, constants, given: given.to_vec() })
    }

    /// Combinations of values for the parameters: all, if they are few enough.
    pub(super) fn samples(&self, most: usize) -> Vec<Vec<Datum>> {
        let all = |ty: Type| match ty.lane().map_or(0, Scalar::bits) {
            bits @ ..=8 if !ty.is_vector() => (0..1 << bits).map(Datum::Scalar).collect(),
            _ => values_of(ty),
        };
        let types: Vec<Type> = self.params.iter().map(|&p| self.body.value_type(p)).collect();
        let whole: Vec<Vec<Datum>> = types.iter().map(|&ty| all(ty)).collect();
        let edges: Vec<Vec<Datum>> = types.iter().map(|&ty| values_of(ty)).collect();
        let count = |values: &[Vec<Datum>]| values.iter().map(Vec::len).product::<usize>();
        product(if count(&whole) <= most { &whole } else { &edges }, most)
    }

    /// What the pattern gives for values of its parameters, and what `other` is then.
    pub(super) fn evaluate(
        &self,
        values: &[Datum],
        other: Value,
    ) -> (Result<Datum, TrapCode>, Result<Datum, TrapCode>) {
        let mut known: FxHashMap<Value, Result<Datum, TrapCode>> =
            self.params.iter().copied().zip(values.iter().cloned().map(Ok)).collect();
        for inst in self.body.layout.insts(self.block) {
            let results = evaluate(&self.body, inst, &known);
            for (index, &result) in self.body.results(inst).iter().enumerate() {
                let datum = results.clone().map(|all| all[index].clone());
                known.insert(result, datum);
            }
        }
        let of = |value: Value| match self.body.as_constant(value) {
            Some(constant) => Ok(Datum::from_constant(&Default::default(), constant)),
            None => known[&value].clone(),
        };
        (of(self.result), of(other))
    }
}

/// The results of an instruction of pure code.
pub(super) fn evaluate(
    body: &Body,
    inst: Inst,
    known: &FxHashMap<Value, Result<Datum, TrapCode>>,
) -> Result<Vec<Datum>, TrapCode> {
    let data = body.inst(inst);
    let operand = |value: &Value| match body.as_constant(*value) {
        Some(constant) => Ok(Datum::from_constant(&Default::default(), constant)),
        None => known[value].clone(),
    };
    let operands: Vec<Datum> = body.args(inst).iter().map(operand).collect::<Result<_, _>>()?;
    let operation = Operation {
        op: data.op,
        ty: data.ty,
        operand: body.args(inst).first().map_or(Type::NONE, |&arg| body.value_type(arg)),
        payload: &data.payload,
        immediates: &[],
    };
    let references: Vec<&Datum> = operands.iter().collect();
    fold(&operation, &references).expect("pure").map(|all| all.into_vec())
}

impl Maker<'_> {
    fn node(&mut self, node: &Node, ty: Type) -> Option<Value> {
        match *node {
            Node::Value(name) => {
                let known = self.names.get(&name).copied();
                let value = known.unwrap_or_else(|| {
                    let param = self.body.append_param(self.block, ty);
                    self.params.push(param);
                    self.names.insert(name, param);
                    param
                });
                Some(value).filter(|&value| self.body.value_type(value) == ty)
            }
            Node::Constant(name) => self.constant(name, ty),
            Node::Literal(literal) => {
                let bits = literal.bits(ty.lane()?);
                number(&mut self.body, ty, (0..ty.lanes()).map(|_| bits))
            }
            Node::Typed(..) => None,
            Node::Op(op) => self.op(op, ty),
        }
    }

    fn constant(&mut self, name: usize, ty: Type) -> Option<Value> {
        let index = match self.constants.iter().position(|&(known, _)| known == name) {
            Some(index) => index,
            None => {
                self.constants.push((name, ty));
                self.constants.len() - 1
            }
        };
        if self.constants[index].1 != ty {
            return None;
        }
        match self.given.get(index) {
            Some(datum) => number(&mut self.body, ty, datum.lanes().iter().copied()),
            None => number(&mut self.body, ty, (0..ty.lanes()).map(|_| 1)),
        }
    }

    /// An instruction with a result of that type.
    fn op(&mut self, node: &OpNode, ty: Type) -> Option<Value> {
        let info = node.op.info();
        let suffix = self.suffix(node.op, ty)?;
        let mut args = Vec::new();
        for (arg, pattern) in node.args.iter().zip(info.operands) {
            let wanted = match pattern.resolve(suffix) {
                Some(wanted) => wanted,
                None => {
                    let fitting: Vec<Type> = types()
                        .filter(|&ty| {
                            pattern.accepts(suffix, ty) && info.relation.holds(suffix, ty)
                        })
                        .collect();
                    *fitting.get(self.choose(fitting.len())?)?
                }
            };
            args.push(self.node(arg, wanted)?);
        }
        let payload = self.payload(node.op, suffix, node.condition)?;
        let args = self.body.list(&args);
        let data = InstData::new(node.op, suffix, args, payload);
        let inst = self.body.append_inst(self.block, data, &[ty]);
        self.body.result(inst)
    }

    fn choose(&mut self, count: usize) -> Option<usize> {
        (count > 0).then(|| self.choices.choose(count))
    }

    /// A suffix with which the op has a result of that type.
    fn suffix(&mut self, op: Op, ty: Type) -> Option<Type> {
        let info = op.info();
        let &[result, ..] = info.results else { return None };
        if info.suffix == TypeClass::None {
            return (result.resolve(Type::NONE) == Some(ty)).then_some(Type::NONE);
        }
        let fits =
            |suffix: &Type| info.suffix.contains(*suffix) && result.resolve(*suffix) == Some(ty);
        let fitting: Vec<Type> = match result {
            Pattern::Same => vec![ty].into_iter().filter(fits).collect(),
            _ => types().filter(fits).collect(),
        };
        fitting.get(self.choose(fitting.len())?).copied()
    }

    /// Conditions on addresses are spelt as they are meant before any rule looks.
    fn payload(&mut self, op: Op, suffix: Type, condition: Condition) -> Option<Payload> {
        use brolga_ir::attribute::{FloatCond, IntCond};
        let is_address = suffix.lane().is_some_and(Scalar::is_address);
        Some(match condition {
            Condition::None => Payload::None,
            Condition::Int(cond) if is_address && cond != cond.unsigned() => return None,
            Condition::Int(cond) => Payload::IntCond(cond),
            Condition::Float(cond) => Payload::FloatCond(cond),
            Condition::Bound | Condition::Inner if op == Op::Fcmp => {
                Payload::FloatCond(FloatCond::ALL[self.choose(FloatCond::ALL.len())?])
            }
            Condition::Bound => {
                let cond = IntCond::ALL[self.choose(IntCond::ALL.len())?];
                Payload::IntCond(if is_address { cond.unsigned() } else { cond })
            }
            _ => return None,
        })
    }
}

fn number(body: &mut Body, ty: Type, lanes: impl IntoIterator<Item = u128>) -> Option<Value> {
    let mut lanes = lanes.into_iter();
    let constant = match ty.is_vector() {
        true => Constant::vector(ty, lanes),
        false => Constant::scalar(ty, lanes.next()?),
    };
    Some(body.constant(constant?))
}

/// Numbers of a type at the edges.
pub(super) fn values_of(ty: Type) -> Vec<Datum> {
    let lane = ty.lane().unwrap();
    let mask = u128::MAX >> (128 - lane.bits());
    let mut lanes: Vec<u128> = match lane.is_float() {
        true => FLOATS.iter().map(|&number| float::encode(lane, number)).collect(),
        false => NUMBERS.iter().map(|&number| number as u128 & mask).collect(),
    };
    if !lane.is_float() {
        lanes.extend([mask >> 1, (mask >> 1) + 1, u128::from(lane.bits()) - 1]);
    }
    lanes.sort_unstable();
    lanes.dedup();
    let next = |index: usize| lanes[(index * 7 + 3) % lanes.len()];
    match ty.is_vector() {
        true => (0..lanes.len()).map(|i| Datum::Lanes([lanes[i], next(i)].into())).collect(),
        false => lanes.iter().map(|&bits| Datum::Scalar(bits)).collect(),
    }
}

/// Values for the constants of a pattern.
pub(super) fn constants_of(names: &[(usize, Type)]) -> Vec<Vec<Datum>> {
    let values = |ty: Type| match (names.len(), ty) {
        (1, Type::I8) => (0..256).map(Datum::Scalar).collect(),
        _ => {
            let mut values = values_of(ty);
            // The same in both lanes, too: what conditions on constants want.
            if ty.is_vector() {
                let same = values.iter().map(|v| Datum::Lanes([v.lanes()[0]; 2].into()));
                let same: Vec<Datum> = same.collect();
                values.extend(same);
            }
            values
        }
    };
    let values: Vec<Vec<Datum>> = names.iter().map(|&(_, ty)| values(ty)).collect();
    product(&values, 1 << 9)
}

/// The combinations of one of each, spread over all where they are more than `most`.
fn product(values: &[Vec<Datum>], most: usize) -> Vec<Vec<Datum>> {
    let count: usize = values.iter().map(Vec::len).product();
    let step = count.div_ceil(most).max(1) | 1;
    let nth = |mut index: usize| {
        let one = |values: &Vec<Datum>| {
            let value = values[index % values.len()].clone();
            index /= values.len();
            value
        };
        values.iter().map(one).collect()
    };
    (0..count).step_by(step).map(nth).collect()
}
