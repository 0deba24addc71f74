//! Replacing values by several smaller ones: what the flattening of aggregates
//! and the splitting of vectors have in common.
//!
//! A rule says which types are split and what its ops become; parameters,
//! calls, returns, edges and exits are the same for every rule and done here.
//! Definitions are met before uses, so one walk is enough.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::constant::Constant;
use brolga_ir::entity::{Block, EntityRef, Inst, SecondaryMap, SigId, Value};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Target};
use brolga_ir::op::Op;
use brolga_ir::types::{Type, TypePool};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Change, Editor, PassContext, PassError, PassResult};
use crate::legal_form::ValueForm;

/// What a value was split into.
pub(crate) type Pieces = SmallVec<[Value; 4]>;

/// What a pass that splits values knows.
pub(crate) trait SplitRule {
    /// The name of the pass.
    const PASS: &'static str;

    /// The form in which values cross the borders of functions behind it.
    const FORM: ValueForm;

    /// The types of the pieces of a value of `ty`; nothing if it stays whole.
    fn pieces(&self, types: &TypePool, ty: Type) -> Option<SmallVec<[Type; 4]>>;

    /// Whether there are such pieces. Asked of all that a body has, where most has none.
    fn splits(&self, ty: Type) -> bool;

    /// The pieces of a constant of a type that is split.
    fn constant(&mut self, editor: &mut Editor<'_, '_>, constant: &Constant) -> Pieces;

