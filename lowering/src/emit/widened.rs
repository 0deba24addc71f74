//! Loads of small integers that widen what they read: one instruction of every machine does
//! both, but the back end makes two of a load and a conversion. Some of the bits of what was
//! loaded are taken from the wide number then.

use brolga_ir::body::{Body, ValueDef};
use brolga_ir::entity::{PackedOption, SecondaryMap, Value};
use brolga_ir::op::Op;
use brolga_ir::types::Type;
use cranelift_codegen::ir::{self as machine, InstBuilder, MemFlagsData, types};

use super::function::{Emitter, Instruction};

/// How a load fills the bits above those that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Filling {
    Zeros,
    Sign,
}

/// What loads give as numbers of 64 bits.
#[derive(Debug, Default)]
pub(super) struct Widened {
    /// What is converted of the results of loads and of some of their bits: in the way that
    /// comes first in the body.
    wanted: SecondaryMap<Value, Option<Filling>>,
    /// What they are as numbers of 64 bits, from where they are emitted on.
    made: SecondaryMap<Value, PackedOption<machine::Value>>,
}

impl Widened {
    /// The loads of a body that are converted.
    pub(super) fn new(body: &Body) -> Widened {
        let mut widened = Widened::default();
        for inst in body.layout.all_insts() {
            let Some(filling) = filling(body.inst(inst).op) else { continue };
            let &[converted] = body.args(inst) else { continue };
            if is_load(body, converted) {
                widened.want(converted, filling);
            } else if let Some(loaded) = masked_load(body, converted)
                && filling == Filling::Zeros
            {
                widened.want(loaded, filling);
                widened.want(converted, filling);
            }
        }
        widened
    }

    fn want(&mut self, value: Value, filling: Filling) {
        self.wanted[value].get_or_insert(filling);
    }
}

/// The loaded value of which `value` is some bits.
fn masked_load(body: &Body, value: Value) -> Option<Value> {
    let ValueDef::Result(inst, _) = body.value_def(value) else { return None };
    let &[loaded, mask] = body.args(inst) else { return None };
    let is_masked = body.inst(inst).op == Op::And && body.as_scalar_constant(mask).is_some();
    (is_masked && is_load(body, loaded)).then_some(loaded)
}

fn filling(op: Op) -> Option<Filling> {
    match op {
        Op::Zext => Some(Filling::Zeros),
        Op::Sext => Some(Filling::Sign),
        _ => None,
    }
}

/// Whether a value is an integer of less than 64 bits that fills whole bytes, and loaded.
fn is_load(body: &Body, value: Value) -> bool {
    let is_small = matches!(body.value_type(value), Type::I8 | Type::I16 | Type::I32);
    let ValueDef::Result(inst, _) = body.value_def(value) else { return false };
    is_small && body.inst(inst).op == Op::Load
}

impl Emitter<'_> {
    /// What a load gives, if it is to be widened; what it is as a number of 64 bits is kept.
    pub(super) fn load_widened(
        &mut self,
        instruction: Instruction<'_>,
        address: machine::Value,
        offset: i32,
        flags: MemFlagsData,
    ) -> Option<machine::Value> {
        let &[loaded] = instruction.results else { return None };
        let filling = self.widened.wanted[loaded]?;
        let (address, offset) = self.near(address, offset);
        let ins = self.builder.ins();
        let (narrow, wide) = match (instruction.data.ty, filling) {
            (Type::I8, Filling::Zeros) => {
                (types::I8, ins.uload8(types::I64, flags, address, offset))
            }
            (Type::I8, Filling::Sign) => {
                (types::I8, ins.sload8(types::I64, flags, address, offset))
            }
            (Type::I16, Filling::Zeros) => {
                (types::I16, ins.uload16(types::I64, flags, address, offset))
            }
            (Type::I16, Filling::Sign) => {
                (types::I16, ins.sload16(types::I64, flags, address, offset))
            }
            (Type::I32, Filling::Zeros) => (types::I32, ins.uload32(flags, address, offset)),
            (Type::I32, Filling::Sign) => (types::I32, ins.sload32(flags, address, offset)),
            _ => return None,
        };
        self.widened.made[loaded] = wide.into();
        Some(self.builder.ins().ireduce(narrow, wide))
    }

    /// Some bits of a loaded value, if they are to be widened: taken from the wide number,
    /// whose upper bits the mask has not, and kept so.
    pub(super) fn mask_widened(&mut self, instruction: Instruction<'_>) -> Option<machine::Value> {
        let (&[masked], &[loaded, mask]) = (instruction.results, instruction.args) else {
            return None;
        };
        self.widened.wanted[masked]?;
        let wide = self.widened.made[loaded].expand()?;
        let mask = self.body.as_scalar_constant(mask)?;
        let mask = self.builder.ins().iconst(types::I64, mask as i64);
        let wide = self.builder.ins().band(wide, mask);
        self.widened.made[masked] = wide.into();
        let narrow = super::types::machine_type(instruction.data.ty)?;
        Some(self.builder.ins().ireduce(narrow, wide))
    }

    /// What a conversion gives of which the load has done the work.
    pub(super) fn converted_by_load(
        &mut self,
        instruction: Instruction<'_>,
        to: types::Type,
    ) -> Option<machine::Value> {
        let &[loaded] = instruction.args else { return None };
        let is_done = self.widened.wanted[loaded] == filling(instruction.data.op);
        let wide = self.widened.made[loaded].expand().filter(|_| is_done)?;
        match to {
            types::I64 => Some(wide),
            to if to.bits() < 64 => Some(self.builder.ins().ireduce(to, wide)),
            _ => None,
        }
    }
}
