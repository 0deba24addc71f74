//! Functions that are compiled one by one: whoever compiles says whose code they may take over.

use brolga_ir::entity::{Block, FuncId};
use brolga_ir::module::{Extract, Module};

use super::compiler::{Compiler, Source, check};
use crate::continuation::{FrameMap, continuation};
use crate::error::CompileError;
use crate::options::LowerOptions;
use crate::pipeline::{Part, legal_part};
use crate::target::Isa;
use crate::unit::CompiledUnit;

impl Compiler {
    /// Compiles a function of a module that takes over code of its part alone.
    ///
    /// # Errors
    /// As [`lower_function`](Self::lower_function).
    pub fn lower_part(
        &mut self,
        module: &Module,
        part: Part<'_>,
        isa: &Isa,
        options: &LowerOptions,
    ) -> Result<CompiledUnit, CompileError> {
        let passes = &self.passes(options);
        let source = Source { module, id: part.function, isa, options, passes };
        check(&source)?;
        let legal =
            self.watched(&source, |run, report| legal_part(module, part, passes, run, report))?;
        Ok(self.emit(legal, &source, None)?.unit)
    }

    /// Compiles what is left of a function from the start of a block on, as
    /// [`continuation`] has it: a unit that takes the address of a frame. Nothing, if the frame
    /// does not tell enough.
    ///
    /// # Errors
    /// As [`lower_function`](Self::lower_function).
    pub fn lower_continuation(
        &mut self,
        module: &Module,
        part: Part<'_>,
        (block, frame): (Block, &FrameMap),
        isa: &Isa,
        options: &LowerOptions,
    ) -> Result<Option<CompiledUnit>, CompileError> {
        let extract = module.extract_with(part.function, part.others);
        let Some(Extract { module: mut extracted, function }) = extract else { return Ok(None) };
        let Some(function) = continuation(&mut extracted, function, block, frame) else {
            return Ok(None);
        };
        let name = |id: FuncId| module.function(id).map(|function| &*function.name);
        let there = |ids: &[FuncId]| -> Vec<FuncId> {
            let names = ids.iter().filter_map(|&id| name(id));
            names.filter_map(|name| extracted.function_named(name)).collect()
        };
        let (others, sole) = (there(part.others), there(part.sole));
        // It begins in the middle, and with no arguments of the function.
        let left = Part { function, others: &others, sole: &sole, arguments: &[] };
        let mut unit = self.lower_part(&extracted, left, isa, options)?;
        unit.name = name(part.function).unwrap_or_default().into();
        Ok(Some(unit))
    }
}
