//! Exits: code that is hardly ever run, and stands behind the rest.

use brolga_ir::body::ExitKind;
use brolga_ir::entity::{Exit, Inst, Value};
use brolga_ir::instruction::Payload;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Type, TypePool};
use cranelift_codegen::ir::{self as machine, InstBuilder, StackSlotData, StackSlotKind, types};

use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use super::memory::aligned;
use super::pieces::pieces;
use crate::buffer::BufferLayout;
use crate::level::BackEnd;
use crate::options::{Counting, Fuel, Polls};
use crate::runtime::{RecordField, RuntimeEntry};
use crate::unit::{ExitSite, UnitSymbol, ValueShape};

/// A block that is emitted after all others.
#[derive(Debug)]
pub(super) struct ColdExit<'a> {
    block: machine::Block,
    inst: Inst,
    frame: Option<u32>,
    leaving: Leaving<'a>,
}

#[derive(Debug)]
enum Leaving<'a> {
    /// Execution stops.
    Trap(TrapCode),
    /// By an exit of the function, with these values.
    Exit(Exit, ExitKind, &'a [Value]),
    /// The budget is used up.
    Count { back: machine::Block },
    /// The slow path of a poll, which comes back.
    Poll { back: machine::Block },
}

impl<'a> Emitter<'a> {
    /// Stops with `code` if `condition` is not 0, else goes on.
    pub(super) fn trap_if(&mut self, condition: machine::Value, code: TrapCode) {
        let (cold, next) = (self.trap_block(code), self.builder.create_block());
        self.builder.ins().brif(condition, cold, &[], next, &[]);
        self.continue_in(next);
    }

    /// Stops with `code` if `condition` is 0, else goes on.
    pub(super) fn trap_unless(&mut self, condition: machine::Value, code: TrapCode) {
        let (cold, next) = (self.trap_block(code), self.builder.create_block());
        self.builder.ins().brif(condition, next, &[], cold, &[]);
        self.continue_in(next);
    }

    /// The block that stops with `code` on behalf of the current source
    /// location: one for all instructions of that location.
    fn trap_block(&mut self, code: TrapCode) -> machine::Block {
        if let Some(&block) = self.traps.get(&(code, self.frame)) {
            return block;
        }
        let block = self.cold_block(Leaving::Trap(code));
        self.traps.insert((code, self.frame), block);
        block
    }

    fn cold_block(&mut self, leaving: Leaving<'a>) -> machine::Block {
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        self.cold.push(ColdExit { block, inst: self.inst, frame: self.frame, leaving });
        block
    }

    /// `check`.
    pub(super) fn check(&mut self, instruction: Instruction<'a>) -> Emitted {
        let Payload::Exit(exit) = instruction.data.payload else {
            return Err(Fault::illegal("it names no exit"));
        };
        let body = self.body;
        let data = body.exit(exit).ok_or_else(|| Fault::illegal(format!("there is no {exit}")))?;
        let condition = self.arg(instruction, 0)?;
        let values = instruction.args.get(1..).unwrap_or(&[]);
        // Values of no leaves are taken along, though none is stored.
        let bare = self.legal.declared_exit(exit).map_or(values.is_empty(), <[_]>::is_empty);
        match data.kind {
            ExitKind::Trap(code) if bare => self.trap_unless(condition, code),
            _ => {
                let cold = self.cold_block(Leaving::Exit(exit, data.kind, values));
                let next = self.builder.create_block();
                self.builder.ins().brif(condition, next, &[], cold, &[]);
                self.continue_in(next);
            }
        }
        Ok(())
    }

    /// `trap` and `unreachable`: the rest of the block is cold already. Where code is made
    /// quickly, a jump to a block of its own costs more than it keeps out of the way.
    pub(super) fn trap(&mut self, code: TrapCode) {
        let is_known = self.traps.contains_key(&(code, self.frame));
        if self.options.back_end() == BackEnd::Quick && !is_known {
            return self.raise(ExitSite { code, side: None, values: Vec::new() }, None);
        }
        let block = self.trap_block(code);
        self.builder.ins().jump(block, &[]);
    }

    /// A place where the call can be stopped from outside.
    pub(super) fn poll(&mut self) {
        if self.options.polls == Polls::Off {
            return;
        }
        let word = self.load_record(RecordField::PollWord);
        let wanted = match self.options.fuel {
            Fuel::Unlimited => word,
            Fuel::Counted => self.count_poll(word),
        };
        let back = self.builder.create_block();
        let cold = self.cold_block(Leaving::Poll { back });
        self.builder.ins().brif(wanted, cold, &[], back, &[]);
        self.continue_in(back);
    }

    /// Takes one off the fuel: not 0 if that was the last, or if `word` is not.
    fn count_poll(&mut self, word: machine::Value) -> machine::Value {
        let fuel = self.load_record(RecordField::Fuel);
        let one = self.builder.ins().iconst(types::I64, 1);
        let left = self.builder.ins().isub(fuel, one);
        self.store_record(RecordField::Fuel, left);
        let zero = self.builder.ins().iconst(types::I64, 0);
        let empty = self.builder.ins().icmp(machine::condcodes::IntCC::SignedLessThan, left, zero);
        let called = self.builder.ins().icmp(machine::condcodes::IntCC::NotEqual, word, zero);
        self.builder.ins().bor(empty, called)
    }

