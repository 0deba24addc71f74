//! Code in the making, and what every part of it may need: constants, memory,
//! the thread record, symbols and the runtime.

use brolga_ir::types::{Type, TypePool};
use brolga_ir::verify::MAX_FRAME_SIZE;
use cranelift_codegen::ir::{
    self as machine, AbiParam, ConstantData, Endianness, FuncRef, InstBuilder, MemFlagsData,
    SigRef, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;

use super::fault::{Emitted, Fault};
use super::memory::{aligned, mask_bits, plain};
use super::sites::Sites;
use super::symbols::Symbols;
use super::types::{is_mask, machine_type};
use super::unreachable_trap;
use crate::runtime::{EntryConvention, RecordField, RuntimeEntry};
use crate::target::Isa;
use crate::unit::{ExitSite, UnitSymbol};

/// What the code needs beside itself.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pub(super) symbols: Symbols,
    pub(super) sites: Sites,
    /// Calls of functions that need stack of their own.
    pub(super) calls: u32,
    /// Divisions, each of which may leave two trap records of the back end's.
    pub(super) divisions: u32,
    /// Pieces of machine code of ours behind the unit's own, which that calls.
    pub(super) trampolines: Vec<&'static [u8]>,
    /// Where the frame keeps what the side stack was at the entry.
    pub(super) side_mark: Option<machine::StackSlot>,
    /// The most words of stack that the arguments of a tail call take.
    pub(super) tail_argument_words: u32,
    /// Calls that return twice.
    pub(super) second_returns: u32,
}

impl Needs {
    /// The number of a piece of machine code, which stands behind the unit's own once.
    pub(super) fn trampoline(&mut self, code: &'static [u8]) -> u32 {
        let known = self.trampolines.iter().position(|&known| known == code);
        known.unwrap_or_else(|| {
            self.trampolines.push(code);
            self.trampolines.len() - 1
        }) as u32
    }
}

/// Code in the making.
pub(super) struct Code<'a> {
    pub(super) builder: FunctionBuilder<'a>,
    pub(super) needs: &'a mut Needs,
    pub(super) isa: &'a Isa,
    pub(super) types: &'a TypePool,
    /// The source frame that code belongs to.
    pub(super) frame: Option<u32>,
}

