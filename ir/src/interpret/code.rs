//! Bodies decoded for execution: instructions in one row, edges that know
//! where they lead, constants as data.

use std::ops::Range;

use super::eval::{Operation, Shape};
use super::meaning::{Meaning, meaning_of};
use crate::attribute::AccessFlags;
use crate::body::{Body, SlotData, ValueDef};
use crate::datum::Datum;
use crate::entity::{Block, EntityRef, FuncId, Inst, Value};
use crate::instruction::{InstData, Payload};
use crate::module::{Attributes, Function, Module};
use crate::types::{ByValue, MAX_LEAVES, Type, TypePool};

/// The most bytes that the values of an activation may take.
pub(super) const MAX_ACTIVATION_BYTES: u64 = 1 << 28;

/// How many parts of aggregates are copied in about one step. A part that is
/// an aggregate or vector itself takes one alone: it has storage of its own,
/// which measures at about ten times the copying of a scalar.
const PARTS_A_STEP: u64 = 16;

/// Where an operand stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    /// In the activation's register of that number: that of the value.
    Register(u32),
    /// Among the constants.
    Constant(u32),
}

/// One instruction.
pub(super) struct Step<'m> {
    pub(super) inst: Inst,
    pub(super) data: &'m InstData,
    pub(super) meaning: Meaning,
    pub(super) shape: Shape,
    /// The type of the first operand.
    operand: Type,
    pub(super) results: &'m [Value],
    pub(super) immediates: &'m [u32],
    /// Steps beside the one that every instruction takes: for values that are
    /// many to copy.
    pub(super) weight: u64,
    operands: Range<u32>,
    edges: Range<u32>,
}

/// An edge to a block.
#[derive(Clone, Debug)]
pub(super) struct Edge<'m> {
    /// The block's first instruction.
    pub(super) to: u32,
    pub(super) params: &'m [Value],
    operands: Range<u32>,
}

/// A body, decoded.
pub(super) struct Code<'m> {
    pub(super) number: usize,
    pub(super) module: usize,
    pub(super) id: FuncId,
    pub(super) name: &'m str,
    pub(super) types: &'m TypePool,
    pub(super) body: &'m Body,
    pub(super) attributes: &'m Attributes,
    /// Whether it loads what it promises to stay as it is.
    pub(super) promises_invariants: bool,
    pub(super) steps: Vec<Step<'m>>,
    pub(super) params: &'m [Value],
    /// Which of them are passed by value.
    pub(super) passed: Vec<ByValue>,
    pub(super) slots: Vec<SlotData>,
    pub(super) constants: Vec<Datum>,
    /// How many registers an activation has.
    pub(super) registers: usize,
    /// The most bytes that an activation's values take.
    pub(super) bytes: u64,
    operands: Vec<Operand>,
    edges: Vec<Edge<'m>>,
}

impl std::fmt::Debug for Code<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Code(@{}, {} instructions)", self.name, self.steps.len())
    }
}

impl<'m> Code<'m> {
    /// Decodes the body of a function, but for its constants; says what is wrong with a broken one.
    pub(super) fn decode(
        number: usize,
        module: (usize, &'m Module),
        id: FuncId,
        function: &'m Function,
    ) -> Result<Code<'m>, String> {
        let body = function.body.as_deref().ok_or("it has no body")?;
        let entry = body.layout.entry().ok_or("it has no block")?;
        let mut code = Code {
            number,
            module: module.0,
            id,
            name: &function.name,
            types: &module.1.types,
            body,
            attributes: &function.attributes,
            promises_invariants: false,
            steps: Vec::new(),
            params: body.params(entry),
            passed: module.1.types.sig(function.sig).by_value(),
            slots: body.slots().map(|(_, slot)| *slot).collect(),
            constants: Vec::new(),
            registers: body.value_count(),
            bytes: 0,
            operands: Vec::new(),
            edges: Vec::new(),
        };
        code.measure();
        let starts = code.number_blocks()?;
        for block in body.layout.blocks() {
            for inst in body.layout.insts(block) {
                code.push_step(inst, &starts)?;
            }
        }
        Ok(code)
    }

    fn measure(&mut self) {
        let count = self.body.value_count();
        let types = (0..count).map(|index| self.body.value_type(Value::new(index)));
        // For values with more leaves than verified functions have, there is
        // never room.
        let parts = types.map(|ty| match self.types.leaf_count(ty) {
            0..=MAX_LEAVES => self.types.data_count(ty).total(1),
            _ => u64::MAX,
        });
        let parts = parts.fold(0, u64::saturating_add);
        self.bytes = (parts.saturating_add(count as u64)).saturating_mul(size_of::<Datum>() as u64);
    }

    /// How many bytes the parts of the constants take.
    pub(super) fn constant_bytes(&self) -> u64 {
        let parts = self.body.constants().map(|(c, _)| self.types.data_count(c.ty()).total(1));
        parts.fold(0, u64::saturating_add).saturating_mul(size_of::<Datum>() as u64)
    }

