//! Where execution stops, and what stands behind all blocks because it hardly ever runs.

use brolga_ir::body::ExitKind;
use brolga_ir::entity::{Block, Exit, Loc, PackedOption, Value};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Type, TypePool};
use brolga_lowering::buffer::BufferLayout;
use brolga_lowering::options::{Counting, Fuel, Polls};
use brolga_lowering::runtime::{RecordField, RuntimeEntry};
use brolga_lowering::unit::{Awaited, CALLS_OFFSET, ExitSite, UnitSymbol, ValueShape};

use super::{Buffers, Emitted, Emitter};
use crate::assembler::{ARGUMENTS, Label, Place, Word, condition};
use crate::error::Unsupported;
use crate::key::{Bank, Class};

/// Code that stands behind all blocks.
#[derive(Debug)]
pub(super) struct Cold {
    label: Label,
    loc: PackedOption<Loc>,
    leaving: Leaving,
}

#[derive(Debug, PartialEq, Eq)]
enum Leaving {
    /// Execution stops.
    Trap(TrapCode),
    /// By an exit, with these values.
    Exit(Exit, Vec<Value>),
    /// The budget is used up: comes back, or goes on elsewhere at that block.
    Count(Label, Option<Block>),
    /// The slow path of a poll in that block, which comes back.
    Poll(Label, Option<Block>),
}

/// A place that stops execution with nothing to take along.
pub(super) const fn bare(code: TrapCode) -> ExitSite {
    ExitSite { code, side: None, values: Vec::new() }
}