impl Code<'_> {
    /// A scalar of those bits, zero above the width of `ty`.
    pub(super) fn scalar_constant(&mut self, ty: types::Type, bits: u128) -> machine::Value {
        match ty {
            types::I128 => {
                let low = self.builder.ins().iconst(types::I64, bits as u64 as i64);
                let high = self.builder.ins().iconst(types::I64, (bits >> 64) as u64 as i64);
                self.builder.ins().iconcat(low, high)
            }
            types::F32 => {
                let bits = machine::immediates::Ieee32::with_bits(bits as u32);
                self.builder.ins().f32const(bits)
            }
            types::F64 => {
                let bits = machine::immediates::Ieee64::with_bits(bits as u64);
                self.builder.ins().f64const(bits)
            }
            int => self.builder.ins().iconst(int, bits as u64 as i64),
        }
    }

    /// An integer of a width up to 128, from a number that is sign-extended to it.
    pub(super) fn integer(&mut self, ty: types::Type, value: i64) -> machine::Value {
        let mask = if ty.bits() >= 128 { u128::MAX } else { (1 << ty.bits()) - 1 };
        self.scalar_constant(ty, i128::from(value) as u128 & mask)
    }

    /// A vector of those 16 bytes.
    pub(super) fn vector_constant(&mut self, ty: types::Type, bytes: [u8; 16]) -> machine::Value {
        let constant = self.builder.func.dfg.constants.insert(ConstantData::from(&bytes[..]));
        self.builder.ins().vconst(ty, constant)
    }

    /// `x` cut to `ty`, which is no wider.
    pub(super) fn narrowed(&mut self, ty: types::Type, x: machine::Value) -> machine::Value {
        match self.builder.func.dfg.value_type(x) == ty {
            true => x,
            false => self.builder.ins().ireduce(ty, x),
        }
    }

    /// `x` zero-extended to `ty`, which is no narrower.
    pub(super) fn widened(&mut self, ty: types::Type, x: machine::Value) -> machine::Value {
        match self.builder.func.dfg.value_type(x) == ty {
            true => x,
            false => self.builder.ins().uextend(ty, x),
        }
    }

    /// The bits of `x` as `ty`, which has as many; lane 0 holds the lowest ones.
    pub(super) fn recast(&mut self, ty: types::Type, x: machine::Value) -> machine::Value {
        if self.builder.func.dfg.value_type(x) == ty {
            return x;
        }
        let lanes = MemFlagsData::new().with_endianness(Endianness::Little);
        self.builder.ins().bitcast(ty, lanes, x)
    }

    /// From here on, code belongs to that source frame.
    pub(super) fn set_frame(&mut self, frame: Option<u32>) {
        self.frame = frame;
        let site = self.needs.sites.plain(frame);
        self.builder.set_srcloc(site);
    }

    /// The symbol as something to call; `signature` makes its signature at
    /// first use.
    pub(super) fn import(
        &mut self,
        symbol: UnitSymbol,
        signature: impl FnOnce(&mut machine::Function) -> SigRef,
    ) -> FuncRef {
        self.needs.symbols.function(self.builder.func, symbol, signature)
    }

    /// The address of a symbol that is near.
    pub(super) fn symbol_address(&mut self, symbol: UnitSymbol) -> machine::Value {
        let global = self.symbol_global(symbol);
        self.builder.ins().symbol_value(types::I64, global)
    }

    /// The same, to be named more than once.
    pub(super) fn symbol_global(&mut self, symbol: UnitSymbol) -> machine::GlobalValue {
        self.needs.symbols.address(self.builder.func, symbol)
    }

    /// What an 8-byte slot of the linker's holds.
    pub(super) fn load_slot(&mut self, symbol: UnitSymbol) -> machine::Value {
        let slot = self.symbol_global(symbol);
        self.load_global(slot)
    }

    /// What such a slot holds that is known already.
    pub(super) fn load_global(&mut self, slot: machine::GlobalValue) -> machine::Value {
        let address = self.builder.ins().symbol_value(types::I64, slot);
        self.builder.ins().load(types::I64, aligned(), address, 0)
    }

    /// A call of the runtime's, which needs no stack beyond what the limit
    /// leaves for it.
    pub(super) fn call_runtime(
        &mut self,
        entry: RuntimeEntry,
        args: &[machine::Value],
    ) -> machine::Inst {
        let convention = self.isa.platform_convention();
        let symbol = UnitSymbol::Runtime(entry);
        let callee = self.import(symbol, |function| {
            function.import_signature(runtime_signature(entry, convention))
        });
        self.builder.ins().call(callee, args)
    }

    /// Stops execution here.
    pub(super) fn raise(&mut self, exit: ExitSite, values: Option<machine::Value>) {
        let code = self.builder.ins().iconst(types::I64, i64::from(exit.code.number()));
        let values = values.unwrap_or_else(|| self.builder.ins().iconst(types::I64, 0));
        let site = self.needs.sites.exit(self.frame, exit);
        self.builder.set_srcloc(site);
        self.call_runtime(RuntimeEntry::Raise, &[code, values]);
        self.builder.ins().trap(unreachable_trap());
    }

    /// The value of `ty` at an address.
    pub(super) fn load_as(
        &mut self,
        ty: Type,
        address: machine::Value,
        offset: i32,
        flags: MemFlagsData,
    ) -> Emitted<machine::Value> {
        let machine = self.memory_type(ty)?;
        let (address, offset) = self.near(address, offset);
        if ty == Type::I1 {
            let byte = self.builder.ins().load(types::I8, flags, address, offset);
            let one = self.builder.ins().iconst(types::I8, 1);
            return Ok(self.builder.ins().band(byte, one));
        }
        if ty == Type::X86_FP80 {
            return Ok(self.load_extended(address, offset));
        }
        if is_mask(ty) {
            let bits = self.builder.ins().load(mask_bits(ty), flags, address, offset);
            return Ok(self.bits_to_mask(bits, machine));
        }
        Ok(self.builder.ins().load(machine, flags, address, offset))
    }

    /// Puts a value of `ty` at an address.
    pub(super) fn store_as(
        &mut self,
        ty: Type,
        value: machine::Value,
        address: machine::Value,
        offset: i32,
        flags: MemFlagsData,
    ) -> Emitted {
        self.memory_type(ty)?;
        let (address, offset) = self.near(address, offset);
        if ty == Type::X86_FP80 {
            self.store_extended(value, address, offset);
            return Ok(());
        }
        let value = if is_mask(ty) { self.mask_to_bits(value, mask_bits(ty)) } else { value };
        self.builder.ins().store(flags, value, address, offset);
        Ok(())
    }

    /// The same place, with an offset that the back end can add to any place of a
    /// frame: it panics where the sum leaves 32 bits.
    pub(super) fn near(&mut self, address: machine::Value, offset: i32) -> (machine::Value, i32) {
        if u64::from(offset.unsigned_abs()) <= MAX_FRAME_SIZE {
            return (address, offset);
        }
        (self.further(address, offset.into()), 0)
    }

    pub(super) fn memory_type(&self, ty: Type) -> Emitted<types::Type> {
        machine_type(ty).ok_or_else(|| {
            let ty = self.types.display(ty);
            Fault::illegal(format!("an access of type {ty} is not legal"))
        })
    }

    /// Ten bytes, of which the last two may be the last of a page.
    fn load_extended(&mut self, address: machine::Value, offset: i32) -> machine::Value {
        let low = self.builder.ins().load(types::I64, plain(), address, offset);
        let address = self.further(address, i64::from(offset) + 8);
        let high = self.builder.ins().uload16(types::I64, plain(), address, 0);
        self.builder.ins().iconcat(low, high)
    }

    fn store_extended(&mut self, value: machine::Value, address: machine::Value, offset: i32) {
        let (low, high) = self.builder.ins().isplit(value);
        self.builder.ins().store(plain(), low, address, offset);
        let address = self.further(address, i64::from(offset) + 8);
        self.builder.ins().istore16(plain(), high, address, 0);
    }

    /// The address that many bytes further.
    pub(super) fn further(&mut self, address: machine::Value, bytes: i64) -> machine::Value {
        if bytes == 0 {
            return address;
        }
        let bytes = self.builder.ins().iconst(types::I64, bytes);
        self.builder.ins().iadd(address, bytes)
    }

    /// A field of the thread record.
    pub(super) fn load_record(&mut self, field: RecordField) -> machine::Value {
        let record = self.builder.ins().get_pinned_reg(types::I64);
        self.builder.ins().load(types::I64, aligned(), record, field.offset() as i32)
    }

    /// Changes a field of the thread record.
    pub(super) fn store_record(&mut self, field: RecordField, value: machine::Value) {
        let record = self.builder.ins().get_pinned_reg(types::I64);
        self.builder.ins().store(aligned(), value, record, field.offset() as i32);
    }
}

/// The signature of an entry of the runtime.
fn runtime_signature(entry: RuntimeEntry, platform: CallConv) -> machine::Signature {
    let mut signature = machine::Signature::new(match entry.convention() {
        EntryConvention::Internal => CallConv::Tail,
        EntryConvention::Platform => platform,
    });
    signature.params = vec![AbiParam::new(types::I64); entry.param_count()];
    signature.returns = vec![AbiParam::new(types::I64); entry.result_count()];
    signature
}
