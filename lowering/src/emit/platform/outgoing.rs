//! Calls of functions of C.

use brolga_ir::types::Arity;
use cranelift_codegen::ir::{self as machine, AbiParam, ArgumentPurpose, InstBuilder, types};

use super::{Carrier, Passed, Place, PlatformSignature};
use crate::emit::code::Code;
use crate::emit::fault::{Emitted, Fault};
use crate::emit::memory::plain;
use crate::emit::symbols::trampoline;
use crate::emit::types::machine_type;
use crate::runtime::RecordField;
use crate::target::Architecture;

/// `mov eax, 8; jmp [r15 + UnwindPc]`: a variadic function finds in `al` how
/// many vector registers it must save at most, of which the back end knows
/// nothing. The address comes by a field that matters in unwinding only.
const VARIADIC_X86_64: &[u8] =
    &[0xb8, 8, 0, 0, 0, 0x41, 0xff, 0x67, RecordField::UnwindPc.offset() as u8];

/// Arguments as the back end passes them.
#[derive(Default)]
struct Arguments {
    values: Vec<machine::Value>,
    params: Vec<AbiParam>,
}

impl Arguments {
    fn push(&mut self, value: machine::Value, param: AbiParam) {
        self.values.push(value);
        self.params.push(param);
    }

    fn append(&mut self, mut others: Arguments) {
        self.values.append(&mut others.values);
        self.params.append(&mut others.params);
    }
}

/// Arguments by the place that they have.
#[derive(Default)]
struct Outgoing {
    integers: Arguments,
    vectors: Arguments,
    stack: Arguments,
    /// Bytes of stack that are filled.
    filled: u32,
    result_address: Arguments,
}

