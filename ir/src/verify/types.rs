//! Suffix, operands and results of an instruction against its row.

use std::fmt;

use super::Rule;
use super::function::{Checker, counted};
use super::report::At;
use crate::entity::{Inst, Value};
use crate::instruction::{InstData, Payload, ZERO_LANE};
use crate::op::{Form, Pattern, Relation, TypeClass};
use crate::types::{Scalar, Type, TypePool};
use crate::typing::Typing;

impl<'a> Checker<'a, '_> {
    pub(super) fn check_types(&mut self, inst: Inst) {
        let data = self.body.inst(inst);
        let info = data.op.info();
        if !self.module.types.contains(data.ty) {
            let message = format_args!("the suffix `{}` is no type of the module", data.ty);
            return self.fail(Rule::UnknownHandle, At::Inst(inst), message);
        }
        if !info.suffix.contains(data.ty) {
            let (name, class) = (self.show(data.ty), info.suffix.describe());
            let message = format_args!("the suffix of `{}` is {class}, not `{name}`", data.op);
            return self.fail(Rule::SuffixType, At::Inst(inst), message);
        }
        if self.check_operand_count(inst, data) {
            self.check_operands(inst, data);
            self.check_relation(inst, data);
        }
        self.check_results(inst, data);
        self.check_payload(inst, data);
        self.check_managed(inst, data);
    }

    fn check_operand_count(&mut self, inst: Inst, data: &InstData) -> bool {
        let info = data.op.info();
        let (count, fixed) = (self.body.args(inst).len(), info.operands.len());
        let fits = if info.form.has_more_operands() { count >= fixed } else { count == fixed };
        if !fits {
            let least = if info.form.has_more_operands() { "at least " } else { "" };
            let message =
                format_args!("`{}` has {least}{}, not {count}", data.op, counted(fixed, "operand"));
            self.fail(Rule::OperandCount, At::Inst(inst), message);
        }
        fits
    }

    /// The operands that the row has patterns for.
    fn check_operands(&mut self, inst: Inst, data: &InstData) {
        let patterns = data.op.info().operands;
        for (i, (&arg, pattern)) in self.body.args(inst).iter().zip(patterns).enumerate() {
            let ty = self.body.value_type(arg);
            if !pattern.accepts(data.ty, ty) {
                let types = &self.module.types;
                let expected = Expected { types, pattern: *pattern, suffix: data.ty };
                let given = self.show(ty);
                let message = format_args!("operand {i} is `{given}`, not {expected}");
                self.fail(Rule::TypeMismatch, At::Inst(inst), message);
            }
        }
    }

    fn check_relation(&mut self, inst: Inst, data: &InstData) {
        let info = data.op.info();
        match info.relation {
            Relation::Callee | Relation::TailCallee => self.check_call(inst, data),
            Relation::Returns => self.check_return(inst),
            Relation::ExitValues => self.check_exit_values(inst, data),
            Relation::ModifyFunction => self.check_modify(inst, data),
            Relation::Parts => self.check_parts(inst, data),
            Relation::References => self.check_references(inst),
            Relation::InsertPath | Relation::ExtractPath => self.check_path(inst, data),
            Relation::None | Relation::RmwType => {}
            relation => {
                let free = info.operands.iter().position(|p| matches!(p, Pattern::Any(_)));
                let operand = free.map_or(Type::NONE, |i| self.operand_type(inst, i));
                if !relation.holds(data.ty, operand) {
                    self.fail_relation(inst, data, relation, operand);
                }
                if relation == Relation::ShuffleLanes {
                    self.check_shuffle(inst, data);
                }
            }
        }
    }

    pub(super) fn operand_type(&self, inst: Inst, index: usize) -> Type {
        self.body.args(inst).get(index).map_or(Type::NONE, |&arg| self.body.value_type(arg))
    }

    fn fail_relation(&mut self, inst: Inst, data: &InstData, relation: Relation, operand: Type) {
        let wanted = match relation {
            Relation::FromWider => "as many lanes as the suffix, each of more bits",
            Relation::FromNarrower => "as many lanes as the suffix, each of fewer bits",
            Relation::SameLanes => "as many lanes as the suffix",
            Relation::SameBits => "as many bits as the suffix",
            Relation::WholeBytes => "lanes of a multiple of 16 bits",
            Relation::AddressCast => {
                "a kind that may become the suffix: `ptr`, or `ref` for `derived` and `callee`"
            }
            _ => "lanes of the suffix",
        };
        let operand = self.show(if operand.is_some() { operand } else { data.ty });
        let suffix = self.show(data.ty);
        let message = format_args!("`{operand}` must have {wanted}, here `{suffix}`");
        self.fail(Rule::TypeRelation, At::Inst(inst), message);
    }

    fn check_shuffle(&mut self, inst: Inst, data: &InstData) {
        let operand = self.operand_type(inst, 0);
        if operand != self.operand_type(inst, 1) {
            let message = format_args!("both operands of a shuffle have one type");
            self.fail(Rule::TypeRelation, At::Inst(inst), message);
        }
        let Payload::Immediates(list) = data.payload else { return };
        let lanes = self.body.immediates(list);
        if lanes.len() != data.ty.lanes() as usize {
            let (given, wanted) = (lanes.len(), data.ty.lanes());
            let message = format_args!("{given} lanes are named, the suffix has {wanted}");
            return self.fail(Rule::Immediates, At::Inst(inst), message);
        }
        let outside = |&&lane: &&u32| lane != ZERO_LANE && lane >= 2 * operand.lanes();
        if let Some(lane) = lanes.iter().find(outside) {
            let count = 2 * operand.lanes();
            let message =
                format_args!("there is no lane {lane}, the operands have {count} together");
            self.fail(Rule::Immediates, At::Inst(inst), message);
        }
    }

    fn check_path(&mut self, inst: Inst, data: &InstData) {
        let Payload::Immediates(list) = data.payload else { return };
        let path = self.body.immediates(list);
        let part = match path {
            [] => None,
            path => self.module.types.field_at(data.ty, path),
        };
        let Some(part) = part else {
            let name = self.show(data.ty);
            let message = format_args!("the indices {path:?} lead to no part of `{name}`");
            return self.fail(Rule::Immediates, At::Inst(inst), message);
        };
        if data.op.info().form == Form::Insert {
            let operand = self.operand_type(inst, 1);
            if operand != part {
                let (operand, part) = (self.show(operand), self.show(part));
                let message = format_args!("`{operand}` cannot stand there, where `{part}` does");
                self.fail(Rule::TypeRelation, At::Inst(inst), message);
            }
        }
    }

    fn check_parts(&mut self, inst: Inst, data: &InstData) {
        let types = &self.module.types;
        let wanted = match data.ty.is_vector() {
            true => u64::from(data.ty.lanes()),
            false => types.field_count(data.ty),
        };
        let count = self.body.args(inst).len();
        if count as u64 != wanted {
            let name = self.show(data.ty);
            let message = format_args!("`{name}` has {wanted} parts, not {count}");
            return self.fail(Rule::OperandCount, At::Inst(inst), message);
        }
        let typing = Typing::new(types, data.op, data.ty);
        self.check_list(inst, 0, |i| typing.operand(i), Rule::TypeMismatch);
    }

    fn check_references(&mut self, inst: Inst) {
        self.check_list(inst, 0, |_| Some(Type::REF), Rule::TypeMismatch);
    }

    /// The operands from `start` on, each against the type that `expected`
    /// gives for its number counted from there; nothing means any.
    pub(super) fn check_list(
        &mut self,
        inst: Inst,
        start: usize,
        expected: impl Fn(usize) -> Option<Type>,
        rule: Rule,
    ) {
        let args: &'a [Value] = self.body.args(inst);
        for (i, &arg) in args.iter().skip(start).enumerate() {
            let ty = self.body.value_type(arg);
            if let Some(wanted) = expected(i).filter(|&wanted| wanted != ty) {
                let (given, wanted) = (self.show(ty), self.show(wanted));
                let message = format_args!("operand {} is `{given}`, not `{wanted}`", start + i);
                self.fail(rule, At::Inst(inst), message);
            }
        }
    }

    fn check_results(&mut self, inst: Inst, data: &InstData) {
        if !self.has_results_of_row(inst, data) {
            self.check_results_in_full(inst, data);
        }
    }

    /// Whether the results are those of a row that gives their types by the suffix alone: all
    /// there is to ask of most instructions.
    fn has_results_of_row(&mut self, inst: Inst, data: &InstData) -> bool {
        let body = self.body;
        let (info, results) = (data.op.info(), body.results(inst));
        if matches!(info.relation, Relation::Callee | Relation::ExtractPath)
            || (info.suffix == TypeClass::None) == data.ty.is_some()
            || results.len() != info.results.len()
        {
            return false;
        }
        self.report.work += results.len() as u64;
        results.iter().zip(info.results).all(|(&result, pattern)| {
            let ty = body.value_type(result);
            pattern.resolve(data.ty) == Some(ty) && self.is_plain(ty)
        })
    }

    fn check_results_in_full(&mut self, inst: Inst, data: &InstData) {
        let body = self.body;
        let typing = Typing::of(self.module, body, Some(self.signature), data);
        // Without an answer, the suffix or the path has been reported.
        let Some(wanted) = typing.result_count() else { return };
        let results = body.results(inst);
        if results.len() != wanted {
            let given = results.len();
            let message =
                format_args!("`{}` gives {} here, not {given}", data.op, counted(wanted, "result"));
            return self.fail(Rule::ResultType, At::Inst(inst), message);
        }
        // The types are asked for only now: a callee may give thousands, and
        // calls that take none of them be as many.
        let expected = typing.results().unwrap_or_default();
        self.report.work += expected.len() as u64;
        for (i, (&result, wanted)) in results.iter().zip(expected).enumerate() {
            let ty = body.value_type(result);
            if ty != wanted {
                let (given, wanted) = (self.show(ty), self.show(wanted));
                let message = format_args!("result {i} is `{given}`, not `{wanted}`");
                self.fail(Rule::ResultType, At::Inst(inst), message);
            } else {
                self.check_type(ty, At::Inst(inst));
            }
        }
    }

    /// Whether the kind of a read-modify-write computes on the suffix.
    pub(super) fn check_rmw(&mut self, inst: Inst, data: &InstData) {
        let Payload::AtomicRmw { op, .. } = data.payload else { return };
        if !data.ty.as_scalar().is_some_and(|scalar| op.computes_on(scalar)) {
            let name = self.show(data.ty);
            let message = format_args!("`{op}` does not compute on `{name}`");
            self.fail(Rule::RmwKind, At::Inst(inst), message);
        }
    }

    /// Which managed kinds memory may hold, and where `callee` may go.
    fn check_managed(&mut self, inst: Inst, data: &InstData) {
        self.check_memory_kind(inst, data);
        let body = self.body;
        let passed = self.passed_operands(data);
        for (i, &arg) in body.args(inst).iter().enumerate() {
            if body.value_type(arg) == Type::scalar(Scalar::Callee) && !passed.contains(&i) {
                self.fail_callee(inst, arg);
            }
        }
        for target in body.targets(inst) {
            for &arg in body.target_args(target) {
                if body.value_type(arg) == Type::scalar(Scalar::Callee) {
                    self.fail_callee(inst, arg);
                }
            }
        }
    }
}

/// What a pattern asks for, in words.
struct Expected<'a> {
    types: &'a TypePool,
    pattern: Pattern,
    suffix: Type,
}

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.pattern, self.pattern.resolve(self.suffix)) {
            (Pattern::Any(class), _) => f.write_str(TypeClass::describe(class)),
            (_, Some(ty)) => write!(f, "`{}`", self.types.display(ty)),
            (_, None) => f.write_str("of a type that this suffix has none for"),
        }
    }
}
