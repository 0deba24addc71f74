//! Calls from C: the other end of the same convention.

use brolga_ir::types::{Arity, Type};
use cranelift_codegen::ir::{self as machine, AbiParam, ArgumentPurpose, InstBuilder, types};

use super::{Carrier, Passed, Place, PlatformSignature};
use crate::emit::code::Code;
use crate::emit::fault::{Emitted, Fault};
use crate::emit::memory::plain;
use crate::emit::types::machine_type;

/// From the frame pointer of a function of the platform's convention to its
/// arguments on the stack: the caller's frame pointer and the return address.
const STACK_ARGUMENTS: u32 = 16;

impl PlatformSignature {
    /// The back end's signature of a function that is called by C. What stands
    /// on the stack is no parameter: it is read where it stands.
    pub(in crate::emit) fn entry(&self) -> machine::Signature {
        let mut machine = machine::Signature::new(self.convention);
        machine.returns = self.machine_results();
        if self.rules.is_none() {
            machine.params = self.params.iter().map(Passed::abi).collect();
            return machine;
        }
        let [integers, vectors] = self.entry_registers();
        let integers = (0..integers).map(|_| AbiParam::new(types::I64));
        let vectors = (0..vectors).map(|_| AbiParam::new(types::I8X16));
        machine.params = integers.chain(vectors).collect();
        if self.params.iter().any(|param| param.place == Some(Place::ResultAddress)) {
            machine.params.push(AbiParam::special(types::I64, ArgumentPurpose::StructReturn));
        }
        machine
    }

    /// The registers of each kind that a function finds arguments in: all of
    /// them where it does not know how many there are.
    pub(super) fn entry_registers(&self) -> [u32; 2] {
        match (self.arity, self.rules) {
            (Arity::Variadic, Some(rules)) => [rules.integers, rules.vectors],
            _ => [self.integers, self.vectors],
        }
    }
}

impl Code<'_> {
    /// The value of each parameter, in a function whose own are those of
    /// [`PlatformSignature::entry`].
    pub(in crate::emit) fn take_arguments(
        &mut self,
        signature: &PlatformSignature,
        given: &[machine::Value],
    ) -> Emitted<Vec<machine::Value>> {
        let params = signature.params.iter().enumerate();
        let one = |(index, param): (usize, &Passed)| {
            let missing = || Fault::illegal("a parameter is missing");
            let register = |number: u32| given.get(number as usize).copied().ok_or_else(missing);
            let value = match param.place {
                None => register(index as u32)?,
                Some(Place::Integer(number)) => self.narrowed(param.machine(), register(number)?),
                Some(Place::Pair(first)) => {
                    let (low, high) = (register(first)?, register(first + 1)?);
                    self.builder.ins().iconcat(low, high)
                }
                Some(Place::Vector(number)) => {
                    let lanes = register(signature.entry_registers()[0] + number)?;
                    self.out_of_lanes(param, lanes)
                }
                Some(Place::Stack(offset)) => self.take_from_stack(param, offset)?,
                Some(Place::ResultAddress) => *given.last().ok_or_else(missing)?,
            };
            Ok(self.truth(param.ty, value))
        };
        params.map(one).collect()
    }

    fn out_of_lanes(&mut self, param: &Passed, lanes: machine::Value) -> machine::Value {
        let held = match param.carrier {
            // Its upper lanes have no meaning.
            Carrier::Low => {
                return self.recast(machine_type(param.ty).unwrap_or(types::I8X16), lanes);
            }
            _ => param.machine(),
        };
        let value = match held {
            types::F32 => {
                let lanes = self.recast(types::F32X4, lanes);
                self.builder.ins().extractlane(lanes, 0)
            }
            types::F64 => {
                let lanes = self.recast(types::F64X2, lanes);
                self.builder.ins().extractlane(lanes, 0)
            }
            ty => self.recast(ty, lanes),
        };
        self.uncarry(param, value)
    }

    fn take_from_stack(&mut self, param: &Passed, offset: u32) -> Emitted<machine::Value> {
        let address = self.stack_argument(offset);
        if let Carrier::Bytes(_) = param.carrier {
            return Ok(address);
        }
        if param.carrier == Carrier::Extended {
            return self.load_as(Type::X86_FP80, address, 0, plain());
        }
        let value = self.builder.ins().load(param.machine(), plain(), address, 0);
        Ok(self.uncarry(param, value))
    }

    /// The address of an argument on the stack, in a function of the platform's
    /// convention.
    pub(in crate::emit) fn stack_argument(&mut self, offset: u32) -> machine::Value {
        let frame = self.builder.ins().get_frame_pointer(types::I64);
        self.further(frame, i64::from(offset + STACK_ARGUMENTS))
    }

    /// What a function of that signature returns to C, given its results and
    /// its own arguments.
    pub(in crate::emit) fn give_results(
        &mut self,
        signature: &PlatformSignature,
        args: &[machine::Value],
        values: &[machine::Value],
    ) -> Emitted<Vec<machine::Value>> {
        if signature.gives_address_back() {
            let mut pairs = signature.params.iter().zip(args);
            let address = pairs.find(|(param, _)| param.carrier == Carrier::ResultAddress);
            return Ok(address.into_iter().map(|(_, &address)| address).collect());
        }
        let mut given = Vec::new();
        let mut extended = Vec::new();
        for (result, &value) in signature.results.iter().zip(values) {
            match result.carrier {
                Carrier::Extended => extended.push(value),
                _ => given.push(self.carry(result, value)),
            }
        }
        // A stack: the first result is what lies on top.
        for &value in extended.iter().rev() {
            self.push_extended(value)?;
        }
        Ok(given)
    }

    /// A zero for each result.
    pub(in crate::emit) fn zero_results(
        &mut self,
        signature: &PlatformSignature,
    ) -> Vec<machine::Value> {
        let types: Vec<_> = signature.results.iter().map(|r| machine_type(r.ty)).collect();
        let zero = |ty: Option<types::Type>| match ty.unwrap_or(types::I64) {
            ty if ty.is_vector() => self.vector_constant(ty, [0; 16]),
            ty => self.scalar_constant(ty, 0),
        };
        types.into_iter().map(zero).collect()
    }

    /// A truth value that came from C, where nobody keeps it to 0 and 1.
    pub(super) fn truth(&mut self, ty: Type, value: machine::Value) -> machine::Value {
        if ty != Type::I1 {
            return value;
        }
        let one = self.builder.ins().iconst(types::I8, 1);
        self.builder.ins().band(value, one)
    }
}
