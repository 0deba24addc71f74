//! Writing the result of a rule.

use brolga_ir::attribute::InstFlags;
use brolga_ir::body::Body;
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::op::{Pattern, TypeClass};
use brolga_ir::types::Type;
use smallvec::SmallVec;

use super::bound::Binding;
use super::rule::{Condition, Node, OpNode, Suffix};
use crate::pass::fold_op;

/// What stands in the place of a pattern.
#[derive(Debug)]
pub(super) enum Written {
    /// A value that was there, or a constant.
    Value(Value),
    /// An instruction, to be put in the place of the root.
    Inst(InstData),
}

/// The permissions that stay on what comes in the place of an op.
const PERMISSIONS: InstFlags = InstFlags::CONTRACT.union(InstFlags::REASSOCIATE);

/// Writes results of rules before one instruction.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    pub(super) body: &'a mut Body,
    pub(super) binding: &'a Binding,
    pub(super) before: Inst,
    /// What was written.
    pub(super) fresh: &'a mut Vec<Inst>,
}

impl Builder<'_> {
    /// What the result of a rule is here; nothing if an op of it has no such type.
    pub(super) fn write(&mut self, result: &Node) -> Option<Written> {
        if !self.is_legal(result, Some(self.binding.root)) {
            return None;
        }
        match result {
            Node::Op(node) => self.op(node),
            _ => self.node(result, self.binding.root).map(Written::Value),
        }
    }

    /// Whether a tree gives a value of a type, and each op of it exists at its types.
    fn is_legal(&self, node: &Node, wanted: Option<Type>) -> bool {
        if let Node::Literal(_) = node {
            return wanted.and_then(Constant::zero).is_some();
        }
        let ty = self.type_of(node);
        let Node::Op(op) = node else {
            return ty.is_some() && (wanted.is_none() || ty == wanted);
        };
        let (Some(ty), Some(suffix)) = (ty, self.suffix_of(op)) else { return false };
        let info = op.op.info();
        let mut args = info.operands.iter().zip(op.args);
        wanted.is_none_or(|wanted| wanted == ty)
            && info.suffix.contains(suffix)
            && args.all(|(pattern, arg)| {
                self.is_legal(arg, pattern.resolve(suffix))
                    && self.type_of(arg).is_none_or(|ty| {
                        let is_any = matches!(pattern, Pattern::Any(_));
                        pattern.accepts(suffix, ty) && (!is_any || info.relation.holds(suffix, ty))
                    })
            })
    }

    /// The type of what a tree gives; none for a literal, which has any.
    fn type_of(&self, node: &Node) -> Option<Type> {
        match node {
            Node::Value(_) | Node::Constant(_) => {
                Some(self.body.value_type(self.binding.value(*node)?))
            }
            Node::Literal(_) => None,
            Node::Typed(_, suffix) => self.named_type(*suffix),
            Node::Op(op) => {
                let suffix = self.suffix_of(op)?;
                op.op.info().results.first()?.resolve(suffix)
            }
        }
    }

    fn named_type(&self, suffix: Suffix) -> Option<Type> {
        match suffix {
            Suffix::Inferred => None,
            Suffix::Root => Some(self.binding.root),
            Suffix::Of(number) => Some(self.body.value_type(self.binding.values[number]?)),
            Suffix::Bound(number) => Some(self.binding.types[number]),
        }
    }

    /// The type that an op of the result is instantiated at.
    fn suffix_of(&self, node: &OpNode) -> Option<Type> {
        if let Some(ty) = self.named_type(node.suffix) {
            return Some(ty);
        }
        let info = node.op.info();
        if info.suffix == TypeClass::None {
            return Some(Type::NONE);
        }
        let same = info.operands.iter().zip(node.args);
        let mut same = same.filter(|(pattern, _)| **pattern == Pattern::Same);
        Some(same.find_map(|(_, arg)| self.type_of(arg)).unwrap_or(self.binding.root))
    }

    fn node(&mut self, node: &Node, wanted: Type) -> Option<Value> {
        match node {
            Node::Value(_) | Node::Constant(_) => self.binding.value(*node),
            Node::Literal(literal) => self.number(wanted, |lane| literal.bits(lane)),
            Node::Typed(literal, suffix) => {
                self.number(self.named_type(*suffix)?, |lane| literal.bits(lane))
            }
            Node::Op(op) => match self.op(op)? {
                Written::Value(value) => Some(value),
                Written::Inst(data) => {
                    let result = self.type_of(node)?;
                    let inst = self.body.insert_inst(self.before, data, &[result]);
                    self.fresh.push(inst);
                    self.body.result(inst)
                }
            },
        }
    }

    fn number(
        &mut self,
        ty: Type,
        bits: impl Fn(brolga_ir::types::Scalar) -> u128,
    ) -> Option<Value> {
        let bits = bits(ty.lane()?);
        let constant = match ty.is_vector() {
            true => Constant::vector(ty, (0..ty.lanes()).map(|_| bits)),
            false => Constant::scalar(ty, bits),
        };
        Some(self.body.constant(constant?))
    }

    /// An op, computed if its operands are constants.
    fn op(&mut self, node: &OpNode) -> Option<Written> {
        let suffix = self.suffix_of(node)?;
        let operands = node.op.info().operands;
        let mut args: SmallVec<[Value; 3]> = SmallVec::new();
        for (arg, pattern) in node.args.iter().zip(operands) {
            let wanted = pattern.resolve(suffix).unwrap_or(Type::NONE);
            args.push(self.node(arg, wanted)?);
        }
        let payload = self.payload(node.condition)?;
        if args.iter().all(|&arg| self.body.as_constant(arg).is_some()) {
            let folded = fold_op(self.body, node.op, suffix, &args, &payload)?.ok()?;
            return folded.first().copied().map(Written::Value);
        }
        let list = self.body.list(&args);
        let data = InstData::new(node.op, suffix, list, payload);
        let flags = self.body.inst(self.before).flags & node.op.info().flags & PERMISSIONS;
        Some(Written::Inst(InstData { flags, loc: self.body.loc(self.before), ..data }))
    }

    fn payload(&self, condition: Condition) -> Option<Payload> {
        let (int, float) = (self.binding.int, self.binding.float);
        Some(match condition {
            Condition::None => Payload::None,
            Condition::Int(cond) => Payload::IntCond(cond),
            Condition::Float(cond) => Payload::FloatCond(cond),
            Condition::Bound => int.map(Payload::IntCond).or(float.map(Payload::FloatCond))?,
            Condition::Swapped => int
                .map(|cond| Payload::IntCond(cond.swapped()))
                .or(float.map(|cond| Payload::FloatCond(cond.swapped())))?,
            Condition::Inverted => int
                .map(|cond| Payload::IntCond(cond.inverted()))
                .or(float.map(|cond| Payload::FloatCond(cond.inverted())))?,
            Condition::Inner => return None,
            Condition::Unsigned => Payload::IntCond(int?.unsigned()),
        })
    }
}
