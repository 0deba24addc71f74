//! Slots, exits, locations and scopes of a function.

use brolga_ir::body::{ExitData, ExitKind, Initial, LocData, SlotData, TEXT_FILE};
use brolga_ir::entity::{EntityRef, FuncId, Loc, Slot};
use brolga_ir::instruction::Payload;
use brolga_ir::module::Module;
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;

use super::instruction::{some_type, some_value};
use super::{Mutation, at_inst, in_body, some_inst};
use crate::random::Random;

pub(super) const MUTATIONS: &[Mutation] =
    &[change_slot, add_slot, other_exit, other_exit, other_location, dangling_location];

fn change_slot(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        let slot = Slot::new(random.below(3));
        if let Some(data) = body.slot_mut(slot) {
            match random.below(3) {
                0 => data.size = random.bits() as u32 >> random.below(32),
                1 => data.align_log2 = random.below(16) as u8,
                _ => data.initial = Initial::Uninit,
            }
        }
    });
}

fn add_slot(random: &mut Random, module: &mut Module) {
    in_body(random, module, |random, body| {
        body.make_slot(SlotData::new(random.bits() as u32 >> random.below(32)));
    });
}

/// A check with another exit, which takes along what it is given, or not.
fn other_exit(random: &mut Random, module: &mut Module) {
    let ty = some_type(random, module);
    let functions = module.functions().len();
    in_body(random, module, |random, body| {
        let Some(inst) = some_inst(random, body, |op| op == Op::Check) else { return };
        let kind = match random.below(3) {
            0 => ExitKind::Trap(TrapCode::Bounds),
            1 => ExitKind::Side(3),
            _ => ExitKind::Deopt(FuncId::new(random.below(functions + 1))),
        };
        let mut args = body.args(inst).to_vec();
        if random.percent(60) {
            args.push(some_value(random, body));
        }
        let mut types: Vec<_> = args.iter().skip(1).map(|&arg| body.value_type(arg)).collect();
        if random.percent(30) {
            types.push(ty);
        }
        let exit = body.make_exit(ExitData { kind, types });
        let list = body.list(&args);
        let data = body.inst_mut(inst);
        (data.args, data.payload) = (list, Payload::Exit(exit));
    });
}

fn other_location(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        let inlined_at = Loc::new(random.below(1 << 12));
        let loc = body.make_loc(LocData {
            file: if random.percent(50) { TEXT_FILE } else { random.below(1 << 10) as u32 },
            line: random.below(3) as u32,
            column: 0,
            function: random.percent(50).then(|| random.below(1 << 10) as u32),
            inlined_at: random.percent(50).then_some(inlined_at).into(),
        });
        body.inst_mut(inst).loc = loc.into();
    });
}

fn dangling_location(random: &mut Random, module: &mut Module) {
    at_inst(random, module, |random, body, inst| {
        body.inst_mut(inst).loc = Loc::new(random.below(1 << 20)).into();
    });
}