    /// Whether an instruction must be rewritten although no value that it
    /// uses or gives is split.
    fn concerns(&self, body: &Body, context: &PassContext<'_>, inst: Inst) -> bool;

    /// Writes what an instruction becomes, other than a call, a terminator or
    /// a check, and says by [`Splitter::define`] what its results are.
    fn rewrite(splitter: &mut Splitter<'_, '_, Self>, inst: Inst) -> PassResult<()>
    where
        Self: Sized;

    /// The pieces of a value as they cross the border of a block or function.
    fn pass(splitter: &mut Splitter<'_, '_, Self>, value: Value) -> Pieces
    where
        Self: Sized,
    {
        splitter.pieces(value)
    }
}

/// An argument of an edge of a call.
enum Passed {
    /// Known before the call.
    Pieces(Pieces),
    /// A result of the call.
    Result(Value),
}

/// The walk over one body.
pub(crate) struct Splitter<'a, 'm, R> {
    pub(crate) editor: Editor<'a, 'm>,
    pub(crate) rule: R,
    split: Splits,
    signatures: FxHashMap<SigId, SigId>,
    rewritten: usize,
}

/// Splits all values of a body by `rule`.
pub(crate) fn split<R: SplitRule>(
    rule: R,
    body: &mut Body,
    context: &mut PassContext<'_>,
) -> PassResult {
    let split = split_values(rule, body, context)?;
    Ok(split.map_or(Change::Nothing, |_| Change::Something))
}

/// What values have become, each that is not there any more.
pub(crate) type Splits = SecondaryMap<Value, Option<Pieces>>;

/// The same; gives what values have become, if any has.
pub(crate) fn split_values<R: SplitRule>(
    rule: R,
    body: &mut Body,
    context: &mut PassContext<'_>,
) -> PassResult<Option<Splits>> {
    if !needs_splitting(&rule, body, context) {
        return Ok(None);
    }
    remove_unreachable_blocks(body);
    let (count, limit) = (count_pieces(&rule, body, &context.module.types), context.max_parts);
    if count > limit {
        return Err(PassError::TooManyParts { count, limit });
    }
    let order: Vec<Block> = FlowGraph::new(body).reverse_postorder().collect();
    let mut splitter = Splitter {
        editor: Editor::new(body, context),
        rule,
        split: SecondaryMap::new(),
        signatures: FxHashMap::default(),
        rewritten: 0,
    };
    splitter.split_exits();
    for &block in &order {
        splitter.split_params(block);
    }
    for &block in &order {
        let mut next = splitter.editor.body.layout.first_inst(block);
        while let Some(inst) = next {
            // Before it is replaced: what is written stands before it.
            next = splitter.editor.body.layout.next_inst(inst);
            splitter.visit(inst)?;
        }
    }
    let Splitter { split, rewritten, .. } = splitter;
    context.statistics.add(R::PASS, "rewritten instructions", rewritten as u64);
    Ok(Some(split))
}

/// Takes out the blocks that no path leads to, and says how many there were.
pub(crate) fn remove_unreachable_blocks(body: &mut Body) -> usize {
    let mut is_reached = vec![false; body.block_count()];
    let mut pending: SmallVec<[Block; 16]> = SmallVec::new();
    if let Some(entry) = body.layout.entry() {
        is_reached[entry.index()] = true;
        pending.push(entry);
    }
    while let Some(block) = pending.pop() {
        for to in body.successors(block).filter(|&to| body.layout.is_placed(to)) {
            if !std::mem::replace(&mut is_reached[to.index()], true) {
                pending.push(to);
            }
        }
    }
    let mut gone = 0;
    let mut next = body.layout.entry();
    while let Some(block) = next {
        next = body.layout.next_block(block);
        if !is_reached[block.index()] {
            body.layout.remove_block(block);
            gone += 1;
        }
    }
    gone
}

/// How many pieces there will be of values, wherever one is defined or used.
fn count_pieces<R: SplitRule>(rule: &R, body: &Body, types: &TypePool) -> usize {
    let mut known: FxHashMap<Type, usize> = FxHashMap::default();
    let mut total = 0_usize;
    let mut add = |ty: Type| {
        if !rule.splits(ty) {
            return;
        }
        let pieces = || rule.pieces(types, ty).map_or(0, |pieces| pieces.len());
        total = total.saturating_add(*known.entry(ty).or_insert_with(pieces));
    };
    for (_, exit) in body.exits() {
        exit.types.iter().copied().for_each(&mut add);
    }
    for block in body.layout.blocks() {
        body.params(block).iter().for_each(|&param| add(body.value_type(param)));
        for inst in body.layout.insts(block) {
            let values = body.results(inst).iter().copied().chain(body.uses(inst));
            values.for_each(|value| add(body.value_type(value)));
        }
    }
    total
}

fn needs_splitting<R: SplitRule>(rule: &R, body: &Body, context: &PassContext<'_>) -> bool {
    let is_split = |ty: Type| rule.splits(ty);
    // An exit that no check leaves by takes along what its function takes all the same.
    let mut exits = body.exits().flat_map(|(_, exit)| &exit.types);
    if exits.any(|&ty| is_split(ty)) {
        return true;
    }
    // What is used is a constant, or defined somewhere.
    if body.constants().any(|(_, value)| is_split(body.value_type(value))) {
        return true;
    }
    body.layout.blocks().any(|block| {
        let params = body.params(block).iter();
        params.copied().any(|param| is_split(body.value_type(param)))
            || body.layout.insts(block).any(|inst| {
                let mut results = body.results(inst).iter().copied();
                results.any(|result| is_split(body.value_type(result)))
                    || is_split(body.inst(inst).ty)
                    || changes_signature::<R>(body, context, inst)
                    || rule.concerns(body, context, inst)
            })
    })
}

/// Whether an instruction names a signature that the rule changes.
fn changes_signature<R: SplitRule>(body: &Body, context: &PassContext<'_>, inst: Inst) -> bool {
    let data = body.inst(inst);
    if !data.op.is_call() && data.op != Op::FunctionAddr {
        return false;
    }
    let types = &context.module.types;
    let named = data.function().and_then(|function| context.module.function(function));
    let sig = named.map(|function| function.sig).or(data.ty.signature());
    sig.is_some_and(|sig| !R::FORM.keeps(types.sig(sig)))
}

impl<'a, 'm, R: SplitRule> Splitter<'a, 'm, R> {
    /// What a value has become: itself, if it was not split.
    pub(crate) fn pieces(&mut self, value: Value) -> Pieces {
        if let Some(pieces) = &self.split[value] {
            return pieces.clone();
        }
        let ty = self.editor.body.value_type(value);
        let types = &self.editor.context.module.types;
        let constant = self.editor.body.as_constant(value);
        let constant = constant.filter(|_| self.rule.pieces(types, ty).is_some()).cloned();
        match constant {
            Some(constant) => {
                let pieces = self.rule.constant(&mut self.editor, &constant);
                self.split[value] = Some(pieces.clone());
                pieces
            }
            None => SmallVec::from_elem(value, 1),
        }
    }

    /// The value that another one has become, which has one piece.
    pub(crate) fn piece(&mut self, value: Value) -> Value {
        self.pieces(value).first().copied().unwrap_or(value)
    }

    /// Says what `value` has become.
    pub(crate) fn define(&mut self, value: Value, pieces: Pieces) {
        self.split[value] = Some(pieces);
    }

