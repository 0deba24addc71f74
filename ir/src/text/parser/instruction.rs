//! Instructions: results, op, suffix, fields, attributes.

use smallvec::SmallVec;

use super::constant::Shown;
use super::draft::Draft;
use super::function::{Argument, Deferred, FunctionParser, Locations};
use super::suggest::closest;
use super::types::parse_type;
use crate::body::{LocData, TEXT_FILE};
use crate::entity::{Block, Inst, Loc, PackedOption, Value};
use crate::instruction::{InstData, Target};
use crate::op::{Op, Relation, TypeClass};
use crate::text::diagnostic::{Code, Parsed, Reported};
use crate::text::lexer::{Token, TokenKind};
use crate::types::Type;
use crate::typing::Typing;

impl FunctionParser<'_, '_> {
    pub(super) fn instruction(&mut self) -> Parsed<()> {
        let start = self.cursor.token();
        let results = self.result_names()?;
        let token = self.cursor.expect_kind(TokenKind::Word, "an op")?;
        let op = self.op(token)?;
        let suffix = self.suffix(token, op)?;
        let mut draft = Draft::new(op, suffix);
        self.fields(&mut draft)?;
        self.attributes(&mut draft)?;
        self.end_of_line("an attribute or the end of the line")?;
        let types = self.result_types(token, &draft)?;
        self.check_results(start, token, &results, &types)?;
        let Some(block) = self.block else {
            let message = "the instruction stands before the first block".to_owned();
            let hint = "begin with a block, as in `entry:`";
            return Err(self.cursor.error_hint(Code::MissingLabel, start, message, hint));
        };
        let inst = self.finish(draft, start);
        for (i, &ty) in types.iter().enumerate() {
            self.body.append_result_as(inst, ty, results.get(i).copied());
        }
        self.body.layout.append_inst(inst, block);
        Ok(())
    }

    /// Reads `%a, %b =`, or nothing.
    fn result_names(&mut self) -> Parsed<SmallVec<[Value; 2]>> {
        let mut results = SmallVec::new();
        if self.cursor.kind() != TokenKind::Value {
            return Ok(results);
        }
        loop {
            let token = self.cursor.expect_kind(TokenKind::Value, "a result, `%name`")?;
            results.push(self.define_value(token)?);
            if self.cursor.take(b'=') {
                return Ok(results);
            }
            if !self.cursor.take(b',') {
                return Err(self.cursor.unexpected("`,` or `=`"));
            }
        }
    }

    fn op(&mut self, token: Token) -> Parsed<Op> {
        let word = self.text_of(token);
        Op::from_mnemonic(word).ok_or_else(|| {
            let message = format!("there is no op `{}`", self.cursor.excerpt(token));
            let hint = closest(word, Op::ALL.iter().map(|op| op.mnemonic()));
            let hint = hint.map(|name| format!("did you mean `{name}`?"));
            self.cursor.report.add(Code::UnknownOp, token, message, hint)
        })
    }

    fn suffix(&mut self, token: Token, op: Op) -> Parsed<Type> {
        let wants_suffix = op.info().suffix != TypeClass::None;
        let has_suffix = self.cursor.at(b'.');
        if wants_suffix != has_suffix {
            let message = match wants_suffix {
                true => format!("`{op}` needs a type behind it"),
                false => format!("`{op}` has no type behind it"),
            };
            let hint = match wants_suffix {
                true => format!("write `{op}.` and {}", op.info().suffix.describe()),
                false => format!("write `{op}` alone"),
            };
            return Err(self.cursor.error_hint(Code::BadSuffix, token, message, hint));
        }
        if !self.cursor.take(b'.') {
            return Ok(Type::NONE);
        }
        let suffix = parse_type(self.cursor, &mut self.module.types)?;
        if op.is_call() && suffix.signature().is_none() {
            return Err(self.bad_suffix(token, op, suffix));
        }
        Ok(suffix)
    }

    fn bad_suffix(&mut self, token: Token, op: Op, suffix: Type) -> Reported {
        let message = format!("there is no `{op}` at {}", Shown(&self.module.types, suffix));
        let hint = format!("its type is {}", op.info().suffix.describe());
        self.cursor.error_hint(Code::BadSuffix, token, message, hint)
    }

    fn typing<'t>(&'t self, draft: &'t Draft) -> Typing<'t> {
        let types = &self.module.types;
        let mut typing = Typing::new(types, draft.op, draft.suffix);
        let callee = match draft.function {
            Some(callee) => self.module.function(callee).map(|function| function.sig),
            None => draft.suffix.signature(),
        };
        typing.callee = callee.filter(|_| draft.op.is_call()).map(|sig| types.sig(sig));
        typing.function = Some(types.sig(self.sig));
        let exit = draft.exit.and_then(|exit| self.body.exit(exit));
        typing.exit = exit.map_or(&[], |exit| &exit.types);
        typing.path = &draft.immediates;
        typing
    }

