//! A module with calls as a text that LLVM's tools run: each call from outside
//! is a function of ours, which leaves by an exit that takes the results along.

use std::fmt::Write as _;

use brolga_ir::attribute::FloatCond;
use brolga_ir::body::{Body, ExitData, ExitKind};
use brolga_ir::constant::Constant;
use brolga_ir::datum::Datum;
use brolga_ir::entity::{Block, FuncId, Inst, Value};
use brolga_ir::instruction::{InstData, Payload};
use brolga_ir::llvm::{constructors, destructors, write_module};
use brolga_ir::module::{Content, DataItem, DataObject, Inlining, Linkage, Module};
use brolga_ir::op::Op;
use brolga_ir::trap::TrapCode;
use brolga_ir::types::{Scalar, Signature, Type, TypePool};

use super::Reset;
use crate::generate::Call;

/// The code of the exit by which results leave: no trap of a program without a host.
pub(super) const RETURNED: TrapCode = TrapCode::HostError;

/// The text of a program that makes the calls.
///
/// # Errors
/// What cannot be written.
pub(super) fn program(module: &Module, calls: &[Call], reset: Reset) -> Result<String, String> {
    let mut whole = module.clone();
    keep_nans(&mut whole);
    hide_odd_vectors(&mut whole);
    keep_from_running(&mut whole);
    for (number, call) in calls.iter().enumerate() {
        add_call(&mut whole, number, call)?;
    }
    let mut text = write_module(&whole).map_err(|error| error.to_string())?;
    push_driver(&mut text, module, calls.len(), reset);
    Ok(text)
}

/// Leaves constructors and destructors to be called as other functions are.
fn keep_from_running(module: &mut Module) {
    let lists = [constructors(module), destructors(module)].concat();
    for (_, id) in lists {
        if let Some(function) = module.function_mut(id) {
            function.linkage = Linkage::Local;
        }
    }
}

/// Gives square roots no number below zero, but NaN. Where code puts a NaN of its
/// own in place of the NaN of such a root, LLVM finds that one is as good as the
/// other: their bits differ.
fn keep_nans(module: &mut Module) {
    for_each_inst(module, |body, inst| {
        if body.inst(inst).op == Op::Fsqrt {
            // Every type of floats has both constants and a mask.
            let _ = keep_nan(body, inst);
        }
    });
}

/// Calls `change` for every instruction that the module has now.
fn for_each_inst(module: &mut Module, mut change: impl FnMut(&mut Body, Inst)) {
    let ids: Vec<FuncId> = module.functions().map(|(id, _)| id).collect();
    for id in ids {
        let Some(body) = module.function_mut(id).and_then(|it| it.body.as_mut()) else { continue };
        let insts: Vec<Inst> = body.layout.all_insts().collect();
        insts.into_iter().for_each(|inst| change(body, inst));
    }
}

/// Puts NaN in place of what is below zero before the square root is taken.
fn keep_nan(body: &mut Body, root: Inst) -> Option<()> {
    let ty = body.inst(root).ty;
    let (&number, lane) = (body.args(root).first()?, ty.lane()?);
    let bits: u128 = match lane {
        Scalar::F16 => 0x7e00,
        Scalar::Bf16 => 0x7fc0,
        Scalar::F32 => 0x7fc0_0000,
        _ => 0x7ff8 << 48,
    };
    let nan = match ty.is_vector() {
        true => Constant::vector(ty, (0..ty.lanes()).map(|_| bits)),
        false => Constant::scalar(ty, bits),
    }?;
    let (nan, zero) = (body.constant(nan), body.constant(Constant::zero(ty)?));
    let (operands, mask) = (body.list(&[number, zero]), ty.as_mask()?);
    let below = Payload::FloatCond(FloatCond::Ult);
    let compare = InstData::new(Op::Fcmp, ty, operands, below);
    let compare = body.insert_inst(root, compare, &[mask]);
    let condition = body.result(compare)?;
    let choose = if ty.is_vector() { Op::VecSelect } else { Op::Select };
    let operands = body.list(&[condition, nan, number]);
    let chosen = InstData::new(choose, ty, operands, Payload::None);
    let chosen = body.insert_inst(root, chosen, &[ty]);
    let operand = body.result(chosen)?;
    let operands = body.list(&[operand]);
    body.inst_mut(root).args = operands;
    Some(())
}

/// Hides constants of 3, 5, 6, … lanes from LLVM. It takes objects apart into as many
/// pieces as suits the accesses, and folds casts between vectors for that; where neither
/// number of lanes divides the other it leaves lanes out: of `<5 x half>` as `<2 x i40>`,
/// the first two halves make the first number, and the fifth one is lost.
fn hide_odd_vectors(module: &mut Module) {
    for_each_inst(module, hide_odd_operands);
}

fn hide_odd_operands(body: &mut Body, inst: Inst) {
    let is_odd = |&value: &Value| {
        let ty = body.value_type(value);
        body.as_constant(value).is_some() && ty.is_vector() && !ty.lanes().is_power_of_two()
    };
    let mut odd: Vec<Value> = body.uses(inst).filter(is_odd).collect();
    odd.sort_unstable();
    odd.dedup();
    for value in odd {
        let (ty, operands) = (body.value_type(value), body.list(&[value]));
        let data = InstData::new(Op::Opaque, ty, operands, Payload::None);
        let hidden = body.insert_inst(inst, data, &[ty]);
        if let Some(hidden) = body.result(hidden) {
            body.map_uses(inst, |used| if used == value { hidden } else { used });
        }
    }
}

/// The name of the function that makes a call.
pub(super) fn name_of(number: usize) -> String {
    format!("brolga.test.call{number}")
}

