//! One function, block by block.

use std::ops::{Deref, DerefMut};

use brolga_ir::body::Body;
use brolga_ir::entity::{
    Block, EntitySet, FuncId, Inst, PackedOption, SecondaryMap, SigId, Slot, Value, dense_map,
};
use brolga_ir::flow::FlowGraph;
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::module::{Function, Module};
use brolga_ir::trap::TrapCode;
use brolga_ir::types::ByValue;
use cranelift_codegen::ir::{
    self as machine, BlockArg, FuncRef, GlobalValue, InstBuilder, SigRef, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use rustc_hash::FxHashMap;

use super::check::ColdExit;
use super::code::{Code, Needs};
use super::cold::cold_blocks;
use super::displaced::Displacement;
use super::entity::MachineSlot;
use super::fault::{Emitted, Fault};
use super::joined::{empty_blocks, joined_blocks};
use super::steady::{Inside, Steady};
use super::types::{internal_signature, machine_type};
use super::values::Recent;
use super::widened::Widened;
use crate::error::{CompileError, place_of};
use crate::level::BackEnd;
use crate::options::{LowerOptions, Polls};
use crate::pipeline::Legal;
use crate::target::Isa;

/// An instruction with its lists at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction<'a> {
    pub(super) data: &'a InstData,
    pub(super) args: &'a [Value],
    pub(super) results: &'a [Value],
}

/// What is the same for the whole function.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) legal: &'a Legal,
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
    pub(super) body: &'a Body,
    pub(super) isa: &'a Isa,
    pub(super) options: &'a LowerOptions,
}

/// Emission of one function.
pub(super) struct Emitter<'a> {
    code: Code<'a>,
    pub(super) legal: &'a Legal,
    pub(super) module: &'a Module,
    pub(super) sig: SigId,
    pub(super) body: &'a Body,
    pub(super) options: &'a LowerOptions,
    pub(super) values: SecondaryMap<Value, PackedOption<machine::Value>>,
    pub(super) blocks: SecondaryMap<Block, PackedOption<machine::Block>>,
    /// The blocks that have none of the back end's.
    pub(super) joined: EntitySet<Block>,
    pub(super) slots: SecondaryMap<Slot, Option<MachineSlot>>,
    pub(super) signatures: FxHashMap<SigId, SigRef>,
    /// The functions that calls have named: the hash of a signature costs as much as a call.
    pub(super) callees: FxHashMap<FuncId, FuncRef>,
    /// The slots by which calls have gone.
    pub(super) entry_slots: FxHashMap<FuncId, GlobalValue>,
    pub(super) cold: Vec<ColdExit<'a>>,
    pub(super) traps: FxHashMap<(TrapCode, Option<u32>), machine::Block>,
    pub(super) exit_values: Option<machine::StackSlot>,
    /// Where the side stack was at the entry, in functions that use it.
    pub(super) side_mark: Option<machine::StackSlot>,
    /// Where the further arguments of calls stand.
    pub(super) further_arguments: Option<machine::StackSlot>,
    /// Where vectors stand while a lane of theirs is accessed by number.
    pub(super) vector_slot: Option<machine::StackSlot>,
    /// The addresses that are left to what uses them.
    pub(super) displaced: SecondaryMap<Value, Option<Displacement>>,
    /// What can be made anywhere and is at hand.
    pub(super) recent: Recent,
    /// What loops find made before them.
    pub(super) steady: Steady,
    /// The compares of floats that are there as masks of vectors.
    pub(super) masks: FxHashMap<Inst, machine::Value>,
    /// The loads that widen what they read.
    pub(super) widened: Widened,
    /// The instruction that is being emitted, for messages.
    pub(super) inst: Inst,
}

impl<'a> Deref for Emitter<'a> {
    type Target = Code<'a>;

    fn deref(&self) -> &Code<'a> {
        &self.code
    }
}

impl<'a> DerefMut for Emitter<'a> {
    fn deref_mut(&mut self) -> &mut Code<'a> {
        &mut self.code
    }
}