    /// Makes the constants, for which there must be room.
    pub(super) fn make_constants(&mut self) {
        let constants = self.body.constants();
        self.constants = constants.map(|(c, _)| Datum::from_constant(self.types, c)).collect();
    }

    /// Where each block starts; `None` for blocks that stand nowhere.
    fn number_blocks(&self) -> Result<Vec<Option<u32>>, String> {
        let mut starts = vec![None; self.body.block_count()];
        let mut next = 0;
        for block in self.body.layout.blocks() {
            let start = starts.get_mut(block.index()).ok_or("a block is of another body")?;
            *start = Some(next);
            next += self.body.layout.insts(block).count() as u32;
            let last = self.body.layout.last_inst(block).map(|inst| self.body.inst(inst).op);
            if !last.is_some_and(|op| op.is_terminator()) {
                return Err(format!("{block} does not end in a terminator"));
            }
        }
        Ok(starts)
    }

    fn push_step(&mut self, inst: Inst, starts: &[Option<u32>]) -> Result<(), String> {
        let data = self.body.inst(inst);
        let args = self.body.args(inst);
        let info = data.op.info();
        self.promises_invariants |=
            data.access().is_some_and(|access| access.flags.contains(AccessFlags::INVARIANT));
        let (given, wanted) = (args.len(), info.operands.len());
        if given < wanted || (given > wanted && !info.form.has_more_operands()) {
            return Err(format!("{} has {given} operands instead of {wanted}", data.op));
        }
        let results = self.body.results(inst);
        if results.len() < info.results.len() {
            return Err(format!("{} lacks a result", data.op));
        }
        let operands = self.push_operands(args)?;
        let first_edge = self.edges.len() as u32;
        for target in self.body.targets(inst) {
            let edge = self.edge(target.block, self.body.target_args(target), starts)?;
            self.edges.push(edge);
        }
        let immediates = match data.payload {
            Payload::Immediates(list) => self.body.immediates(list),
            _ => &[],
        };
        let edge_args = self.body.targets(inst).iter().flat_map(|t| self.body.target_args(t));
        let values = args.iter().chain(results).chain(edge_args);
        let types = values.map(|&value| self.body.value_type(value));
        let copied = types.map(|ty| self.types.data_count(ty).total(PARTS_A_STEP));
        let weight = copied.fold(0, u64::saturating_add) / PARTS_A_STEP;
        let operand = args.first().map_or(Type::NONE, |&value| self.body.value_type(value));
        let payload = &data.payload;
        let operation = Operation { op: data.op, ty: data.ty, operand, payload, immediates };
        self.steps.push(Step {
            inst,
            data,
            meaning: meaning_of(data.op),
            shape: operation.shape(),
            operand,
            weight,
            results,
            immediates,
            operands,
            edges: first_edge..self.edges.len() as u32,
        });
        Ok(())
    }

    fn push_operands(&mut self, values: &[Value]) -> Result<Range<u32>, String> {
        let start = self.operands.len() as u32;
        for &value in values {
            let operand = match self.body.value_def(value) {
                ValueDef::Constant(index) => Operand::Constant(index),
                ValueDef::Param(..) | ValueDef::Result(..) => Operand::Register(value.as_u32()),
                ValueDef::Unused => return Err(format!("{value} is not defined")),
            };
            self.operands.push(operand);
        }
        Ok(start..self.operands.len() as u32)
    }

    fn edge(
        &mut self,
        block: Block,
        args: &[Value],
        starts: &[Option<u32>],
    ) -> Result<Edge<'m>, String> {
        let start = starts.get(block.index()).copied().flatten();
        let to = start.ok_or_else(|| format!("{block} stands nowhere"))?;
        let params = self.body.params(block);
        if params.len() != args.len() {
            return Err(format!("{block} takes {} values, not {}", params.len(), args.len()));
        }
        Ok(Edge { to, params, operands: self.push_operands(args)? })
    }

    pub(super) fn operands(&self, step: &Step<'m>) -> &[Operand] {
        &self.operands[step.operands.start as usize..step.operands.end as usize]
    }

    pub(super) fn edges(&self, step: &Step<'m>) -> &[Edge<'m>] {
        &self.edges[step.edges.start as usize..step.edges.end as usize]
    }

    pub(super) fn edge_operands(&self, edge: &Edge<'m>) -> &[Operand] {
        &self.operands[edge.operands.start as usize..edge.operands.end as usize]
    }
}

impl Step<'_> {
    pub(super) fn operation(&self) -> Operation<'_> {
        Operation {
            op: self.data.op,
            ty: self.data.ty,
            operand: self.operand,
            payload: &self.data.payload,
            immediates: self.immediates,
        }
    }
}