    /// Says what the only result of `inst` has become.
    pub(crate) fn define_result(&mut self, inst: Inst, pieces: Pieces) {
        if let Some(&result) = self.editor.body.results(inst).first() {
            self.define(result, pieces);
        }
    }

    /// The types of the pieces of a value of `ty`: `ty` itself if it stays whole.
    pub(crate) fn piece_types(&self, ty: Type) -> SmallVec<[Type; 4]> {
        let types = &self.editor.context.module.types;
        self.rule.pieces(types, ty).unwrap_or_else(|| SmallVec::from_elem(ty, 1))
    }

    fn is_split(&self, ty: Type) -> bool {
        self.rule.splits(ty)
    }

    fn split_exits(&mut self) {
        let count = self.editor.body.exits().len();
        for index in 0..count {
            let exit = brolga_ir::entity::Exit::from_u32(index as u32);
            let types = self.editor.body.exit(exit).map_or(&[][..], |exit| &exit.types);
            let types: Vec<Type> = types.iter().flat_map(|&ty| self.piece_types(ty)).collect();
            self.editor.body.set_exit_types(exit, types);
        }
    }

    fn split_params(&mut self, block: Block) {
        let params = self.editor.body.params(block).to_vec();
        if !params.iter().any(|&param| self.is_split(self.editor.body.value_type(param))) {
            return;
        }
        let mut order = Vec::with_capacity(params.len());
        for param in params {
            let ty = self.editor.body.value_type(param);
            if !self.is_split(ty) {
                order.push(param);
                continue;
            }
            let types = self.piece_types(ty);
            let pieces: Pieces =
                types.iter().map(|&ty| self.editor.body.append_param(block, ty)).collect();
            order.extend(&pieces);
            self.define(param, pieces);
        }
        self.editor.body.arrange_params(block, &order);
    }

    fn visit(&mut self, inst: Inst) -> PassResult<()> {
        let body = &*self.editor.body;
        let concerned = self.is_split(body.inst(inst).ty)
            || body.results(inst).iter().any(|&result| self.is_split(body.value_type(result)))
            || body
                .uses(inst)
                .any(|value| self.split[value].is_some() || self.is_split(body.value_type(value)))
            || changes_signature::<R>(body, self.editor.context, inst)
            || self.rule.concerns(body, self.editor.context, inst);
        if !concerned || self.rename_uses(inst) {
            return Ok(());
        }
        self.rewritten += 1;
        self.editor.stand_before(inst);
        let data = *self.editor.body.inst(inst);
        match data.op {
            op if op.is_call() => self.call(inst, data)?,
            Op::Check => self.check(inst, &data),
            Op::FunctionAddr => self.function_addr(inst, &data)?,
            op if op.is_terminator() => {
                self.split_terminator(inst);
                return Ok(());
            }
            _ => R::rewrite(self, inst)?,
        }
        self.editor.body.remove_inst(inst);
        Ok(())
    }

    /// Gives an instruction that stays what it is other operands, if none of
    /// them has changed its type.
    fn rename_uses(&mut self, inst: Inst) -> bool {
        let body = &*self.editor.body;
        let context = &*self.editor.context;
        let stays = !self.is_split(body.inst(inst).ty)
            && !body.results(inst).iter().any(|&result| self.is_split(body.value_type(result)))
            && !changes_signature::<R>(body, context, inst)
            && !self.rule.concerns(body, context, inst);
        let renamed = |value: Value| match &self.split[value] {
            None => Some(value).filter(|_| !self.is_split(body.value_type(value))),
            Some(pieces) => match pieces.as_slice() {
                &[piece] => {
                    Some(piece).filter(|_| body.value_type(piece) == body.value_type(value))
                }
                _ => None,
            },
        };
        if !stays || !body.uses(inst).all(|value| renamed(value).is_some()) {
            return false;
        }
        let split = &self.split;
        self.editor.body.map_uses(inst, |value| {
            split[value].as_ref().and_then(|pieces| pieces.first().copied()).unwrap_or(value)
        });
        true
    }

    fn pass_all(&mut self, values: &[Value]) -> Vec<Value> {
        values.iter().flat_map(|&value| R::pass(self, value)).collect()
    }

    /// Terminators that are no calls keep their place, with other operands.
    fn split_terminator(&mut self, inst: Inst) {
        let args = self.editor.body.args(inst).to_vec();
        let args = self.pass_all(&args);
        self.editor.body.inst_mut(inst).args = self.editor.body.list(&args);
        for index in 0..self.editor.body.targets(inst).len() {
            let target = self.editor.body.targets(inst)[index];
            let target = self.split_target(&target);
            self.editor.body.targets_mut(inst)[index] = target;
        }
    }

