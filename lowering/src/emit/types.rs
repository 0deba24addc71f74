//! The back end's types for values in legal form.

use brolga_ir::types::{Scalar, Type, TypeKind};
use cranelift_codegen::ir::{AbiParam, Signature as MachineSignature, types};
use cranelift_codegen::isa::CallConv;

use crate::target::MachineType;

/// More words than this overflow what `ret` can pop on x86-64.
pub(super) const MAX_SIGNATURE_WORDS: usize = 4000;

/// The type of a value in registers; nothing for what is not in legal form.
///
/// Beside what the back end computes with there are masks, each the integer
/// vector of as many lanes of 0 or -1, and formats of which it moves the bits.
pub(super) fn machine_type(ty: Type) -> Option<types::Type> {
    if let Some(machine) = MachineType::of(ty) {
        return Some(back_end_type(machine));
    }
    match ty.kind() {
        TypeKind::Scalar(Scalar::X86Fp80 | Scalar::F128) => Some(types::I128),
        TypeKind::Vector(Scalar::I1, 16) => Some(types::I8X16),
        TypeKind::Vector(Scalar::I1, 8) => Some(types::I16X8),
        TypeKind::Vector(Scalar::I1, 4) => Some(types::I32X4),
        TypeKind::Vector(Scalar::I1, 2) => Some(types::I64X2),
        _ => None,
    }
}

const fn back_end_type(ty: MachineType) -> types::Type {
    match ty {
        MachineType::I8 => types::I8,
        MachineType::I16 => types::I16,
        MachineType::I32 => types::I32,
        MachineType::I64 => types::I64,
        MachineType::I128 => types::I128,
        MachineType::F32 => types::F32,
        MachineType::F64 => types::F64,
        MachineType::I8x16 => types::I8X16,
        MachineType::I16x8 => types::I16X8,
        MachineType::I32x4 => types::I32X4,
        MachineType::I64x2 => types::I64X2,
        MachineType::F32x4 => types::F32X4,
        MachineType::F64x2 => types::F64X2,
    }
}

/// Whether `ty` is a mask in legal form.
pub(super) fn is_mask(ty: Type) -> bool {
    ty.is_vector() && ty.lane() == Some(Scalar::I1)
}

/// Why a signature has no counterpart.
pub(super) type SignatureFault = String;

/// The signature of the internal convention, of parameters and results in
/// legal form.
pub(super) fn internal_signature(
    params: impl IntoIterator<Item = Type>,
    results: impl IntoIterator<Item = Type>,
) -> Result<MachineSignature, SignatureFault> {
    let mut machine = MachineSignature::new(CallConv::Tail);
    let all = |role, from: &mut dyn Iterator<Item = Type>, into: &mut Vec<AbiParam>| {
        into.reserve_exact(from.size_hint().0);
        for (index, ty) in from.enumerate() {
            let fault = || format!("{role} {index} of type {ty} is not in legal form");
            into.push(AbiParam::new(machine_type(ty).ok_or_else(fault)?));
        }
        check_words(role, into)
    };
    all("parameter", &mut params.into_iter(), &mut machine.params)?;
    all("result", &mut results.into_iter(), &mut machine.returns)?;
    Ok(machine)
}

/// Whether values fit what the back end can pass.
pub(super) fn check_words(role: &str, params: &[AbiParam]) -> Result<(), SignatureFault> {
    let words: usize =
        params.iter().map(|param| param.value_type.bytes().div_ceil(8) as usize).sum();
    match words > MAX_SIGNATURE_WORDS {
        true => Err(format!("the {role}s take {words} words, the limit is {MAX_SIGNATURE_WORDS}")),
        false => Ok(()),
    }
}
