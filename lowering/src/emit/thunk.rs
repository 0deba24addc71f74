//! Thunks: the code between compiled functions and everything else. One
//! argument convention on either side, and what the runtime must know of the
//! crossing.

mod callback;
mod entry;
mod foreign;
mod host;
mod kept;

use brolga_ir::types::{Convention, Param, Signature, Type, TypePool};
use cranelift_codegen::ir::{self as machine, Function, InstBuilder};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::code::{Code, Needs};
use super::compiler::{Compiler, Job};
use super::fault::Emitted;
use super::pieces::pieces;
use super::platform::PlatformSignature;
use super::types::{SignatureFault, internal_signature};
use crate::buffer::BufferLayout;
use crate::error::CompileError;
use crate::legal_form::legal_signature;
use crate::level::BackEnd;
use crate::options::StackGuard;
use crate::target::Isa;
use crate::unit::{CompiledUnit, UnitSymbol};

/// Thunks are small: one whose signature needs more is refused before.
const MAX_INSTRUCTIONS: usize = 100_000;

/// The signature of one call by the platform's convention, in legal form and
/// with types that belong to no module: a function reference is passed as an
/// address. A variadic one says so, and has a parameter for each argument.
pub(super) fn portable_call(types: &TypePool, signature: &Signature) -> Signature {
    let legal = legal_signature(types, signature);
    let all = |params: &[Param]| {
        params.iter().map(|param| Param { ty: portable_type(param.ty), ..*param }).collect()
    };
    Signature {
        convention: Convention::Platform,
        params: all(&legal.params),
        results: all(&legal.results),
        arity: legal.arity,
    }
}

/// The signature of the thunk for calls by one, which a [`ThunkRequest`](crate::unit::ThunkRequest)
/// asks for.
///
/// # Errors
/// What the target's convention has no way to pass.
pub fn thunk_signature(
    types: &TypePool,
    signature: &Signature,
    isa: &Isa,
) -> Result<Signature, String> {
    let call = portable_call(types, signature);
    PlatformSignature::of(&call, isa)?;
    Ok(call)
}

fn portable_type(ty: Type) -> Type {
    if ty.signature().is_some() { Type::PTR } else { ty }
}

/// A thunk to be made.
struct Thunk<'a> {
    /// What it is called in messages and books.
    name: String,
    /// What it does by which signature: all that its code depends on beside the target.
    code: String,
    /// The symbol by which it finds whom it is for; nothing if it is for all of the signature.
    callee: Option<UnitSymbol>,
    types: &'a TypePool,
    isa: &'a Isa,
}

impl<'a> Thunk<'a> {
    /// A thunk that does this by a signature: for the callee of that name, which it finds by that
    /// symbol, or for all of the signature.
    fn new(
        does: &str,
        callee: Option<(&str, UnitSymbol)>,
        types: &'a TypePool,
        signature: &Signature,
        isa: &'a Isa,
    ) -> Thunk<'a> {
        let mut code = does.to_owned();
        // Writing to a string does not fail.
        let _ = types.write_signature(&mut code, signature);
        let (name, callee) = match callee {
            Some((name, symbol)) => (format!("{does} @{name}"), Some(symbol)),
            None => (code.clone(), None),
        };
        Thunk { name, code, callee, types, isa }
    }

    fn fault(&self, reason: impl Into<Box<str>>) -> CompileError {
        CompileError::Signature { callable: self.name.as_str().into(), reason: reason.into() }
    }

    /// The internal signature of functions that were declared with `signature`.
    fn internal(&self, signature: &Signature) -> Result<machine::Signature, SignatureFault> {
        // Whatever it says of its convention: code itself is called by ours.
        let legal = legal_signature(self.types, signature);
        internal_signature(legal.entry_types(), legal.result_types())
    }

    /// The platform's convention.
    fn platform(&self) -> CallConv {
        self.isa.platform_convention()
    }

    /// The unit of the thunk, of a signature and the code that `emit` makes, unless that is
    /// known.
    fn compile(
        &self,
        compiler: &mut Compiler,
        signature: Result<machine::Signature, SignatureFault>,
        emit: impl FnOnce(&mut Code<'_>, &[machine::Value]) -> Emitted,
    ) -> Result<CompiledUnit, CompileError> {
        let signature = signature.map_err(|reason| self.fault(reason))?;
        if let Some(unit) = kept::find(self) {
            return Ok(unit);
        }
        let job = Job {
            name: &self.name,
            isa: self.isa,
            max_instructions: MAX_INSTRUCTIONS,
            // The record is at hand where compiled code calls.
            stack_guard: match signature.call_conv {
                CallConv::Tail => StackGuard::Emit,
                _ => StackGuard::Omit,
            },
            back_end: BackEnd::Plain,
        };
        let emit =
            |into: &mut Function, context: &mut FunctionBuilderContext, needs: &mut Needs| {
                into.signature = signature;
                let builder = FunctionBuilder::new(into, context);
                let (isa, types) = (self.isa, self.types);
                let mut code = Code { builder, needs, isa, types, frame: None };
                let params = code.enter_thunk();
                emit(&mut code, &params).map_err(|fault| self.fault(fault.into_reason()))?;
                code.builder.seal_all_blocks();
                let config = isa.frontend_config();
                code.builder.finalize(config);
                Ok(())
            };
        let unit = compiler.unit(&job, Box::new(emit))?;
        kept::keep(self, &unit);
        Ok(unit)
    }

    /// Where values of those types stand in a buffer.
    fn layout(&self, values: impl Iterator<Item = Type>) -> Result<BufferLayout, CompileError> {
        BufferLayout::of(self.types, values)
            .filter(|layout| layout.size < 1 << 20)
            .ok_or_else(|| self.fault("its values take more than a megabyte"))
    }
}

