//! Memory by address.

use std::borrow::Cow;

use brolga_ir::attribute::AccessFlags;
use brolga_ir::instruction::Access;
use brolga_ir::op::Op;
use brolga_ir::types::{Scalar, Type};
use cranelift_codegen::entity::EntityRef;
use cranelift_codegen::ir::{
    self as machine, AliasRegion, AliasRegionData, InstBuilder, MemFlagsData, types,
};

use super::code::Code;
use super::fault::{Emitted, Fault};
use super::function::{Emitter, Instruction};
use crate::level::BackEnd;
use crate::runtime::RuntimeEntry;

/// Tells the back end that there is memory, before a function has code: all accesses are to
/// one region. To it, a call reads what was stored to a region; a store to none it takes for
/// dead if each way out of the function stores there again, though a call stands on a way that
/// leads to no end.
pub(super) fn declare_memory(function: &mut machine::Function) {
    let memory = AliasRegionData { user_id: 0, description: Cow::Borrowed("memory") };
    let region = function.dfg.alias_regions.insert(memory);
    debug_assert_eq!(Some(region), memory_region());
}

fn memory_region() -> Option<AliasRegion> {
    Some(AliasRegion::new(0))
}

/// An access that may stand at any address, and of which the back end leaves
/// no trap record: what is not mapped is the module's promise, or was checked.
pub(super) fn plain() -> MemFlagsData {
    MemFlagsData::new().with_notrap().with_alias_region(memory_region())
}

/// An access to a multiple of its size.
pub(super) fn aligned() -> MemFlagsData {
    MemFlagsData::trusted().with_alias_region(memory_region())
}

/// Copying more bytes than this is a call.
const MAX_INLINE_COPY: u32 = 128;

impl Code<'_> {
    /// Copies so many bytes, which do not overlap.
    pub(super) fn copy_bytes(&mut self, to: machine::Value, from: machine::Value, size: u32) {
        if size > MAX_INLINE_COPY {
            let bytes = self.builder.ins().iconst(types::I64, i64::from(size));
            self.call_runtime(RuntimeEntry::MemoryCopy, &[to, from, bytes]);
            return;
        }
        let mut done = 0;
        for ty in [types::I64, types::I32, types::I16, types::I8] {
            while size - done >= ty.bytes() {
                let part = self.builder.ins().load(ty, plain(), from, done as i32);
                self.builder.ins().store(plain(), part, to, done as i32);
                done += ty.bytes();
            }
        }
    }
}

impl<'a> Emitter<'a> {
    /// The flags of an access of `ty`.
    pub(super) fn access_flags(&self, access: &Access, ty: Type) -> MemFlagsData {
        // Said only when it is sure: without AVX the back end folds an aligned
        // access into an instruction that faults on any other address.
        let size = self.module.types.layout(ty).size;
        let promised = 1u64.checked_shl(access.align_log2.into()).unwrap_or(0);
        if promised >= size.max(1) { aligned() } else { plain() }
    }

    /// The access of a memory op.
    pub(super) fn access(&self, instruction: Instruction<'a>) -> Emitted<&'a Access> {
        instruction.data.access().ok_or_else(|| Fault::illegal("it has no access"))
    }

    /// Loads, stores, and what moves many bytes.
    pub(super) fn memory(&mut self, instruction: Instruction<'a>) -> Emitted {
        match instruction.data.op {
            Op::Load | Op::Store => self.load_or_store(instruction),
            Op::PtrAdd if self.displace(instruction) => Ok(()),
            Op::PtrAdd => {
                let (address, bytes) = self.two(instruction)?;
                let sum = self.builder.ins().iadd(address, bytes);
                self.define(instruction, &[sum])
            }
            Op::Prefetch => Ok(()),
            _ => self.bulk(instruction),
        }
    }

    fn load_or_store(&mut self, instruction: Instruction<'a>) -> Emitted {
        let access = self.access(instruction)?;
        let is_load = instruction.data.op == Op::Load;
        let emit = |emitter: &mut Emitter<'a>| match is_load {
            true => emitter.load(instruction, access),
            false => emitter.store(instruction, access),
        };
        match access.flags.contains(AccessFlags::VOLATILE) {
            true => self.apart(emit),
            false => emit(self),
        }
    }

    /// Makes an access that happens as often as it is asked for. The back end knows of none such,
    /// and takes two atomic ones for one where it finds the same in memory: where it forwards and
    /// drops any, points that nothing is moved across stand on both sides.
    pub(super) fn apart(&mut self, emit: impl FnOnce(&mut Self) -> Emitted) -> Emitted {
        let forwards = self.options.back_end() == BackEnd::Rewriting;
        if forwards {
            self.builder.ins().sequence_point();
        }
        emit(self)?;
        if forwards {
            self.builder.ins().sequence_point();
        }
        Ok(())
    }

    fn load(&mut self, instruction: Instruction<'a>, access: &Access) -> Emitted {
        let ty = instruction.data.ty;
        let (address, offset) = self.address(instruction, 0, access.offset)?;
        let flags = self.access_flags(access, ty);
        let value = match self.load_widened(instruction, address, offset, flags) {
            Some(value) => value,
            None => self.load_as(ty, address, offset, flags)?,
        };
        self.define(instruction, &[value])
    }

    fn store(&mut self, instruction: Instruction<'a>, access: &Access) -> Emitted {
        let value = self.arg(instruction, 0)?;
        let (address, offset) = self.address(instruction, 1, access.offset)?;
        let ty = instruction.data.ty;
        let flags = self.access_flags(access, ty);
        self.store_as(ty, value, address, offset, flags)
    }

    fn bulk(&mut self, instruction: Instruction<'a>) -> Emitted {
        let (first, second) = self.two(instruction)?;
        let bytes = self.arg(instruction, 2)?;
        match instruction.data.op {
            Op::MemCopy => {
                self.call_runtime(RuntimeEntry::MemoryCopy, &[first, second, bytes]);
                Ok(())
            }
            Op::MemFill => {
                let byte = self.builder.ins().uextend(types::I64, second);
                self.call_runtime(RuntimeEntry::MemoryFill, &[first, byte, bytes]);
                Ok(())
            }
            Op::MemCompare => {
                let call = self.call_runtime(RuntimeEntry::MemoryCompare, &[first, second, bytes]);
                let order = self.builder.inst_results(call)[0];
                let order = self.builder.ins().ireduce(types::I32, order);
                self.define(instruction, &[order])
            }
            Op::MemFind => {
                let byte = self.builder.ins().uextend(types::I64, second);
                let call = self.call_runtime(RuntimeEntry::MemoryFind, &[first, byte, bytes]);
                let count = self.builder.inst_results(call)[0];
                self.define(instruction, &[count])
            }
            _ => Err(self.misplaced(instruction)),
        }
    }
}

/// The integer as which a mask stands in memory.
pub(super) fn mask_bits(ty: Type) -> types::Type {
    debug_assert_eq!(ty.lane(), Some(Scalar::I1));
    if ty.lanes() > 8 { types::I16 } else { types::I8 }
}