    fn split_target(&mut self, target: &Target) -> Target {
        let args = self.editor.body.target_args(target).to_vec();
        let args = self.pass_all(&args);
        self.editor.body.target(target.block, &args)
    }

    fn check(&mut self, inst: Inst, data: &InstData) {
        let args = self.editor.body.args(inst).to_vec();
        let args = self.pass_all(&args);
        self.editor.insert_like(data, &args, &[]);
    }

    fn call(&mut self, inst: Inst, mut data: InstData) -> PassResult<()> {
        let old = self.editor.body.args(inst).to_vec();
        let mut args = self.pass_all(&old);
        if let Some(sig) = data.ty.signature() {
            let changed = self.changed_signature(sig)?;
            if changed != sig && matches!(data.op, Op::CallPtr | Op::TryCallPtr) {
                data.ty = Type::function(changed);
            } else if changed != sig {
                args[0] = self.cast_reference(args[0], sig, changed);
                data.ty = Type::function(changed);
            }
        }
        let results = self.editor.body.results(inst).to_vec();
        let types: Vec<Type> = results
            .iter()
            .flat_map(|&result| self.piece_types(self.editor.body.value_type(result)))
            .collect();
        let edges = self.pass_edges(inst);
        let made = self.editor.insert_like(&data, &args, &types);
        let mut given = self.editor.body.results(made).to_vec().into_iter();
        for result in results {
            let count = self.piece_types(self.editor.body.value_type(result)).len();
            let pieces = given.by_ref().take(count).collect();
            self.define(result, pieces);
        }
        for (index, (block, args)) in edges.into_iter().enumerate() {
            let args: Vec<Value> = args.into_iter().flat_map(|arg| self.arrived(arg)).collect();
            let target = self.editor.body.target(block, &args);
            if let Some(edge) = self.editor.body.targets_mut(made).get_mut(index) {
                *edge = target;
            }
        }
        Ok(())
    }

    /// The edges of a call with their arguments as they cross borders: what
    /// that takes stands before the call. Its results are not there yet.
    fn pass_edges(&mut self, inst: Inst) -> Vec<(Block, Vec<Passed>)> {
        let targets = self.editor.body.targets(inst).to_vec();
        let mut edges = Vec::with_capacity(targets.len());
        for target in targets {
            let args = self.editor.body.target_args(&target).to_vec();
            let pass = |arg: Value| match self.editor.body.value_def(arg) {
                ValueDef::Result(call, _) if call == inst => Passed::Result(arg),
                _ => Passed::Pieces(R::pass(self, arg)),
            };
            edges.push((target.block, args.into_iter().map(pass).collect()));
        }
        edges
    }

    fn arrived(&mut self, passed: Passed) -> Pieces {
        match passed {
            Passed::Pieces(pieces) => pieces,
            // As a function gives them, so an edge passes them.
            Passed::Result(result) => self.pieces(result),
        }
    }

    /// The signature that functions of `sig` have behind the pass.
    fn changed_signature(&mut self, sig: SigId) -> PassResult<SigId> {
        if let Some(&known) = self.signatures.get(&sig) {
            return Ok(known);
        }
        let types = &mut self.editor.context.module.types;
        let signature = R::FORM.signature(types, types.sig(sig));
        let callable = "a function that is called through a reference";
        let changed = types
            .signature(signature)
            .map_err(|error| PassError::signature(callable, error.to_string()))?;
        self.signatures.insert(sig, changed);
        Ok(changed)
    }

    /// A reference to a function of one signature as one of the other. Types
    /// of references keep the signatures that the module has given them, so
    /// that no type within a type changes.
    fn cast_reference(&mut self, reference: Value, from: SigId, to: SigId) -> Value {
        let address = self.editor.op(Op::FunctionToPtr, Type::function(from), &[reference]);
        self.editor.op(Op::PtrToFunction, Type::function(to), &[address])
    }

    fn function_addr(&mut self, inst: Inst, data: &InstData) -> PassResult<()> {
        let Some(declared) = data.ty.signature() else { return Ok(()) };
        let changed = self.changed_signature(declared)?;
        let reference = self.editor.op_like(data, Type::function(changed), &[]);
        let reference = match changed == declared {
            true => reference,
            false => self.cast_reference(reference, changed, declared),
        };
        self.define_result(inst, SmallVec::from_elem(reference, 1));
        Ok(())
    }
}
