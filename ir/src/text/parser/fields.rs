//! The fields of an instruction, by the list of its form.

use super::data::parse_offset;
use super::draft::Draft;
use super::entities::parse_trap_code;
use super::function::FunctionParser;
use super::suggest::one_of;
use crate::attribute::{FloatCond, IntCond, LOOP_FLAG_NAMES, Order, RmwOp};
use crate::instruction::ZERO_LANE;
use crate::op::{Field, Form};
use crate::text::diagnostic::{Code, Parsed};
use crate::text::literal::{parse_count, parse_signed};
use crate::types::Scalar;

impl FunctionParser<'_, '_> {
    pub(super) fn fields(&mut self, draft: &mut Draft) -> Parsed<()> {
        let mut previous = None;
        for &field in draft.op.info().form.fields() {
            // A path may be empty, and then has no comma before it.
            let empty = field == Field::Path && !self.cursor.at(b',');
            if field.follows_comma(previous) && !empty {
                if matches!(field, Field::Operand | Field::Address) && self.ends_operands() {
                    return Err(self.operand_count(draft));
                }
                self.cursor.expect(b',')?;
            }
            if !empty {
                self.field(field, draft)?;
            }
            previous = Some(field);
        }
        Ok(())
    }

    fn field(&mut self, field: Field, draft: &mut Draft) -> Parsed<()> {
        match field {
            Field::Operand => self.next_operand(draft)?,
            Field::Address => self.address(draft)?,
            Field::Operands => self.operands(draft)?,
            Field::Arguments => {
                self.arguments(draft)?;
            }
            Field::Roots => {
                if self.on_line() && self.cursor.take_word("roots") {
                    draft.roots = self.arguments(draft)?;
                }
            }
            // Attributes, which stand behind all fields in any order.
            Field::Access | Field::Weights => {}
            Field::IntCond => {
                draft.int_cond = self.word(IntCond::from_name, IntCond::ALL, IntCond::name)?;
            }
            Field::FloatCond => {
                draft.float_cond =
                    self.word(FloatCond::from_name, FloatCond::ALL, FloatCond::name)?;
            }
            Field::Order => draft.order = self.word(Order::from_name, Order::ALL, Order::name)?,
            Field::FailureOrder => {
                draft.failure = self.word(Order::from_name, Order::ALL, Order::name)?;
            }
            Field::RmwOp => draft.rmw = self.word(RmwOp::from_name, RmwOp::ALL, RmwOp::name)?,
            Field::Slot => draft.slot = Some(self.slot_reference()?),
            Field::Data => draft.data = Some(self.data_name()?),
            Field::Function => draft.function = Some(self.function_name()?),
            Field::Path => self.path(draft)?,
            Field::Lanes => self.lanes(draft)?,
            Field::Target => draft.targets.push(self.target()?),
            Field::NormalTarget => {
                self.cursor.expect_word("normal")?;
                draft.targets.push(self.target()?);
            }
            Field::UnwindTarget => {
                self.cursor.expect_word("unwind")?;
                draft.targets.push(self.target()?);
            }
            Field::Cases => self.cases(draft)?,
            Field::Exit => {
                draft.exit = Some(self.exit_reference()?);
                if self.cursor.at(b'(') {
                    self.arguments(draft)?;
                }
            }
            Field::TrapCode => draft.trap = parse_trap_code(self.cursor)?,
            Field::Count => draft.number = self.count("a count")?,
            Field::LoopMark => self.loop_mark(draft)?,
            Field::Feature => {
                let name = self.cursor.string("the name of a processor feature in quotes")?;
                draft.number = self.module.intern(&name);
            }
        }
        Ok(())
    }

    fn count(&mut self, kind: &str) -> Parsed<u32> {
        parse_count(self.cursor, kind, u64::from(u32::MAX)).map(|count| count as u32)
    }

