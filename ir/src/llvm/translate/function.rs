//! One function of the text, block by block.

use std::fmt;

use rustc_hash::FxHashMap;

use super::blocks::Graph;
use super::debug::Locations;
use super::metadata::FunctionSays;
use super::{Resolved, Shared};
use crate::attribute::InstFlags;
use crate::body::Body;
use crate::constant::Constant;
use crate::dominators::Dominators;
use crate::entity::{Block, Inst, Loc, PackedOption, Value};
use crate::flow::FlowGraph;
use crate::instruction::{InstData, Payload};
use crate::llvm::syntax::{
    Attachment, BlockId, Function, GlobalId, Instruction, LocalId, Offset, Operand, TypeId, Typed,
};
use crate::module::Symbol;
use crate::op::Op;
use crate::text::{Parsed, Reported};
use crate::types::Type;

/// A value that the text has named.
#[derive(Clone, Copy)]
struct Defined {
    value: Value,
    /// Where the text defines it.
    block: Block,
}

/// A use of a value in another block than its own.
struct Use {
    defined: Block,
    used: Block,
    at: Offset,
}

/// The function that is being translated.
///
/// Instructions go to the end of [`block`](Self::block). Blocks are translated so that
/// each stands behind those that dominate it: an operand is defined when it is asked
/// for, or the text is wrong.
pub(super) struct Translator<'a, 't> {
    pub(super) shared: &'a mut Shared<'t>,
    pub(super) function: &'a Function<'t>,
    pub(super) id: GlobalId,
    pub(super) body: Body,
    /// Where instructions go. An instruction of the text may end in another block of
    /// ours than it began in; the rest of its block follows there.
    pub(super) block: Block,
    /// The instruction of the text that is being translated.
    pub(super) at: Offset,
    /// Given to every instruction that is emitted.
    pub(super) loc: PackedOption<Loc>,
    /// Whether the text says which function of a source it was made from.
    pub(super) has_source: bool,
    pub(super) graph: Graph,
    /// The block of the text that is being translated.
    pub(super) current: BlockId,
    /// The addresses of globals that the current block of the text has taken.
    pub(super) addresses: FxHashMap<GlobalId, Value>,
    /// Bytes of stack slots so far.
    pub(super) slot_bytes: u64,
    /// Room for the arguments of an edge.
    pub(super) edge_args: Vec<Value>,
    /// The address of the `va_list` of the arguments behind the named ones.
    pub(super) rest: Option<Value>,
    /// What metadata has been found to say.
    pub(super) says: FunctionSays,
    /// The source locations so far.
    pub(super) locations: Locations,
    /// By [`LocalId`].
    locals: Vec<Option<Defined>>,
    uses: Vec<Use>,
}

impl<'a, 't> Translator<'a, 't> {
    /// Translates a function.
    pub(super) fn translate(
        shared: &'a mut Shared<'t>,
        function: &'a Function<'t>,
        id: GlobalId,
    ) -> Parsed<Body> {
        let at = shared.syntax.globals[id.index()].at;
        let has_source = function.attachments.iter().any(|&(kind, _)| kind == Attachment::Debug);
        let mut translator = Translator {
            shared,
            function,
            id,
            body: Body::default(),
            block: Block::from_u32(0),
            at,
            loc: None.into(),
            has_source,
            graph: Graph::default(),
            current: BlockId(0),
            addresses: FxHashMap::default(),
            slot_bytes: 0,
            edge_args: Vec::new(),
            rest: None,
            says: FunctionSays::default(),
            locations: Locations::default(),
            locals: vec![None; function.locals.len()],
            uses: Vec::new(),
        };
        translator.make_blocks()?;
        translator.enter()?;
        for index in 0..translator.graph.order.len() {
            translator.translate_block(translator.graph.order[index])?;
        }
        translator.check_uses()?;
        translator.mark_loops();
        translator.set_params_apart();
        Ok(translator.body)
    }

    /// Gives the entry block the parameters of the function.
    fn enter(&mut self) -> Parsed<()> {
        let Some(&entry) = self.graph.order.first() else { return Ok(()) };
        let Some(block) = self.graph.block(entry) else { return Ok(()) };
        self.current = entry;
        self.switch_to(block);
        let id = match self.shared.symbols.get(self.id.index()) {
            Some(&Some(Resolved::Address { symbol: Symbol::Function(id), .. })) => id,
            _ => return Err(self.invalid("the function is not declared")),
        };
        let types: Vec<Type> = self.shared.module.signature_of(id).entry_types().collect();
        let params: Vec<Value> =
            types.into_iter().map(|ty| self.body.append_param(block, ty)).collect();
        self.define_params(&params)
    }

    /// Whether each value is defined on every path to its uses.
    fn check_uses(&mut self) -> Parsed<()> {
        if self.uses.is_empty() {
            return Ok(());
        }
        let dominators = Dominators::new(&FlowGraph::new(&self.body));
        let wrong = self.uses.iter().find(|used| !dominators.dominates(used.defined, used.used));
        match wrong {
            Some(&Use { at, .. }) => {
                self.at = at;
                Err(self.invalid("a value is not defined on every path to this use"))
            }
            None => Ok(()),
        }
    }
}

/// Values.
impl Translator<'_, '_> {
    /// The value of an operand, which has the type that the text spells for it.
    pub(super) fn value(&mut self, operand: Typed) -> Parsed<Value> {
        self.operand(operand.value)
    }

