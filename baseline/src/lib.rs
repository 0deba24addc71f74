//! The first tier: machine code at the speed of copying it.
//!
//! For each op there is a *stencil*, the code that the back end makes of it alone, for operands
//! in the registers of arguments and a result in the register of results. A function is put
//! together of these and of moves between them: every value has a home, a word of the frame
//! that holds it from its definition on, and what an instruction gives the next one takes from
//! the register. What loops use most has a register for a home, of those that no stencil changes.
//! So code is made by reading the IR twice as it was written, without a pipeline.
//!
//! What comes out is a [`CompiledUnit`] like any other: by the same convention, with the same
//! call sites, exits and guards. A function with structs or arrays is copied, and these are taken
//! apart first. What no stencil does (other types of more than a word, and what needs the passes
//! of a pipeline) is [`Unsupported`], and left to the next tier.
//!
//! The method is that of Xu and Kjolstad, *Copy-and-patch compilation* (OOPSLA 2021), with
//! stencils from our own back end.

mod assembler;
mod error;
mod fresh;
mod function;
mod homes;
pub mod key;
mod reference;
mod registers;
mod sites;
mod stencil;
mod take;

use std::sync::LazyLock;

use brolga_ir::entity::{FuncId, Value};
use brolga_ir::module::Module;
use brolga_lowering::continuation::{FrameMap, Leaf};
use brolga_lowering::options::{LowerOptions, Sanitizing};
use brolga_lowering::pipeline::{Flattened, flattened_function};
use brolga_lowering::target::{Architecture, Isa, System, TargetSpec};
use brolga_lowering::unit::CompiledUnit;
use rustc_hash::FxHashMap;

pub use error::Unsupported;
pub use fresh::{ALIGN, Fresh, Made};
pub use function::MAX_FRAME;
use function::{Buffers, Finished, Surroundings, emit, has_aggregates};
pub use reference::{Reference, Referent};
use stencil::Stencils;

/// The processors that the stencils of x86-64 run on.
pub const X86_64_CPU: &str = "x86-64-v2";

/// What compiles functions, one after another. Holds no state between them but memory to reuse:
/// keep one per thread.
#[derive(Debug, Default)]
pub struct Baseline {
    buffers: Buffers,
}

/// The functions of a module, to be compiled in any order.
#[derive(Debug)]
pub struct Functions<'a> {
    surroundings: Surroundings<'a>,
    buffers: &'a mut Buffers,
}

impl Baseline {
    /// A compiler.
    pub fn new() -> Baseline {
        Baseline::default()
    }

    /// Begins with a module, which was verified.
    ///
    /// # Errors
    /// If there are no stencils for the target, or an option needs the passes of a pipeline.
    pub fn begin<'a>(
        &'a mut self,
        module: &'a Module,
        isa: &'a Isa,
        options: &'a LowerOptions,
    ) -> Result<Functions<'a>, Unsupported> {
        if options.sanitize != Sanitizing::Omit {
            return Err(Unsupported::Option);
        }
        let stencils = stencils_for(isa.spec()).ok_or(Unsupported::Target)?;
        self.buffers.forget_module();
        let surroundings = Surroundings { module, isa, flattened: None, options, stencils };
        Ok(Functions { surroundings, buffers: &mut self.buffers })
    }
}

impl Functions<'_> {
    /// Compiles a function.
    ///
    /// # Errors
    /// What it has that stencils do not do. Others can be compiled all the same.
    pub fn lower(&mut self, id: FuncId) -> Result<CompiledUnit, Unsupported> {
        self.make(id).map(|made| *made.into_unit())
    }

    /// The same, for whoever copies the code from where it was made.
    ///
    /// # Errors
    /// As [`lower`](Self::lower).
    pub fn make(&mut self, id: FuncId) -> Result<Made<'_>, Unsupported> {
        let finished = match emit(self.surroundings, id, self.buffers) {
            // Looked for where it matters: few functions have any.
            Err(Unsupported::Value) if self.has_aggregates(id) => {
                return Ok(Made::Unit(self.lower_flattened(id)?.0));
            }
            emitted => emitted?,
        };
        fresh(self.surroundings, id, finished, self.buffers).map(Made::Fresh)
    }

    /// Whether values of a function are structs or arrays.
    fn has_aggregates(&self, id: FuncId) -> bool {
        let function = self.surroundings.module.function(id);
        let body = function.and_then(|function| function.body.as_deref());
        body.is_some_and(has_aggregates)
    }

    /// Compiles a function with structs or arrays, which are taken apart.
    fn lower_flattened(
        &mut self,
        id: FuncId,
    ) -> Result<(Box<CompiledUnit>, Flattened), Unsupported> {
        let Surroundings { module, isa, options, stencils, .. } = self.surroundings;
        let flattened = flattened_function(module, id, isa.spec(), options.max_parts());
        let flattened = flattened.ok().flatten().ok_or(Unsupported::Value)?;
        let legal = &flattened.legal;
        let (module, id) = (&legal.module, legal.function);
        let surroundings = Surroundings { module, isa, flattened: Some(legal), options, stencils };
        self.buffers.forget_module();
        let unit = emit(surroundings, id, self.buffers)
            .and_then(|finished| fresh(surroundings, id, finished, self.buffers))
            .map(Fresh::into_unit);
        self.buffers.forget_module();
        Ok((unit?, flattened))
    }

    /// Where the frame of a function has what, on the way back to any block: what
    /// [`lower`](Self::lower) gives with these options has it there, whenever it was called.
    ///
    /// # Errors
    /// As [`lower`](Self::lower).
    pub fn frame(&mut self, id: FuncId) -> Result<FrameMap, Unsupported> {
        if !self.has_aggregates(id) {
            emit(self.surroundings, id, self.buffers)?;
            return Ok(self.buffers.frame());
        }
        let (_, flattened) = self.lower_flattened(id)?;
        let FrameMap { values, slots, .. } = self.buffers.frame();
        let homes: FxHashMap<Value, i32> = values.iter().copied().collect();
        let body = flattened.body().ok_or(Unsupported::NoBody)?;
        let leaf = |leaf: &Value| match (body.as_constant(*leaf), homes.get(leaf)) {
            (Some(constant), _) => Leaf::Constant(constant.clone()),
            (None, Some(&home)) => Leaf::Home(home),
            (None, None) => Leaf::Unused,
        };
        let leaves = flattened.leaves.iter();
        let split = leaves.map(|(value, leaves)| (*value, leaves.iter().map(leaf).collect()));
        Ok(FrameMap { values, split: split.collect(), slots })
    }
}

/// What has been made in the buffers.
fn fresh<'a>(
    surroundings: Surroundings<'a>,
    id: FuncId,
    finished: Finished,
    buffers: &'a mut Buffers,
) -> Result<Fresh<'a>, Unsupported> {
    let function = surroundings.module.function(id).ok_or(Unsupported::NoBody)?;
    Ok(Fresh { surroundings, function, buffers, finished })
}

/// The stencils that run on every such machine.
fn stencils_for(spec: &TargetSpec) -> Option<&'static Stencils> {
    static NEEDED: LazyLock<Option<TargetSpec>> =
        LazyLock::new(|| TargetSpec::new(Architecture::X86_64, System::Linux, X86_64_CPU).ok());
    let needed = NEEDED.as_ref()?;
    needed.runs_on(spec).then(Stencils::x86_64)
}