    /// Reads one word of a fixed set.
    fn word<T: Copy>(
        &mut self,
        from_name: fn(&str) -> Option<T>,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Parsed<T> {
        if let Some(word) = from_name(self.cursor.word()) {
            self.cursor.bump();
            return Ok(word);
        }
        let token = self.cursor.token();
        let message = format!("`{}` may not stand here", self.cursor.excerpt(token));
        let hint = one_of(all.iter().map(|&word| name(word)));
        Err(self.cursor.error_hint(Code::UnknownWord, token, message, hint))
    }

    fn address(&mut self, draft: &mut Draft) -> Parsed<()> {
        self.next_operand(draft)?;
        if self.on_line() && (self.cursor.at(b'+') || self.cursor.at(b'-')) {
            let offset = parse_offset(self.cursor, 32, "an offset of 32 bits")?;
            draft.attributes.access.offset = offset as i32;
        }
        Ok(())
    }

    fn operands(&mut self, draft: &mut Draft) -> Parsed<()> {
        let fixed = draft.op.info().form == Form::Values;
        let count = draft.op.info().operands.len();
        let mut more = match fixed {
            true => count > 0,
            false => self.on_line() && self.begins_operand(),
        };
        while more {
            self.next_operand(draft)?;
            more = self.cursor.at(b',') && !(fixed && draft.args.len() == count);
            if more {
                self.cursor.bump();
            }
        }
        let missing = draft.args.len() < count && self.ends_operands();
        match fixed {
            true if missing || self.cursor.at(b',') => Err(self.operand_count(draft)),
            true if draft.args.len() < count => Err(self.cursor.unexpected("`,`")),
            _ => Ok(()),
        }
    }

    /// Whether no operand stands where the next one should.
    fn ends_operands(&self) -> bool {
        !(self.cursor.at(b',') || self.on_line() && self.begins_operand())
    }

    /// Reads operands in parentheses; gives how many.
    fn arguments(&mut self, draft: &mut Draft) -> Parsed<u32> {
        let before = draft.args.len();
        self.cursor.expect(b'(')?;
        let mut more = !self.cursor.take(b')');
        while more {
            self.next_operand(draft)?;
            more = !self.cursor.take(b')');
            if more && !self.cursor.take(b',') {
                return Err(self.cursor.unexpected("`,` or `)`"));
            }
        }
        Ok((draft.args.len() - before) as u32)
    }

    fn path(&mut self, draft: &mut Draft) -> Parsed<()> {
        loop {
            let index = self.count("an index")?;
            draft.immediates.push(index);
            if !self.cursor.take(b',') {
                return Ok(());
            }
        }
    }

    fn lanes(&mut self, draft: &mut Draft) -> Parsed<()> {
        self.cursor.expect(b'[')?;
        self.cursor.comma_separated(b']', |cursor| {
            let lane = match cursor.take_word("_") {
                true => ZERO_LANE,
                false => parse_count(cursor, "a lane or `_`", u64::from(ZERO_LANE - 1))? as u32,
            };
            draft.immediates.push(lane);
            Ok(())
        })
    }

    fn cases(&mut self, draft: &mut Draft) -> Parsed<()> {
        self.cursor.expect(b'[')?;
        let mut more = !self.cursor.take(b']');
        while more {
            let case = self.case(draft)?;
            draft.cases.push(case);
            self.cursor.expect(b':')?;
            draft.targets.push(self.target()?);
            more = !self.cursor.take(b']');
            if more && !self.cursor.take(b',') {
                return Err(self.cursor.unexpected("`,` or `]`"));
            }
        }
        self.cursor.expect(b',')?;
        draft.targets.push(self.target()?);
        Ok(())
    }

    fn case(&mut self, draft: &Draft) -> Parsed<u128> {
        let scalar = draft.suffix.as_scalar().unwrap_or(Scalar::I128);
        parse_signed(self.cursor, scalar.bits(), "the number of a case", scalar.name())
    }

    fn loop_mark(&mut self, draft: &mut Draft) -> Parsed<()> {
        while self.on_line() {
            let word = self.cursor.word();
            let flag = LOOP_FLAG_NAMES.iter().find(|(_, name)| *name == word);
            if let Some((flag, _)) = flag {
                let token = self.cursor.bump();
                if draft.loop_flags.contains(*flag) {
                    let message = format!("`{word}` is given twice");
                    return Err(self.cursor.error(Code::DuplicateAttribute, token, message));
                }
                draft.loop_flags.insert(*flag);
            } else if word == "unroll" {
                self.cursor.bump();
                draft.number = self.count("a factor")?;
            } else {
                break;
            }
        }
        Ok(())
    }
}
