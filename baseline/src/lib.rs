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
//! call sites, exits and guards. What no stencil does (types of more than a word, and what needs
//! the passes of a pipeline) is [`Unsupported`], and left to the next tier.
//!
//! The method is that of Xu and Kjolstad, *Copy-and-patch compilation* (OOPSLA 2021), with
//! stencils from our own back end.

mod assembler;
mod error;
mod function;
mod homes;
pub mod key;
mod registers;
mod sites;
mod stencil;

use std::sync::LazyLock;

use brolga_ir::entity::FuncId;
use brolga_ir::module::Module;
use brolga_lowering::continuation::FrameMap;
use brolga_lowering::options::{LowerOptions, Sanitizing};
use brolga_lowering::target::{Architecture, Isa, System, TargetSpec};
use brolga_lowering::unit::CompiledUnit;

pub use error::Unsupported;
pub use function::MAX_FRAME;
use function::{Buffers, Surroundings, emit};
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
        isa: &Isa,
        options: &'a LowerOptions,
    ) -> Result<Functions<'a>, Unsupported> {
        if options.sanitize != Sanitizing::Omit {
            return Err(Unsupported::Option);
        }
        let stencils = stencils_for(isa.spec()).ok_or(Unsupported::Target)?;
        self.buffers.forget_module();
        let surroundings = Surroundings { module, options, stencils };
        Ok(Functions { surroundings, buffers: &mut self.buffers })
    }
}

impl Functions<'_> {
    /// Compiles a function.
    ///
    /// # Errors
    /// What it has that stencils do not do. Others can be compiled all the same.
    pub fn lower(&mut self, id: FuncId) -> Result<CompiledUnit, Unsupported> {
        emit(self.surroundings, id, self.buffers)
    }

    /// Where the frame of a function has what, on the way back to any block: what
    /// [`lower`](Self::lower) gives with these options has it there, whenever it was called.
    ///
    /// # Errors
    /// As [`lower`](Self::lower).
    pub fn frame(&mut self, id: FuncId) -> Result<FrameMap, Unsupported> {
        emit(self.surroundings, id, self.buffers)?;
        Ok(self.buffers.frame())
    }
}

/// The stencils that run on every such machine.
fn stencils_for(spec: &TargetSpec) -> Option<&'static Stencils> {
    static NEEDED: LazyLock<Option<TargetSpec>> =
        LazyLock::new(|| TargetSpec::new(Architecture::X86_64, System::Linux, X86_64_CPU).ok());
    let needed = NEEDED.as_ref()?;
    needed.runs_on(spec).then(Stencils::x86_64)
}