impl Emitter<'_> {
    /// Stops, here.
    pub(super) fn stop(&mut self, code: TrapCode) {
        self.keep();
        self.raise(bare(code), None);
        self.last = None;
    }

    fn raise(&mut self, exit: ExitSite, values: Option<i32>) {
        let [code, address, ..] = ARGUMENTS;
        self.assembler().number(code, exit.code.number().into());
        match values {
            Some(area) => self.assembler().address(address, Word::Frame(area)),
            None => self.assembler().number(address, 0),
        }
        let place = self.assembler().call();
        self.refer(place, UnitSymbol::Runtime(RuntimeEntry::Raise));
        self.called(Some(exit));
        self.assembler().never();
    }

    /// `check`.
    pub(super) fn check(&mut self, args: &[Value], exit: Exit) -> Emitted {
        let (&condition, values) = args.split_first().ok_or(Unsupported::Op(Op::Check))?;
        self.keep_for(&args[..1]);
        self.truth(condition)?;
        self.leave_unless(condition::NOT_EQUAL, exit, values)?;
        self.last = None;
        Ok(())
    }

    /// Leaves by an exit unless the flags have the condition. Every value is at home by then.
    pub(super) fn leave_unless(&mut self, condition: u8, exit: Exit, values: &[Value]) -> Emitted {
        let unsupported = Unsupported::Op(Op::Check);
        let data = self.body.exit(exit).ok_or(unsupported)?;
        let leaving = match data.kind {
            ExitKind::Trap(code) if values.is_empty() => Leaving::Trap(code),
            ExitKind::Trap(_) | ExitKind::Side(_) => Leaving::Exit(exit, values.to_vec()),
            ExitKind::Deopt(_) => return Err(unsupported),
        };
        let label = self.cold(leaving);
        self.assembler().jump_if(condition ^ 1, label);
        Ok(())
    }

    /// Stops with `code` if the flags have the condition.
    pub(super) fn stop_if(&mut self, condition: u8, code: TrapCode) {
        let label = self.cold(Leaving::Trap(code));
        self.assembler().jump_if(condition, label);
    }

    fn cold(&mut self, leaving: Leaving) -> Label {
        let loc = self.loc;
        if let Some(known) = self.buffers.cold.last()
            && known.loc == loc
            && known.leaving == leaving
        {
            return known.label;
        }
        let label = self.assembler().label();
        self.buffers.cold.push(Cold { label, loc, leaving });
        label
    }

    /// A place where the call can be stopped from outside. Every value is at home by then.
    pub(super) fn poll(&mut self, at: Option<Block>) {
        if self.options.polls == Polls::Off {
            return;
        }
        let back = self.assembler().label();
        let cold = self.cold(Leaving::Poll(back, at));
        if self.options.fuel == Fuel::Counted {
            self.assembler().count_down_record(RecordField::Fuel.offset() as u8);
            self.assembler().jump_if(condition::NEGATIVE, cold);
        }
        self.assembler().test_record(RecordField::PollWord.offset() as u8);
        self.assembler().jump_if(condition::NOT_EQUAL, cold);
        self.assembler().bind(back);
        self.last = None;
    }

    /// Takes one off the budget of the function, which is entered, or on its way back to a
    /// block; its calls are counted beside that. Every value is at home by then.
    pub(super) fn count(&mut self, at: Option<Block>) {
        if self.options.counting == Counting::Omit {
            return;
        }
        if at.is_none() {
            let place = self.assembler().count_up();
            self.refer_before(1 - CALLS_OFFSET, place, UnitSymbol::Budget);
        }
        let back = self.assembler().label();
        let cold = self.cold(Leaving::Count(back, at));
        let place = self.assembler().count_down();
        self.refer_before(1, place, UnitSymbol::Budget);
        self.assembler().jump_if(condition::NEGATIVE, cold);
        self.assembler().bind(back);
        self.last = None;
    }

    /// Asks what is next; goes back, or on with better code, in the place of this one.
    fn ask(&mut self, back: Label, at: Option<Block>) {
        let [block, ..] = ARGUMENTS;
        let number = at.map_or(u64::MAX, |block| block.as_u32().into());
        let here = at.or(self.body.layout.entry());
        // What goes on with this frame finds all values there.
        self.save_residents(here);
        self.assembler().number(block, number);
        self.call_runtime(RuntimeEntry::Tier);
        let leave = self.assembler().label();
        if at.is_some() {
            self.assembler().test_code();
            self.assembler().jump_if(condition::NOT_EQUAL, leave);
        }
        self.restore_floats(here);
        self.assembler().jump(back);
        self.assembler().bind(leave);
        if at.is_some() {
            self.assembler().go_on_with_frame();
            let here = self.assembler().offset();
            self.returns_to(here, None, Awaited::Continuation);
            self.go_back();
        }
    }

    /// Saves what lives in registers at a block in the frame.
    fn save_residents(&mut self, at: Option<Block>) {
        let Buffers { assembler, registers, homes, .. } = &mut *self.buffers;
        for resident in at.into_iter().flat_map(|block| registers.at(block)) {
            let word = homes.word(resident.value);
            assembler.store(resident.place, Word::Frame(word));
        }
    }

    /// Brings what a call has changed of that back.
    fn restore_floats(&mut self, at: Option<Block>) {
        let Buffers { assembler, registers, homes, .. } = &mut *self.buffers;
        for resident in at.into_iter().flat_map(|block| registers.at(block)) {
            if let Place::Float(_) = resident.place {
                let word = homes.word(resident.value);
                assembler.load(resident.place, Word::Frame(word));
            }
        }
    }

    /// What was put off.
    pub(super) fn cold_exits(&mut self) -> Emitted {
        self.last = None;
        let area = self.exit_area()?;
        for Cold { label, loc, leaving } in std::mem::take(&mut self.buffers.cold) {
            self.assembler().bind(label);
            self.loc = loc;
            match leaving {
                Leaving::Trap(code) => {
                    self.raise(bare(code), None);
                }
                Leaving::Exit(exit, values) => self.leave(exit, &values, area)?,
                Leaving::Count(back, at) => self.ask(back, at),
                Leaving::Poll(back, at) => {
                    self.save_residents(at);
                    self.call_runtime(RuntimeEntry::Poll);
                    self.restore_floats(at);
                    self.assembler().jump(back);
                }
            }
        }
        Ok(())
    }

    /// Room for the values of any exit.
    fn exit_area(&mut self) -> Emitted<i32> {
        let mut size = 0;
        for (_, exit) in self.body.exits() {
            size = size.max(layout_of(&exit.types)?.size);
        }
        Ok(if size == 0 { 0 } else { self.buffers.homes.room(size, 16) })
    }

    fn leave(&mut self, exit: Exit, values: &[Value], area: i32) -> Emitted {
        let unsupported = Unsupported::Op(Op::Check);
        let data = self.body.exit(exit).ok_or(unsupported)?;
        let layout = layout_of(&data.types)?;
        for (&value, &offset) in values.iter().zip(&layout.offsets) {
            self.put(value, Word::Frame(area + offset as i32));
        }
        let shapes = data.types.iter().map(|&ty| ValueShape::of(&self.module.types, ty)).collect();
        let (code, side) = match data.kind {
            ExitKind::Trap(code) => (code, None),
            ExitKind::Side(number) => (TrapCode::SideExit, Some(number)),
            ExitKind::Deopt(_) => return Err(unsupported),
        };
        self.raise(ExitSite { code, side, values: shapes }, Some(area));
        Ok(())
    }
}

/// Where the values of an exit stand, which are words or vectors each.
fn layout_of(types: &[Type]) -> Emitted<BufferLayout> {
    let unsupported = Unsupported::Op(Op::Check);
    // Truth values of vectors would stand there as bits.
    let is_stored = |class: Class| class.bank() != Bank::Vector || class.lane() != Class::I1;
    if !types.iter().all(|&ty| Class::of(ty).is_some_and(is_stored)) {
        return Err(unsupported);
    }
    // No word needs a pool of types.
    BufferLayout::of(&TypePool::default(), types.iter().copied()).ok_or(unsupported)
}