    /// Reads the next operand of a draft.
    pub(super) fn next_operand(&mut self, draft: &mut Draft) -> Parsed<()> {
        let ty = self.typing(draft).operand(draft.args.len());
        draft.args.push(self.operand(ty)?);
        Ok(())
    }

    /// The type of the first result, if it has one that can be known.
    pub(super) fn first_result_type(&self, draft: &Draft) -> Option<Type> {
        self.typing(draft).results()?.first().copied()
    }

    fn result_types(&mut self, token: Token, draft: &Draft) -> Parsed<SmallVec<[Type; 2]>> {
        if let Some(types) = self.typing(draft).results() {
            return Ok(types);
        }
        if draft.op.info().relation == Relation::ExtractPath && draft.suffix.is_aggregate() {
            let shown = Shown(&self.module.types, draft.suffix);
            let message = format!("the indices lead to nothing inside {shown}");
            return Err(self.cursor.error(Code::BadPath, token, message));
        }
        Err(self.bad_suffix(token, draft.op, draft.suffix))
    }

    fn check_results(
        &mut self,
        start: Token,
        op: Token,
        names: &[Value],
        types: &[Type],
    ) -> Parsed<()> {
        if names.is_empty() || names.len() == types.len() {
            return Ok(());
        }
        let (op, count) = (self.cursor.excerpt(op), names.len());
        let message = format!("`{op}` gives {} here, and {count} are named", results(types.len()));
        Err(self.cursor.error(Code::ResultCount, start, message))
    }

    /// Makes the instruction of a draft, which stands nowhere yet.
    fn finish(&mut self, mut draft: Draft, start: Token) -> Inst {
        let targets = std::mem::take(&mut draft.targets);
        let (targets, waiting) = self.make_targets(targets);
        let payload = self.payload(&draft, targets);
        let args = self.body.list(&draft.args);
        let mut data = InstData::new(draft.op, draft.suffix, args, payload);
        data.flags = draft.attributes.flags;
        data.loc = match self.locations {
            Locations::Declared => draft.attributes.loc.into(),
            Locations::OfText => self.loc_of_text(start),
        };
        let inst = self.body.make_inst(data, &[]);
        self.body.set_weights(inst, &draft.attributes.weights);
        if let Some(range) = draft.attributes.range {
            self.body.set_range(inst, range);
        }
        let deferred = |(target, arguments)| Deferred { inst, target, arguments };
        self.deferred.extend(waiting.into_iter().map(deferred));
        inst
    }

    fn loc_of_text(&mut self, start: Token) -> PackedOption<Loc> {
        let loc = LocData {
            file: TEXT_FILE,
            line: start.line,
            column: start.column,
            function: None,
            inlined_at: None.into(),
        };
        self.body.make_loc(loc).into()
    }

    /// Makes targets; gives beside them those whose arguments must wait.
    fn make_targets(
        &mut self,
        targets: SmallVec<[(Block, Vec<Argument>); 2]>,
    ) -> (Vec<Target>, Vec<(usize, Vec<Argument>)>) {
        let mut made = Vec::with_capacity(targets.len());
        let mut waiting = Vec::new();
        for (index, (block, arguments)) in targets.into_iter().enumerate() {
            let value = |argument: &Argument| match *argument {
                Argument::Value(value) => Some(value),
                Argument::Literal(_) => None,
            };
            let values: Option<SmallVec<[Value; 4]>> = arguments.iter().map(value).collect();
            made.push(self.body.target(block, values.as_deref().unwrap_or_default()));
            if values.is_none() {
                waiting.push((index, arguments));
            }
        }
        (made, waiting)
    }

    /// Reports a wrong number of operands.
    pub(super) fn operand_count(&mut self, draft: &Draft) -> Reported {
        let expected = draft.op.info().operands.len();
        let token = self.cursor.place();
        let message = format!("`{}` has {}", draft.op, operands(expected));
        self.cursor.error(Code::OperandCount, token, message)
    }
}

fn operands(count: usize) -> String {
    match count {
        1 => "1 operand".to_owned(),
        count => format!("{count} operands"),
    }
}

fn results(count: usize) -> String {
    match count {
        0 => "no result".to_owned(),
        1 => "1 result".to_owned(),
        count => format!("{count} results"),
    }
}
