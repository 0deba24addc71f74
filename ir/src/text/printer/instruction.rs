//! Instructions, by the field list of their form.

use std::fmt;

use super::BodyPrinter;
use super::data::write_symbol;
use crate::attribute::LOOP_FLAG_NAMES;
use crate::entity::Inst;
use crate::instruction::{InstData, Payload, Target, ZERO_LANE};
use crate::module::Symbol;
use crate::op::Field;
use crate::text::number::write_integer;
use crate::text::quote::write_quoted;
use crate::types::Scalar;
use crate::typing::Typing;

/// Stands for what an instruction should have and has not.
const ABSENT: &str = "?";

/// What of an instruction is printed already.
struct State<'a> {
    data: &'a InstData,
    typing: Typing<'a>,
    /// The next operand.
    operand: usize,
    /// The next target.
    target: usize,
}

impl BodyPrinter<'_> {
    /// Writes the text of an instruction, without indentation and end of
    /// line; stops where `f` takes no more.
    pub fn write_inst(&self, f: &mut dyn fmt::Write, inst: Inst) -> fmt::Result {
        if inst.as_u32() as usize >= self.body.inst_count() {
            return write!(f, "{ABSENT}{inst}");
        }
        let data = self.body.inst(inst);
        let results = self.body.results(inst);
        for (i, &result) in results.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            self.write_value(f, result)?;
        }
        f.write_str(if results.is_empty() { "" } else { " = " })?;
        f.write_str(data.op.mnemonic())?;
        if data.ty.is_some() {
            write!(f, ".{}", self.module.types.display(data.ty))?;
        }
        let typing = Typing::of(self.module, self.body, self.signature, data);
        self.write_fields(f, inst, &mut State { data, typing, operand: 0, target: 0 })?;
        self.write_attributes(f, inst, data)
    }

    fn write_fields(
        &self,
        f: &mut dyn fmt::Write,
        inst: Inst,
        state: &mut State<'_>,
    ) -> fmt::Result {
        let mut previous = None;
        for &field in state.data.op.info().form.fields() {
            if self.is_empty(field, inst, state) {
                previous = Some(field);
                continue;
            }
            f.write_str(field.separator(previous))?;
            self.write_field(f, field, inst, state)?;
            previous = Some(field);
        }
        Ok(())
    }

    /// Whether nothing of a field is printed.
    fn is_empty(&self, field: Field, inst: Inst, state: &State<'_>) -> bool {
        match field {
            Field::Operands => self.body.args(inst).is_empty(),
            Field::Roots => state.data.roots() == 0,
            Field::Path => self.immediates(state.data).is_empty(),
            Field::LoopMark => matches!(
                state.data.payload,
                Payload::LoopMark { flags, unroll: 0 } if flags.is_empty()
            ),
            Field::Access | Field::Weights => true,
            _ => false,
        }
    }

    fn write_field(
        &self,
        f: &mut dyn fmt::Write,
        field: Field,
        inst: Inst,
        state: &mut State<'_>,
    ) -> fmt::Result {
        let args = self.body.args(inst);
        let roots = state.data.roots().min(args.len());
        match field {
            Field::Operand => self.write_next_operand(f, inst, state),
            Field::Address => {
                self.write_next_operand(f, inst, state)?;
                match state.data.access().map_or(0, |access| access.offset) {
                    0 => Ok(()),
                    offset => write!(f, "{offset:+}"),
                }
            }
            Field::Operands => self.write_operands(f, inst, state, args.len()),
            Field::Arguments => {
                self.write_arguments(f, inst, state, args.len().saturating_sub(roots))
            }
            Field::Roots => {
                f.write_str("roots")?;
                self.write_arguments(f, inst, state, args.len())
            }
            Field::Exit => {
                self.write_word(f, state.data, field)?;
                match state.operand < args.len() {
                    true => self.write_arguments(f, inst, state, args.len()),
                    false => Ok(()),
                }
            }
            Field::Target => self.write_next_target(f, inst, state),
            Field::NormalTarget => {
                f.write_str("normal ")?;
                self.write_next_target(f, inst, state)
            }
            Field::UnwindTarget => {
                f.write_str("unwind ")?;
                self.write_next_target(f, inst, state)
            }
            Field::Cases => self.write_cases(f, state.data),
            Field::Path | Field::Lanes => self.write_immediates(f, field, state.data),
            Field::Access | Field::Weights => Ok(()),
            _ => self.write_word(f, state.data, field),
        }
    }

    fn write_next_operand(
        &self,
        f: &mut dyn fmt::Write,
        inst: Inst,
        state: &mut State<'_>,
    ) -> fmt::Result {
        let index = state.operand;
        state.operand += 1;
        match self.body.args(inst).get(index) {
            Some(&value) => self.write_operand(f, value, state.typing.operand(index)),
            None => f.write_str(ABSENT),
        }
    }

    fn write_operands(
        &self,
        f: &mut dyn fmt::Write,
        inst: Inst,
        state: &mut State<'_>,
        end: usize,
    ) -> fmt::Result {
        let start = state.operand;
        while state.operand < end {
            f.write_str(if state.operand == start { "" } else { ", " })?;
            self.write_next_operand(f, inst, state)?;
        }
        Ok(())
    }

    fn write_arguments(
        &self,
        f: &mut dyn fmt::Write,
        inst: Inst,
        state: &mut State<'_>,
        end: usize,
    ) -> fmt::Result {
        f.write_char('(')?;
        self.write_operands(f, inst, state, end)?;
        f.write_char(')')
    }

    fn write_next_target(
        &self,
        f: &mut dyn fmt::Write,
        inst: Inst,
        state: &mut State<'_>,
    ) -> fmt::Result {
        let index = state.target;
        state.target += 1;
        match self.body.targets(inst).get(index) {
            Some(target) => self.write_target(f, target),
            None => f.write_str(ABSENT),
        }
    }

    /// Writes a field that is one word.
    fn write_word(&self, f: &mut dyn fmt::Write, data: &InstData, field: Field) -> fmt::Result {
        match (field, data.payload) {
            (Field::IntCond, Payload::IntCond(cond)) => write!(f, "{cond}"),
            (Field::FloatCond, Payload::FloatCond(cond)) => write!(f, "{cond}"),
            (
                Field::Order,
                Payload::Atomic { order, .. }
                | Payload::AtomicRmw { order, .. }
                | Payload::AtomicCas { order, .. }
                | Payload::AtomicModify { order, .. }
                | Payload::Order(order),
            ) => write!(f, "{order}"),
            (Field::FailureOrder, Payload::AtomicCas { failure, .. }) => write!(f, "{failure}"),
            (Field::RmwOp, Payload::AtomicRmw { op, .. }) => write!(f, "{op}"),
            (Field::Slot, Payload::Slot(slot)) => write!(f, "{slot}"),
            (Field::Data, Payload::Data(id)) => write_symbol(f, self.module, Symbol::Data(id)),
            (Field::Function, _) => match data.function() {
                Some(id) => write_symbol(f, self.module, Symbol::Function(id)),
                None => f.write_str(ABSENT),
            },
            (Field::Exit, Payload::Exit(exit)) => write!(f, "{exit}"),
            (Field::TrapCode, Payload::Trap(code)) => write!(f, "{code}"),
            (Field::Count, Payload::Count(count)) => write!(f, "{count}"),
            (Field::LoopMark, Payload::LoopMark { flags, unroll }) => {
                let names = LOOP_FLAG_NAMES.iter().filter(|(flag, _)| flags.contains(*flag));
                let mut words: Vec<String> = names.map(|(_, name)| (*name).to_owned()).collect();
                words.extend((unroll != 0).then(|| format!("unroll {unroll}")));
                f.write_str(&words.join(" "))
            }
            (Field::Feature, Payload::Feature(index)) => write_quoted(f, self.module.string(index)),
            _ => f.write_str(ABSENT),
        }
    }

    fn immediates(&self, data: &InstData) -> &[u32] {
        match data.payload {
            Payload::Immediates(list) => self.body.immediates(list),
            _ => &[],
        }
    }

    fn write_immediates(
        &self,
        f: &mut dyn fmt::Write,
        field: Field,
        data: &InstData,
    ) -> fmt::Result {
        let (open, close) = if field == Field::Lanes { ("[", "]") } else { ("", "") };
        f.write_str(open)?;
        for (i, &number) in self.immediates(data).iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            match number {
                ZERO_LANE if field == Field::Lanes => f.write_char('_')?,
                number => write!(f, "{number}")?,
            }
        }
        f.write_str(close)
    }

    fn write_cases(&self, f: &mut dyn fmt::Write, data: &InstData) -> fmt::Result {
        let table = match data.payload {
            Payload::Switch(table) => self.body.switch(table),
            _ => None,
        };
        let Some(table) = table else { return f.write_str(ABSENT) };
        let bits = data.ty.as_scalar().map_or(128, Scalar::bits);
        let edge = |f: &mut dyn fmt::Write, target: Option<&Target>| match target {
            Some(target) => self.write_target(f, target),
            None => f.write_str(ABSENT),
        };
        f.write_char('[')?;
        for (i, &case) in table.cases.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            write_integer(f, case, bits)?;
            f.write_str(": ")?;
            edge(f, table.targets.get(i))?;
        }
        f.write_str("], ")?;
        edge(f, table.targets.get(table.cases.len()))
    }
}
