//! An instruction while it is read, and what becomes of its fields.

use smallvec::SmallVec;

use super::attributes::Attributes;
use super::function::{Argument, FunctionParser};
use crate::attribute::{FloatCond, IntCond, LoopFlags, Order, RmwOp};
use crate::body::SwitchData;
use crate::entity::{Block, DataId, Exit, FuncId, Slot, Value};
use crate::instruction::{Payload, Target};
use crate::op::{Form, Op};
use crate::trap::TrapCode;
use crate::types::Type;

/// The fields of an instruction, as far as they are read.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) op: Op,
    pub(super) suffix: Type,
    pub(super) args: SmallVec<[Value; 4]>,
    pub(super) targets: SmallVec<[(Block, Vec<Argument>); 2]>,
    pub(super) int_cond: IntCond,
    pub(super) float_cond: FloatCond,
    pub(super) order: Order,
    pub(super) failure: Order,
    pub(super) rmw: RmwOp,
    pub(super) slot: Option<Slot>,
    pub(super) data: Option<DataId>,
    pub(super) function: Option<FuncId>,
    pub(super) exit: Option<Exit>,
    pub(super) trap: TrapCode,
    /// A count, an index of a string, or a factor of unrolling.
    pub(super) number: u32,
    pub(super) roots: u32,
    pub(super) loop_flags: LoopFlags,
    pub(super) immediates: Vec<u32>,
    pub(super) cases: Vec<u128>,
    pub(super) attributes: Attributes,
}

impl Draft {
    pub(super) fn new(op: Op, suffix: Type) -> Draft {
        Draft {
            op,
            suffix,
            args: SmallVec::new(),
            targets: SmallVec::new(),
            int_cond: IntCond::Eq,
            float_cond: FloatCond::Oeq,
            order: Order::SequentiallyConsistent,
            failure: Order::SequentiallyConsistent,
            rmw: RmwOp::Exchange,
            slot: None,
            data: None,
            function: None,
            exit: None,
            trap: TrapCode::Unreachable,
            number: 0,
            roots: 0,
            loop_flags: LoopFlags::empty(),
            immediates: Vec::new(),
            cases: Vec::new(),
            attributes: Attributes::default(),
        }
    }
}

impl FunctionParser<'_, '_> {
    /// What the instruction of a draft holds beside its operands.
    pub(super) fn payload(&mut self, draft: &Draft, targets: Vec<Target>) -> Payload {
        let Draft { order, failure, .. } = *draft;
        let access = draft.attributes.access;
        let two = || Some([*targets.first()?, *targets.get(1)?]);
        let made = match draft.op.info().form {
            Form::Values | Form::Variadic | Form::IndirectCall => Some(Payload::None),
            Form::IntCompare => Some(Payload::IntCond(draft.int_cond)),
            Form::FloatCompare => Some(Payload::FloatCond(draft.float_cond)),
            Form::Load | Form::Store | Form::MaskedLoad | Form::MaskedStore | Form::Bulk => {
                Some(Payload::Access(access))
            }
            Form::AtomicLoad | Form::AtomicStore => Some(Payload::Atomic { order, access }),
            Form::AtomicRmw => Some(Payload::AtomicRmw { op: draft.rmw, order, access }),
            Form::AtomicCas => Some(Payload::AtomicCas { order, failure, access }),
            Form::AtomicModify => {
                draft.function.map(|function| Payload::AtomicModify { function, order, access })
            }
            Form::Fence => Some(Payload::Order(order)),
            Form::Slot | Form::SlotLoad | Form::SlotStore => draft.slot.map(Payload::Slot),
            Form::Data | Form::DataLoad | Form::DataStore => draft.data.map(Payload::Data),
            Form::Function | Form::Call => draft.function.map(Payload::Function),
            Form::ForeignCall => {
                let roots = draft.roots;
                draft.function.map(|function| Payload::ForeignCall { function, roots })
            }
            Form::TryCall | Form::TryIndirectCall => {
                let (function, roots) = (draft.function.into(), draft.roots);
                two().map(|targets| Payload::TryCall { function, roots, targets })
            }
            Form::Extract | Form::Insert | Form::Shuffle => {
                Some(Payload::Immediates(self.body.immediate_list(&draft.immediates)))
            }
            Form::Jump => targets.first().copied().map(Payload::Jump),
            Form::Branch | Form::Enter => two().map(Payload::Branch),
            Form::Switch => {
                let cases = draft.cases.clone();
                Some(Payload::Switch(self.body.make_switch(SwitchData { cases, targets })))
            }
            Form::Trap => Some(Payload::Trap(draft.trap)),
            Form::Check => draft.exit.map(Payload::Exit),
            Form::Count => Some(Payload::Count(draft.number)),
            Form::LoopMark => {
                Some(Payload::LoopMark { flags: draft.loop_flags, unroll: draft.number })
            }
            Form::Feature => Some(Payload::Feature(draft.number)),
        };
        // Every field that a form lists was read, or reading gave an error.
        made.unwrap_or(Payload::None)
    }
}
