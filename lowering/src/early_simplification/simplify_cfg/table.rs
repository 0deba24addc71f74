//! Switches that only choose between constants: by arithmetic, or by the bits of one word.
//!
//! Where each case leads to one block and differs from the others in constants that it hands
//! there, these are a line in the number of the case, or stand side by side in 64 bits, out of
//! which the case is shifted. Numbers between the cases have what the default has. This needs
//! no memory; what does not fit stays a switch.

use brolga_ir::attribute::IntCond;
use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};

use super::Counts;
use super::shape::{Way, compute, is_selectable, replace_by_jump};

/// The fewest cases that are worth it.
const FEWEST_CASES: usize = 3;

/// The most arguments that are chosen at once.
const MOST_CHOSEN: usize = 2;

/// The most numbers from the first case to the last.
const MOST_SPAN: u128 = 1 << 12;

/// The bits of a word.
const WORD: u32 = 64;

/// A switch between constants.
struct Choice {
    operand: Value,
    ty: Type,
    low: u128,
    span: u128,
    /// Each case, counted from the first, with what it hands on.
    cases: Vec<(u128, Way)>,
    default: Way,
}

/// How an argument follows from the number of the case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// All cases hand on the same.
    Same(Value),
    /// The first, and what each number more adds.
    Line(u128, u128),
    /// The bits at the number's place in a word.
    Word(u128),
}

/// Puts numbers in the place of switches.
pub(super) fn find(body: &mut Body, counts: &mut Counts) {
    let blocks: Vec<Block> = body.layout.blocks().collect();
    for block in blocks {
        let last = body.layout.last_inst(block);
        let Some(last) = last.filter(|&last| body.inst(last).op == Op::Switch) else { continue };
        let Some(choice) = Choice::of(body, last) else { continue };
        if let Some(forms) = choice.forms(body) {
            choice.write(body, last, &forms);
            counts.tables += 1;
        }
    }
}

impl Choice {
    fn of(body: &Body, last: Inst) -> Option<Choice> {
        let Payload::Switch(table) = body.inst(last).payload else { return None };
        let ty = body.inst(last).ty;
        ty.as_scalar().filter(|scalar| scalar.bits() <= WORD)?;
        let values = &body.switch(table)?.cases;
        let low = *values.iter().min()?;
        let span = *values.iter().max()? - low + 1;
        let mut ways = Way::all(body, last);
        let default = ways.pop()?;
        let fits = values.len() >= FEWEST_CASES
            && span <= MOST_SPAN
            && ways.iter().all(|way| way.block == default.block);
        let cases: Vec<(u128, Way)> = values.iter().map(|case| case - low).zip(ways).collect();
        let operand = *body.args(last).first()?;
        fits.then_some(Choice { operand, ty, low, span, cases, default })
    }

    /// How each argument follows, if each does and not too many differ.
    fn forms(&self, body: &Body) -> Option<Vec<Form>> {
        let count = self.default.args.len();
        let forms: Vec<Form> =
            (0..count).map(|index| self.form(body, index)).collect::<Option<_>>()?;
        let is_chosen =
            |(index, form): (usize, &Form)| *form != Form::Same(self.default.args[index]);
        let chosen = forms.iter().enumerate().filter(|&it| is_chosen(it)).count();
        (chosen <= MOST_CHOSEN).then_some(forms)
    }

    fn form(&self, body: &Body, index: usize) -> Option<Form> {
        let default = *self.default.args.get(index)?;
        let (_, first) = self.cases.first()?;
        let first = *first.args.get(index)?;
        let ty = body.value_type(default);
        let is_one = self.cases.iter().all(|(_, way)| way.args.get(index) == Some(&first));
        let has_gap = self.cases.len() as u128 != self.span;
        if is_one && (first == default || (is_selectable(ty) && !has_gap)) {
            return Some(Form::Same(first));
        }
        let scalar = ty.as_scalar().filter(|scalar| scalar.is_int() || *scalar == Scalar::I1)?;
        let number = |value: Value| body.as_scalar_constant(value);
        let gaps = number(default);
        let span = usize::try_from(self.span).ok()?;
        let mut numbers: Vec<Option<u128>> = vec![gaps; span];
        for (case, way) in &self.cases {
            let place = numbers.get_mut(usize::try_from(*case).ok()?)?;
            *place = Some(number(*way.args.get(index)?)?);
        }
        let numbers: Vec<u128> = numbers.into_iter().collect::<Option<_>>()?;
        line(&numbers, scalar).or_else(|| word(&numbers, scalar))
    }

