//! The types that an instruction's row, suffix and entities give its operands
//! and results: one reading for text, builder and verifier.

use smallvec::SmallVec;

use crate::body::Body;
use crate::instruction::{InstData, Payload};
use crate::module::Module;
use crate::op::{Op, Relation, TypeClass};
use crate::types::{Signature, Type, TypePool};

/// An op with all that decides the types of its operands and results.
#[derive(Clone, Copy, Debug)]
pub struct Typing<'a> {
    /// The types of the module.
    pub types: &'a TypePool,
    /// The op.
    pub op: Op,
    /// The type that it is instantiated at.
    pub suffix: Type,
    /// The signature that a call calls by; none for other ops.
    pub callee: Option<&'a Signature>,
    /// The signature of the function that the instruction stands in, if known.
    pub function: Option<&'a Signature>,
    /// What the exit of a check takes along.
    pub exit: &'a [Type],
    /// The indices of a path.
    pub path: &'a [u32],
}

impl<'a> Typing<'a> {
    /// The typing of an op that names no entities.
    pub fn new(types: &'a TypePool, op: Op, suffix: Type) -> Typing<'a> {
        Typing { types, op, suffix, callee: None, function: None, exit: &[], path: &[] }
    }

    /// The typing of `data`, an instruction of `body` in a function of the
    /// signature `function`.
    pub fn of(
        module: &'a Module,
        body: &'a Body,
        function: Option<&'a Signature>,
        data: &InstData,
    ) -> Typing<'a> {
        let mut typing = Typing::new(&module.types, data.op, data.ty);
        typing.function = function;
        typing.callee = match data.function() {
            Some(callee) if data.op.is_call() => module.function(callee).map(|f| f.sig),
            _ if data.op.is_call() => data.ty.signature(),
            _ => None,
        }
        .map(|sig| module.types.sig(sig));
        match data.payload {
            Payload::Exit(exit) => typing.exit = body.exit(exit).map_or(&[], |exit| &exit.types),
            Payload::Immediates(list) => typing.path = body.immediates(list),
            _ => {}
        }
        typing
    }

    /// The one type that fits as operand `index`, counted through all
    /// operands; none where several types fit, or none is asked for.
    pub fn operand(&self, index: usize) -> Option<Type> {
        let info = self.op.info();
        let Some(more) = index.checked_sub(info.operands.len()) else {
            return info.operands[index].resolve(self.suffix).filter(|ty| ty.is_some());
        };
        let param = |signature: &'a Signature| signature.params.get(more).map(|param| param.ty);
        let result = |signature: &'a Signature| signature.results.get(more).map(|param| param.ty);
        match info.relation {
            Relation::Callee | Relation::TailCallee => self.callee.and_then(param),
            Relation::Returns => self.function.and_then(result),
            Relation::ExitValues => self.exit.get(more).copied(),
            Relation::Parts if self.suffix.is_vector() => Some(self.suffix.lane_type()),
            Relation::Parts => self.types.field(self.suffix, more as u64),
            Relation::References => Some(Type::REF),
            _ => None,
        }
    }

    /// How many results there are; none where [`results`](Self::results) has none.
    pub fn result_count(&self) -> Option<usize> {
        let info = self.op.info();
        if (info.suffix == TypeClass::None) == self.suffix.is_some() {
            return None;
        }
        match info.relation {
            Relation::Callee => Some(self.callee?.results.len()),
            Relation::ExtractPath => self.types.field_at(self.suffix, self.path).map(|_| 1),
            _ => Some(info.results.len()),
        }
    }

    /// The types of the results; none where the suffix, the callee or the
    /// path is not of the kind that the op needs.
    pub fn results(&self) -> Option<SmallVec<[Type; 2]>> {
        self.result_count()?;
        let info = self.op.info();
        match info.relation {
            Relation::Callee => Some(self.callee?.result_types().collect()),
            Relation::ExtractPath => {
                let part = self.types.field_at(self.suffix, self.path);
                Some(SmallVec::from_elem(part?, 1))
            }
            _ => info.results.iter().map(|pattern| pattern.resolve(self.suffix)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Packing, Scalar};

    #[test]
    fn rows_and_suffixes_give_types() {
        let types = TypePool::default();
        let lanes = Type::vector(Scalar::I32, 4).unwrap();
        let typing = Typing::new(&types, Op::InsertLane, lanes);
        assert_eq!(typing.operand(0), Some(lanes));
        assert_eq!(typing.operand(1), Some(Type::I32));
        assert_eq!(typing.operand(2), Some(Type::I64));
        assert_eq!(typing.operand(3), None);
        assert_eq!(typing.results().unwrap().as_slice(), [lanes]);
        assert_eq!(Typing::new(&types, Op::Sext, Type::I32).operand(0), None);
    }

    #[test]
    fn signatures_exits_and_aggregates_give_the_others() {
        let mut types = TypePool::default();
        let pair = types.structure(&[Type::I8, Type::F64], Packing::Natural).unwrap();
        let signature = Signature::internal(&[Type::F32], &[Type::I8, Type::PTR]);
        let make = Typing::new(&types, Op::MakeAggregate, pair);
        assert_eq!(make.operand(1), Some(Type::F64));
        let path = Typing { path: &[1], ..Typing::new(&types, Op::ExtractValue, pair) };
        assert_eq!(path.results().unwrap().as_slice(), [Type::F64]);
        let call = Typing { callee: Some(&signature), ..Typing::new(&types, Op::Call, Type::NONE) };
        assert_eq!(call.operand(0), Some(Type::F32));
        assert_eq!(call.results().unwrap().as_slice(), [Type::I8, Type::PTR]);
        let check = Typing { exit: &[Type::I64], ..Typing::new(&types, Op::Check, Type::NONE) };
        assert_eq!((check.operand(0), check.operand(1)), (Some(Type::I1), Some(Type::I64)));
    }

    #[test]
    fn a_missing_suffix_gives_no_results() {
        let types = TypePool::default();
        assert!(Typing::new(&types, Op::Add, Type::NONE).results().is_none());
        assert!(Typing::new(&types, Op::Poll, Type::I8).results().is_none());
        assert!(Typing::new(&types, Op::Call, Type::NONE).results().is_none());
    }
}