    /// Takes one off the budget of the function, which is entered.
    pub(super) fn count_entry(&mut self) {
        if self.options.counting == Counting::Omit {
            return;
        }
        let budget = self.symbol_address(UnitSymbol::Budget);
        let count = self.builder.ins().load(types::I32, aligned(), budget, 0);
        let one = self.builder.ins().iconst(types::I32, 1);
        let left = self.builder.ins().isub(count, one);
        self.builder.ins().store(aligned(), left, budget, 0);
        let zero = self.builder.ins().iconst(types::I32, 0);
        let empty = self.builder.ins().icmp(machine::condcodes::IntCC::SignedLessThan, left, zero);
        let back = self.builder.create_block();
        let cold = self.cold_block(Leaving::Count { back });
        self.builder.ins().brif(empty, cold, &[], back, &[]);
        self.continue_in(back);
    }

    /// Emits the blocks that were put off. None of them asks for another.
    pub(super) fn emit_cold_exits(&mut self) -> Emitted {
        for exit in std::mem::take(&mut self.cold) {
            self.builder.switch_to_block(exit.block);
            self.inst = exit.inst;
            self.set_frame(exit.frame);
            match exit.leaving {
                Leaving::Trap(code) => {
                    self.raise(ExitSite { code, side: None, values: Vec::new() }, None);
                }
                Leaving::Exit(exit, kind, values) => self.leave(exit, kind, values)?,
                Leaving::Count { back } => {
                    let entry = self.builder.ins().iconst(types::I64, -1);
                    self.call_runtime(RuntimeEntry::Tier, &[entry]);
                    self.builder.ins().jump(back, &[]);
                }
                Leaving::Poll { back } => {
                    self.call_runtime(RuntimeEntry::Poll, &[]);
                    self.builder.ins().jump(back, &[]);
                }
            }
        }
        Ok(())
    }

    fn leave(&mut self, exit: Exit, kind: ExitKind, values: &[Value]) -> Emitted {
        match kind {
            ExitKind::Trap(code) => self.leave_with_values(exit, (code, None), values),
            ExitKind::Side(number) => {
                self.leave_with_values(exit, (TrapCode::SideExit, Some(number)), values)
            }
            ExitKind::Deopt(handler) => {
                let args = self.values_of(values)?;
                self.return_to(handler, &args)
            }
        }
    }

    /// Stores the values where the runtime finds them, then stops.
    fn leave_with_values(
        &mut self,
        exit: Exit,
        (code, side): (TrapCode, Option<u32>),
        values: &[Value],
    ) -> Emitted {
        let shapes = self.exit_shapes(exit)?;
        let (leaves, layout) = exit_layout(&shapes)?;
        let slot = self.exit_slot()?;
        let address = self.builder.ins().stack_addr(types::I64, slot, 0);
        let types = self.types;
        let places = leaves.into_iter().zip(&layout.offsets);
        let pieces: Vec<_> =
            places.flat_map(|(leaf, &offset)| pieces(types, leaf, offset)).collect();
        if pieces.len() != values.len() {
            let (has, wants) = (values.len(), pieces.len());
            return Err(Fault::illegal(format!("it has {has} exit values instead of {wants}")));
        }
        for (piece, &value) in pieces.into_iter().zip(values) {
            let value = self.value(value)?;
            self.store_piece(piece, value, address)?;
        }
        self.raise(ExitSite { code, side, values: shapes }, Some(address));
        Ok(())
    }

    /// What the exit takes along, as the function was written.
    fn exit_shapes(&self, exit: Exit) -> Emitted<Vec<ValueShape>> {
        if let Some(declared) = self.legal.declared_exit(exit) {
            return Ok(declared.to_vec());
        }
        let data = self.body.exit(exit);
        let data = data.ok_or_else(|| Fault::illegal(format!("there is no {exit}")))?;
        Ok(data.types.iter().map(|&ty| ValueShape::of(self.types, ty)).collect())
    }

    /// One slot for all exits of the function, made at first use.
    fn exit_slot(&mut self) -> Emitted<machine::StackSlot> {
        if let Some(slot) = self.exit_values {
            return Ok(slot);
        }
        let body = self.body;
        let mut size = 0;
        for (exit, _) in body.exits() {
            size = size.max(exit_layout(&self.exit_shapes(exit)?)?.1.size);
        }
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4);
        let slot = self.builder.create_sized_stack_slot(data);
        self.exit_values = Some(slot);
        Ok(slot)
    }
}

/// The leaves of what an exit takes along, and where they are stored.
fn exit_layout(shapes: &[ValueShape]) -> Emitted<(Vec<Type>, BufferLayout)> {
    let mut leaves = Vec::new();
    shapes.iter().for_each(|shape| shape.append_leaves(&mut leaves));
    let layout = BufferLayout::of(&TypePool::default(), leaves.iter().copied());
    let layout = layout.ok_or_else(|| Fault::unsupported("the exit's values take 4 GiB"))?;
    Ok((leaves, layout))
}