/// A function that makes a call, and stops.
fn add_call(module: &mut Module, number: usize, call: &Call) -> Result<(), String> {
    let callee = module.function_named(&call.function);
    let callee = callee.ok_or_else(|| format!("there is no @{}", call.function))?;
    let signature = module.signature_of(callee).clone();
    let results: Vec<Type> = signature.result_types().collect();
    let mut body = Body::default();
    let block = body.make_block();
    body.layout.append_block(block);
    let args: Vec<Value> = signature
        .param_types()
        .zip(&call.args)
        .map(|(ty, datum)| value_of(&mut body, block, &module.types, ty, datum))
        .collect::<Option<_>>()
        .ok_or("an argument has no text")?;
    let args = body.list(&args);
    let data = InstData::new(Op::Call, Type::NONE, args, Payload::Function(callee));
    let inst = body.append_inst(block, data, &results);
    let never = Constant::zero(Type::I1).map(|zero| body.constant(zero));
    let taken: Vec<Value> = never.into_iter().chain(body.results(inst).iter().copied()).collect();
    let exit = body.make_exit(ExitData { kind: ExitKind::Trap(RETURNED), types: results });
    let taken = body.list(&taken);
    let check = InstData::new(Op::Check, Type::NONE, taken, Payload::Exit(exit));
    body.append_inst(block, check, &[]);
    let none = body.list(&[]);
    let end = InstData::new(Op::Unreachable, Type::NONE, none, Payload::None);
    body.append_inst(block, end, &[]);
    let sig = module.types.signature(Signature::default()).map_err(|error| error.to_string())?;
    let id = module.declare_function(&name_of(number), sig, Linkage::Local);
    let id = id.map_err(|error| error.to_string())?;
    if let Some(function) = module.function_mut(id) {
        function.body = Some(Box::new(body));
        // Inlining all of a program into its calls makes it no harder to get wrong.
        function.attributes.inlining = Inlining::Never;
    }
    Ok(())
}

/// A value of that content.
fn value_of(
    body: &mut Body,
    block: Block,
    types: &TypePool,
    ty: Type,
    datum: &Datum,
) -> Option<Value> {
    match datum {
        Datum::Scalar(bits) => Constant::scalar(ty, *bits).map(|constant| body.constant(constant)),
        Datum::Lanes(lanes) => {
            let constant = Constant::vector(ty, lanes.iter().copied());
            constant.map(|constant| body.constant(constant))
        }
        Datum::Fields(fields) => {
            let parts: Vec<Value> = (0..)
                .zip(fields)
                .map(|(index, field)| value_of(body, block, types, types.field(ty, index)?, field))
                .collect::<Option<_>>()?;
            let parts = body.list(&parts);
            let data = InstData::new(Op::MakeAggregate, ty, parts, Payload::None);
            let inst = body.append_inst(block, data, &[ty]);
            body.result(inst)
        }
    }
}

/// Whether a data object is compared after the last call.
pub(super) fn is_compared(object: &DataObject) -> bool {
    is_defined(object) && !object.items.iter().any(|it| matches!(it, DataItem::Address { .. }))
}

fn is_defined(object: &DataObject) -> bool {
    object.linkage.is_defined_here()
}

/// The main function, and what it hands to the loop over all calls.
fn push_driver(text: &mut String, module: &Module, calls: usize, reset: Reset) {
    let calls: Vec<String> = (0..calls).map(|number| format!("ptr @{}", name_of(number))).collect();
    let count = calls.len();
    let is_reset = reset == Reset::EachCall;
    let mut objects = String::new();
    for (_, object) in module.data_objects().filter(|(_, object)| is_defined(object)) {
        let is_mutable = object.content == Content::Mutable;
        let kind = u32::from(is_mutable) + if is_compared(object) { 2 } else { 0 };
        let (name, size) = (escaped(&object.name), object.size);
        // Writing to a string does not fail.
        let _ = writeln!(objects, "  call void %visit(ptr @\"{name}\", i64 {size}, i32 {kind})");
    }
    let _ = write!(
        text,
        "
@brolga.test.calls = internal constant [{count} x ptr] [{}]
define internal void @brolga.test.objects(ptr %visit) {{
{objects}  ret void
}}
declare i32 @brolga.test.run(ptr, ptr, i64, ptr, i1)
define i32 @brolga.test.main(i32 %count, ptr %arguments) {{
  %place = getelementptr ptr, ptr %arguments, i64 1
  %path = load ptr, ptr %place
  %status = call i32 @brolga.test.run(ptr %path, ptr @brolga.test.calls, i64 {count}, ptr @brolga.test.objects, i1 {is_reset})
  ret i32 %status
}}
",
        calls.join(", ")
    );
}

/// A name as it stands in quotes.
fn escaped(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'"' && byte != b'\\';
    name.bytes()
        .map(
            |byte| if plain(byte) { char::from(byte).to_string() } else { format!("\\{byte:02X}") },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use brolga_ir::text::parse_module;

    use super::*;

    #[test]
    fn constants_of_odd_lanes_pass_through_memory_that_llvm_may_not_look_into() {
        let module = parse_module(
            "func @f(ptr) {\nblock0(%0: ptr):\n store.i32x3 <1, 2, 3>, %0\n \
             store.i32x4 <1, 2, 3, 4>, %0\n return\n}\n",
        );
        let text = program(&module.unwrap(), &[], Reset::Never).unwrap();
        assert!(text.contains("store volatile <3 x i32> <i32 1"), "{text}");
        assert!(
            !text.contains("store <3 x i32> <") && text.contains("store <4 x i32> <"),
            "{text}"
        );
    }
}