    /// The value of an operand.
    pub(super) fn operand(&mut self, operand: Operand) -> Parsed<Value> {
        let local = match operand {
            Operand::Constant(constant) => return self.constant(constant),
            Operand::Local(local) => local,
        };
        let Some(Defined { value, block }) = self.locals[local.index()] else {
            return Err(self.invalid("a value is not defined on every path to this use"));
        };
        // The entry stands on every path.
        if block != self.block && Some(block) != self.body.layout.entry() {
            self.uses.push(Use { defined: block, used: self.block, at: self.at });
        }
        Ok(value)
    }

    /// Says what a result of the text is; nothing for one without a name.
    pub(super) fn define(&mut self, local: Option<LocalId>, value: Value) {
        if let Some(local) = local {
            self.locals[local.index()] = Some(Defined { value, block: self.block });
        }
    }

    /// The type that carries values of `ty`.
    pub(super) fn ty(&mut self, ty: TypeId) -> Parsed<Type> {
        self.shared.carrier(ty, self.at).map(|carrier| carrier.ty)
    }

    /// The type that carries the result of an instruction, which has one.
    pub(super) fn result_type(&mut self, inst: &Instruction) -> Parsed<Type> {
        match inst.result {
            Some(result) => self.ty(self.function.locals[result.index()].ty),
            None => Ok(Type::NONE),
        }
    }

    /// The constant of `ty` with those bits: the same in each lane.
    pub(super) fn number(&mut self, ty: Type, bits: u128) -> Value {
        let constant = match ty.is_vector() {
            true => Constant::vector(ty, (0..ty.lanes()).map(|_| bits)),
            false => Constant::scalar(ty, bits),
        };
        // A managed kind has no constant but null.
        let constant = constant.or_else(|| Constant::zero(ty));
        constant.map_or(Value::from_u32(u32::MAX - 1), |constant| self.body.constant(constant))
    }
}

/// Instructions.
impl Translator<'_, '_> {
    /// Does what one word of the text asks for, and takes the cost of the instructions that this
    /// made, less that of what it has paid for itself and of so many that are paid already.
    pub(super) fn pay_for<T>(
        &mut self,
        before: u64,
        make: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let (insts, budget) = (self.body.inst_count(), self.shared.budget);
        let result = make(self)?;
        let made = (self.body.inst_count() - insts) as u64;
        let charged = before + (budget - self.shared.budget);
        self.shared.charge(made.saturating_sub(charged), self.at)?;
        Ok(result)
    }

    /// Appends an instruction with results of those types.
    pub(super) fn emit(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        payload: Payload,
        results: &[Type],
    ) -> Inst {
        let args = self.body.list(args);
        let data = InstData { loc: self.loc, ..InstData::new(op, ty, args, payload) };
        self.body.append_inst(self.block, data, results)
    }

    /// Appends an instruction with one result, whose type is `result`, and gives that.
    pub(super) fn emit_one(
        &mut self,
        op: Op,
        ty: Type,
        args: &[Value],
        payload: Payload,
        result: Type,
    ) -> Value {
        let inst = self.emit(op, ty, args, payload, &[result]);
        self.body.results(inst)[0]
    }

    /// Appends an op that has nothing but operands, and one result of its suffix.
    pub(super) fn op(&mut self, op: Op, ty: Type, args: &[Value]) -> Value {
        self.emit_one(op, ty, args, Payload::None, ty)
    }

    /// As [`op`](Self::op), with hints or permissions.
    pub(super) fn op_with(&mut self, op: Op, ty: Type, args: &[Value], flags: InstFlags) -> Value {
        let value = self.op(op, ty, args);
        if let Some(inst) = self.body.layout.last_inst(self.block) {
            self.body.inst_mut(inst).flags = flags & op.info().flags;
        }
        value
    }

    /// Ends the current block with a jump.
    pub(super) fn jump(&mut self, to: Block, args: &[Value]) {
        let target = self.body.target(to, args);
        self.emit(Op::Jump, Type::NONE, &[], Payload::Jump(target), &[]);
    }

    /// Ends the current block with a branch.
    pub(super) fn branch(&mut self, test: Value, yes: (Block, &[Value]), no: (Block, &[Value])) {
        let targets = [self.body.target(yes.0, yes.1), self.body.target(no.0, no.1)];
        self.emit(Op::Branch, Type::NONE, &[test], Payload::Branch(targets), &[]);
    }

    /// A new block, which stands behind the current one; it becomes the current one
    /// by [`switch_to`](Self::switch_to).
    pub(super) fn new_block(&mut self) -> Block {
        self.body.make_block()
    }

    /// Goes on at the end of `block`.
    pub(super) fn switch_to(&mut self, block: Block) {
        self.body.layout.append_block(block);
        self.block = block;
    }
}

/// Errors at the current instruction.
impl Translator<'_, '_> {
    /// Reports what has no meaning here.
    pub(super) fn unsupported(&mut self, what: impl fmt::Display) -> Reported {
        self.shared.unsupported(self.at, what)
    }

    /// Reports a breach of LLVM's own rules.
    pub(super) fn invalid(&mut self, what: impl fmt::Display) -> Reported {
        self.shared.invalid(self.at, what)
    }
}
