//! The platform's convention, by which C functions are called and call back:
//! what becomes of each value on its way.
//!
//! The back end knows registers and the order of arguments on the stack, and
//! little of what C makes of its types. So places are found here, and the back
//! end is given a signature that leaves it no choice: registers first, those
//! that nothing is passed in included once there is anything on the stack.

mod incoming;
mod outgoing;
mod place;
mod variadic;
mod x87;

use brolga_ir::types::{Arity, Param, Passing, Scalar, Signature, Type};
use cranelift_codegen::ir::{AbiParam, types};
use cranelift_codegen::isa::CallConv;

use super::types::{MAX_SIGNATURE_WORDS, SignatureFault, check_words, machine_type};
use crate::target::Isa;
use place::{ByValue, Place, Placer, ResultAddress, Rules, Shape, X87};

/// More bytes than this of arguments on the stack are refused.
const MAX_STACK_BYTES: u32 = 8 * MAX_SIGNATURE_WORDS as u32;

/// How a value goes between compiled code and C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carrier {
    /// As it is.
    Own,
    /// A float of 16 bits, in the low half of one of 32.
    Half,
    /// At most eight bytes of a vector, as a float of 64 bits.
    Low,
    /// A float of 128 bits, as a vector.
    Quad,
    /// As so many bytes on the stack.
    Bytes(u32),
    /// As the address of a copy of so many bytes, aligned to the power of two.
    Copy(u32, u8),
    /// As the address that the callee puts its result at.
    ResultAddress,
    /// A float of the x87 unit: on the stack, or given back in its registers.
    Extended,
}

/// A parameter or result.
#[derive(Clone, Copy, Debug)]
struct Passed {
    ty: Type,
    passing: Passing,
    carrier: Carrier,
    /// Where it is passed; nothing where the back end knows, and for results.
    place: Option<Place>,
}

/// A signature of the platform's convention on one target.
#[derive(Debug)]
pub(super) struct PlatformSignature {
    convention: CallConv,
    rules: Option<&'static Rules>,
    params: Vec<Passed>,
    results: Vec<Passed>,
    arity: Arity,
    /// The registers that the parameters take, and bytes of stack.
    integers: u32,
    vectors: u32,
    stack: u32,
}

impl PlatformSignature {
    /// The signature, whose types are in legal form.
    pub(super) fn of(
        signature: &Signature,
        isa: &Isa,
    ) -> Result<PlatformSignature, SignatureFault> {
        let rules = place::rules(isa.spec());
        let all = |role, params: &[Param]| -> Result<Vec<Passed>, SignatureFault> {
            let one = |(index, param): (usize, &Param)| {
                let fault = || {
                    let what = display(param);
                    format!("{role} {index} of type {what} does not fit the C convention")
                };
                let carrier = carrier(param, rules).ok_or_else(fault)?;
                Ok(Passed { ty: param.ty, passing: param.passing, carrier, place: None })
            };
            params.iter().enumerate().map(one).collect()
        };
        let mut platform = PlatformSignature {
            convention: isa.platform_convention(),
            rules,
            params: all("parameter", &signature.params)?,
            results: all("result", &signature.results)?,
            arity: signature.arity,
            integers: 0,
            vectors: 0,
            stack: 0,
        };
        platform.check_results()?;
        platform.place_params()?;
        Ok(platform)
    }

    fn check_results(&self) -> Result<(), SignatureFault> {
        let (mut integers, mut vectors, mut extended) = (0, 0, 0);
        for result in &self.results {
            match result.shape() {
                _ if result.carrier == Carrier::Extended => extended += 1,
                Shape::Pair => integers += 2,
                Shape::Vector(_) => vectors += 1,
                _ => integers += 1,
            }
        }
        let limit = self.rules.map_or(1, |rules| rules.results);
        let count = match self.rules {
            Some(_) => integers.max(vectors).max(extended),
            None => self.results.len() as u32,
        };
        if count > limit && !(self.rules.is_none() && self.results.len() == 1) {
            let count = self.results.len();
            return Err(format!("{count} results do not fit the C convention; use `sret`"));
        }
        Ok(())
    }

    fn place_params(&mut self) -> Result<(), SignatureFault> {
        let Some(rules) = self.rules else {
            let params: Vec<_> = self.params.iter().map(Passed::abi).collect();
            return check_words("parameter", &params);
        };
        let mut placer = Placer::new(rules);
        for (index, param) in self.params.iter_mut().enumerate() {
            let place = placer.place(param.shape()).filter(|_| placer.stack <= MAX_STACK_BYTES);
            if place.is_none() {
                return Err(format!(
                    "parameter {index} does not fit the C convention: the arguments take more \
                     than {MAX_STACK_BYTES} bytes"
                ));
            }
            param.place = place;
        }
        (self.integers, self.vectors) = (placer.integers, placer.vectors);
        self.stack = placer.stack;
        Ok(())
    }