impl Code<'_> {
    /// Calls the function of C at `address` with an argument for each parameter;
    /// gives its results.
    pub(in crate::emit) fn call_platform(
        &mut self,
        signature: &PlatformSignature,
        address: machine::Value,
        args: &[machine::Value],
    ) -> Emitted<Vec<machine::Value>> {
        if args.len() != signature.params.len() {
            return Err(Fault::illegal("its arguments are not those of the signature"));
        }
        let mut outgoing = Outgoing::default();
        for (param, &value) in signature.params.iter().zip(args) {
            self.pass_argument(param, value, &mut outgoing)?;
        }
        let arguments = self.order(signature, outgoing);
        let mut machine = machine::Signature::new(signature.convention);
        machine.params = arguments.params;
        machine.returns = signature.machine_results();
        let call = self.call_by(signature.arity, machine, address, &arguments.values);
        let mut given = self.builder.inst_results(call).to_vec().into_iter();
        let results = signature.results.iter();
        results.map(|result| self.take_result(result, &mut given)).collect()
    }

    fn call_by(
        &mut self,
        arity: Arity,
        signature: machine::Signature,
        address: machine::Value,
        args: &[machine::Value],
    ) -> machine::Inst {
        let signature = self.builder.import_signature(signature);
        if arity == Arity::Fixed || self.isa.spec().architecture() != Architecture::X86_64 {
            return self.builder.ins().call_indirect(signature, address, args);
        }
        self.store_record(RecordField::UnwindPc, address);
        let index = self.needs.trampoline(VARIADIC_X86_64);
        let callee = trampoline(self.builder.func, index, signature);
        self.builder.ins().call(callee, args)
    }

    fn pass_argument(
        &mut self,
        param: &Passed,
        value: machine::Value,
        into: &mut Outgoing,
    ) -> Emitted {
        match (param.carrier, param.place) {
            (Carrier::Bytes(size), Some(Place::Stack(offset))) => {
                self.pass_bytes(value, size, offset, into);
            }
            (Carrier::Extended, Some(Place::Stack(offset))) => {
                let (low, high) = self.builder.ins().isplit(value);
                self.pad(offset, into);
                into.stack.push(low, AbiParam::new(types::I64));
                into.stack.push(high, AbiParam::new(types::I64));
                into.filled += 16;
            }
            (Carrier::Copy(size, align_log2), place) => {
                let copy = self.make_room(size, 1 << align_log2)?;
                self.copy_bytes(copy, value, size);
                self.pass_value(param, copy, place, into);
            }
            (_, place) => {
                let value = self.carry(param, value);
                self.pass_value(param, value, place, into);
            }
        }
        Ok(())
    }

    fn pass_value(
        &mut self,
        param: &Passed,
        value: machine::Value,
        place: Option<Place>,
        into: &mut Outgoing,
    ) {
        let abi = param.abi();
        match place {
            None | Some(Place::Integer(_)) => into.integers.push(value, abi),
            Some(Place::Pair(first)) => {
                // A register that the convention leaves out before it.
                while (into.integers.values.len() as u32) < first {
                    let zero = self.builder.ins().iconst(types::I64, 0);
                    into.integers.push(zero, AbiParam::new(types::I64));
                }
                let (low, high) = self.builder.ins().isplit(value);
                into.integers.push(low, AbiParam::new(types::I64));
                into.integers.push(high, AbiParam::new(types::I64));
            }
            Some(Place::Vector(_)) => into.vectors.push(value, abi),
            Some(Place::Stack(offset)) => {
                self.pad(offset, into);
                into.stack.push(value, abi);
                into.filled += abi.value_type.bytes().max(8);
            }
            Some(Place::ResultAddress) => {
                let abi = AbiParam::special(types::I64, ArgumentPurpose::StructReturn);
                into.result_address.push(value, abi);
            }
        }
    }

    /// Fills the stack with zeros up to the place of the next argument.
    fn pad(&mut self, offset: u32, into: &mut Outgoing) {
        while into.filled < offset {
            let zero = self.builder.ins().iconst(types::I64, 0);
            into.stack.push(zero, AbiParam::new(types::I64));
            into.filled += 8;
        }
    }

    /// The bytes at an address, word by word.
    fn pass_bytes(&mut self, address: machine::Value, size: u32, offset: u32, into: &mut Outgoing) {
        self.pad(offset, into);
        for at in (0..size).step_by(8) {
            let word = match size - at {
                8.. => self.builder.ins().load(types::I64, plain(), address, at as i32),
                rest => self.load_last(address, at, rest),
            };
            into.stack.push(word, AbiParam::new(types::I64));
            into.filled += 8;
        }
    }

    /// The last bytes of an object, fewer than eight: behind them may be nothing.
    fn load_last(&mut self, address: machine::Value, at: u32, bytes: u32) -> machine::Value {
        let mut word = self.builder.ins().iconst(types::I64, 0);
        let mut done = 0;
        for ty in [types::I32, types::I16, types::I8] {
            if bytes & ty.bytes() == 0 {
                continue;
            }
            let part = self.builder.ins().load(ty, plain(), address, (at + done) as i32);
            let part = self.builder.ins().uextend(types::I64, part);
            let shift = self.builder.ins().iconst(types::I64, i64::from(8 * done));
            let part = self.builder.ins().ishl(part, shift);
            word = self.builder.ins().bor(word, part);
            done += ty.bytes();
        }
        word
    }

    /// A value in the type that it is passed in.
    pub(super) fn carry(&mut self, passed: &Passed, value: machine::Value) -> machine::Value {
        match passed.carrier {
            Carrier::Half => {
                let bits = self.widened(types::I32, value);
                self.recast(types::F32, bits)
            }
            Carrier::Low => {
                let lanes = self.recast(types::F64X2, value);
                self.builder.ins().extractlane(lanes, 0)
            }
            Carrier::Quad => {
                let (low, high) = self.builder.ins().isplit(value);
                let zero = self.vector_constant(types::I64X2, [0; 16]);
                let lanes = self.builder.ins().insertlane(zero, low, 0);
                let lanes = self.builder.ins().insertlane(lanes, high, 1);
                self.recast(types::I8X16, lanes)
            }
            _ => value,
        }
    }

    /// A value out of the type that it is passed in.
    pub(super) fn uncarry(&mut self, passed: &Passed, value: machine::Value) -> machine::Value {
        match passed.carrier {
            Carrier::Half => {
                let bits = self.recast(types::I32, value);
                self.narrowed(types::I16, bits)
            }
            Carrier::Low => {
                let zero = self.vector_constant(types::F64X2, [0; 16]);
                let lanes = self.builder.ins().insertlane(zero, value, 0);
                self.recast(machine_type(passed.ty).unwrap_or(types::F64X2), lanes)
            }
            Carrier::Quad => {
                let lanes = self.recast(types::I64X2, value);
                let low = self.builder.ins().extractlane(lanes, 0);
                let high = self.builder.ins().extractlane(lanes, 1);
                self.builder.ins().iconcat(low, high)
            }
            _ => value,
        }
    }

    fn take_result(
        &mut self,
        result: &Passed,
        given: &mut impl Iterator<Item = machine::Value>,
    ) -> Emitted<machine::Value> {
        if result.carrier == Carrier::Extended {
            return self.pop_extended();
        }
        let value = given.next().ok_or_else(|| Fault::illegal("a result is missing"))?;
        let value = self.uncarry(result, value);
        Ok(self.truth(result.ty, value))
    }

    /// Registers, then what stands on the stack, which is only taken for such
    /// once no register is left.
    fn order(&mut self, signature: &PlatformSignature, outgoing: Outgoing) -> Arguments {
        let Outgoing { integers: mut arguments, vectors, stack, result_address, .. } = outgoing;
        let registers = signature.rules.map_or(0, |rules| rules.integers);
        if !stack.values.is_empty() {
            while (arguments.values.len() as u32) < registers {
                let zero = self.builder.ins().iconst(types::I64, 0);
                arguments.push(zero, AbiParam::new(types::I64));
            }
        }
        arguments.append(vectors);
        arguments.append(stack);
        arguments.append(result_address);
        arguments
    }
}