/// Emits the function into `into`.
///
/// # Errors
/// [`CompileError::Illegal`], [`CompileError::Unsupported`] and
/// [`CompileError::Signature`].
pub(super) fn emit_function<'a>(
    subject: &Subject<'a>,
    into: &'a mut machine::Function,
    context: &'a mut FunctionBuilderContext,
    needs: &'a mut Needs,
) -> Result<(), CompileError> {
    let signature = subject.module.types.sig(subject.function.sig);
    into.signature = internal_signature(signature.entry_types(), signature.result_types())
        .map_err(|reason| CompileError::Signature {
            callable: format!("@{}", subject.function.name).into(),
            reason: reason.into(),
        })?;
    let graph = FlowGraph::new(subject.body);
    needs.sites.begin(subject.body);
    let code = Code {
        builder: FunctionBuilder::new(into, context),
        needs,
        isa: subject.isa,
        types: &subject.module.types,
        frame: None,
    };
    let emitter = Emitter {
        code,
        legal: subject.legal,
        module: subject.module,
        sig: subject.function.sig,
        body: subject.body,
        options: subject.options,
        values: dense_map(subject.body.value_count()),
        blocks: dense_map(subject.body.block_count()),
        joined: match subject.options.back_end() {
            BackEnd::Quick => joined_blocks(subject.body, &graph),
            BackEnd::Plain | BackEnd::Rewriting => EntitySet::new(),
        },
        slots: SecondaryMap::new(),
        signatures: FxHashMap::default(),
        callees: FxHashMap::default(),
        entry_slots: FxHashMap::default(),
        cold: Vec::new(),
        traps: FxHashMap::default(),
        exit_values: None,
        side_mark: None,
        further_arguments: None,
        vector_slot: None,
        displaced: SecondaryMap::new(),
        recent: Recent::default(),
        masks: FxHashMap::default(),
        widened: Widened::new(subject.body),
        steady: match subject.options.back_end() {
            BackEnd::Plain => Steady::new(subject.body, &graph),
            BackEnd::Quick | BackEnd::Rewriting => Steady::default(),
        },
        inst: Inst::from_u32(0),
    };
    emitter.emit(&graph).map_err(|(inst, fault)| {
        let function = (*subject.function.name).into();
        let place = place_of(subject.body, inst);
        match fault {
            Fault::Illegal(reason) => CompileError::Illegal { function, place, reason },
            Fault::Unsupported(reason) => CompileError::Unsupported { function, place, reason },
        }
    })
}

/// Whether an edge leads back to the block: true of a block of every cycle.
pub(super) fn is_loop_header(graph: &FlowGraph, block: Block) -> bool {
    let number = graph.postorder_number(block);
    let mut predecessors = graph.predecessors(block).iter();
    predecessors.any(|&from| {
        let from = graph.postorder_number(from);
        from.is_some() && from <= number
    })
}

impl<'a> Emitter<'a> {
    fn emit(mut self, graph: &FlowGraph) -> Result<(), (Inst, Fault)> {
        let Some(entry) = self.body.layout.entry() else {
            return Err((self.inst, Fault::illegal("the function has no block")));
        };
        self.inst = self.body.layout.first_inst(entry).unwrap_or(self.inst);
        self.emit_blocks(entry, graph).map_err(|fault| (self.inst, fault))?;
        self.builder.seal_all_blocks();
        let config = self.isa.frontend_config();
        self.code.builder.finalize(config);
        Ok(())
    }

    /// The reachable blocks, definitions before uses.
    fn emit_blocks(&mut self, entry: Block, graph: &FlowGraph) -> Emitted {
        let empty = self.make_blocks(graph)?;
        self.enter(entry)?;
        if self.joined.contains(entry) {
            self.emit_from(entry, graph)?;
        }
        for block in graph.reverse_postorder() {
            let Some(machine) = self.blocks[block].expand() else { continue };
            if self.joined.contains(block) || empty.contains(block) {
                continue;
            }
            self.builder.switch_to_block(machine);
            self.emit_from(block, graph)?;
        }
        self.emit_cold_exits()
    }

