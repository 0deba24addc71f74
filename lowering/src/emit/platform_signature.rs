//! Signatures of the platform's convention, as the back end is to be given them.

use brolga_ir::types::{Param, Passing, Scalar, Signature, Type};
use cranelift_codegen::ir::{self as machine, AbiParam, Signature as MachineSignature, types};
use cranelift_codegen::isa::CallConv;

use super::code::Code;
use super::types::{SignatureFault, check_words, is_mask, machine_type};
use crate::target::{Allocator, Architecture, Isa};

/// A signature of the platform's convention.
///
/// The back end has its own mind of where arguments stand behind one of 128
/// bits that the registers have no room for. Given them in another order, or
/// one more, it puts them where C does.
pub(super) struct PlatformSignature {
    pub(super) machine: MachineSignature,
    /// Which parameter each of the machine's is; nothing for one that merely
    /// takes up a register.
    order: Vec<Option<usize>>,
}

impl PlatformSignature {
    /// The signature for calls on `isa`.
    pub(super) fn new(signature: &Signature, isa: &Isa) -> Result<Self, SignatureFault> {
        let convention = isa.machine(Allocator::SinglePass).default_call_conv();
        if signature.results.len() > 1 {
            return Err(format!("{} results do not fit the C convention", signature.results.len()));
        }
        let params = abi_params("parameter", &signature.params)?;
        let returns = abi_params("result", &signature.results)?;
        let order = match (convention, isa.spec().architecture()) {
            (CallConv::SystemV, Architecture::X86_64) => order_x86_64(&params),
            (CallConv::SystemV, Architecture::Aarch64) => order_aarch64(&params),
            _ => in_order(&params),
        };
        let filler = AbiParam::new(types::I64);
        let params = order.iter().map(|place| place.map_or(filler, |index| params[index]));
        let params = params.collect();
        let machine = MachineSignature { params, returns, call_conv: convention };
        Ok(PlatformSignature { machine, order })
    }

    /// What to pass for `args`, which are of the parameters.
    pub(super) fn arrange(
        &self,
        code: &mut Code<'_>,
        args: &[machine::Value],
    ) -> Vec<machine::Value> {
        let one = |place: &Option<usize>| match *place {
            Some(index) => args[index],
            None => code.integer(types::I64, 0),
        };
        self.order.iter().map(one).collect()
    }

    /// The parameters, of what was passed.
    pub(super) fn restore(&self, passed: &[machine::Value]) -> Vec<machine::Value> {
        let places = self.order.iter().zip(passed);
        let mut params: Vec<_> =
            places.filter_map(|(place, &value)| Some(((*place)?, value))).collect();
        params.sort_by_key(|&(index, _)| index);
        params.into_iter().map(|(_, value)| value).collect()
    }
}

fn in_order(params: &[AbiParam]) -> Vec<Option<usize>> {
    (0..params.len()).map(Some).collect()
}

/// Registers for integers that a parameter wants.
fn registers(param: &AbiParam) -> usize {
    match param.value_type {
        types::I128 => 2,
        ty => usize::from(ty.is_int()),
    }
}

/// Where one register of six is left, an integer of 128 bits goes to the stack
/// and the next narrower one to the register. The back end would leave it
/// empty: so that one comes first.
fn order_x86_64(params: &[AbiParam]) -> Vec<Option<usize>> {
    let mut order = in_order(params);
    let mut taken = 0;
    for (index, param) in params.iter().enumerate() {
        let wanted = registers(param);
        if taken == 5 && wanted == 2 {
            let next = params[index..].iter().position(|param| registers(param) == 1);
            if let Some(next) = next {
                order[index..=index + next].rotate_right(1);
            }
            break;
        }
        taken += wanted;
    }
    order
}

/// Where one register of eight is left, an integer of 128 bits goes to the
/// stack, and every later one too. The back end would fill the register with
/// the next: so something else does.
fn order_aarch64(params: &[AbiParam]) -> Vec<Option<usize>> {
    let mut order = Vec::with_capacity(params.len() + 1);
    let mut taken = 0;
    for (index, param) in params.iter().enumerate() {
        let wanted = registers(param);
        if wanted == 2 && taken == 7 {
            order.push(None);
        }
        if wanted == 2 {
            // It starts at an even register.
            taken += taken % 2;
        }
        taken += wanted;
        order.push(Some(index));
    }
    order
}

fn abi_params(role: &str, params: &[Param]) -> Result<Vec<AbiParam>, SignatureFault> {
    let one = |(index, param): (usize, &Param)| match platform_type(param.ty) {
        Some(ty) => Ok(extended(ty, *param)),
        None => Err(format!("{role} {index} of type {} does not fit the C convention", param.ty)),
    };
    let params = params.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
    check_words(role, &params)?;
    Ok(params)
}

fn platform_type(ty: Type) -> Option<types::Type> {
    match ty.lane() {
        Some(Scalar::F16 | Scalar::Bf16 | Scalar::X86Fp80 | Scalar::F128) => None,
        _ if is_mask(ty) => None,
        _ => machine_type(ty),
    }
}

fn extended(ty: types::Type, param: Param) -> AbiParam {
    let narrow = ty.is_int() && ty.bits() < 64;
    match param.passing {
        Passing::SignExtended if narrow => AbiParam::new(ty).sext(),
        Passing::ZeroExtended if narrow => AbiParam::new(ty).uext(),
        // C's `bool` is a byte of 0 or 1.
        _ if param.ty == Type::I1 => AbiParam::new(ty).uext(),
        _ => AbiParam::new(ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(text: &str) -> Vec<AbiParam> {
        let ty = |name| match name {
            'w' => types::I128,
            'f' => types::F64,
            'b' => types::I8,
            _ => types::I64,
        };
        text.chars().map(|name| AbiParam::new(ty(name))).collect()
    }

    #[test]
    fn the_last_register_of_x86_64_goes_to_the_next_that_fits() {
        let order = |text| order_x86_64(&params(text)).into_iter().flatten().collect::<Vec<_>>();
        assert_eq!(order("iiiiiwi"), [0, 1, 2, 3, 4, 6, 5]);
        assert_eq!(order("iiifiiwfwbi"), [0, 1, 2, 3, 4, 5, 9, 6, 7, 8, 10]);
        assert_eq!(order("wwiwfbi"), [0, 1, 2, 5, 3, 4, 6]);
        assert_eq!(order("iiiiiwf"), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(order("iiiiwiw"), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(order("iiiiiiwi"), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn the_last_register_of_aarch64_stays_empty_behind_what_it_is_too_small_for() {
        let order = |text| order_aarch64(&params(text));
        let filled = |text: &str, at| {
            let mut order: Vec<_> = (0..text.len()).map(Some).collect();
            order.insert(at, None);
            order
        };
        assert_eq!(order("iiiiiiiwi"), filled("iiiiiiiwi", 7));
        assert_eq!(order("iwiifiwi"), filled("iwiifiwi", 6));
        for whole in ["iiiiiiwi", "iiiiiiiiwi", "iwwwi", "wwwiiw"] {
            assert_eq!(order(whole), in_order(&params(whole)), "{whole}");
        }
    }
}