    /// Whether the callee gives the address of its result back.
    fn gives_address_back(&self) -> bool {
        self.rules.is_some_and(|rules| rules.result_address == ResultAddress::Argument)
            && self.params.iter().any(|param| param.carrier == Carrier::ResultAddress)
    }

    /// The back end's results.
    fn machine_results(&self) -> Vec<AbiParam> {
        if self.gives_address_back() {
            return vec![AbiParam::new(types::I64)];
        }
        let results = self.results.iter();
        results.filter(|result| result.carrier != Carrier::Extended).map(Passed::abi).collect()
    }
}

impl Passed {
    fn shape(&self) -> Shape {
        match self.carrier {
            Carrier::Own => match machine_type(self.ty) {
                Some(types::I128) => Shape::Pair,
                Some(ty) if ty.is_int() => Shape::Integer,
                Some(ty) => Shape::Vector(ty.bytes().max(8)),
                None => Shape::Integer,
            },
            Carrier::Half | Carrier::Low => Shape::Vector(8),
            Carrier::Quad => Shape::Vector(16),
            Carrier::Bytes(size) => match self.passing {
                Passing::ByValue { align_log2, .. } => {
                    Shape::Bytes { size, align: 1 << align_log2 }
                }
                _ => Shape::Bytes { size, align: 8 },
            },
            Carrier::Extended => Shape::Bytes { size: 16, align: 16 },
            Carrier::Copy(..) => Shape::Integer,
            Carrier::ResultAddress => Shape::ResultAddress,
        }
    }

    /// The back end's type of the value that is passed.
    fn machine(&self) -> types::Type {
        match self.carrier {
            Carrier::Own => machine_type(self.ty).unwrap_or(types::I64),
            Carrier::Half => types::F32,
            Carrier::Low => types::F64,
            Carrier::Quad => types::I8X16,
            Carrier::Bytes(_) | Carrier::Copy(..) | Carrier::ResultAddress => types::I64,
            Carrier::Extended => types::I128,
        }
    }

    /// The same as the back end passes it.
    fn abi(&self) -> AbiParam {
        let ty = self.machine();
        let narrow = ty.is_int() && ty.bits() < 64;
        match self.passing {
            Passing::SignExtended if narrow => AbiParam::new(ty).sext(),
            Passing::ZeroExtended if narrow => AbiParam::new(ty).uext(),
            // C's `bool` is a byte of 0 or 1.
            _ if self.ty == Type::I1 => AbiParam::new(ty).uext(),
            _ => AbiParam::new(ty),
        }
    }
}

/// Frames are aligned to 16 bytes, and what stands in them no further.
const MAX_ALIGN_LOG2: u8 = 4;

/// How a parameter or result is passed, if it can be.
fn carrier(param: &Param, rules: Option<&Rules>) -> Option<Carrier> {
    machine_type(param.ty)?;
    match (param.passing, rules) {
        (Passing::ByValue { size, align_log2 }, Some(rules)) if align_log2 <= MAX_ALIGN_LOG2 => {
            Some(match rules.by_value {
                ByValue::Stack => Carrier::Bytes(size),
                ByValue::Copy => Carrier::Copy(size, align_log2),
            })
        }
        (Passing::StructReturn, Some(_)) => Some(Carrier::ResultAddress),
        (Passing::ByValue { .. } | Passing::StructReturn, _) => None,
        (Passing::PieceOf(bytes), _) => piece_carrier(param.ty, bytes.into(), rules),
        (Passing::Plain | Passing::SignExtended | Passing::ZeroExtended, _) => {
            value_carrier(param.ty, rules)
        }
    }
}

/// A vector of fewer than 16 bytes is passed as one that has eight of them or
/// all; one of a single lane as that, unless it is a float.
fn piece_carrier(ty: Type, bytes: u32, rules: Option<&Rules>) -> Option<Carrier> {
    let lane = ty.lane()?;
    let is_single = bytes * 8 <= lane.bits() && lane != Scalar::F32 && lane != Scalar::F64;
    if lane == Scalar::I1 || is_single || bytes > 16 || rules.is_none() {
        return None;
    }
    Some(if bytes <= 8 { Carrier::Low } else { Carrier::Own })
}

fn value_carrier(ty: Type, rules: Option<&Rules>) -> Option<Carrier> {
    match (ty.lane(), rules) {
        (Some(Scalar::I1), _) if ty.is_vector() => None,
        (Some(Scalar::F16 | Scalar::Bf16), Some(_)) if !ty.is_vector() => Some(Carrier::Half),
        (Some(Scalar::F128), Some(_)) => Some(Carrier::Quad),
        (Some(Scalar::X86Fp80), Some(rules)) if rules.x87 == X87::Present => {
            Some(Carrier::Extended)
        }
        (Some(Scalar::X86Fp80 | Scalar::F128), _) => None,
        (Some(Scalar::F16 | Scalar::Bf16), None) => None,
        _ => Some(Carrier::Own),
    }
}

fn display(param: &Param) -> String {
    match param.passing {
        Passing::Plain => param.ty.to_string(),
        passing => format!("{} {passing}", param.ty),
    }
}