    /// A block for each that is reachable and not joined to another, with its parameters; gives
    /// those in whose place others are led to.
    fn make_blocks(&mut self, graph: &FlowGraph) -> Emitted<EntitySet<Block>> {
        let cold = cold_blocks(self.body, graph);
        let led_on = match self.options.back_end() {
            BackEnd::Quick => empty_blocks(self.body, graph, &self.joined),
            BackEnd::Plain | BackEnd::Rewriting => Vec::new(),
        };
        let mut empty = EntitySet::new();
        empty.extend(led_on.iter().map(|&(block, _)| block));
        for block in graph.reverse_postorder() {
            if self.joined.contains(block) || empty.contains(block) {
                continue;
            }
            let machine = self.builder.create_block();
            if cold.contains(block) {
                self.builder.set_cold_block(machine);
            }
            self.blocks[block] = machine.into();
            for &param in self.body.params(block) {
                let ty = self.machine_type_of(param)?;
                self.values[param] = self.builder.append_block_param(machine, ty).into();
            }
        }
        // Those that are led to stand before what leads to them here.
        for (block, target) in led_on {
            self.blocks[block] = self.blocks[target];
        }
        Ok(empty)
    }

    /// What comes before the first block. The back end wants an entry that
    /// nothing jumps to, and slots are to be zeroed once.
    fn enter(&mut self, entry: Block) -> Emitted {
        let block = self.builder.create_block();
        self.builder.append_block_params_for_function_params(block);
        self.builder.switch_to_block(block);
        self.make_slots()?;
        self.enter_side_stack();
        self.count_entry();
        if self.options.polls == Polls::LoopsAndEntries {
            self.poll();
        }
        let params = self.own_params(block)?;
        if self.joined.contains(entry) {
            return self.bind_params(entry, &params);
        }
        let params: Vec<_> = params.into_iter().map(BlockArg::from).collect();
        if let Some(target) = self.blocks[entry].expand() {
            self.builder.ins().jump(target, &params);
        }
        Ok(())
    }

    /// What the body finds as its parameters: the arguments, but copies of the
    /// function's own of what is passed by value.
    fn own_params(&mut self, entry: machine::Block) -> Emitted<Vec<machine::Value>> {
        let mut params = self.builder.block_params(entry).to_vec();
        for ByValue { index, size, align } in self.types.sig(self.sig).by_value() {
            let Some(param) = params.get_mut(index) else { continue };
            let own = self.make_room(size, align)?;
            self.copy_bytes(own, *param, size);
            *param = own;
        }
        Ok(params)
    }

    /// A block and those that are joined to it.
    fn emit_from(&mut self, block: Block, graph: &FlowGraph) -> Emitted {
        let mut next = Some(block);
        while let Some(block) = next {
            self.use_steady(block, Inside::Yes);
            next = self.emit_block(block, graph)?;
            self.use_steady(block, Inside::NoLonger);
        }
        Ok(())
    }

    /// One block; gives the one that is joined to it.
    fn emit_block(&mut self, block: Block, graph: &FlowGraph) -> Emitted<Option<Block>> {
        let body = self.body;
        let Some(last) = body.layout.last_inst(block) else {
            return Err(Fault::illegal(format!("{block} is empty")));
        };
        let polls = self.options.polls == Polls::LoopsAndEntries && is_loop_header(graph, block);
        for (index, inst) in body.layout.insts(block).enumerate() {
            let data = body.inst(inst);
            self.inst = inst;
            let module = self.module;
            let frame = self.needs.sites.frames.frame(module, body, data.loc);
            self.set_frame(frame);
            if index == 0 && polls {
                self.poll();
            }
            if (inst == last) != data.op.is_terminator() {
                return Err(Fault::illegal("a block ends with its only terminator"));
            }
            if inst == last {
                self.make_steady(block)?;
            }
            match &data.payload {
                Payload::Jump(target) if self.is_joined(target) => {
                    self.join(target)?;
                    return Ok(Some(target.block));
                }
                _ => {}
            }
            let instruction =
                Instruction { data, args: body.args(inst), results: body.results(inst) };
            self.emit_instruction(instruction)?;
        }
        Ok(None)
    }

    /// The back end's type of a value.
    pub(super) fn machine_type_of(&self, value: Value) -> Emitted<types::Type> {
        let ty = self.body.value_type(value);
        machine_type(ty).ok_or_else(|| {
            Fault::illegal(format!(
                "{value} of type {} is not legal",
                self.module.types.display(ty)
            ))
        })
    }

    /// Goes on in a new block, which the caller has made a branch to.
    pub(super) fn continue_in(&mut self, block: machine::Block) {
        self.builder.switch_to_block(block);
    }
}