impl Code<'_> {
    /// The first block of a thunk, whose parameters are the thunk's.
    fn enter_thunk(&mut self) -> Vec<machine::Value> {
        let block = self.builder.create_block();
        self.builder.append_block_params_for_function_params(block);
        self.builder.switch_to_block(block);
        self.builder.block_params(block).to_vec()
    }

    /// The pieces of the values of a buffer.
    fn load_values(
        &mut self,
        types: impl Iterator<Item = Type>,
        layout: &BufferLayout,
        buffer: machine::Value,
    ) -> Emitted<Vec<machine::Value>> {
        let pool = self.types;
        let places = types.zip(&layout.offsets);
        let pieces = places.flat_map(|(ty, &offset)| pieces(pool, ty, offset));
        pieces.map(|piece| self.load_piece(piece, buffer)).collect()
    }

    /// Puts values into a buffer, of which these are the pieces.
    fn store_values(
        &mut self,
        types: impl Iterator<Item = Type>,
        values: &[machine::Value],
        layout: &BufferLayout,
        buffer: machine::Value,
    ) -> Emitted {
        let pool = self.types;
        let places = types.zip(&layout.offsets);
        let pieces = places.flat_map(|(ty, &offset)| pieces(pool, ty, offset));
        for (piece, &value) in pieces.zip(values) {
            self.store_piece(piece, value, buffer)?;
        }
        Ok(())
    }

    /// A call whose callee may unwind into the thunk: goes on in a block with
    /// the results; the other block, with the status that the runtime unwound
    /// with, is for the caller to fill.
    fn call_catching(
        &mut self,
        entry: machine::Value,
        signature: machine::Signature,
        args: &[machine::Value],
    ) -> (Vec<machine::Value>, machine::Block) {
        use machine::{BlockArg, BlockCall, ExceptionTableData, ExceptionTableItem, types};
        let returned = self.builder.create_block();
        let results: Vec<_> = signature
            .returns
            .iter()
            .map(|result| self.builder.append_block_param(returned, result.value_type))
            .collect();
        let unwound = self.builder.create_block();
        self.builder.append_block_param(unwound, types::I64);
        let signature = self.builder.import_signature(signature);
        let dfg = &mut self.builder.func.dfg;
        let rets = (0..results.len() as u32).map(BlockArg::TryCallRet);
        let normal = BlockCall::new(returned, rets, &mut dfg.value_lists);
        let status = [BlockArg::TryCallExn(0)];
        let unwind = BlockCall::new(unwound, status, &mut dfg.value_lists);
        let items = [ExceptionTableItem::Default(unwind)];
        let table = dfg.exception_tables.push(ExceptionTableData::new(signature, normal, items));
        self.builder.ins().try_call_indirect(entry, args, table);
        self.builder.switch_to_block(returned);
        (results, unwound)
    }
}
