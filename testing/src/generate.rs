//! Programs from seeds: every op of the table, every type, every kind of
//! control flow; each ends, and has one meaning.
//!
//! Three things would make two right executions differ, and none is ever
//! looked at: the bits of a NaN that arithmetic makes (they are replaced by the
//! positive quiet NaN before a cast, a store, a call or a return could show
//! them), where objects lie (addresses are compared for equality only), and
//! the processor's features. Float ops with a permission get whole numbers so
//! small that every order gives the same.

mod atomic;
mod call;
mod callback;
mod checks;
mod conditional;
mod data;
mod emit;
mod entity;
mod flow;
mod foreign;
mod irregular;
mod jump;
mod loops;
mod managed;
mod memory;
mod operand;
mod parts;
mod platform;
mod program;
mod pure;
mod recipe;
mod shapes;
mod split;
mod types;
mod writer;

use brolga_ir::datum::Datum;
use brolga_ir::module::Module;
use brolga_ir::op::{Dialect, Op};

use crate::random::Random;
use program::Program;
pub use split::Split;

/// Whether programs use managed ops.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Managed {
    /// About a third of them do.
    #[default]
    Include,
    /// None does but what is gone when code is emitted: what compiled code can run today.
    Exclude,
}

/// Whether an op needs the managed runtime: others of that dialect are known
/// when code is emitted.
pub fn needs_runtime(op: Op) -> bool {
    op.info().dialect == Dialect::Managed && !matches!(op, Op::LoopMark | Op::CpuHas | Op::HaveFma)
}

/// What programs find around them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Surroundings {
    /// A host whose functions they import, and the library of C.
    #[default]
    Host,
    /// The library of C.
    Process,
    /// The same, and no meaning but such as other compilers give a program, too.
    Portable,
    /// A few functions of C that need no state and call nothing back.
    Bare,
}

/// How programs reach memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Access {
    /// Most of them by address, too.
    #[default]
    Any,
    /// By slots and data objects only: what safe code may load.
    Checked,
}

/// How large programs are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Size {
    /// Several functions that call each other: half of the programs execute
    /// far more than a hundred ops.
    #[default]
    Full,
    /// A third of that: nine in ten execute a hundred ops.
    Medium,
    /// As little as can be mutated in many ways.
    Small,
}

/// Of which types values are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Types {
    /// Of all.
    #[default]
    All,
    /// Such as every machine has registers and instructions for, and
    /// aggregates of them: no vectors, no 128-bit integers, no 16-bit floats.
    Simple,
}

/// How wide atomic accesses are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Atomics {
    /// As wide as any.
    #[default]
    All,
    /// Of 64 bits at most, which every CPU has.
    Words,
}

/// What programs to generate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// Whether they use managed ops.
    pub managed: Managed,
    /// How they reach memory.
    pub access: Access,
    /// How large they are.
    pub size: Size,
    /// Of which types their values are.
    pub types: Types,
    /// How wide their atomic accesses are.
    pub atomics: Atomics,
    /// What is around them.
    pub surroundings: Surroundings,
}

/// A call from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The function.
    pub function: Box<str>,
    /// Its arguments.
    pub args: Vec<Datum>,
}

/// A program, and how it is to be run: the calls one after the other, with
/// what they leave in memory.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The program, as one module.
    pub module: Module,
    /// The calls.
    pub calls: Vec<Call>,
    /// How it is divided where it is loaded as several modules.
    pub split: Split,
}

/// Programs from seeds that follow from `seed`, in one module of at least so
/// many functions with a body: no program knows of another.
pub fn generate_many(seed: u64, functions: usize, options: &Options) -> Generated {
    let mut seeds = Random::new(seed);
    let mut whole = Generated {
        module: Module::new(&format!("seed{seed}")),
        calls: Vec::new(),
        split: Split::WHOLE,
    };
    let defined = |module: &Module| module.functions().filter(|(_, f)| f.body.is_some()).count();
    for number in 0.. {
        if defined(&whole.module) >= functions {
            break;
        }
        let module = std::mem::take(&mut whole.module);
        let prefix = format!("p{number}_");
        let program = Program::inside(module, &prefix, seeds.bits(), options).write();
        whole.module = program.module;
        whole.calls.extend(program.calls);
    }
    whole
}

/// The program of a seed: the same one on every machine.
pub fn generate(seed: u64, options: &Options) -> Generated {
    Program::new(seed, options).write()
}

#[cfg(test)]
mod tests;