    /// Computes the arguments before `last`, which becomes a jump.
    fn write(&self, body: &mut Body, last: Inst, forms: &[Form]) {
        let index = match self.low {
            0 => self.operand,
            low => {
                let low = constant(body, self.ty, low);
                compute(body, last, Op::Sub, self.ty, &[self.operand, low], Payload::None, self.ty)
            }
        };
        let is_whole = self.ty.as_scalar().is_some_and(|it| self.span >> it.bits() > 0);
        let is_case = (!is_whole).then(|| {
            let span = constant(body, self.ty, self.span);
            let payload = Payload::IntCond(IntCond::Ult);
            compute(body, last, Op::Icmp, self.ty, &[index, span], payload, Type::I1)
        });
        let mut args = Vec::with_capacity(forms.len());
        for (&form, &default) in forms.iter().zip(&self.default.args) {
            if form == Form::Same(default) {
                args.push(default);
                continue;
            }
            let ty = body.value_type(default);
            let value = self.write_form(body, last, index, form, ty);
            args.push(match is_case {
                Some(is_case) => {
                    let operands = [is_case, value, default];
                    compute(body, last, Op::Select, ty, &operands, Payload::None, ty)
                }
                None => value,
            });
        }
        replace_by_jump(body, last, &Way { block: self.default.block, args: args.into() });
    }

    fn write_form(&self, body: &mut Body, last: Inst, index: Value, form: Form, ty: Type) -> Value {
        let op = |body: &mut Body, op, ty, args: &[Value]| {
            compute(body, last, op, ty, args, Payload::None, ty)
        };
        match form {
            Form::Same(value) => value,
            Form::Line(first, step) => {
                let mut value = match bits(ty).cmp(&bits(self.ty)) {
                    std::cmp::Ordering::Less => op(body, Op::Trunc, ty, &[index]),
                    std::cmp::Ordering::Equal => index,
                    std::cmp::Ordering::Greater => op(body, Op::Zext, ty, &[index]),
                };
                if step != 1 {
                    let step = constant(body, ty, step);
                    value = op(body, Op::Mul, ty, &[value, step]);
                }
                match first {
                    0 => value,
                    first => {
                        let first = constant(body, ty, first);
                        op(body, Op::Add, ty, &[value, first])
                    }
                }
            }
            Form::Word(word) => {
                let index = match bits(self.ty) < WORD {
                    true => op(body, Op::Zext, Type::I64, &[index]),
                    false => index,
                };
                let amount = match bits(ty) {
                    1 => index,
                    width => {
                        let width = constant(body, Type::I64, width.into());
                        op(body, Op::Mul, Type::I64, &[index, width])
                    }
                };
                let word = constant(body, Type::I64, word);
                let shifted = op(body, Op::Lshr, Type::I64, &[word, amount]);
                op(body, Op::Trunc, ty, &[shifted])
            }
        }
    }
}

/// The numbers as a line, modulo two to their width.
fn line(numbers: &[u128], scalar: Scalar) -> Option<Form> {
    let &[first, second, ..] = numbers else { return None };
    let mask = u128::MAX >> (128 - scalar.bits().clamp(1, 128));
    let step = second.wrapping_sub(first) & mask;
    let follows = |pair: &[u128]| pair[1].wrapping_sub(pair[0]) & mask == step;
    (scalar.is_int() && numbers.windows(2).all(follows)).then_some(Form::Line(first, step))
}

/// The numbers side by side in a word, if there is room.
fn word(numbers: &[u128], scalar: Scalar) -> Option<Form> {
    let bits = scalar.bits();
    let length = u32::try_from(numbers.len()).ok()?;
    if bits.checked_mul(length)? > WORD || bits == WORD {
        return None;
    }
    let placed = (0..length).zip(numbers).map(|(place, number)| number << (place * bits));
    Some(Form::Word(placed.fold(0, |word, part| word | part)))
}

fn bits(ty: Type) -> u32 {
    ty.as_scalar().map_or(0, |scalar| scalar.bits())
}

fn constant(body: &mut Body, ty: Type, bits: u128) -> Value {
    Constant::scalar(ty, bits).map_or_else(|| Value::from_u32(0), |it| body.constant(it))
}
